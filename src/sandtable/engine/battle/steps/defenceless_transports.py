"""Defending transports without protection are destroyed at once, without dice (AN-SEA-13, AN-SEA-14).

Submarines protect nobody if they and the attackers cannot hit each other; transports with guns protect themselves
(G40-RES-38). Attacking transports that are alone and cannot retreat are lost in the same way (AN-SEA-15, G40-TRN-20).
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.fire import can_hurt
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.battle.hits import sheltered
from sandtable.engine.battle.steps.retreat import open_to_retreat
from sandtable.engine.battle.strength import is_spent
from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Stack, units_of


def defenceless_transports(run: Run) -> bool:
    return _look(run, run.battle, boats_strike=True)


def defenceless_after_strikes(run: Run) -> bool:
    """Submarines have fired, and do so once in a battle (G40-NAV-11)."""
    return _look(run, run.battle, boats_strike=False)


def defenceless_after_round(run: Run) -> bool:
    """Whoever strikes once has done so: he sinks nobody any more, and protects nobody (G40-AIR-15)."""
    return _look(run, msgspec.structs.replace(run.battle, round=run.battle.round + 1), boats_strike=False)


def _look(run: Run, battle: Battle, *, boats_strike: bool) -> bool:
    world, state = run.world, run.state
    enemies = defenders(world, state, battle)
    if _cornered(run, enemies):
        _destroy(run, attackers(world, state, battle))
        finish(run, "defender")
        return True
    prey = {p: n for p, n in sheltered(world, state, enemies).items() if not type_of(world, state, p).defense}
    if not prey:
        return True
    force = attackers(world, state, battle)
    company = {p: n for p, n in enemies.items() if p not in prey and not is_spent(type_of(world, state, p), battle)}
    if any(not type_of(world, state, p).hides_from for p in company):
        return True
    if can_hurt(world, state, battle, "attack", force, company):
        return True
    transports = sheltered(world, state, force)
    escort = {p: n for p, n in force.items() if p not in transports}
    if boats_strike and can_hurt(world, state, battle, "defense", company, escort):
        return True
    if can_hurt(world, state, battle, "attack", force, prey):
        _destroy(run, prey)
    return True


def _cornered(run: Run, enemies: Stack) -> bool:
    """Nobody but transports attacks, the defenders can hit them, and there is nowhere to go."""
    world, state, battle = run.world, run.state, run.battle
    force = attackers(world, state, battle)
    if not force or not enemies or len(sheltered(world, state, force)) != len(force):
        return False
    if any(open_to_retreat(world, state, battle, place) for place in battle.origins):
        return False
    return can_hurt(world, state, battle, "defense", enemies, force)


def _destroy(run: Run, transports: Stack) -> None:
    space, units = run.battle.space, units_of(transports)
    run.emit(Lost(space, "defenceless", units, (Change(space, minus=units),)))
