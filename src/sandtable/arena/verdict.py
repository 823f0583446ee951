"""Who is ahead in a game that nobody has won yet.

The worth of a side is three rounds of its production, its units at their price, and its money. A game that reaches its
last round goes to the side whose share of all worth has grown since the beginning, by at least one part in a hundred;
else it is a draw. Measuring growth takes the uneven set-up out of it.
"""

from __future__ import annotations

from sandtable.engine.facts import production
from sandtable.engine.state import State, with_cargo
from sandtable.world.model import PowerId, SideId, World
from sandtable.world.profiles import profile

ROUNDS_OF_INCOME = 3
CLEAR = 0.01


def units_value(world: World, state: State, power: PowerId) -> int:
    """The price of everything that the power has on the board."""
    prices = {unit: kind.cost or 0 for unit, kind in profile(world, power).items()}
    return sum(
        prices[piece.type] * n
        for stack in state.units.values()
        for piece, n in with_cargo(stack)
        if piece.power == power
    )


def worth(world: World, state: State, side: SideId) -> float:
    return float(
        sum(
            ROUNDS_OF_INCOME * production(world, state, p) + units_value(world, state, p) + state.treasury[p]
            for p in world.members(side)
        )
    )


def share(world: World, state: State, side: SideId) -> float:
    """The side's part of all worth on the board."""
    total = sum(worth(world, state, s) for s in world.sides)
    return worth(world, state, side) / total if total else 0.0


def ahead(world: World, start: State, now: State) -> SideId | None:
    """The side whose share has grown since the start; None: neither has clearly."""
    growth = {side: share(world, now, side) - share(world, start, side) for side in world.sides}
    best = max(growth, key=lambda s: growth[s])
    return best if growth[best] >= CLEAR else None
