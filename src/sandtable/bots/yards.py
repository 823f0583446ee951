"""Yards for the last passage: a complex on the coast where an army stands that no ship comes for."""

from __future__ import annotations

from sandtable.bots.atlas import FAR
from sandtable.bots.bases import can_stand
from sandtable.bots.risk import risk
from sandtable.bots.shipping import CALL, is_cut_off
from sandtable.bots.sight import Sight
from sandtable.world.model import SpaceId, UnitId

CROWD, NEIGHBOURHOOD = 12, 2  # troops that are worth a yard, within so many steps of it
NEAR = 2.5  # turns by which another complex of the same power has to be farther from the goal
SAFE = 0.15  # chance of losing the place that is put up with


def yard_site(sight: Sight, unit: UnitId) -> SpaceId | None:
    """Where such a complex would send a waiting army across the last sea; None: nowhere, or there is no need.

    Ships that are built at home may need longer to get there than the war has lasted.
    """
    if sight.rate <= 1.0:
        return None
    complexes = [s for s in sight.state.owners if sight.is_mine(s) and sight.complex(s)]
    nearest = min((sight.time.get(s, FAR) for s in complexes if _has_port(sight, s)), default=FAR)
    sites = [
        s
        for s in sight.state.owners
        if sight.is_mine(s)
        and s not in complexes
        and sight.world.spaces[s].ipc
        and _has_port(sight, s)
        and sight.time.get(s, FAR) < nearest - NEAR
        and is_cut_off(sight, s)
        and can_stand(sight, unit, s)
        and _crowd(sight, s) > max(CROWD, _berths(sight, s))
        and risk(sight, s, sight.ours(s)).chance < SAFE
    ]
    return min(sites, key=lambda s: (sight.time[s], -sight.world.spaces[s].ipc, s), default=None)


def _has_port(sight: Sight, space: SpaceId) -> bool:
    return any(zone not in sight.atlas.lakes for zone in sight.world.sea[space])


def _crowd(sight: Sight, space: SpaceId) -> int:
    near = sight.atlas.land[space]
    return sum(
        n
        for place, piece, n in sight.armies(sight.power)
        if sight.type_of(piece).captures and near.get(place, FAR) <= NEIGHBOURHOOD
    )


def _berths(sight: Sight, space: SpaceId) -> int:
    """Troops for whom there are own transports that could come to this port before long."""
    room = 0
    for place, piece, n in sight.armies(sight.power):
        loads = sight.type_of(piece).loads
        if loads and any(sight.sea_distance[place].get(zone, FAR) <= CALL / 2 for zone in sight.world.sea[space]):
            room += n * max(k for load in loads for k in load.values())
    return room
