"""Nothing on the map covers anything else."""

from __future__ import annotations

from itertools import combinations

import pytest
from starting_positions import starting_position

from sandtable import maps
from sandtable.maps import MapAsset, Position, Stack
from sandtable.maps.layout import UNIT_ORDER, Layout, ordered
from sandtable.maps.naming import breaks, sea_name
from sandtable.maps.view import Box, Crop

BOARDS = maps.boards()
EUROPE = (780.0, 20.0, 1480.0, 620.0)


def overlaps(layout: Layout) -> list[tuple[str, str]]:
    """Pairs of names, badges and pieces that cover each other by more than a hair."""
    boxes = [(space, box.grown(-0.3)) for space, box in layout.boxes()]
    return [(a, b) for (a, first), (b, second) in combinations(boxes, 2) if first.overlaps(second)]


@pytest.mark.parametrize(
    ("board", "width"), [*((board, 2400) for board in BOARDS), ("classic", 1600), ("classic", 4800)]
)
def test_nothing_overlaps_in_the_starting_position(board: str, width: int) -> None:
    assert overlaps(maps.layout_of(maps.load(board), starting_position(board), width=width)) == []


@pytest.mark.parametrize("crop", [EUROPE, (1580.0, 250.0, 2400.0, 1100.0), ["japan", "okinawa", "kwangtung"]])
def test_nothing_overlaps_in_a_crop(classic: MapAsset, spring: Position, crop: Crop) -> None:
    layout = maps.layout_of(classic, spring, width=1600, crop=crop)
    assert layout.pieces
    assert overlaps(layout) == []


@pytest.mark.parametrize("board", BOARDS)
def test_every_name_unit_and_owner_is_shown(board: str) -> None:
    position = starting_position(board)
    asset = maps.load(board)
    layout = maps.layout_of(asset, position)
    assert {name.space for name in layout.names} == set(asset.spaces)
    shown = sum(piece.stack.count + piece.more for piece in layout.pieces)
    assert shown == sum(stack.count for stacks in position.units.values() for stack in stacks)
    with_emblem = {badge.space for badge in layout.badges if badge.emblem}
    assert with_emblem == {
        name for name, owner in position.owner.items() if owner in position.powers or owner == "dutch"
    }


def test_a_stack_that_is_not_the_owners_carries_its_emblem(classic: MapAsset) -> None:
    units = {
        "ukraine-ssr": [Stack("ussr", "infantry", 2), Stack("germany", "armor")],
        "black-sea": [Stack("uk", "carrier")],
    }
    layout = maps.layout_of(classic, Position(owner={"ukraine-ssr": "germany"}, units=units))
    foreign = {(piece.space, piece.stack.power): piece.foreign for piece in layout.pieces}
    assert foreign == {("ukraine-ssr", "ussr"): True, ("ukraine-ssr", "germany"): False, ("black-sea", "uk"): True}


def test_a_crowd_shrinks_and_counts_what_finds_no_room(classic: MapAsset, spring: Position) -> None:
    powers = list(spring.powers)
    crowd = [Stack(power, unit, 12) for power in powers for unit in UNIT_ORDER]
    units = dict.fromkeys(("germany", "switzerland", "black-sea", "midway", "japan", "caspian-sea"), crowd)
    position = Position(names=spring.names, owner=spring.owner, ipc=spring.ipc, units=units, powers=spring.powers)
    layout = maps.layout_of(classic, position)
    assert overlaps(layout) == []
    for name in units:
        pieces = [piece for piece in layout.pieces if piece.space == name]
        assert sum(piece.stack.count + piece.more for piece in pieces) == 12 * len(crowd), name


def test_text_and_pieces_get_larger_when_zoomed_in(classic: MapAsset, spring: Position) -> None:
    whole = maps.layout_of(classic, spring, width=1600)
    close = maps.layout_of(classic, spring, width=1600, crop=EUROPE)

    def sizes(layout: Layout) -> tuple[float, float]:
        name = next(name.size for name in layout.names if name.space == "germany")
        return name, next(piece.width for piece in layout.pieces if piece.space == "germany")

    assert all(after > 1.6 * before for before, after in zip(sizes(whole), sizes(close), strict=True))


def test_parts_can_be_left_out(classic: MapAsset, spring: Position) -> None:
    layout = maps.layout_of(classic, spring, names=False, values=False, units=False)
    assert list(layout.boxes()) == []


def test_order_of_stacks() -> None:
    stacks = [Stack("uk", "fighter"), Stack("usa", "armor"), Stack("uk", "infantry"), Stack("uk", "bomber", 0)]
    assert [(s.power, s.unit) for s in ordered(stacks, "usa", ["uk", "usa"])] == [
        ("usa", "armor"),
        ("uk", "infantry"),
        ("uk", "fighter"),
    ]


def test_names_break_at_spaces_hyphens_and_strokes() -> None:
    assert ("FINLAND-", "NORWAY") in set(breaks("FINLAND-NORWAY"))
    assert ("UNION OF", "SOUTH", "AFRICA") in set(breaks("UNION OF SOUTH AFRICA"))
    assert ("BULGARIA/", "ROMANIA") in set(breaks("BULGARIA/ROMANIA"))
    assert list(breaks("EIRE")) == [("EIRE",)]


def test_short_names_of_sea_zones() -> None:
    assert sea_name("Alaska Sea Zone") == "Alaska"
    assert sea_name("Sea Zone 12") == "12"
    assert sea_name("Red Sea") == "Red Sea"


def test_boxes() -> None:
    box = Box.around(10, 10, 4, 2)
    assert (box.x0, box.y0, box.x1, box.y1) == (8, 9, 12, 11)
    assert box.overlaps(Box(11, 10, 20, 20))
    assert not box.overlaps(Box(12, 9, 14, 11))
