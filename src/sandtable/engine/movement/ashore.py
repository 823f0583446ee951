"""Going ashore from transports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from sandtable.engine import access
from sandtable.engine.capture import capture
from sandtable.engine.events import Change, Landed, LandingDeclared, Restowed
from sandtable.engine.facts import (
    all_such,
    amount,
    can_be_fought,
    has_enemies,
    is_hostile_sea,
    name,
    no_border,
    spare_money,
    taken_this_turn,
    type_of,
    unit_type,
)
from sandtable.engine.movement import land
from sandtable.engine.movement.cargo import cargo_types
from sandtable.engine.neutral import violate
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, in_order, load, piece_key
from sandtable.engine.task_forces import is_divided
from sandtable.errors import Refusal
from sandtable.world.conditions import WARSHIPS, unit_kinds
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def check_ashore(
    world: World, state: State, power: PowerId, unit: UnitId, zone: SpaceId, shore: SpaceId, combat: bool
) -> None:
    """Refuse a landing for reasons of place, phase or unit type."""
    kind = unit_type(world, state, power, unit)
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
    if not kind.assaults and combat:
        raise Refusal(
            "no-assault-by-such-units",
            f"{all_such(kind)} take no part in an assault from the sea: they land in the non-combat move.",
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
        fee = world.rules.neutral_fee
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
            rules=kind.cite("unfriendly-coast-in-noncombat"),
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
    divided = is_divided(state, power, zone)
    for transport in state.at(zone):
        if only is not None and transport not in only:
            continue
        if divided and not transport.fleet:
            continue  # the Attack Fleet lands nothing (MX07-07)
        if transport.done and transport.power == power and unit_type(world, state, power, unit).assaults:
            continue  # who cannot assault may follow from ships that sailed before the battles (MX08-12)
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
    if among_enemies and not hostile:
        _check_guard(world, run.state, power, zone)
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
            waits = world.rules.landings_wait and combat and not taken_this_turn(world, run.state, power, shore)
            if hostile or waits or (among_enemies and transport.power == power):
                after = load(used, (*rest, msgspec.structs.replace(piece, target=shore)))
                changes = (Change(zone, ((transport, 1),), ((after, 1),)),)
                run.emit(LandingDeclared(power, (zone, shore), ((piece, 1),), changes))
            else:
                after = load(used, rest)
                step_ashore(run, piece, zone, shore, transport, after)
            if only is not None:
                only.remove(transport)
                only.append(after)


def _check_guard(world: World, state: State, power: PowerId, zone: SpaceId) -> None:
    """Beside submarines that are left alone, nothing lands without a warship of one's own (G40-TRN-14)."""
    if not world.rules.landings_need_warship:
        return
    hostile = enemies(world, state, power)
    boats = any(p.power in hostile and type_of(world, state, p).slips for p in state.at(zone))
    warships = unit_kinds((WARSHIPS,), world.units)
    if boats and not any(p.power == power and p.type in warships for p in state.at(zone)):
        text = f"Enemy submarines are in {name(world, zone)}: without a warship of yours nothing lands from there."
        raise Refusal("landing-beside-submarines", text, (zone,))


def _pick_transport(
    run: Run, unit: UnitId, zone: SpaceId, shore: SpaceId, number: int, only: list[Piece] | None
) -> Piece:
    world, state, power = run.world, run.state, run.power
    options = carriers_of_cargo(world, state, power, unit, zone, shore, number, only)
    if not options and only is None and world.rules.one_shore and _rearrange(run, unit, zone, shore):
        options = carriers_of_cargo(world, run.state, power, unit, zone, shore, number, only)
    if options:
        return options[0]
    outside = (c for t in state.at(zone) if not t.fleet for c in t.cargo)
    if is_divided(state, power, zone) and any(c.type == unit and c.power == power for c in outside):
        text = f"Nothing lands from the Attack Fleet in {name(world, zone)}: troops go ashore from the Invasion Fleet."
        raise Refusal("attack-fleet-lands-nothing", text, (zone,))
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
    if where == "neutral":
        violate(run, piece.power, shore)
    takes = type_of(world, run.state, piece).captures
    opposed = where == "neutral" and can_be_fought(world, run.state, piece.power, shore)
    if land.falls(world, run.state, run.power, shore, where) and takes and not opposed:
        capture(run, shore, piece.power)
