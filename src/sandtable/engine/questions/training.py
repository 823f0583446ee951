"""Whether a power keeps its pilots at their level, raises it, or lets it lapse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import pilots
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Stay, Train
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class PilotTraining(Kind):
    name = "training"
    answers = ("train", "stay")
    reason = "training-comes-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name, count=pilots.level(world, state, question.power), optional=True)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        match order:
            case Train(up=up):
                pilots.train(run, up=up)
            case Stay():
                pilots.neglect(run)
            case _:
                raise self.unanswered(run, question, order)
        run.close()

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        step = pilots.training_of(legal.world, legal.state, asked.power)
        free = step is not None and not step.keep  # nothing to pay: the level is kept without training
        yield from (order for order in (*(() if free else (Train(),)), Train(up=True), Stay()) if order in legal)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return (
            f"{world.powers[asked.power].name}: shall its pilots be trained? They are at level {_figure(asked.count)}."
        )

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        step = pilots.training_of(world, state, asked.power)
        if step is None or isinstance(order, Stay):
            lowest = min(each.level for each in world.rules.training)
            return "No training" if asked.count == lowest else f"Let them fall to {_figure(asked.count - 1)}"
        if isinstance(order, Train) and order.up:
            return f"Raise them to {_figure(step.level + 1)} for {step.keep + (step.rise or 0)}"
        return f"Keep level {_figure(step.level)} for {step.keep}"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first says whether its pilots are trained"


def _figure(level: int) -> str:
    return f"{level:+d}" if level else "0"
