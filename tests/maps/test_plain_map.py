"""Maps of boards that nobody has drawn."""

from __future__ import annotations

import msgspec
import pytest

from sandtable import maps
from sandtable.archive.picture import board_name, drawn_board, map_of, position_of
from sandtable.engine.start import starting_state
from sandtable.maps.asset import MapAsset, decode
from sandtable.maps.paths import Paths
from sandtable.maps.plain import Tile, plain_map
from sandtable.world.bundle import Bundle
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.library import meet
from sandtable.world.load import data_folder
from support.scratch import scratch_world


def outline(asset: MapAsset, space: str) -> tuple[float, float, float, float]:
    points = Paths(asset).ring_points(asset.spaces[space].rings[0][0])
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


@pytest.fixture
def asset() -> MapAsset:
    return map_of(scratch_world())


def test_every_space_has_a_tile_and_no_two_touch(asset: MapAsset) -> None:
    world = scratch_world()
    assert asset.spaces.keys() == world.spaces.keys()
    boxes = {space: outline(asset, space) for space in asset.spaces}
    for one, (x0, y0, x1, y1) in boxes.items():
        assert x0 > 0
        assert y0 > 0
        assert x1 < asset.width
        assert y1 < asset.height
        for other, (a0, b0, a1, b1) in boxes.items():
            assert one == other or x1 < a0 or a1 < x0 or y1 < b0 or b1 < y0, f"{one} touches {other}"


def test_every_border_is_a_line(asset: MapAsset) -> None:
    world = scratch_world()
    assert len(asset.rivers) == sum(map(len, world.neighbours.values())) / 2


def test_marks_stand_inside(asset: MapAsset) -> None:
    for name, space in asset.spaces.items():
        x0, y0, x1, y1 = outline(asset, name)
        for mark in (*space.slots, *(m for m in (space.badge, space.emblem) if m is not None)):
            assert x0 < mark.x - mark.r
            assert mark.x + mark.r < x1
            assert y0 < mark.y - mark.r
            assert mark.y + mark.r < y1
        assert len(space.slots) >= 6


def test_it_is_an_asset_like_others_and_can_be_drawn(asset: MapAsset) -> None:
    world = scratch_world()
    assert decode(msgspec.json.encode(asset)) == asset
    svg = maps.draw_svg(asset, position_of(world, starting_state(world)), width=900)
    for space in world.spaces.values():
        assert space.name.split()[-1].upper() in svg.upper()
    assert svg == maps.draw_svg(map_of(scratch_world()), position_of(world, starting_state(world)), width=900)


def test_strange_powers_have_colours_of_their_own() -> None:
    palette = maps.PALETTES["default"].with_tones_for({"red": "red", "blue": "dark blue", "usa": "green", "x": ""})
    tones = [palette.tone(power).fill for power in ("red", "blue", "usa", "x")]
    assert len(set(tones)) == 4
    assert palette.neutral.fill not in tones
    assert palette.tone("usa") == maps.PALETTES["default"].tone("usa")


def test_places_on_the_globe_are_kept() -> None:
    tiles = [Tile("a", "A", False, lat=50, lon=-60), Tile("b", "B", False, lat=-40, lon=60)]
    found = plain_map("two", tiles, [("a", "b")])
    a, b = found.spaces["a"].anchor, found.spaces["b"].anchor
    assert a.x < b.x
    assert a.y < b.y


def test_a_large_board_without_places_is_drawn_in_time() -> None:
    tiles = [Tile(f"s{i}", f"Space {i}", i % 3 == 0) for i in range(400)]
    borders = [(f"s{i}", f"s{i + 1}") for i in range(399)] + [(f"s{i}", f"s{i + 20}") for i in range(380)]
    found = plain_map("large", tiles, borders)
    assert len({(s.anchor.x, s.anchor.y) for s in found.spaces.values()}) == 400


def test_a_board_of_ours_under_another_edition_has_its_drawn_map() -> None:
    folder = data_folder() / "classic"
    files = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".yaml")}
    files["edition.yaml"] = files["edition.yaml"].replace("id: classic", "id: mine")
    world = compile_edition(meet(Bundle(files)), "classic-1942")
    assert drawn_board(world) == board_name(world) == "classic"
    assert board_name(compile_world("classic-1942")) == "classic"
    assert str(board_name(scratch_world())).startswith("plain@")
