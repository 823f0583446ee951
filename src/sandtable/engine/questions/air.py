"""Which planes turn back from an air combat (G40-ACB-09); how many boats fire at ships that come by (G40-NAV-09)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from sandtable.engine.battle.steps.air_combat import abort
from sandtable.engine.battle.steps.ambush import answer
from sandtable.engine.facts import amount, describe, name, type_of
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Abort(Kind):
    """The default sends the weakest strikers home."""

    name = "abort"
    answers = ("abort",)

    def decision(self, world: World, state: State, question: Question) -> Decision:
        planes: dict[tuple[str, str], int] = {}
        for piece, n in question.units:
            planes[piece.power, piece.type] = planes.get((piece.power, piece.type), 0) + n
        units = tuple((power, unit, n) for (power, unit), n in planes.items())
        return Decision(question.power, self.name, question.space, count=question.count, units=units)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, orders.Abort):
            raise self.unanswered(run, question, order)
        abort(run, question, order.units)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world, state = legal.world, legal.state
        kinds = sorted(asked.units, key=lambda k: (type_of(world, state, Piece(k[0], k[1])).attack, k[1], k[0]))
        for numbers in product(*(range(n, -1, -1) for _, _, n in kinds)):
            if sum(numbers) == asked.count:
                chosen = zip(kinds, numbers, strict=True)
                yield orders.Abort(tuple(UnitSpec(unit, n, power) for (power, unit, _), n in chosen if n))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        number = "one plane" if asked.count == 1 else f"{asked.count} planes"
        return f"{world.powers[asked.power].name}: which {number} over {name(world, asked.space or '')} turn back?"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        number = "a plane turns back" if question.count == 1 else f"{question.count} planes turn back"
        return f"{world.powers[question.power].name} first has to say which: {number}"


class Ambush(Kind):
    """The default lets all boats fire: nothing fires back."""

    name = "ambush"
    answers = ("ambush", "stay")
    reason = "submarines-decide-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        units = tuple((piece.power, piece.type, n) for piece, n in question.units)
        return Decision(question.power, self.name, question.space, count=question.count, units=units, optional=True)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case orders.Ambush(count=number):
                answer(run, question, number)
            case Stay():
                run.close()
            case _:
                raise self.unanswered(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from (orders.Ambush(n) for n in range(asked.count, 0, -1))
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        boats = amount(world, asked.units[0][1], asked.count)
        return f"{world.powers[asked.power].name}: shall {boats} in {name(world, asked.space or '')} attack the ships?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if isinstance(order, orders.Ambush):
            return f"Attack with {amount(world, asked.units[0][1], order.count)}"
        return "Let them pass"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        who, where = world.powers[question.power].name, name(world, question.space)
        return f"{who} first has to say whether {describe(world, question.units)} in {where} attack"
