"""A tactical bomber on a raid may go for a plane on the ground instead (G40-SBR-08)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine.battle.steps.drop_bombs import answer
from sandtable.engine.facts import amount, name, unit_type
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Grounded(Kind):
    """The default takes the dearest plane."""

    name = "grounded"
    answers = ("target", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        planes: dict[tuple[str, str], int] = {}
        for piece, n in question.units:
            planes[piece.power, piece.type] = planes.get((piece.power, piece.type), 0) + n
        units = tuple((power, unit, n) for (power, unit), n in planes.items())
        return Decision(question.power, self.name, question.space, count=1, units=units, optional=True)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case orders.Target(units=units):
                answer(run, question, units)
            case Stay():
                answer(run, question, None)
            case _:
                raise self.unanswered(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        def price(plane: tuple[str, str, int]) -> tuple[int, str, str]:
            return -(unit_type(legal.world, legal.state, plane[0], plane[1]).cost or 0), plane[1], plane[0]

        for power, unit, _ in sorted(asked.units, key=price):
            yield orders.Target((UnitSpec(unit, 1, power),))
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        where = name(world, asked.space or "")
        return f"{world.powers[asked.power].name}: which plane on the ground in {where} is hit, or the facility?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if isinstance(order, orders.Target):
            return f"Destroy {amount(world, order.units[0].type, 1)}"
        return "Damage the facility"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to say whether a plane on the ground is hit"
