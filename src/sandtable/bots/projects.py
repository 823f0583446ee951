"""Research on a track: which project is worth its dice, by what it will save or add when it is reached."""

from __future__ import annotations

import math

from sandtable.bots.bases import LAST_ROUND
from sandtable.bots.plan import Step
from sandtable.bots.research import worth_of
from sandtable.bots.risk import risk
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.cards import research_cost
from sandtable.engine.facts import NOTHING
from sandtable.engine.projects import possible
from sandtable.notation.orders import Research
from sandtable.world.model import TechId

USUAL = 5  # rounds that `worth_of` counts savings for
PROFIT = 1.5  # times its price that a project has to promise
RICH = 4  # times the price of a die that there has to be
MORE = 4  # times as much for each project that has had its die this turn


def plan_project(sight: Sight, style: Style) -> Step | None:
    """A die for the project that promises most, while the capital is in no danger."""
    world, state, power = sight.world, sight.state, sight.power
    open_to = possible(world, state, power)
    cost = research_cost(world, state)
    if not open_to or state.treasury[power] < RICH * cost * (1 + MORE * len(state.advanced)):
        return None
    capital = sight.capital
    if capital is not None and risk(sight, capital, sight.ours(capital)).chance > style.capital_risk:
        return None
    profits = {tech: _profit(sight, tech, cost) for tech in open_to}
    best = max(profits, key=lambda tech: (profits[tech], tech))
    if profits[best] <= 0:
        return None
    name = world.technologies[best].name
    reason = f"Research {name}: it will bring {profits[best]:.0f} IPC more than its dice cost"
    return Step(reason, (Research(technology=best),), gain=profits[best])


def _profit(sight: Sight, tech: TechId, cost: int) -> float:
    """What the project brings from when it is reached, less its dice."""
    world, state = sight.world, sight.state
    kind = world.technologies[tech]
    if tech in state.techs.get(sight.power, NOTHING):
        return 0.0
    place = state.projects.get(sight.power, {}).get(tech, 0)
    turns = math.ceil((world.rules.track_length - place) / _pace(sight, tech))
    rounds = LAST_ROUND - state.round - turns
    if rounds <= 0:
        return 0.0
    value = worth_of(sight, kind) * min(1.0, rounds / USUAL)
    return value - PROFIT * cost * turns


def _pace(sight: Sight, tech: TechId) -> float:
    """Spaces that a die moves the marker on average: the highest face of a common project rolls again."""
    kind, sides = sight.world.technologies[tech], sight.world.rules.dice_sides
    if kind.progress:
        return sum(kind.progress) / len(kind.progress)
    again = (sides + 1 - sight.world.rules.research_success) / sides
    return (sides + 1) / 2 / (1 - again)
