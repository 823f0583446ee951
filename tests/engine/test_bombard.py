"""The question which ships support which landing: what players see of it, and what answers by itself."""

from __future__ import annotations

import random

from sandtable.engine.events import ShipsAssigned
from sandtable.engine.game import Game
from sandtable.engine.questions import KINDS
from sandtable.notation import format_order
from sandtable.odds.position import odds_of_battle
from sandtable.world.compile import compile_world
from support.house_rules import house_game, house_world

POSITION = {
    "units": {
        "sz-7": {"uk": {"battleship": 1, "cruiser": 1}},
        "france": {"germany": {"infantry": 2}},
        "northwestern-europe": {"germany": {"infantry": 1}},
    },
    "cargo": {"sz-7": {"uk": {"transport": [{"infantry": 2}, {"infantry": 2}]}}},
    "turn": "uk",
    "phase": "combat-move",
}


def two_landings(dice: list[int], second: int = 1) -> Game:
    game = house_game(compile_world("anniversary-1941"), POSITION, dice)
    game.play("move 2 infantry: sz-7 -> france")
    game.play(f"move {second} infantry: sz-7 -> northwestern-europe")
    game.play("end")
    game.play("battle france")
    return game


def test_what_players_see() -> None:
    game = two_landings([])
    asked = game.decision
    assert asked is not None
    kind = KINDS["bombard"]
    assert (asked.kind, asked.power, asked.space, asked.zone, asked.count) == ("bombard", "uk", "france", "sz-7", 2)
    assert asked.units == (("uk", "battleship", 1), ("uk", "cruiser", 1))
    assert asked.places == ("france", "northwestern-europe")
    assert asked.answers == ("bombard", "stay")
    wording = kind.wording(game.world, game.state, asked)
    assert wording == (
        "United Kingdom: which of 1 battleship and 1 cruiser in Sea Zone 7 support which landing, "
        "France or Northwestern Europe?"
    )
    orders = [format_order(order) for order in game.legal.orders()]
    assert orders == [
        "bombard 1 battleship, 1 cruiser: france",
        "bombard 1 battleship: france",
        "bombard 1 cruiser: france",
        "bombard 1 battleship: northwestern-europe",
        "bombard 1 cruiser: northwestern-europe",
        "stay",
    ]
    labels = [kind.label(game.world, game.state, asked, order) for order in game.legal.orders()]
    assert labels[0] == "1 battleship and 1 cruiser at France"
    assert labels[3] == "1 battleship kept for Northwestern Europe"
    assert labels[-1] == "None fires at France"
    assert format_order(game.legal.default()) == orders[0]
    assert all(game.legal.sample(random.Random(n)) in game.legal for n in range(8))


def test_kept_ships_leave_a_question_about_the_others() -> None:
    game = two_landings([], second=2)
    game.play("bombard 1 battleship: northwestern-europe")
    asked = game.decision
    assert asked is not None
    assert (asked.kind, asked.units) == ("bombard", (("uk", "cruiser", 1),))
    told = [e for e in game.entries[-1].events if isinstance(e, ShipsAssigned)]
    assert [(e.zone, e.shore) for e in told] == [("sz-7", "northwestern-europe")]


def test_the_others_fire_if_nobody_else_wants_them() -> None:
    """One unit lands in the other place, and its ship is named: the cruiser (3) is free for France, where all fall."""
    game = two_landings([3, 1, 6, 1, 1, 4, 6])
    game.play("bombard 1 battleship: northwestern-europe")
    assert not game.state.at("france")
    assert game.state.owners["northwestern-europe"] == "uk"


def test_odds_go_on_while_it_is_open() -> None:
    game = two_landings([])
    assert 0 < odds_of_battle(game.world, game.state, "france").win < 1


def test_marked_ships_are_told_apart() -> None:
    world = house_world("anniversary-1941", marks={"leader": {"units": {"battleship": {"support": 5}}}})
    position = {
        **POSITION,
        "units": {**POSITION["units"], "sz-7": {"uk": {"battleship": 2}}},
        "cargo": {"sz-7": {"uk": {"transport": [{"infantry": 1}]}}},
        "marks": {"sz-7": {"uk": {"battleship": [["leader"]]}}},
    }
    game = house_game(world, position, [5, 6])
    game.play("move 1 infantry: sz-7 -> northwestern-europe")
    game.play("end")
    orders = [format_order(order) for order in game.legal.orders()]
    assert orders == [
        "bombard 1 battleship[leader]: northwestern-europe",
        "bombard 1 battleship[]: northwestern-europe",
        "stay",
    ]
    game.play(game.legal.default())
    assert game.state.owners["northwestern-europe"] == "uk"


def test_no_question_where_the_landing_has_its_ships() -> None:
    """The only unit that lands in the north has its battleship; what stayed silent in the south is not asked about."""
    world = compile_world("anniversary-1941")
    units = {
        **POSITION["units"],
        "sz-7": {"uk": {"battleship": 2, "cruiser": 1}},
        "france": {"germany": {"infantry": 1}},
    }
    cargo = {"sz-7": {"uk": {"transport": [{"infantry": 1}, {"infantry": 1}]}}}
    game = house_game(world, {**POSITION, "units": units, "cargo": cargo}, [1, 6, 4, 6])
    for order in ("move 1 infantry: sz-7 -> france", "move 1 infantry: sz-7 -> northwestern-europe", "end"):
        game.play(order)
    game.play("battle france")
    game.play("bombard 1 battleship: northwestern-europe")
    game.play("stay")
    assert game.decision is not None
    assert game.decision.kind == "noncombat-move"
