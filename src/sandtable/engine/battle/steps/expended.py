"""Planes that attack once are gone after the first round, hit or not (MX10-06)."""

from __future__ import annotations

from sandtable.engine.battle.forces import attackers
from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Stack, units_of
from sandtable.world.model import SpaceId


def remove_expended(run: Run) -> bool:
    remove(run, run.battle.space, attackers(run.world, run.state, run.battle))
    return True


def remove(run: Run, space: SpaceId, stack: Stack) -> None:
    """Take those of these units off the board that were sent to be lost."""
    spent = {p: n for p, n in stack.items() if p.marks and type_of(run.world, run.state, p).expended}
    if spent:
        units = units_of(spent)
        run.emit(Lost(space, "expended", units, (Change(space, minus=units),)))
