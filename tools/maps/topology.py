"""From the label raster to arcs: every border is traced once and shared by the two spaces beside it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from tools.maps.raster import Labels

OUTSIDE = -2
Vertex = tuple[int, int]  # column, row of a pixel corner
Point = tuple[float, float]


@dataclass
class Arc:
    """A border between two labels from node to node, or closed. Left and right as seen when walking along it."""

    vertices: list[Vertex]
    left: int
    right: int
    start: Vertex
    end: Vertex
    points: list[Point] = field(default_factory=list)  # the drawn curve in map units

    @property
    def closed(self) -> bool:
        return self.vertices[0] == self.vertices[-1]

    @property
    def labels(self) -> tuple[int, int]:
        return (min(self.left, self.right), max(self.left, self.right))


def untie(labels: Labels, is_land: NDArray[np.bool_]) -> Labels:
    """Remove places where a label touches itself only by a corner, which would make a ring touch itself.

    Land gives way to water and water to land only where nothing else helps; each change is one pixel.
    """
    labels = labels.copy()
    for _ in range(200):
        a, b, c, d = labels[:-1, :-1], labels[:-1, 1:], labels[1:, :-1], labels[1:, 1:]
        falling = (a == d) & (a != b) & (a != c)
        rising = (b == c) & (b != a) & (b != d)
        if not (falling.any() or rising.any()):
            return labels
        for row, column in zip(*np.nonzero(falling | rising), strict=True):
            block = labels[row : row + 2, column : column + 2]
            p, q, r, s = block.ravel().tolist()
            if p == s and p not in (q, r):
                # fill the corner whose kind is the same as the tied label's, so that no coast moves needlessly
                block[(0, 1) if is_land[q] == is_land[p] or is_land[r] != is_land[p] else (1, 0)] = p
            elif q == r and q not in (p, s):
                block[(0, 0) if is_land[p] == is_land[q] or is_land[s] != is_land[q] else (1, 1)] = q
    raise RuntimeError("corner ties do not resolve")


def trace(labels: Labels) -> list[Arc]:
    """All arcs between different labels, the frame of the map included."""
    padded = np.pad(labels.astype(np.int32), 1, constant_values=OUTSIDE)
    links: dict[Vertex, list[Vertex]] = defaultdict(list)
    rows, columns = np.nonzero(padded[1:-1, :-1] != padded[1:-1, 1:])
    for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
        links[x, y].append((x, y + 1))
        links[x, y + 1].append((x, y))
    rows, columns = np.nonzero(padded[:-1, 1:-1] != padded[1:, 1:-1])
    for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
        links[x, y].append((x + 1, y))
        links[x + 1, y].append((x, y))

    def sides(start: Vertex, end: Vertex) -> tuple[int, int]:
        (x, y), (u, v) = start, end
        if u != x:
            row, column = y, min(x, u)
            above, below = int(padded[row, column + 1]), int(padded[row + 1, column + 1])
            return (above, below) if u > x else (below, above)
        row, column = min(y, v), x
        west, east = int(padded[row + 1, column]), int(padded[row + 1, column + 1])
        return (east, west) if v > y else (west, east)

    nodes = [vertex for vertex, others in links.items() if len(others) != 2]
    node_set = set(nodes)
    seen: set[tuple[Vertex, Vertex]] = set()
    arcs: list[Arc] = []

    def walk(start: Vertex, step: Vertex) -> None:
        path = [start, step]
        seen.update(((start, step), (step, start)))
        while path[-1] not in node_set and path[-1] != start:
            one, other = links[path[-1]]
            following = other if one == path[-2] else one
            seen.update(((path[-1], following), (following, path[-1])))
            path.append(following)
        left, right = sides(path[0], path[1])
        arcs.append(Arc(path, left, right, path[0], path[-1]))

    for vertex in sorted(nodes) + sorted(set(links) - node_set):
        for step in links[vertex]:
            if (vertex, step) not in seen:
                walk(vertex, step)
    return arcs


def contract(
    arcs: list[Arc], limit_of: Callable[[Arc], float], is_land: NDArray[np.bool_], scale: float
) -> tuple[list[Arc], dict[Vertex, Point], list[Arc]]:
    """Shrink short false borders to a point, so that four spaces meet there and no diagonal pair touches.

    `limit_of` tells how long an arc may be to be shrunk (0: not at all). A node on a coast or on the frame stays where
    it is; a border between two such nodes cannot shrink. Returns the remaining arcs, where merged nodes lie, and the
    arcs that were shrunk.
    """
    around: dict[Vertex, set[int]] = defaultdict(set)
    for arc in arcs:
        for node in (arc.start, arc.end):
            around[node].update(arc.labels)

    def is_fixed(node: Vertex) -> bool:
        return len({OUTSIDE if label == OUTSIDE else int(is_land[label]) for label in around[node]}) > 1

    merged: dict[Vertex, Vertex] = {}
    places: dict[Vertex, Point] = {}
    shrunk: list[Arc] = []
    for arc in sorted(arcs, key=lambda a: len(a.vertices)):
        limit = limit_of(arc)
        if arc.closed or not limit or arc.start in merged or arc.end in merged:
            continue
        line = shapely.LineString(arc.vertices).simplify(1.5)
        if line.length / scale > limit:
            continue
        fixed = [node for node in (arc.start, arc.end) if is_fixed(node)]
        if len(fixed) == 2:
            continue
        keep = fixed[0] if fixed else arc.start
        for node in (arc.start, arc.end):
            merged[node] = keep
        if not fixed:
            middle = line.interpolate(0.5, normalized=True)
            places[keep] = (middle.x / scale, middle.y / scale)
        shrunk.append(arc)
    rest = []
    for arc in arcs:
        if any(arc is gone for gone in shrunk):
            continue
        arc.start, arc.end = merged.get(arc.start, arc.start), merged.get(arc.end, arc.end)
        rest.append(arc)
    return rest, places, shrunk


def faces(arcs: list[Arc]) -> dict[int, list[list[list[int]]]]:
    """Label to polygons, each a list of rings (outer first), each a list of arc references (~i: reversed)."""
    outgoing: dict[int, dict[Vertex, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, arc in enumerate(arcs):
        outgoing[arc.left][arc.start].append(i)
        outgoing[arc.right][arc.end].append(~i)

    def curve(reference: int) -> list[Point]:
        return arcs[reference].points if reference >= 0 else arcs[~reference].points[::-1]

    def final(reference: int) -> Vertex:
        return arcs[reference].end if reference >= 0 else arcs[~reference].start

    def turn(arriving: int, leaving: int) -> float:
        """Clockwise angle (on the screen) from the way back to the way on."""
        before, here, after = curve(arriving)[-2], curve(leaving)[0], curve(leaving)[1]
        back = math.atan2(before[1] - here[1], before[0] - here[0])
        ahead = math.atan2(after[1] - here[1], after[0] - here[0])
        return (ahead - back) % (2 * math.pi) or 2 * math.pi

    result: dict[int, list[list[list[int]]]] = {}
    for label, starts in sorted(outgoing.items()):
        if label == OUTSIDE:
            continue
        free = {reference for references in starts.values() for reference in references}
        outer: list[tuple[list[int], shapely.Polygon]] = []
        inner: list[tuple[list[int], shapely.Polygon]] = []
        for first in sorted(free, key=lambda r: r if r >= 0 else ~r):
            if first not in free:
                continue
            ring = [first]
            free.discard(first)
            while True:
                here = final(ring[-1])
                begin = arcs[ring[0]].start if ring[0] >= 0 else arcs[~ring[0]].end
                choices = [r for r in starts[here] if r in free]
                if here == begin:
                    again = [ring[0], *choices]
                    if len(again) == 1 or min(again, key=lambda r: turn(ring[-1], r)) == ring[0]:
                        break
                following = min(choices, key=lambda r: turn(ring[-1], r)) if len(choices) > 1 else choices[0]
                free.discard(following)
                ring.append(following)
            points = [p for r in ring for p in curve(r)[:-1]]
            polygon = shapely.Polygon(points)
            # The space lies to the left; with y pointing down an outer ring then runs counter-clockwise on the screen.
            area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True))
            (outer if area < 0 else inner).append((ring, polygon))
        polygons = [[ring] for ring, _ in outer]
        for ring, hole in inner:
            point = shapely.Point(hole.exterior.coords[0])
            hosts = [i for i, (_, shell) in enumerate(outer) if shell.buffer(0.01).contains(point)]
            polygons[min(hosts, key=lambda i: outer[i][1].area)].append(ring)
        result[label] = polygons
    return result
