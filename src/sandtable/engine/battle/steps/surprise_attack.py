"""The first round of a surprise attack: whom it hits does not fire back (G40-SPC-19)."""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import attackers, defenders, strikers
from sandtable.engine.battle.steps.remove_casualties import remove
from sandtable.engine.run import Run


def surprise_attack(run: Run) -> bool:
    world, battle = run.world, run.battle
    force = attackers(world, run.state, battle)
    first = strikers(world, run.state, "attack", force, defenders(world, run.state, battle))
    return fire(run, "attack", {p: n for p, n in force.items() if p not in first}, "first-shot")


def remove_surprised(run: Run) -> bool:
    """Those whom a bombardment has hit are gone before anybody answers."""
    return remove(run, "first-shot")
