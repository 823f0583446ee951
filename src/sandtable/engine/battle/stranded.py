"""Fighters that lost their carrier while they defended it: another deck, land near by, or the sea.

Rules: CL-AIR-17 (in the same zone, as soon as the battle is over), AN-SEA-18 (one space, when all battles are over).
Where there is a choice, the owner of the fighters makes it. The attacker's own planes are spared: they still fly in
the non-combat move.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.events import Change, Lost, StrandedLanded
from sandtable.engine.facts import active, amount, deck_space, is_friendly, listed, name
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, in_order
from sandtable.errors import Refusal
from sandtable.notation.orders import Move
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class Stranded(msgspec.Struct, frozen=True):
    """Equal fighters of one owner over a zone, and how many of them each place can take, the likeliest first."""

    zone: SpaceId
    plane: Piece
    count: int
    room: dict[SpaceId, int]


def find_decks(run: Run, zone: SpaceId) -> None:
    """Bring fighters from one zone to safety as far as there is any, without asking."""
    while (found := next(_stranded(run.world, run.state, zone), None)) is not None:
        _land(run, found, next(iter(found.room), None))


def settle(run: Run) -> Stranded | None:
    """Land or lose what has no choice, when all battles are over; then the first fighters that have one."""
    while True:
        found = [group for zone in run.state.fought for group in _stranded(run.world, run.state, zone)]
        forced = next((group for group in found if len(group.room) < 2), None)
        if forced is None:
            return found[0] if found else None
        _land(run, forced, next(iter(forced.room), None))


def may_ask(world: World, state: State) -> bool:
    """Whether there can be such a question at all: a quick look."""
    return world.rules.stranded_fighters == "one-space" and bool(state.fought)


def question(world: World, state: State) -> Stranded | None:
    """The fighters whose owner has to say now where they go, once `settle` has done the rest."""
    if not may_ask(world, state):
        return None
    return next((group for zone in state.fought for group in _stranded(world, state, zone)), None)


def answer(run: Run, asked: Stranded, order: Move) -> None:
    """So many of the fighters go there; if some are left, their owner is asked again."""
    world = run.world
    zone, place = order.route[0], order.route[-1]
    wanted = sum(spec.count for spec in order.units)
    ours = all(spec.type == asked.plane.type and spec.power in (None, asked.plane.power) for spec in order.units)
    if zone != asked.zone or len(order.route) != 2 or place not in asked.room or not ours or order.role:
        raise refusal(world, asked)
    if not 1 <= wanted <= min(asked.count, asked.room[place]):
        most = amount(world, asked.plane.type, min(asked.count, asked.room[place]))
        raise Refusal("no-room-for-stranded-planes", f"No more than {most} can land in {name(world, place)}.", (place,))
    for _ in range(wanted):
        _land(run, asked, place)


def refusal(world: World, asked: Stranded) -> Refusal:
    """Anything but a landing of these fighters has to wait."""
    who = world.powers[asked.plane.power].name
    planes = amount(world, asked.plane.type, asked.count)
    places = listed([name(world, place) for place in asked.room], "or")
    go = "goes" if asked.count == 1 else "go"
    told = f"{who} first has to say where {planes} of a sunken carrier in {name(world, asked.zone)} {go}: {places}."
    return Refusal("stranded-planes-go-first", told, (asked.zone, *asked.room))


def _stranded(world: World, state: State, zone: SpaceId) -> Iterator[Stranded]:
    """Planes over the zone that can neither fly away nor stay: decks are given to the carriers' owners first."""
    if not world.spaces[zone].is_sea:
        return
    stack = state.at(zone)
    attacker = active(world, state)
    owners = {p.power for p in stack if world.units[p.type].deck}
    for side in world.sides:
        room = deck_space(world, stack, side)
        planes = [
            (p, n)
            for p, n in in_order(stack)
            if world.units[p.type].domain == "air" and world.side_of(p.power) == side and p.power != attacker
        ]
        for piece, n in sorted(planes, key=lambda item: item[0].power not in owners):
            stay = min(n, room.get(piece.type, 0))
            room[piece.type] = room.get(piece.type, 0) - stay
            if n > stay:
                yield Stranded(zone, piece, n - stay, dict(_refuges(world, state, zone, piece.power, piece.type)))


def _refuges(world: World, state: State, zone: SpaceId, power: PowerId, plane: UnitId) -> Iterator[tuple[SpaceId, int]]:
    """Where such a plane can go, with room: own land before an ally's, and land before another carrier."""
    near = world.rules.stranded_fighters == "one-space"
    lands = [s for s in world.land[zone] if (near or world.spaces[s].island) and is_friendly(world, state, power, s)]
    for space in sorted(lands, key=lambda s: state.owners.get(s) != power):
        yield space, sum(state.at(zone).values())
    side = world.side_of(power)
    for there in world.sea[zone] if near else ():
        guests = sum(n for p, n in state.at(there).items() if p.type == plane and world.side_of(p.power) == side)
        free = deck_space(world, state.at(there), side).get(plane, 0) - guests
        if free > 0:
            yield there, free


def _land(run: Run, group: Stranded, place: SpaceId | None) -> None:
    """One plane of the group goes there; to nowhere is into the sea."""
    units = ((group.plane, 1),)
    if place is None:
        run.emit(Lost(group.zone, "carrier-sunk", units, (Change(group.zone, minus=units),)))
    else:
        changes = (Change(group.zone, minus=units), Change(place, plus=units))
        run.emit(StrandedLanded(group.plane.power, group.zone, place, units, changes))
