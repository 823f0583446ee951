"""What people type as arguments, turned into what the package understands. Every complaint is a sentence."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from sandtable import bots
from sandtable.archive.files import FileError, read_file
from sandtable.errors import SandtableError
from sandtable.play.seating import SITTING_BOT
from sandtable.world.edits import Edits, parse_edits
from sandtable.world.files import read_yaml, yaml_problem
from sandtable.world.library import AT, scenario_in
from sandtable.world.load import scenarios
from sandtable.world.model import PowerId

LARGEST = 1_000_000  # bytes of an edits file


class UsageError(SandtableError):
    """Arguments that make no sense."""


def pairs(texts: Iterable[str], option: str) -> list[tuple[str, str]]:
    """`key=value` texts as pairs."""
    found = []
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UsageError(f"{option} takes key=value, not {text!r}.")
        found.append((key.strip(), value.strip()))
    return found


def options(texts: Iterable[str]) -> dict[str, bool | int | str]:
    """Game options as the world wants them: `on` and `true` are true, digits are numbers. Keys are checked later."""
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    found: dict[str, bool | int | str] = {}
    for key, value in pairs(texts, "-o"):
        plain: bool | int | str = words.get(value.lower(), value)
        if value.isascii() and value.isdigit() and len(value) < 10:
            plain = int(value)
        found[key.replace("-", "_")] = plain
    return found


def edits(path: Path | None) -> Edits | None:
    """The edits in a YAML file (units, setup, victory)."""
    if path is None:
        return None
    try:
        raw = read_yaml(read_file(path, LARGEST, "edits"))
    except FileError as error:
        raise UsageError(str(error)) from None
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {yaml_problem(error)}.") from None
    except (RecursionError, ValueError):
        raise UsageError(f"{path} is not YAML that can be read.") from None
    if not isinstance(raw, dict):
        raise UsageError(f"{path} holds no edits: it should have units, setup or victory.")
    return parse_edits(raw)


def is_scenario(text: str) -> bool:
    return AT in text or any(text == info.id for info in scenarios())


def scenario_of(edition: Path | None, scenario: str | None, default: str | None = None) -> str:
    """The scenario that is meant: a built-in one, or one of an edition in a folder or archive.

    An edition with one scenario needs no name for it.
    """
    if edition is None:
        return scenario or default or ""
    return scenario_in(edition, scenario)


def wanted(edition: Path | None, game: str | None) -> str:
    """A scenario or the file of a saved game, as `show` and `map` take it."""
    if edition is not None:
        return scenario_of(edition, game)
    if game is None:
        raise UsageError("Name a scenario or a saved game, or an edition of your own with --edition.")
    return game


def unknown_game(text: str) -> UsageError:
    """Neither a scenario nor a file."""
    known = [info.id for info in scenarios()]
    near = get_close_matches(text.lower(), known, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else f"Scenarios are {', '.join(known)}."
    return UsageError(f"{text!r} is neither a scenario nor a saved game. {hint}")


def seats(
    powers: Mapping[PowerId, str], base: Mapping[str, tuple[PowerId, ...]], texts: Iterable[str]
) -> dict[str, tuple[PowerId, ...]]:
    """The seats after `--seat WHO=NAME` changes.

    WHO is a power, a seat of `base` or `all`; NAME is a person, or a bot such as `5star`. Powers with the same name
    share a seat, except that every seat a bot takes keeps a bot of its own. `powers` are the powers' display names.
    """
    holder = {power: seat for seat, held in base.items() for power in held}
    for who, name in pairs(texts, "--seat"):
        for power in _meant(who, powers, base):
            if name.lower() in bots.names():
                holder[power] = f"{SITTING_BOT.sub('', holder[power])} ({name.lower()})"
            else:
                holder[power] = name
    found: dict[str, tuple[PowerId, ...]] = {}
    for power in powers:
        if power in holder:
            found[holder[power]] = (*found.get(holder[power], ()), power)
    return found


def _meant(who: str, powers: Mapping[PowerId, str], base: Mapping[str, tuple[PowerId, ...]]) -> tuple[PowerId, ...]:
    word = who.lower()
    if word == "all":
        return tuple(p for held in base.values() for p in held)
    for power, name in powers.items():
        if word in (power, name.lower()):
            return (power,)
    for seat, held in base.items():
        if word == seat.lower():
            return held
    known = [*powers, *base, "all"]
    near = get_close_matches(word, known, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
    raise UsageError(f"--seat: there is no power or seat {who!r}. {hint}")


def typed(path: Path) -> str:
    """A file as one types it in a command."""
    text = shlex.quote(str(path))
    return f"./{text}" if text.startswith("-") else text


def plain(value: Any) -> str:
    """An option's value as people type it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
