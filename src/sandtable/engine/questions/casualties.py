"""Which units are lost to hits (CL-CMB-03, AN-CBT-05)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine.battle import casualties
from sandtable.engine.facts import name, unit_type
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Casualties(Kind):
    """The default is a standing order that players like: cheapest first; of equal ones those that fight worst here."""

    name = "casualties"
    answers = ("casualties",)
    few = False

    def decision(self, world: World, state: State, question: Question) -> Decision:
        most = casualties.on_offer(world, state, question)
        return msgspec.structs.replace(
            super().decision(world, state, question), units=tuple((p, u, n) for (p, u), n in most.items())
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, orders.Casualties):
            raise self.unanswered(run, question, order)
        casualties.answer(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        def share(left: int, kinds: tuple[tuple[str, str, int], ...]) -> Iterator[tuple[UnitSpec, ...]]:
            if not kinds:
                if not left:
                    yield ()
                return
            power, unit, most = kinds[0]
            for n in range(min(left, most), -1, -1):
                for rest in share(left - n, kinds[1:]):
                    yield ((UnitSpec(unit, n, power), *rest) if n else rest)

        for specs in share(asked.count, asked.units):
            order = orders.Casualties(specs)
            if order in legal:
                yield order

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        """Pick units one by one; hits that spare some units make a few tries necessary."""
        for _ in range(50):
            pool = [(p, u) for p, u, n in asked.units for _ in range(n)]
            chosen = rng.sample(pool, asked.count)
            kinds = sorted(set(chosen), key=chosen.index)
            order = orders.Casualties(tuple(UnitSpec(u, chosen.count((p, u)), p) for p, u in kinds))
            if order in legal:
                return order
        return next(iter(self.orders(legal, asked)))

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        left = asked.count
        chosen = []
        for power, unit, most in sorted(asked.units, key=lambda kind: _worth(legal, kind[0], kind[1])):
            some = min(left, most)
            if some:
                chosen.append(UnitSpec(unit, some, power))
                left -= some
        order = orders.Casualties(tuple(chosen))
        if order in legal:
            return order
        # some hits spare some units, so the cheapest together are not allowed: the cheapest that are
        found = [choice for choice in self.orders(legal, asked) if isinstance(choice, orders.Casualties)]
        return min(found, key=lambda choice: _price(legal, choice))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who, where = world.powers[asked.power].name, name(world, asked.space or "")
        if any(unit_type(world, state, power, unit).hits > 1 for power, unit, _ in asked.units):
            number = "the hit" if asked.count == 1 else f"the {asked.count} hits"
            return f"{who}: which units take {number} in {where}?"
        number = "one unit" if asked.count == 1 else f"{asked.count} units"
        return f"{who}: which {number} to lose in {where}?"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to name {question.count} casualties"


def _price(legal: Legal, order: orders.Casualties) -> tuple[int, int]:
    worths = [(_worth(legal, spec.power or "", spec.type), spec.count) for spec in order.units]
    return sum(w[0] * n for w, n in worths), sum(w[1] * n for w, n in worths)


def _worth(legal: Legal, power: str, unit: str) -> tuple[int, int, int]:
    """Price, then fighting value, then the place in the edition's list, so that nothing is left to chance."""
    kind = unit_type(legal.world, legal.state, power, unit)
    battle = legal.state.battle
    attacking = battle is not None and battle.attacker == power
    return kind.cost or 0, kind.attack if attacking else kind.defense, list(legal.world.units).index(unit)
