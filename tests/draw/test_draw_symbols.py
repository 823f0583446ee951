"""Every unit and every power has its own picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from starting_positions import SCENARIOS, read

from sandtable.maps import symbols
from sandtable.maps.layout import UNIT_ORDER
from sandtable.maps.palette import PALETTES
from sandtable.maps.position import NEUTRAL

POWERS = ("ussr", "germany", "uk", "japan", "usa", "italy", "china", "anzac", "france", "dutch", "neutral")


def units_of(board: str) -> set[str]:
    return set(read(board, "units.yaml")["units"])


@pytest.mark.parametrize("board", SCENARIOS)
def test_every_unit_of_a_board_has_a_silhouette_and_a_rank(board: str) -> None:
    assert units_of(board) <= set(symbols.unit_ids())
    assert units_of(board) <= set(UNIT_ORDER)


@pytest.mark.parametrize("board", SCENARIOS)
def test_every_power_of_a_board_has_an_emblem_and_colours(board: str) -> None:
    powers = set(read(board, "powers.yaml")["powers"])
    assert powers <= set(symbols.emblem_ids())
    for palette in PALETTES.values():
        assert powers - set(NEUTRAL) <= set(palette.powers), "armies of no power have the colour of their land"


def test_silhouettes_are_one_path_each_and_all_different() -> None:
    paths = {}
    for name in symbols.unit_ids():
        shapes = ElementTree.fromstring(f"<g>{symbols.unit(name)}</g>")
        assert [shape.tag for shape in shapes] == ["path"], name
        assert "fill" not in shapes[0].attrib, f"{name} must take its colour from its power"
        paths[name] = shapes[0].attrib["d"]
    assert len(set(paths.values())) == len(paths)


def test_emblems_differ_in_shape_even_without_colour() -> None:
    bare = {name: re.sub(r'(fill|stroke)="#[0-9a-f]{6}"', "", symbols.emblem(name)) for name in POWERS}
    assert len(set(bare.values())) == len(bare)


def test_what_has_no_picture_gets_a_plain_one() -> None:
    assert symbols.emblem("atlantis") == symbols.emblem("generic")
    assert symbols.unit("zeppelin") == symbols.unit("infantry")
