"""How games end: the standard conditions' other half, chosen conditions, and the individual winner."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.engine.events import Won
from sandtable.engine.facts import production
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.engine.victory import growth, individual_winners
from sandtable.errors import Refusal
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import World
from support.positions import game_at

START = {"ussr": 24, "germany": 32, "uk": 30, "japan": 25, "usa": 36}


@pytest.mark.rule("CL-VIC-07")
@pytest.mark.parametrize(
    ("power", "level", "percent"),
    [
        ("ussr", 25, 4.1), ("ussr", 29, 20.8), ("ussr", 40, 66.6), ("ussr", 48, 100.0), ("ussr", 24, 0.0),
        ("germany", 33, 3.1), ("germany", 45, 40.6), ("germany", 64, 100.0),
        ("uk", 33, 10.0), ("uk", 44, 46.6), ("uk", 45, 50.0),
        ("japan", 26, 4.0), ("japan", 50, 100.0),
        ("usa", 37, 2.7), ("usa", 50, 38.8), ("usa", 72, 100.0), ("usa", 108, 200.0),
        ("ussr", 23, -4.1), ("ussr", 8, -66.6), ("germany", 0, -100.0),
    ],
)  # fmt: skip
def test_growth_is_cut_off_after_one_decimal(power: str, level: int, percent: float) -> None:
    assert growth(START[power], level) == percent


@pytest.mark.rule("CL-VIC-07")
def test_growth_never_falls_as_production_rises() -> None:
    for start in START.values():
        rates = [growth(start, level) for level in range(150)]
        assert rates == sorted(rates)
        assert [level for level, rate in enumerate(rates) if rate == 0.0] == [start]


def owners_with(world: World, levels: dict[str, int]) -> dict[str, str]:
    """Territories shared out so that each power has exactly this production. Capitals are left alone."""
    values = sorted(((s.ipc, s.id) for s in world.spaces.values() if s.ipc), reverse=True)
    shares: dict[str, str] = {}
    left = dict(levels)
    for ipc, space in values:
        home = world.spaces[space].capital_of
        power = home or max(left, key=lambda p: left[p])
        if left.get(power, 0) >= ipc:
            shares[space] = power
            left[power] -= ipc
    assert not any(left.values()), left
    return shares


def at_the_end(world: World, levels: dict[str, int]) -> State:
    state = Game(world).state
    owners = owners_with(world, levels)
    return msgspec.structs.replace(state, owners=owners, over=True, winner="allies")


@pytest.mark.rule("CL-VIC-06")
def test_individual_winner(classic_world: World) -> None:
    state = at_the_end(classic_world, {"ussr": 29, "uk": 45, "usa": 45})
    assert {p: production(classic_world, state, p) for p in ("ussr", "uk", "usa")} == {"ussr": 29, "uk": 45, "usa": 45}
    assert individual_winners(classic_world, state, START) == ("uk",)


@pytest.mark.rule("CL-VIC-06")
def test_equal_growth_makes_joint_winners(classic_world: World) -> None:
    """36 of 24 and 45 of 30 are both half as much again."""
    state = at_the_end(classic_world, {"ussr": 36, "uk": 45, "usa": 38})
    assert individual_winners(classic_world, state, START) == ("ussr", "uk")


@pytest.mark.rule("CL-VIC-06")
def test_losers_and_open_games_have_no_individual_winner(classic_world: World) -> None:
    running = Game(classic_world).state
    assert individual_winners(classic_world, running, START) == ()
    lost = msgspec.structs.replace(running, over=True, winner="axis")
    assert set(individual_winners(classic_world, lost, START)) <= {"germany", "japan"}


def turn_of(game: Game) -> str:
    return game.world.order[game.state.turn]


def end_turn(game: Game) -> None:
    turn, number = game.state.turn, game.state.round
    while game.decision is not None and (game.state.turn, game.state.round) == (turn, number):
        game.play("end")


def chosen(victory: dict[str, Any], patch: dict[str, Any]) -> Game:
    world = compile_world("classic-1942", None, parse_edits({"victory": victory}))
    return game_at(world, patch)


def won(game: Game) -> Won | None:
    return next((e for e in game.events if isinstance(e, Won)), None)


WALKOVER = {
    "clear": "all",
    "units": {"karelia-ssr": {"germany": {"infantry": 1}}},
    "control": {"karelia-ssr": "germany"},
    "turn": "germany",
    "phase": "combat-move",
}


@pytest.mark.rule("CL3-VIC-01", "PC-VIC-01", "PC-OPT-07")
def test_one_capital_may_be_enough() -> None:
    game = chosen({"capitals": {"axis": [1, ["russia", "united-kingdom"]]}}, WALKOVER)
    game.play("move 1 infantry: karelia-ssr -> russia")
    assert not game.state.over, "the turn is played to its end"
    end_turn(game)
    assert game.state.winner == "axis"
    assert game.decision is None
    event = won(game)
    assert event is not None
    assert "Russia" in event.reason
    with pytest.raises(Refusal):
        game.play("end")


@pytest.mark.rule("CL3-VIC-01")
def test_the_standard_conditions_are_replaced() -> None:
    """With an economic condition chosen, three captured capitals end nothing."""
    patch = {**WALKOVER, "control": {"karelia-ssr": "germany", "united-kingdom": "germany", "eastern-usa": "japan"}}
    game = chosen({"economy": {"allies": 110}}, patch)
    game.play("move 1 infantry: karelia-ssr -> russia")
    end_turn(game)
    assert not game.state.over


@pytest.mark.rule("CL3-VIC-01", "PC-OPT-07")
@pytest.mark.parametrize(("level", "over"), [(90, True), (91, False)])
def test_another_economic_level(level: int, over: bool) -> None:
    """The Allies start with 90; the level is looked at when the round is over, not before."""
    game = chosen({"economy": {"allies": level}}, {"clear": "all", "turn": "ussr", "phase": "combat-move"})
    for _ in range(4):
        assert not game.state.over
        end_turn(game)
    assert turn_of(game) == "usa"
    end_turn(game)
    assert game.state.over is over
    assert game.state.winner == ("allies" if over else None)


@pytest.mark.rule("CL3-VIC-01", "PC-OPT-07")
def test_a_round_limit_ends_the_game_for_nobody() -> None:
    game = chosen({"rounds": 2}, {"clear": "all", "turn": "ussr", "phase": "combat-move"})
    while game.decision is not None:
        assert game.state.round <= 2
        game.play("end")
    assert (game.state.over, game.state.winner, game.state.round) == (True, None, 2)
    assert turn_of(game) == "usa"


@pytest.mark.rule("CL3-VIC-01", "PC-OPT-07")
def test_an_endless_game() -> None:
    patch = {**WALKOVER, "control": dict.fromkeys(("karelia-ssr", "united-kingdom", "eastern-usa"), "germany")}
    game = chosen({"none": True}, patch)
    game.play("move 1 infantry: karelia-ssr -> russia")
    end_turn(game)
    assert not game.state.over


@pytest.mark.rule("PC-VIC-01", "CL-VIC-03")
def test_standard_victory_is_announced(classic_world: World) -> None:
    patch = {**WALKOVER, "control": {"karelia-ssr": "germany", "united-kingdom": "germany"}}
    game = game_at(classic_world, patch)
    game.play("move 1 infantry: karelia-ssr -> russia")
    end_turn(game)
    event = won(game)
    assert event is not None
    assert (event.side, game.state.winner, game.decision) == ("axis", "axis", None)
    assert "CL-VIC-02" in event.rules
