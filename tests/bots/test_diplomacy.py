"""Bots and alliances that are free: whom they ask, whom they trust, and when they break."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.bots import diplomacy
from sandtable.bots.registry import make
from sandtable.engine.game import Game
from sandtable.notation.orders import Ally, Break, Permit, Stay
from sandtable.world.compile import compile_world

WORLD = compile_world("world-domination")


def game_at(**position: Any) -> Game:
    return Game(WORLD, start=patched_state(WORLD, {"phase": "research", **position}))


def answer_of(game: Game, name: str = "3star") -> object:
    question = game.decision
    assert question is not None
    return make(name).decide(game.view(game.seat_of(question.power)), game.legal, question)


def test_it_asks_somebody_who_agrees() -> None:
    """Germany and Japan have no common border; Germany and the U.S.S.R. have a long one."""
    game = game_at(turn="germany")
    order = answer_of(game)
    assert isinstance(order, Ally)
    assert order.power != "ussr"
    assert diplomacy.agrees(WORLD, game.state, order.power, "germany")
    game.play(order)
    assert answer_of(game) == Permit()


def test_it_does_not_ask_twice_in_a_turn() -> None:
    game = game_at(turn="germany")
    order = answer_of(game)
    assert isinstance(order, Ally)
    game.play(order)
    game.play("stay")
    assert game.state.rebuffed == (order.power,)
    assert answer_of(game) != order


def test_a_neighbour_on_a_long_front_is_refused() -> None:
    game = game_at(turn="germany")
    game.play("ally with ussr")
    assert answer_of(game) == Stay()


def test_nobody_stays_allied_with_whoever_is_about_to_win() -> None:
    game = game_at(turn="germany", control={"russia": "japan"}, alliances=[["germany", "japan"]])
    assert answer_of(game) == Break("japan")


@pytest.mark.parametrize("power", ["germany", "uk", "usa"])
def test_a_threat_unites_the_others(power: str) -> None:
    free = game_at(turn="japan").state
    state = game_at(turn="japan", control={"russia": "japan"}).state
    for other in ("germany", "uk", "usa"):
        if other != power:
            assert diplomacy.agrees(WORLD, state, power, other)
    assert not diplomacy.agrees(WORLD, state, power, "japan")
    assert diplomacy.is_threat(WORLD, state, "japan")
    assert not diplomacy.is_threat(WORLD, free, "japan")


def test_a_bot_plays_a_round_of_either_game() -> None:
    for scenario in ("pacific-theater", "world-domination"):
        game = Game.new(scenario, seed=1)
        for _ in range(400):
            if game.decision is None or game.state.round > 1:
                break
            game.play(answer_of(game))  # type: ignore[arg-type]
        assert game.state.round > 1


def test_a_partner_whose_capital_lies_open_is_betrayed() -> None:
    """Japan stands at the gates of an empty Moscow."""
    bond = [["japan", "ussr"]]
    army = {"novosibirsk": {"japan": {"infantry": 6, "armor": 4}}, "russia": {"ussr": {"infantry": 1}}}
    place = {"clear": list(army), "control": {"novosibirsk": "japan"}, "alliances": bond}
    open_gates = game_at(turn="japan", units=army, **place)
    assert answer_of(open_gates) == Break("ussr")
    army["russia"] = {"ussr": {"infantry": 20}}
    assert not diplomacy.is_prey(WORLD, game_at(turn="japan", units=army, **place).state, "japan", "ussr")
