"""Flights that are met on their way over enemy land, and the bases that send planes up (G40-AIR-06, G40-INT-01).

A flight stops over the land that it crosses for as long as it is under fire there, and goes on with those who came
through; `State.sorties` keeps the flights.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.bases import lift
from sandtable.engine.events import Change, FlewOn, SortiesWent
from sandtable.engine.facts import is_friendly, type_of, works
from sandtable.engine.movement.air import distances
from sandtable.engine.movement.landing import distance_to_land
from sandtable.engine.relations import at_war, enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Flight, Piece, Stack, State, Units, units_of
from sandtable.world.model import PowerId, SpaceId, World

SCRAMBLE = "scramble"  # the trait of planes that rise from bases, and how many of them a base sends


def note(run: Run, **fields: object) -> None:
    run.emit(SortiesWent(msgspec.structs.replace(run.state.sorties, **fields)))


def base_at(world: World, state: State, power: PowerId, space: SpaceId) -> int:
    """How many planes a working air base of the power's side there sends up; 0: there is none."""
    if not world.spaces[space].is_land or not is_friendly(world, state, power, space):
        return 0
    return max(
        (
            kind.traits[SCRAMBLE]
            for p in state.at(space)
            if (kind := type_of(world, state, p)).domain == "facility"
            and SCRAMBLE in kind.traits
            and works(state, space, kind)
        ),
        default=0,
    )


def interceptors(world: World, state: State, attacker: PowerId, space: SpaceId) -> Iterator[tuple[PowerId, Stack]]:
    """Owners of fighters at a working base who may meet a flight overhead (G40-INT-01, G40-INT-03)."""
    if not world.spaces[space].is_land:
        return
    for power in world.powers:
        if at_war(world, state, power, attacker) and base_at(world, state, power, space):
            free = {
                p: n
                for p, n in state.at(space).items()
                if p.power == power and not p.mark and type_of(world, state, p).intercepts
            }
            if free:
                yield power, free


def record(run: Run, route: tuple[SpaceId, ...], planes: Units) -> None:
    """Remember a flight that crosses enemy land, so that it can be met there before the battles."""
    world, power = run.world, run.power
    hostile = enemies(world, run.state, power)
    if any(run.state.owners.get(space) in hostile for space in route[1:-1]):
        note(run, flights=(*run.state.sorties.flights, Flight(route, planes)))


def over(piece: Piece, route: tuple[SpaceId, ...], step: int) -> Piece:
    """The plane on its way; its `target` is where it was sent."""
    rest = len(route) - 1 - step
    return msgspec.structs.replace(piece, used=piece.used - rest, origin=route[step - 1], target=route[-1])


def fly_on(run: Run, battle: Battle) -> None:
    """Those who came through go on to where they were sent."""
    space = battle.space
    flights = list(run.state.sorties.flights)
    changes: list[Change] = []
    unhurt = dict(battle.group)
    for index, flight in enumerate(flights):
        if space not in flight.route[1:-1] or not flight.planes:
            continue
        step = flight.route.index(space)
        left: list[tuple[Piece, int]] = []
        for piece, n in flight.planes:
            there = over(piece, flight.route, step)
            some = min(n, unhurt.get(there, 0))
            if some:
                unhurt[there] -= some
                left.append((piece, some))
                changes += [Change(space, minus=((there, some),)), Change(flight.route[-1], plus=((piece, some),))]
        flights[index] = msgspec.structs.replace(flight, planes=tuple(left))
    if changes:
        run.emit(FlewOn(run.power, flights[0].route[-1], units_of(battle.group), tuple(changes)))
    note(run, flights=tuple(flights))


def way_back(world: World, state: State, plane: Piece, base: SpaceId, zone: SpaceId) -> SpaceId | None:
    """Where the plane lands after an attack there: at home, else in the nearest friendly land (G40-INT-08)."""
    reach = type_of(world, state, plane).move + lift(world, state, plane, base)
    way = distances(world, state, plane.power, base, reach, over_neutrals=False).get(zone)
    if way is None:
        return None
    left = reach - way
    if way <= left:
        return base
    if distance_to_land(world, state, plane.power).get(zone, 99) > left:
        return None
    near = distances(world, state, plane.power, zone, left, over_neutrals=False)
    lands = [s for s in near if world.spaces[s].is_land and is_friendly(world, state, plane.power, s)]
    return min(lands, key=lambda s: near[s], default=None)
