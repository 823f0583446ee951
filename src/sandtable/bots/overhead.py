"""What enemy planes at their bases may do to ships: rise against a landing, or strike at those that have moved."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sandtable.bots.battles import Army, price
from sandtable.bots.glance import weigh
from sandtable.bots.risk import merged
from sandtable.bots.sight import Sight
from sandtable.bots.skies import risers
from sandtable.engine.bases import lift
from sandtable.engine.battle.overhead import SCRAMBLE, base_at
from sandtable.engine.battle.steps.interdiction import NEEDED
from sandtable.engine.state import ABSENT
from sandtable.world.model import SpaceId, UnitId

COMES = 0.6  # how likely planes in range are to strike


def landing(sight: Sight, fleets: Mapping[SpaceId, Army], troops: Mapping[SpaceId, Army]) -> tuple[float, float]:
    """The chance that planes which rise against these transports let the troops go ashore, and what they cost.

    Nobody rises where it would cost him more than us.
    """
    chance, cost = 1.0, 0.0
    for zone, transports in fleets.items():
        planes = risers(sight, zone)
        if not planes or sight.theirs(zone):
            continue  # a battle for the zone reckons with them
        escort = tuple((p, u, n) for p, u, n in sight.ours(zone) if sight.kind(p, u).domain == "sea")
        look = weigh(sight.world, sight.state, merged(escort, transports), planes)
        aboard = sum(price(sight.world, p, u) * n for p, u, n in troops.get(zone, ()))
        harm = look.attacker_loss + (1.0 - look.win) * aboard - look.defender_loss
        if harm > 0:
            chance, cost = chance * look.win, cost + harm
    return chance, cost


class Patrols:
    """Enemy planes that could strike at ships which end a move in a zone."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self._planes: dict[SpaceId, int] = {}

    def cost(self, zone: SpaceId, unit: UnitId, n: int) -> float:
        """I.P.C. that so many ships can be expected to lose when they come there."""
        sight = self.sight
        if not sight.world.rules.interdiction:
            return 0.0
        hits = min(float(n), self._within(zone) * NEEDED / sight.world.rules.dice_sides)
        return COMES * hits * price(sight.world, sight.power, unit)

    def _within(self, zone: SpaceId) -> int:
        if zone not in self._planes:
            self._planes[zone] = sum(n for space, reach, n in self._based if self._is_near(space, zone, reach))
        return self._planes[zone]

    def _is_near(self, base: SpaceId, zone: SpaceId, reach: int) -> bool:
        return self.sight.atlas.air[base].get(zone, reach + 1) * 2 <= reach

    @cached_property
    def _based(self) -> list[tuple[SpaceId, int, int]]:
        """Bases with the planes there and how far they fly."""
        world, state, found = self.sight.world, self.sight.state, []
        for enemy in self.sight.foes:
            for space, piece, n in self.sight.armies(enemy):
                kind = self.sight.type_of(piece)
                if (
                    kind.traits.get(SCRAMBLE) is True
                    and piece.mark not in ABSENT
                    and base_at(world, state, enemy, space)
                ):
                    found.append((space, kind.move + lift(world, state, piece, space), n))
        return found
