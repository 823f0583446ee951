"""All attackers without a first shot fire; defenders hit go behind the casualty line (CL-CMB-05, CL-CMB-08)."""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers
from sandtable.engine.run import Run


def attackers_fire(run: Run) -> bool:
    world = run.world
    battle = run.battle
    force = attackers(world, run.state, battle)
    others = {p: n for p, n in force.items() if "attack" not in world.units[p.type].first_shot}
    return fire(run, "attack", others, "doomed")
