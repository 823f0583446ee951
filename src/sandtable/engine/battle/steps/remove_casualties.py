"""Defending casualties leave the board after they have fired (CL-CMB-10)."""

from __future__ import annotations

from sandtable.engine.battle.casualties import take_off
from sandtable.engine.events import Change, Loss, Lost
from sandtable.engine.run import Run
from sandtable.engine.state import EMPTY, take, units_of


def remove_casualties(run: Run) -> bool:
    return remove(run, "battle")


def remove_shot_down(run: Run) -> bool:
    """Attacking planes that AA fire had hit leave once they have struck (G40-CMB-08)."""
    battle = run.battle
    units = units_of({p: n for p, n in battle.doomed.items() if p.power == battle.attacker})
    if units:
        run.note(doomed=take(battle.doomed, units))
        run.emit(Lost(battle.space, "aa", units, (Change(battle.space, minus=units),)))
    return True


def remove(run: Run, reason: Loss) -> bool:
    battle = run.battle
    if battle.shaken:
        run.note(shaken=0)
    if battle.doomed:
        units = units_of(battle.doomed)
        run.note(doomed=EMPTY)
        take_off(run, battle.space, reason, units)
    return True
