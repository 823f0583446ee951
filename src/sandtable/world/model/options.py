"""Options, and what they change in an edition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sandtable.world.model.ids import MarkId, Pieces, PowerId, RuleId, SideId, SpaceId, TechId, UnitId, Value
from sandtable.world.model.rules import BattleKind

if TYPE_CHECKING:
    from sandtable.world.conditions import Condition
else:
    Condition = Any  # records that were read and checked before they get here


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A switch or choice made before play. `effects` maps a value's text ("true", "owner") to patches."""

    key: str
    name: str
    help: str
    default: Value
    choices: tuple[int | str, ...] = ()  # empty: a plain on/off switch
    rules: tuple[RuleId, ...] = ()
    effects: Mapping[str, Patch] = {}
    group: str = "rules"
    ask: bool = False  # important enough to be asked for before every game


class ListEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change of a list: something put or moved before, after or instead of an entry, or an entry taken out.

    An anchor is an entry of the edition's list (`aa-fire`); `check-end 2` is the second of several, `every check-end`
    means all of them. See `sandtable.world.sequence`.
    """

    put: str | tuple[str, ...] = ()
    move: str | None = None
    before: str | None = None
    after: str | None = None
    instead_of: str | None = None
    at: Literal["start", "end"] | None = None
    remove: str | None = None


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """A record that an option adds, and next to which one it stands; at the end if it names none."""

    record: Any
    before: str | None = None
    after: str | None = None


class Patch(msgspec.Struct, frozen=True, kw_only=True):
    """What an option's value changes in the edition. All parts are optional.

    `units` and the like change fields of what is there, `add_units` brings new ones, `remove_powers` takes some out.
    Whatever is taken out by one option and changed by another is out.
    """

    requires: Mapping[str, tuple[Value, ...]] = {}  # options that must have one of these values
    excludes: Mapping[str, tuple[Value, ...]] = {}  # options that must not
    implies: Mapping[str, Value] = {}  # values that other options then have
    options: Mapping[str, Any] = {}  # other defaults for options further down
    idles: tuple[str, ...] = ()  # options that do nothing beside this value
    rules: Mapping[str, Any] = {}  # fields of Rules
    units: Mapping[UnitId, Mapping[str, Any]] = {}  # fields of UnitType; key "*" means every type
    add_units: Mapping[UnitId, Added] = {}
    technologies: Mapping[TechId, Mapping[str, Any]] = {}
    add_technologies: Mapping[TechId, Added] = {}
    remove_technologies: tuple[TechId, ...] = ()
    add_marks: Mapping[MarkId, Added] = {}
    sides: tuple[SideId, ...] | None = None  # instead of the edition's
    powers: Mapping[PowerId, Mapping[str, Any]] = {}  # key "*" means every power
    add_powers: Mapping[PowerId, Added] = {}
    remove_powers: tuple[PowerId, ...] = ()  # with their pieces; their land is nobody's then
    order: tuple[ListEdit, ...] = ()  # of turns
    wars: tuple[tuple[PowerId, PowerId], ...] | None = None  # instead of the scenario's
    alliances: tuple[tuple[PowerId, PowerId], ...] | None = None
    seats: Mapping[str, Any] = {}  # fields of Seats
    spaces: Mapping[SpaceId, Mapping[str, Any]] = {}
    add_borders: tuple[tuple[SpaceId, SpaceId], ...] = ()
    remove_borders: tuple[tuple[SpaceId, SpaceId], ...] = ()
    control: Mapping[SpaceId, PowerId | None] = {}
    treasury: Mapping[PowerId, int] = {}
    setup: Pieces = {}  # all that a power has in a space
    add_setup: Pieces = {}
    remove_setup: Mapping[PowerId, Mapping[SpaceId, Literal["all"] | Mapping[UnitId, int]]] = {}
    phases: tuple[ListEdit, ...] = ()
    titles: Mapping[str, str] = {}
    steps: Mapping[str, tuple[ListEdit, ...]] = {}  # battle kind -> changes of its steps
    battles: Mapping[str, Mapping[str, Any]] = {}  # fields of BattleKind
    add_battles: Mapping[str, BattleKind] = {}  # new kinds of battle
    objectives: Mapping[str, Mapping[str, Any]] = {}
    add_objectives: Mapping[str, Added] = {}
    remove_objectives: Literal["all"] | tuple[str, ...] = ()
    victory: Mapping[str, Mapping[str, Any]] = {}
    add_victory: Mapping[str, Added] = {}
    remove_victory: Literal["all"] | tuple[str, ...] = ()
    add_milestones: Mapping[str, Condition] = {}
    declarations: Mapping[str, Mapping[str, Any]] = {}
    add_declarations: Mapping[str, Added] = {}
    remove_declarations: Literal["all"] | tuple[str, ...] = ()
    bans: Mapping[str, Mapping[str, Any]] = {}
    add_bans: Mapping[str, Added] = {}
    remove_bans: Literal["all"] | tuple[str, ...] = ()
    traits: Mapping[str, Any] = {}
    citations: Mapping[str, tuple[RuleId, ...]] = {}  # rules to be cited for a reason, before the edition's own
    beside: tuple[Beside, ...] = ()  # further changes where other options have certain values, too


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Changes that hold only together with these values of other options (`scenario` stands for the scenario's id)."""

    values: Mapping[str, tuple[Value, ...]]
    patch: Patch
