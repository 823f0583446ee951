"""Armies that have to cross the sea: who waits for ships, what the ships carry in a turn, which fleet would be safe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations_with_replacement

from sandtable.bots.atlas import FAR
from sandtable.bots.battles import army, worth
from sandtable.bots.front import ASSAULT, LONGEST, goals, stranded
from sandtable.bots.risk import merged, risk
from sandtable.bots.sight import Sight
from sandtable.world.model import SpaceId, UnitId, UnitType

MOST_FERRIES = 8
CALL = 8  # zones from which transports come to the port
WALK = 3  # lands from which troops do
ARMADA = 30  # transports of a side that is far ahead, at most: enough to carry all who wait in one wave
NEXT = 4  # transports for which troops are raised before they are there
EXPOSED = 0.2  # the part of a new fleet's price by which the enemy's best attack may gain
MOST_ESCORTS = 3


class Shipping:
    """The traffic of one power between a home without a way over land to any enemy capital, and the front."""

    def __init__(self, sight: Sight, home: SpaceId) -> None:
        self.sight = sight
        self.world = sight.world
        self.home = home
        self.lands = frozenset(sight.atlas.land[home])

    @cached_property
    def ferries(self) -> int:
        """Own transports that can come to the port before long."""
        zones = self.world.sea[self.home]
        return sum(
            n
            for space, p, n in self.sight.armies(self.sight.power)
            if self.sight.type_of(p).loads
            and any(self.sight.sea_distance[space].get(zone, FAR) <= CALL for zone in zones)
        )

    @cached_property
    def cycle(self) -> int:
        """Turns from one trip of a transport to its next: there and back again from where most of the army waits."""
        army: dict[SpaceId, int] = {self.home: 1}
        for space, piece, n in self.sight.armies(self.sight.power):
            if space in self.lands and self.sight.type_of(piece).captures:
                army[space] = army.get(space, 0) + n
        trips = {port: self._trip(port) for port in army}
        ports = [port for port in sorted(army) if trips[port] is not None] or [self.home]
        return trips[max(ports, key=lambda port: army[port])] or 2

    def _trip(self, port: SpaceId) -> int | None:
        """Turns of a ship to the best shore and back; None where nobody embarks."""
        sight = self.sight
        best: tuple[float, int] | None = None
        for zone in self.world.sea[port] if sight.is_ours(port) else ():
            for end, distance in sight.sea_distance[zone].items():
                if distance > LONGEST:
                    continue
                for shore in self.world.land[end]:
                    if shore in self.lands or shore in sight.atlas.neutral:
                        continue
                    time = sight.time.get(shore, FAR) + (0 if sight.is_ours(shore) else ASSAULT) + 0.6 * distance
                    best = min(best or (time, distance), (time, distance))
        return None if best is None else max(1, best[1])

    @cached_property
    def waiting(self) -> int:
        """Own land units at home that could be shipped; wherever they are, when nothing else is left to be done."""
        if self.is_last:
            return sum(n for space, n in stranded(self.sight) if self._is_near(space))
        return sum(
            n
            for space, piece, n in self.sight.armies(self.sight.power)
            if space in self.lands and self.sight.type_of(piece).captures
        )

    def _is_near(self, space: SpaceId) -> bool:
        """Troops there can come to the port before long, or ships from the port to them."""
        ports = self.world.sea[self.home]
        return self.sight.atlas.land[self.home].get(space, FAR) <= WALK or any(
            self.sight.sea_distance[zone].get(port, FAR) <= CALL for zone in self.world.sea[space] for port in ports
        )

    @property
    def is_last(self) -> bool:
        """Nothing else is left to be done but to land at the last goals, with all who can be brought there."""
        return self.sight.rate > 1.0

    @cached_property
    def room(self) -> int:
        """Units that a transport carries."""
        units = self.sight.profile(self.sight.power).values()
        return max((n for u in units for load in u.loads for n in load.values()), default=0)

    def per_turn(self, ferries: int) -> float:
        """Units that so many transports put ashore in a turn."""
        return self.room * ferries / self.cycle

    def lacks(self, ferries: int) -> int:
        """Troops that could still be raised for a last wave with so many transports, and a few more."""
        return max(0, self.room * (ferries + NEXT) - self.waiting)

    def ferries_wanted(self, money: float) -> int:
        """Transports that carry the army which this money raises every turn."""
        if self.is_last:
            return min(ARMADA, round(self.waiting / max(1, self.room)))
        foot = min(u.cost or FAR for u in self.sight.profile(self.sight.power).values() if u.captures and u.cost)
        room = max(1.0, self.per_turn(1))
        return max(1, min(MOST_FERRIES, round(money / (foot * room))))

    def is_safe(self, zone: SpaceId, ships: Mapping[UnitId, int]) -> bool:
        """The enemy would win little more by attacking the zone when these new ships are in it."""
        fleet = army(self.sight.power, ships)
        there = self.sight.ours(zone)
        more = risk(self.sight, zone, merged(there, fleet)).cost - risk(self.sight, zone, there).cost
        return more <= EXPOSED * worth(self.world, fleet)

    def fleets(self, ferry: UnitType, want: int, escorts: list[UnitType]) -> Iterator[dict[UnitId, int]]:
        """Fleets to think of, the most transports first, then those with the cheapest escort."""
        convoys = [
            pick
            for n in range(MOST_ESCORTS + 1)
            for pick in combinations_with_replacement(sorted(escorts, key=lambda u: u.id), n)
        ]
        convoys.sort(key=lambda pick: (sum(u.cost or 0 for u in pick), [u.id for u in pick]))
        for number in range(want, 0, -1):
            for pick in convoys:
                ships = {ferry.id: number}
                for escort in pick:
                    ships[escort.id] = ships.get(escort.id, 0) + 1
                yield ships


def is_cut_off(sight: Sight, space: SpaceId) -> bool:
    """No enemy capital can be reached from here over land: an army raised here needs ships."""
    return not any(goal in sight.atlas.land[space] for goal in goals(sight))
