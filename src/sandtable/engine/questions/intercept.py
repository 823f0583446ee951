"""Fighters in a territory may go up against enemy planes over it: their owner says how many, and at whom (MX13-01)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from sandtable.engine.battle.interception import GROUPS, answer, most_at_bombers
from sandtable.engine.facts import amounts, describe, name
from sandtable.engine.questions.kind import Decision, Kind, by_sort
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Intercept(Kind):
    """The default stays on the ground; fighters that go up do not defend their territory."""

    name = "intercept"
    answers = ("intercept", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        units, sorts = by_sort(question.units)
        return Decision(
            question.power,
            self.name,
            question.space,
            count=question.count,
            units=units,
            sorts=sorts,
            optional=True,
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case orders.Intercept():
                answer(run, question, order)
            case Stay():
                run.close()
            case _:
                raise self.unanswered(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """None, then few before many; where there are escorts, all at them as well as the excess at the bombers."""
        yield Stay()
        question = legal.state.questions[0]
        kinds = asked.sorts or tuple(UnitSpec(unit, n) for _, unit, n in asked.units)
        choices = sorted(product(*(range(spec.count + 1) for spec in kinds)), key=sum)
        for numbers in choices:
            units = tuple(UnitSpec(spec.type, n, marks=spec.marks) for spec, n in zip(kinds, numbers, strict=True) if n)
            if not units:
                continue
            yield orders.Intercept(units)
            most = most_at_bombers(legal.world, legal.state, question, sum(numbers))
            if not asked.count or GROUPS not in question.terms:
                continue
            for wanted in choices:
                fewer = all(n <= m for n, m in zip(wanted, numbers, strict=True))
                usual = len(kinds) == 1 and sum(wanted) == most  # as without a word about it
                if fewer and sum(wanted) <= most and not usual:
                    some = tuple(
                        UnitSpec(spec.type, n, marks=spec.marks) for spec, n in zip(kinds, wanted, strict=True) if n
                    )
                    yield orders.Intercept(units, some)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        planes = amounts(world, [(unit, n) for _, unit, n in asked.units])
        escorts = {0: "", 1: " and their escort"}.get(asked.count, f" and their {asked.count} escorts")
        where = name(world, asked.space or "")
        whether = "shall" if sum(n for _, _, n in asked.units) == 1 else "which of"
        return f"{world.powers[asked.power].name}: {whether} {planes} in {where} go up against the bombers{escorts}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if not isinstance(order, orders.Intercept):
            return "Stay on the ground"
        told = f"Intercept with {_told(world, order.units)}"
        if order.at_bombers is None or not asked.count:
            return told
        return (
            f"{told}, {_told(world, order.at_bombers)} at the bombers"
            if order.at_bombers
            else f"{told}, all at the escorts"
        )

    def waits_for(self, world: World, state: State, question: Question) -> str:
        who, where = world.powers[question.power].name, name(world, question.space)
        go = "goes" if sum(n for _, n in question.units) == 1 else "go"
        return f"{who} first has to say whether {describe(world, question.units)} in {where} {go} up against the raid"

    def unanswered(self, run: Run, question: Question, order: AnyOrder) -> Refusal:
        told = f"{self.waits_for(run.world, run.state, question)}."
        return Refusal("interceptors-decide-first", told, (question.space,))


def _told(world: World, units: tuple[UnitSpec, ...]) -> str:
    return amounts(world, [(spec.type, spec.count) for spec in units])
