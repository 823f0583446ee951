"""The training of pilots: what it costs, and what it is worth in the air (G40-PIL-01 to G40-PIL-09)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.events import PilotsTrained
from sandtable.engine.facts import technologies
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, Training, World


def level(world: World, state: State, power: PowerId) -> int:
    """How good the power's pilots are; 0 where nobody trains them."""
    return state.pilots.get(power, 0) if world.rules.training else 0


def modifier(world: World, state: State, power: PowerId, *, intercepting: bool = False) -> int:
    """What the power adds to a roll in air combat: its pilots' level, and whatever guides its interceptors."""
    guided = sum(t.interception for t in technologies(world, state, power)) if intercepting else 0
    return level(world, state, power) + guided


def flight_modifier(world: World, state: State, factors: Mapping[PowerId, int], *, intercepting: bool = False) -> int:
    """The same for planes of several powers, given what each brings: that of the greatest share, the best of equals.

    G40-PIL-08: on a tie the defender chooses, and nobody would choose the worse.
    """
    most = max(factors.values(), default=0)
    shares = (power for power, factor in factors.items() if factor == most)
    return max((modifier(world, state, p, intercepting=intercepting) for p in shares), default=0)


def training_of(world: World, state: State, power: PowerId) -> Training | None:
    """The line of the chart on which the power stands; None if its pilots are not trained."""
    if not world.rules.training or not world.powers[power].trains:
        return None
    here = level(world, state, power)
    return next(step for step in world.rules.training if step.level == here)


def may_rise(world: World, state: State, power: PowerId) -> bool:
    step = training_of(world, state, power)
    return step is not None and step.rise is not None and step.keep + step.rise <= state.treasury[power]


def is_asked(world: World, state: State, power: PowerId) -> bool:
    """There is something to decide: the level can be paid for, or raised."""
    step = training_of(world, state, power)
    return step is not None and (0 < step.keep <= state.treasury[power] or may_rise(world, state, power))


def train(run: Run, *, up: bool) -> None:
    """Pay for the level, and for the next one on top of it."""
    world, power = run.world, run.power
    step = training_of(world, run.state, power)
    assert step is not None
    name, money = world.powers[power].name, run.state.treasury[power]
    if up and step.rise is None:
        raise Refusal("no-higher-pilots", f"The pilots of {name} are as good as pilots can be.")
    cost = step.keep + ((step.rise or 0) if up else 0)
    if cost > money:
        raise Refusal("training-too-dear", f"Such training costs {cost}, and {name} has {money}.")
    run.pay(power, -cost, "training")
    run.emit(PilotsTrained(power, int(up), step.level + up, cost))


def neglect(run: Run) -> None:
    """Nothing is paid: the level falls by one, as far as there is a lower one; what costs nothing stays."""
    step = training_of(run.world, run.state, run.power)
    if step is None:
        return
    lowest = run.world.rules.training[0].level
    now = step.level if step.keep == 0 else max(lowest, step.level - 1)
    if now != step.level:
        run.emit(PilotsTrained(run.power, now - step.level, now, 0))
