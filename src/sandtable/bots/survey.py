"""What could be sent where from one position, by land, air and sea: the same for every plan that is made from it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.bots.battles import Army
from sandtable.bots.ferries import Load, Passage, passages
from sandtable.bots.overhead import Patrols
from sandtable.bots.risk import merged, risk
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.facts import is_hostile_sea
from sandtable.engine.movement import paradrop
from sandtable.engine.movement.reach import movable
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import SpaceId, UnitId, World

Free = dict[tuple[SpaceId, UnitId], int]
ShipKey = tuple[SpaceId, UnitId, Load]
"""Transports that are alike: where they are, of what kind, and what they carry."""


class Group(msgspec.Struct, frozen=True):
    """Units that can take part in an attack: some of a kind from one place, or one transport's troops."""

    units: tuple[tuple[UnitId, int], ...]  # of one member
    count: int  # members
    start: SpaceId
    route: tuple[SpaceId, ...] = ()
    passage: Passage | None = None
    ship_key: ShipKey | None = None  # which transport, for passages
    chance: float = 1.0  # that it gets there: less than certain where a sea battle comes first
    role: str | None = None  # what planes are sent to do: to drop their passengers
    fee: float = 0.0  # I.P.C. for each member

    def force(self, n: int) -> dict[UnitId, int]:
        return {u: k * n for u, k in self.units}

    def move(self, n: int) -> Move:
        """So many of them on their way over land or through the air, or on their own keels."""
        return Move(tuple(UnitSpec(u, k * n) for u, k in self.units), self.route, self.role)


Sent = tuple[tuple[Group, int], ...]


def fee(world: World) -> int:
    """What it costs to drop one plane's troops."""
    return world.rules.drops.fee if world.rules.drops is not None else 0


class Survey:
    """What could be sent where from one position: the same for every plan that is made from it."""

    def __init__(self, sight: Sight, scratch: Scratch, style: Style) -> None:
        self.sight = sight
        self.world = sight.world
        self.units = sight.profile(sight.power)
        self.style = style
        self.free: Free = {}
        self.by_target: dict[SpaceId, list[Group]] = {}
        self.drops: dict[SpaceId, list[Group]] = {}  # by target: planes with troops to be dropped
        self.company: dict[SpaceId, list[Group]] = {}  # by zone: ships that could come there to fire at its shores
        self.committed: dict[SpaceId, dict[UnitId, int]] = {}
        self.patrols = Patrols(sight)
        self.risers: dict[SpaceId, Army] = {}  # by zone, enemy planes that could scramble there
        self._landings: dict[tuple[UnitId, SpaceId, int], float] = {}
        self._fields: dict[tuple[SpaceId, UnitId], float] = {}
        self.decks = self._decks()
        state, power = sight.state, sight.power
        legal = scratch.legal
        for space, unit in movable(self.world, state):
            if self.units[unit].domain == "land" and self.world.spaces[space].is_sea:
                continue
            n = sum(
                k
                for p, k in state.at(space).items()
                if p.power == power and p.type == unit and not p.used and not p.done and not p.origin
            )
            if n:
                self.free[space, unit] = n
        targets = {s for s in self.world.spaces if self._is_target(s)}
        for (space, unit), n in self.free.items():
            if self.units[unit].loads:
                continue
            for end, route in legal.destinations(space, unit).items():
                if end in targets:
                    self.by_target.setdefault(end, []).append(Group(((unit, 1),), n, space, route))
        self._add_drops(scratch, targets)
        self._add_company(scratch)
        for target in sorted(targets):
            mine = {u: n for u, n in sight.mine(target).items() if self.units[u].casualty}
            if (mine and not self.world.spaces[target].is_sea) or (
                mine and any(p.origin for p in state.at(target) if p.power == power)
            ):
                self.committed[target] = mine
        for shore, groups in self.landings({t for t in targets if self.world.spaces[t].is_land}).items():
            self.by_target.setdefault(shore, []).extend(groups)

    def _add_drops(self, scratch: Scratch, targets: set[SpaceId]) -> None:
        """Planes that could drop troops which stand beside them."""
        state, power = self.sight.state, self.sight.power
        ride = paradrop.ride_for(self.world, state, power, paradrop.ROLE)
        if ride is None:
            return
        for space, unit in self.free:
            if not paradrop.riders(self.world, state, power, space, unit):
                continue
            load = ((unit, 1), (ride.passenger, ride.number))
            n = min(self.free[space, u] // k if (space, u) in self.free else 0 for u, k in load)
            for end, route in scratch.legal.destinations(space, unit, paradrop.ROLE).items() if n else ():
                if end in targets and self.world.spaces[end].is_land:
                    group = Group(load, n, space, route, role=paradrop.ROLE, fee=float(fee(self.world)))
                    self.drops.setdefault(end, []).append(group)

    def _add_company(self, scratch: Scratch) -> None:
        """Ships that could sail with transports and support a landing, to each zone without enemies."""
        for space, unit in self.free:
            if not self.units[unit].support:
                continue
            for end, route in scratch.legal.destinations(space, unit).items():
                if self.world.spaces[end].is_sea and not self.sight.theirs(end):
                    self.company.setdefault(end, []).append(Group(((unit, 1),), self.free[space, unit], space, route))

    def _is_target(self, space: SpaceId) -> bool:
        if self.world.spaces[space].is_sea:
            return bool(self.sight.theirs(space))  # transports and boats stop nobody, but may be attacked all the same
        return self.sight.is_theirs(space) or space in self.sight.prey

    def landings(
        self, shores: set[SpaceId], cleared: Mapping[SpaceId, float] | None = None
    ) -> dict[SpaceId, list[Group]]:
        """Landings on these shores from zones without enemies, or only from those that a battle is going to clear."""
        best: dict[
            tuple[SpaceId, SpaceId, UnitId, bool, SpaceId | None, tuple[tuple[UnitId, int], ...]], tuple[Passage, int]
        ] = {}
        for passage, n in passages(self.sight, self.free, True, shores):
            if cleared is None:
                if is_hostile_sea(self.world, self.sight.state, self.sight.power, passage.drop):
                    continue
            elif passage.drop not in cleared:
                continue
            if passage.source is not None and passage.shore in self.world.land[passage.source]:
                continue
            key = (
                passage.shore or "",
                passage.zone,
                passage.ship,
                passage.source is None,
                passage.source,
                passage.load,
            )
            known = best.get(key)
            if known is None or self._passage_rank(passage) < self._passage_rank(known[0]):
                best[key] = (passage, n)
        found: dict[SpaceId, list[Group]] = {}
        for passage, n in best.values():
            assert passage.shore is not None
            chance = 1.0 if cleared is None else cleared[passage.drop]
            ship = (passage.zone, passage.ship, passage.load if passage.source is None else ())
            group = Group(passage.load, n, passage.source or passage.zone, (), passage, ship, chance)
            found.setdefault(passage.shore, []).append(group)
        return found

    def landing_danger(self, unit: UnitId, route: tuple[SpaceId, ...]) -> float:
        """The chance that a plane is lost where it lands after this attack, in the safest place within its range."""
        target, left = route[-1], self.sight.kind(self.sight.power, unit).move - len(route) + 1
        key = (unit, target, left)
        if key not in self._landings:
            self._landings[key] = min(
                (self._field(s, unit) for s, _ in self.sight.atlas.near(target, left)), default=1.0
            )
        return self._landings[key]

    def _decks(self) -> frozenset[SpaceId]:
        """Sea zones where a carrier of our side lies, or an own one can come after the battles."""
        found = set()
        for space in self.sight.state.units:
            for power, unit, _ in self.sight.ours(space) if self.world.spaces[space].is_sea else ():
                kind = self.sight.kind(power, unit)
                if kind.deck:
                    reach = kind.move if power == self.sight.power else 0
                    found |= {z for z, d in self.sight.sea_distance[space].items() if d <= reach}
        return frozenset(found)

    def _field(self, space: SpaceId, unit: UnitId) -> float:
        """The danger for a plane in this place; certain loss where it cannot land."""
        key = (space, unit)
        if key not in self._fields:
            sight = self.sight
            there = sight.ours(space)
            chance = 1.0
            if space in self.decks or sight.is_ours(space):
                chance = risk(sight, space, merged(there, ((sight.power, unit, 1),))).chance
            self._fields[key] = chance
        return self._fields[key]

    def _passage_rank(self, passage: Passage) -> tuple[float, int]:
        """Prefer a drop zone where the ship is safe, and a short way."""
        guard = merged(self.sight.ours(passage.drop), ((self.sight.power, passage.ship, 1),))
        danger = round(risk(self.sight, passage.drop, guard).chance, 2)
        return danger, len(passage.fetch) + len(passage.lane)
