"""Facts about Global 1940 that the rules state."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable.engine.conditions import capitals_meant
from sandtable.world.compile import compile_world
from sandtable.world.conditions import Cities, Condition, HoldsCapitals, Places
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


def _named(condition: object) -> Iterator[str]:
    """The spaces that a condition is about."""
    if isinstance(condition, Places):
        yield from condition.spaces
    elif isinstance(condition, Condition):
        for field in condition.__struct_fields__:
            yield from _named(getattr(condition, field))
    elif isinstance(condition, tuple):
        for part in condition:
            yield from _named(part)


_MEDITERRANEAN = {f"sz-{zone}" for zone in range(92, 100)}
_MIDDLE_EAST = {"iraq", "persia", "northwest-persia"}
_SPREAD = {
    *("germany", "western-germany", "greater-southern-germany", "holland-belgium", "denmark", "norway", "poland"),
    *("slovakia-hungary", "romania", "northern-italy", "southern-italy", "sardinia", "sicily", "albania", "libya"),
    *("tobruk", "ethiopia", "italian-somaliland", "bulgaria", "finland", "iraq"),
}
_EUROPEAN_ECONOMY = {
    *("united-kingdom", "scotland", "iceland", "gibraltar", "malta", "cyprus", "alexandria", "egypt", "trans-jordan"),
    *("anglo-egyptian-sudan", "british-somaliland", "kenya", "tanganyika-territory", "rhodesia", "belgian-congo"),
    *("union-of-south-africa", "south-west-africa", "nigeria", "gold-coast", "british-guiana", "western-canada"),
    *("alberta-saskatchewan-manitoba", "ontario", "quebec", "new-brunswick-nova-scotia", "newfoundland-labrador"),
}


@pytest.mark.parametrize(
    ("rule", "power", "bonus", "each", "spaces"),
    [
        ("02", "germany", 5, False, set()),
        ("03", "germany", 5, True, {"novgorod", "volgograd", "russia"}),
        ("04", "germany", 5, False, {"caucasus"}),
        ("05", "germany", 5, False, {"egypt"}),
        ("06", "germany", 5, False, {"denmark", "norway", "sweden"}),
        ("07", "germany", 2, True, _MIDDLE_EAST),
        ("08", "ussr", 5, False, {"sz-125", "archangel"}),
        ("09", "ussr", 3, True, _SPREAD),
        ("10", "ussr", 10, False, {"germany"}),
        ("11", "japan", 10, False, {"french-indo-china"}),
        ("12", "japan", 5, False, {"guam", "wake-island", "gilbert-islands", "solomon-islands"}),
        ("13", "japan", 5, True, {"india", "new-south-wales", "hawaiian-islands", "western-united-states"}),
        ("14", "japan", 5, False, {"sumatra", "java", "borneo", "celebes"}),
        ("15", "usa", 10, False, {"eastern-united-states", "central-united-states", "western-united-states"}),
        ("16", "usa", 5, False, {"alaska", "aleutian-islands", "hawaiian-islands", "johnston-island", "line-islands"}),
        ("17", "usa", 5, False, {"mexico", "southeastern-mexico", "central-america", "west-indies"}),
        ("18", "usa", 5, False, {"philippines"}),
        ("19", "usa", 5, False, {"france"}),
        ("20", "china", 6, False, {"india", "burma", "yunnan", "szechwan"}),
        ("21", "uk", 5, False, _EUROPEAN_ECONOMY),
        ("22", "uk", 5, False, {"kwangtung", "malaya"}),
        ("23", "italy", 5, False, {"gibraltar", "southern-france", "greece", "egypt"}),
        ("24", "italy", 5, False, _MEDITERRANEAN),
        ("25", "italy", 5, False, {"morocco", "algeria", "tunisia", "libya", "tobruk", "alexandria"}),
        ("26", "italy", 2, True, _MIDDLE_EAST),
        ("27", "anzac", 5, False, {"malaya"}),
        ("28", "anzac", 5, False, {"new-guinea", "dutch-new-guinea", "new-britain", "solomon-islands"}),
    ],
)
def test_objectives(world: World, rule: str, power: str, bonus: int, each: bool, spaces: set[str]) -> None:
    (objective,) = (o for o in world.objectives if f"G40-OBJ-{rule}" in o.rules)
    assert (objective.power, objective.bonus, objective.per is not None) == (power, bonus, each)
    assert objective.once == (rule == "10")
    original = {s.id for s in world.spaces.values() if s.original == power}  # "all of its original territories"
    assert set(_named((objective.when, objective.per))) == spaces | (original if rule in ("08", "27") else set())


def test_soviet_bonus_is_for_all_land_that_was_german_italian_or_pro_axis(world: World) -> None:
    printed = {s.id for s in world.spaces.values() if s.original in ("germany", "italy")}
    assert printed | {s.id for s in world.spaces.values() if s.traits.get("leaning") == "pro-axis"} == _SPREAD


def test_no_objective_beyond_those_of_the_rules(world: World) -> None:
    assert sum(o.power in world.order for o in world.objectives) == 27


@pytest.mark.parametrize(
    ("leaning", "countries"),
    [
        ("pro-axis", {"bulgaria": (4, 1), "finland": (4, 2), "iraq": (3, 2)}),
        (
            "pro-allies",
            {
                "brazil": (3, 2),
                "crete": (0, 0),
                "eastern-persia": (0, 0),
                "eire": (0, 0),
                "greece": (4, 2),
                "northwest-persia": (0, 0),
                "persia": (2, 2),
                "yugoslavia": (5, 2),
            },
        ),
        (
            "strict",
            {
                "afghanistan": (4, 0),
                "angola": (2, 1),
                "argentina": (4, 2),
                "bolivia": (0, 0),
                "buyant-uhaa": (2, 0),
                "central-mongolia": (0, 0),
                "chile": (2, 2),
                "colombia": (0, 0),
                "dzavhan": (1, 0),
                "ecuador": (0, 0),
                "liberia": (0, 0),
                "mozambique": (2, 1),
                "olgiy": (2, 0),
                "paraguay": (0, 0),
                "peru": (0, 0),
                "portugal": (2, 1),
                "portuguese-guinea": (0, 0),
                "rio-de-oro": (0, 0),
                "saudi-arabia": (2, 2),
                "sierra-leone": (0, 0),
                "spain": (6, 2),
                "sweden": (6, 3),
                "switzerland": (2, 0),
                "tsagaan-olom": (0, 0),
                "turkey": (8, 2),
                "ulaanbaatar": (1, 0),
                "uruguay": (0, 0),
                "venezuela": (2, 2),
            },
        ),
    ],
)
def test_neutral_countries(world: World, leaning: str, countries: dict[str, tuple[int, int]]) -> None:
    found = [s for s in world.spaces.values() if s.traits.get("leaning") == leaning]
    assert {s.id: (s.traits["army"].get("infantry", 0), s.ipc) for s in found} == countries


def test_mongolia_alone_is_loyal_to_the_soviet_union(world: World) -> None:
    loyal = {space.id for space in world.spaces.values() if space.traits.get("loyal_to") == "ussr"}
    assert loyal == {"olgiy", "dzavhan", "tsagaan-olom", "central-mongolia", "ulaanbaatar", "buyant-uhaa"}


def test_five_waterways_and_no_more(world: World) -> None:
    assert {canal.name for canal in world.canals.values()} == {
        "Panama Canal",
        "Suez Canal",
        "Turkish Straits",
        "Strait of Gibraltar",
        "Danish Straits",
    }
    assert all(canal.permission for canal in world.canals.values())
