"""Where a government goes whose capital has fallen (G40-POL-63)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine.events import CapitalNamed
from sandtable.engine.facts import name
from sandtable.engine.questions.kind import Decision, Kind, place_names
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder, Capital
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class NameCapital(Kind):
    name = "capital"
    answers = ("capital",)
    reason = "capital-is-named-first"

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Capital):
            raise self.unanswered(run, question, order)
        if order.space not in question.places:
            choice = place_names(run.world, question.places)
            raise Refusal(
                "no-seat-of-government",
                f"{name(run.world, order.space)} cannot be the new capital: choose {choice}.",
                (order.space,),
            )
        run.close()
        run.emit(CapitalNamed(question.power, order.space))

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from (Capital(space) for space in asked.places)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: where does the government go?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        assert isinstance(order, Capital)
        return name(world, order.space)

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to name its new capital"
