"""What stands where in one picture: names, badges, pieces and the lines between them, as boxes in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from sandtable.maps.position import Stack
from sandtable.maps.view import Box

PIECE = 27.0
"""Width of a silhouette in pixels at one pixel a map unit."""
PIECE_BOX = (1.08, 0.84)
"""A piece with its chip and emblem, in widths of the silhouette."""
BADGE = 7.2
"""Radius of a badge's marks in pixels at one pixel a map unit."""

UNIT_ORDER = (
    "infantry", "marine", "commando", "partisan", "artillery", "mechanized-infantry", "armor", "aa-gun",
    "fighter", "fighter-bomber", "jet-fighter", "tactical-bomber", "bomber", "heavy-bomber", "atomic-bomb",
    "battleship", "carrier", "light-carrier", "cruiser", "destroyer", "submarine", "transport",
    "major-complex", "industrial-complex", "minor-complex", "fortification", "air-base", "naval-base",
)  # fmt: skip


class Name(msgspec.Struct, frozen=True):
    """A name in one or more lines, centred on (x, y)."""

    space: str
    lines: tuple[str, ...]
    x: float
    y: float
    size: float
    sea: bool
    box: Box
    angle: float = 0.0


class Badge(msgspec.Struct, frozen=True):
    """Emblem, income value and mark of a capital or victory city in a row; marks are centred on (x, y)."""

    space: str
    owner: str | None
    value: int | None
    mark: str
    radius: float
    x: float
    y: float
    box: Box
    emblem: bool
    city: str = ""
    city_size: float = 0.0


class Piece(msgspec.Struct, frozen=True):
    """One stack: a silhouette `width` pixels wide in the middle of its box.

    `more` counts the units of further stacks that found no room.
    """

    space: str
    stack: Stack
    x: float
    y: float
    width: float
    box: Box
    foreign: bool
    more: int = 0


class Leader(msgspec.Struct, frozen=True):
    """A thin line from pieces or a name that stand in the open to their place."""

    space: str
    start: tuple[float, float]
    end: tuple[float, float]


class Frame(msgspec.Struct, frozen=True):
    """The panel of a callout."""

    space: str
    box: Box


class Layout(msgspec.Struct):
    names: list[Name] = msgspec.field(default_factory=list)
    badges: list[Badge] = msgspec.field(default_factory=list)
    pieces: list[Piece] = msgspec.field(default_factory=list)
    leaders: list[Leader] = msgspec.field(default_factory=list)
    frames: list[Frame] = msgspec.field(default_factory=list)

    def boxes(self) -> Iterator[tuple[str, Box]]:
        """Everything that takes room, with the space it belongs to."""
        yield from ((name.space, name.box) for name in self.names)
        yield from ((badge.space, badge.box) for badge in self.badges)
        yield from ((piece.space, piece.box) for piece in self.pieces)


class Options(msgspec.Struct, frozen=True):
    names: bool = True
    values: bool = True
    units: bool = True


def ordered(stacks: Iterable[Stack], owner: str | None, powers: Iterable[str]) -> list[Stack]:
    """Stacks as they are read: the owner's first, then by power, then by kind; stacks of none are left out."""
    turn = {power: i for i, power in enumerate(powers)}
    kind = {unit: i for i, unit in enumerate(UNIT_ORDER)}
    return sorted(
        (stack for stack in stacks if stack.count > 0),
        key=lambda s: (s.power != owner, turn.get(s.power, 99), s.power, kind.get(s.unit, 99), s.unit),
    )
