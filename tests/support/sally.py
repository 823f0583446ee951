"""A question of one's own: when a sea battle opens, the defender's fighters on a coast beside it may join (a sally)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from sandtable.engine.battle.steps import STEPS
from sandtable.engine.events import Change, Moved
from sandtable.engine.facts import is_friendly, name
from sandtable.engine.legal import Legal
from sandtable.engine.questions import KINDS, Decision
from sandtable.engine.questions.kind import Kind
from sandtable.engine.registry import register_question, register_step
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Question, Units, in_order
from sandtable.notation.orders import AnyOrder, Scramble, Stay, UnitSpec
from sandtable.world.model import World


class SallyKind(Kind):
    name = "sally"
    answers = ("scramble", "stay")

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Scramble | Stay):
            raise self.unanswered(run, question, order)
        run.close()
        if isinstance(order, Scramble):
            units: Units = tuple((p, 1) for p, _ in question.units if p.type == order.units[0].type)
            changes = (Change(order.start, minus=units), Change(order.zone, plus=units))
            run.emit(Moved(question.power, (order.start, order.zone), changes, units))
        run.note(asked=(*run.battle.asked, question.power))

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        assert asked.space is not None
        for place in asked.places:
            yield Scramble((UnitSpec("fighter"),), place, asked.space)
        yield Stay()

    def wording(self, world: World, state: object, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: scramble a fighter to {name(world, asked.space or '')}?"


def sally(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    for power in world.powers:
        if power in battle.asked or power not in enemies(world, state, battle.attacker):
            continue
        for coast in world.land[battle.space]:
            planes = [(p, n) for p, n in in_order(state.at(coast)) if p.power == power and p.type == "fighter"]
            if planes and is_friendly(world, state, power, coast):
                run.ask(Question("sally", power, battle.space, "defense", 1, tuple(planes[:1]), (coast,)))
                return False
    return True


@contextmanager
def with_sallies(plain: World) -> Iterator[World]:
    """The world in which every sea battle begins with that question."""
    register_question(SallyKind())
    register_step("sally", sally, title="Sally", once=True)
    sea = plain.battles["sea"]
    try:
        yield msgspec.structs.replace(
            plain, battles={**plain.battles, "sea": msgspec.structs.replace(sea, steps=("sally", *sea.steps))}
        )
    finally:
        del STEPS["sally"]
        del KINDS["sally"]
