"""Which space lies where: a coarse raster of the map, to ask of a box whose ground it stands on.

Exact polygon tests for thousands of candidate places would be slow in plain Python; a cell of a few map units is exact
enough for pieces and text.
"""

from __future__ import annotations

from sandtable.maps.asset import MapAsset
from sandtable.maps.paths import Paths
from sandtable.maps.view import Box

CELL = 2.0
"""Side of a raster cell in map units."""
NOBODY = 0


class Ground:
    def __init__(self, asset: MapAsset, paths: Paths) -> None:
        self.columns = int(asset.width / CELL) + 1
        self.rows = int(asset.height / CELL) + 1
        self.number = {name: i + 1 for i, name in enumerate(asset.spaces)}
        self.sea = {self.number[name] for name, space in asset.spaces.items() if space.is_sea}
        self.area = {}
        """Square map units of every space."""
        self._cells = [[NOBODY] * self.columns for _ in range(self.rows)]
        for name, space in asset.spaces.items():
            rings = [paths.ring_points(ring) for polygon in space.rings for ring in polygon]
            self.area[name] = self._fill(self.number[name], rings) * CELL * CELL

    def at(self, x: float, y: float) -> int:
        """The number of the space at a point in map units, or NOBODY."""
        column, row = int(x / CELL), int(y / CELL)
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self._cells[row][column]
        return NOBODY

    def under(self, box: Box, steps: int = 3) -> set[int]:
        """The spaces under a box in map units, by a grid of samples that includes its corners."""
        found = set()
        for i in range(steps):
            y = box.y0 + box.height * i / (steps - 1)
            for j in range(steps):
                found.add(self.at(box.x0 + box.width * j / (steps - 1), y))
        return found

    def stands_on(self, box: Box, allowed: set[int], steps: int = 4) -> bool:
        """Whether all of a box lies on allowed ground; leaves at the first sample that does not."""
        cells, rows, columns = self._cells, self.rows, self.columns
        across, down = box.width / (steps - 1) / CELL, box.height / (steps - 1) / CELL
        left, top = box.x0 / CELL, box.y0 / CELL
        for i in range(steps):
            row = int(top + down * i)
            inside = 0 <= row < rows
            for j in range(steps):
                column = int(left + across * j)
                found = cells[row][column] if inside and 0 <= column < columns else NOBODY
                if found not in allowed:
                    return False
        return True

    def _fill(self, number: int, rings: list[list[tuple[float, float]]]) -> int:
        """Scan-line fill by the even-odd rule, so that holes stay open; returns the number of cells."""
        crossings: dict[int, list[float]] = {}
        for ring in rings:
            for (xa, ya), (xb, yb) in zip(ring, ring[1:] + ring[:1], strict=True):
                if ya == yb:
                    continue
                if ya > yb:
                    xa, ya, xb, yb = xb, yb, xa, ya
                slope = (xb - xa) / (yb - ya)
                first = max(int(ya / CELL - 0.5) + (1 if ya > CELL / 2 else 0), 0)
                for row in range(max(first - 1, 0), self.rows):
                    y = (row + 0.5) * CELL
                    if y < ya:
                        continue
                    if y >= yb:
                        break
                    crossings.setdefault(row, []).append(xa + (y - ya) * slope)
        count = 0
        for row, line in crossings.items():
            line.sort()
            cells = self._cells[row]
            for start, end in zip(line[::2], line[1::2], strict=False):
                first, last = max(round(start / CELL), 0), min(round(end / CELL), self.columns)
                for column in range(first, last):
                    cells[column] = number
                count += max(last - first, 0)
        return count
