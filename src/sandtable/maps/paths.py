"""Arcs to points and to SVG path strings.

Arcs are shared: a border is stored once and both neighbours refer to it. A vertex becomes the control point of a
quadratic curve that runs from midpoint to midpoint, so both neighbours draw the identical smooth line. Path numbers
are whole steps of half the asset's grid, which keeps the strings short; `Paths.step` says how many map units a step is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.maps.asset import MapAsset, Rings

Vertex = tuple[int, int]
Extent = tuple[float, float, float, float]
"""Left, top, right and bottom in map units."""


class Paths:
    """The decoded geometry of one map."""

    def __init__(self, asset: MapAsset) -> None:
        self.asset = asset
        self.step = asset.scale / 2
        """Map units per step of a path string."""
        self._edges = {0, round(asset.width / self.step), *(round(seam / self.step) for seam in asset.seams)}
        self._bottom = round(asset.height / self.step)
        self._arcs = [_decode(arc) for arc in asset.arcs]
        self._extents = [self._extent(arc) for arc in self._arcs]

    def arc(self, reference: int) -> list[Vertex]:
        """The vertices of a signed arc reference, in path steps."""
        return self._arcs[reference] if reference >= 0 else self._arcs[~reference][::-1]

    def ring_points(self, ring: Sequence[int]) -> list[tuple[float, float]]:
        """The ring as a closed polygon in map units, for measuring; the first point is not repeated."""
        points: list[tuple[float, float]] = []
        for reference in ring:
            points.extend((x * self.step, y * self.step) for x, y in self.arc(reference)[:-1])
        return points

    def rings(self, rings: Rings, within: Extent | None = None) -> str:
        """Closed outlines as a path string; holes follow their outer ring. Polygons outside `within` are left out."""
        return "".join(
            self._ring(ring)
            for polygon in rings
            if within is None or self.touches(polygon[0], within)
            for ring in polygon
        )

    def lines(self, arcs: Iterable[int], within: Extent | None = None) -> str:
        """Open arcs as one path string, without those outside `within`."""
        return "".join(self._line(index) for index in arcs if within is None or _meet(self._extents[index], within))

    def touches(self, ring: Sequence[int], within: Extent) -> bool:
        """Whether the ring's extent meets a box."""
        extents = [self._extents[reference if reference >= 0 else ~reference] for reference in ring]
        whole = (
            min(e[0] for e in extents),
            min(e[1] for e in extents),
            max(e[2] for e in extents),
            max(e[3] for e in extents),
        )
        return _meet(whole, within)

    def _extent(self, vertices: list[Vertex]) -> Extent:
        xs, ys = [x for x, _ in vertices], [y for _, y in vertices]
        step = self.step
        return min(xs) * step, min(ys) * step, max(xs) * step, max(ys) * step

    def streams(self) -> str:
        """Rivers as one path string."""
        pieces: list[str] = []
        for river in self.asset.rivers:
            vertices = _decode(river)
            pieces.append(f"M{vertices[0][0]} {vertices[0][1]}")
            self._curve(vertices, vertices[0], pieces)
        return "".join(pieces).replace(" -", "-")

    def _ring(self, ring: Sequence[int]) -> str:
        pieces: list[str] = []
        at: Vertex | None = None
        for reference in ring:
            vertices = self.arc(reference)
            if at is None:
                at = vertices[0]
                pieces.append(f"M{at[0]} {at[1]}")
            at = self._curve(vertices, at, pieces)
        return "".join(pieces).replace(" -", "-") + "z"

    def _line(self, index: int) -> str:
        vertices = self.arc(index)
        pieces = [f"M{vertices[0][0]} {vertices[0][1]}"]
        self._curve(vertices, vertices[0], pieces)
        return "".join(pieces).replace(" -", "-")

    def _curve(self, vertices: list[Vertex], at: Vertex, out: list[str]) -> Vertex:
        """Append relative commands for the arc and return where it ends."""
        last = len(vertices) - 1
        if last == 1:
            end = vertices[1]
            out.append(f"l{end[0] - at[0]} {end[1] - at[1]}")
            return end
        for i in range(1, last):
            corner, following = vertices[i], vertices[i + 1]
            end = following if i == last - 1 else _middle(corner, following)
            if self._on_frame(corner):  # the frame has real corners
                out.append(f"l{corner[0] - at[0]} {corner[1] - at[1]}l{end[0] - corner[0]} {end[1] - corner[1]}")
            else:
                out.append(f"q{corner[0] - at[0]} {corner[1] - at[1]} {end[0] - at[0]} {end[1] - at[1]}")
            at = end
        return at

    def _on_frame(self, vertex: Vertex) -> bool:
        return vertex[0] in self._edges or vertex[1] in (0, self._bottom)


def _decode(arc: list[int]) -> list[Vertex]:
    x = y = 0
    vertices: list[Vertex] = []
    for i in range(0, len(arc), 2):
        x += arc[i]
        y += arc[i + 1]
        vertices.append((2 * x, 2 * y))
    return vertices


def _middle(a: Vertex, b: Vertex) -> Vertex:
    return (a[0] + b[0]) // 2, (a[1] + b[1]) // 2


def _meet(a: Extent, b: Extent) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]
