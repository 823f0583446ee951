"""Running the steps of the open battle."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.steps import STEPS
from sandtable.engine.events import RoundBegan
from sandtable.engine.run import Run
from sandtable.engine.state import Battle
from sandtable.world.model import BattleKind


def conduct(run: Run) -> None:
    """Go on with the battle until it ends or a question has to be answered."""
    while (battle := run.state.battle) is not None and not run.state.questions:
        kind = run.world.battles[battle.kind]
        if battle.step >= len(kind.steps):
            if not kind.repeats:
                finish(run, "passed")
                continue
            following, number = kind.then or battle.kind, battle.round + 1
            first = _taken_from(run.world.battles[following], number, 0)
            again = msgspec.structs.replace(battle, kind=following, round=number, step=first, column=-1, asked=())
            run.emit(RoundBegan(battle.space, number, again))
            continue
        if STEPS[kind.steps[battle.step]].run(run):
            _next_step(run, battle)


def _next_step(run: Run, before: Battle) -> None:
    battle = run.state.battle
    if battle is None or (battle.space, battle.kind) != (before.space, before.kind):
        return  # the step ended the battle
    place = _taken_from(run.world.battles[battle.kind], battle.round, battle.step + 1)
    run.note(step=place, column=-1, asked=())


def _taken_from(kind: BattleKind, number: int, place: int) -> int:
    """The first step from this place on that is taken in this round."""
    if number > 1:
        while place < len(kind.steps) and STEPS[kind.steps[place]].once:
            place += 1
    return place
