"""Unit types of a power with its technologies."""

from __future__ import annotations

import pytest

from sandtable.world import profiles
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import Modifier, World
from sandtable.world.profiles import profile


def one(world: World, tech: str) -> profiles.Profile:
    return profile(world, "usa", frozenset({tech}))


def test_without_technologies(classic: World) -> None:
    assert profile(classic, "usa") == classic.units
    assert list(profile(classic, "usa")) == list(classic.units)


@pytest.mark.rule("CL-TEC-13", "CL-TEC-17", "CL-TEC-18", "CL-TEC-19")
def test_values_of_developments(classic: World) -> None:
    jets = one(classic, "jet-power")["fighter"]
    assert (jets.attack, jets.defense) == (3, 5)
    assert one(classic, "rockets")["aa-gun"].rocket_range == 3
    submarine = one(classic, "super-submarines")["submarine"]
    assert (submarine.attack, submarine.defense) == (3, 2)
    far = one(classic, "long-range-aircraft")
    assert (far["fighter"].move, far["bomber"].move) == (6, 8)


@pytest.mark.rule("CL-TEC-20")
def test_industrial_technology(classic: World) -> None:
    cheap = one(classic, "industrial-technology")
    costs = {unit: cheap[unit].cost for unit in ("infantry", "armor", "fighter", "bomber", "battleship")}
    assert costs == {"infantry": 2, "armor": 4, "fighter": 11, "bomber": 14, "battleship": 23}
    assert cheap["aa-gun"].cost == 4
    assert cheap["industrial-complex"].cost == 14


def test_heavy_bombers(classic: World) -> None:
    heavy = one(classic, "heavy-bombers")["bomber"]
    assert (heavy.attack, heavy.raid_dice) == (4, 3)
    assert heavy.modifiers == (Modifier(role="attack", dice=3),)


@pytest.mark.rule("CL-TEC-10")
def test_developments_are_not_shared(classic: World) -> None:
    assert profile(classic, "germany", frozenset({"jet-power"}))["fighter"].defense == 5
    assert profile(classic, "japan")["fighter"].defense == 4


def test_several_at_once(classic: World) -> None:
    both = profile(classic, "uk", frozenset({"heavy-bombers", "long-range-aircraft", "industrial-technology"}))
    assert (both["bomber"].move, both["bomber"].raid_dice, both["bomber"].cost) == (8, 3, 14)


def test_nothing_is_for_free() -> None:
    world = compile_world("classic-1942", None, parse_edits({"units": {"usa": {"infantry": {"cost": 1}}}}))
    assert one(world, "industrial-technology")["infantry"].cost == 1
    assert profile(world, "uk", frozenset({"industrial-technology"}))["infantry"].cost == 2


def test_the_same_question_gets_the_same_object(classic: World, monkeypatch: pytest.MonkeyPatch) -> None:
    techs = frozenset({"rockets"})
    assert profile(classic, "uk", techs) is profile(classic, "uk", frozenset({"rockets"}))
    monkeypatch.setattr(profiles, "_LIMIT", 0)
    assert profile(classic, "uk", techs) == profile(classic, "uk", techs)
    assert profile(classic, "ussr", techs) == profile(classic, "uk", techs)


def test_relative_changes_of_other_editions() -> None:
    world = compile_world("global-1940")
    far = profile(world, "usa", frozenset({"long-range-aircraft", "general-production"}))
    assert (far["fighter"].move, far["bomber"].move) == (5, 7)
    assert far["fighter"].cost == 5
    ships = profile(world, "usa", frozenset({"improved-shipyards", "general-production"}))
    assert ships["battleship"].cost == 15
