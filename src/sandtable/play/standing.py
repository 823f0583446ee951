"""Standing orders: answers given beforehand, so that a seat is not asked each time."""

from __future__ import annotations

from typing import Protocol

from sandtable.engine.decision import Decision
from sandtable.engine.legal import Legal
from sandtable.notation.orders import AnyOrder


class StandingOrder(Protocol):
    """Answers the questions it is made for and leaves the others alone."""

    name: str

    def answer(self, legal: Legal, question: Decision) -> AnyOrder | None:
        """The answer, or None: somebody has to decide."""
        ...


class CheapestFirst:
    """Names casualties as that kind of question answers by itself: the cheapest units first."""

    name = "cheapest first"

    def answer(self, legal: Legal, question: Decision) -> AnyOrder | None:
        return legal.default() if question.kind == "casualties" else None
