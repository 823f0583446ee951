"""Complexes that become better ones when their power goes to war (G40-SPC-22)."""

from __future__ import annotations

import msgspec

from sandtable.engine.conditions import holds
from sandtable.engine.events import Change, ComplexesUpgraded
from sandtable.engine.relations import is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, World


def mobilize(run: Run) -> None:
    """Whoever is at war now has its better complexes, once and for all."""
    world, state = run.world, run.state
    for power in world.powers.values():
        right = power.special.industry
        if right is None or state.spent.get(f"industry {power.id}") or is_neutral_power(world, state, power.id):
            continue
        changes, places = [], []
        for space in right.places:
            for piece, n in state.at(space).items():
                if piece.power == power.id and piece.type == right.unit:
                    better = msgspec.structs.replace(piece, type=right.becomes)
                    changes.append(Change(space, minus=((piece, n),), plus=((better, n),)))
                    places.append(space)
        # Even if none is left to make better: one that is lost and won back later stays what it is (G40-CAP-10).
        run.emit(ComplexesUpgraded(power.id, tuple(places), right.unit, right.becomes, tuple(changes)))


def waits(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The complex there will be a better one when the power goes to war."""
    right = world.powers[power].special.industry
    return right is not None and space in right.places and is_neutral_power(world, state, power)


def expects(world: World, state: State, power: PowerId) -> bool:
    """The power may go to war this turn, so that it orders already what only better complexes build."""
    right = world.powers[power].special.industry
    if right is None or not is_neutral_power(world, state, power):
        return False
    return any(
        d.at == "combat-move" and power in d.by and holds(world, state, d.when, power) for d in world.declarations
    )
