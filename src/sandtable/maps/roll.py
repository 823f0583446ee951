"""A round world turned: the same map with another meridian at its edges, so that the Pacific lies in one piece.

Everything is moved to the west and drawn once more a world's width farther east; what lies outside the frame is
dropped. The old edge, now in the middle, keeps its straight line, so that what was cut there fits together again; where
two zones meet along it, it is a border like others.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TypeVar

import msgspec

from sandtable.errors import SandtableError
from sandtable.maps.asset import Link, MapAsset, Rings, Scenery, Space

Placed = TypeVar("Placed", bound=msgspec.Struct)


def centred(asset: MapAsset, space: str) -> MapAsset:
    """The map with this space in the middle."""
    if space not in asset.spaces:
        raise SandtableError(f"the map {asset.board} has no space {space}")
    if not asset.wraps:
        raise SandtableError(f"the map {asset.board} has edges: it cannot be turned")
    return rolled(asset, asset.spaces[space].anchor.x - asset.width / 2)


def gathered(asset: MapAsset, names: Collection[str]) -> MapAsset:
    """The map turned so that these spaces lie side by side, if they lie on both sides of its edge."""
    known = [asset.spaces[name].anchor.x for name in names if name in asset.spaces]
    if not asset.wraps or len(known) < 2:
        return asset
    places = sorted(known)
    gaps = [(b - a, (a + b) / 2) for a, b in pairwise(places)]
    widest, middle = max(gaps)
    over_the_edge = places[0] + asset.width - places[-1]
    return rolled(asset, middle) if widest > over_the_edge else asset


def rolled(asset: MapAsset, left: float) -> MapAsset:
    """The map with `left`, in its map units, as its new western edge."""
    whole = round(asset.width / asset.scale)
    west = round(left / asset.scale) % whole
    if not west:
        return asset
    return _Roll(asset, west, whole).asset()


class _Roll:
    def __init__(self, asset: MapAsset, west: int, whole: int) -> None:
        self.old = asset
        self.west, self.whole = west, whole
        self.shifts = (-west, whole - west)  # in steps of the grid: the world itself, and its copy east of it
        self.extents = [_extent(arc) for arc in asset.arcs]

    def asset(self) -> MapAsset:
        old = self.old
        arcs = [_shifted(arc, shift) for shift in self.shifts for arc in old.arcs]
        edge = [[self.whole - self.west, top, 0, bottom - top] for top, bottom in edge_borders(old)]
        return msgspec.structs.replace(
            old,
            arcs=[*arcs, *edge],
            spaces={name: self._space(space) for name, space in old.spaces.items()},
            coast=self._lines(old.coast),
            borders_land=self._lines(old.borders_land),
            borders_sea=[*self._lines(old.borders_sea), *range(len(arcs), len(arcs) + len(edge))],
            borders_ice=self._lines(old.borders_ice),
            scenery=[Scenery(each.kind, rings) for each in old.scenery if (rings := self._rings(each.rings))],
            rivers=[
                _shifted(river, shift)
                for shift in self.shifts
                for river in old.rivers
                if self._is_seen(_extent(river), shift)
            ],
            links=[self._link(link) for link in old.links],
            seams=[(self.whole - self.west) * old.scale],
        )

    def _is_seen(self, extent: tuple[int, int], shift: int) -> bool:
        return extent[1] + shift > 0 and extent[0] + shift < self.whole

    def _lines(self, arcs: Sequence[int]) -> list[int]:
        count = len(self.old.arcs)
        return [
            index + copy * count
            for copy, shift in enumerate(self.shifts)
            for index in arcs
            if self._is_seen(self.extents[index], shift)
        ]

    def _rings(self, rings: Rings) -> Rings:
        count = len(self.old.arcs)
        found: Rings = []
        for copy, shift in enumerate(self.shifts):
            for polygon in rings:
                ends = [self.extents[arc if arc >= 0 else ~arc] for arc in polygon[0]]
                if self._is_seen((min(a for a, _ in ends), max(b for _, b in ends)), shift):
                    move = copy * count
                    found.append([[arc + move if arc >= 0 else ~(~arc + move) for arc in ring] for ring in polygon])
        return found

    def _x(self, x: float) -> float:
        return (x - self.west * self.old.scale) % self.old.width

    def _space(self, space: Space) -> Space:
        by = self._x(space.anchor.x) - space.anchor.x  # everything that belongs to a space goes along with it

        def moved(mark: Placed | None) -> Placed | None:
            return None if mark is None else msgspec.structs.replace(mark, x=mark.x + by)  # type: ignore[attr-defined]

        return msgspec.structs.replace(
            space,
            rings=self._rings(space.rings),
            anchor=moved(space.anchor),
            label=moved(space.label),
            badge=moved(space.badge),
            emblem=moved(space.emblem),
            slots=[moved(slot) for slot in space.slots],
            callout=moved(space.callout),
        )

    def _link(self, link: Link) -> Link:
        return msgspec.structs.replace(link, at=[(self._x(x), y) for x, y in link.at])


def edge_borders(asset: MapAsset) -> list[tuple[int, int]]:
    """Where two different zones meet over the edge of the map: from which row of the grid to which."""
    right = round(asset.width / asset.scale)
    sides: dict[int, list[tuple[int, int, str]]] = {0: [], right: []}
    for name, space in asset.spaces.items():
        for arc in {arc if arc >= 0 else ~arc for polygon in space.rings for ring in polygon for arc in ring}:
            for (xa, ya), (xb, yb) in pairwise(_points(asset.arcs[arc])):
                if xa == xb and xa in sides and ya != yb:
                    sides[xa].append((min(ya, yb), max(ya, yb), name))
    found = []
    for top, bottom, east in sides[right]:
        for upper, lower, west in sides[0]:
            first, last = max(top, upper), min(bottom, lower)
            if first < last and east != west and asset.spaces[east].is_sea and asset.spaces[west].is_sea:
                found.append((first, last))
    return sorted(found)


def _points(arc: list[int]) -> list[tuple[int, int]]:
    x = y = 0
    found = []
    for across, down in zip(arc[::2], arc[1::2], strict=True):
        x, y = x + across, y + down
        found.append((x, y))
    return found


def _shifted(arc: list[int], shift: int) -> list[int]:
    """An arc begins with a point, and goes on in steps."""
    return [arc[0] + shift, *arc[1:]]


def _extent(arc: list[int]) -> tuple[int, int]:
    across = [x for x, _ in _points(arc)]
    return min(across), max(across)
