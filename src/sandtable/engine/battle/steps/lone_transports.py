"""Attacking transports whose escort is gone flee (AN-SEA-15); `defenceless_transports` has destroyed those that cannot.

Where the defenders too have nothing but transports, they may stay as well (AN-SEA-16).
"""

from __future__ import annotations

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.fire import can_hurt
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.battle.hits import sheltered
from sandtable.engine.battle.steps.retreat import ask, fall_back, open_to_retreat
from sandtable.engine.run import Run


def lone_transports(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    force, enemies = attackers(world, state, battle), defenders(world, state, battle)
    if not force or not enemies or battle.attacker in battle.asked or len(sheltered(world, state, force)) != len(force):
        return True
    places = tuple(p for p in battle.origins if open_to_retreat(world, state, battle, p))
    hunted = can_hurt(world, state, battle, "defense", enemies, force)
    if hunted and len(places) == 1:
        fall_back(run, places[0])
        finish(run, "retreat")
    elif places and (hunted or not can_hurt(world, state, battle, "attack", force, enemies)):
        run.ask(ask(battle, places, ("must-leave",) if hunted else ()))
        return False
    return True
