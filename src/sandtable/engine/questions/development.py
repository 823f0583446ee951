"""What a power is asked about weapons: dice or researchers, and the chart of a breakthrough."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import aid, drops
from sandtable.engine.facts import free_money
from sandtable.engine.phases.research import affordable, charts, missing
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.questions.phase import PhaseKind
from sandtable.engine.state import Question, State
from sandtable.notation.orders import Airborne, AnyOrder, Chart, End, LendLease, Research
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Development(PhaseKind):
    name = "research"
    answers = ("research", "buy", "end")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        helps = world.rules.aid is not None and aid.can_send(world, state, question.power)
        also = ("lend-lease",) if helps else ()
        if drops.can_pay(world, state, question.power):
            also = (*also, "airborne")
        return Decision(question.power, self.name, also=(*also, *self.further(world, state)))

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world, state, power = legal.world, legal.state, asked.power
        if not state.researched and missing(world, state, power):
            money = free_money(world, state, power) - aid.owed(world, state, power)
            yield from (Research(n) for n in range(1, money // world.rules.research_cost + 1))
        yield from (Research(technology=t.id) for t in affordable(world, state, power))

    @staticmethod
    def further_orders(legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world, state, power = legal.world, legal.state, asked.power
        if "lend-lease" in asked.also:
            yield LendLease()
        drop = world.rules.drops
        if "airborne" in asked.also and drop is not None:
            money = state.treasury[power] - aid.owed(world, state, power)
            yield from (Airborne(n) for n in range(1, money // drop.fee + 1))
        yield from PhaseKind.further_orders(legal, asked)

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        end: list[AnyOrder] = [End()] if End() in legal else []
        if end and rng.random() < 0.3:
            return End()
        focused = affordable(legal.world, legal.state, asked.power)
        if focused and rng.random() < 0.5:
            return Research(technology=rng.choice(focused).id)
        if "airborne" in asked.also and rng.random() < 0.3 and (pay := Airborne(rng.randint(1, 2))) in legal:
            return pay
        further = list(self.further_orders(legal, asked))[:2]
        return rng.choice([*further, *list(self.single_orders(legal, asked))[:2], *end * 6])

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        """Nothing, but for the die that has to be bought."""
        return End() if End() in legal else next(self.further_orders(legal, asked))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who = world.powers[asked.power].name
        named = "a die for a development by name" if affordable(world, state, asked.power) else ""
        if state.researched:
            if named:
                return f"{who}: {named}, or on to the purchase?"
            return f"{who}: the research of this turn is done. On to the purchase?"
        if state.focused and state.treasury[asked.power] < world.rules.research_cost:
            return f"{who}: the research of this turn is done. On to the purchase?"
        what = "researchers to hire" if world.rules.researchers else "research dice to buy"
        more = f", and {named}" if named else ""
        return f"{who}: how many {what}{more}, if any?"


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
