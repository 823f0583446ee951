"""Edited scenarios: other values, other set-ups, other ends."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.errors import DataError
from sandtable.world.compile import compile_world
from sandtable.world.conditions import Controls, FromRound, Places, Production
from sandtable.world.edits import Edits, parse_edits
from sandtable.world.model import World
from sandtable.world.profiles import profile


def edited(options: dict[str, Any] | None = None, **edits: object) -> World:
    return compile_world("classic-1942", options, parse_edits(edits))


def problems(options: dict[str, Any] | None = None, **edits: object) -> list[str]:
    with pytest.raises(DataError) as caught:
        edited(options, **edits)
    return caught.value.problems


def test_no_edits_change_nothing(classic: World) -> None:
    assert edited() is classic
    assert compile_world("classic-1942", {}, Edits()) is classic


def test_unit_values_for_all_and_for_one() -> None:
    world = edited(units={"all": {"infantry": {"cost": 2, "attack": 2}}, "germany": {"infantry": {"attack": 3}}})
    assert world.units["infantry"].cost == 2
    assert profile(world, "uk")["infantry"].attack == 2
    german = profile(world, "germany")["infantry"]
    assert (german.cost, german.attack, german.defense) == (2, 3, 2)
    assert set(world.edits) == {"germany"}


@pytest.mark.parametrize(
    ("unit", "field", "value", "reason"),
    [
        ("infantry", "cost", 0, "expected 1 to 99, got 0"),
        ("infantry", "attack", 7, "expected 0 to 6, got 7"),
        ("fighter", "move", 13, "expected 0 to 12, got 13"),
        ("infantry", "defense", -1, "expected 0 to 6, got -1"),
        ("industrial-complex", "attack", 1, "industrial complexes do not move or fight"),
    ],
)
def test_values_out_of_range(unit: str, field: str, value: int, reason: str) -> None:
    assert problems(units={"usa": {unit: {field: value}}}) == [f"edits: units.usa.{unit}.{field}: {reason}"]


def test_all_wrong_names_are_listed() -> None:
    found = problems(units={"usaa": {"infantry": {"cost": 2}}, "uk": {"tank": {"cost": 2}}})
    assert any("units.usaa: unknown power 'usaa' (did you mean 'usa'?)" in problem for problem in found)
    assert any("units.uk.tank: unknown unit 'tank' (known: infantry," in problem for problem in found)


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ({"units": {"uk": {"infantry": {"cost": "three"}}}}, "units[...][...].cost"),
        ({"setup": [{"power": "uk", "unit": "infantry"}]}, "setup[0]"),
        ({"unit": {}}, "all"),
        ({"victory": {"capitals": {"axis": [2]}}}, "victory.capitals[...]"),
    ],
)
def test_wrong_form_names_the_field(raw: dict[str, Any], where: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_edits(raw)
    assert caught.value.problems[0].startswith(f"edits: {where}: ")


def test_setup_changes_and_moves(classic: World) -> None:
    world = edited(
        setup=[
            {"power": "uk", "space": "india", "unit": "infantry", "count": 3},
            {"power": "uk", "space": "india", "unit": "fighter", "count": -1},
            {"power": "usa", "unit": "infantry", "count": 2, "from": "sinkiang", "to": "china"},
            {"power": "japan", "space": "manchuria", "unit": "industrial-complex", "count": 1},
        ]
    )
    assert world.setup.units["uk"]["india"] == {"infantry": 5}
    assert world.setup.units["usa"]["china"]["infantry"] == 4
    assert "sinkiang" not in world.setup.units["usa"]
    assert world.original_complexes["manchuria"] == "japan"
    assert classic.setup.units["uk"]["india"] == {"infantry": 2, "fighter": 1}


def one(power: str, space: str, unit: str, count: int = 1) -> dict[str, object]:
    return {"power": power, "space": space, "unit": unit, "count": count}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (one("uk", "india", "battleship"), "battleships cannot stand on land"),
        (one("uk", "red-sea", "industrial-complex"), "industrial complexes cannot stand in a sea zone"),
        (one("uk", "red-sea", "infantry"), "no room on transports for all of 1 infantry"),
        (one("uk", "red-sea", "fighter"), "no deck for all of 1 fighter"),
        (one("usa", "hawaiian-sea", "fighter", 2), "no deck for all of 3 fighters"),
        (one("uk", "germany", "infantry"), "belongs to an enemy, Germany"),
        (one("uk", "turkey", "infantry"), "Turkey is neutral"),
        (
            one("japan", "japan", "industrial-complex"),
            "2 industrial complexes in Japan, where there is room for 1",
        ),
        (one("uk", "india", "infantry", -3), "uk has only 2 infantry in india"),
        (one("uk", "indai", "infantry"), "did you mean 'india'?"),
        (one("uk", "india", "infantry", 0), "changes nothing"),
        ({"power": "uk", "unit": "infantry", "count": 1, "from": "india"}, "expected either `space`"),
        (
            {"power": "uk", "unit": "infantry", "count": -1, "from": "india", "to": "persia"},
            "expected either",
        ),
    ],
)
def test_impossible_setups(change: dict[str, object], reason: str) -> None:
    assert any(reason in problem for problem in problems(setup=[change]))


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ([one("uk", "india", "infantry", 998)], "1,001 units in india, where at most 1,000 can be set up"),
        ([one("uk", "north-sea", "transport", 1_000_000)], "1,000,002 units in north-sea"),
        (
            [one("ussr", space, "infantry", 990) for space in ("russia", "caucasus", "kazakh-ssr", "novosibirsk")]
            + [one("uk", space, "infantry", 990) for space in ("india", "egypt", "eastern-canada", "australia")]
            + [one("usa", space, "infantry", 990) for space in ("alaska", "panama", "midway")],
            "units on the board, where at most 10,000 can be set up",
        ),
    ],
)
def test_too_many_units(setup: list[dict[str, object]], reason: str) -> None:
    (found,) = problems(setup=setup)
    assert found.startswith("edits: setup: ")
    assert reason in found


def test_the_largest_stack_is_still_allowed() -> None:
    assert edited(setup=[one("uk", "india", "infantry", 198)]).setup.units["uk"]["india"]["infantry"] == 200
    (found,) = problems(setup=[one("uk", "india", "infantry", 199)])
    assert found == "edits: setup.uk.india.infantry: expected at most 200 pieces, got 201"


def test_too_many_changes() -> None:
    assert problems(setup=[one("uk", "india", "infantry", 1)] * 1_001) == [
        "edits: setup: 1,001 changes, where at most 1,000 can be made"
    ]


@pytest.mark.parametrize(
    "raw",
    [
        {"setup": [one("uk", "india", "infantry", 16**5000)]},
        {"units": {"uk": {"infantry": {"cost": 16**5000}}}},
        {"victory": {"rounds": 16**5000}},
        {"victory": {"economy": {"axis": -(16**5000)}}},
    ],
)
def test_numbers_that_nobody_can_print(raw: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=r"edits: (setup|units|victory)"):
        parse_edits(raw)


@pytest.mark.rule("CL3-AIR-01")
def test_no_bomber_on_a_carrier() -> None:
    (found,) = problems(setup=[one("japan", "caroline-islands-sea", "bomber")])
    assert found.startswith("edits: setup.caroline-islands-sea: bombers cannot stand on a carrier")


def test_room_for_aa_guns_depends_on_the_option() -> None:
    second_gun = one("germany", "germany", "aa-gun")
    assert edited(setup=[second_gun]).setup.units["germany"]["germany"]["aa-gun"] == 2
    (found,) = problems({"several_aa_guns": False}, setup=[second_gun])
    assert "2 AA guns in Germany, where there is room for 1" in found


def test_cargo_and_decks_may_be_shared_by_allies() -> None:
    world = edited(
        setup=[
            one("usa", "north-sea", "infantry", 2),
            one("usa", "north-sea", "carrier"),
            one("uk", "north-sea", "fighter", 2),
        ]
    )
    assert world.setup.units["usa"]["north-sea"] == {"infantry": 2, "carrier": 1}


def test_other_victory_conditions() -> None:
    world = edited(
        victory={
            "capitals": {"axis": [1, ["russia", "united-kingdom"]]},
            "economy": {"allies": 110},
            "rounds": 6,
        }
    )
    capitals, economy, rounds = world.victory
    spaces = Places(spaces=("russia", "united-kingdom"))
    assert (capitals.winner, capitals.checked) == ("axis", "turn")
    assert capitals.when == Controls(who="axis", places=spaces, at_least=1)
    assert (economy.winner, economy.checked) == ("allies", "round")
    assert economy.when == Production(who="allies", at_least=110)
    assert (rounds.winner, rounds.when) == ("nobody", FromRound(number=6))
    assert edited(victory={"none": True}).victory == ()


@pytest.mark.parametrize(
    ("victory", "reason"),
    [
        ({}, "names no condition"),
        ({"none": True, "rounds": 3}, "has no conditions beside it"),
        ({"rounds": 0}, "expected a round from 1 to 10,000, got 0"),
        ({"economy": {"axis": 0}}, "expected a level from 1 to 100,000, got 0"),
        ({"rounds": 10_001}, "expected a round from 1 to 10,000, got 10001"),
        ({"economy": {"axis": 100_001}}, "expected a level from 1 to 100,000, got 100001"),
        ({"economy": {"neutrals": 5}}, "unknown side 'neutrals' (known: allies, axis)"),
        ({"capitals": {"axis": [2, ["russia"]]}}, "2 of 1 capitals make no sense"),
        ({"capitals": {"axis": [2, ["russia", "russia"]]}}, "stands there twice"),
        ({"capitals": {"axis": [1, ["red-sea"]]}}, "unknown land territory 'red-sea'"),
    ],
)
def test_impossible_victory_conditions(victory: dict[str, object], reason: str) -> None:
    assert any(reason in problem for problem in problems(victory=victory))
