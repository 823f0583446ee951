"""`destinations` against the truth: every space of the board is tried with `play`'s own judgement."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.engine.movement import reach
from sandtable.notation import parse_order
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.play import check_destinations
from support.positions import game_at, patched_state, random_patch


def all_stacks(game: Game) -> list[tuple[str, str]]:
    return reach.movable(game.world, game.state)


@pytest.mark.parametrize("phase", ["combat-move", "noncombat-move"])
@pytest.mark.parametrize("power", ["ussr", "germany", "uk", "japan", "usa"])
def test_all_stacks_of_the_start(classic_world: World, power: str, phase: str) -> None:
    game = game_at(classic_world, {"turn": power, "phase": phase})
    for space, unit in all_stacks(game):
        check_destinations(game, space, unit)
        if unit == "bomber" and phase == "combat-move":
            check_destinations(game, space, unit, "raid")


@pytest.mark.parametrize("phase", ["combat-move", "noncombat-move"])
@pytest.mark.parametrize("seed", range(4))
def test_all_stacks_of_odd_positions(classic_world: World, seed: int, phase: str) -> None:
    rng = random.Random(seed)
    game = game_at(classic_world, random_patch(classic_world, rng, phase=phase), seed)
    stacks = all_stacks(game)
    rng.shuffle(stacks)
    for space, unit in stacks[:15]:
        check_destinations(game, space, unit)


FLEETS: dict[str, dict[str, Any]] = {
    "many-carriers": {
        "units": {
            "wake-island-sea": {"japan": {"carrier": 4, "fighter": 6}, "germany": {"fighter": 1}},
            "midway-sea": {"usa": {"transport": 1}},
            "hawaiian-sea": {"usa": {"battleship": 1}},
            "solomon-islands-sea": {"uk": {"submarine": 1}},
        },
        "turn": "japan",
    },
    "allied-decks": {
        "units": {
            "north-sea": {"uk": {"carrier": 1, "fighter": 1}, "usa": {"carrier": 1, "fighter": 2}},
            "united-kingdom": {"uk": {"fighter": 3, "bomber": 1}},
            "baltic-sea": {"germany": {"battleship": 1}},
            "western-mediterranean-sea": {"germany": {"submarine": 1}},
        },
        "turn": "uk",
    },
    "shared-sea": {
        "units": {
            "north-sea": {
                "uk": {"transport": 2, "battleship": 1, "carrier": 1, "fighter": 2, "submarine": 1},
                "germany": {"submarine": 2},
            },
            "united-kingdom": {"uk": {"infantry": 2, "armor": 1}},
        },
        "cargo": {"north-sea": {"uk": {"transport": [{"infantry": 2}, {"usa infantry": 1}]}}},
        "turn": "uk",
    },
    "everything-long-range": {
        "units": {
            "india": {"uk": {"fighter": 1, "bomber": 1, "infantry": 1, "armor": 1, "aa-gun": 1}},
            "indian-ocean-sea": {"uk": {"transport": 1}},
            "manchuria": {"japan": {"infantry": 1, "aa-gun": 1, "industrial-complex": 1}},
            "kwangtung": {"japan": {"industrial-complex": 1}},
        },
        "technologies": {"uk": ["long-range-aircraft", "heavy-bombers"]},
        "treasury": {"uk": 3},
        "turn": "uk",
    },
    "no-money-for-neutrals": {
        "units": {
            "western-europe": {"germany": {"infantry": 1, "armor": 1, "fighter": 1, "bomber": 1}},
            "united-kingdom": {"uk": {"infantry": 1, "industrial-complex": 1, "aa-gun": 1}},
            "gibraltar": {"uk": {"infantry": 1}},
        },
        "treasury": {"germany": 2},
        "turn": "germany",
    },
}


@pytest.mark.parametrize("phase", ["combat-move", "noncombat-move"])
@pytest.mark.parametrize("name", FLEETS)
def test_all_stacks_of_hard_positions(classic_world: World, name: str, phase: str) -> None:
    game = game_at(classic_world, {"clear": "all", "phase": phase, **FLEETS[name]})
    for space, unit in all_stacks(game):
        check_destinations(game, space, unit)
        if unit == "bomber" and phase == "combat-move":
            check_destinations(game, space, unit, "raid")


def test_planes_on_their_way_home(classic_world: World) -> None:
    """After two attacks all planes look for the same few decks: each may only go where all are still served."""
    patch = {
        "clear": "all",
        "units": {
            "wake-island-sea": {"japan": {"carrier": 2, "fighter": 4}},
            "hawaiian-sea": {"usa": {"transport": 1}},
            "midway-sea": {"usa": {"transport": 1}},
        },
        "control": {"wake-island": "usa", "okinawa": "usa", "caroline-islands": "usa"},
        "turn": "japan",
        "phase": "combat-move",
    }
    game = game_at(classic_world, patch, 5)
    game.play("move 2 fighter: wake-island-sea -> hawaiian-sea")
    check_destinations(game, "wake-island-sea", "fighter")
    game.play("move 2 fighter: wake-island-sea -> midway-sea")
    check_destinations(game, "wake-island-sea", "carrier")
    game.play("end")
    while game.decision is not None and game.decision.kind != "noncombat-move":
        game.play(next(iter(game.legal.orders())))
    for space, unit in all_stacks(game):
        check_destinations(game, space, unit)


def test_nothing_moves_outside_the_move_phases(classic_world: World) -> None:
    game = game_at(classic_world, {"turn": "germany", "phase": "purchase"})
    assert game.legal.destinations("germany", "infantry") == {}
    assert list(game.legal.orders())
    game = game_at(classic_world, {"turn": "germany", "phase": "mobilize"})
    assert game.legal.destinations("germany", "infantry") == {}


def test_asking_for_drops_changes_nothing() -> None:
    """What is remembered of a position must not be changed by who asks for it."""
    world = compile_world("anniversary-1941")
    patch: dict[str, Any] = {
        "clear": "all", "turn": "germany", "phase": "combat-move", "technologies": {"germany": ["paratroopers"]},
        "units": {"germany": {"germany": {"bomber": 1, "infantry": 1}}, "east-poland": {"ussr": {"infantry": 1}}},
    }  # fmt: skip
    game = game_at(world, patch)
    before = game.legal.destinations("germany", "bomber")
    first = game.legal.destinations("germany", "bomber", "paradrop")
    assert "east-poland" in first
    assert game.legal.destinations("germany", "bomber", "paradrop") == first
    assert game.legal.destinations("germany", "bomber") == before


@pytest.mark.parametrize("allowed", [1, 2, 3])
@pytest.mark.parametrize("first", ["", "move 1 carrier: sz-10 -> sz-12"])
def test_carriers_of_a_power_at_peace_leave_no_plane_behind(allowed: int, first: str) -> None:
    """As few units may move as the die says, and planes without a deck would have to follow (G40-SPC-26)."""
    world = compile_world("global-1940")
    units = {
        "sz-10": {"usa": {"carrier": 1, "fighter": 1, "transport": 1}},
        "sz-11": {"usa": {"carrier": 1, "destroyer": 1}},
        "western-united-states": {"usa": {"infantry": 1, "fighter": 1}},
    }
    start = patched_state(world, {"clear": "all", "phase": "noncombat-move", "turn": "usa", "units": units})
    game = Game(world, start=start, dice=ScriptedDice([allowed]))
    if first and allowed == 1:
        refused = game.legal.why_not(parse_order(world, first))
        assert refused is not None
        assert "planes left behind" in refused.text
        return
    if first:
        game.play(first)
    for space, unit in all_stacks(game):
        check_destinations(game, space, unit)
