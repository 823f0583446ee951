"""All attackers who had no first shot fire; defenders hit go behind the casualty line (CL-CMB-05, CL-CMB-08)."""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers, defenders, strikers
from sandtable.engine.run import Run


def attackers_fire(run: Run) -> bool:
    world, battle = run.world, run.battle
    force = attackers(world, run.state, battle)
    first = strikers(world, run.state, "attack", force, defenders(world, run.state, battle))
    others = {p: n for p, n in force.items() if p not in first}
    return fire(run, "attack", others, "doomed")
