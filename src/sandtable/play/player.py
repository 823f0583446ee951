"""Whoever sits at the table and answers by itself."""

from __future__ import annotations

from typing import Protocol

from sandtable.engine.decision import Decision
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.notation.orders import AnyOrder


class Player(Protocol):
    """Answers questions. People are not players in this sense: the table waits for them."""

    name: str

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        """An order that answers the question, which is this player's."""
        ...
