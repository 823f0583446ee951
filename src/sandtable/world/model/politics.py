"""Rights to declare war, acts of war, and what powers keep out of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sandtable.world.model.ids import PowerId, RuleId, SpaceId

if TYPE_CHECKING:
    from sandtable.world.conditions import Condition, Places
else:
    Condition = Places = Any  # records that were read and checked before they get here


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """A right to declare war."""

    id: str
    by: tuple[PowerId, ...]
    on: tuple[PowerId, ...]
    when: Condition  # `self` is the power that declares
    at: Literal["combat-move", "income"] = "combat-move"  # when in its turn
    draws_in: tuple[PowerId, ...] = ()  # who is then at war, too: with whoever the own side has become an enemy of
    rules: tuple[RuleId, ...] = ()


class ActOfWar(msgspec.Struct, frozen=True, kw_only=True):
    """What some powers do that gives another one a right to answer: units that enter certain land in peace."""

    id: str
    by: tuple[PowerId, ...]
    against: PowerId
    places: Places
    rules: tuple[RuleId, ...] = ()


class Ban(msgspec.Struct, frozen=True, kw_only=True):
    """What units of some powers keep out of while a condition holds: certain spaces, or the land and the units of
    other powers, which are neither enemies nor friends to them meanwhile."""

    id: str
    powers: tuple[PowerId, ...]
    places: Places
    when: Condition  # `self` is the power whose units are meant
    units: tuple[str, ...] = ()  # unit types, domains, warships; empty: all
    passing: bool = False  # they may pass through, but not stay
    against: tuple[PowerId, ...] = ()  # powers that they leave alone
    attacks: bool = False  # only attacks are barred, not flying over, nor entering where friends hold the land
    land_of: Literal["anybody", "friends", "enemies"] = "anybody"  # who must hold the places
    permits: bool = False  # the owner can open single places (`permit`)
    text: str = ""  # the rest of a sentence that begins with whose units they are
    rules: tuple[RuleId, ...] = ()


class Guests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Powers that may also enter certain land of certain allies."""

    powers: tuple[PowerId, ...]
    hosts: tuple[PowerId, ...]
    places: tuple[SpaceId, ...]


class Sharing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may be in land together; other allies keep out of each other's land, and of land where the other stands."""

    partners: tuple[tuple[PowerId, ...], ...] = ()
    guests: tuple[Guests, ...] = ()
    rules: tuple[RuleId, ...] = ()  # for land that an ally controls
    rules_of_stay: tuple[RuleId, ...] = ()  # for other land in which an ally's units stand


class Grants(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A power that may open its land to others, territory by territory, while its capital is lost."""

    power: PowerId
    to: tuple[PowerId, ...]
