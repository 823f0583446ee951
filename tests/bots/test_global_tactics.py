"""Positions of Global 1940 with an obviously right idea, as data in `global_tactics/*.yaml`.

Each is one plan or one answer of five stars that thinks quickly, so that they take little time. What `accept` may say,
all of which must hold:

does     for each of these patterns, an order of the plan fits it
never    no order of the plan fits any of these patterns
wins     the plan attacks each space, with at least this chance to win
leaves   no unit attacks these spaces
answers  the answer to the open question fits one of these patterns

`missed` marks a position that is not solved yet, with what is done instead: few may carry it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.bot import PHASES
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.notation import format_order
from sandtable.world.compile import compile_world

WORLD = compile_world("global-1940")
FOLDER = Path(__file__).parent / "global_tactics"
ENTRIES: list[dict[str, Any]] = [e for path in sorted(FOLDER.glob("*.yaml")) for e in yaml.safe_load(path.read_text())]
NEEDED = 0.9


def failures(entry: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the bot's play."""
    accept, bot = entry["accept"], make("5star-quick")
    patch = {"phase": "combat-move", **(entry.get("position") or {}), "turn": entry["turn"]}
    game = Game(WORLD, start=patched_state(WORLD, patch), dice=SeededDice(entry["name"]))
    for step in entry.get("steps") or ():
        game.play(step)
    question = game.decision
    assert question is not None
    if "answers" in accept:
        given = format_order(bot.decide(game.view(game.seat_of(question.power)), game.legal, question))
        if not any(re.search(pattern, given) for pattern in accept["answers"]):
            yield f"answered {given}"
        return
    while question.kind not in PHASES:  # pilots are trained before anything is bought
        game.play(bot.decide(game.view(game.seat_of(question.power)), game.legal, question))
        question = game.decision
        assert question is not None
    plan = bot.plan(WORLD, game.state)
    orders = [format_order(order) for order in plan.orders]
    for pattern in accept.get("does", ()):
        if not any(re.search(pattern, order) for order in orders):
            yield f"nothing like {pattern}: {orders}"
    for pattern in accept.get("never", ()):
        yield from (f"does {order}" for order in orders if re.search(pattern, order))
    odds = {step.space: step.odds for step in plan.steps if step.odds is not None}
    for space, least in accept.get("wins", {}).items():
        if odds.get(space, 0.0) < least:
            yield f"{space}: {odds.get(space, 0.0):.0%} to win"
    for space in accept.get("leaves", ()):
        if any(order.startswith("move") and order.endswith(f"-> {space}") for order in orders):
            yield f"attacks {space}"


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["name"] for entry in ENTRIES])
def test_position(entry: dict[str, Any]) -> None:
    found = list(failures(entry))
    if entry.get("missed"):
        assert found, "solved now: take `missed` off"
    else:
        assert not found, f"{entry['idea']}: {'; '.join(found)}"


def test_few_positions_are_missed() -> None:
    missed = [entry["name"] for entry in ENTRIES if entry.get("missed")]
    assert len(ENTRIES) >= 40
    assert len(missed) <= (1 - NEEDED) * len(ENTRIES), missed
