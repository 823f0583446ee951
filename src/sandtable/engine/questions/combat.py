"""What a power is asked in its combat phase: which battle comes next, and whether to fire a rocket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import rockets
from sandtable.engine.battle.opening import choices
from sandtable.engine.facts import name
from sandtable.engine.questions.kind import Decision, Kind, place_names
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Fight, Rocket, Stay
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class NextBattle(Kind):
    name = "battle"
    answers = ("battle", "rocket")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        possible = choices(world, state, question.power)
        return Decision(
            question.power,
            self.name,
            places=tuple(dict.fromkeys(p.space for p in possible)),
            launches=rockets.offers(world, state, question.power),
            optional=any(p.optional for p in possible),
        )

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from (Fight(s) for s in asked.places)
        if asked.optional:
            yield Stay()
        yield from rockets.orders(legal.world, legal.state, asked.power)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        who, places = world.powers[asked.power].name, place_names(world, asked.places)
        if asked.optional and len(asked.places) == 1:
            return f"{who}: fight in {places}, or not?"
        return f"{who}: which battle is fought next, {places}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        match order:
            case Fight(space=space):
                return f"Fight in {name(world, space)}"
            case Rocket():
                return _launch(world, order)
            case _:
                aboard = any(p.optional and world.spaces[p.space].is_land for p in choices(world, state, asked.power))
                return "Stay aboard" if aboard else "Leave them alone"


class FireRocket(Kind):
    name = "rocket"
    answers = ("rocket", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name, launches=rockets.offers(world, state, question.power))

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from rockets.orders(legal.world, legal.state, asked.power)
        yield Stay()

    def wording(self, world: World, state: State, asked: Decision) -> str:
        guns = place_names(world, tuple(dict.fromkeys(gun for gun, _ in asked.launches)))
        return f"{world.powers[asked.power].name}: fire a rocket from {guns}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        return _launch(world, order) if isinstance(order, Rocket) else "Fire none"


def _launch(world: World, order: Rocket) -> str:
    what = f" ({world.units[order.facility].name})" if order.facility is not None else ""
    return f"Fire a rocket from {name(world, order.gun)} at {name(world, order.target)}{what}"
