"""The position at the beginning of a game."""

from __future__ import annotations

from sandtable.engine.facts import NOTHING_KNOWN
from sandtable.engine.movement.cargo import has_room
from sandtable.engine.relations import starting_stances
from sandtable.engine.state import Piece, Stack, State, add, load, take
from sandtable.world.model import PowerId, UnitId, World


def starting_state(world: World) -> State:
    """The scenario's set-up, before the first turn begins. Land units in a sea zone are aboard the transports there."""
    units: dict[str, Stack] = {}
    for power, places in world.setup.units.items():
        for space, pieces in places.items():
            stack = units.get(space, {})
            at_sea = world.spaces[space].is_sea
            aboard = {u: n for u, n in pieces.items() if at_sea and world.units[u].domain == "land"}
            stack = add(stack, ((Piece(power, u), n) for u, n in pieces.items() if u not in aboard))
            for unit, n in aboard.items():
                for _ in range(n):
                    stack = _embark(world, stack, power, unit)
            units[space] = stack
    owners = {s.id: s.owner for s in world.spaces.values() if s.owner is not None}
    return State(
        round=1,
        turn=0,
        phase=0,
        units=units,
        owners=owners,
        start_owners=owners,
        treasury={p.id: p.treasury for p in world.powers.values()},
        techs={p: frozenset() for p in world.powers},
        stances=starting_stances(world),
        unfunded=tuple(p.id for p in world.powers.values() if p.support is not None),
    )


def _embark(world: World, stack: Stack, power: PowerId, unit: UnitId) -> Stack:
    """The stack with one more unit aboard, fullest transports first; the set-up was checked for room."""
    able = [t for t in stack if t.power == power and has_room(world, NOTHING_KNOWN, t, unit)]
    transport = max(able, key=lambda t: len(t.cargo))
    return add(take(stack, ((transport, 1),)), ((load(transport, (*transport.cargo, Piece(power, unit))), 1),))
