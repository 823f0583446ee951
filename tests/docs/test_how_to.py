"""The how-to pages, followed to the letter: what they build is played by bots, and odds are asked in it.

Blocks are taken in the order of the page. A YAML block that begins with the name of a file goes into that file of the
copied edition, a Python block that begins with one becomes that file; other Python is run, and so are commands.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from sandtable.arena import run as arena
from sandtable.cli.app import app
from sandtable.engine.battle.steps import STEPS
from sandtable.odds import odds
from sandtable.world.compile import compile_world
from sandtable.world.files import read_yaml
from sandtable.world.library import scenario_in
from sandtable.world.model import World

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w-]+\.(?:yaml|py))\n")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to follow the page in; what it teaches the engine is forgotten afterwards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.syspath_prepend(str(tmp_path / "work"))
    before = dict(STEPS)
    yield tmp_path / "work"
    STEPS.clear()
    STEPS.update(before)
    for file in (tmp_path / "work").glob("*.py"):
        sys.modules.pop(file.stem, None)


def follow(page: str, folder: str = "my-edition") -> dict[str, Any]:
    """Do what the page says; gives the names that its Python has made."""
    names: dict[str, Any] = {}
    done = {"console": 0, "yaml": 0, "python": 0}
    for kind, text in BLOCK.findall((PAGES / page).read_text("utf-8")):
        done[kind] += 1
        named = NAMED.match(text)
        if kind == "console":
            for line in text.splitlines():
                command = shlex.split(line.removeprefix("$ "))
                assert command[0] == "sandtable"
                result = CliRunner().invoke(app, command[1:])
                assert result.exit_code == 0, f"{line}: {result.output}"
        elif kind == "yaml":
            assert named is not None, text
            _merge(Path(folder, named[1]), text)
        elif named is not None:
            Path(named[1]).write_text(text)
        else:
            exec(compile(text, page, "exec"), names)
    assert all(done.values()), done
    return names


def _merge(file: Path, text: str) -> None:
    """Put the block's entries into the file, section by section."""
    new = read_yaml(text)
    there = read_yaml(file.read_text()) if file.exists() else {}
    file.write_text(yaml.safe_dump(_merged(there, new), sort_keys=False))


def _merged(there: Any, new: Any) -> Any:
    if isinstance(there, dict) and isinstance(new, dict):
        return {**there, **{key: _merged(there.get(key), value) for key, value in new.items()}}
    return new


def play_bots(scenario: str, **options: Any) -> None:
    """Two rounds of one opponent against another; a mistake of theirs or of the engine fails."""
    results = arena(scenario, "4star", "3star", games=1, seed=5, rounds=2, options=options)
    (game,) = results.games
    assert not game.failed, game.reason
    assert game.rounds == 2


def ask_odds(world: World) -> float:
    return odds(world, "4 infantry, 2 armor", "3 infantry, 1 fighter").win


def test_add_a_house_rule(place: Path) -> None:
    names = follow("add-a-house-rule.md")
    game = names["game"]
    assert game.world.battles["land"].steps[:3] == ("aa-fire", "support-shot", "coastal-guns")
    world = compile_world(scenario_in("my-edition"), {"marines": True, "cheap_battleships": True})
    assert world.units["battleship"].cost == 20
    assert list(world.units)[:2] == ["infantry", "marine"]
    assert 0.5 < ask_odds(world) < 1
    play_bots(world.scenario, marines=True, cheap_battleships=True)


def test_the_step_of_the_house_rule_is_fought(place: Path) -> None:
    """A battleship off the coast fires although nobody lands."""
    from sandtable.archive.position import patched_state
    from sandtable.engine.dice import ScriptedDice
    from sandtable.engine.events import Rolled
    from sandtable.engine.game import Game

    world = follow("add-a-house-rule.md")["game"].world
    position = {
        "clear": "all",
        "units": {
            "germany": {"germany": {"infantry": 4}},
            "karelia-ssr": {"ussr": {"infantry": 1}},
            "finland-norway": {"germany": {"armor": 2}},
            "karelia-sea": {"germany": {"battleship": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = Game(world, start=patched_state(world, position), dice=ScriptedDice((4, 6, 6, 6)))
    game.play("move 2 armor: finland-norway -> karelia-ssr")
    events = game.play("end")
    (first, *_) = [event for event in events if isinstance(event, Rolled)]
    assert first.shooters == (("germany", "battleship", 1),)
    assert game.state.owners["karelia-ssr"] == "germany"


def test_bots_and_odds_know_the_step_of_the_house_rule(place: Path) -> None:
    names = follow("add-a-house-rule.md")
    world = names["game"].world
    assert 0.3 < ask_odds(world) < 1
    play_bots(world.scenario, coastal_guns=True)


def test_make_a_scenario(place: Path) -> None:
    names = follow("make-a-scenario.md")
    world = compile_world(scenario_in("my-edition", "last-stand"))
    assert world.spaces["azores"].owner == "uk"
    assert world.spaces["china"].original == "china"
    assert [o.id for o in world.objectives] == ["germany-oil", "uk-islands"]
    assert world.victory[-1].held == "round"
    assert names["game"].world.order[0] == "germany"
    assert 0.5 < ask_odds(world) < 1
    play_bots(world.scenario)
    play_bots(scenario_in("my-edition", "classic-1942"))


def test_every_page_is_followed_or_only_talks() -> None:
    """A page that shows how to build something belongs into this file."""
    for page in PAGES.glob("*.md"):
        kinds = {kind for kind, _ in BLOCK.findall(page.read_text("utf-8"))}
        assert page.name in ("add-a-house-rule.md", "make-a-scenario.md") or "python" not in kinds
