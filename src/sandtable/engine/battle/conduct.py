"""Running the steps of the open battle."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.steps import STEPS
from sandtable.engine.events import RoundBegan
from sandtable.engine.run import Run
from sandtable.engine.state import Battle


def conduct(run: Run) -> None:
    """Go on with the battle until it ends or a question has to be answered."""
    while (battle := run.state.battle) is not None and not run.state.questions:
        kind = run.world.battles[battle.kind]
        if battle.step >= len(kind.steps):
            if not kind.repeats:
                finish(run, "passed")
                continue
            again = msgspec.structs.replace(
                battle, kind=kind.then or battle.kind, round=battle.round + 1, step=0, column=-1, asked=()
            )
            run.emit(RoundBegan(battle.space, again.round, again))
            continue
        step = STEPS[kind.steps[battle.step]]
        if (battle.round > 1 and step.once) or step.run(run):
            _next_step(run, battle)


def _next_step(run: Run, before: Battle) -> None:
    battle = run.state.battle
    if battle is None or (battle.space, battle.kind) != (before.space, before.kind):
        return  # the step ended the battle
    run.note(step=battle.step + 1, column=-1, asked=())
