"""The map while it is being furnished: what is there already, and where there is room."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from sandtable.maps.asset import MapAsset, Space
from sandtable.maps.ground import Ground
from sandtable.maps.layout import Layout, Leader, Options, ordered
from sandtable.maps.naming import written_name
from sandtable.maps.position import Position, Stack
from sandtable.maps.view import Box, View


class Taken:
    """The boxes that are in use, in a grid of buckets so that a test looks only at its neighbourhood."""

    def __init__(self, window: Box, bucket: float = 80.0) -> None:
        self.window = window
        self._bucket = bucket
        self._boxes: dict[tuple[int, int], list[Box]] = {}

    def _cells(self, box: Box) -> Iterable[tuple[int, int]]:
        size = self._bucket
        for i in range(int(box.x0 // size), int(box.x1 // size) + 1):
            for j in range(int(box.y0 // size), int(box.y1 // size) + 1):
                yield i, j

    def add(self, box: Box) -> None:
        for cell in self._cells(box):
            self._boxes.setdefault(cell, []).append(box)

    def is_free(self, box: Box) -> bool:
        if not self.window.contains(box):
            return False
        x0, y0, x1, y1 = box
        for cell in self._cells(box):
            for other in self._boxes.get(cell, ()):
                if x0 < other.x1 and other.x0 < x1 and y0 < other.y1 and other.y0 < y1:
                    return False
        return True


class Table:
    """Everything that the placing of names, badges, pieces and callouts shares."""

    def __init__(self, asset: MapAsset, ground: Ground, view: View, position: Position, options: Options) -> None:
        self.asset = asset
        self.ground = ground
        self.view = view
        self.position = position
        self.options = options
        self.taken = Taken(view.window)
        self.layout = Layout()
        shown = [name for name in asset.spaces if self.is_shown(asset.spaces[name])]
        self.by_area = sorted(shown, key=lambda name: (ground.area[name], name))

    def is_shown(self, space: Space) -> bool:
        """A space that a crop shows only a corner of stays bare: its contents would be squeezed into the corner."""
        window = self.view.window
        places = (self.view.pixel(space.label.x, space.label.y), self.anchor(space))
        return any(window.x0 < x < window.x1 and window.y0 < y < window.y1 for x, y in places)

    def text(self, name: str) -> str:
        """A space's name as it is written."""
        return written_name(self.asset, self.position, name)

    def stacks(self, name: str) -> list[Stack]:
        """A space's stacks in the order in which they stand, none if units are not wanted."""
        if not self.options.units:
            return []
        position = self.position
        return ordered(position.units.get(name, ()), position.owner.get(name), position.powers)

    def anchor(self, space: Space) -> tuple[float, float]:
        """The point that stands for the space, in pixels."""
        return self.view.pixel(space.anchor.x, space.anchor.y)

    def units(self, box: Box) -> Box:
        """A box in pixels as one in map units."""
        return Box(*self.view.unit(box.x0, box.y0), *self.view.unit(box.x1, box.y1))

    def fits(self, box: Box, allowed: set[int]) -> bool:
        """Whether a box is free and stands on allowed ground."""
        return self.ground.stands_on(self.units(box), allowed) and self.taken.is_free(box)

    def near(
        self, start: tuple[float, float], width: float, height: float, allowed: set[int]
    ) -> tuple[float, float] | None:
        """The nearest free place for a box on allowed ground."""
        step = max(height * 0.3, 3.0)
        for dx, dy in spiral(11):
            box = Box.around(start[0] + dx * step * 1.3, start[1] + dy * step, width, height)
            if self.fits(box, allowed):
                return box.centre
        return None

    def draw_leader(self, name: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Add a line and keep its course free."""
        self.layout.leaders.append(Leader(name, start, end))
        steps = max(int(math.dist(start, end) / 4), 1)
        for i in range(steps + 1):
            x = start[0] + (end[0] - start[0]) * i / steps
            y = start[1] + (end[1] - start[1]) * i / steps
            self.taken.add(Box.around(x, y, 3, 3))


def spiral(rings: int) -> Iterator[tuple[int, int]]:
    """Grid offsets from near to far."""
    offsets = [(i, j) for i in range(-rings, rings + 1) for j in range(-rings, rings + 1)]
    offsets.sort(key=lambda o: (o[0] ** 2 + o[1] ** 2, o))
    return iter(offsets)


def edge_towards(box: Box, target: tuple[float, float]) -> tuple[float, float]:
    """Where the line from the middle of a box to a point outside leaves the box."""
    x, y = box.centre
    dx, dy = target[0] - x, target[1] - y
    reach = max(abs(dx) / (box.width / 2), abs(dy) / (box.height / 2), 1e-9)
    return x + dx / max(reach, 1.0), y + dy / max(reach, 1.0)
