"""Boarding transports."""

from __future__ import annotations

from collections import Counter

import msgspec

from sandtable.engine import access
from sandtable.engine.bases import steps_left
from sandtable.engine.events import Boarded, Change, Restowed
from sandtable.engine.facts import (
    is_hostile_sea,
    name,
    no_border,
    type_of,
)
from sandtable.engine.movement import land
from sandtable.engine.movement.cargo import can_load, cargo_types, has_room
from sandtable.engine.relations import allied, enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, Units, load, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def check_boarding(world: World, state: State, piece: Piece, start: SpaceId, zone: SpaceId, combat: bool) -> None:
    """Refuse a unit that may not board in this zone, apart from the question of room."""
    kind = land.check_free(world, state, piece, combat)
    unit = kind.name
    if zone not in world.neighbours[start]:
        raise no_border(world, start, zone, "no-border-for-boarding")
    if access.is_closed(world, state, piece.power, zone):
        raise access.refusal(world, state, piece.power, zone)
    if piece.used:
        raise Refusal(
            "boarding-after-overland-move",
            f"This {unit} has moved overland and cannot board this turn.",
            (start,),
            rules=kind.cite("boarding-after-overland-move"),
        )
    hostile = is_hostile_sea(world, state, piece.power, zone)
    if hostile and not (combat and _newly_hostile(world, state, piece, zone)):
        raise Refusal(
            "boarding-among-enemies",
            f"Enemy units are in {name(world, zone)}: nothing can be loaded there.",
            (zone,),
        )
    if any(has_room(world, state, t, piece.type) for t in loading(world, state, piece.power, zone)):
        return
    if restowed(world, state, piece.power, piece.type, zone) is None:
        if hostile and any(has_room(world, state, t, piece.type) for t in state.at(zone)):
            raise Refusal(
                "boarding-among-enemies",
                f"Enemy units are in {name(world, zone)}: only transports that lay there before load there.",
                (zone,),
            )
        _refuse_for_room(world, state, piece, unit, zone)


def loading(world: World, state: State, power: PowerId, zone: SpaceId) -> list[Piece]:
    """Transports that the power's units may board in the zone.

    Where a new war has made it hostile, these are its own that have not moved (G40-POL-45).
    """
    ships = [t for t in state.at(zone) if can_load(world, state, power, t)]
    if state.new_wars and is_hostile_sea(world, state, power, zone):
        return [t for t in ships if t.power == power and not t.used]
    return ships


def _newly_hostile(world: World, state: State, piece: Piece, zone: SpaceId) -> bool:
    """Only this turn's declarations of war made the zone hostile, and a transport lay there before (G40-POL-45)."""
    if not state.new_wars:
        return False
    new = {foe for war in state.new_wars if piece.power in war for foe in war}
    old = enemies(world, state, piece.power) - new
    if any(p.power in old and p.mark != "submerged" and type_of(world, state, p).blocks for p in state.at(zone)):
        return False
    return any(p.power == piece.power and not p.used and can_load(world, state, piece.power, p) for p in state.at(zone))


Swap = tuple[tuple[Piece, Piece], tuple[Piece, Piece]]
"""Two transports as they are and as they would be; the first then has room."""


def restowed(world: World, state: State, power: PowerId, unit: UnitId, zone: SpaceId) -> Swap | None:
    """A unit that boarded this turn goes to another ship, so that this one finds room: the order of boarding is free.

    Both ships have to have done the same since, and the passenger must have come aboard this turn.
    """
    ships = [t for t in loading(world, state, power, zone) if t.power == power]
    for full in ships:
        for passenger in dict.fromkeys(p for p in full.cargo if p.used and not p.target):
            rest = list(full.cargo)
            rest.remove(passenger)
            emptied = load(full, rest)
            if not has_room(world, state, emptied, unit):
                continue
            for other in ships:
                alike = load(other, ()) == load(full, ()) and (other != full or state.at(zone)[full] > 1)
                if alike and has_room(world, state, other, passenger.type):
                    return (full, other), (emptied, load(other, (*other.cargo, passenger)))
    return None


def _refuse_for_room(world: World, state: State, piece: Piece, unit: str, zone: SpaceId) -> None:
    ships = [t for t in state.at(zone) if allied(world, state, piece.power, t.power)]
    transports = [t for t in ships if type_of(world, state, t).loads]
    if not transports:
        raise Refusal(
            "no-transport-there",
            f"There is no transport in {name(world, zone)} for the {unit}.",
            (zone,),
        )
    if not any(can_load(world, state, piece.power, t) for t in transports):
        raise Refusal(
            "transports-have-finished",
            f"The transports in {name(world, zone)} have finished their move this turn.",
            (zone,),
        )
    raise Refusal(
        "no-room-aboard",
        f"No transport in {name(world, zone)} has room for the {unit}.",
        (zone,),
        rules=tuple(
            dict.fromkeys(
                rule
                for each in (piece, *(c for t in transports for c in t.cargo), *transports)  # what is aboard may be why
                for rule in type_of(world, state, each).cite("no-room-aboard")
            )
        ),
    )


def named_ship(world: World, state: State, power: PowerId, zone: SpaceId, ship: UnitSpec) -> Piece:
    """The transport of the side that an order names by its owner and cargo. Raises Refusal if there is none."""
    wanted = None if ship.cargo is None else Counter(dict(ship.cargo))
    found = [
        t
        for t in state.at(zone)
        if t.type == ship.type
        and (allied(world, state, power, t.power) if ship.power is None else t.power == ship.power)
        and (wanted is None or +cargo_types(t) == +wanted)
    ]
    if not found:
        raise Refusal(
            "no-such-ship",
            f"There is no such {world.units[ship.type].name} in {name(world, zone)}.",
            (zone,),
        )
    return min(found, key=lambda t: (t.power != power, t.done, bool(t.mark), t.used, piece_key(t)))


def board(
    run: Run, start: SpaceId, zone: SpaceId, units: Units, combat: bool, voyage: int = 0, ship: UnitSpec | None = None
) -> list[Piece]:
    """Put the units aboard, fullest transports first or into the ship named; gives the transports that took them.

    `voyage` is how far the order takes them on: ships that cannot go so far are filled only if there is no other.
    """
    world = run.world
    taken: list[Piece] = []
    only = None if ship is None else named_ship(world, run.state, run.power, zone, ship)
    for piece, n in sorted(units, key=lambda item: -(type_of(world, run.state, item[0]).cost or 0)):  # the bulky first
        for _ in range(n):
            check_boarding(world, run.state, piece, start, zone, combat)
            options = [
                t
                for t in loading(world, run.state, piece.power, zone)
                if has_room(world, run.state, t, piece.type) and (only is None or t == only)
            ]
            if not options and only is None:
                options = [_restow(run, piece.type, zone, taken)]
            elif not options:
                unit = world.units[piece.type].name
                raise Refusal("named-ship-cannot-take-it", f"That transport cannot take the {unit}.", (zone,))
            # own ships first, that can go on; one that this order is filling already, then the fullest, the freshest
            transport = min(
                options,
                key=lambda t: (
                    t.power != piece.power,
                    steps_left(world, run.state, t, zone) < voyage,
                    t not in taken,
                    -len(t.cargo),
                    t.used,
                    piece_key(t),
                ),
            )
            aboard = msgspec.structs.replace(
                piece, used=max(1, type_of(world, run.state, piece).move), origin=start, done=False
            )
            loaded = load(transport, (*transport.cargo, aboard))
            run.emit(
                Boarded(
                    piece.power,
                    (start, zone),
                    ((piece, 1),),
                    (Change(start, minus=((piece, 1),)), Change(zone, ((transport, 1),), ((loaded, 1),))),
                )
            )
            if transport in taken:
                taken.remove(transport)
            taken.append(loaded)
            only = None if only is None else loaded
    return taken


def _restow(run: Run, unit: UnitId, zone: SpaceId, taken: list[Piece]) -> Piece:
    """Shift cargo between two ships; gives the one that has room now. `check_boarding` has seen that it can be done."""
    swap = restowed(run.world, run.state, run.power, unit, zone)
    assert swap is not None
    before, after = swap
    changes = (Change(zone, tuple((t, 1) for t in before), tuple((t, 1) for t in after)),)
    run.emit(Restowed(run.power, zone, changes))
    for old, new in zip(before, after, strict=True):
        if old in taken:
            taken.remove(old)
            taken.append(new)
    return after[0]
