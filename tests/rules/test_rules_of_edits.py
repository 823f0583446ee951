"""Edits at the beginning, as they show in play: prices, strengths, ranges, set-up."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.cases import board_units
from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Rolled
from sandtable.engine.game import Game
from sandtable.errors import DataError, Refusal
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from support.positions import game_at


def edited(edits: dict[str, Any], patch: dict[str, Any]) -> Game:
    return game_at(compile_world("classic-1942", None, parse_edits(edits)), patch)


def in_phase(power: str, phase: str, **more: Any) -> dict[str, Any]:
    return {"turn": power, "phase": phase, **more}


@pytest.mark.rule("PC-EDT-01", "PC-EDT-02")
@pytest.mark.parametrize(("power", "cost"), [("ussr", 4), ("germany", 2), ("japan", 4)])
def test_price_for_all_and_for_one(power: str, cost: int) -> None:
    """Four for everybody, but two for Germany."""
    edits = {"units": {"all": {"infantry": {"cost": 4}}, "germany": {"infantry": {"cost": 2}}}}
    game = edited(edits, in_phase(power, "purchase", treasury={power: 20}))
    game.play("buy 3 infantry")
    assert game.state.treasury[power] == 20 - 3 * cost


@pytest.mark.rule("PC-EDT-01")
def test_a_technology_changes_an_edited_price() -> None:
    position = in_phase("ussr", "purchase", treasury={"ussr": 7}, technologies={"ussr": ["industrial-technology"]})
    game = edited({"units": {"all": {"infantry": {"cost": 8}}}}, position)
    game.play("buy 1 infantry")
    assert game.state.treasury["ussr"] == 0


@pytest.mark.rule("PC-EDT-01", "PC-EDT-02")
@pytest.mark.parametrize(("power", "distance"), [("japan", 5), ("usa", 4)])
def test_range_for_one_power(power: str, distance: int) -> None:
    """Japanese fighters fly 5, all others 4."""
    patch = in_phase(
        power, "noncombat-move", clear="all",
        units={"hawaiian-islands": {power: {"fighter": 1}}},
        control=dict.fromkeys(("hawaiian-islands", "manchuria", "soviet-far-east", "yakut-ssr"), power),
    )  # fmt: skip
    # Hawaii, its sea, North Pacific, Soviet Far East Sea, Soviet Far East: 4; the Yakut S.S.R. beyond it: 5
    game = edited({"units": {"japan": {"fighter": {"move": 5}}}}, patch)
    reachable = game.legal.destinations("hawaiian-islands", "fighter")
    assert "soviet-far-east" in reachable
    assert ("yakut-ssr" in reachable) is (distance == 5)


@pytest.mark.rule("PC-EDT-01")
def test_attack_and_defence_values_decide_hits() -> None:
    """Infantry attack at 5 and defend at 1 after the edit: a five hits and a two misses."""
    patch = in_phase(
        "germany", "combat-move", clear="all",
        units={"germany": {"germany": {"infantry": 1}}, "eastern-europe": {"ussr": {"infantry": 1}}},
        control={"eastern-europe": "ussr"},
    )  # fmt: skip
    edits = {"units": {"all": {"infantry": {"attack": 5, "defense": 1}}}}
    world = compile_world("classic-1942", None, parse_edits(edits))
    game = Game(world, start=patched_state(world, patch), dice=ScriptedDice([5, 2]))
    game.play("move 1 infantry: germany -> eastern-europe")
    game.play("end")
    rolls = [e for e in game.events if isinstance(e, Rolled)]
    assert [(e.reason, e.needed, e.hits) for e in rolls] == [("attack", 5, 1), ("defense", 1, 0)]
    assert game.state.owners["eastern-europe"] == "germany"


@pytest.mark.rule("PC-EDT-01")
def test_infantry_that_moves_two() -> None:
    patch = in_phase("ussr", "noncombat-move", clear="all", units={"russia": {"ussr": {"infantry": 1}}})
    game = edited({"units": {"ussr": {"infantry": {"move": 2}}}}, patch)
    assert "yakut-ssr" in game.legal.destinations("russia", "infantry")


@pytest.mark.rule("PC-EDT-01")
def test_a_unit_that_cannot_move() -> None:
    patch = in_phase("ussr", "noncombat-move", clear="all", units={"russia": {"ussr": {"infantry": 1, "fighter": 1}}})
    game = edited({"units": {"all": {"infantry": {"move": 0}, "fighter": {"move": 0}}}}, patch)
    assert not game.legal.destinations("russia", "infantry")
    assert not game.legal.destinations("russia", "fighter")
    with pytest.raises(Refusal):
        game.play("move 1 infantry: russia -> caucasus")
    game.play("end")


@pytest.mark.rule("PC-EDT-05", "PC-EDT-06")
def test_moved_added_and_removed_pieces() -> None:
    plain = Game.new()
    edits = {
        "units": {"all": {"infantry": {"cost": 4}}},
        "setup": [
            {"power": "germany", "unit": "infantry", "count": 1, "from": "germany", "to": "western-europe"},
            {"power": "usa", "unit": "battleship", "count": 1, "space": "hawaiian-sea"},
            {"power": "ussr", "unit": "infantry", "count": -1, "space": "russia"},
        ],
    }
    game = Game.new(edits=edits)

    def infantry(g: Game, power: str, space: str) -> int:
        return board_units(g.state, space)[power].get("infantry", 0)

    assert infantry(game, "germany", "germany") == infantry(plain, "germany", "germany") - 1
    assert infantry(game, "germany", "western-europe") == infantry(plain, "germany", "western-europe") + 1
    assert infantry(game, "ussr", "russia") == infantry(plain, "ussr", "russia") - 1
    before = board_units(plain.state, "hawaiian-sea").get("usa", {}).get("battleship", 0)
    assert board_units(game.state, "hawaiian-sea")["usa"]["battleship"] == before + 1
    game.play("buy 1 infantry")
    assert game.state.treasury["ussr"] == 20


@pytest.mark.rule("PC-EDT-06")
def test_edits_that_do_not_fit_are_all_told() -> None:
    wrong_units = {"units": {"prussia": {"infantry": {"cost": 4}}, "all": {"infantry": {"attack": 9}}}}
    with pytest.raises(DataError) as error:
        Game.new(edits=wrong_units)
    assert len(error.value.problems) == 2
    with pytest.raises(DataError, match="ussr has only"):
        Game.new(edits={"setup": [{"power": "ussr", "unit": "infantry", "count": -50, "space": "russia"}]})
