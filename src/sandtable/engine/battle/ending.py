"""What a battle leaves behind: the winner's prize, landings that follow a sea battle, fighters without a deck."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.forces import attackers
from sandtable.engine.capture import capture
from sandtable.engine.events import BattleEnded, Change, LandingCancelled, Lost, Outcome, StrandedLanded
from sandtable.engine.facts import deck_space, is_friendly, is_hostile_sea
from sandtable.engine.movement.cargo import step_ashore
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Units, in_order, load, piece_key, units_of
from sandtable.world.model import PowerId, SideId, SpaceId


def finish(run: Run, result: Outcome) -> None:
    """End the open battle with this result and settle its consequences."""
    world = run.world
    battle = run.battle
    if result == "stalemate" and battle.kind == "land":
        _give_up(run, battle)
    tired = tuple(
        (p, n)
        for p, n in units_of(attackers(world, run.state, battle))
        if world.units[p.type].domain != "air" and not p.done
    )
    rested = tuple((msgspec.structs.replace(p, done=True), n) for p, n in tired)
    changes = (Change(battle.space, tired, rested),) if tired else ()
    run.emit(BattleEnded(battle.space, battle.kind, battle.attacker, result, changes))
    if battle.kind == "land":
        force = attackers(world, run.state, battle)
        if result == "attacker" and any(world.units[p.type].captures for p in force):
            capture(run, battle.space, battle.attacker)
    elif battle.kind == "sea":
        _find_decks(run, battle.space)
        land_troops(run, battle)


def _give_up(run: Run, battle: Battle) -> None:
    """Nobody can hit anybody: the attackers cannot stay in land that they do not hold."""
    units = units_of(attackers(run.world, run.state, battle))
    run.emit(Lost(battle.space, "stalemate", units, (Change(battle.space, minus=units),)))


def land_troops(run: Run, battle: Battle) -> None:
    """Declared landings go ahead if the zone is clear, and are called off if it is not (CL-AMP-09, CL-AMP-13)."""
    world = run.world
    zone = battle.space
    clear = not is_hostile_sea(world, run.state, battle.attacker, zone)
    while True:
        waiting = [
            t for t, _ in in_order(run.state.at(zone)) if t.power == battle.attacker and any(c.target for c in t.cargo)
        ]
        if not waiting:
            return
        transport = waiting[0]
        piece = min((c for c in transport.cargo if c.target), key=piece_key)
        rest = list(transport.cargo)
        rest.remove(piece)
        if clear:
            step_ashore(run, piece, zone, piece.target, transport, load(transport, rest))
        else:
            calm = load(transport, (*rest, msgspec.structs.replace(piece, target="")))
            changes = (Change(zone, ((transport, 1),), ((calm, 1),)),)
            run.emit(LandingCancelled(battle.attacker, zone, changes))


def _find_decks(run: Run, zone: SpaceId) -> None:
    """Fighters of a sunken carrier land on another deck or an island in the zone, or are lost (CL-AIR-17).

    The attacker's own planes are spared: they still fly in the non-combat move.
    """
    world = run.world
    attacker = run.power
    for side in world.sides:
        room = deck_space(world, run.state.at(zone), side)
        islands = [
            s
            for s in world.neighbours[zone]
            if world.spaces[s].island and any(is_friendly(world, run.state, p, s) for p in world.members(side)[:1])
        ]
        for piece, n in _landbound(run, zone, side, attacker):
            stay = min(n, room.get(piece.type, 0))
            room[piece.type] = room.get(piece.type, 0) - stay
            if n > stay:
                _strand(run, zone, ((piece, n - stay),), islands, piece.power)


def _landbound(run: Run, zone: SpaceId, side: SideId, attacker: PowerId) -> list[tuple[Piece, int]]:
    """Planes over the zone that cannot fly away, in the order in which decks are given: carriers' owners first."""
    world = run.world
    stack = run.state.at(zone)
    owners = {p.power for p in stack if world.units[p.type].deck}
    found = [
        (p, n)
        for p, n in in_order(stack)
        if world.units[p.type].domain == "air" and world.side_of(p.power) == side and p.power != attacker
    ]
    return sorted(found, key=lambda item: item[0].power not in owners)


def _strand(run: Run, zone: SpaceId, units: Units, islands: list[SpaceId], power: PowerId) -> None:
    if islands:
        changes = (Change(zone, minus=units), Change(islands[0], plus=units))
        run.emit(StrandedLanded(power, zone, islands[0], units, changes))
    else:
        run.emit(Lost(zone, "carrier-sunk", units, (Change(zone, minus=units),)))
