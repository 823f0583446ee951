"""Facts about the powers, units and starting position of Classic."""

from __future__ import annotations

import pytest

from sandtable.engine.conditions import capitals_meant
from sandtable.world.conditions import HoldsCapitals, Production
from sandtable.world.model import World

MONEY = {"ussr": 24, "germany": 32, "uk": 30, "japan": 25, "usa": 36}


def at(world: World, power: str, space: str) -> dict[str, int]:
    return dict(world.setup.units[power].get(space, {}))


def everywhere(world: World, power: str, unit: str) -> dict[str, int]:
    return {space: units[unit] for space, units in world.setup.units[power].items() if unit in units}


@pytest.mark.rule("CL-SET-01")
def test_alliances(classic: World) -> None:
    assert classic.members("axis") == ("germany", "japan")
    assert classic.members("allies") == ("ussr", "uk", "usa")
    assert classic.same_side("germany", "japan")
    assert classic.same_side("ussr", "usa")
    assert not classic.same_side("japan", "ussr")


@pytest.mark.rule("CL-SET-02", "CL-SET-03", "CL-SET-04", "CL-SET-05", "CL-SET-06")
def test_seats(classic: World) -> None:
    presets = classic.seats.presets
    assert sorted(presets) == [2, 3, 4, 5]
    for seats in presets.values():
        assert sorted(power for seat in seats for power in seat) == sorted(classic.powers)
    assert presets[2] == (("ussr", "uk", "usa"), ("germany", "japan"))
    assert presets[3] == (("ussr", "uk", "usa"), ("germany",), ("japan",))
    assert presets[4] == (("ussr", "usa"), ("uk",), ("germany",), ("japan",))
    assert presets[5] == (("ussr",), ("germany",), ("uk",), ("japan",), ("usa",))


@pytest.mark.rule("CL-SET-08")
def test_starting_money(classic: World) -> None:
    assert {power.id: power.treasury for power in classic.powers.values()} == MONEY


@pytest.mark.rule("CL-SET-09")
def test_starting_production(classic: World) -> None:
    production = dict.fromkeys(classic.powers, 0)
    for space in classic.spaces.values():
        if space.owner is not None:
            production[space.owner] += space.ipc
    assert production == MONEY
    assert production["germany"] + production["japan"] == 57


@pytest.mark.rule("CL-SET-11")
def test_colours(classic: World) -> None:
    colours = {power.id: power.colour for power in classic.powers.values()}
    assert colours == {
        "ussr": "dark brown",
        "germany": "grey",
        "uk": "beige",
        "japan": "yellow",
        "usa": "green",
    }


def test_what_follows_ownership(classic: World) -> None:
    captured = [unit.id for unit in classic.units.values() if unit.captured]
    assert captured == ["aa-gun", "industrial-complex"]
    assert not any(classic.units[unit].casualty for unit in captured)


@pytest.mark.rule("CL-SET-16")
def test_german_infantry(classic: World) -> None:
    infantry = everywhere(classic, "germany", "infantry")
    assert (infantry["germany"], infantry["eastern-europe"], infantry["ukraine-ssr"]) == (4, 3, 3)


@pytest.mark.rule("CL-SET-17", "CL-SET-24")
def test_german_submarines(classic: World) -> None:
    assert everywhere(classic, "germany", "submarine") == {"baltic-sea": 1, "west-spain-sea": 1}
    assert classic.spaces["west-spain-sea"].traits["label"] == "Atlantic"
    assert "north-sea" in classic.sea["baltic-sea"]
    assert at(classic, "uk", "north-sea")


@pytest.mark.rule("CL-SET-18")
def test_american_pacific_fleet(classic: World) -> None:
    assert at(classic, "usa", "western-usa-sea") == {"transport": 1, "battleship": 1}
    assert at(classic, "usa", "gulf-of-mexico-sea") == {}


@pytest.mark.rule("CL-SET-19")
def test_british_submarine(classic: World) -> None:
    assert everywhere(classic, "uk", "submarine") == {"eastern-mediterranean-sea": 1}
    assert at(classic, "uk", "red-sea") == {}


@pytest.mark.rule("CL-SET-20")
def test_soviet_fleet(classic: World) -> None:
    assert at(classic, "ussr", "karelia-sea") == {"transport": 1, "submarine": 1}
    assert at(classic, "ussr", "baltic-sea") == {}


def test_ships_are_at_sea(classic: World) -> None:
    for places in classic.setup.units.values():
        for space, units in places.items():
            for unit in units:
                if classic.units[unit].domain == "sea":
                    assert classic.spaces[space].is_sea


@pytest.mark.rule("CL-SET-23")
def test_british_home(classic: World) -> None:
    assert at(classic, "uk", "north-sea") == {"transport": 1, "battleship": 1}
    assert at(classic, "uk", "united-kingdom")["fighter"] == 2


@pytest.mark.rule("CL-SET-25")
def test_french_west_africa(classic: World) -> None:
    assert classic.spaces["french-west-africa"].owner == "uk"
    assert not any("french-west-africa" in places for places in classic.setup.units.values())
    assert "algeria" in classic.land["french-west-africa"]
    assert at(classic, "germany", "algeria") == {"infantry": 1}


@pytest.mark.rule("CL-SET-26")
def test_libya(classic: World) -> None:
    assert at(classic, "germany", "libya") == {"infantry": 1, "armor": 1}
    assert "anglo-egypt-sudan" in classic.land["libya"]
    assert at(classic, "uk", "anglo-egypt-sudan")


@pytest.mark.rule("CL-SET-27")
def test_manchuria(classic: World) -> None:
    assert classic.spaces["manchuria"].owner == "japan"
    assert {"yakut-ssr", "soviet-far-east", "china"} <= set(classic.land["manchuria"])
    assert at(classic, "ussr", "yakut-ssr")
    assert at(classic, "ussr", "soviet-far-east")


@pytest.mark.rule("CL-SET-28")
def test_german_complexes(classic: World) -> None:
    assert everywhere(classic, "germany", "industrial-complex") == {"germany": 1, "southern-europe": 1}
    assert classic.original_complexes == {
        "karelia-ssr": "ussr",
        "russia": "ussr",
        "germany": "germany",
        "southern-europe": "germany",
        "united-kingdom": "uk",
        "japan": "japan",
        "eastern-usa": "usa",
        "western-usa": "usa",
    }


@pytest.mark.rule("CL-CAP-11")
def test_capitals(classic: World) -> None:
    capitals = {power.id: power.capital for power in classic.powers.values()}
    assert capitals == {
        "ussr": "russia",
        "germany": "germany",
        "uk": "united-kingdom",
        "japan": "japan",
        "usa": "eastern-usa",
    }
    for power, space in capitals.items():
        assert space is not None
        assert classic.spaces[space].capital_of == power
        assert classic.spaces[space].owner == classic.spaces[space].original == power
    assert sum(space.capital_of is not None for space in classic.spaces.values()) == 5


def test_order_of_play(classic: World) -> None:
    assert classic.order == ("ussr", "germany", "uk", "japan", "usa")


@pytest.mark.rule(*(f"CL-UNT-{number:02}" for number in range(1, 11)))
@pytest.mark.parametrize(
    ("unit", "cost", "move", "attack", "defense"),
    [
        ("infantry", 3, 1, 1, 2),
        ("armor", 5, 2, 3, 2),
        ("fighter", 12, 4, 3, 4),
        ("bomber", 15, 6, 4, 1),
        ("battleship", 24, 2, 4, 4),
        ("carrier", 18, 2, 1, 3),
        ("transport", 8, 2, 0, 1),
        ("submarine", 8, 2, 2, 2),
        ("aa-gun", 5, 1, 0, 0),
        ("industrial-complex", 15, 0, 0, 0),
    ],
)
def test_unit_values(classic: World, unit: str, cost: int, move: int, attack: int, defense: int) -> None:
    kind = classic.units[unit]
    assert (kind.cost, kind.move, kind.attack, kind.defense) == (cost, move, attack, defense)


def test_what_units_can_do(classic: World) -> None:
    units = classic.units
    assert [u.id for u in units.values() if u.captures] == ["infantry", "armor"]
    assert [u.id for u in units.values() if u.blitz] == ["armor"]
    assert units["transport"].loads == ({"infantry": 2}, {"armor": 1}, {"aa-gun": 1})
    assert units["carrier"].deck == {"fighter": 2}
    assert units["battleship"].support == 4
    assert units["aa-gun"].anti_air == 1
    assert not units["aa-gun"].attacks
    assert units["industrial-complex"].complex
    assert units["submarine"].first_shot == ("attack",)
    assert units["submarine"].withdraws == ("attack", "defense")
    assert units["submarine"].cannot_hit == ("air",)


def test_victory(classic: World) -> None:
    allies, axis, economy = classic.victory
    assert (allies.winner, allies.checked, allies.when) == (
        "allies",
        "turn",
        HoldsCapitals(who="allies", of=("axis",)),
    )
    assert capitals_meant(classic, HoldsCapitals(who="allies", of=("axis",))) == ("germany", "japan")
    assert (axis.winner, axis.when) == ("axis", HoldsCapitals(who="axis", of=("allies",), at_least=2))
    assert set(capitals_meant(classic, HoldsCapitals(who="axis", of=("allies",)))) == {
        "eastern-usa",
        "russia",
        "united-kingdom",
    }
    assert (economy.winner, economy.checked, economy.when) == ("axis", "round", Production(who="axis", at_least=84))
