"""Powers: what they own, what they live on, and who plays them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.world.model.ids import PowerId, RuleId, SideId, SpaceId, UnitId
from sandtable.world.specials import NONE, Special


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The phases of its own that a power has inside the turn of the power that plays it."""

    after: str  # the phase of that turn which they follow
    phases: tuple[str, ...]


class Reinforcement(msgspec.Struct, frozen=True, kw_only=True):
    """Units that a power gets for nothing in the purchase phase of the power that plays it."""

    unit: UnitId
    spaces_for_one: int  # one for so many of its original territories that it controls, rounded down
    room: int  # they are placed in such territories, up to so many of its units in one


class Support(msgspec.Struct, frozen=True, kw_only=True):
    """What a power lives on that has neither a capital nor complexes on the board."""

    spaces: tuple[SpaceId, ...]  # new units appear there; with the last of them income ends and savings are lost
    dice: int  # their sum is its income, and the money that it begins with


class Supplies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units that a power buys only while its side holds certain land (the Burma Road)."""

    units: tuple[UnitId, ...]
    land: tuple[SpaceId, ...]
    rules: tuple[RuleId, ...] = ()


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """A side's member that takes turns, owns units and money."""

    id: PowerId
    name: str
    side: SideId  # empty: none, and an enemy of everybody whom it meets (armies of neutral land)
    adjective: str  # German, British...: for sentences
    colour: str
    capital: SpaceId | None = None
    exile: tuple[SpaceId, ...] = ()  # where its government may go when the capital is lost
    treasury: int = 0
    collects_income: bool = True
    played: bool = True  # False: it has land or units, but neither turn nor seat nor money (the Dutch)
    guards: tuple[PowerId, ...] = ()  # whoever is at war with all of these is so with it; they may take over its land
    played_by: PowerId | None = None  # a power without a turn and seat of its own (China)
    part: Part | None = None  # what it does in the turn of the power that plays it
    reinforcement: Reinforcement | None = None  # its only new units
    support: Support | None = None  # instead of production and complexes
    allowance: int = 0  # I.P.C.s that it collects beyond its income: a handicap
    levy_dice: int = 0  # when its turn opens it returns the lowest of so many dice to the bank
    continues: PowerId | None = None  # its turn and that of this power, which comes before, are one
    special: Special = NONE  # rights and limits of its own
    researches: bool = True
    trains: bool = True  # pilots, where they are trained
    buys: tuple[UnitId, ...] = ()  # all that it buys; empty: anything
    supplies: Supplies | None = None  # what else it buys at times
    builds: bool = True  # False: it neither builds nor uses nor repairs facilities; new units appear in its own land
    convoys: bool = True  # enemy ships off its coast cost it money
    keeps_while: Mapping[SpaceId, SpaceId] = {}  # land of allies that it keeps only while the enemy has other land
    area: tuple[SpaceId, ...] = ()  # its units enter and fly over these spaces only; empty: anywhere
    traits: Mapping[str, Any] = {}


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays what, by number of players."""

    presets: Mapping[int, tuple[tuple[PowerId, ...], ...]]
    minimum: int = 2
    fixed: bool = False  # nobody sits otherwise than the presets say
    drawn: bool = False  # who plays what is drawn by lot
    rules: tuple[RuleId, ...] = ()
