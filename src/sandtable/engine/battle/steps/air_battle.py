"""Planes against planes, one exchange: attackers roll, then the defenders, those who were hit included.

Rules: MX13-03 to MX13-06, MX13-13 to MX13-19 (raids with escorts and interceptors), MX14-01 to MX14-07 and MX14-13 to
MX14-18 (before a battle on land or at sea). Who meets whom is told by `forces.fray`, what they hit at by modifiers that
hold during the step.
"""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import fray
from sandtable.engine.run import Run
from sandtable.engine.state import Stack


def meet(run: Run) -> bool:
    """The attacking planes fire, if both forces have some here; defenders hit still answer."""
    planes, enemies = _both(run)
    return not (planes and enemies) or fire(run, "attack", planes, "doomed")


def answer(run: Run) -> bool:
    """The defending planes answer."""
    planes, enemies = _both(run)
    return not (planes and enemies) or fire(run, "defense", enemies, "battle")


def _both(run: Run) -> tuple[Stack, Stack]:
    attack = fray(run.world, run.state, run.battle, "attack")
    defense = fray(run.world, run.state, run.battle, "defense")
    assert attack is not None
    assert defense is not None
    return attack, defense
