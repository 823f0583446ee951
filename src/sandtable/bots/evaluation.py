"""What a position is worth to a side when its turn is over and the enemy is about to move."""

from __future__ import annotations

from sandtable.bots.atlas import FAR
from sandtable.bots.battles import price
from sandtable.bots.front import own_value
from sandtable.bots.risk import risk
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.state import with_cargo

NEARNESS = 0.35  # I.P.C. that a land unit gains by each turn nearer to an enemy capital
FEAR = 0.75  # of what the enemy could win everywhere at once: it cannot do everything


def evaluate(sight: Sight, style: Style) -> float:
    """Units, income and capitals of both sides, less what the enemy's best replies would cost."""
    world, state = sight.world, sight.state
    total = 0.0
    for space, stack in state.units.items():
        for piece, n in with_cargo(stack):
            sign = 1.0 if world.side_of(piece.power) == sight.side else -1.0
            total += sign * n * price(world, piece.power, piece.type)
            if piece.power == sight.power and world.units[piece.type].captures and world.spaces[space].is_land:
                total -= NEARNESS * n * min(sight.time.get(space, FAR), 12.0)
    for space, owner in state.owners.items():
        ipc = world.spaces[space].ipc
        ours = world.side_of(owner) == sight.side
        total += (1 if ours else -1) * ipc * style.future
        capital_of = world.spaces[space].capital_of
        if capital_of is not None and world.side_of(capital_of) != world.side_of(owner):
            total += 60.0 if ours else -60.0
    total += sum((1 if world.side_of(p) == sight.side else -1) * money for p, money in state.treasury.items()) * 0.8
    return total - FEAR * replies(sight, style)


def replies(sight: Sight, style: Style) -> float:
    """What the enemy's attacks on own land, fleets and the power's own stacks would cost, taken together."""
    world = sight.world
    total = 0.0
    for space in world.spaces:
        garrison = sight.ours(space)
        if world.spaces[space].is_land:
            if not sight.is_ours(space):
                continue
        elif not garrison:
            continue
        danger = risk(sight, space, garrison, future=style.future)
        total += danger.cost
        if space == sight.capital and danger.chance > style.capital_risk:
            total += danger.chance * (40.0 + own_value(sight, space, style.future))
    return total
