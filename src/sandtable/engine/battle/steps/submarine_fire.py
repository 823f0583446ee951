"""Attacking submarines fire before everything else; what they hit is gone before it can reply.

Rules: CL-SUB-01, CL-SUB-02, CL-SUB-04, CL3-SUB-06.
"""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers, defenders, strikers
from sandtable.engine.run import Run


def submarine_fire(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    enemies = defenders(world, state, battle)
    return fire(run, "attack", strikers(world, state, "attack", attackers(world, state, battle), enemies), "first-shot")
