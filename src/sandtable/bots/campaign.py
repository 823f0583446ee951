"""An army across the sea on its way to a goal: what it will meet, and what should be bought for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from sandtable.bots.atlas import FAR
from sandtable.bots.battles import Army, army, worth
from sandtable.bots.front import goals
from sandtable.bots.glance import weigh
from sandtable.bots.sight import Sight
from sandtable.world.model import PowerId, SpaceId, UnitId

TERM = 2  # turns of buying, for which the mix of an army is thought out
SHARES = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8)  # of armor that are compared
STAKE = 40.0  # I.P.C. that the goal is worth in this
FIELD = 2  # steps from the greatest stack, within which enemies count who might come to meet it
MASTERY = 0.6  # of the own army's worth that those who might come have at most, where an army is out for conquest


class Campaign(msgspec.Struct, frozen=True):
    """The army on the way to a goal over land, the garrison there, and the strongest army that might come."""

    own: Mapping[UnitId, int]
    garrison: Army
    comers: Army

    def armor(self, sight: Sight, foot: UnitId, tank: UnitId, buys: Mapping[UnitId, float]) -> float | None:
        """The part of the money for armor that makes most of the troops that are there; None: as usual.

        `buys` tells how many of each all money of a turn would buy. Infantry alone takes no capital, however many
        there are; armor alone holds nothing.
        """

        def swing(share: float) -> float:
            bought = {foot: (1 - share) * buys[foot], tank: share * buys[tank]}
            mix = army(
                sight.power, {u: self.own.get(u, 0) + round(TERM * bought.get(u, 0)) for u in {*self.own, *bought}}
            )
            attack = weigh(sight.world, sight.state, mix, self.garrison)
            return attack.swing + STAKE * attack.take - weigh(sight.world, sight.state, self.comers, mix).swing

        best = max(SHARES, key=swing)
        return best if swing(best) > swing(SHARES[0]) + 1e-6 else None


def campaign(sight: Sight, complexes: Collection[SpaceId]) -> Campaign | None:
    """What the army on the land of the nearest goal is up against; None if that is nobody, or too strong a foe."""
    land = sight.atlas.land
    ways = {g: min((land[f].get(g, FAR) for f in complexes if f in land), default=FAR) for g in goals(sight)}
    goal = min((g for g in ways if ways[g] < FAR), key=lambda g: (ways[g], g), default=None)
    if goal is None:
        return None
    near, own, places = land[goal], dict[UnitId, int](), set[SpaceId]()
    for space, piece, n in sight.armies(sight.power):
        kind = sight.own(piece.type)
        if kind.captures and space in near:
            places.add(space)
        if kind.attacks and kind.domain != "sea" and (kind.domain == "air" or space in near):
            own[piece.type] = own.get(piece.type, 0) + n
    if not places:
        return None
    stack = max(places, key=lambda s: (worth(sight.world, sight.ours(s)), s))
    comers = max(
        (_near(sight, enemy, stack) for enemy in sight.enemies), key=lambda f: worth(sight.world, f), default=()
    )
    garrison = sight.theirs(goal)
    if worth(sight.world, comers) > MASTERY * worth(sight.world, army(sight.power, own)):
        return None
    return Campaign(own, garrison, comers) if garrison or comers else None


def _near(sight: Sight, enemy: PowerId, stack: SpaceId) -> Army:
    """The enemy's troops that could come to meet an army there."""
    around = sight.atlas.land[stack]
    units: dict[UnitId, int] = {}
    for space, piece, n in sight.armies(enemy):
        kind = sight.type_of(piece)
        if kind.attacks and kind.domain == "land" and around.get(space, FAR) <= FIELD:
            units[piece.type] = units.get(piece.type, 0) + n
    return army(enemy, units)
