"""The recruit: plays any legal order. The measure that every real opponent has to beat."""

from __future__ import annotations

import random

from sandtable.bots.plan import Plan, Step
from sandtable.engine.decision import Decision
from sandtable.engine.facts import active
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.engine.phases import phase_title
from sandtable.engine.state import State
from sandtable.notation.orders import AnyOrder
from sandtable.world.model import World


class Recruit:
    """Draws its orders from a stream of its own, so that the game's dice stay what they are."""

    name = "random"
    stars = 0
    style = "balanced"

    def __init__(self, seed: int | str = 0) -> None:
        self._random = random.Random(f"{seed}/recruit")  # noqa: S311 (play, not secrets)

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        return legal.sample(self._random)

    def plan(self, world: World, state: State) -> Plan:
        reason = "Any legal order will do: a recruit has no plan."
        phase = world.phases[state.phase]
        return Plan(active(world, state), phase, phase_title(world, phase), self.name, (Step(reason),), state=state)

    def explain(self, legal: Legal, question: Decision) -> str:
        return "Any legal order will do."
