"""Facts about the Classic board that the rules state."""

from __future__ import annotations

import pytest

from sandtable.world.model import World


def adjacent(world: World, a: str, b: str) -> bool:
    assert (b in world.neighbours[a]) == (a in world.neighbours[b])
    return b in world.neighbours[a]


@pytest.mark.rule("CL-MAP-01")
def test_every_space_is_land_or_sea(classic: World) -> None:
    assert {space.kind for space in classic.spaces.values()} == {"land", "sea"}
    assert len(classic.spaces) == 128
    assert sum(space.is_land for space in classic.spaces.values()) == 70
    assert not any(space.is_land and space.is_sea for space in classic.spaces.values())


@pytest.mark.rule("CL-MAP-02")
def test_common_border(classic: World) -> None:
    assert adjacent(classic, "ukraine-ssr", "caucasus")
    assert not adjacent(classic, "caucasus", "eastern-europe")


@pytest.mark.rule("CL-MAP-03")
def test_end_of_a_line_is_no_border(classic: World) -> None:
    assert adjacent(classic, "gibraltar", "western-mediterranean-sea")
    assert adjacent(classic, "algeria", "western-mediterranean-sea")
    assert not adjacent(classic, "libya", "western-mediterranean-sea")


@pytest.mark.rule("CL-MAP-04")
@pytest.mark.parametrize(
    ("west", "east"),
    [("western-canada", "eastern-canada"), ("western-usa", "eastern-usa"), ("mexico", "panama")],
)
def test_land_wraps(classic: World, west: str, east: str) -> None:
    assert adjacent(classic, west, east)
    assert tuple(sorted((west, east))) in {tuple(sorted(pair)) for pair in classic.wraparound}


@pytest.mark.rule("CL-MAP-05")
def test_sea_wraps(classic: World) -> None:
    seas = [pair for pair in classic.wraparound if all(classic.spaces[space].is_sea for space in pair)]
    assert len(seas) == 6
    assert ("new-zealand-sea", "peru-sea") in seas
    for a, b in seas:
        assert b in classic.sea[a]


@pytest.mark.rule("CL-MAP-06")
def test_top_and_bottom_do_not_touch(classic: World) -> None:
    for space, others in classic.neighbours.items():
        for other in others:
            assert abs(classic.spaces[space].lat - classic.spaces[other].lat) < 60


@pytest.mark.rule("CL-MAP-07")
def test_income_values(classic: World) -> None:
    assert classic.spaces["anglo-egypt-sudan"].ipc == 2
    assert classic.spaces["sinkiang"].ipc == 2
    values = [space.ipc for space in classic.spaces.values() if space.ipc]
    assert min(values) == 1
    assert max(values) == 12


@pytest.mark.rule("CL-MAP-08")
@pytest.mark.parametrize("space", ["gibraltar", "solomon-islands"])
def test_owned_without_value(classic: World, space: str) -> None:
    assert classic.spaces[space].owner is not None
    assert classic.spaces[space].ipc == 0


@pytest.mark.rule("CL-MAP-09")
def test_neutrals(classic: World) -> None:
    neutral = {space.id for space in classic.spaces.values() if space.is_land and space.owner is None}
    assert {"turkey", "mongolia"} <= neutral
    for space in neutral:
        assert classic.spaces[space].ipc == 0
        assert not any(space in places for places in classic.setup.units.values())


@pytest.mark.rule("CL-MAP-10")
def test_islands_lie_in_one_zone(classic: World) -> None:
    assert classic.neighbours["midway"] == ("midway-sea",)
    assert classic.land["midway"] == ()
    for space in classic.spaces.values():
        if space.island:
            assert len(classic.neighbours[space.id]) == 1
            assert classic.spaces[classic.neighbours[space.id][0]].is_sea


@pytest.mark.rule("CL-MAP-11")
def test_an_island_group_is_one_space(classic: World) -> None:
    assert [name for name in classic.spaces if "solomon" in name] == [
        "solomon-islands",
        "solomon-islands-sea",
    ]


@pytest.mark.rule("CL-MAP-12")
def test_ashore_and_offshore_are_two_spaces(classic: World) -> None:
    assert classic.spaces["midway"].is_land
    assert classic.spaces["midway-sea"].is_sea
    assert not any("box" in name for name in classic.spaces)


@pytest.mark.rule("CL-MAP-13")
def test_panama_is_one_territory(classic: World) -> None:
    lands = [space.id for space in classic.spaces.values() if space.is_land and "panama" in space.id]
    assert lands == ["panama"]
    assert adjacent(classic, "mexico", "panama")
    assert adjacent(classic, "panama", "venezuela-colombia")


@pytest.mark.rule("CL-MAP-14")
def test_panama_has_two_sea_zones(classic: World) -> None:
    assert classic.sea["panama"] == ("caribbean-sea", "west-panama-sea")
    assert adjacent(classic, "caribbean-sea", "west-panama-sea")
    assert classic.canals["caribbean-sea", "west-panama-sea"].banks == ("panama",)


@pytest.mark.rule("CL-MAP-19")
def test_canals_know_their_banks(classic: World) -> None:
    suez = classic.canals["red-sea", "eastern-mediterranean-sea"]
    assert suez is classic.canals["eastern-mediterranean-sea", "red-sea"]
    assert suez.banks == ("anglo-egypt-sudan", "syria-iraq")
    assert adjacent(classic, *suez.banks)


@pytest.mark.rule("CL-MAP-20")
def test_karelia_has_two_coasts(classic: World) -> None:
    assert classic.sea["karelia-ssr"] == ("baltic-sea", "karelia-sea")


@pytest.mark.rule("CL-MAP-21", "CL-MAP-22", "CL-MAP-23")
@pytest.mark.parametrize(
    ("a", "b"), [("finland-norway", "eastern-europe"), ("gibraltar", "algeria"), ("eastern-europe", "turkey")]
)
def test_no_way_by_land(classic: World, a: str, b: str) -> None:
    assert not adjacent(classic, a, b)


@pytest.mark.rule("CL-MAP-24")
def test_one_zone_south_of_australia(classic: World) -> None:
    australia = classic.spaces["australia"]
    south = [zone for zone in classic.sea["australia"] if classic.spaces[zone].lat < australia.lat - 8]
    assert south == ["south-australia-sea"]


@pytest.mark.rule("CL-MAP-25")
def test_only_two_passages_are_gated(classic: World) -> None:
    assert {canal.id for canal in classic.canals.values()} == {"panama-canal", "suez-canal"}
    assert adjacent(classic, "black-sea", "central-mediterranean-sea")
    assert adjacent(classic, "baltic-sea", "north-sea")


@pytest.mark.rule("CL-MAP-26")
@pytest.mark.parametrize(
    ("zone", "land"),
    [
        ("japan-sea", "manchuria"),
        ("japan-sea", "japan"),
        ("north-sea", "finland-norway"),
        ("north-sea", "western-europe"),
        ("black-sea", "caucasus"),
        ("central-mediterranean-sea", "southern-europe"),
    ],
)
def test_coasts_of_the_examples(classic: World, zone: str, land: str) -> None:
    assert adjacent(classic, zone, land)


@pytest.mark.rule("CL-MAP-27", "CL3-MAP-01")
def test_western_canada_and_the_atlantic(classic: World, second_edition: World) -> None:
    assert not adjacent(classic, "western-canada", "eastern-canada-sea")
    assert adjacent(second_edition, "western-canada", "eastern-canada-sea")
    assert "western-canada" in second_edition.land["eastern-canada-sea"]
    assert "eastern-canada-sea" in second_edition.sea["western-canada"]


def test_inland_sea(classic: World) -> None:
    assert classic.spaces["caspian-sea"].inland
    assert classic.sea["caspian-sea"] == ()
