"""`sandtable editions`: what can be played, and the options of a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from rich.text import Text

from sandtable.cli import console
from sandtable.cli.arguments import UsageError, is_scenario, plain, unknown_game
from sandtable.engine.registry import check_names
from sandtable.world.compile import compile_world
from sandtable.world.library import files_of, open_edition, qualified
from sandtable.world.library import plain as plain_id
from sandtable.world.load import scenarios
from sandtable.world.model import Option, World
from sandtable.world.options import allowed, ties


def list_editions(edition: Path | None = None, *, as_json: bool) -> None:
    """A table of all scenarios, or of those of an edition in a folder or archive."""
    if edition is None:
        ids = [info.id for info in scenarios()]
    else:
        opened = open_edition(edition)
        ids = [qualified(opened, scenario) for scenario in opened.scenarios]
    rows: list[dict[str, Any]] = []
    for id_ in ids:
        world = compile_world(id_)
        if edition is not None and world.playable:
            check_names(world)
        rows.append(
            {
                "scenario": plain_id(id_),
                "name": world.scenario_name,
                "edition": world.edition_name,
                "playable": world.playable,
                "powers": len(world.powers),
                "spaces": len(world.spaces),
            }
        )
    if as_json:
        _print_json(rows)
        return
    out = console.output()
    grid = console.table(out, "scenario", "name", "edition", "playable", "powers", "spaces", right=("powers", "spaces"))
    for row in rows:
        row["playable"] = "yes" if row["playable"] else "shown only"
        grid.add_row(*map(str, row.values()))
    out.print(grid)
    out.print()
    out.print(
        Text("`sandtable editions SCENARIO` tells its options, `sandtable show SCENARIO` its board.", style="dim")
    )


def describe(scenario: str, *, as_json: bool) -> None:
    """One scenario: powers, turn, options."""
    if not is_scenario(scenario):
        raise unknown_game(scenario)
    world = compile_world(scenario)
    if as_json:
        _print_json(_facts(world))
        return
    out = console.output()
    shown = Text(f"({plain_id(scenario)})", style="dim")
    out.print(Text(f"{world.edition_name}: {world.scenario_name}", style="bold"), shown)
    if not world.playable:
        out.print("Its board can be shown; its rules are not complete yet.")
    out.print(Text("Turn order: ").append(", ".join(world.powers[p].name for p in world.order)))
    parts = zip(world.phases, world.actors, strict=True)
    turn = [phase if actor is None else f"{phase} ({world.powers[actor].name})" for phase, actor in parts]
    out.print(Text("A turn: ").append(", ".join(turn)))
    out.print()
    grid = console.table(out, "option", "default", "values", "what it does")
    for option in world.option_list:
        words = " ".join((f"{option.name}. {option.help}", *ties(option)))
        grid.add_row(option.key, plain(option.default), _values(option), words)
    out.print(grid)


def copy(scenario: str, folder: Path) -> None:
    """Write the data files of a scenario's edition into a new folder, to be changed there."""
    files = files_of(scenario)
    try:
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
    except FileExistsError:
        raise UsageError(f"{folder} exists already; name a new folder.") from None
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}.") from None
    print(f"{folder}: {', '.join(files)}")


def _values(option: Option) -> str:
    return ", ".join(plain(v) for v in allowed(option))


def _facts(world: World) -> dict[str, Any]:
    return {
        "scenario": plain_id(world.scenario),
        "name": world.scenario_name,
        "edition": world.edition_name,
        "playable": world.playable,
        "order": world.order,
        "phases": world.phases,
        "options": [_option(option) for option in world.option_list],
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "key": option.key,
        "name": option.name,
        "help": option.help,
        "default": option.default,
        "values": allowed(option),
        "rules": option.rules,
        **{
            tie: {value: found for value, patch in option.effects.items() if (found := getattr(patch, tie))}
            for tie in ("implies", "requires", "excludes", "idles")
        },
    }


def _print_json(data: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
