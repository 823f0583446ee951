"""What the two great books need at once, in one small game: a declaration of war, a question in another's turn, a
neutral that leans, and options that combine. Saves, odds and opponents know it without a word of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable.archive.position import patched_state
from sandtable.archive.snapshot import from_data, to_data
from sandtable.bots import make
from sandtable.engine.game import Game
from sandtable.engine.relations import allied, at_war, stance
from sandtable.errors import Refusal
from sandtable.odds import odds_of_battle
from sandtable.world.model import World
from support.sally import with_sallies
from support.scratch import scratch_world

POSITION = {
    "clear": "all",
    "units": {
        "south-sea": {"orange": {"battleship": 1, "transport": 1}},
        "orangeland": {"orange": {"infantry": 2, "artillery": 1, "industrial-complex": 1}},
        "north-sea": {"blue": {"transport": 1}},
        "blueport": {"blue": {"fighter": 1, "infantry": 2, "industrial-complex": 1}},
        "redport": {"red": {"infantry": 2, "fighter": 1, "industrial-complex": 1}},
        "greenfield": {"green": {"infantry": 2, "industrial-complex": 1}},
    },
    "cargo": {"south-sea": {"orange": {"transport": [{"infantry": 1}]}}},
    "turn": "orange",
    "phase": "combat-move",
    "round": 2,
}


@pytest.fixture
def world() -> Iterator[World]:
    with with_sallies(scratch_world(diplomacy=True, leaning_neutrals=True, guns=True)) as world:
        yield world


@pytest.fixture
def game(world: World) -> Game:
    """Orange goes to war with Blue and sends its battleship through a sea that was closed to it until then."""
    game = Game(world, start=patched_state(world, POSITION), seed=3)
    with pytest.raises(Refusal, match="Middle Sea"):
        game.play("move 1 battleship: south-sea -> middle-sea")
    game.play("declare war on blue")
    game.play("move 1 battleship: south-sea -> middle-sea -> north-sea")
    return game


def test_war_question_and_neutral_in_one_turn(world: World, game: Game) -> None:
    assert at_war(world, game.state, "orange", "blue")
    assert allied(world, game.state, "orange", "red")
    assert stance(world, game.state, "orange", "green") == "peace"
    game.play("end")
    question = game.decision
    assert question is not None
    assert (question.kind, question.power, question.places) == ("sally", "blue", ("blueport",))
    assert from_data(world, to_data(game.state)) == game.state
    game.play("scramble 1 fighter: blueport -> north-sea")
    while (question := game.decision) is not None and question.kind != "noncombat-move":
        game.play(game.legal.default())
    game.play("move 1 transport, 1 infantry: south-sea -> middle-sea")
    game.play("move 1 infantry: middle-sea -> isle")
    game.play("end")
    assert game.state.owners["isle"] == "orange", "it leans to the east, and Orange is of the east since it is at war"
    assert sum(game.state.at("isle").values()) == 2, "its army has joined"


def test_the_odds_count_what_may_come(world: World, game: Game) -> None:
    told = odds_of_battle(world, game.state, "north-sea", seconds=0.3)
    assert told.runs, "no formula knows the question, so the battle is played out"
    assert told.win < 1


def test_opponents_play_it(world: World, game: Game) -> None:
    bots = {power: make("3star", place) for place, power in enumerate(world.order)}
    last = game.state.round + 1
    while (question := game.decision) is not None and game.state.round <= last:
        order = bots[question.power].decide(game.view(), game.legal, question)
        assert order in game.legal
        game.play(order)
    assert game.state.over or game.state.round > last
