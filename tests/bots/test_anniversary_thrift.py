"""Opponents in the Anniversary edition: repairs, units that wait, China and charts."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.bots import registry
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.notation import format_order
from sandtable.world.compile import compile_world


def answers(position: dict[str, Any], kind: str, dice: tuple[int, ...] = ()) -> tuple[Game, list[str]]:
    """What a bot does as long as it is asked this kind of question."""
    world = compile_world("anniversary-1941", {"research_and_development": "chart" in kind})
    game = Game(world, dice=ScriptedDice(dice), start=patched_state(world, position))
    bot = registry.make("4star", "test")
    given = []
    while game.decision is not None and game.decision.kind == kind:
        order = bot.decide(game.view(game.seat_of(game.decision.power)), game.legal, game.decision)
        given.append(format_order(order))
        game.play(order)
    return game, given


@pytest.mark.parametrize(("damage", "waiting"), [(8, {}), (14, {}), (3, {"infantry": 4}), (0, {"infantry": 4})])
def test_money_is_spent_in_spite_of_damage_and_units_that_wait(damage: int, waiting: dict[str, int]) -> None:
    position = {
        "turn": "germany",
        "phase": "purchase",
        "damage": {"germany": {"industrial-complex": damage}},
        "waiting": {"germany": waiting} if waiting else {},
    }
    game, given = answers(position, "purchase")
    assert any(order.startswith("buy") for order in given), given
    assert any(order.startswith("repair") for order in given) == (damage > 0), given
    assert game.state.treasury["germany"] < 5


def test_chinese_infantry_are_placed() -> None:
    game, _ = answers({"turn": "usa", "phase": "mobilize", "waiting": {"china": {"infantry": 3}}}, "mobilize")
    assert "china" not in game.state.waiting


def test_china_takes_an_empty_territory() -> None:
    position = {
        "clear": ["kiangsu", "manchuria", "suiyuan", "hupeh"],
        "units": {"hupeh": {"china": {"infantry": 3}}},
        "turn": "china",
        "phase": "combat-move",
    }
    game, _ = answers(position, "combat-move")
    assert game.state.owners["kiangsu"] == "china"


def test_a_chart_is_chosen() -> None:
    position = {"turn": "italy", "phase": "research", "tokens": {"italy": 1}, "treasury": {"italy": 0}}
    game, given = answers(position, "chart", dice=(6, 4))
    assert given == ["chart 1"]
    assert game.state.techs["italy"] == {"increased-factory-production"}
