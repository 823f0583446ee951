"""Drops that have to be paid for before the combat move: as many as the attacks of this turn would make use of."""

from __future__ import annotations

import msgspec

from sandtable.bots.attack import Attack, Mind
from sandtable.bots.plan import Step
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.drops import can_pay
from sandtable.engine.facts import phase_index
from sandtable.engine.movement import paradrop
from sandtable.engine.state import State
from sandtable.notation.orders import Airborne
from sandtable.world.model import PowerId, World

MOST = 4  # drops that are thought of
WORTH = 1.0  # I.P.C. beyond their fees that they have to promise


def plan_drops(world: World, state: State, power: PowerId, style: Style) -> Step | None:
    """Pay for drops if the attacks with them promise more than those without."""
    drop = world.rules.drops
    if drop is None or state.drops or not can_pay(world, state, power):
        return None
    for number in range(min(MOST, state.treasury[power] // drop.fee), 0, -1):
        order = Airborne(number)
        scratch = Scratch(world, state)
        if scratch.play(order):
            break
    else:
        return None
    with_drops, used = _promise(world, scratch.state, power, style)
    if not used:
        return None
    without, _ = _promise(world, state, power, style)
    gain = with_drops - without
    if gain < WORTH:
        return None
    return Step("Paratroopers win a battle that would be lost without them", (Airborne(used),), gain=gain)


def _promise(world: World, state: State, power: PowerId, style: Style) -> tuple[float, int]:
    """What the attacks of this turn promise, fees taken off, and how many drops they make."""
    later = msgspec.structs.replace(state, phase=phase_index(world, power, "combat-move"))
    strikes, _ = Attack(Sight(world, later, power), Mind(style=style)).plan(Scratch(world, later))
    used = sum(n for strike in strikes for group, n in strike.chosen if group.role == paradrop.ROLE)
    return sum(max(0.0, strike.gain) for strike in strikes), used
