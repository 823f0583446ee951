"""Arcs, outlines, ground and lettering in small."""

from __future__ import annotations

import pytest

from sandtable.maps import lettering
from sandtable.maps.asset import Label, MapAsset, Point, Space
from sandtable.maps.ground import NOBODY, Ground
from sandtable.maps.paths import Paths
from sandtable.maps.svg import number, tag
from sandtable.maps.view import Box, View, crop_box


def square_map() -> MapAsset:
    """A square island of 40 in a sea of 100 by 100."""

    def space(kind: str, rings: list[list[list[int]]], x: float, y: float) -> Space:
        return Space(kind, rings, Label(x, y, 30, 10), Point(x, y))

    island = [300, 300, 400, 0, 0, 400, -400, 0, 0, -400]
    frame = [0, 0, 1000, 0, 0, 1000, -1000, 0, 0, -1000]
    spaces = {"island": space("land", [[[0]]], 50, 50), "water": space("sea", [[[1], [~0]]], 50, 10)}
    return MapAsset("square", 1, 100, 100, 0.1, [island, frame], spaces, coast=[0])


def test_arcs_are_read_in_both_directions() -> None:
    paths = Paths(square_map())
    assert paths.arc(0) == [(600, 600), (1400, 600), (1400, 1400), (600, 1400), (600, 600)]
    assert paths.arc(~0) == paths.arc(0)[::-1]
    assert paths.ring_points([0]) == [(30, 30), (70, 30), (70, 70), (30, 70)]


def test_curves_run_through_midpoints_but_the_frame_keeps_its_corners() -> None:
    paths = Paths(square_map())
    assert paths.rings([[[0]]]) == "M600 600q800 0 800 400q0 400-400 400q-400 0-400-800z"
    assert "q" not in paths.rings([[[1]]])


def test_what_is_far_away_is_left_out() -> None:
    paths = Paths(square_map())
    assert paths.lines([0], (0, 0, 20, 20)) == ""
    assert paths.rings([[[0]]], (0, 0, 20, 20)) == ""
    assert paths.lines([0], (0, 0, 35, 35)) != ""


def test_ground_knows_land_water_and_holes() -> None:
    asset = square_map()
    ground = Ground(asset, Paths(asset))
    land, water = ground.number["island"], ground.number["water"]
    assert (ground.at(50, 50), ground.at(10, 10), ground.at(-5, 50)) == (land, water, NOBODY)
    assert ground.area["island"] == pytest.approx(1600, rel=0.05)
    assert ground.under(Box(25, 25, 50, 50)) == {land, water}
    assert ground.sea == {water}


def test_pixels_and_units() -> None:
    view = View(Box(10, 20, 60, 70), 4, 100, 200)
    assert view.pixel(10, 20) == (100, 200)
    assert view.unit(*view.pixel(33, 44)) == pytest.approx((33, 44))
    assert view.window == Box(100, 200, 300, 400)


def test_a_crop_around_spaces_stays_on_the_map() -> None:
    asset = square_map()
    paths = Paths(asset)
    box = crop_box(asset, paths, ["island"])
    assert box.contains(Box(30, 30, 70, 70))
    assert crop_box(asset, paths, ["water"]) == Box(0, 0, 100, 100)


def test_text_is_measured_from_the_font() -> None:
    narrow, wide = (lettering.width(text, lettering.LAND, 10) for text in ("iii", "WWW"))
    assert 0 < narrow < wide
    assert lettering.width("WWW", lettering.LAND, 20) == pytest.approx(2 * wide)
    assert lettering.width("WWW", lettering.LAND, 10, 0.1) == pytest.approx(wide + 3)
    assert lettering.width("\N{SNOWMAN}", lettering.SEA, 10) > 0


def test_numbers_are_short() -> None:
    assert [number(v) for v in (1.0, 1.5, -0.001, 100, 0.126)] == ["1", "1.5", "0", "100", "0.13"]
    assert number(100, 0) == "100"


def test_elements_escape_their_attributes() -> None:
    assert tag("a", stroke_width=1.0, class_='"<', x=None) == '<a stroke-width="1" class="&quot;&lt;"/>'
    assert tag("g", "<b/>") == "<g><b/></g>"
