"""Planes that go along when a carrier sails: those named, and those that would be left without a deck.

Where fighters are carried (Classic), a carrier takes its own along as it came, as cargo that flies no more this turn;
elsewhere they fly beside it with their own range (AN-CMV-32). Allied planes are cargo everywhere. Planes that follow a
carrier into battle without being told to can still be sent elsewhere, from where the carrier was: they take off before
it moves (CL-AIR-10).
"""

from __future__ import annotations

import msgspec

from sandtable.engine.bases import steps_left
from sandtable.engine.events import Change, Restowed
from sandtable.engine.facts import deck_space, settle_on, trapped, type_of
from sandtable.engine.movement.landing import may_ride
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, State, Units, add, count, in_order, take
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import SpaceId, UnitId, World


def going_along(run: Run, route: tuple[SpaceId, ...], ships: Units, named: list[UnitSpec]) -> Units:
    """The planes that leave with these ships. What is named and cannot ride stays in `named`, to fly on its own."""
    world, state, power = run.world, run.state, run.power
    ours = friends(world, state, power)
    here = state.at(route[0])
    room = deck_space(world, state, dict(ships), ours)
    staying = add({}, ((p, n - dict(ships).get(p, 0)) for p, n in here.items()))
    left_room = deck_space(world, state, staying, ours)
    chosen: dict[Piece, int] = {}
    for plane in room:
        present = {p: n for p, n in here.items() if p.type == plane and p.power in ours and not p.origin}
        able = {p: n for p, n in present.items() if _can_go(run, p, ships, route[0], len(route) - 1)}
        own = {p: n for p, n in able.items() if p.power == power}
        wanted = _take_named(named, plane, min(count(own), room[plane]))
        places = max(0, left_room.get(plane, 0) - (count(present) - count(able)))
        if world.rules.planes_follow:
            groups = [(able, min(room[plane], max(wanted, count(able) - places)))]
        else:  # one's own are sent where they are wanted; guests are cargo all the same
            guests = {p: n for p, n in able.items() if p not in own}
            groups = [(own, wanted), (guests, min(room[plane] - wanted, max(0, count(guests) - places)))]
        for group, going in groups:
            for piece, n in sorted(in_order(group), key=lambda item: item[0].power != power):
                some = min(going, n)
                if some > 0:
                    chosen[piece] = some
                    going -= some
                    settle_on(room, plane, some)
    return tuple(chosen.items())


def caught_aboard(run: Run, start: SpaceId, ships: Units) -> Units:
    """The planes that cannot leave the damaged carriers among these ships; those that stay keep as many as fit."""
    world, state = run.world, run.state
    here = state.at(start)
    caught = trapped(world, state, start, here)
    if not caught:
        return ()
    staying = _broken_room(world, state, take(here, ships))
    going = max(0, min(_broken_room(world, state, dict(ships)), count(dict(caught)) - staying))
    found = []
    for plane, n in caught:
        some = min(going, n)
        going -= some
        if some:
            found.append((plane, some))
    return tuple(found)


def _broken_room(world: World, state: State, stack: Stack) -> int:
    """Places on carriers that are too damaged to launch anything."""
    broken = ((type_of(world, state, p), n) for p, n in stack.items() if p.hits)
    return sum(max(kind.deck.values()) * n for kind, n in broken if kind.deck_fails)


def recall(run: Run, order: Move) -> None:
    """Bring planes back that followed their carrier into battle, if the order wants them to fly from where it was."""
    start = order.route[0]
    for spec in order.units:
        missing = spec.count - count(run.state.at(start), power=run.power, unit=spec.type)
        if missing <= 0:
            continue
        for space, stack in list(run.state.units.items()):
            for piece, n in in_order(stack):
                if missing > 0 and (piece.power, piece.type, piece.target) == (run.power, spec.type, start):
                    some = min(n, missing)
                    missing -= some
                    back = Piece(piece.power, piece.type, hits=piece.hits, marks=piece.marks)
                    changes = (Change(space, minus=((piece, some),)), Change(start, plus=((back, some),)))
                    run.emit(Restowed(run.power, start, changes))


def _can_go(run: Run, plane: Piece, ships: Units, start: SpaceId, distance: int) -> bool:
    world = run.world
    if plane.power != run.power or world.rules.fighters_carried:
        return any(may_ride(world, plane, ship) for ship, _ in ships if type_of(world, run.state, ship).deck)
    return not plane.done and steps_left(world, run.state, plane, start) >= distance


def _take_named(named: list[UnitSpec], plane: UnitId, most: int) -> int:
    """How many of these planes are named and can ride; the rest of the order is left in the list."""
    wanted = 0
    for place, spec in enumerate(list(named)):
        if spec.type == plane:
            some = min(spec.count, most - wanted)
            wanted += some
            named[place] = msgspec.structs.replace(spec, count=spec.count - some)
    named[:] = [spec for spec in named if spec.count]
    return wanted
