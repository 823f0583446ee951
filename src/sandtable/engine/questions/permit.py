"""Somebody must agree: to a passage, to sharing a territory, to an alliance. `permit` agrees, `stay` does not.

What the question is about is its topic, one class each. Whoever needs an agreement asks with `request`; the topic
carries out what was agreed on, or what follows from a refusal:

    TOPICS["alliance"] = Alliance()
    run.ask(request("alliance", "japan", "usa"))      # Japan is asked, about the United States
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State, Units
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Stay
from sandtable.world.model import PowerId, SpaceId, World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Topic:
    """What somebody is asked to agree to. `about` is whatever `request` was told beyond the space and the units."""

    agrees = False  # what somebody does who does not want to think about it

    def wording(self, world: World, state: State, asked: Decision) -> str:
        """The question, in one sentence; `asked.about` begins with the topic's name."""
        raise NotImplementedError

    def permitted(self, run: Run, question: Question, *about: str) -> None:
        """Carry out what was agreed on. The question is closed by then."""

    def declined(self, run: Run, question: Question, *about: str) -> None:
        """What follows when it is not agreed on."""

    def yes(self, world: World, asked: Decision) -> str:
        return "Agree"

    def no(self, world: World, asked: Decision) -> str:
        return "Refuse"


TOPICS: dict[str, Topic] = {}


def request(topic: str, power: PowerId, *about: str, space: SpaceId = "", units: Units = ()) -> Question:
    """The question whether the power agrees."""
    return Question(PermitKind.name, power, space, units=units, terms=(topic, *about))


class PermitKind(Kind):
    name = "permit"
    answers = ("permit", "stay")
    reason = "agreement-comes-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return msgspec.structs.replace(super().decision(world, state, question), about=question.terms)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Stay) and order != orders.Permit():
            raise self.unanswered(run, question, order)
        run.close()
        topic, *about = question.terms
        if isinstance(order, Stay):
            TOPICS[topic].declined(run, question, *about)
        else:
            TOPICS[topic].permitted(run, question, *about)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield orders.Permit()
        yield Stay()

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        return orders.Permit() if TOPICS[asked.about[0]].agrees else Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return TOPICS[asked.about[0]].wording(world, state, asked)

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        topic = TOPICS[asked.about[0]]
        return topic.no(world, asked) if isinstance(order, Stay) else topic.yes(world, asked)

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to say whether it agrees (`permit` or `stay`)"
