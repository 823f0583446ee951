"""An alliance that was offered: whoever is asked agrees or does not (MX20-04)."""

from __future__ import annotations

from sandtable.engine.alliances import TOPIC
from sandtable.engine.events import AllianceDeclined, AllianceMade
from sandtable.engine.questions.kind import Decision
from sandtable.engine.questions.permit import TOPICS, Topic
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.world.model import World


class Alliance(Topic):
    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: {world.powers[asked.about[1]].name} offers an alliance. Agree?"

    def permitted(self, run: Run, question: Question, *about: str) -> None:
        run.emit(AllianceMade(about[0], question.power))

    def declined(self, run: Run, question: Question, *about: str) -> None:
        run.emit(AllianceDeclined(about[0], question.power))


TOPICS[TOPIC] = Alliance()
