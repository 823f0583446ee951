"""Which unit the leader commands (MX15-08)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import leader
from sandtable.engine.facts import name, unit_type
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Leader, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class NameLeader(Kind):
    """The default is the most valuable unit."""

    name = leader.KIND
    answers = ("leader",)
    reason = "leader-is-named-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        places = dict.fromkeys(space for space, _, _ in leader.choices(world, state, question.power))
        return Decision(question.power, self.name, places=tuple(places))

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Leader):
            raise self.unanswered(run, question, order)
        leader.answer(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world = legal.world
        found = leader.choices(world, legal.state, asked.power)
        values = {c[1]: unit_type(world, legal.state, asked.power, c[1]).cost or 0 for c in found}
        for space, unit, marks in sorted(found, key=lambda c: -values[c[1]]):
            yield Leader((UnitSpec(unit, marks=marks or None),), space)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: a Legendary Leader! Which unit does he command?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        assert isinstance(order, Leader)
        (spec,) = order.units
        marks = f" ({', '.join(spec.marks)})" if spec.marks else ""
        return f"{world.units[spec.type].name}{marks} in {name(world, order.space)}"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to name the unit that its leader commands"
