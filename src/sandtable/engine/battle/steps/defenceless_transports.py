"""Defending transports without protection are destroyed at once, without dice (AN-SEA-13, AN-SEA-14).

Submarines that the attackers cannot hit protect nobody; transports with guns protect themselves (G40-RES-38).
"""

from __future__ import annotations

from sandtable.engine.battle.fire import can_hurt
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.battle.hits import sheltered
from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import units_of


def defenceless_transports(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    enemies = defenders(world, state, battle)
    prey = {p: n for p, n in sheltered(world, state, enemies).items() if not type_of(world, state, p).defense}
    if not prey:
        return True
    force = attackers(world, state, battle)
    company = {p: n for p, n in enemies.items() if p not in prey}
    if any(not type_of(world, state, p).hides_from for p in company) or can_hurt(
        world, state, battle, "attack", force, company
    ):
        return True
    if can_hurt(world, state, battle, "attack", force, prey):
        units = units_of(prey)
        run.emit(Lost(battle.space, "defenceless", units, (Change(battle.space, minus=units),)))
    return True
