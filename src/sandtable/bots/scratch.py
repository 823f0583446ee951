"""Trying orders out on a copy: a planner's scratch paper. Legality is always the engine's word."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.legal import Legal
from sandtable.engine.movement.sharing import TOPIC as SHARING
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation.canonical import canonical
from sandtable.notation.orders import AnyOrder, Permit
from sandtable.world.model import World


class CalmDice:
    """Dice on which no gun hits: what a plan reckons with until the real ones are rolled."""

    def face(self, index: int, sides: int) -> int:
        return sides


class Scratch:
    """A state that orders are tried on one by one."""

    def __init__(self, world: World, state: State) -> None:
        self.world = world
        self.state = state
        self.done: list[AnyOrder] = []

    @property
    def legal(self) -> Legal:
        return Legal(self.world, self.state)

    def play(self, order: AnyOrder) -> bool:
        """Carry the order out if it is legal, and needs nobody's leave: whether that is given is not ours to say.

        Allies can be relied on to share what they have, until one has refused.
        """
        try:
            after, _ = self.legal.try_out(order, CalmDice())
            while after.questions and after.questions[0].terms[:1] == (SHARING,) and not self.state.refused:
                after, _ = Legal(self.world, after).try_out(Permit(), CalmDice())
        except Refusal:
            return False
        if any(question.kind == "permit" for question in after.questions):
            return False
        self.state = after
        self.done.append(canonical(self.world, order))  # as it will be told
        return True

    def play_all(self, orders: Sequence[AnyOrder]) -> bool:
        """Carry all orders out, or none."""
        before, known = self.state, len(self.done)
        for order in orders:
            if not self.play(order):
                self.state = before
                del self.done[known:]
                return False
        return True
