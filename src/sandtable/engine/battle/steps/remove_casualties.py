"""Defending casualties leave the board after they have fired (CL-CMB-10)."""

from __future__ import annotations

from sandtable.engine.events import Change, Loss, Lost
from sandtable.engine.run import Run
from sandtable.engine.state import EMPTY, units_of


def remove_casualties(run: Run) -> bool:
    return remove(run, "battle")


def remove(run: Run, reason: Loss) -> bool:
    battle = run.battle
    if battle.doomed:
        units = units_of(battle.doomed)
        run.note(doomed=EMPTY)
        run.emit(Lost(battle.space, reason, units, (Change(battle.space, minus=units),)))
    return True
