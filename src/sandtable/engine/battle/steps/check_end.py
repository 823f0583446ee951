"""A battle is over when a force has nobody left in it, or when nobody could ever hit anybody.

Rules: CL-CMB-11, CL-NCB-05, AN-CBT-25.
"""

from __future__ import annotations

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.fire import nobody_can_hurt
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.run import Run


def check_end(run: Run) -> bool:
    world = run.world
    battle = run.battle
    attack = attackers(world, run.state, battle)
    defense = defenders(world, run.state, battle)
    if not attack and not defense:
        finish(run, "both-destroyed")
    elif not defense:
        finish(run, "attacker")
    elif not attack:
        finish(run, "defender")
    elif nobody_can_hurt(world, run.state, battle, attack, defense):
        finish(run, "stalemate")
    return True
