"""Standing orders: answers given beforehand, so that a seat is not asked each time."""

from __future__ import annotations

from typing import Protocol

from sandtable.engine.decision import Decision
from sandtable.engine.facts import unit_type
from sandtable.engine.legal import Legal
from sandtable.notation.orders import AnyOrder, Casualties, UnitSpec


class StandingOrder(Protocol):
    """Answers the questions it is made for and leaves the others alone."""

    name: str

    def answer(self, legal: Legal, question: Decision) -> AnyOrder | None:
        """The answer, or None: somebody has to decide."""
        ...


class CheapestFirst:
    """Names casualties: the cheapest units first; of equal ones, those that fight worst on this side of the battle."""

    name = "cheapest first"

    def answer(self, legal: Legal, question: Decision) -> AnyOrder | None:
        if question.kind != "casualties":
            return None
        order = self._greedy(legal, question)
        if legal.why_not(order) is None:
            return order
        # some hits spare some units, so the cheapest together are not allowed: the cheapest that are
        choices = [choice for choice in legal.orders() if isinstance(choice, Casualties)]
        return min(choices, key=lambda choice: self._price(legal, choice), default=None)

    def _greedy(self, legal: Legal, question: Decision) -> Casualties:
        kinds = sorted(question.units, key=lambda kind: self._worth(legal, kind[0], kind[1]))
        left = question.count
        chosen = []
        for power, unit, most in kinds:
            some = min(left, most)
            if some:
                chosen.append(UnitSpec(unit, some, power))
                left -= some
        return Casualties(tuple(chosen))

    def _price(self, legal: Legal, order: Casualties) -> tuple[int, int]:
        worths = [(self._worth(legal, spec.power or "", spec.type), spec.count) for spec in order.units]
        return sum(w[0] * n for w, n in worths), sum(w[1] * n for w, n in worths)

    @staticmethod
    def _worth(legal: Legal, power: str, unit: str) -> tuple[int, int, int]:
        """Price, then fighting value, then the place in the edition's list, so that nothing is left to chance."""
        kind = unit_type(legal.world, legal.state, power, unit)
        battle = legal.state.battle
        attacking = battle is not None and battle.attacker == power
        return kind.cost or 0, kind.attack if attacking else kind.defense, list(legal.world.units).index(unit)
