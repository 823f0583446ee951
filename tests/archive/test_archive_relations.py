"""Alliances, pacts and opened land in saved positions."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import Game
from sandtable.archive.position import patched_state
from sandtable.archive.snapshot import fingerprint, from_data, to_data
from sandtable.engine.state import State
from sandtable.errors import NotationError, SaveError
from sandtable.world.compile import compile_world
from sandtable.world.model import World

PACT: dict[str, Any] = {"pact": {"released": ["japan"]}, "permitted": ["novosibirsk", "caucasus"], "turn": "uk"}
FREE: dict[str, Any] = {"alliances": [["usa", "japan"], ["uk", "ussr"], ["germany", "uk"]], "turn": "uk"}


def played(options: dict[str, Any], position: dict[str, Any]) -> tuple[World, State, Game]:
    world = compile_world("classic-1942", options)
    game = Game(world, start=patched_state(world, position), seed=1)
    return world, game.state, game


@pytest.mark.parametrize(
    ("options", "position"),
    [({"russo_japanese_pact": True, "soviet_sovereignty": True}, PACT), ({"world_domination": True}, FREE)],
)
def test_a_position_is_saved_and_read_again(options: dict[str, Any], position: dict[str, Any]) -> None:
    world, state, game = played(options, position)
    again = from_data(world, to_data(state))
    assert again == state
    assert fingerprint(again) == fingerprint(state)
    assert Game.from_text(game.to_text()).state == state


def test_pairs_stand_in_one_order() -> None:
    """Sets have none, and another process would put them into another."""
    _, state, _ = played({"world_domination": True}, FREE)
    assert to_data(state)["stances"]["alliances"] == [["germany", "uk"], ["japan", "usa"], ["uk", "ussr"]]


@pytest.mark.parametrize(
    "change",
    [
        {"stances": {"wars": [], "alliances": [], "bound": [["japan", "nobody"]]}},
        {"stances": {"wars": [["usa", "nobody"]], "alliances": [], "bound": []}},
        {"permitted": ["atlantis"]},
    ],
)
def test_what_names_nobody_is_refused(change: dict[str, Any]) -> None:
    world, state, _ = played({"russo_japanese_pact": True, "soviet_sovereignty": True}, PACT)
    with pytest.raises(SaveError, match="does not exist"):
        from_data(world, {**to_data(state), **change})


def test_troops_are_aboard_ships_of_whoever_is_allied() -> None:
    world = compile_world("classic-1942", {"world_domination": True})
    units = {"north-sea": {"uk": {"transport": 1}, "germany": {"infantry": 1}}}
    state = patched_state(world, {"clear": "all", "units": units, **FREE})
    assert [[c.power for c in ship.cargo] for ship in state.at("north-sea")] == [["germany"]]
    with pytest.raises(NotationError, match="no transport in north-sea has room"):
        patched_state(world, {"clear": "all", "units": units, "alliances": []})
