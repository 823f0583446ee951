"""New units: bought, given, placed, kept or lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from sandtable.engine.events.base import Change, Event, replace, with_spent
from sandtable.engine.facts import unit_type
from sandtable.engine.state import State, Units
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class Bought(Event, frozen=True, tag="bought"):
    power: PowerId
    units: tuple[tuple[UnitId, int], ...]
    cost: int


class Reinforced(Event, frozen=True, tag="reinforced"):
    """New units that cost nothing (China), to be placed this turn."""

    power: PowerId
    units: tuple[tuple[UnitId, int], ...]


class Placed(Event, frozen=True, tag="placed"):
    power: PowerId
    space: SpaceId
    units: tuple[tuple[UnitId, int], ...]
    changes: tuple[Change, ...]


class Forfeited(Event, frozen=True, tag="forfeited"):
    power: PowerId
    units: tuple[tuple[UnitId, int], ...]


class Kept(Event, frozen=True, tag="kept"):
    """New units that were not placed wait for a later turn."""

    power: PowerId
    units: tuple[tuple[UnitId, int], ...]


class TroopsOffered(Event, frozen=True, tag="free-troops"):
    """A freed country raises troops for nothing."""

    power: PowerId
    space: SpaceId
    value: int


class TroopsRaised(Event, frozen=True, tag="troops-raised"):
    power: PowerId
    space: SpaceId
    units: tuple[tuple[UnitId, int], ...]
    changes: tuple[Change, ...]


class UndergroundLeft(Event, frozen=True, tag="underground-left"):
    """Partisans whose land is free again go home."""

    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


RecruitEvent = Bought | Reinforced | Placed | Forfeited | Kept | TroopsOffered | TroopsRaised | UndergroundLeft


def fold(world: World, state: State, event: RecruitEvent) -> State:
    match event:
        case Placed(power=power, space=space, units=units):
            state = _with_new(world, with_waiting(world, state), power, {unit: -n for unit, n in units})
            total = sum(n for unit, n in units if unit_type(world, state, power, unit).domain != "facility")
            placed = {**state.placed, space: state.placed.get(space, 0) + total} if total else state.placed
            big = sum(n for unit, n in units if unit_type(world, state, power, unit).built_at is not None)
            large = {**state.placed_big, space: state.placed_big.get(space, 0) + big} if big else state.placed_big
            return replace(state, placed=placed, placed_big=large)
        case Bought():
            return _with_bought(world, state, event)
        case Reinforced(power=power, units=units):
            return _with_new(world, state, power, dict(units))
        case TroopsOffered(power=power):
            return with_spent(state, f"liberation {power}")
        case Forfeited():
            return replace(state, pool={})
        case TroopsRaised() | UndergroundLeft():
            return state  # their changes are all
        case Kept():
            return state  # they tell why something else happens
        case _:
            assert_never(event)


def _with_bought(world: World, state: State, event: Bought) -> State:
    """The state with what was bought: to be placed, or in reserve; what is limited in number is counted."""
    power = event.power
    kinds = {unit: unit_type(world, state, power, unit) for unit, _ in event.units}
    state = _with_new(world, state, power, {unit: n for unit, n in event.units if not kinds[unit].reserve})
    for unit, n in event.units:
        kind = kinds[unit]
        if kind.reserve:
            state = with_reserve(state, power, unit, n)
        if kind.most_a_turn is not None:
            state = replace(state, bought={**state.bought, unit: state.bought.get(unit, 0) + n})
        if kind.most_a_game is not None:
            key = f"{unit} {power}"
            state = replace(state, spent={**state.spent, key: state.spent.get(key, 0) + n})
    return state


def with_waiting(world: World, state: State) -> State:
    """The pool of the power whose turn it is takes in what that power could not place before."""
    power = world.order[state.turn]
    if power not in state.waiting:
        return state
    waiting = {p: units for p, units in state.waiting.items() if p != power}
    return replace(state, pool=state.pool_of(world, power), waiting=waiting)


def with_reserve(state: State, power: PowerId, unit: UnitId, change: int) -> State:
    """The state with more or fewer units of the power off the board."""
    before = state.reserve.get(power, {})
    now = {u: n for u, n in {**before, unit: before.get(unit, 0) + change}.items() if n}
    return replace(state, reserve={p: units for p, units in {**state.reserve, power: now}.items() if units})


def _with_new(world: World, state: State, power: PowerId, change: Mapping[UnitId, int]) -> State:
    """The state with more or fewer units of the power waiting to be placed."""
    own = power == world.order[state.turn]
    before = state.pool if own else state.waiting.get(power, {})
    now = {
        unit: n
        for unit in (*before, *(u for u in change if u not in before))
        if (n := before.get(unit, 0) + change.get(unit, 0))
    }
    if own:
        return replace(state, pool=now)
    waiting = {p: units for p, units in {**state.waiting, power: now}.items() if units}
    return replace(state, waiting=waiting)
