"""Submarines of both forces strike by surprise where no enemy hunts them; their victims do not reply.

Rules: AN-SEA-02 to AN-SEA-06. Strikes are simultaneous: what the attacker's submarines hit goes behind the casualty
line, strikes itself if it can, and is removed before anything else fires.
"""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers, defenders, strikers
from sandtable.engine.battle.steps.remove_casualties import remove
from sandtable.engine.run import Run


def surprise_strike(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    enemies = defenders(world, state, battle)
    return fire(run, "attack", strikers(world, state, "attack", attackers(world, state, battle), enemies), "doomed")


def surprise_reply(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    enemies = attackers(world, state, battle)
    return fire(
        run, "defense", strikers(world, state, "defense", defenders(world, state, battle), enemies), "first-shot"
    )


def remove_struck(run: Run) -> bool:
    return remove(run, "first-shot")
