"""The Anniversary data against the tables in the rules themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from sandtable.rulebook import rule
from sandtable.world.compile import compile_world
from sandtable.world.conditions import Cities, Controls, leaves
from sandtable.world.model import Modifier, World

POWERS = {
    "Germany": "germany",
    "Soviet Union": "ussr",
    "Japan": "japan",
    "United Kingdom": "uk",
    "Italy": "italy",
    "United States": "usa",
    "China": "china",
}
UNITS = {"tank": "armor", "antiaircraft-gun": "aa-gun"}


@pytest.fixture
def world(request: pytest.FixtureRequest) -> World:
    return compile_world(f"anniversary-{getattr(request, 'param', 1941)}")


def space_id(world: World, name: str) -> str:
    if zone := re.fullmatch(r"SZ (\d+)", name):
        return f"sz-{zone[1]}"
    return next(space.id for space in world.spaces.values() if space.name == name)


def unit_id(name: str) -> str:
    slug = name.replace("_", "-")
    return UNITS.get(slug, slug)


@pytest.mark.rule(*(f"AN-SET-{number}" for number in range(10, 24)))
@pytest.mark.parametrize("number", range(10, 24))
def test_setups(number: int) -> None:
    table = rule(f"AN-SET-{number}").data
    world = compile_world(f"anniversary-{table['scenario']}")
    power = POWERS[table["power"]]
    expected = {
        space_id(world, space): {unit_id(unit): count for unit, count in units.items()}
        for space, units in table["units"].items()
    }
    assert {space: dict(units) for space, units in world.setup.units[power].items()} == expected
    owned = {space.name for space in world.spaces.values() if space.owner == power}
    assert owned == set(table["territories"])


@pytest.mark.rule("AN-SET-01", "AN-SET-24")
def test_original_owners_are_the_same_in_both_scenarios() -> None:
    for year in (1941, 1942):
        world = compile_world(f"anniversary-{year}")
        for name, territories in rule("AN-SET-24").data.items():
            original = {space.name for space in world.spaces.values() if space.original == POWERS[name]}
            assert original == set(territories)
    assert compile_world("anniversary-1941").spaces["ukraine"].owner == "ussr"
    assert compile_world("anniversary-1942").spaces["ukraine"].owner == "germany"


@pytest.mark.rule("AN-SET-02")
def test_sides(world: World) -> None:
    assert world.members("axis") == ("germany", "japan", "italy")
    assert world.members("allies") == ("ussr", "uk", "usa", "china")
    assert world.powers["china"].played_by == "usa"
    assert not world.powers["china"].collects_income


@pytest.mark.rule("AN-SET-04", "AN-SET-05")
@pytest.mark.parametrize(("year", "number"), [(1941, "04"), (1942, "05")])
def test_turn_order(year: int, number: str) -> None:
    order = rule(f"AN-SET-{number}").data["order"]
    assert compile_world(f"anniversary-{year}").order == tuple(POWERS[name] for name in order)


@pytest.mark.rule("AN-SET-06", "AN-SET-07")
@pytest.mark.parametrize(("year", "number"), [(1941, "06"), (1942, "07")])
def test_victory_cities_at_start(year: int, number: str) -> None:
    world = compile_world(f"anniversary-{year}")
    table = rule(f"AN-SET-{number}").data
    cities = [space for space in world.spaces.values() if space.victory_city]
    axis = {space.name for space in cities if world.side_of(str(space.owner)) == "axis"}
    assert axis == set(table["axis"])
    assert len(cities) - len(axis) == table["allies"]


@pytest.mark.rule("AN-SET-08", "AN-SET-09")
@pytest.mark.parametrize(("year", "number"), [(1941, "08"), (1942, "09")])
def test_treasuries(year: int, number: str) -> None:
    world = compile_world(f"anniversary-{year}")
    table: Mapping[str, int] = rule(f"AN-SET-{number}").data
    assert {p.id: p.treasury for p in world.powers.values()} == {POWERS[k]: v for k, v in table.items()}


@pytest.mark.rule("AN-VIC-01")
def test_victory_cities(world: World) -> None:
    cities = {space.victory_city: space.name for space in world.spaces.values() if space.victory_city}
    assert cities == {row["city"]: row["territory"] for row in rule("AN-VIC-01").data}
    assert len(cities) == 18


def test_victory_levels(world: World) -> None:
    assert [(v.winner, v.checked) for v in world.victory] == [("each-side", "round")]
    for count in (13, 15, 18):
        chosen = compile_world("anniversary-1941", {"victory_cities": count})
        assert [v.when for v in chosen.victory] == [Cities(who="self", at_least=count)]


@pytest.mark.rule("AN-MAP-01")
def test_values_and_neutrals(world: World) -> None:
    land = [space for space in world.spaces.values() if space.is_land]
    assert {space.name: space.ipc for space in land if not space.impassable} == rule("AN-MAP-01").data
    assert {space.name for space in land if space.impassable} == set(rule("AN-MAP-09").data)
    assert sum(space.ipc for space in land) == 178


def test_canals(world: World) -> None:
    assert world.canals["sz-19", "sz-20"].banks == ("panama",)
    assert world.canals["sz-34", "sz-15"].banks == ("egypt", "trans-jordan")
    assert len(world.canals) == 4


@pytest.mark.parametrize("number", range(1, 14))
def test_unit_values(world: World, number: int) -> None:
    table = rule(f"AN-UNI-{number:02}").data
    unit = world.units[unit_id(table["unit"])]
    assert (unit.cost, unit.attack, unit.defense, unit.move) == (
        table["cost"],
        table["attack"],
        table["defense"],
        table["move"],
    )


@pytest.mark.rule("AN-RES-14", "AN-RES-15")
@pytest.mark.parametrize("chart", [1, 2])
def test_breakthrough_charts(world: World, chart: int) -> None:
    table: Mapping[int, str] = rule(f"AN-RES-{13 + chart}").data
    ours = {t.roll: t.id for t in world.technologies.values() if t.chart == chart}
    expected = {roll: name.replace("_", "-") for roll, name in table.items()}
    if chart == 1:
        assert expected[6] == "mechanized-infantry"
        expected[6] = "improved-mechanized-infantry"
    assert ours == expected


def test_improved_shipyards(world: World) -> None:
    costs = {unit: fields["cost"] for unit, fields in world.technologies["improved-shipyards"].units.items()}
    assert costs == rule("AN-TEC-18").data


@pytest.mark.parametrize("number", range(1, 18))
def test_objectives(world: World, number: int) -> None:
    table = rule(f"AN-OBJ-{number:02}").data
    (objective,) = (o for o in world.objectives if f"AN-OBJ-{number:02}" in o.rules)
    assert objective.power == POWERS[table["power"]]
    assert objective.bonus == table["bonus"]
    condition = next(leaves(objective.when))
    assert isinstance(condition, Controls)
    names = table.get("all_of") or table.get("of") or table["controls"]
    assert {world.spaces[s].name for s in condition.places.spaces} == set(names)
    assert condition.at_least == table.get("count")
    assert condition.who == str(table.get("side", "ussr")).lower()


def test_options_switch_phases_and_objectives() -> None:
    world = compile_world("anniversary-1942", {"research_and_development": False, "national_objectives": False})
    assert world.phases[0] == "purchase"
    assert not world.rules.objectives


def test_two_hit_ships_and_boosts(world: World) -> None:
    assert world.units["battleship"].hits == 2
    assert world.units["artillery"].modifiers == (Modifier(units=("infantry",), role="attack", amount=1, number=1),)
    assert not world.units["transport"].blocks
    assert world.setup.units["japan"]["sz-61"]["artillery"] == 1  # aboard a transport
