"""Antiaircraft guns fire once at every plane: before a battle, before a raid, or at planes that pass over.

Rules: CL-AA-01 to CL-AA-05, CL3-AA-02, CL-SBR-03, AN-AAG-01 to AN-AAG-04. However many guns there are, one fires,
unless each has so many shots (G40-CMB-09, G40-NAV-20).
Where every die has a plane of its own, the planes stand in the edition's order of units.
"""

from __future__ import annotations

from sandtable.engine.battle.casualties import Fate, settle, targets
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import airborne, planes
from sandtable.engine.battle.hits import merge
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Piece, Stack, State, count, piece_key
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def aa_fire(run: Run) -> bool:
    return _fire(run, "aa")


def flak(run: Run) -> bool:
    """Planes that are hit still strike once before they go (G40-CMB-08)."""
    return _fire(run, "doomed")


def _fire(run: Run, fate: Fate) -> bool:
    passing = run.world.battles[run.battle.kind].attackers == "passing"
    while True:
        battle = run.battle
        if passing and not battle.queue:
            return True
        if battle.column < 0:
            _volley(run, battle, battle.queue[0] if passing else battle.space)
        if not settle(run, "attack", fate):
            return False
        if not passing:
            return True
        run.note(queue=run.battle.queue[1:], column=-1)


def _volley(run: Run, battle: Battle, place: str) -> None:
    world = run.world
    victims = _by_air(world, targets(world, run.state, battle, "attack"))
    hits: tuple[Hits, ...] = ()
    if victims:
        line = _line(world, victims) if world.rules.aa_targets == "each" else ()
        prey = tuple(dict.fromkeys(p.type for p in airborne(victims)))
        for value, shooters in _guns(world, run.state, battle.attacker, place, count(victims), prey):
            hits = merge(hits, roll_volley(run, "aa", value, shooters, line))
    run.note(column=1, hits=hits)


def _by_air(world: World, stack: Stack) -> Stack:
    """Planes, and troops who come without one."""
    jumped = airborne(stack)
    return {**planes(world, stack), **jumped} if jumped else planes(world, stack)


def _guns(
    world: World, state: State, power: PowerId, place: SpaceId, planes: int, prey: tuple[UnitId, ...]
) -> list[tuple[int, list[Shooter]]]:
    """Who fires at so many planes, by the number that they hit with; the best guns first, while there are planes."""
    found: list[tuple[int, Piece, int]] = []
    for piece, n in enemies_in(world, state, power, place):
        kind = type_of(world, state, piece)
        if kind.anti_air and (kind.shots or world.spaces[place].is_land):
            found.append((kind.anti_air, piece, n * kind.shots or planes))
    order = list(world.units)
    volleys: dict[int, list[Shooter]] = {}
    left = planes
    for value, piece, dice in sorted(found, key=lambda gun: (-gun[0], order.index(gun[1].type), piece_key(gun[1]))):
        some = min(left, dice)
        if some:
            volleys.setdefault(value, []).append(Shooter(piece.power, piece.type, some, strikes=("air", *prey)))
            left -= some
    return sorted(volleys.items())


def _line(world: World, victims: Stack) -> tuple[Piece, ...]:
    """The planes in the order of the dice (AN-AAG-03): by kind, unmarked before marked, loaded ones last."""
    order = list(world.units)

    def place(plane: Piece) -> tuple[object, ...]:
        return order.index(plane.type), bool(plane.cargo), len(plane.marks), piece_key(plane)

    return tuple(plane for plane in sorted(victims, key=place) for _ in range(victims[plane]))
