"""How many pieces of a kind there may be, in a territory or in stacks."""

from __future__ import annotations

from sandtable.engine.facts import (
    amount,
    name,
    type_of,
)
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def check_limits(world: World, state: State, power: PowerId, end: SpaceId, moved: set[UnitId]) -> None:
    check_stack_limit(world, state, end)
    for unit, stacks in world.rules.pieces.items():
        if unit not in moved:
            continue
        places = sum(1 for stack in state.units.values() if any(p.power == power and p.type == unit for p in stack))
        if places > stacks:
            raise Refusal(
                "too-few-pieces-for-stack",
                f"There are pieces for {stacks} stacks of {world.units[unit].plural} only.",
                (end,),
            )


def check_stack_limit(world: World, state: State, space: SpaceId) -> None:
    """At most so many guns or complexes in a territory (CL-AA-06, CL-PRD-05)."""
    if not world.spaces[space].is_land:
        return
    totals: dict[UnitId, int] = {}
    for piece, n in state.at(space).items():
        unit, limit = piece.type, type_of(world, state, piece).limit
        if limit is None:
            continue
        totals[unit] = totals.get(unit, 0) + n
        if totals[unit] > limit:
            reason = "too-many-complexes" if world.units[unit].complex else "too-many-guns"
            raise Refusal(reason, f"{name(world, space)} can hold {amount(world, unit, limit)} only.", (space,))
