"""What troops a freed country raises for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine.facts import amounts
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.special import liberation
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Place, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class FreeTroops(Kind):
    name = liberation.KIND
    answers = ("place", "stay")
    reason = "free-troops-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        units = tuple(
            (question.power, unit, question.count // cost)
            for unit, cost in liberation.prices(world, state, question.power, question.count).items()
        )
        return Decision(question.power, self.name, question.space, count=question.count, units=units, optional=True)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case Place():
                liberation.place(run, question, order)
            case Stay():
                run.close()
            case _:
                raise self.unanswered(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """As many of one kind as there are free, then fewer; mixtures are several answers."""
        assert asked.space is not None
        for _, unit, most in asked.units:
            yield from (Place((UnitSpec(unit, n),), asked.space) for n in range(most, 0, -1))
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        assert asked.space is not None
        where, who = world.spaces[asked.space].name, world.powers[asked.power].name
        return f"{who}: which troops, worth up to {asked.count}, rise in {where}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if isinstance(order, Place):
            return amounts(world, [(spec.type, spec.count) for spec in order.units])
        return "No more"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first places the troops that it raises for nothing"
