"""War that may be declared when a phase opens, before anything else happens in it (G40-POL-25)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import politics
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Declare, End, Stay
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class DeclareWar(Kind):
    """The default is peace."""

    name = "declare"
    answers = ("declare", "end", "stay")
    reason = "war-is-declared-first"

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case Declare(power=power):
                politics.declare(run, power)
                if politics.open_targets(run.world, run.state, run.power):
                    return
            case End() | Stay():
                pass
            case _:
                raise self.unanswered(run, question, order)
        run.close()

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield Stay()
        yield from (Declare(other) for other in politics.open_targets(legal.world, legal.state, asked.power))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: declare war now, before income is collected?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        return f"War on {world.powers[order.power].name}" if isinstance(order, Declare) else "Stay as it is"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to say whether it declares war (`declare` or `end`)"
