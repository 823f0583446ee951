"""The attacker presses on or breaks off (CL-RET-01 to CL-RET-06, AN-CBT-09 to AN-CBT-14, AN-SEA-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine import task_forces
from sandtable.engine.battle.steps.retreat import answer
from sandtable.engine.facts import name
from sandtable.engine.questions.kind import Decision, Kind, place_names
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Press, Stay
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Retreat(Kind):
    name = "retreat"
    answers = ("press", "retreat")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return msgspec.structs.replace(
            super().decision(world, state, question),
            planes_only="planes-only" in question.terms,
            must_leave="must-leave" in question.terms,
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Press | orders.Retreat | Stay):
            raise self.unanswered(run, question, order)
        if "invasion" in question.terms:
            self._send_back(run, question, order)
        else:
            answer(run, question, Press() if isinstance(order, Stay) else order)

    @staticmethod
    def _send_back(run: Run, question: Question, order: AnyOrder) -> None:
        """The Invasion Fleet of a lost sea battle says where it goes (MX07-06)."""
        if not isinstance(order, orders.Retreat) or order.space not in question.places:
            text = f"The Invasion Fleet has to retreat to {place_names(run.world, question.places)}."
            raise Refusal("invasion-fleet-goes-back", text, question.places)
        run.close()
        task_forces.leave(run, question.power, question.space, order.space)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        if not asked.must_leave:
            yield Press()
        if asked.planes_only:
            yield orders.Retreat()
        yield from (orders.Retreat(place) for place in asked.places)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who, where = world.powers[asked.power].name, name(world, asked.space or "")
        places = place_names(world, asked.places)
        if asked.must_leave:
            return f"{who}: the transports in {where} have no escort left: retreat to {places}?"
        if asked.planes_only:
            return f"{who}: press on in {where}, or let the planes break off?"
        return f"{who}: press on in {where}, or retreat to {places}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        match order:
            case orders.Retreat(space=None):
                return "Let the planes break off"
            case orders.Retreat(space=str() as space):
                return f"Retreat to {name(world, space)}"
            case _:
                return "Press the attack"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to press on or retreat"
