"""All defenders fire back, this round's casualties included; attackers hit go at once (CL-CMB-08, CL-CMB-09)."""

from __future__ import annotations

from sandtable.engine.battle.fire import fire
from sandtable.engine.battle.forces import defenders
from sandtable.engine.run import Run


def defenders_fire(run: Run) -> bool:
    battle = run.battle
    return fire(run, "defense", defenders(run.world, run.state, battle), "battle")
