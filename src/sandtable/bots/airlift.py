"""Troops that fly with planes in the quiet move: to land in danger, or past a sea that no ship takes them across."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sandtable.bots.risk import merged, without
from sandtable.engine.movement import paradrop
from sandtable.engine.movement.reach import movable
from sandtable.engine.state import unmoved
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import Ride, SpaceId

if TYPE_CHECKING:
    from sandtable.bots.noncombat import Noncombat

LEAST = 0.6  # I.P.C. that a flight has to promise: the plane would have been free to go elsewhere


class Flight(NamedTuple):
    gain: float
    end: SpaceId
    move: Move


def best_flight(plan: Noncombat) -> Flight | None:
    """One plane with its passengers to where they are needed most; None if it is not worth while."""
    state = plan.scratch.state
    ride = paradrop.ride_for(plan.world, state, plan.power, paradrop.AIRLIFT)
    if ride is None:
        return None
    found = []
    for space, unit in movable(plan.world, state):
        able = unit == ride.unit and paradrop.riders(plan.world, state, plan.power, space, unit, paradrop.AIRLIFT)
        here = sum(
            n for p, n in state.at(space).items() if (p.power, p.type) == (plan.power, ride.passenger) and unmoved(p)
        )
        if not able or here < ride.number:
            continue
        load = (UnitSpec(unit), UnitSpec(ride.passenger, ride.number))
        for end, way in plan.scratch.legal.destinations(space, unit, paradrop.AIRLIFT).items():
            if end in plan.world.land[space] or not plan.world.spaces[end].is_land:
                continue  # they can walk
            found.append(Flight(_gain(plan, space, end, ride), end, Move(load, way, paradrop.AIRLIFT)))
    best = max(found, key=lambda f: (f.gain, f.end), default=None)
    return best if best is not None and best.gain > LEAST else None


def _gain(plan: Noncombat, space: SpaceId, end: SpaceId, ride: Ride) -> float:
    """What both places gain and lose by it, and the turns by which the troops come nearer to the front."""
    power, sight = plan.power, plan.sight
    here, there = sight.ours(space), sight.ours(end)
    left = without(without(here, power, ride.passenger, ride.number), power, ride.unit, 1)
    then = merged(there, ((power, ride.passenger, ride.number), (power, ride.unit, 1)))
    saved = plan.cost(space, here) - plan.cost(space, left) + plan.cost(end, there) - plan.cost(end, then)
    base = plan.base_value(end, there) - plan.base_value(space, here)
    return saved + base + plan.style.march * ride.number * (plan.time(space) - plan.time(end))
