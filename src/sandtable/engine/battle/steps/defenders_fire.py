"""All defenders fire back, this round's casualties included; attackers hit go at once (CL-CMB-08, CL-CMB-09).

Those who struck by surprise have had their shot (AN-SEA-03).
"""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers, defenders, strikers
from sandtable.engine.run import Run


def defenders_fire(run: Run) -> bool:
    world, battle = run.world, run.battle
    force = defenders(world, run.state, battle)
    first = strikers(world, run.state, "defense", force, attackers(world, run.state, battle))
    return fire(run, "defense", {p: n for p, n in force.items() if p not in first}, "battle")
