"""Money that comes and goes."""

from __future__ import annotations

from typing import Literal, assert_never

from sandtable.engine.events.base import Event, replace
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, World

PaidFor = Literal[
    "units",
    "refund",
    "repair",
    "training",
    "research",
    "drops",
    "income",
    "objective",
    "bonds",
    "convoy",
    "neutral",
    "raid",
    "rocket",
    "capital",
    "lend-lease",
    "economy",
    "allowance",
    "levy",
    "event",
]


class Paid(Event, frozen=True, tag="paid"):
    """Money that comes (positive) or goes (negative)."""

    power: PowerId
    amount: int
    reason: PaidFor
    space: SpaceId = ""


class Funded(Event, frozen=True, tag="funded"):
    """The dice for a power's first money are thrown."""

    power: PowerId


class AidSent(Event, frozen=True, tag="aid"):
    """A die of aid was bought, and another power gets what it showed."""

    power: PowerId
    receiver: PowerId
    cost: int
    amount: int


class BudgetSet(Event, frozen=True, tag="budget"):
    """A power at peace may spend so much on combat units this turn."""

    power: PowerId
    amount: int


MoneyEvent = Paid | Funded | AidSent | BudgetSet


def fold(world: World, state: State, event: MoneyEvent) -> State:
    match event:
        case Paid(power=power, amount=amount):
            return replace(state, treasury={**state.treasury, power: state.treasury[power] + amount})
        case Funded(power=power):
            return replace(state, unfunded=tuple(p for p in state.unfunded if p != power))
        case AidSent():
            return replace(state, aided=True)
        case BudgetSet(amount=amount):
            return replace(state, budget=amount)
        case _:
            assert_never(event)
