"""A compiled board map as it ships with the package.

The compiler has already proved that the drawn borders are the rules' adjacency, so nothing here or above it
changes a shape: a map asset is read, decoded and drawn. The format is described in docs/reference/map-format.md.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from sandtable.errors import DataError

Rings = list[list[list[int]]]
"""Polygons, each a list of rings (the outer one first), each a list of signed arc references."""


class Point(msgspec.Struct, frozen=True):
    x: float
    y: float


class Mark(msgspec.Struct, frozen=True):
    """A round mark with the radius that the compiler has kept free for it."""

    x: float
    y: float
    r: float = 6.0


class Label(msgspec.Struct, frozen=True):
    """Where the name stands: the middle of a box that is free for text."""

    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0
    size: float | None = None
    lines: list[str] = msgspec.field(default_factory=list)


class Slot(msgspec.Struct, frozen=True):
    """A circle where a stack of pieces can stand."""

    x: float
    y: float
    r: float


class Callout(msgspec.Struct, frozen=True):
    """A box in the open beside a space that is too small for its own name and pieces."""

    x: float
    y: float
    w: float
    h: float


class Space(msgspec.Struct, frozen=True):
    kind: str
    rings: Rings
    label: Label
    anchor: Point
    badge: Mark | None = None
    emblem: Mark | None = None
    slots: list[Slot] = msgspec.field(default_factory=list)
    callout: Callout | None = None

    @property
    def is_sea(self) -> bool:
        return self.kind == "sea"


class Scenery(msgspec.Struct, frozen=True):
    """Land, ice and water that is drawn but is no space of the game."""

    kind: str
    rings: Rings


class Link(msgspec.Struct, frozen=True):
    """A canal or another way between two spaces that no border can show, with the places to mark it at."""

    a: str
    b: str
    kind: str
    name: str = ""
    at: list[tuple[float, float]] = msgspec.field(default_factory=list)
    reason: str = ""
    edition: str | None = None


class MapAsset(msgspec.Struct, frozen=True):
    board: str
    format: int
    width: float
    height: float
    scale: float
    arcs: list[list[int]]
    spaces: dict[str, Space]
    wraps: bool = False
    coast: list[int] = msgspec.field(default_factory=list)
    borders_land: list[int] = msgspec.field(default_factory=list)
    borders_sea: list[int] = msgspec.field(default_factory=list)
    scenery: list[Scenery] = msgspec.field(default_factory=list)
    links: list[Link] = msgspec.field(default_factory=list)
    borders_ice: list[int] = msgspec.field(default_factory=list)
    rivers: list[list[int]] = msgspec.field(default_factory=list)
    seams: list[float] = msgspec.field(default_factory=list)  # former edges of a map that was turned


def decode(text: bytes) -> MapAsset:
    """Read a map asset; raises DataError if it is none of ours."""
    try:
        asset = msgspec.json.decode(text, type=MapAsset)
    except msgspec.DecodeError as error:
        raise DataError([f"map asset: {error}"]) from error
    if asset.format != 1:
        raise DataError([f"map asset {asset.board}: format {asset.format} is not known, only 1"])
    return asset


def boards() -> list[str]:
    """The boards that have a map."""
    folder = resources.files("sandtable.maps").joinpath("assets")
    if not folder.is_dir():
        return []
    return sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))


@cache
def load(board: str) -> MapAsset:
    """The map of a board, read once."""
    known = boards()
    if board not in known:
        raise DataError([f"there is no map of the board {board!r}; known: {', '.join(known) or 'none'}"])
    return decode(resources.files("sandtable.maps").joinpath("assets", f"{board}.json").read_bytes())
