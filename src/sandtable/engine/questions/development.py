"""What a power is asked about weapons: dice or researchers, and the chart of a breakthrough."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine.phases.research import charts
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.questions.phase import PhaseKind
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Chart, End, Research
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Development(PhaseKind):
    name = "research"
    answers = ("research", "buy", "end")

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        if not legal.state.researched:
            money, cost = legal.state.treasury[asked.power], legal.world.rules.research_cost
            yield from (Research(n) for n in range(1, money // cost + 1))

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        if rng.random() < 0.3:
            return End()
        return rng.choice(list(self.orders(legal, asked))[:2] + [End()] * 6)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who = world.powers[asked.power].name
        if state.researched:
            return f"{who}: the research of this turn is done. On to the purchase?"
        what = "researchers to hire" if world.rules.researchers else "research dice to buy"
        return f"{who}: how many {what}, if any?"


class ChooseChart(Kind):
    name = "chart"
    answers = ("chart",)

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name, charts=charts(world, state, question.power))

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from (Chart(chart) for chart in asked.charts)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: a breakthrough! On which chart is the die rolled?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        assert isinstance(order, Chart)
        return f"Roll on chart {order.chart}"
