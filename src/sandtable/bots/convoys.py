"""Convoys: what warships cost an enemy by lying off his coast when he collects his income."""

from __future__ import annotations

from sandtable.bots.sight import Sight
from sandtable.engine.convoys import HIGHEST, harm
from sandtable.engine.facts import pays
from sandtable.engine.relations import enemies
from sandtable.world.model import PowerId, SpaceId, UnitId


def plunder(sight: Sight, zone: SpaceId, power: PowerId, unit: UnitId, number: int) -> float:
    """I.P.C. a round that so many more ships of the power would cost its enemies from this zone, on average."""
    world, state = sight.world, sight.state
    dice = sight.kind(power, unit).convoy_dice * number
    if not dice or not world.spaces[zone].traits.get("convoy"):
        return 0.0
    ours = power in sight.friends
    hostile = enemies(world, state, power)  # today: nobody's convoys are raided in peace
    rest = 0.0
    for land in world.land[zone]:
        owner = state.owners.get(land)
        if owner in hostile and world.powers[owner].convoys:
            rest += pays(world, state, land)
    here = sum(
        sight.kind(p, u).convoy_dice * n
        for p, u, n in sight.fighters(zone, ours)
        if sight.kind(p, u).domain == "sea" and (p, u) != (power, unit)
    )
    each = harm(tuple(range(1, HIGHEST + 1))) / world.rules.dice_sides
    return min(dice * each, max(0.0, rest - here * each))
