"""An edition as its data files tell it, before a scenario and options are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.world.bundle import Bundle
from sandtable.world.cards import Decks
from sandtable.world.conditions import Condition
from sandtable.world.model import (
    ActOfWar,
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
    Value,
    Victory,
)


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A starting position on an edition's board."""

    id: str
    name: str
    like: str | None = None  # another scenario, from which all comes that is not said here
    order: tuple[PowerId, ...]
    treasury: Mapping[PowerId, int]
    setup: Pieces
    control: Mapping[SpaceId, PowerId | None] = {}  # where the controller is not the board's owner
    wars: tuple[tuple[PowerId, PowerId], ...] = ()  # who is at war when play begins, where powers can be at peace
    alliances: tuple[tuple[PowerId, PowerId], ...] = ()  # who is allied then, where alliances are free
    options: Mapping[str, Value] = {}  # values that options have here unless somebody chooses otherwise
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
    decks: Decks  # of event cards
    milestones: Mapping[str, Condition]
    declarations: tuple[Declaration, ...]
    acts: tuple[ActOfWar, ...]
    bans: tuple[Ban, ...]
    citations: Mapping[str, tuple[RuleId, ...]]  # reason of a refusal -> the rules behind it
    scenarios: Mapping[str, Scenario]
    traits: Mapping[str, Any]

    def options_for(self, scenario: str) -> tuple[Option, ...]:
        """The options with the defaults that they have in this scenario."""
        own = self.scenarios[scenario].options
        if not own:
            return self.options
        return tuple(msgspec.structs.replace(o, default=own.get(o.key, o.default)) for o in self.options)
