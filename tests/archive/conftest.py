"""Games to save: random ones, and the battle for the Sudan, which is small enough to count by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.world.compile import compile_world

SUDAN = {
    "clear": ["libya", "anglo-egypt-sudan"],
    "units": {
        "libya": {"germany": {"infantry": 1, "armor": 1}},
        "anglo-egypt-sudan": {"uk": {"infantry": 1, "armor": 1}},
    },
    "treasury": {"germany": 28},
    "turn": "germany",
    "phase": "combat-move",
}
SUDAN_ORDERS = (
    "move 1 infantry, 1 armor: libya -> anglo-egypt-sudan",
    "end",
    "casualties 1 infantry",
    "press",
    "casualties 1 infantry",
)
SUDAN_DICE = (4, 2, 4, 5, 1, 2)


def play_on(game: Game, orders: int, seed: int) -> Game:
    """So many more random legal orders, or fewer if the game ends."""
    rng = random.Random(seed)
    for _ in range(orders):
        if game.decision is None:
            break
        game.play(game.legal.sample(rng))
    return game


def _sudan(orders: int = len(SUDAN_ORDERS), **more: Any) -> Game:
    world = compile_world("classic-1942")
    game = Game(world, start=patched_state(world, SUDAN), dice=ScriptedDice(SUDAN_DICE), **more)
    for order in SUDAN_ORDERS[:orders]:
        game.play(order)
    return game


@pytest.fixture(scope="session")
def sudan() -> Callable[..., Game]:
    """The Sudan after so many of its orders."""
    return _sudan


@pytest.fixture(scope="session")
def played_on() -> Callable[[Game, int, int], Game]:
    return play_on


@pytest.fixture(scope="session")
def long_text() -> str:
    """A game of four hundred orders."""
    return play_on(Game.new(seed=11), 400, 11).to_text()


@pytest.fixture
def small() -> Game:
    """A few orders from the scenario's set-up; one of them rolls a die."""
    game = Game.new(seed=3)
    for order in ("research 1", "end", "buy 3 infantry", "end", "end", "move 1 infantry: russia -> karelia-ssr"):
        game.play(order)
    return game
