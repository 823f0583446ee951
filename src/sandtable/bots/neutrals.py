"""Neutral land that would join a side with its army, or stand up against whoever enters it.

Boards whose neutrals are all alike have none of either, so that nothing here is asked for there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.bots.battles import Army, price
from sandtable.engine.neutral import army_of
from sandtable.engine.relations import leaning, leans_to
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, World

if TYPE_CHECKING:
    from sandtable.bots.sight import Sight

PRO = "pro-"


def undecided(world: World, state: State) -> tuple[SpaceId, ...]:
    """Land of nobody that leans to a side, whether it has been attacked or not."""
    if not world.joinable:
        return ()
    return tuple(s for s in world.spaces if s not in state.owners and _side(world, state, s))


def _side(world: World, state: State, space: SpaceId) -> str | None:
    """The side that neutral land leans to."""
    lean = leaning(world, state, space)
    side = None if lean is None else lean.removeprefix(PRO)
    return side if side in world.sides else None


def to_join(world: World, state: State, power: PowerId) -> tuple[SpaceId, ...]:
    """Land that becomes the power's own, army and all, when its troops enter in peace."""
    return tuple(s for s in undecided(world, state) if leans_to(world, state, power, s))


def to_conquer(world: World, state: State, power: PowerId) -> tuple[SpaceId, ...]:
    """Land that leans to the other side: to attack it turns nobody else against us."""
    side = world.side_of(power)
    return tuple(s for s in undecided(world, state) if _side(world, state, s) != side)


def defenders(world: World, state: State, space: SpaceId) -> Army:
    """The army that would take the field against us; none where it stands on the board already."""
    lean = leaning(world, state, space)
    if lean is None or not lean.startswith(PRO):
        return ()
    owner = next((power.id for power in world.powers.values() if not power.side), None)
    return () if owner is None else tuple((owner, unit, n) for unit, n in sorted(army_of(world, space).items()) if n)


def dowry(sight: Sight, space: SpaceId) -> float:
    """What the army of land that joins us is worth."""
    world = sight.world
    there = sum(
        price(world, p.power, p.type) * n for p, n in sight.state.at(space).items() if p.power not in sight.friends
    )
    return float(there or sum(price(world, sight.power, unit) * n for unit, n in army_of(world, space).items()))
