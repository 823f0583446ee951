"""The picture as a file: well formed, described, deterministic, and the same as PNG."""

from __future__ import annotations

import importlib
import re
import struct
from typing import Any
from xml.etree import ElementTree

import pytest
from starting_positions import starting_position

from sandtable import maps
from sandtable.errors import DataError, SandtableError
from sandtable.maps import PALETTES, MapAsset, Position, Stack
from sandtable.maps.asset import decode
from sandtable.maps.view import Crop

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("board", "palette"),
    [*((board, "default") for board in maps.boards()), *(("classic", palette) for palette in list(PALETTES)[1:])],
)
def test_every_board_and_every_palette_is_drawn(board: str, palette: str) -> None:
    text = maps.draw_svg(maps.load(board), starting_position(board), palette=palette, title="The start")
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title").text == "The start"  # type: ignore[union-attr]
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert "sea zones" in (description.text or "")
    assert root.attrib["role"] == "img"
    used = {element.attrib["href"][1:] for element in root.iter(f"{SVG}use")}
    assert used <= {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    assert not re.search(r"[\" ,](nan|inf)\b", text)


def test_ids_are_unique(classic: MapAsset, spring: Position) -> None:
    root = ElementTree.fromstring(maps.draw_svg(classic, spring, palette="colour-blind"))
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))


def test_the_same_position_gives_the_same_text(classic: MapAsset, spring: Position) -> None:
    assert maps.draw_svg(classic, spring) == maps.draw_svg(decode(_asset_bytes()), starting_position("classic"))


def test_names_are_escaped(classic: MapAsset) -> None:
    nasty = 'A<b>&"c"'
    position = Position(
        names={"germany": nasty, "black-sea": nasty},
        owner={"germany": "a&b"},
        cities={"germany": nasty},
        units={"germany": [Stack("a&b", "<x>")]},
        powers={"a&b": nasty},
        unit_names={"<x>": nasty},
    )
    root = ElementTree.fromstring(maps.draw_svg(classic, position, title=nasty))
    words = "".join(root.itertext())
    assert nasty in words


def test_an_empty_position_is_a_bare_map(classic: MapAsset) -> None:
    root = ElementTree.fromstring(maps.draw_svg(classic, Position()))
    assert "GERMANY" in "".join(root.itertext())


def test_fonts_are_inside_unless_they_are_not_wanted(classic: MapAsset, spring: Position) -> None:
    assert "@font-face" in maps.draw_svg(classic, spring)
    assert "@font-face" not in maps.draw_svg(classic, spring, embed_fonts=False)


@pytest.mark.parametrize("crop", [["germany", "eastern-europe"], (900.0, 100.0, 1300.0, 500.0)])
def test_a_crop_is_smaller_and_shows_only_its_part(classic: MapAsset, spring: Position, crop: Crop) -> None:
    whole, part = maps.draw_svg(classic, spring), maps.draw_svg(classic, spring, crop=crop)
    assert len(part) < 0.7 * len(whole)
    assert "EASTERN" in part
    assert "AUSTRALIA" not in part


def test_wrong_wishes_get_a_sentence(classic: MapAsset, spring: Position) -> None:
    with pytest.raises(SandtableError, match="no palette 'pink'"):
        maps.draw_svg(classic, spring, palette="pink")
    with pytest.raises(SandtableError, match="no space atlantis"):
        maps.draw_svg(classic, spring, crop=["atlantis"])
    with pytest.raises(SandtableError, match="outside the map"):
        maps.draw_svg(classic, spring, crop=(9000.0, 0.0, 9100.0, 100.0))
    with pytest.raises(SandtableError, match="four numbers"):
        maps.draw_svg(classic, spring, crop=(1.0, 2.0, 3.0))  # type: ignore[arg-type]
    with pytest.raises(SandtableError, match="names no space"):
        maps.draw_svg(classic, spring, crop=[])
    with pytest.raises(SandtableError, match="200 is the least"):
        maps.draw_svg(classic, spring, width=20)
    with pytest.raises(DataError, match="no map of the board 'chess'"):
        maps.load("chess")
    with pytest.raises(DataError, match="map asset"):
        decode(b"{}")


def test_png(classic: MapAsset, spring: Position) -> None:
    picture = maps.png(maps.draw_svg(classic, spring, crop=["germany"]), 600)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">I", picture[16:20]) == (600,)


def test_png_without_the_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(SandtableError, match=r"sandtable\[png\]"):
        maps.png("<svg/>", 100)


def _asset_bytes() -> bytes:
    from importlib import resources

    return resources.files("sandtable.maps").joinpath("assets", "classic.json").read_bytes()
