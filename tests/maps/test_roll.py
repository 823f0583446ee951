"""A round world is turned without losing anything."""

from __future__ import annotations

import pytest

from sandtable import maps
from sandtable.archive.picture import position_of
from sandtable.engine.start import starting_state
from sandtable.errors import SandtableError
from sandtable.maps.draw import layout_of
from sandtable.maps.ground import Ground
from sandtable.maps.paths import Paths
from sandtable.maps.roll import centred, edge_borders, gathered, rolled
from sandtable.world.compile import compile_world

BOARDS = {"classic": "classic-1942", "anniversary": "anniversary-1941", "global1940": "global-1940"}


@pytest.mark.parametrize("board", BOARDS)
def test_every_space_keeps_its_ground(board: str) -> None:
    asset = maps.load(board)
    turned = centred(asset, "hawaiian-islands")
    before, after = Ground(asset, Paths(asset)), Ground(turned, Paths(turned))
    for name in asset.spaces:
        assert after.area[name] == pytest.approx(before.area[name], rel=0.06, abs=60), name
        anchor = turned.spaces[name].anchor
        assert 0 <= anchor.x <= asset.width
    assert turned.spaces["hawaiian-islands"].anchor.x == pytest.approx(asset.width / 2, abs=1)


def test_hawaii_and_the_western_coast_are_neighbours_to_the_eye() -> None:
    asset = maps.load("classic")

    def apart(turned: maps.MapAsset) -> float:
        return turned.spaces["western-usa"].anchor.x - turned.spaces["hawaiian-islands"].anchor.x

    assert apart(asset) < -asset.width / 2
    assert 0 < apart(centred(asset, "hawaiian-islands")) < asset.width / 3
    assert 0 < apart(gathered(asset, ["hawaiian-islands", "western-usa"])) < asset.width / 3


def test_spaces_on_one_side_are_not_turned() -> None:
    asset = maps.load("classic")
    assert gathered(asset, ["germany", "russia"]) is asset
    assert rolled(asset, 0) is asset
    assert rolled(asset, asset.width) is asset


def test_zones_that_meet_over_the_edge_have_a_border_there() -> None:
    asset = maps.load("classic")
    borders = edge_borders(asset)
    assert borders
    assert all(top < bottom for top, bottom in borders)
    turned = rolled(asset, asset.width / 2)
    assert len(turned.borders_sea) > len(asset.borders_sea)


@pytest.mark.parametrize("board", BOARDS)
def test_the_turned_picture_shows_every_piece(board: str) -> None:
    world = compile_world(BOARDS[board])
    position = position_of(world, starting_state(world))
    asset = maps.load(board)
    layout = layout_of(asset, position, centre="hawaiian-islands")
    usual = layout_of(asset, position)
    assert len(layout.pieces) >= 0.97 * len(usual.pieces)


def test_what_cannot_be_turned_says_so() -> None:
    asset = maps.load("classic")
    with pytest.raises(SandtableError, match="has no space atlantis"):
        centred(asset, "atlantis")
