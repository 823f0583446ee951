"""Planes of a sunken carrier: their owner says who goes ashore; the others go aboard another carrier (MX10-08)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from sandtable.engine.battle.adrift import answer
from sandtable.engine.facts import amounts, describe, name
from sandtable.engine.questions.kind import Decision, Kind, place_names
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Land(Kind):
    """The default leaves as many as it can on carriers, where they can fly from."""

    name = "land"
    answers = ("land", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        kinds: dict[tuple[str, str], int] = {}
        for piece, n in question.units:
            kinds[piece.power, piece.type] = kinds.get((piece.power, piece.type), 0) + n
        return Decision(
            question.power,
            self.name,
            question.space,
            count=question.count,
            units=tuple((power, unit, n) for (power, unit), n in kinds.items()),
            places=question.places,
            optional=not question.count,
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, orders.Land | Stay):
            raise self.unanswered(run, question, order)
        answer(run, question, None if isinstance(order, Stay) else order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """As few as possible before more."""
        if asked.optional:
            yield Stay()
        choices = product(*(range(n + 1) for _, _, n in asked.units))
        for numbers in sorted(choices, key=lambda chosen: (sum(chosen) < asked.count, sum(chosen))):
            units = tuple(UnitSpec(unit, some) for (_, unit, _), some in zip(asked.units, numbers, strict=True) if some)
            for place in asked.places if units else ():
                order = orders.Land(units, place)
                if order in legal:
                    yield order

    def wording(self, world: World, state: State, asked: Decision) -> str:
        planes = amounts(world, [(unit, n) for _, unit, n in asked.units])
        where, islands = name(world, asked.space or ""), place_names(world, asked.places)
        who = world.powers[asked.power].name
        return f"{who}: a carrier was sunk in {where}. Which of {planes} go ashore in {islands}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if not isinstance(order, orders.Land):
            return "All go aboard"
        told = amounts(world, [(spec.type, spec.count) for spec in order.units])
        return f"{told} ashore in {name(world, order.space)}"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        who, where = world.powers[question.power].name, name(world, question.space)
        return f"{who} first has to say which of {describe(world, question.units)} over {where} go ashore"

    def unanswered(self, run: Run, question: Question, order: AnyOrder) -> Refusal:
        told = f"{self.waits_for(run.world, run.state, question)}."
        return Refusal("planes-adrift-land-first", told, (question.space, *question.places))
