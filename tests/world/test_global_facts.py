"""Facts about Global 1940 that the rules state."""

from __future__ import annotations

import pytest

from sandtable.engine.conditions import capitals_meant
from sandtable.world.compile import compile_world
from sandtable.world.conditions import Cities, HoldsCapitals
from sandtable.world.model import World


@pytest.fixture
def world() -> World:
    return compile_world("global-1940")


@pytest.mark.rule("G40-SET-01")
def test_sides(world: World) -> None:
    assert world.members("axis") == ("germany", "japan", "italy")
    assert {power.id for power in world.powers.values() if power.traits.get("neutral_at_start")} == {"ussr", "usa"}
    assert len(world.order) == 9


@pytest.mark.rule("G40-SET-02")
def test_turn_order(world: World) -> None:
    assert world.order == ("germany", "ussr", "japan", "usa", "china", "uk", "italy", "anzac", "france")


@pytest.mark.rule("G40-SET-03", "G40-SET-04")
def test_money(world: World) -> None:
    assert [world.powers[power].treasury for power in world.order] == [30, 37, 26, 52, 12, 45, 10, 10, 19]


@pytest.mark.rule("G40-SET-09")
def test_occupied_china(world: World) -> None:
    occupied = {s.id for s in world.spaces.values() if s.original == "china" and s.owner == "japan"}
    assert occupied == {"jehol", "kiangsi", "kiangsu", "kwangsi", "manchuria", "shantung"}


@pytest.mark.rule("G40-SET-13")
def test_italian_fleet(world: World) -> None:
    assert "sz-101" not in world.setup.units["italy"]
    assert world.setup.units["italy"]["sz-97"] == {
        "submarine": 1,
        "destroyer": 1,
        "transport": 1,
        "cruiser": 1,
        "battleship": 1,
    }


def test_neutral_armies_are_no_pieces(world: World) -> None:
    armies = {s.id: s.traits["army"] for s in world.spaces.values() if "army" in s.traits}
    assert len(armies) == 39
    assert armies["turkey"] == {"infantry": 8}
    assert not any(space in places for places in world.setup.units.values() for space in armies)


def test_dutch_land(world: World) -> None:
    dutch = {space.id for space in world.spaces.values() if space.owner == "dutch"}
    assert dutch == {"sumatra", "java", "celebes", "dutch-new-guinea", "suriname"}
    assert "dutch" not in world.order
    assert not world.powers["dutch"].collects_income


@pytest.mark.rule("G40-SPC-27")
def test_polish_forces(world: World) -> None:
    home = world.setup.units["uk"]["united-kingdom"]
    assert (home["infantry"], home["fighter"]) == (3, 3)


def test_impassable(world: World) -> None:
    closed = {space.id for space in world.spaces.values() if space.impassable}
    assert closed == {"himalayas", "pripet-marshes", "sahara-desert"}


@pytest.mark.rule("G40-MAP-08", "G40-MAP-09")
def test_islands(world: World) -> None:
    for space in world.spaces.values():
        only_sea = bool(world.neighbours[space.id]) and not any(
            world.spaces[other].is_land for other in world.neighbours[space.id]
        )
        if space.is_land:
            assert space.island == only_sea, space.id
    assert {"sicily", "sardinia"} <= set(world.neighbours["sz-95"])
    assert {"crete", "cyprus"} <= set(world.neighbours["sz-99"])


@pytest.mark.rule("G40-MAP-11", "G40-MAP-12", "G40-MAP-15", "G40-MAP-17")
@pytest.mark.parametrize(
    ("a", "b", "banks"),
    [
        (64, 89, ("central-america",)),
        (81, 98, ("egypt", "trans-jordan")),
        (99, 100, ("turkey",)),
        (91, 92, ("gibraltar",)),
        (112, 113, ("denmark",)),
    ],
)
def test_waterways(world: World, a: int, b: int, banks: tuple[str, ...]) -> None:
    canal = world.canals[f"sz-{a}", f"sz-{b}"]
    assert canal.banks == banks
    assert canal.free_for == (("submarine",) if a == 91 else ())


@pytest.mark.rule("G40-MAP-23", "G40-MAP-24")
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("alberta-saskatchewan-manitoba", "western-canada"),
        ("central-united-states", "western-united-states"),
        ("mexico", "southeastern-mexico"),
        ("sz-11", "sz-64"),
        ("sz-28", "sz-64"),
        ("sz-51", "sz-64"),
        ("sz-51", "sz-65"),
        ("sz-51", "sz-66"),
        ("sz-52", "sz-66"),
    ],
)
def test_links_between_the_maps(world: World, a: str, b: str) -> None:
    assert b in world.neighbours[a]
    assert (a, b) in world.wraparound


@pytest.mark.rule("G40-MAP-26", "G40-MAP-27")
def test_maps_and_victory_cities(world: World) -> None:
    cities = [space for space in world.spaces.values() if space.victory_city]
    assert [sum(s.traits["map"] == side for s in cities) for side in ("europe", "pacific")] == [11, 8]
    for space in world.spaces.values():
        if space.zone is not None:
            assert space.id == f"sz-{space.zone}"
            assert space.traits["map"] == ("pacific" if space.zone <= 63 else "europe")


def test_victory(world: World) -> None:
    europe, pacific, allies = world.victory
    cities = {space.id for space in world.spaces.values() if space.victory_city}
    assert isinstance(europe.when, Cities)
    assert isinstance(pacific.when, Cities)
    assert {*europe.when.places.spaces, *pacific.when.places.spaces} == cities
    assert (europe.when.at_least, pacific.when.at_least) == (8, 6)
    assert allies.winner == "allies"
    assert isinstance(allies.when, HoldsCapitals)
    assert len(capitals_meant(world, allies.when)) == 3
    assert all(victory.held == "round" and victory.then is not None for victory in world.victory)


@pytest.mark.parametrize(
    ("unit", "cost", "attack", "defense", "move", "hits"),
    [
        ("infantry", 3, 1, 2, 1, 1),
        ("armor", 6, 3, 3, 2, 1),
        ("fighter", 6, 1, 0, 4, 1),
        ("tactical-bomber", 8, 3, 0, 4, 1),
        ("battleship", 18, 4, 4, 2, 2),
        ("carrier", 24, 0, 1, 2, 2),
        ("light-carrier", 15, 0, 1, 2, 1),
        ("submarine", 10, 2, 1, 2, 1),
        ("major-complex", 30, 0, 0, 0, 1),
        ("fortification", 16, 0, 2, 0, 1),
        ("air-base", 15, 0, 0, 0, 1),
    ],
)
def test_units(world: World, unit: str, cost: int, attack: int, defense: int, move: int, hits: int) -> None:
    kind = world.units[unit]
    assert (kind.cost, kind.attack, kind.defense, kind.move, kind.hits) == (cost, attack, defense, move, hits)


def test_island_bases_at_start(world: World) -> None:
    bases = dict.fromkeys(world.powers, 0)
    for power, places in world.setup.units.items():
        for space, units in places.items():
            if world.spaces[space].island and space != "japan":
                bases[power] += units.get("air-base", 0) + units.get("naval-base", 0)
    assert {power: 3 * number for power, number in bases.items() if number} == {
        "usa": 21,
        "uk": 9,
        "anzac": 6,
        "japan": 6,
    }


def test_british_economies(world: World) -> None:
    british = [space for space in world.spaces.values() if space.owner == "uk"]
    sums = {e: sum(s.ipc for s in british if s.traits["economy"] == e) for e in ("europe", "pacific")}
    assert sums == {"europe": 28, "pacific": 17}


def test_air_combat_chart(world: World) -> None:
    chart = world.rules.air_chart
    assert len(chart) == 25
    assert all(len(row) == 11 for row in chart)
    cells = {(1, 7): (0, 1), (3, 11): (2, 1), (6, 6): (1, 2), (10, 9): (4, 3), (16, 12): (6, 8), (25, 12): (10, 10)}
    assert {cell: chart[cell[0] - 1][cell[1] - 2] for cell in cells} == cells


def test_technologies(world: World) -> None:
    assert len(world.technologies) == 22
    assert world.wars[0] == ("germany", "uk")


def test_a_turn_has_six_phases() -> None:
    world = compile_world("global-1940", {"research": False, "pilot_experience": False})
    assert world.phases == ("purchase", "combat-move", "combat", "noncombat-move", "mobilize", "income")
    assert world.rules.developments == "none"
    assert not world.rules.training
