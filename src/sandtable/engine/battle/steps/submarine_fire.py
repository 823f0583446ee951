"""Attacking submarines fire before everything else; what they hit is gone before it can reply.

Rules: CL-SUB-01, CL-SUB-02, CL-SUB-04, CL3-SUB-06.
"""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers
from sandtable.engine.run import Run


def submarine_fire(run: Run) -> bool:
    world = run.world
    battle = run.battle
    force = attackers(world, run.state, battle)
    first = {p: n for p, n in force.items() if "attack" in world.units[p.type].first_shot}
    return fire(run, "attack", first, "first-shot")
