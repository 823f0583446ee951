"""Planes rise from their bases against an attack (G40-SCR-01) or against ships that have moved (G40-INT-12).

One order a base and zone; `end` when all are said, `stay` for none. The question closes by itself when no plane is left
that could be named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sandtable.engine import sorties
from sandtable.engine.battle.overhead import note
from sandtable.engine.facts import amounts, name
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, Stack, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, End, Stay, UnitSpec
from sandtable.world.model import PowerId, World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal

Launches = Callable[[World, State, PowerId], dict[sorties.Launch, Stack]]


class Rising(Kind):
    """What scrambling and interdiction have in common. The default leaves the planes where they are."""

    launches: Launches
    order: type[orders.Scramble | orders.Interdict]
    verb = ""
    reason = "planes-answer-first"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        possible = type(self).launches(world, state, question.power)
        planes: dict[tuple[str, str], int] = {}
        for base in dict.fromkeys(base for base, _ in possible):
            most: dict[str, int] = {}
            for (other, _), stack in possible.items():
                if other == base:
                    for piece, n in _by_type(stack).items():
                        most[piece] = max(most.get(piece, 0), n)
            for unit, n in most.items():
                planes[question.power, unit] = planes.get((question.power, unit), 0) + n
        return Decision(
            question.power,
            self.name,
            units=tuple((power, unit, n) for (power, unit), n in planes.items()),
            places=tuple(dict.fromkeys(zone for _, zone in possible)),
            launches=tuple(possible),
            optional=True,
            also=("end",),
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if isinstance(order, End | Stay):
            run.close()
            note(run, asked=(*run.state.sorties.asked, question.power))
            return
        if not isinstance(order, self.order):
            raise self.unanswered(run, question, order)
        self.launch(run, question.power, order)
        if not type(self).launches(run.world, run.state, question.power):
            run.close()
            note(run, asked=(*run.state.sorties.asked, question.power))

    def launch(self, run: Run, power: PowerId, order: orders.Scramble | orders.Interdict) -> None:
        raise NotImplementedError

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """None, then one plane from each base to each zone, or two or three of a kind, as many as may."""
        yield Stay()
        possible = type(self).launches(legal.world, legal.state, asked.power)
        for (base, zone), stack in possible.items():
            for unit, n in _by_type(stack).items():
                for number in range(1, min(n, 3) + 1):
                    order = self.order((UnitSpec(unit, number),), base, zone)
                    if order in legal:
                        yield order

    def wording(self, world: World, state: State, asked: Decision) -> str:
        planes = amounts(world, [(unit, n) for _, unit, n in asked.units])
        whether = "shall" if sum(n for _, _, n in asked.units) == 1 else "which of"
        ways = ", ".join(f"{name(world, base)} to {name(world, zone)}" for base, zone in asked.launches)
        return f"{world.powers[asked.power].name}: {whether} {planes} {self.verb} ({ways})?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if not isinstance(order, self.order):
            return "No more" if isinstance(order, End) else "None"
        told = amounts(world, [(spec.type, spec.count) for spec in order.units])
        return f"{told}: {name(world, order.start)} to {name(world, order.zone)}"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first has to say which planes {self.verb}"


def _by_type(stack: Stack) -> dict[str, int]:
    found: dict[str, int] = {}
    for piece, n in stack.items():
        found[piece.type] = found.get(piece.type, 0) + n
    return found


class Scramble(Rising):
    name = "scramble"
    answers = ("scramble", "end", "stay")
    launches = staticmethod(sorties.scrambles)
    order = orders.Scramble
    verb = "scramble"
    reason = "scrambling-comes-first"

    def launch(self, run: Run, power: PowerId, order: orders.Scramble | orders.Interdict) -> None:
        sorties.scramble(run, power, order.units, order.start, order.zone)


class Interdict(Rising):
    name = "interdict"
    answers = ("interdict", "end", "stay")
    launches = staticmethod(sorties.interdictions)
    order = orders.Interdict
    verb = "attack ships that have moved"
    reason = "interdiction-comes-first"

    def launch(self, run: Run, power: PowerId, order: orders.Scramble | orders.Interdict) -> None:
        sorties.interdict(run, power, order.units, order.start, order.zone)
