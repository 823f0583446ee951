"""Random play of Global 1940 with everybody at war: `legal` and `play` agree, and `destinations` tells the truth."""

from __future__ import annotations

import random

import pytest

from sandtable.engine.game import Game
from sandtable.notation import format_order, parse_order
from sandtable.world.compile import compile_world
from support.orders import random_order
from support.play import agree_about, check_destinations, some_stacks
from support.positions import game_at

WORLD = compile_world("global-1940")
AXIS = WORLD.members("axis")
WARS = [[a, b] for a in AXIS for b in WORLD.order if b not in AXIS]
QUESTIONS = {
    *("scramble", "interdict", "ambush", "abort", "intercept", "target", "stranded", "submarines", "retreat"),
    *("casualties", "battle", "combat-move", "noncombat-move"),
}


def a_game(seed: int, rng: random.Random) -> Game:
    position = {"at_war": WARS, "turn": rng.choice(WORLD.order), "phase": "combat-move", "round": rng.choice((1, 2, 4))}
    return game_at(WORLD, position, seed)


@pytest.mark.parametrize("seed", range(5))
def test_orders_and_destinations(seed: int) -> None:
    rng = random.Random(seed)
    game = a_game(seed, rng)
    for _ in range(50):
        if game.decision is None:
            return
        agree_about(game, random_order(game, rng))
        if game.decision.kind in ("combat-move", "noncombat-move") and rng.random() < 0.15:
            for space, unit in some_stacks(game, rng, 2):
                for role in (None, *game.legal.roles(unit)):
                    check_destinations(game, space, unit, role)
        order = game.legal.sample(rng)
        assert parse_order(WORLD, format_order(order)) == order
        game.play(order)


def test_listed_answers_are_legal_and_every_question_is_met() -> None:
    met: set[str] = set()
    for seed in range(40):
        rng = random.Random(seed)
        game = a_game(seed, rng)
        moves = 0
        for _ in range(160):
            question = game.decision
            if question is None:
                break
            if question.kind in QUESTIONS - met and question.kind not in ("combat-move", "noncombat-move"):
                for _, order in zip(range(20), game.legal.orders(), strict=False):
                    assert order in game.legal, format_order(order)
            met.add(question.kind)
            moves += question.kind in ("combat-move", "noncombat-move")
            ends = moves % 12 == 0 and game.legal.why_not(parse_order(WORLD, "end")) is None
            game.play("end" if ends else game.legal.sample(rng))
        if met >= QUESTIONS:
            return
    pytest.fail(f"never met: {sorted(QUESTIONS - met)}")
