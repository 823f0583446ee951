"""Submarines leave the battle after its first round, and destroyers fire once more at those that dive.

Rules: G40-NAV-11, G40-NAV-15, G40-RET-06. Only against unarmed transports alone do they go on.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.casualties import settle
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.battle.hits import merge
from sandtable.engine.battle.strength import Armed, in_battle
from sandtable.engine.events import Change, Withdrew
from sandtable.engine.facts import Knowing, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Role, Stack, in_order
from sandtable.world.model import World

TURNS: tuple[tuple[Role, Role], ...] = (("attack", "defense"), ("defense", "attack"))


def submarines_dive(run: Run) -> bool:
    """Each force's destroyers fire at the boats of the other, the attacker's first; then all boats are gone."""
    for place, (hunting, diving) in enumerate(TURNS):
        if run.battle.column < place:
            _parting_shots(run, hunting, diving)
            run.note(column=place)
        if not settle(run, diving, "battle"):
            return False
    for _, role in TURNS:
        _submerge(run, role)
    return True


def _force(run: Run, role: Role) -> Stack:
    force = attackers if role == "attack" else defenders
    return force(run.world, run.state, run.battle)


def _boats(run: Run, role: Role) -> Stack:
    """The force's boats that dive now."""
    world, state, battle = run.world, run.state, run.battle
    boats = {p: n for p, n in _force(run, role).items() if type_of(world, state, p).dives}
    if not boats:
        return {}
    other: Role = "defense" if role == "attack" else "attack"
    return {} if is_prey(world, state, in_battle(world, state, battle, other, _force(run, other))) else boats


def is_prey(world: World, state: Knowing, enemies: Armed) -> bool:
    """Nobody is there but unarmed transports, for whose sake boats stay."""
    return bool(enemies) and all(type_of(world, state, p).chosen_last and not s.value for p, _, s in enemies)


def _parting_shots(run: Run, hunting: Role, diving: Role) -> None:
    world, state, battle = run.world, run.state, run.battle
    boats = _boats(run, diving)
    if not boats:
        return
    volleys = parting_shots(world, state, in_battle(world, state, battle, hunting, _force(run, hunting)), boats)
    for value in sorted(volleys):
        run.note(hits=merge(run.battle.hits, roll_volley(run, hunting, value, volleys[value])))


def parting_shots(world: World, state: Knowing, force: Armed, boats: Stack) -> dict[int, list[Shooter]]:
    """Who in the force fires at boats that dive, by the number that they hit with."""
    kinds = tuple(sorted({p.type for p in boats}))
    volleys: dict[int, list[Shooter]] = {}
    for piece, n, strength in force:
        kind = type_of(world, state, piece)
        if strength.fires and set(kinds) & set(kind.hunts):
            value = strength.value + max(kind.sharper.get(boat, 0) for boat in kinds)
            volleys.setdefault(value, []).append(Shooter(piece.power, piece.type, n, strikes=kinds))
    return volleys


def _submerge(run: Run, role: Role) -> None:
    battle = run.battle
    by_owner: dict[str, list[tuple[Piece, int]]] = {}
    for piece, n in in_order(_boats(run, role)):
        by_owner.setdefault(piece.power, []).append((piece, n))
    for power, units in by_owner.items():
        done = role == "attack"
        after = tuple(
            (msgspec.structs.replace(p, mark="submerged", done=done or p.done, origin=""), n) for p, n in units
        )
        changes = (Change(battle.space, tuple(units), after),)
        run.emit(Withdrew(power, battle.space, battle.space, tuple(units), changes, "submerged"))
