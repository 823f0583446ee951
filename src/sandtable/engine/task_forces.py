"""Naval task forces: an assault past enemy ships that an Attack and an Invasion Fleet share (MX07-01 to MX07-16).

Ships that were put into the Invasion Fleet are marked (`Piece.fleet`), with the planes aboard them; all others are in
the Attack Fleet. Without a marked ship the assault is undivided, and everything is as it always was.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.engine.events import Change, Fleet, FleetJoined, Withdrew
from sandtable.engine.facts import describe, has_enemies, means, name, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, State, Units, in_order, load, piece_key, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import Assign
from sandtable.world.model import PowerId, SpaceId, UnitId, World

FLEETS: tuple[Fleet, ...] = ("attack", "invasion")


def is_divided(state: State, power: PowerId, zone: SpaceId) -> bool:
    """The power has an Invasion Fleet there."""
    return any(p.fleet and p.power == power for p in state.at(zone))


def invasion_fleet(state: State, power: PowerId, zone: SpaceId) -> Stack:
    """Its ships and the planes aboard."""
    return {p: n for p, n in state.at(zone).items() if p.fleet and p.power == power}


def zones(world: World, state: State, power: PowerId) -> list[SpaceId]:
    """Where the power's ships could be divided now."""
    if not world.rules.task_forces:
        return []
    return [
        zone
        for zone in world.spaces
        if world.spaces[zone].is_sea
        and any(p.power == power and world.units[p.type].domain == "sea" for p in state.at(zone))
        and has_enemies(world, state, power, zone)
    ]


# ---------------------------------------------------------------- forming them


def assign(run: Run, order: Assign) -> None:
    """Ships that are in the zone, moved this turn or not, join a fleet."""
    world, power = run.world, run.power
    fleet = check_role(world, run.state, power, order.space, order.role)
    ships: dict[Piece, int] = {}
    for spec in order.units:
        if spec.power not in (None, power):
            raise Refusal("units-of-another-power", "Every power divides its own ships only.", (order.space,))
        if world.units[spec.type].domain != "sea":
            raise Refusal("only-ships-join-fleets", "Ships join a fleet, with what is aboard them.", (order.space,))
        here = {
            p: n - ships.get(p, 0) for p, n in run.state.at(order.space).items() if p.power == power and means(spec, p)
        }
        left = spec.count
        for piece in sorted(here, key=lambda p: _fitness(p, fleet)):
            some = min(left, here[piece])
            if some:
                ships[piece] = ships.get(piece, 0) + some
                left -= some
        if left or spec.count < 1:
            there = describe(world, tuple(here.items())) or "none"
            raise Refusal("too-few-ships-to-assign", f"There are not so many: {there}.", (order.space,))
    join(run, order.space, units_of(ships), fleet)
    check_carriers(world, run.state, power)


def _fitness(piece: Piece, fleet: Fleet) -> tuple[object, ...]:
    """Those first that are not in the fleet yet, and of transports those that are to land something, or not."""
    lands, invades = any(c.target for c in piece.cargo), fleet == "invasion"
    return bool(piece.fleet) == invades, lands != invades, len(piece.marks), piece_key(piece)


def check_role(world: World, state: State, power: PowerId, zone: SpaceId, role: str) -> Fleet:
    """The fleet that is meant, if there can be one in the zone."""
    if not world.rules.task_forces:
        raise Refusal("no-task-forces", "There are no task forces in this game: all ships of a zone fight.", (zone,))
    for fleet in FLEETS:
        if role == fleet:
            if not world.spaces[zone].is_sea or not has_enemies(world, state, power, zone):
                text = f"No enemy ships are in {name(world, zone)}: there are no task forces to form."
                raise Refusal("no-enemies-to-divide-for", text, (zone,))
            return fleet
    raise Refusal("no-such-fleet", f"A ship can be sent as `attack` or `invasion`, not as `{role}`.", (zone,))


def join(run: Run, zone: SpaceId, ships: Units, fleet: Fleet) -> None:
    """Put ships into a fleet, with the planes that they carry."""
    world, state, power = run.world, run.state, run.power
    mark: str = "invasion" if fleet == "invasion" else ""
    changing = [(p, n) for p, n in ships if p.fleet != mark]
    room: dict[UnitId, int] = {}
    for ship, n in changing:
        for unit, places in type_of(world, state, ship).deck.items():
            room[unit] = room.get(unit, 0) + places * n
    for plane, n in in_order(state.at(zone)):
        aboard = plane.power == power and plane.fleet != mark and (plane.target or not plane.origin)
        some = min(n, room.get(plane.type, 0)) if aboard else 0
        if some:
            room[plane.type] -= some
            changing.append((plane, some))
    if changing:
        before = tuple(changing)
        after = tuple((msgspec.structs.replace(p, fleet=mark), n) for p, n in before)
        run.emit(FleetJoined(power, zone, fleet, before, (Change(zone, before, after),)))


def check_carriers(world: World, state: State, power: PowerId) -> None:
    """Refuse a carrier in one half of an assault while its planes fight in the other (MX07-09)."""
    for zone in _divided_zones(state, power):
        shores = {c.target for t in state.at(zone) for c in t.cargo if c.target and c.power == power}
        over_land = [p for shore in shores for p in state.at(shore).items()]
        for home in {p.home or zone for p in state.at(zone) if p.power == power and type_of(world, state, p).deck}:
            if not _decks_suffice(world, state, power, zone, home, over_land):
                raise Refusal(
                    "carrier-and-planes-apart",
                    f"A carrier and its planes belong to one fleet: those from {name(world, home)} are in both halves.",
                    (zone,),
                )


def _decks_suffice(
    world: World, state: State, power: PowerId, zone: SpaceId, home: SpaceId, over_land: list[tuple[Piece, int]]
) -> bool:
    """Every plane from this zone can belong to a carrier that is not in the other half than itself."""
    decks: dict[str, int] = {"attack": 0, "invasion": 0, "": 0}  # places on carriers by fleet; in neither
    for space, stack in state.units.items():
        for ship, n in stack.items():
            if ship.power == power and (ship.home or space) == home:
                half = "" if space != zone else "invasion" if ship.fleet else "attack"
                decks[half] += n * max(type_of(world, state, ship).deck.values(), default=0)

    def planes(units: Iterable[tuple[Piece, int]], here: SpaceId) -> int:
        return sum(
            n
            for p, n in units
            if p.power == power and not p.fleet and world.units[p.type].domain == "air" and (p.home or here) == home
        )

    at_sea, on_land = planes(state.at(zone).items(), zone), planes(over_land, "")
    return at_sea <= decks["attack"] + decks[""] and on_land <= decks["invasion"] + decks[""]


def check_division(world: World, state: State, power: PowerId) -> None:
    """Refuse to end the combat move with half a division."""
    if not world.rules.task_forces:
        return
    for zone in _divided_zones(state, power):
        mine = [p for p in state.at(zone) if p.power == power]
        if not any(not p.fleet and world.units[p.type].domain == "sea" for p in mine):
            text = f"The Attack Fleet in {name(world, zone)} needs a ship: `assign 1 submarine: {zone} as attack`."
            raise Refusal("both-fleets-need-ships", text, (zone,))
        if not any(p.fleet and any(c.target for c in p.cargo) for p in mine):
            text = f"The Invasion Fleet in {name(world, zone)} needs a transport whose troops are to land."
            raise Refusal("both-fleets-need-ships", text, (zone,))
        if any(not p.fleet and any(c.target for c in p.cargo) for p in mine):
            text = f"Troops aboard the Attack Fleet in {name(world, zone)} cannot land: assign their ship as invasion."
            raise Refusal("attack-fleet-lands-nothing", text, (zone,))
    check_carriers(world, state, power)


def _divided_zones(state: State, power: PowerId) -> list[SpaceId]:
    return [zone for zone in state.units if is_divided(state, power, zone)]


# ---------------------------------------------------------------- going back


def leave(run: Run, power: PowerId, zone: SpaceId, place: SpaceId) -> None:
    """The Invasion Fleet goes to another zone, and its carriers' planes give up their attack (MX07-05, MX07-06)."""
    world = run.world
    fleet = invasion_fleet(run.state, power, zone)
    if not fleet:
        return
    _call_planes_off(run, power, zone, fleet)
    units = units_of(fleet)
    after = tuple((_calm(p), n) for p, n in units)
    changes = (Change(zone, minus=units), Change(place, plus=after))
    ships = tuple((p, n) for p, n in units if world.units[p.type].domain == "sea")
    run.emit(Withdrew(power, zone, place, ships, changes, "retreat"))


def _calm(piece: Piece) -> Piece:
    """A piece that went back: done for the turn, its landing called off."""
    cargo = tuple(msgspec.structs.replace(c, target="") for c in piece.cargo)
    return msgspec.structs.replace(load(piece, cargo), done=True, origin="", target="", fleet="")


def _call_planes_off(run: Run, power: PowerId, zone: SpaceId, fleet: Stack) -> None:
    """As many planes of these carriers as they can hold leave the fight on land; they land later."""
    world = run.world
    shores = {c.target for t in fleet for c in t.cargo if c.target}
    room: dict[SpaceId, int] = {}
    for ship, n in fleet.items():
        home = ship.home or zone
        room[home] = room.get(home, 0) + n * max(type_of(world, run.state, ship).deck.values(), default=0)
    for shore in sorted(shores):
        units = []
        for plane, n in in_order(run.state.at(shore)):
            some = min(n, room.get(plane.home, 0)) if plane.power == power and not plane.mark and plane.home else 0
            if some:
                room[plane.home] -= some
                units.append((plane, some))
        if units:
            after = tuple((msgspec.structs.replace(p, mark="off"), n) for p, n in units)
            changes = (Change(shore, tuple(units), after),)
            run.emit(Withdrew(power, shore, shore, tuple(units), changes, "planes"))
