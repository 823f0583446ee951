"""The proof of the maps: what is drawn is exactly what the rules say.

Everything here is read from the shipped assets and from the engine's boards; the compiler is asked only for the
projection, to find where a board's reference points lie on the map, and for the authored list of exceptions.
"""

from __future__ import annotations

import gzip
import json
import math
from collections import defaultdict
from functools import cache
from importlib import resources
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
import shapely
import yaml
from board_facts import Facts, Pair, board_facts
from tools.maps import projection

BOARDS = ["classic", "anniversary", "global1940"]
SPACES = {"classic": 128, "anniversary": 162, "global1940": 333}
AUTHORED = Path(__file__).parents[2] / "tools" / "maps" / "boards"
TOLERANCE = 0.11  # coordinates are rounded to a tenth of a map unit

Point = tuple[float, float]


class Drawn:
    """A shipped asset with its arcs decoded."""

    def __init__(self, board: str) -> None:
        self.board = board
        self.text = resources.files("sandtable.maps").joinpath("assets", f"{board}.json").read_bytes()
        self.data: dict[str, Any] = json.loads(self.text)
        self.curves = [self._curve(arc) for arc in self.data["arcs"]]
        self.spaces: dict[str, Any] = self.data["spaces"]
        self.shapes = {name: self._shape(space["rings"]) for name, space in self.spaces.items()}
        self.scenery = [self._shape(entry["rings"]) for entry in self.data["scenery"]]
        self.authored = yaml.safe_load((AUTHORED / f"{board}.yaml").read_text(encoding="utf-8"))
        self.exceptions: dict[str, Any] = self.authored["exceptions"]

    def _curve(self, arc: list[int]) -> list[Point]:
        x = y = 0
        points = []
        for dx, dy in zip(arc[::2], arc[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append((round(x * self.data["scale"], 6), round(y * self.data["scale"], 6)))
        return points

    def _ring(self, references: list[int]) -> list[Point]:
        points: list[Point] = []
        for reference in references:
            curve = self.curves[reference] if reference >= 0 else self.curves[~reference][::-1]
            assert not points or points[-1] == curve[0], "arcs of a ring join"
            points += curve if not points else curve[1:]
        assert points[0] == points[-1], "rings are closed"
        return points

    def _shape(self, rings: list[list[list[int]]]) -> Any:
        return shapely.MultiPolygon(
            [shapely.Polygon(self._ring(p[0]), [self._ring(hole) for hole in p[1:]]) for p in rings]
        )

    def borders(self, across: bool = True) -> dict[Pair, float]:
        """Length of the common border of every two spaces, `across` the left and right edge too."""
        users: dict[int, set[str]] = defaultdict(set)
        for name, space in self.spaces.items():
            for polygon in space["rings"]:
                for ring in polygon:
                    for reference in ring:
                        users[reference if reference >= 0 else ~reference].add(name)
        lengths: dict[Pair, float] = defaultdict(float)
        edge: dict[float, list[tuple[float, float, str]]] = {0.0: [], self.data["width"]: []}
        for index, names in users.items():
            curve = self.curves[index]
            assert len(names) <= 2
            if len(names) == 2:
                lengths[frozenset(names)] += sum(map(math.dist, curve, curve[1:]))
                continue
            for (x0, y0), (x1, y1) in pairwise(curve):
                if x0 == x1 and x0 in edge:
                    edge[x0] += [(min(y0, y1), max(y0, y1), name) for name in names]
        for y0, y1, one in edge[0.0] if across else ():
            for z0, z1, other in edge[self.data["width"]]:
                if one != other and min(y1, z1) > max(y0, z0):
                    lengths[frozenset((one, other))] += min(y1, z1) - max(y0, z0)
        return lengths


@cache
def drawn(board: str) -> Drawn:
    return Drawn(board)


@cache
def facts(board: str) -> Facts:
    return board_facts(board)


def linked(map_: Drawn) -> set[Pair]:
    """Pairs that are adjacent without a border: canals and the like, each with its reason."""
    return {frozenset(entry["pair"]) for entry in map_.exceptions["links"]}


@pytest.mark.parametrize("board", BOARDS)
def test_the_map_has_the_board_s_spaces_and_no_others(board: str) -> None:
    map_, board_ = drawn(board), facts(board)
    assert len(map_.spaces) == SPACES[board]
    assert {name: space["kind"] for name, space in map_.spaces.items()} == board_.kind


@pytest.mark.parametrize("board", BOARDS)
def test_every_adjacent_pair_shares_a_drawn_border(board: str) -> None:
    map_ = drawn(board)
    lengths = map_.borders()
    missing = {
        tuple(sorted(pair)): round(lengths.get(pair, 0.0), 1)
        for pair in facts(board).pairs - linked(map_)
        if lengths.get(pair, 0.0) < map_.data["threshold"]
    }
    assert not missing


@pytest.mark.parametrize("board", BOARDS)
def test_no_other_pair_shares_a_drawn_border(board: str) -> None:
    map_ = drawn(board)
    allowed = facts(board).pairs - linked(map_)
    false = {
        tuple(sorted(pair)): round(length, 1)
        for pair, length in map_.borders().items()
        if pair not in allowed and length >= map_.data["threshold"]
    }
    assert not false


@pytest.mark.parametrize("board", BOARDS)
def test_exceptions_have_a_reason_and_are_about_adjacent_pairs(board: str) -> None:
    map_, pairs = drawn(board), facts(board).pairs
    assert all(entry["reason"] for entry in map_.exceptions["links"])
    assert linked(map_) <= pairs
    shipped = {frozenset((link["a"], link["b"])) for link in map_.data["links"] if not link.get("edition")}
    wraps = {frozenset(pair) for pair in map_.exceptions["wrap"]["pairs"]}
    assert shipped == linked(map_) | wraps
    assert all(link["reason"] for link in map_.data["links"])
    for entry in map_.exceptions.get("editions", ()):
        assert frozenset(entry["pair"]) not in pairs


@pytest.mark.parametrize("board", BOARDS)
def test_pairs_that_meet_only_across_the_edge_are_the_listed_ones(board: str) -> None:
    map_ = drawn(board)
    inside = map_.borders(across=False)
    wraps = {pair for pair in facts(board).pairs - linked(map_) if inside[pair] < map_.data["threshold"]}
    assert wraps == {frozenset(pair) for pair in map_.exceptions["wrap"]["pairs"]}


@pytest.mark.parametrize("board", BOARDS)
def test_land_anchors_lie_in_their_own_polygon(board: str) -> None:
    map_, board_ = drawn(board), facts(board)
    project = projection.Projection(map_.authored["projection"])
    moved = {entry["space"]: entry["reason"] for entry in map_.exceptions["moved_anchors"]}
    strays = {
        name
        for name, place in board_.place.items()
        if board_.kind[name] == "land" and not map_.shapes[name].contains(shapely.Point(project.point(place)))
    }
    assert strays == set(moved), "islands drawn elsewhere are listed with their reason, all others lie where they are"
    assert all(moved.values())


@pytest.mark.parametrize("board", BOARDS)
def test_every_anchor_of_the_asset_lies_inside(board: str) -> None:
    map_ = drawn(board)
    for name, space in map_.spaces.items():
        assert map_.shapes[name].contains(shapely.Point(space["anchor"]["x"], space["anchor"]["y"])), name


@pytest.mark.parametrize("board", BOARDS)
def test_polygons_are_valid_and_fill_the_frame_without_overlap(board: str) -> None:
    map_ = drawn(board)
    shapes = [*map_.shapes.values(), *map_.scenery]
    assert all(shape.is_valid for shape in shapes)
    assert shapely.coverage_is_valid(shapes)
    frame = map_.data["width"] * map_.data["height"]
    assert sum(shape.area for shape in shapes) == pytest.approx(frame, rel=1e-9)
    union = shapely.coverage_union_all(shapes)
    assert union.equals(shapely.box(0, 0, map_.data["width"], map_.data["height"]))


def _discs(space: dict[str, Any]) -> list[Any]:
    return [shapely.Point(slot["x"], slot["y"]).buffer(slot["r"], quad_segs=16) for slot in space["slots"]]


def _box(label: dict[str, Any]) -> Any:
    return shapely.box(
        label["x"] - label["width"] / 2,
        label["y"] - label["height"] / 2,
        label["x"] + label["width"] / 2,
        label["y"] + label["height"] / 2,
    )


def _mark(mark: dict[str, Any]) -> Any:
    return shapely.Point(mark["x"], mark["y"]).buffer(mark["r"], quad_segs=16)


def _callout(space: dict[str, Any]) -> Any:
    box = space["callout"]
    return shapely.box(box["x"], box["y"], box["x"] + box["w"], box["y"] + box["h"])


@pytest.mark.parametrize("board", BOARDS)
def test_there_are_enough_slots_inside_every_space_or_its_callout(board: str) -> None:
    map_ = drawn(board)
    for name, space in map_.spaces.items():
        assert len(space["slots"]) >= (4 if space["kind"] == "land" else 6), name
        home = _callout(space) if "callout" in space else map_.shapes[name]
        home = home.buffer(TOLERANCE)
        for disc in _discs(space):
            assert home.contains(disc), f"{name}: slot at {disc.centroid}"
        if "callout" in space or not space["label"].get("outside"):
            assert home.contains(_box(space["label"])), name


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_placed_covers_anything_else(board: str) -> None:
    map_ = drawn(board)
    things: list[tuple[str, Any]] = []
    callouts: list[tuple[str, Any]] = []
    for name, space in map_.spaces.items():
        mine = [(f"{name} label", _box(space["label"]))]
        mine += [(f"{name} {key}", _mark(space[key])) for key in ("badge", "emblem") if key in space]
        mine += [(f"{name} slot {i}", disc) for i, disc in enumerate(_discs(space))]
        if "callout" in space:
            callouts.append((name, _callout(space)))
            for (one, a), (other, b) in combinations(mine, 2):
                assert a.intersection(b).area < 0.5, f"{one} over {other}"
        else:
            things += mine
    things += [(f"{name} callout", box) for name, box in callouts]
    tree = shapely.STRtree([thing for _, thing in things])
    for i, j in tree.query([thing for _, thing in things], predicate="intersects").T.tolist():
        if i < j:
            (one, a), (other, b) = things[i], things[j]
            assert a.intersection(b).area < 0.5, f"{one} over {other}"


@pytest.mark.parametrize("board", BOARDS)
def test_valuable_lands_have_a_badge(board: str) -> None:
    map_, board_ = drawn(board), facts(board)
    for name, space in map_.spaces.items():
        assert ("badge" in space) == (board_.kind[name] == "land" and board_.value[name] > 0), name


@pytest.mark.parametrize("board", BOARDS)
def test_arc_classes_are_complete(board: str) -> None:
    data = drawn(board).data
    keys = ("coast", "borders_land", "borders_sea", "borders_ice", "frame")
    assert sorted(i for key in keys for i in data[key]) == list(range(len(data["arcs"])))


@pytest.mark.parametrize("board", BOARDS)
def test_assets_are_small(board: str) -> None:
    assert len(gzip.compress(drawn(board).text)) <= 300_000


@pytest.mark.parametrize("board", BOARDS)
def test_the_compiler_s_copy_of_the_facts_is_the_engine_s(board: str) -> None:
    copy, board_ = drawn(board).authored["facts"], facts(board)
    assert {frozenset((a, b)) for a, others in copy["adjacency"].items() for b in others} == board_.pairs
    assert {entry["id"]: (entry["lat"], entry["lon"]) for entry in copy["spaces"]} == board_.place
    assert {entry["id"]: entry.get("value", 0) for entry in copy["spaces"]} == board_.value
