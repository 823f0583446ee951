"""What stands on the board, in the plainest words: the drawing knows no rules and no engine."""

from __future__ import annotations

import msgspec

NEUTRAL = ("neutral", "strict-neutral", "pro-axis", "pro-allies")
"""Owners that are no power: lands that nobody's pieces started in."""
IMPASSABLE = "impassable"


class Stack(msgspec.Struct, frozen=True):
    """All units of one kind that one power has in one space.

    `damaged` is the number of damaged ships, or the damage points on a facility.
    """

    power: str
    unit: str
    count: int = 1
    damaged: int = 0


class Position(msgspec.Struct, frozen=True):
    """Everything that a picture of the board shows. Spaces that are not named are drawn plain.

    `owner` gives a power's id, one of NEUTRAL, IMPASSABLE, or None; `powers` gives names in the legend's order, and
    `colours` the colours in words, for powers that a palette does not know.
    """

    names: dict[str, str] = msgspec.field(default_factory=dict)
    owner: dict[str, str | None] = msgspec.field(default_factory=dict)
    ipc: dict[str, int] = msgspec.field(default_factory=dict)
    capitals: dict[str, str] = msgspec.field(default_factory=dict)
    cities: dict[str, str] = msgspec.field(default_factory=dict)
    units: dict[str, list[Stack]] = msgspec.field(default_factory=dict)
    powers: dict[str, str] = msgspec.field(default_factory=dict)
    unit_names: dict[str, str] = msgspec.field(default_factory=dict)
    colours: dict[str, str] = msgspec.field(default_factory=dict)
