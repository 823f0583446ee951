"""The window onto the map: which part is drawn, and how map units become pixels."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from sandtable.errors import SandtableError
from sandtable.maps.asset import MapAsset
from sandtable.maps.paths import Paths


class Box(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Box:
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def grown(self, by: float) -> Box:
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def overlaps(self, other: Box) -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def contains(self, other: Box) -> bool:
        return self.x0 <= other.x0 and self.y0 <= other.y0 and self.x1 >= other.x1 and self.y1 >= other.y1


class View(msgspec.Struct, frozen=True):
    """`box` in map units is drawn at `zoom` pixels a unit with its corner at (`left`, `top`) pixels."""

    box: Box
    zoom: float
    left: float
    top: float

    @property
    def window(self) -> Box:
        """The drawn part of the map in pixels."""
        width, height = self.box.width * self.zoom, self.box.height * self.zoom
        return Box(self.left, self.top, self.left + width, self.top + height)

    @property
    def size(self) -> float:
        """How large text and pieces are drawn: they grow more slowly than the map, so that zooming in gives room."""
        return float(self.zoom**0.78) if self.zoom > 1 else max(self.zoom, 0.3)

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        return self.left + (x - self.box.x0) * self.zoom, self.top + (y - self.box.y0) * self.zoom

    def unit(self, x: float, y: float) -> tuple[float, float]:
        """Back from pixels to map units."""
        return self.box.x0 + (x - self.left) / self.zoom, self.box.y0 + (y - self.top) / self.zoom


Crop = Box | tuple[float, float, float, float] | Collection[str] | None


def crop_box(asset: MapAsset, paths: Paths, crop: Crop) -> Box:
    """The part of the map to draw: all of it, a box in map units, or the spaces named with some room around."""
    whole = Box(0, 0, asset.width, asset.height)
    if crop is None:
        return whole
    if not crop:
        raise SandtableError("the crop names no space")
    names = [value for value in crop if isinstance(value, str)]
    numbers = [float(value) for value in crop if not isinstance(value, str)]
    if names:
        return _around_spaces(asset, paths, names, whole)
    if len(numbers) != 4:
        raise SandtableError("a crop box is four numbers: left, top, right, bottom")
    box = _within(Box(*numbers), whole)
    if box.width <= 0 or box.height <= 0:
        raise SandtableError(f"the crop box {tuple(numbers)} lies outside the map of {asset.width} by {asset.height}")
    return box


def _around_spaces(asset: MapAsset, paths: Paths, names: list[str], whole: Box) -> Box:
    unknown = [name for name in names if name not in asset.spaces]
    if unknown:
        raise SandtableError(f"the map {asset.board} has no space {', '.join(unknown)}")
    points = [
        point for name in names for polygon in asset.spaces[name].rings for point in paths.ring_points(polygon[0])
    ]
    box = Box(
        min(x for x, _ in points),
        min(y for _, y in points),
        max(x for x, _ in points),
        max(y for _, y in points),
    )
    return _within(box.grown(0.06 * max(box.width, box.height) + 12), whole)


def _within(box: Box, whole: Box) -> Box:
    return Box(max(box.x0, whole.x0), max(box.y0, whole.y0), min(box.x1, whole.x1), min(box.y1, whole.y1))
