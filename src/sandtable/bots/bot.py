"""A computer player of three, four or five stars.

A bot is a function of its name, its seed and the position: whoever asks it the same question gets the same answer, in
whatever process, whether it was asked the question before or not. What it remembers only saves work.
"""

from __future__ import annotations

import random
from typing import Protocol

from sandtable.bots import battle_answers, diplomacy
from sandtable.bots.airborne import plan_drops
from sandtable.bots.mobilize import plan_places
from sandtable.bots.outline import outline
from sandtable.bots.plan import Plan, Step
from sandtable.bots.politics import plan_wars
from sandtable.bots.projects import plan_project
from sandtable.bots.purchase import Purchase
from sandtable.bots.research import plan_aid, plan_focused, plan_research
from sandtable.bots.scratch import Scratch
from sandtable.bots.search import best_attack, best_quiet_moves
from sandtable.bots.sight import Sight, with_wars_to_come
from sandtable.bots.style import Style, tempered
from sandtable.engine.decision import Decision
from sandtable.engine.facts import active
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.engine.phases import phase_title
from sandtable.engine.state import State
from sandtable.notation.orders import AnyOrder, End, Research
from sandtable.world.model import World

REMEMBERED = 64  # plans


class Bot(Protocol):
    """What every opponent offers."""

    name: str
    stars: int
    style: str

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        """The order that answers the open question."""
        ...

    def plan(self, world: World, state: State) -> Plan:
        """What the bot means to do in the phase that is open, with reasons."""
        ...

    def explain(self, legal: Legal, question: Decision) -> str:
        """Why the bot would answer this question as it does."""
        ...


class StarBot:
    def __init__(self, style: Style, seed: int | str = "", name: str = "") -> None:
        self.minded = tempered(style, seed)
        self.stars = style.stars
        self.style = style.name
        self.name = name or f"{style.stars}star" + ("" if style.name == "balanced" else f"-{style.name}")
        self.seed = seed

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        """The next order of the plan for this phase; a new plan when things have turned out otherwise."""
        world, state = legal.world, view.state
        if state.phase == 0 and {"ally", "break"} & set(question.also):
            word = diplomacy.order(world, state, question.power)
            if word is not None:
                return word[0]
        if question.kind in PHASES:
            known = _recall(self._key(world, state), state)
            if known is not None:
                return known
            self._remember(world, state, self.plan(world, state))
            known = _recall(self._key(world, state), state)
            if known is not None:
                return known
            return End() if legal.why_not(End()) is None else legal.sample(self.chance(state))
        order, _ = battle_answers.answer(Sight(world, state, question.power), legal, question, self.minded)
        return order

    def explain(self, legal: Legal, question: Decision) -> str:
        """Why the bot would answer this question as it does."""
        if legal.state.phase == 0 and {"ally", "break"} & set(question.also):
            word = diplomacy.order(legal.world, legal.state, question.power)
            if word is not None:
                return word[1]
        if question.kind in PHASES:
            return self.plan(legal.world, legal.state).explain()
        sight = Sight(legal.world, legal.state, question.power)
        return battle_answers.answer(sight, legal, question, self.minded)[1]

    def chance(self, state: State) -> random.Random:
        """The bot's own chance, the same for the same position."""
        return random.Random(f"{self.seed}/{self.name}/{state.round}/{state.turn}/{state.phase}")  # noqa: S311 (play)

    def plan(self, world: World, state: State) -> Plan:
        """What the bot means to do in the phase that is open, with reasons."""
        scratch = Scratch(world, state)
        power = active(world, state)
        phase = world.phases[state.phase]
        steps: list[Step] = []
        match phase:
            case "research":
                sight = with_wars_to_come(world, state, power)
                drops = plan_drops(world, state, power, self.minded)
                weapons = (plan_focused(sight, self.minded), plan_research(sight, self.minded))
                for step in (plan_aid(sight, self.minded), drops, *weapons):
                    if step is not None and scratch.play_all(step.orders):
                        steps.append(step)
            case "purchase":
                if not state.pool:
                    sight = with_wars_to_come(world, state, power)
                    step = plan_project(sight, self.minded) if self.minded.skies else None
                    if step is None or Legal(world, state).why_not(step.orders[0]) is not None:
                        step = Purchase(sight, self.minded).plan()
                    if step is not None and scratch.play_all(step.orders):
                        steps = [step]
            case "combat-move":
                steps = plan_wars(scratch, power, self.minded)
                steps += best_attack(scratch, power, self.minded)
            case "noncombat-move":
                steps = best_quiet_moves(scratch, power, self.minded)
            case "mobilize":
                steps = plan_places(scratch, power, self.minded)
            case _:
                pass
        aim = outline(with_wars_to_come(world, state, power)) if phase in FARSIGHTED and self.minded.ferries else ""
        return Plan(power, phase, phase_title(world, phase), self.name, tuple(steps), aim, scratch.state)

    # ------------------------------------------------------------ memory

    def _key(self, world: World, state: State) -> tuple[object, ...]:
        return (self.name, str(self.seed), id(world), state.round, state.turn, state.phase)

    def _remember(self, world: World, state: State, plan: Plan) -> None:
        """Keep each order with the position that it answers."""
        pairs: list[tuple[State, AnyOrder]] = []
        scratch = Scratch(world, state)
        for order in plan.orders:
            before = scratch.state
            if scratch.play(order):
                pairs.append((before, order))
        waits = any(isinstance(order, Research) for order in plan.orders)  # for dice, before anything else is bought
        if not waits and scratch.legal.why_not(End()) is None:
            pairs.append((scratch.state, End()))
        _memory[self._key(world, state)] = pairs
        while len(_memory) > REMEMBERED:
            del _memory[next(iter(_memory))]


FARSIGHTED = ("purchase", "combat-move", "noncombat-move")  # whose plans serve more than the turn
PHASES = ("research", "purchase", "combat-move", "noncombat-move", "mobilize")

_memory: dict[tuple[object, ...], list[tuple[State, AnyOrder]]] = {}


def _recall(key: tuple[object, ...], state: State) -> AnyOrder | None:
    for before, order in _memory.get(key, ()):
        if before == state:
            return order
    return None
