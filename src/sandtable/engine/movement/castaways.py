"""Troops aboard the ship of a power that has become an enemy: they count as in the zone without a ship (MX20-05).

On their owner's turn they go ashore on friendly land or are lost, and a ship that sails away leaves them behind.
"""

from __future__ import annotations

from collections import Counter

from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import is_friendly, is_occupied
from sandtable.engine.movement.ashore import step_ashore
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, in_order, load, piece_key
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def in_zone(world: World, state: State, power: PowerId, zone: SpaceId) -> list[tuple[Piece, int]]:
    """Enemy ships there that have troops of the power aboard."""
    if world.rules.relations != "alliances":
        return []
    hostile = enemies(world, state, power)
    return [
        (ship, n)
        for ship, n in in_order(state.at(zone))
        if ship.power in hostile and any(aboard.power == power for aboard in ship.cargo)
    ]


def go_ashore(run: Run, zone: SpaceId, shore: SpaceId, wanted: list[tuple[UnitId, int]]) -> bool:
    """Let such troops leave for friendly land; False if these are not all that are to go ashore."""
    world, power = run.world, run.power
    ships = in_zone(world, run.state, power, zone)
    there = Counter(c.type for ship, n in ships for c in ship.cargo * n if c.power == power)
    friendly = is_friendly(world, run.state, power, shore) and not is_occupied(world, run.state, power, shore)
    if not ships or shore not in world.neighbours[zone] or not friendly or not _total(wanted) <= there:
        return False
    for unit, number in wanted:
        for _ in range(number):
            ship = next(
                s
                for s, _ in in_zone(world, run.state, power, zone)
                if any((c.power, c.type) == (power, unit) for c in s.cargo)
            )
            piece = min((c for c in ship.cargo if (c.power, c.type) == (power, unit)), key=piece_key)
            rest = list(ship.cargo)
            rest.remove(piece)
            step_ashore(run, piece, zone, shore, ship, load(ship, rest))
    return True


def _total(wanted: list[tuple[UnitId, int]]) -> Counter[UnitId]:
    total: Counter[UnitId] = Counter()
    for unit, number in wanted:
        total[unit] += number
    return total


def lose(run: Run, power: PowerId) -> None:
    """At the end of the power's movement those who are still aboard are lost."""
    for zone in list(run.state.units):
        for ship, n in in_zone(run.world, run.state, power, zone):
            _drop(run, zone, ship, n, frozenset((power,)))


def leave_behind(run: Run, zone: SpaceId, ship: Piece, number: int) -> Piece:
    """The ship without the troops of its enemies, which are lost as it sails."""
    strangers = enemies(run.world, run.state, ship.power)
    if run.world.rules.relations != "alliances" or not any(c.power in strangers for c in ship.cargo):
        return ship
    return _drop(run, zone, ship, number, strangers)


def _drop(run: Run, zone: SpaceId, ship: Piece, number: int, powers: frozenset[PowerId]) -> Piece:
    gone = Counter(c for c in ship.cargo if c.power in powers)
    emptied = load(ship, [c for c in ship.cargo if c.power not in powers])
    units = tuple((piece, n * number) for piece, n in sorted(gone.items(), key=lambda item: piece_key(item[0])))
    run.emit(Lost(zone, "cast-adrift", units, (Change(zone, ((ship, number),), ((emptied, number),)),)))
    return emptied
