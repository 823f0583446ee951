"""A technology or a mark can give units what their kind does not have: the engine looks at the piece."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine.game import Game
from sandtable.errors import NotationError, Refusal
from support.house_rules import house_game, house_world

DECKS = house_world(technologies={"jet-power": {"units": {"battleship": {"deck": {"bomber": 1}}}}})
TOUGH = house_world(technologies={"jet-power": {"units": {"battleship": {"deck": {"bomber": 1}, "hits": 2}}}})
GUNS = house_world(units={"aa-gun": {"limit": 1}}, technologies={"rockets": {"units": {"aa-gun": {"limit": 2}}}})
HOLDS = house_world(technologies={"rockets": {"units": {"submarine": {"loads": [{"infantry": 1}]}}}})
AFLOAT = house_world(technologies={"rockets": {"units": {"aa-gun": {"attacks": True, "attack": 1}}}})
BASES = house_world(technologies={"rockets": {"units": {"industrial-complex": {"lifts": {"sea": 1}}}}})


def played(world: Any, position: dict[str, Any], tech: str | None, *orders: str) -> Game:
    known = {"technologies": {"germany": [tech]}} if tech else {}
    game = house_game(world, {"turn": "germany", **position, **known}, [])
    for order in orders:
        game.play(order)
    return game


def with_and_without(world: Any, position: dict[str, Any], tech: str, *orders: str) -> Game:
    """The orders are refused without the technology; the game after them with it."""
    with pytest.raises(Refusal):
        played(world, position, None, *orders)
    return played(world, position, tech, *orders)


def test_a_deck_that_only_some_ships_have() -> None:
    position = {
        "units": {"germany": {"germany": {"bomber": 1}}, "baltic-sea": {"germany": {"battleship": 1}}},
        "phase": "noncombat-move",
    }
    with_and_without(DECKS, position, "jet-power", "move 1 bomber: germany -> baltic-sea")


def test_more_guns_in_a_territory() -> None:
    position = {
        "units": {"germany": {"germany": {"aa-gun": 1}}, "eastern-europe": {"germany": {"aa-gun": 1}}},
        "phase": "noncombat-move",
    }
    with_and_without(GUNS, position, "rockets", "move 1 aa-gun: germany -> eastern-europe")


def test_ships_that_take_troops_aboard_and_sail_with_them() -> None:
    position = {
        "units": {"germany": {"germany": {"infantry": 1}}, "baltic-sea": {"germany": {"submarine": 1}}},
        "phase": "noncombat-move",
    }
    game = with_and_without(
        HOLDS,
        position,
        "rockets",
        "move 1 infantry: germany -> baltic-sea by submarine",
        "move 1 submarine, 1 infantry: baltic-sea -> north-sea",
    )
    assert [p.cargo[0].type for p in game.state.at("north-sea")] == ["infantry"]


def test_guns_that_go_ashore_in_an_assault() -> None:
    position = {
        "units": {
            "germany": {"germany": {"aa-gun": 1}},
            "baltic-sea": {"germany": {"transport": 1}},
            "karelia-ssr": {"ussr": {"infantry": 1}},
        },
        "phase": "combat-move",
    }
    orders = "move 1 aa-gun: germany -> baltic-sea", "move 1 aa-gun: baltic-sea -> karelia-ssr"
    with_and_without(AFLOAT, position, "rockets", *orders)


def test_complexes_that_send_ships_farther() -> None:
    position = {
        "units": {"germany": {"germany": {"industrial-complex": 1}}, "baltic-sea": {"germany": {"submarine": 1}}},
        "phase": "noncombat-move",
    }
    order = "move 1 submarine: baltic-sea -> north-sea -> eastern-canada-sea -> eastern-usa-sea"
    with_and_without(BASES, position, "rockets", order)


def test_positions_know_it_too() -> None:
    """A plane stands on a deck that a technology gave, and a ship is hurt that takes more hits by one."""
    position = {
        "units": {"baltic-sea": {"germany": {"battleship": 1, "bomber": 1}}},
        "damage": {"baltic-sea": {"battleship": 1}},
    }
    with pytest.raises(NotationError):
        played(TOUGH, position, None)
    state = played(TOUGH, position, "jet-power").state
    assert {(p.type, p.hits) for p in state.at("baltic-sea")} == {("battleship", 1), ("bomber", 0)}
