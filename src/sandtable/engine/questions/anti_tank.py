"""How many guns serve against tanks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine.battle import anti_tank
from sandtable.engine.facts import amount, name
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Antitank, AnyOrder, Stay
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class AntiTankKind(Kind):
    name = anti_tank.KIND
    answers = ("antitank", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        found = super().decision(world, state, question)
        return Decision(found.power, self.name, found.space, count=found.count, units=found.units, optional=True)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case Antitank(count=number):
                if not 1 <= number <= question.count:
                    text = f"From 1 to {question.count} guns can serve against tanks there, not {number}."
                    raise Refusal("no-such-anti-tank-guns", text, (question.space,))
            case Stay():
                number = 0
            case _:
                raise self.unanswered(run, question, order)
        run.close()
        run.note(asked=(*run.battle.asked, question.power))
        anti_tank.turn(run, question, number)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from (Antitank(n) for n in range(asked.count, 0, -1))
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        assert asked.space is not None
        guns = amount(world, asked.units[0][1], asked.count)
        return f"{world.powers[asked.power].name}: how many of {guns} in {name(world, asked.space)} fire at tanks?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        return f"{order.count} against tanks" if isinstance(order, Antitank) else "All against planes"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first says how many guns fire at tanks"
