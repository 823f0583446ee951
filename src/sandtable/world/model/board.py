"""The board: spaces, passages between them, and pairs that only look like neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandtable.world.model.ids import PowerId, RuleId, SpaceId, UnitId


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """One space of the board, a land territory or a sea zone."""

    id: SpaceId
    name: str
    kind: Literal["land", "sea"]
    ipc: int = 0
    owner: PowerId | None = None  # controller at the start of the scenario; None: neutral land, or sea
    original: PowerId | None = None  # the power that gets it back when an ally frees it
    impassable: bool = False
    island: bool = False
    inland: bool = False  # a sea without connection to the others
    zone: int | None = None  # printed number of a sea zone
    victory_city: str | None = None
    capital_of: PowerId | None = None
    lat: float = 0.0
    lon: float = 0.0
    traits: Mapping[str, Any] = {}  # facts that only one edition uses (economy, map, army, leaning...)

    @property
    def is_land(self) -> bool:
        return self.kind == "land"

    @property
    def is_sea(self) -> bool:
        return self.kind == "sea"


class Canal(msgspec.Struct, frozen=True, kw_only=True):
    """A passage between two sea zones that only those may use whose side holds its banks."""

    id: str
    name: str
    between: tuple[SpaceId, SpaceId]
    banks: tuple[SpaceId, ...]
    rules: tuple[RuleId, ...] = ()
    free_for: tuple[UnitId, ...] = ()  # unit types that need no permission (submarines at Gibraltar)
    permission: bool = False  # an owner at peace with the ships can let them through
    traits: Mapping[str, Any] = {}


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Two spaces that look like neighbours and are not, and the rule that says so."""

    between: tuple[SpaceId, SpaceId]
    rules: tuple[RuleId, ...] = ()
