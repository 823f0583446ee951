"""Completion of the line being typed."""

from __future__ import annotations

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from sandtable.archive.position import patched_state
from sandtable.cli.terminal.commands import COMMANDS
from sandtable.cli.terminal.completion import LineCompleter, suggestions
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.world.compile import compile_world


@pytest.fixture
def game() -> Game:
    """The first combat move."""
    game = Game.new("classic-1942", seed=1)
    game.play("buy 2 infantry, 1 armor")
    game.play("end")
    return game


def words(game: Game, text: str) -> list[str]:
    return [word for word, _ in suggestions(game, text, COMMANDS)]


def test_verbs_of_the_open_question_come_first(game: Game) -> None:
    assert words(game, "")[:3] == ["move", "undo", "end"]
    assert words(game, "m") == ["move", "moves"]
    assert "retreat" not in words(game, "")
    assert "board" in words(game, "bo")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("move 2 inf", ["infantry"]),
        ("move 2 infantry: cau", ["caucasus"]),
        ("move 2 infantry: caucasus -> uk", ["ukraine-ssr"]),
        ("move 1 armor, 1 fighter: karelia-ssr -> fin", ["finland-norway"]),
        ("why move 2 infantry: caucasus -> uk", ["ukraine-ssr"]),
        ("why mo", ["move"]),
        ("moves karelia-ssr ar", ["armor"]),
        ("moves rus", ["russia"]),
        ("board fin", ["finland-norway"]),
        ("board germ", ["germany"]),
        ("back ro", ["round"]),
        ("odds fin", ["finland-norway"]),
        ("plan 5star-b", ["5star-bold"]),
        ("log ", ["all"]),
        ("standing o", ["on", "off"]),
        ("rule CL-TRP-01", ["CL-TRP-01"]),
        ("rule cl-trp-01", ["CL-TRP-01"]),
        ("end ", []),
        ("move 2 nonsense: cau", []),
        ("moves nowhere ar", []),
    ],
)
def test_what_can_follow(game: Game, text: str, expected: list[str]) -> None:
    assert words(game, text) == expected


def test_a_destination_is_one_that_all_named_units_can_reach(game: Game) -> None:
    both = words(game, "move 1 infantry, 1 armor: karelia-ssr -> ")
    assert set(both) == set(words(game, "move 1 infantry: karelia-ssr -> ")) & set(
        words(game, "move 1 armor: karelia-ssr -> ")
    )
    assert "ukraine-ssr" in both


def test_the_middle_of_a_name_is_found_too(game: Game) -> None:
    assert words(game, "board norway") == ["finland-norway"]


def test_buying_and_placing() -> None:
    game = Game.new("classic-1942", seed=1)
    assert ("battleship", "costs 24") in suggestions(game, "buy 1 ba", COMMANDS)
    game.play("buy 2 infantry")
    for _ in range(3):
        game.play("end")
    assert game.decision is not None
    assert game.decision.kind == "mobilize"
    assert words(game, "place 2 ") == ["infantry"]
    assert words(game, "place 2 infantry: ") == ["karelia-ssr", "russia"]


def test_answers_in_a_battle() -> None:
    world = compile_world("classic-1942")
    position = {
        "clear": "all",
        "units": {
            "libya": {"germany": {"infantry": 3}},
            "anglo-egypt-sudan": {"uk": {"infantry": 2, "armor": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = Game(world, start=patched_state(world, position), dice=ScriptedDice([1, 6, 6, 6, 6, 6]))
    game.play("move 3 infantry: libya -> anglo-egypt-sudan")
    game.play("end")
    assert words(game, "casualties 1 ") == ["infantry", "armor"]
    game.play("casualties 1 infantry")
    assert words(game, "retreat ") == ["libya"]


def test_prompt_toolkit_gets_the_place_to_replace(game: Game) -> None:
    completer = LineCompleter(lambda: game, COMMANDS)
    (found,) = completer.get_completions(Document("move 2 infantry: cau"), CompleteEvent())
    assert (found.text, found.start_position) == ("caucasus", -3)
