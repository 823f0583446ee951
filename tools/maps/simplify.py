"""Curves: raster staircases become smooth lines with few points, without ever crossing each other.

Coasts are smoothed first and as a whole, so that a zone's border ending on a coast leaves no dent; then land borders,
then sea borders. Where two curves collide after smoothing, thinning and rounding, both fall back step by step towards
their staircase, which by nature collides with nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage

from tools.maps.topology import Arc, Point, Vertex, trace

_CARRIED = 4.0  # longest straight piece of a curve that is carried to another plane
# (share of the smoothing, share of the tolerance) at each step of the retreat
_RETREAT = ((1.0, 1.0), (1.0, 0.3), (0.5, 0.3), (0.25, 0.2), (0.1, 0.1), (0.0, 0.0))


def _smooth(points: NDArray[np.float64], sigma: float, closed: bool) -> NDArray[np.float64]:
    """Gaussian smoothing along a chain of equal steps; open ends stay where they are."""
    if closed:
        ring = points[:-1]
        sigma = min(sigma, len(ring) / 12)
        if sigma < 0.3:
            return points
        ring = ndimage.gaussian_filter1d(ring, sigma, axis=0, mode="wrap")
        return np.vstack([ring, ring[:1]])
    sigma = min(sigma, (len(points) - 1) / 5)
    if sigma < 0.3 or len(points) < 4:
        return points
    reach = min(int(4 * sigma) + 1, len(points) - 1)
    before = 2 * points[0] - points[1 : reach + 1][::-1]
    after = 2 * points[-1] - points[-reach - 1 : -1][::-1]
    chain = ndimage.gaussian_filter1d(np.vstack([before, points, after]), sigma, axis=0, mode="nearest")
    result = chain[reach : reach + len(points)]
    result[0], result[-1] = points[0], points[-1]
    return result


def coast_positions(is_land: NDArray[np.bool_], sigma: float, scale: float) -> dict[Vertex, Point]:
    """Where every pixel corner on a coast (or lake shore) moves when coasts are smoothed as whole lines."""
    places: dict[Vertex, Point] = {}
    for arc in trace(is_land.astype(np.int16)):
        if min(arc.labels) < 0:
            continue
        line = _smooth(np.array(arc.vertices, float) / scale, sigma * scale, arc.closed)
        places.update(zip(arc.vertices, map(tuple, line.tolist()), strict=True))
    return places


def _draw(
    arc: Arc, places: dict[Vertex, Point], kind: str, sigma: float, tolerance: float, quantum: float, scale: float
) -> list[Point]:
    raw = np.array(arc.vertices, float) / scale
    if kind == "coast" and sigma > 0:
        raw = np.array([places.get(v, (v[0] / scale, v[1] / scale)) for v in arc.vertices])
    if not arc.closed:
        raw[0] = places.get(arc.start, (arc.start[0] / scale, arc.start[1] / scale))
        raw[-1] = places.get(arc.end, (arc.end[0] / scale, arc.end[1] / scale))
    line = raw if kind in ("coast", "frame") else _smooth(raw, sigma * scale, arc.closed)
    return _thinned(line, tolerance, arc.closed, quantum)


def _thinned(line: NDArray[np.float64], tolerance: float, closed: bool, quantum: float) -> list[Point]:
    """The points of a line that matter, rounded."""
    if closed:
        half = len(line) // 2  # thin both halves on their own, or a small ring may collapse
        first = shapely.LineString(line[: half + 1]).simplify(tolerance)
        second = shapely.LineString(line[half:]).simplify(tolerance)
        points = [*first.coords, *list(second.coords)[1:]]
    else:
        points = list(shapely.LineString(line).simplify(tolerance).coords)
    result: list[Point] = []
    for x, y in points:
        point = (round(round(x / quantum) * quantum, 6), round(round(y / quantum) * quantum, 6))
        if not result or point != result[-1]:
            result.append(point)
    if closed and result[0] != result[-1]:
        result.append(result[0])
    return result


def _collisions(arcs: Sequence[Arc]) -> set[int]:
    """Arcs that cross themselves or touch another one anywhere but at a shared node."""
    lines = [shapely.LineString(arc.points) if len(arc.points) > 1 else shapely.Point(arc.points[0]) for arc in arcs]
    bad = {i for i, line in enumerate(lines) if line.geom_type == "Point" or not line.is_simple}
    bad |= {i for i, arc in enumerate(arcs) if arc.closed and len(arc.points) < 5}
    tree = shapely.STRtree(lines)
    for i, j in tree.query(lines, predicate="intersects").T.tolist():
        if i >= j:
            continue
        shared = lines[i].intersection(lines[j])
        ends_i = {arcs[i].points[0], arcs[i].points[-1]}
        ends_j = {arcs[j].points[0], arcs[j].points[-1]}
        for part in shapely.get_parts(shared):
            if part.geom_type != "Point" or (part.x, part.y) not in ends_i & ends_j:
                bad |= {i, j}
    return bad


def draw(
    arcs: list[Arc],
    places: dict[Vertex, Point],
    kind_of: Callable[[Arc], str],
    smoothing: dict[str, float],
    tolerance: dict[str, float],
    quantum: float,
    scale: float,
) -> int:
    """Fill in `points` of all arcs. Returns how many had to retreat from full smoothing."""
    kinds = [kind_of(arc) for arc in arcs]
    level = [0] * len(arcs)

    def redraw(i: int) -> None:
        soft, coarse = _RETREAT[level[i]]
        kind = kinds[i]
        arcs[i].points = _draw(arcs[i], places, kind, smoothing[kind] * soft, tolerance[kind] * coarse, quantum, scale)

    for i in range(len(arcs)):
        redraw(i)
    for _ in range(4 * len(_RETREAT)):
        bad = _collisions(arcs)
        if not bad:
            return sum(1 for step in level if step)
        moved = False
        for i in sorted(bad):
            if kinds[i] != "frame" and level[i] < len(_RETREAT) - 1:
                level[i] += 1
                redraw(i)
                moved = True
        if not moved:
            break
    worst = [(arcs[i].labels, arcs[i].points[:2]) for i in sorted(_collisions(arcs))]
    raise RuntimeError(f"curves collide even as staircases: {worst}")


def carry(
    arcs: list[Arc],
    move: Callable[[NDArray[np.float64], NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64]]],
    tolerance_of: Callable[[Arc], float],
    quantum: float,
) -> int:
    """Move all drawn curves to another plane. Returns how many had to keep all their points to collide with none.

    The plane is bent without folding, so curves that do not cross stay so; only thinning and rounding could undo that.
    """
    fine, thin = [], []
    for arc in arcs:
        chain = shapely.get_coordinates(shapely.segmentize(shapely.LineString(arc.points), _CARRIED))
        moved = np.column_stack(move(chain[:, 0], chain[:, 1]))
        # Where the plane is pressed together, rounding would put points beside the frame upon it.
        clear = (moved[:, 1] > quantum) | (chain[:, 1] == 0)
        moved = moved[clear]
        fine.append(moved)
        thin.append(tolerance_of(arc))
        arc.points = _thinned(moved, thin[-1], arc.closed, quantum)
    kept: set[int] = set()
    for share in (0.3, 0.1, 0.0):
        bad = _collisions(arcs)
        if not bad:
            return len(kept)
        kept |= bad
        for i in kept:
            arcs[i].points = _thinned(fine[i], thin[i] * share, arcs[i].closed, quantum)
    if bad := _collisions(arcs):
        raise RuntimeError(f"curves collide when they are carried over: {[arcs[i].labels for i in sorted(bad)]}")
    return len(kept)
