"""Submarines may leave a battle: under water, or to another zone (CL-SUB-08 to CL-SUB-14, AN-SEA-01)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine.battle.steps.submarines_withdraw import answer
from sandtable.engine.facts import amount, listed, name
from sandtable.engine.questions.kind import Decision, Kind, place_names
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Stay, Submerge, Withdraw
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Submarines(Kind):
    name = "submarines"
    answers = ("submerge", "withdraw", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return msgspec.structs.replace(super().decision(world, state, question), submerge="submerge" in question.terms)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Submerge | Withdraw | Stay):
            raise self.unanswered(run, question, order)
        answer(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield Stay()
        if asked.submerge:
            yield from (Submerge(n) for n in range(1, asked.count + 1))
        for place in asked.places:
            yield from (Withdraw(place, n) for n in range(1, asked.count + 1))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        where = name(world, asked.space or "")
        ways = ["submerge"] if asked.submerge else []
        if asked.places:
            ways.append(f"withdraw to {place_names(world, asked.places)}")
        boats = _boats(world, asked, asked.count)
        return f"{world.powers[asked.power].name}: {boats} in {where}: {listed([*ways, 'stay'], 'or')}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        match order:
            case Submerge(count=n):
                return f"Submerge {_boats(world, asked, n or asked.count)}"
            case Withdraw(space=space, count=n):
                return f"Withdraw {_boats(world, asked, n or asked.count)} to {name(world, space)}"
            case _:
                return "Stay and fight"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to decide about its submarines"


def _boats(world: World, asked: Decision, number: int) -> str:
    kinds = list(dict.fromkeys(unit for _, unit, _ in asked.units))
    return amount(world, kinds[0], number) if len(kinds) == 1 else f"{number} boats"
