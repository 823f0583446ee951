"""How a game is won, and what is worth a bonus on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sandtable.world.model.ids import PowerId, RuleId

if TYPE_CHECKING:
    from sandtable.world.conditions import Condition
else:
    Condition = Any  # records that were read and checked before they get here


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a game can end."""

    id: str
    when: Condition
    winner: str = "each-side"  # a side, a power, each-side, each-power (`self` in the condition) or nobody
    checked: Literal["turn", "round", "at-once"] = "turn"  # at the end of every turn or round, or whenever it holds
    players: Literal["any", "two", "more"] = "any"  # how many people must be at the table
    held: Literal["", "round"] = ""  # round: up to the end of the next turn of the power in whose turn it was reached
    then: Condition | None = None  # must hold when that time is over, too
    name: str = ""
    rules: tuple[RuleId, ...] = ()
    traits: Mapping[str, Any] = {}


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A bonus that a power gets when it collects income, if a condition holds then."""

    id: str
    power: PowerId  # or each: every power, which is `self` in the condition
    bonus: int
    when: Condition
    per: Condition | None = None  # paid for each that this counts; at least one
    once: bool = False  # in a game
    name: str = ""
    rules: tuple[RuleId, ...] = ()
    traits: Mapping[str, Any] = {}
