"""Whether a power contests what an enemy's secret service is up to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import spies
from sandtable.engine.facts import active
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation import parse_order
from sandtable.notation.orders import AnyOrder, Contest, Move, Reveal, Sabotage, Stay
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class CounterIntelligence(Kind):
    name = spies.KIND
    answers = ("contest", "stay")
    reason = "contest-comes-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name, optional=True)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Contest | Stay):
            raise self.unanswered(run, question, order)
        mission = parse_order(run.world, question.terms[0])
        assert isinstance(mission, Reveal | Sabotage | Move)
        run.close()
        if isinstance(order, Contest):
            spies.contest(run, question.power, mission)
        else:
            spies.carry_out(run, mission)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield Contest()
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who, enemy = world.powers[asked.power].name, world.powers[active(world, state)].name
        return f"{who}: agents of {enemy} are at work. Contest it?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        return "Contest it" if isinstance(order, Contest) else "Let it pass"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first says whether it contests the work of your agents"
