"""With whom to be allied, where that is free: with those one has little to fight about, and against whoever may win. An
alliance ends where the partner's capital lies open.

All of it follows from the position, for both sides of the table, so that offers are made to those who will agree.
"""

from __future__ import annotations

import msgspec

from sandtable.bots.battles import flak
from sandtable.bots.glance import weigh
from sandtable.bots.sight import Sight
from sandtable.engine import alliances
from sandtable.engine.state import State, pair
from sandtable.notation.orders import Ally, AnyOrder, Break
from sandtable.world.model import PowerId, World

GOOD_WILL = 2.0  # towards somebody without a common border
FRICTION = 0.5  # for each pair of territories that touch
THREAT = 3.0  # that unites others: somebody who lacks one capital to win
COMMITMENT = 1.5  # for every ally that there is already
ENMITY = -1.0  # below this an alliance is given up
SURE = 0.85  # chance to take a partner's capital for which an alliance is given up


def order(world: World, state: State, power: PowerId) -> tuple[AnyOrder, str] | None:
    """An alliance to break or to offer now, with the reason; None: all is well as it is."""
    names = {p: world.powers[p].name for p in world.powers}
    for partner in alliances.partners(world, state, power):
        if is_threat(world, state, partner):
            return Break(partner), f"{names[partner]} is about to win, and an ally does not share that."
        if is_prey(world, state, power, partner):
            return Break(partner), f"The capital of {names[partner]} is there to be taken."
        if _regard(world, state, power, partner) < ENMITY:
            return Break(partner), f"There is too much to be had from {names[partner]}."
    wanted = [
        other
        for other in alliances.strangers(world, state, power)
        if other not in state.rebuffed and agrees(world, state, power, other) and agrees(world, state, other, power)
    ]
    if not wanted:
        return None
    best = max(wanted, key=lambda other: (_regard(world, state, power, other), list(world.powers).index(other)))
    return Ally(best), f"There is little to fight about with {names[best]}."


def agrees(world: World, state: State, power: PowerId, other: PowerId) -> bool:
    """The power would like to be allied with the other one."""
    if is_threat(world, state, other) or is_threat(world, state, power) or is_prey(world, state, power, other):
        return False
    bound = len(alliances.partners(world, state, power))
    return _regard(world, state, power, other) - COMMITMENT * bound > 0


def is_threat(world: World, state: State, power: PowerId) -> bool:
    """It holds one capital more than its own, and so needs but one."""
    held = sum(state.owners.get(p.capital or "") == power for p in world.powers.values())
    return held >= 2


def is_prey(world: World, state: State, power: PowerId, other: PowerId) -> bool:
    """The power could take the other one's capital now, if they were not allied."""
    capital = world.powers[other].capital
    if capital is None or state.owners.get(capital) != other or state.stances is None:
        return False
    bonds = state.stances.alliances - {pair(power, other)}
    alone = msgspec.structs.replace(state, stances=msgspec.structs.replace(state.stances, alliances=bonds))
    if any(piece.power in alliances.partners(world, alone, power) for piece in state.at(capital)):
        return False  # who else is there is a friend of ours
    sight = Sight(world, alone, other)
    garrison, guns = sight.ours(capital), sight.guns(capital, True)
    look = weigh(world, alone, sight.threat(capital, power), garrison, gun=flak(world, alone, power, guns))
    return look.take >= SURE


def _regard(world: World, state: State, power: PowerId, other: PowerId) -> float:
    against = any(is_threat(world, state, p) for p in world.powers if p not in (power, other))
    touching = sum(
        state.owners.get(there) == other
        for here, owner in state.owners.items()
        if owner == power
        for there in world.land[here]
    )
    return GOOD_WILL - FRICTION * touching + (THREAT if against else 0.0)
