"""Every kind of question that a game can ask, by its name."""

from __future__ import annotations

from sandtable.engine import rockets
from sandtable.engine.questions import alliance, passage, sharing  # noqa: F401 (topics of permission)
from sandtable.engine.questions.air import Abort, Ambush
from sandtable.engine.questions.anti_tank import AntiTankKind
from sandtable.engine.questions.bombard import Bombard
from sandtable.engine.questions.capital import NameCapital
from sandtable.engine.questions.casualties import Casualties, Target
from sandtable.engine.questions.combat import FireRocket, NextBattle
from sandtable.engine.questions.commandos import SabotagedShips, SendCommandos
from sandtable.engine.questions.counter_intelligence import CounterIntelligence
from sandtable.engine.questions.declare import DeclareWar
from sandtable.engine.questions.development import ChooseChart, Development
from sandtable.engine.questions.free_troops import FreeTroops
from sandtable.engine.questions.grounded import Grounded
from sandtable.engine.questions.intercept import Intercept
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.questions.land import Land
from sandtable.engine.questions.leader import NameLeader
from sandtable.engine.questions.permit import PermitKind
from sandtable.engine.questions.phase import CombatMoves, MobilizeKind, PurchaseKind, QuietMoves
from sandtable.engine.questions.retreat import Retreat
from sandtable.engine.questions.sorties import Interdict, Scramble
from sandtable.engine.questions.stranded import Stranded
from sandtable.engine.questions.submarines import Submarines
from sandtable.engine.questions.training import PilotTraining
from sandtable.engine.run import Run
from sandtable.notation.orders import AnyOrder, Rocket

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Development(),
        ChooseChart(),
        PilotTraining(),
        NameLeader(),
        PurchaseKind(),
        CombatMoves(),
        Intercept(),
        NextBattle(),
        FireRocket(),
        SendCommandos(),
        SabotagedShips(),
        AntiTankKind(),
        Bombard(),
        Scramble(),
        Interdict(),
        Abort(),
        Grounded(),
        Ambush(),
        Casualties(),
        Target(),
        Submarines(),
        Retreat(),
        Stranded(),
        FreeTroops(),
        CounterIntelligence(),
        Land(),
        NameCapital(),
        DeclareWar(),
        PermitKind(),
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
