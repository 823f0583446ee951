"""Whether guns serve against tanks is said before anything is rolled (G40-SPC-01)."""

from __future__ import annotations

from sandtable.engine.battle import anti_tank as guns
from sandtable.engine.run import Run
from sandtable.engine.state import Question


def anti_tank(run: Run) -> bool:
    """Ask whoever may; nobody is asked who has nothing to fire at."""
    battle = run.battle
    for power, units in guns.ready(run.world, run.state, battle).items():
        if power not in battle.asked:
            run.ask(Question(guns.KIND, power, battle.space, "defense", count=sum(n for _, n in units), units=units))
            return False
    return True


def anti_tank_done(run: Run) -> bool:
    """After a round: guns without a tank to fire at turn back into what they were."""
    guns.turn_back(run, run.battle, always=False)
    return True
