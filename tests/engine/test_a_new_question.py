"""A question of one's own: one class, and everybody who asks questions knows it (`support.sally`)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sandtable.archive.position import patched_state
from sandtable.archive.snapshot import from_data, to_data
from sandtable.bots import make
from sandtable.engine.game import Game
from sandtable.engine.questions import KINDS
from sandtable.errors import Refusal
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.sally import with_sallies


@pytest.fixture
def world() -> Iterator[World]:
    with with_sallies(compile_world("classic-1942")) as world:
        yield world


def attacked(world: World) -> Game:
    units = {"baltic-sea": {"germany": {"submarine": 2}}, "north-sea": {"uk": {"transport": 1}}}
    units["united-kingdom"] = {"uk": {"fighter": 1, "infantry": 1}}
    patch = {"clear": "all", "units": units, "turn": "germany", "phase": "combat-move"}
    game = Game(world, start=patched_state(world, patch), seed=5)
    game.play("move 2 submarine: baltic-sea -> north-sea")
    game.play("end")
    return game


def test_the_defender_is_asked_in_the_attackers_turn(world: World) -> None:
    game = attacked(world)
    question = game.decision
    assert question is not None
    assert (question.power, question.kind, question.places) == ("uk", "sally", ("united-kingdom",))
    assert KINDS["sally"].wording(world, game.state, question).startswith("United Kingdom: scramble")


def test_an_answer_is_carried_out_and_asked_once(world: World) -> None:
    game = attacked(world)
    game.play("scramble 1 fighter: united-kingdom -> north-sea")
    assert all(q.kind != "sally" for q in game.state.questions)
    fighters = [p for p in game.state.at("north-sea") if p.type == "fighter" and p.power == "uk"]
    assert fighters or game.state.battle is None


def test_anything_else_is_refused_and_says_what_is_open(world: World) -> None:
    game = attacked(world)
    with pytest.raises(Refusal, match="United Kingdom first has to answer"):
        game.play("end")


def test_the_open_question_is_saved(world: World) -> None:
    state = attacked(world).state
    assert from_data(world, to_data(state)) == state


@pytest.mark.parametrize("player", ["3star", "5star"])
def test_bots_answer_it_without_knowing_it(world: World, player: str) -> None:
    game = attacked(world)
    question = game.decision
    assert question is not None
    bot = make(player, 1)
    assert bot.decide(game.view(), game.legal, question) in game.legal


def test_random_players_answer_it(world: World) -> None:
    game = attacked(world)
    rng = random.Random(3)
    for _ in range(40):
        if game.decision is None:
            break
        game.play(game.legal.sample(rng))
