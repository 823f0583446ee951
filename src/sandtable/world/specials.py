"""Rights and limits that belong to single powers: records that stand with the power in `powers.yaml`.

What each of them means is told by the module of the same name in `engine/special/`.
"""

from __future__ import annotations

import msgspec


class Transfer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units that go from one map straight to a place, in the non-combat move."""

    units: tuple[str, ...]
    number: int  # in a turn
    map: str
    to: str
    at_war_with: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Relocation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Complexes of the beginning that are taken away, one a turn and each once, and put down a turn later."""

    at_war_with: tuple[str, ...] = ()
    value: int = 0  # what the land that receives one is worth more
    upgrades: dict[str, str] = {}  # while it is under way: complex -> better complex
    upgrade_cost: int = 0
    rules: tuple[str, ...] = ()


class Surprise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Attacks at sea and from it whose victims do not answer, in one turn of the game."""

    zones: int
    map: str
    never: tuple[str, ...] = ()  # land that is not assaulted by surprise
    before: str = ""  # only as long as this power has not declared war
    rules: tuple[str, ...] = ()


class Industry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Complexes that become better ones when the power goes to war."""

    places: tuple[str, ...]
    unit: str
    becomes: str


class NoBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facilities that the power never builds."""

    units: tuple[str, ...]
    original: str = ""  # only in land that was this power's at the beginning
    rules: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A facility of the power that is there when somebody attacks across one border, until a place is lost."""

    unit: str
    place: str
    by: str
    start: str
    until: str


class Liberation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units for nothing when a place is freed for the first time."""

    place: str
    value: int


class Special(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    transfer: Transfer | None = None
    relocation: Relocation | None = None
    surprise: Surprise | None = None
    industry: Industry | None = None
    never_builds: tuple[NoBuild, ...] = ()
    builds_all: tuple[str, ...] = ()  # where any complex builds what else needs a better one
    lines: tuple[Line, ...] = ()
    liberation: Liberation | None = None


NONE = Special()
