"""National objectives: is a bonus earned, how much is it, and if not, what is missing.

An objective's conditions are data (`objectives.yaml`), judged by `engine.conditions`.
"""

from __future__ import annotations

from sandtable.engine import conditions
from sandtable.engine.conditions.history import paid
from sandtable.engine.state import State
from sandtable.world.check import EACH
from sandtable.world.model import Objective, PowerId, World


def objectives_of(world: World, power: PowerId) -> list[Objective]:
    """The power's objectives, if the game is played with them (AN-INC-03)."""
    return [o for o in world.objectives if o.power in (power, EACH)] if world.rules.objectives else []


def met(world: World, state: State, objective: Objective, power: PowerId) -> bool:
    return worth(world, state, objective, power) > 0


def worth(world: World, state: State, objective: Objective, power: PowerId) -> int:
    """The bonus that the power would get now."""
    if objective.once and paid(objective.id) in state.history:
        return 0
    if not conditions.holds(world, state, objective.when, power):
        return 0
    times = 1 if objective.per is None else conditions.counted(world, state, objective.per, power)
    return objective.bonus * times


def lacking(world: World, state: State, objective: Objective, power: PowerId) -> list[str]:
    """What is missing for the bonus, one sentence's part for each condition that does not hold."""
    if objective.once and paid(objective.id) in state.history:
        return ["it is paid once only"]
    missing = conditions.lacking(world, state, objective.when, power)
    if objective.per is not None and not conditions.counted(world, state, objective.per, power):
        missing += conditions.lacking(world, state, objective.per, power)
    return missing
