"""Ships off a shore support a landing, and there are too many, or too many landings (AN-CMV-30, AN-AMP-07)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from sandtable.engine.battle.steps.support_shot import answer
from sandtable.engine.facts import amounts, name, type_of
from sandtable.engine.questions.kind import Decision, Kind, by_sort, place_names
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Bombard(Kind):
    """The default lets the strongest ships fire here, as many as may."""

    name = "bombard"
    answers = ("bombard", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        units, sorts = by_sort(question.units)
        return Decision(
            question.power,
            self.name,
            question.space,
            count=question.count,
            units=units,
            sorts=sorts,
            places=question.places,
            zone=question.terms[0],
            optional=True,
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, orders.Bombard | Stay):
            raise self.unanswered(run, question, order)
        answer(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """Here before elsewhere, many before few, the strongest first; then none at all."""
        world, state = legal.world, legal.state
        kinds = asked.sorts or tuple(UnitSpec(unit, n, power) for power, unit, n in asked.units)

        def support(spec: UnitSpec) -> int:
            return type_of(world, state, Piece(spec.power or "", spec.type, marks=spec.marks or ())).support

        found: list[tuple[int, int, tuple[UnitSpec, ...]]] = []
        for numbers in product(*(range(spec.count + 1) for spec in kinds)):
            chosen = [(spec, n) for spec, n in zip(kinds, numbers, strict=True) if n]
            if chosen:
                strength = sum(n * support(spec) for spec, n in chosen)
                units = tuple(UnitSpec(spec.type, n, marks=spec.marks) for spec, n in chosen)
                found.append((-sum(numbers), -strength, units))
        for place in asked.places:
            for _, _, units in sorted(found, key=lambda choice: choice[:2]):
                order = orders.Bombard(units, place)
                if order in legal:
                    yield order
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        ships = amounts(world, [(unit, n) for _, unit, n in asked.units])
        where, shores = name(world, asked.zone or ""), place_names(world, asked.places)
        who = world.powers[asked.power].name
        if len(asked.places) == 1:
            return f"{who}: which {asked.count} of {ships} in {where} support the landing in {shores}?"
        return f"{who}: which of {ships} in {where} support which landing, {shores}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if not isinstance(order, orders.Bombard):
            return f"None fires at {name(world, asked.space or '')}"
        told = amounts(world, [(spec.type, spec.count) for spec in order.units])
        here = order.space == asked.space
        return f"{told} {'at' if here else 'kept for'} {name(world, order.space)}"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        who, where = world.powers[question.power].name, name(world, question.terms[0])
        return f"{who} first has to say which ships in {where} support which landing"
