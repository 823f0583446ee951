"""An edition as its data files tell it, before a scenario and options are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.world.bundle import Bundle
from sandtable.world.conditions import Condition
from sandtable.world.model import (
    Ban,
    BattleKind,
    Canal,
    Declaration,
    Gap,
    Mark,
    MarkId,
    Objective,
    Option,
    Pieces,
    Power,
    PowerId,
    RuleId,
    Rules,
    Seats,
    SideId,
    Space,
    SpaceId,
    TechId,
    Technology,
    UnitId,
    UnitType,
    Victory,
)


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A starting position on an edition's board."""

    id: str
    name: str
    order: tuple[PowerId, ...]
    treasury: Mapping[PowerId, int]
    setup: Pieces
    control: Mapping[SpaceId, PowerId | None] = {}  # where the controller is not the board's owner
    wars: tuple[tuple[PowerId, PowerId], ...] = ()  # who is at war when play begins, where powers can be at peace
    alliances: tuple[tuple[PowerId, PowerId], ...] = ()  # who is allied then, where alliances are free
    traits: Mapping[str, Any] = {}


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """All data files of one folder. Complete and consistent: `sandtable.world.load` sees to it."""

    id: str
    bundle: Bundle | None  # its files if they come from outside
    name: str
    board: str
    playable: bool
    phases: tuple[str, ...]
    titles: Mapping[str, str]  # of phases that the edition calls by names of its own
    battles: Mapping[str, BattleKind]
    rules: Rules
    seats: Seats
    spaces: Mapping[SpaceId, Space]  # `owner` is what the board prints
    borders: tuple[tuple[SpaceId, SpaceId], ...]  # every border once
    wraparound: tuple[tuple[SpaceId, SpaceId], ...]
    gaps: tuple[Gap, ...]
    canals: tuple[Canal, ...]
    sides: tuple[SideId, ...]
    powers: Mapping[PowerId, Power]
    units: Mapping[UnitId, UnitType]
    technologies: Mapping[TechId, Technology]
    marks: Mapping[MarkId, Mark]
    options: tuple[Option, ...]
    objectives: tuple[Objective, ...]
    victory: tuple[Victory, ...]
    milestones: Mapping[str, Condition]
    declarations: tuple[Declaration, ...]
    bans: tuple[Ban, ...]
    citations: Mapping[str, tuple[RuleId, ...]]  # reason of a refusal -> the rules behind it
    scenarios: Mapping[str, Scenario]
    traits: Mapping[str, Any]
