"""Boarding transports and going ashore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from sandtable.engine import access
from sandtable.engine.capture import capture
from sandtable.engine.events import Boarded, Change, Landed, LandingDeclared, Restowed
from sandtable.engine.facts import (
    Knowing,
    all_such,
    amount,
    has_enemies,
    is_hostile_sea,
    name,
    no_border,
    spare_money,
    taken_this_turn,
    type_of,
)
from sandtable.engine.movement import land
from sandtable.engine.neutral import join, violate
from sandtable.engine.relations import allied
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, State, Units, in_order, load, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def fits(loads: Iterable[Mapping[UnitId, int]], cargo: Counter[UnitId]) -> bool:
    """Whether the cargo is a part of one of the full loads (CL-TRP-01)."""
    return any(all(cargo[u] <= full.get(u, 0) for u in cargo) for full in loads)


def cargo_types(transport: Piece) -> Counter[UnitId]:
    return Counter(p.type for p in transport.cargo)


def has_room(world: World, state: Knowing, transport: Piece, unit: UnitId) -> bool:
    cargo = cargo_types(transport)
    cargo[unit] += 1
    return fits(type_of(world, state, transport).loads, cargo)


def can_load(world: World, state: State, power: PowerId, transport: Piece) -> bool:
    """An own transport that has not unloaded or finished, or one of an ally (CL-TRP-15)."""
    if not type_of(world, state, transport).loads or not allied(world, state, power, transport.power):
        return False
    return transport.power != power or (not transport.done and not transport.mark)


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
            "boarding-after-overland-move", f"This {unit} has moved overland and cannot board this turn.", (start,)
        )
    if is_hostile_sea(world, state, piece.power, zone):
        raise Refusal(
            "boarding-among-enemies",
            f"Enemy units are in {name(world, zone)}: nothing can be loaded there.",
            (zone,),
        )
    if any(can_load(world, state, piece.power, t) and has_room(world, state, t, piece.type) for t in state.at(zone)):
        return
    if restowed(world, state, piece.power, piece.type, zone) is None:
        _refuse_for_room(world, state, piece, unit, zone)


Swap = tuple[tuple[Piece, Piece], tuple[Piece, Piece]]
"""Two transports as they are and as they would be; the first then has room."""


def restowed(world: World, state: State, power: PowerId, unit: UnitId, zone: SpaceId) -> Swap | None:
    """A unit that boarded this turn goes to another ship, so that this one finds room: the order of boarding is free.

    Both ships have to have done the same since, and the passenger must have come aboard this turn.
    """
    ships = [t for t in state.at(zone) if t.power == power and can_load(world, state, power, t)]
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
                for t in run.state.at(zone)
                if can_load(world, run.state, piece.power, t)
                and has_room(world, run.state, t, piece.type)
                and (only is None or t == only)
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
                    type_of(world, run.state, t).move - t.used < voyage,
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


def aboard(state: State, power: PowerId, zone: SpaceId) -> Counter[UnitId]:
    """The power's land units aboard ships in the zone that have not declared a landing."""
    total: Counter[UnitId] = Counter()
    for transport, n in state.at(zone).items():
        for piece in transport.cargo:
            if piece.power == power and not piece.target:
                total[piece.type] += n
    return total


def check_ashore(
    world: World, state: State, power: PowerId, unit: UnitId, zone: SpaceId, shore: SpaceId, combat: bool
) -> None:
    """Refuse a landing for reasons of place, phase or unit type."""
    kind = world.units[unit]
    if shore not in world.neighbours[zone]:
        raise no_border(world, zone, shore, "no-border-for-landing")
    where = land.ground(world, state, power, shore)
    if where == "barred":
        raise access.refusal(world, state, power, shore)
    if not kind.attacks and (combat or where != "friendly"):
        raise Refusal(
            "gun-lands-among-friends-only",
            f"{all_such(kind)} land on friendly coasts only, in the non-combat move.",
            (shore,),
        )
    if where == "leaning" and combat:
        text = f"{name(world, shore)} leans to your side: units go ashore there in the non-combat move."
        raise Refusal("leaning-land-in-combat-move", text, (shore,))
    if combat:
        if where == "friendly" and not taken_this_turn(world, state, power, shore):
            raise Refusal(
                "friendly-coast-in-combat-move",
                f"{name(world, shore)} is friendly: units go ashore there in the non-combat move.",
                (shore,),
            )
        fee = world.rules.neutral_fee or 0
        if where == "neutral" and spare_money(world, state, power, shore) < fee:
            raise Refusal(
                "neutral-coast-too-dear",
                f"Entering neutral {name(world, shore)} costs {fee}, and there is too little money.",
                (shore,),
            )
    elif where not in ("friendly", "leaning"):
        raise Refusal(
            "unfriendly-coast-in-noncombat",
            f"{name(world, shore)} is not friendly: no landing there in the non-combat move.",
            (shore,),
        )


def may_land(piece: Piece, transport: Piece, power: PowerId) -> bool:
    """Own cargo without a landing yet; aboard an ally's ship it lands on a later turn than it boarded (CL-TRP-15)."""
    return piece.power == power and not piece.target and (transport.power == power or not piece.used)


def carriers_of_cargo(
    world: World,
    state: State,
    power: PowerId,
    unit: UnitId,
    zone: SpaceId,
    shore: SpaceId,
    number: int,
    only: list[Piece] | None,
) -> list[Piece]:
    """Transports from which one such unit may go ashore now, the best to use first; `number` units are to follow."""
    found = []
    for transport in state.at(zone):
        if only is not None and transport not in only:
            continue
        if transport.done and transport.power == power:
            continue
        if transport.target and transport.target != shore:
            continue  # it has put units ashore somewhere else (AN-CMV-25)
        if any(p.type == unit and may_land(p, transport, power) for p in transport.cargo):
            found.append(transport)

    def fit(transport: Piece) -> tuple[int, int]:
        """Where a ship serves one shore only: one that is emptied just so, else a smaller one, else the smallest."""
        size = len(transport.cargo)
        if not world.rules.one_shore or size == number:
            return (0, 0)
        return (1, -size) if size < number else (2, size)

    return sorted(
        found, key=lambda t: (t.mark != "unloaded", t.power != power, fit(t), -t.used, len(t.cargo), piece_key(t))
    )


def go_ashore(
    run: Run,
    zone: SpaceId,
    shore: SpaceId,
    wanted: list[tuple[UnitId, int]],
    combat: bool,
    only: list[Piece] | None = None,
) -> None:
    """Land units from transports in the zone; in an assault among enemy ships the landing is only declared."""
    world, power = run.world, run.power
    hostile = is_hostile_sea(world, run.state, power, zone)
    if hostile and not combat:
        text = f"Enemy units are in {name(world, zone)}: nothing is landed from there in the non-combat move."
        raise Refusal("landing-among-enemies-in-noncombat", text, (zone,))
    among_enemies = combat and has_enemies(world, run.state, power, zone)
    left = sum(n for _, n in wanted)
    for unit, n in wanted:
        check_ashore(world, run.state, power, unit, zone, shore, combat)
        for _ in range(n):
            transport = _pick_transport(run, unit, zone, shore, left, only)
            left -= 1
            if hostile and transport.power != power:
                raise Refusal(
                    "enemy-ships-before-allied-landing",
                    f"Enemy ships in {name(world, zone)} must be beaten before anything lands from allied transports.",
                    (zone,),
                )
            piece = min(
                (p for p in transport.cargo if p.type == unit and may_land(p, transport, power)),
                key=piece_key,
            )
            rest = list(transport.cargo)
            rest.remove(piece)
            used = msgspec.structs.replace(transport, mark="unloaded")
            if world.rules.one_shore:
                used = msgspec.structs.replace(used, target=shore, ashore=tuple(sorted((*used.ashore, unit))))
            if hostile or (among_enemies and transport.power == power):
                after = load(used, (*rest, msgspec.structs.replace(piece, target=shore)))
                changes = (Change(zone, ((transport, 1),), ((after, 1),)),)
                run.emit(LandingDeclared(power, (zone, shore), ((piece, 1),), changes))
            else:
                after = load(used, rest)
                step_ashore(run, piece, zone, shore, transport, after)
            if only is not None:
                only.remove(transport)
                only.append(after)


def _pick_transport(
    run: Run, unit: UnitId, zone: SpaceId, shore: SpaceId, number: int, only: list[Piece] | None
) -> Piece:
    world, state, power = run.world, run.state, run.power
    options = carriers_of_cargo(world, state, power, unit, zone, shore, number, only)
    if not options and only is None and world.rules.one_shore and _rearrange(run, unit, zone, shore):
        options = carriers_of_cargo(world, run.state, power, unit, zone, shore, number, only)
    if options:
        return options[0]
    kind = amount(world, unit, 1)
    holders = [t for t in state.at(zone) if any(p.type == unit for p in t.cargo)]
    if any(p.type == unit and p.power == power and t.power != power for t in holders for p in t.cargo):
        raise Refusal(
            "boarded-allied-ship-this-turn", "Units that boarded an ally's transport land on a later turn.", (zone,)
        )
    if any(t.target not in ("", shore) and not t.done for t in holders):
        raise Refusal(
            "one-shore-for-a-transport", "A transport puts all its units ashore in one territory.", (zone, shore)
        )
    if any(p.type == unit and p.power == power for t in holders for p in t.cargo):
        raise Refusal(
            "transport-unloads-no-more",
            f"The transports in {name(world, zone)} moved in the combat move and unload nothing more this turn.",
            (zone,),
        )
    if holders:
        raise Refusal("allied-cargo-waits", f"An ally's {world.units[unit].name} goes ashore on its owner's turn only.")
    raise Refusal("nothing-of-the-kind-aboard", f"There is no {kind[2:]} aboard in {name(world, zone)}.", (zone,))


def _rearrange(run: Run, unit: UnitId, zone: SpaceId, shore: SpaceId) -> bool:
    """Find ships for all that went ashore here, and for such a unit as well, so that each of them serves one shore.

    Pieces have no names, so which of several ships a landed infantry was aboard is settled by what follows (AN-CMV-25).
    """
    power = run.power
    ships = [
        t
        for t, n in in_order(run.state.at(zone))
        for _ in range(n)
        if t.power == power
        and t.cargo + t.ashore
        and not t.done
        and not any(c.target or c.power != power for c in t.cargo)
    ]
    landed: dict[SpaceId, Counter[UnitId]] = {shore: Counter()}
    for ship in ships:
        if ship.target:
            landed.setdefault(ship.target, Counter()).update(ship.ashore)
    landed[shore][unit] += 1
    shares = _shares([cargo_types(t) + Counter(t.ashore) for t in ships], landed)
    if shares is None:
        return False
    pool = sorted((p for t in ships for p in t.cargo), key=piece_key)
    after = []
    waits = True  # one such unit is still aboard
    for ship, (place, share) in zip(ships, shares, strict=True):
        loads = cargo_types(ship) + Counter(ship.ashore)
        if waits and place == shore and share[unit]:
            share[unit] -= 1
            waits = False
        gone = tuple(sorted(share.elements()))
        aboard = []
        for kind in (loads - share).elements():
            piece = next(p for p in pool if p.type == kind)
            pool.remove(piece)
            aboard.append(piece)
        served = msgspec.structs.replace(
            ship, mark="unloaded" if gone else "", target=place if gone else "", ashore=gone
        )
        after.append(load(served, aboard))
    changes = (Change(zone, tuple(Counter(ships).items()), tuple(Counter(after).items())),)
    run.emit(Restowed(power, zone, changes))
    return True


Share = tuple[SpaceId, Counter[UnitId]]
"""The shore that a ship serves, and what it puts ashore there."""


def _shares(loads: list[Counter[UnitId]], landed: Mapping[SpaceId, Counter[UnitId]]) -> list[Share] | None:
    """What each ship put ashore where, if it can be shared out so that each served one shore."""
    left = {shore: +units for shore, units in landed.items() if +units}
    if not left:
        return [("", Counter()) for _ in loads]
    if not loads:
        return None
    for shore, units in left.items():
        share = loads[0] & units
        if share:
            rest = _shares(loads[1:], {**left, shore: units - share})
            if rest is not None:
                return [(shore, share), *rest]
    rest = _shares(loads[1:], left)
    return None if rest is None else [("", Counter()), *rest]


def step_ashore(run: Run, piece: Piece, zone: SpaceId, shore: SpaceId, transport: Piece, emptied: Piece) -> None:
    """One unit leaves its transport and stands on the shore; an undefended shore is taken at once."""
    world = run.world
    where = land.ground(world, run.state, piece.power, shore)
    landed = Piece(
        piece.power,
        piece.type,
        used=max(1, type_of(world, run.state, piece).move),
        origin=zone,
        done=True,
        hits=piece.hits,
        marks=piece.marks,
    )
    changes = (Change(zone, ((transport, 1),), ((emptied, 1),)), Change(shore, plus=((landed, 1),)))
    run.emit(Landed(piece.power, (zone, shore), ((piece, 1),), changes))
    if where == "leaning":
        join(run, piece.power, shore)
    if where == "neutral":
        violate(run, piece.power, shore)
    if land.falls(world, where) and type_of(world, run.state, piece).captures:
        capture(run, shore, piece.power)


def named_transports(stack: Stack, power: PowerId, unit: UnitId, cargo: Counter[UnitId], n: int) -> list[Piece] | None:
    """Transports of this type whose cargo together is exactly what was named; None if there are none."""
    ships = [(t, k) for t, k in in_order(stack) if t.power == power and t.type == unit]
    ships.sort(key=lambda item: -len(item[0].cargo))

    def choose(place: int, left: Counter[UnitId], wanted: int) -> list[Piece] | None:
        if not wanted or place == len(ships):
            return None if wanted or +left else []
        ship, number = ships[place]
        for some in range(min(number, wanted), -1, -1):
            loaded = Counter({u: k * some for u, k in cargo_types(ship).items()})
            if loaded <= left:
                rest = choose(place + 1, left - loaded, wanted - some)
                if rest is not None:
                    return [ship] * some + rest
        return None

    return choose(0, Counter(cargo), n)
