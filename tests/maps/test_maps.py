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

import numpy as np
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


# Areas of the spaces where most pieces of 1940 stand, in millionths of the map's squared width, as they were on a
# plane that did not swell: what the scale of the Global board is measured against.
UNSWOLLEN = {
    "united-kingdom": 715, "scotland": 389, "eire": 245, "norway": 1237, "sweden": 2023, "finland": 1120,
    "denmark": 292, "holland-belgium": 473, "france": 1063, "normandy-bordeaux": 999, "southern-france": 691,
    "spain": 1082, "portugal": 152, "gibraltar": 41, "switzerland": 264, "western-germany": 1502, "germany": 1770,
    "greater-southern-germany": 1151, "poland": 1814, "slovakia-hungary": 1028, "romania": 1213, "bulgaria": 451,
    "yugoslavia": 1281, "albania": 144, "greece": 390, "crete": 41, "cyprus": 36, "northern-italy": 819,
    "southern-italy": 430, "sardinia": 118, "sicily": 78, "malta": 20, "turkey": 1385, "baltic-states": 969,
    "eastern-poland": 698, "bessarabia": 250, "western-ukraine": 874, "ukraine": 1115, "belarus": 573, "bryansk": 826,
    "novgorod": 885, "vyborg": 111, "smolensk": 417, "russia": 614, "tambov": 554, "rostov": 329, "volgograd": 530,
    "caucasus": 895, "karelia": 563, "archangel": 880, "morocco": 343, "algeria": 1224, "tunisia": 249, "libya": 605,
    "tobruk": 348, "alexandria": 495, "egypt": 411, "trans-jordan": 190, "syria": 243, "sz-92": 395, "sz-93": 869,
    "sz-94": 446, "sz-95": 922, "sz-96": 640, "sz-97": 1101, "sz-98": 299, "sz-99": 792, "sz-100": 1286, "sz-110": 910,
    "sz-111": 1051, "sz-112": 1415, "sz-113": 628, "sz-114": 662, "sz-115": 1141,
}  # fmt: skip
HEARTLAND = (
    "germany", "western-germany", "greater-southern-germany", "france", "normandy-bordeaux", "southern-france",
    "poland", "northern-italy", "southern-italy", "united-kingdom", "yugoslavia", "greece", "sz-93", "sz-95", "sz-96",
    "sz-97", "sz-99", "sz-110", "sz-112",
)  # fmt: skip


def test_europe_and_the_mediterranean_have_room_on_the_global_board() -> None:
    map_ = drawn("global1940")
    area = {name: map_.shapes[name].area / map_.data["width"] ** 2 * 1e6 for name in UNSWOLLEN}
    scale = {name: math.sqrt(area[name] / former) for name, former in UNSWOLLEN.items()}
    assert math.sqrt(sum(area.values()) / sum(UNSWOLLEN.values())) >= 1.8
    assert {name: scale[name] for name in HEARTLAND if scale[name] < 1.8} == {}
    assert {name: value for name, value in scale.items() if value < 1.55} == {}
    assert not [name for name in UNSWOLLEN if "callout" in map_.spaces[name]], "everything stands on its own ground"


def test_the_swollen_plane_neither_folds_nor_leaves_its_frame() -> None:
    project = projection.Projection(drawn("global1940").authored["projection"])
    across, down = np.linspace(0, project.width, 361), np.linspace(0, project.flat.height + project.top, 207)
    x, y = project.swollen(*np.meshgrid(across, down))
    assert not np.any(x[:, 0])
    assert np.all(x[:, -1] == project.width)
    assert not np.any(y[0])
    assert np.all(y[-1] == project.height)
    assert np.array_equal(y[:, 0], y[:, -1]), "the seam fits"
    turn = np.diff(x, axis=1)[:-1] * np.diff(y, axis=0)[:, :-1] - np.diff(x, axis=0)[:, :-1] * np.diff(y, axis=1)[:-1]
    assert turn.min() > 0, "nothing is turned over"
    for between in (turn[1:] / turn[:-1], turn[:, 1:] / turn[:, :-1]):
        assert 0.6 < between.min() < between.max() < 1.6, "the scale changes little from one place to the next"
