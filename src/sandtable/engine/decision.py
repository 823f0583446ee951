"""The one open question. It follows from the state alone."""

from __future__ import annotations

from sandtable.engine.dice import ScriptedDice
from sandtable.engine.facts import active, phase_name
from sandtable.engine.phases import PHASES
from sandtable.engine.questions import KINDS, Decision
from sandtable.engine.recent import remembered
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.world.model import PowerId, World

__all__ = ["Decision", "asked", "decision"]


@remembered
def decision(world: World, state: State) -> Decision | None:
    """The open question, or None when the game is over."""
    if state.over:
        return None
    if state.questions:
        question = state.questions[0]
    else:
        run = Run(world, state, ScriptedDice(()))
        question = Question(PHASES[phase_name(world, state)].decision(run), run.power)
    return KINDS[question.kind].decision(world, state, question)


def asked(world: World, state: State) -> PowerId:
    """Who has to answer now; when the game is over, whoever acted last."""
    return state.questions[0].power if state.questions else active(world, state)
