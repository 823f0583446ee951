"""Passages across the sea: which troops a transport could fetch where, and put ashore where, this turn."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.bots.sight import Sight
from sandtable.engine.facts import is_hostile_sea
from sandtable.engine.movement import sea
from sandtable.engine.state import Piece
from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from sandtable.world.model import SpaceId, UnitId

Load = tuple[tuple[UnitId, int], ...]


class Passage(msgspec.Struct, frozen=True):
    """One transport's trip: from its zone to the pick-up, from there to the drop, and ashore."""

    ship: UnitId
    zone: SpaceId  # where the transport is now
    fetch: tuple[SpaceId, ...]  # its way to the pick-up zone (starts with `zone`)
    source: SpaceId | None  # where the troops board; None: they are aboard
    lane: tuple[SpaceId, ...]  # from the pick-up zone to the drop zone
    load: Load
    shore: SpaceId | None  # None: they stay aboard

    @property
    def drop(self) -> SpaceId:
        return self.lane[-1]

    def orders(self) -> list[AnyOrder]:
        troops = tuple(UnitSpec(u, n) for u, n in self.load)
        found: list[AnyOrder] = []
        if self.source is None:
            if len(self.lane) > 1:
                found.append(Move((UnitSpec(self.ship, 1, cargo=self.load),), self.lane))
            if self.shore is not None:
                found.append(Move(troops, (self.drop, self.shore)))
            return found
        if len(self.fetch) > 1:
            found.append(Move((UnitSpec(self.ship, 1, cargo=()),), self.fetch))
        route = (self.source, *self.lane) if self.shore is None else (self.source, *self.lane, self.shore)
        found.append(Move(troops, route))
        return found


def transports(sight: Sight) -> Iterator[tuple[SpaceId, Piece, int]]:
    """Own transports that can still carry something this turn."""
    for space, piece, n in sorted(sight.armies(sight.power), key=lambda item: item[0]):
        if sight.own(piece.type).loads and not piece.done and piece.mark != "unloaded":
            yield space, piece, n


def loads(sight: Sight, ship: UnitId, source: SpaceId, free: dict[tuple[SpaceId, UnitId], int]) -> list[Load]:
    """Full loads, or what there is of them, that wait in a territory; the strongest first."""
    found: list[Load] = []
    for full in sight.own(ship).loads:
        load = tuple((u, min(n, free.get((source, u), 0))) for u, n in full.items())
        load = tuple((u, n) for u, n in load if n)
        if load and all(sight.own(u).attacks for u, _ in load):
            found.append(load)
    return sorted(found, key=lambda load: -sum(sight.own(u).cost or 0 for u, n in load for _ in range(n)))


def reachable(sight: Sight, piece: Piece, start: SpaceId, combat: bool) -> dict[SpaceId, tuple[SpaceId, ...]]:
    return {start: (start,), **sea.reach(sight.world, sight.state, piece, start, combat)}


def voyages(sight: Sight, free: dict[tuple[SpaceId, UnitId], int]) -> Iterator[Passage]:
    """Trips that end at sea: troops that wait ashore board an empty transport and sail as far as it goes."""
    world, state = sight.world, sight.state
    for zone, piece, _ in transports(sight):
        if piece.cargo:
            continue
        for pickup, fetch in reachable(sight, piece, zone, False).items():
            if is_hostile_sea(world, state, sight.power, pickup):
                continue
            there = msgspec.structs.replace(piece, used=piece.used + len(fetch) - 1)
            if sight.type_of(there).move <= there.used:
                continue
            for source in world.land[pickup]:
                for load in loads(sight, piece.type, source, free):
                    for drop, lane in reachable(sight, there, pickup, False).items():
                        if drop != pickup:
                            yield Passage(piece.type, zone, fetch, source, lane, load, None)


def passages(
    sight: Sight, free: dict[tuple[SpaceId, UnitId], int], combat: bool, wanted: object = None
) -> Iterator[tuple[Passage, int]]:
    """Every trip that ends ashore this turn, with the number of transports that could make it.

    `free` tells how many units of a kind may leave a territory; `wanted` is a container of shores to look at.
    """
    world, state = sight.world, sight.state
    for zone, piece, n in transports(sight):
        aboard: dict[UnitId, int] = {}
        for cargo in piece.cargo:
            if cargo.power == sight.power and not cargo.target:
                aboard[cargo.type] = aboard.get(cargo.type, 0) + 1
        first = reachable(sight, piece, zone, combat)
        if aboard:
            load = tuple(sorted(aboard.items()))
            if len(piece.cargo) > sum(aboard.values()):
                continue
            for drop, lane in first.items():
                for shore in world.land[drop]:
                    if wanted is None or shore in wanted:  # type: ignore[operator]
                        yield Passage(piece.type, zone, (zone,), None, lane, load, shore), n
            continue
        for pickup, fetch in first.items():
            if is_hostile_sea(world, state, sight.power, pickup):
                continue
            sources = [
                s
                for s in world.land[pickup]
                if any(free.get((s, u)) for full in sight.own(piece.type).loads for u in full)
            ]
            if not sources:
                continue
            there = msgspec.structs.replace(piece, used=piece.used + len(fetch) - 1)
            onward = (
                reachable(sight, there, pickup, combat)
                if sight.type_of(there).move > there.used
                else {pickup: (pickup,)}
            )
            for drop, lane in onward.items():
                for shore in world.land[drop]:
                    if wanted is not None and shore not in wanted:  # type: ignore[operator]
                        continue
                    for source in sources:
                        if source == shore:
                            continue
                        for load in loads(sight, piece.type, source, free):
                            yield Passage(piece.type, zone, fetch, source, lane, load, shore), n
