"""What can be developed, and what planes and vehicles can carry by it or by the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandtable.world.model.ids import MarkId, RuleId, TechId, UnitId


class Ride(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that takes others along."""

    unit: UnitId
    passenger: UnitId
    number: int = 1  # passengers a unit
    only: tuple[Literal["blitz", "noncombat"], ...] = ()  # on such moves; empty: always


class Drop(Ride, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plane that drops troops."""

    fee: int = 0  # for each of the troops, paid in the research phase of the turn
    mark: MarkId = ""  # what dropped troops carry for the rest of the turn
    passes: bool = False  # it may fly on over enemy land; else it drops them over the first that it enters
    leaves: bool = False  # it does nothing else and is out of the battle when they have left it


class BaseDrop(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Troops that fly from a base into somebody else's attack, without a plane of the game to carry them."""

    base: UnitId
    unit: UnitId
    number: int  # from each base in a turn
    range: int


class Spies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What secret services can do, once a turn: uncover or set back an enemy's project, or send a force by surprise."""

    ships: int  # that a surprise sends, with what is aboard
    troops: int  # or so many land units and planes
    spaces: int  # and how far


class Technology(msgspec.Struct, frozen=True, kw_only=True):
    id: TechId
    name: str
    aliases: tuple[str, ...] = ()  # other words for it that orders may use
    roll: int | None = None  # the die, or the sum of dice, that gives it
    chart: int | None = None
    progress: tuple[int, ...] = ()  # tracked: spaces for each face of its one die; empty: as many as dice show
    price: int | None = None  # of a die thrown for just this one, where that is allowed
    annuls: int = 0  # a die of this or less takes a breakthrough from an enemy
    leader: MarkId | None = None  # one unit, named when it is developed, carries this mark from then on
    income: int = 0  # extra income each turn
    income_dice: int = 0  # dice of extra income each turn
    output_change: int = 0  # units more that a complex can receive...
    output_value: int = 0  # ...in territories worth at least so much
    outputs: Mapping[UnitId, int] = {}  # what kinds of complex receive with it
    repairs_per_cost: int = 1  # damage markers taken off for the price of one
    drops: Drop | None = None  # planes may drop troops
    takes_along: Ride | None = None  # land units may take others along as far as they go
    airborne: BaseDrop | None = None  # troops may fly from bases
    interception: int = 0  # added to the air combat roll of planes that intercept
    spies: Spies | None = None
    units: Mapping[UnitId, Mapping[str, Any]] = {}  # changed fields of unit types; key "*" means every type
    marks_units: bool = False  # those changes hold only for units bought from then on, which are marked with its id
    traits: Mapping[str, Any] = {}
    rules: tuple[RuleId, ...] = ()
    help: str = ""
