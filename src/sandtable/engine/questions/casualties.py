"""Which units are lost to hits: their owner says so (CL-CMB-03, AN-CBT-05), or the enemy where a rule lets him."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine.battle import casualties
from sandtable.engine.battle.hits import Sort
from sandtable.engine.battle.strength import alone
from sandtable.engine.facts import name, type_of, unit_type
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, Role, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, UnitSpec
from sandtable.world.model import UnitType, World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Casualties(Kind):
    """The default is a standing order that players like: cheapest first; of equal ones those that fight worst here."""

    name = "casualties"
    answers = ("casualties",)
    few = False
    order: type[orders.Casualties | orders.Target] = orders.Casualties
    dearest = False  # the default names the dearest units instead

    def decision(self, world: World, state: State, question: Question) -> Decision:
        most, sorts = casualties.on_offer(world, state, question)
        return msgspec.structs.replace(
            super().decision(world, state, question),
            units=tuple((p, u, n) for (p, u), n in most.items()),
            sorts=_told_apart(sorts) if len(sorts) > len(most) else (),
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, self.order):
            raise self.unanswered(run, question, order)
        casualties.answer(run, question, order.units)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        def share(left: int, sorts: tuple[UnitSpec, ...]) -> Iterator[tuple[UnitSpec, ...]]:
            if not sorts:
                if not left:
                    yield ()
                return
            for n in range(min(left, sorts[0].count), -1, -1):
                for rest in share(left - n, sorts[1:]):
                    yield ((msgspec.structs.replace(sorts[0], count=n), *rest) if n else rest)

        for specs in share(asked.count, on_offer(asked)):
            order = self.order(specs)
            if order in legal:
                yield order

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        """Pick units one by one; hits that spare some units make a few tries necessary."""
        offer = on_offer(asked)
        for _ in range(50):
            pool = [index for index, spec in enumerate(offer) for _ in range(spec.count)]
            chosen = rng.sample(pool, asked.count)
            picked = sorted(set(chosen), key=chosen.index)
            order = self.order(tuple(msgspec.structs.replace(offer[i], count=chosen.count(i)) for i in picked))
            if order in legal:
                return order
        return next(iter(self.orders(legal, asked)))

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        left = asked.count
        chosen = []
        for spec in sorted(on_offer(asked), key=lambda spec: _worth(legal, spec), reverse=self.dearest):
            some = min(left, spec.count)
            if some:
                chosen.append(msgspec.structs.replace(spec, count=some))
                left -= some
        order = self.order(tuple(chosen))
        if order in legal:
            return order
        # some hits spare some units, so the cheapest together are not allowed: the cheapest that are
        found = [choice for choice in self.orders(legal, asked) if isinstance(choice, self.order)]
        best = max if self.dearest else min
        return best(found, key=lambda choice: _price(legal, choice.units))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who, where = world.powers[asked.power].name, name(world, asked.space or "")
        if any(_type(world, state, UnitSpec(unit, n, power)).hits > 1 for power, unit, n in asked.units):
            number = "the hit" if asked.count == 1 else f"the {asked.count} hits"
            return f"{who}: which units take {number} in {where}?"
        number = "one unit" if asked.count == 1 else f"{asked.count} units"
        return f"{who}: which {number} to lose in {where}?"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        number = "1 casualty" if question.count == 1 else f"{question.count} casualties"
        return f"{world.powers[question.power].name} first has to name {number}"


class Target(Casualties):
    """Whoever may name the enemy's losses; the default takes the dearest."""

    name = "target"
    answers = ("target",)
    order = orders.Target
    dearest = True

    def wording(self, world: World, state: State, asked: Decision) -> str:
        number = "enemy unit is" if asked.count == 1 else f"{asked.count} enemy units are"
        return f"{world.powers[asked.power].name}: which {number} hit in {name(world, asked.space or '')}?"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        number = "one enemy unit" if question.count == 1 else f"{question.count} enemy units"
        return f"{world.powers[question.power].name} first has to choose {number} to be hit"


def on_offer(asked: Decision) -> tuple[UnitSpec, ...]:
    """What the answer chooses among, each with the most that it may take of it."""
    return asked.sorts or tuple(UnitSpec(unit, n, power) for power, unit, n in asked.units)


def _told_apart(sorts: dict[Sort, int]) -> tuple[UnitSpec, ...]:
    """Cargo and marks are named where units of a kind differ in them."""
    found = []
    for sort, n in sorts.items():
        same = [other for other in sorts if other.kind == sort.kind]
        cargo = sort.cargo if len({other.cargo for other in same}) > 1 else None
        marks = sort.marks if len({other.marks for other in same}) > 1 else None
        found.append(UnitSpec(sort.unit, n, sort.power, cargo, marks))
    return tuple(found)


def _price(legal: Legal, units: tuple[UnitSpec, ...]) -> tuple[int, int]:
    worths = [(_worth(legal, spec), spec.count) for spec in units]
    return sum(w[0] * n for w, n in worths), sum(w[1] * n for w, n in worths)


def _type(world: World, state: State, spec: UnitSpec) -> UnitType:
    if not spec.marks:
        return unit_type(world, state, spec.power or "", spec.type)
    return type_of(world, state, Piece(spec.power or "", spec.type, marks=spec.marks))


def _worth(legal: Legal, spec: UnitSpec) -> tuple[int, int, int]:
    """Price, cargo included, then fighting value, then the place in the edition's list: nothing is left to chance."""
    world, state = legal.world, legal.state
    aboard = sum((_type(world, state, UnitSpec(u, 1, spec.power)).cost or 0) * n for u, n in spec.cargo or ())
    battle = state.battle
    attacking = battle is not None and battle.attacker == spec.power
    return worth_of(world, _type(world, state, spec), "attack" if attacking else "defense", aboard)


def worth_of(world: World, kind: UnitType, role: Role, aboard: int = 0) -> tuple[int, int, int]:
    """The same of such a unit, with so much aboard."""
    return (kind.cost or 0) + aboard, alone(kind, role).value, list(world.units).index(kind.id)
