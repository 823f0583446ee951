"""Fighters that lost their carrier while they defended it: another deck, land near by, or the sea.

Rules: CL-AIR-17 (in the same zone, as soon as the battle is over), AN-SEA-18 (one space, when all battles are over).
Where there is a choice, the owner of the fighters makes it. The attacker's own planes are spared: they still fly in
the non-combat move.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine import access
from sandtable.engine.events import Change, Loss, Lost, StrandedLanded
from sandtable.engine.facts import active, deck_space, is_friendly, settle_on, trapped, type_of
from sandtable.engine.relations import enemies, friends
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State, in_order
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class Stranded(msgspec.Struct, frozen=True):
    """Equal fighters of one owner over a zone, and how many of them each place can take, the likeliest first."""

    zone: SpaceId
    plane: Piece
    count: int
    room: dict[SpaceId, int]


def find_decks(run: Run, zone: SpaceId) -> None:
    """Bring fighters from one zone to safety as far as there is any, without asking."""
    while (found := next(groups(run.world, run.state, zone), None)) is not None:
        land(run, found, next(iter(found.room), None))


def settle(run: Run) -> bool:
    """Land or lose what has no choice, when all battles are over; ask about the first that have one. True: asked."""
    while True:
        home(run)
        found = [group for zone in _places(run.world, run.state) for group in groups(run.world, run.state, zone)]
        if not found:
            return False
        forced = next((group for group in found if len(group.room) < 2), None)
        if forced is None:
            run.ask(ask_about(found[0]))
            return True
        land(run, forced, next(iter(forced.room), None))


def home(run: Run) -> None:
    """Scrambled planes go back to the base from which they rose, if it is still a friend's (G40-SCR-08, G40-SCR-09)."""
    world = run.world
    for zone, stack in list(run.state.units.items()):
        for piece, n in in_order(stack):
            base = piece.target if piece.mark in ("scrambled", "returned", "off") and piece.power != run.power else ""
            if base and is_friendly(world, run.state, piece.power, base):
                back = msgspec.structs.replace(piece, mark="returned", target="")
                changes = (Change(zone, minus=((piece, n),)), Change(base, plus=((back, n),)))
                run.emit(StrandedLanded(piece.power, zone, base, ((piece, n),), changes))


def _places(world: World, state: State) -> list[SpaceId]:
    """Where planes may have lost their home: where battles were, and in land that has been taken this turn."""
    taken = (s for s, owner in state.owners.items() if state.start_owners.get(s) != owner)
    return list(dict.fromkeys((*state.fought, *taken)))


def ask_about(group: Stranded) -> Question:
    return Question(
        "stranded",
        group.plane.power,
        group.zone,
        count=group.count,
        units=((group.plane, group.count),),
        places=tuple(group.room),
    )


def groups(world: World, state: State, zone: SpaceId) -> Iterator[Stranded]:
    """Planes over the zone that can neither fly away nor stay: decks are given to the carriers' owners first."""
    stack = state.at(zone)
    attacker = active(world, state)
    if world.spaces[zone].is_land:
        yield from _without_base(world, state, zone)
        return
    caught = dict(trapped(world, state, zone, stack))
    owners = {p.power for p in stack if type_of(world, state, p).deck}
    for ours in dict.fromkeys(friends(world, state, p.power) for p, _ in in_order(stack)):
        room = deck_space(world, state, stack, ours)
        planes = [
            (p, n - caught.get(p, 0))
            for p, n in in_order(stack)
            if world.units[p.type].domain == "air" and p.power in ours and p.power != attacker
        ]
        for piece, n in sorted(planes, key=lambda item: item[0].power not in owners):
            stay = settle_on(room, piece.type, n)
            if n > stay:
                yield Stranded(zone, piece, n - stay, dict(_refuges(world, state, zone, piece.power, piece.type)))


def _without_base(world: World, state: State, space: SpaceId) -> Iterator[Stranded]:
    """Defending planes in land that has fallen (G40-AIR-19)."""
    if not world.rules.planes_evacuate or space not in state.owners:
        return
    for piece, n in in_order(state.at(space)):
        hostile = piece.power in enemies(world, state, state.owners[space]) and piece.power != active(world, state)
        if hostile and world.units[piece.type].domain == "air":
            yield Stranded(space, piece, n, dict(_refuges(world, state, space, piece.power, piece.type)))


def _refuges(world: World, state: State, zone: SpaceId, power: PowerId, plane: UnitId) -> Iterator[tuple[SpaceId, int]]:
    """Where such a plane can go, with room: own land before an ally's, and land before another carrier."""
    near = world.rules.stranded_reach == "one-space"
    lands = [
        s
        for s in world.land[zone]
        if (near or world.spaces[s].island)
        and is_friendly(world, state, power, s)
        and not access.is_closed(world, state, power, s)
    ]
    for space in sorted(lands, key=lambda s: state.owners.get(s) != power):
        yield space, sum(state.at(zone).values())
    ours = friends(world, state, power)
    for there in world.sea[zone] if near else ():
        guests = sum(n for p, n in state.at(there).items() if p.type == plane and p.power in ours)
        free = deck_space(world, state, state.at(there), ours).get(plane, 0) - guests
        if free > 0:
            yield there, free


def land(run: Run, group: Stranded, place: SpaceId | None) -> None:
    """One plane of the group goes there; to nowhere is into the sea."""
    units = ((group.plane, 1),)
    if place is None:
        cause: Loss = "carrier-sunk" if run.world.spaces[group.zone].is_sea else "captured-base"
        run.emit(Lost(group.zone, cause, units, (Change(group.zone, minus=units),)))
    else:
        changes = (Change(group.zone, minus=units), Change(place, plus=units))
        run.emit(StrandedLanded(group.plane.power, group.zone, place, units, changes))
