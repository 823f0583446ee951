"""Complexes, bases and lines: built, moved, damaged, mended and lost."""

from __future__ import annotations

from typing import assert_never

from sandtable.engine.events.base import Change, Event, replace, with_spent
from sandtable.engine.facts import unit_type
from sandtable.engine.state import Moving, State, Units
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class Repaired(Event, frozen=True, tag="repaired"):
    power: PowerId
    space: SpaceId
    unit: UnitId
    points: int
    cost: int


class Upgraded(Event, frozen=True, tag="upgraded"):
    """A complex was made a better one."""

    power: PowerId
    space: SpaceId
    unit: UnitId  # what it is now
    cost: int
    changes: tuple[Change, ...]


class BuildingChanged(Event, frozen=True, tag="building"):
    """A facility is begun, built on or finished: so many turns are left."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    left: int


class Mended(Event, frozen=True, tag="mended"):
    """Damaged ships are as good as new."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class Dismantled(Event, frozen=True, tag="dismantled"):
    """A complex is removed for good."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class Downgraded(Event, frozen=True, tag="downgraded"):
    """A facility is less in new hands; what damage is beyond its limit is gone."""

    power: PowerId
    space: SpaceId
    old: UnitId
    unit: UnitId
    damage: int
    changes: tuple[Change, ...]


class Damaged(Event, frozen=True, tag="damaged"):
    """Damage markers on a facility, after the limit of what it can take; `rolled` is what the dice showed."""

    power: PowerId  # whose attack it was
    space: SpaceId
    unit: UnitId
    points: int
    rolled: int


class ComplexLifted(Event, frozen=True, tag="complex-lifted"):
    """A complex leaves its place for another one."""

    power: PowerId
    space: SpaceId
    to: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class ComplexSettled(Event, frozen=True, tag="complex-settled"):
    """A complex that was under way is put down."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    moving: Moving
    changes: tuple[Change, ...]


class MovingChanged(Event, frozen=True, tag="complex-under-way"):
    """A complex under way gets better, or is to go elsewhere."""

    before: Moving
    now: Moving
    cost: int = 0


class ComplexesUpgraded(Event, frozen=True, tag="complexes-upgraded"):
    """Complexes of a power that goes to war become better ones for nothing."""

    power: PowerId
    spaces: tuple[SpaceId, ...]
    unit: UnitId
    becomes: UnitId
    changes: tuple[Change, ...]


class ComplexDestroyed(Event, frozen=True, tag="complex-destroyed"):
    power: PowerId  # whose attack it was
    space: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class LineRaised(Event, frozen=True, tag="line"):
    """A line of fortifications that was there all along joins the battle."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class LinesLost(Event, frozen=True, tag="lines-lost"):
    """What they protected has fallen: the lines are of no use to anybody any more."""

    power: PowerId
    spaces: tuple[SpaceId, ...]  # where one had come into play
    until: SpaceId
    changes: tuple[Change, ...] = ()


FacilityEvent = (
    Repaired
    | Upgraded
    | BuildingChanged
    | Mended
    | Dismantled
    | Downgraded
    | Damaged
    | ComplexLifted
    | ComplexSettled
    | MovingChanged
    | ComplexesUpgraded
    | ComplexDestroyed
    | LineRaised
    | LinesLost
)


def fold(world: World, state: State, event: FacilityEvent) -> State:
    match event:
        case ComplexLifted():
            return _with_lifted(state, event)
        case ComplexSettled(power=power, space=space, unit=unit, moving=moving):
            special = world.powers[power].special.relocation
            worth = {**state.worth, space: state.worth.get(space, 0) + (special.value if special is not None else 0)}
            upgraded = (*state.upgraded, space) if moving.upgraded else state.upgraded
            moved = tuple(m for m in state.moving if m != moving)
            state = replace(state, moving=moved, worth=worth, upgraded=upgraded)
            return _with_damage(state, space, unit, moving.damage)
        case MovingChanged(before=before_this, now=now):
            return replace(state, moving=tuple(now if m == before_this else m for m in state.moving))
        case ComplexesUpgraded(power=power, spaces=spaces, unit=unit, becomes=becomes):
            for space in spaces:
                markers = state.damage.get(space, {}).get(unit, 0)
                state = _with_damage(_with_damage(state, space, unit, -markers), space, becomes, markers)
            return with_spent(state, f"industry {power}")
        case LineRaised(space=space):
            return with_spent(state, f"line {space}")
        case LinesLost(power=power, spaces=spaces, until=until):
            for space in spaces:
                unit = next(line.unit for line in world.powers[power].special.lines if line.place == space)
                state = _with_damage(state, space, unit, -state.damage.get(space, {}).get(unit, 0))
            return with_spent(state, f"lines until {until}")
        case Upgraded(space=space):
            return replace(state, upgraded=(*state.upgraded, space))
        case BuildingChanged(space=space, unit=unit, left=left):
            return _with_chips(state, space, unit, left)
        case Dismantled(space=space, unit=unit):
            state = _with_damage(state, space, unit, -state.damage.get(space, {}).get(unit, 0))
            return _with_chips(state, space, unit, 0)
        case Downgraded(space=space, old=old, unit=unit, damage=damage):
            chips = state.building.get(space, {}).get(old, 0)
            state = _with_chips(_with_chips(state, space, old, 0), space, unit, chips)
            state = _with_damage(state, space, old, -state.damage.get(space, {}).get(old, 0))
            return _with_damage(state, space, unit, damage)
        case Damaged(space=space, unit=unit, points=points):
            return _with_damage(state, space, unit, points)
        case Repaired(power=power, space=space, unit=unit, points=points):
            state = _with_damage(state, space, unit, -points)
            markers = points if unit_type(world, state, power, unit).complex else 0
            repaired = {**state.repaired, space: state.repaired.get(space, 0) + markers}
            return replace(state, repaired=repaired)
        case ComplexDestroyed(space=space, unit=unit):
            return _with_damage(state, space, unit, -state.damage.get(space, {}).get(unit, 0))
        case Mended():
            return state  # they tell why something else happens
        case _:
            assert_never(event)


def _with_damage(state: State, space: SpaceId, unit: UnitId, change: int) -> State:
    here = dict(state.damage.get(space, {}))
    here[unit] = here.get(unit, 0) + change
    damage = {s: d for s, d in {**state.damage, space: {u: n for u, n in here.items() if n}}.items() if d}
    return replace(state, damage=damage)


def _with_chips(state: State, space: SpaceId, unit: UnitId, left: int) -> State:
    """So many turns are left until the facility there works."""
    here = {u: n for u, n in {**state.building.get(space, {}), unit: left}.items() if n}
    return replace(state, building={s: k for s, k in {**state.building, space: here}.items() if k})


def _with_lifted(state: State, event: ComplexLifted) -> State:
    damage = state.damage.get(event.space, {}).get(event.unit, 0)
    moving = Moving(event.power, event.unit, event.space, event.to, state.round, damage)
    state = _with_damage(state, event.space, event.unit, -damage)
    return with_spent(replace(state, moving=(*state.moving, moving)), f"moved {event.space}")
