"""Convoys: what warships cost an enemy by lying off his coast when he collects his income, and who is built for it."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.bots.bases import LAST_ROUND
from sandtable.bots.risk import merged, risk
from sandtable.bots.sight import Sight
from sandtable.engine.convoys import HIGHEST, harm
from sandtable.engine.facts import pays
from sandtable.engine.relations import enemies
from sandtable.world.model import PowerId, SpaceId, UnitId, UnitType

TURNS = 2  # of sailing, within which a convoy zone has to lie
LASTS = 6  # rounds that a raider goes on, if nobody can come for it
WAR = 0.3  # of its price that a raider is worth as a ship beside
MANY = 20  # ships, that take all there is
FAR = 1e6
CROWDED = 0.6  # of what the convoys carry, from which on more raiders would find nothing


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


def profit(sight: Sight, ship: UnitType, ports: Iterable[SpaceId]) -> float:
    """I.P.C. that one more such ship would take from convoys near these zones beyond its price."""
    power = sight.power
    rounds = min(LASTS, LAST_ROUND - sight.state.round - TURNS)
    if not ship.convoy_dice or not ship.cost or rounds <= 0:
        return -FAR
    zones = {z for port in ports for z, d in sight.sea_distance[port].items() if d <= TURNS * ship.move}
    takes, most = 0.0, 0.0
    for zone in sorted(zones):
        have = sum(n for p, u, n in sight.ours(zone) if (p, u) == (power, ship.id))
        both = plunder(sight, zone, power, ship.id, have + 1)
        more = both - (plunder(sight, zone, power, ship.id, have) if have else 0.0)
        if more > 0:
            danger = risk(sight, zone, merged(sight.ours(zone), ((power, ship.id, 1),))).chance
            takes = max(takes, more * (1.0 - danger) * (not sight.theirs(zone)))
            most += plunder(sight, zone, power, ship.id, MANY)
    if _raiders(sight) > CROWDED * most:
        return -FAR
    return takes * rounds + WAR * ship.cost - ship.cost


def _raiders(sight: Sight) -> float:
    """I.P.C. a round that all own ships could take from convoys, if there were enough of them."""
    each = harm(tuple(range(1, HIGHEST + 1))) / sight.world.rules.dice_sides
    return each * sum(
        sight.type_of(piece).convoy_dice * n
        for _, piece, n in sight.armies(sight.power)
        if sight.type_of(piece).dives or sight.type_of(piece).submerges
    )
