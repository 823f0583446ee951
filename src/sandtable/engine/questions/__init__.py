"""Every kind of question that a game can ask, by its name."""

from __future__ import annotations

from sandtable.engine import rockets
from sandtable.engine.questions.bombard import Bombard
from sandtable.engine.questions.casualties import Casualties, Target
from sandtable.engine.questions.combat import FireRocket, NextBattle
from sandtable.engine.questions.development import ChooseChart, Development
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.questions.phase import CombatMoves, MobilizeKind, PurchaseKind, QuietMoves
from sandtable.engine.questions.retreat import Retreat
from sandtable.engine.questions.stranded import Stranded
from sandtable.engine.questions.submarines import Submarines
from sandtable.engine.run import Run
from sandtable.notation.orders import AnyOrder, Rocket

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Development(),
        ChooseChart(),
        PurchaseKind(),
        CombatMoves(),
        NextBattle(),
        FireRocket(),
        Bombard(),
        Casualties(),
        Target(),
        Submarines(),
        Retreat(),
        Stranded(),
        QuietMoves(),
        MobilizeKind(),
    )
}

__all__ = ["KINDS", "Decision", "Kind", "answer"]


def answer(run: Run, order: AnyOrder) -> None:
    """The reply to the first of the open questions."""
    question = run.state.questions[0]
    if isinstance(order, Rocket) and question.power == run.power:
        rockets.fire(run, order)  # may be fired whenever its power has to answer something
    else:
        KINDS[question.kind].answer(run, question, order)
