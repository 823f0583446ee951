"""Will every plane find a place to land? Judged for all planes together (CL-AIR-11).

A plane can land on land that has been friendly since the turn began, or on a deck: of an allied carrier where it lies,
of an own carrier where it lies or can still get to in the non-combat move. Carriers bought this turn count where the
edition says so, wherever they can be placed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from itertools import combinations_with_replacement

import msgspec

from sandtable.engine import access
from sandtable.engine.factories import output, working_factories
from sandtable.engine.facts import (
    active,
    canal_closed,
    friendly_at_start,
    is_hostile_sea,
    neutral_land,
    type_of,
)
from sandtable.engine.movement.air import distances, spread
from sandtable.engine.recent import remembered
from sandtable.engine.relations import Powers, friends
from sandtable.engine.state import Piece, State
from sandtable.world.model import PowerId, SpaceId, UnitId, World

_recent: list[tuple[World, Mapping[SpaceId, PowerId], Mapping[SpaceId, PowerId], Powers, dict[SpaceId, int]]] = []


def distance_to_land(world: World, state: State, power: PowerId) -> dict[SpaceId, int]:
    """How far each space is from the nearest land where the power's planes may land.

    Ownership changes rarely and states share it, so the last few answers are kept; allies share them as well, but for
    powers with an area of their own.
    """
    group = frozenset((power,)) if power in world.skies else friends(world, state, power)
    for w, owners, start, s, known in _recent:
        if w is world and owners is state.owners and start is state.start_owners and s == group:
            return known
    places = (
        s
        for s in state.owners
        if friendly_at_start(world, state, power, s) and not access.is_closed(world, state, power, s)
    )
    neutrals = neutral_land(world, state)
    found = spread(places, world.sky(power), neutrals)
    _recent.insert(0, (world, state.owners, state.start_owners, group, found))
    del _recent[8:]
    return found


Flight = tuple[SpaceId, Piece, int]
"""Planes of one kind over one space."""


def airborne(world: World, state: State, power: PowerId) -> list[Flight]:
    """The power's planes that do not stand on land where they may stay."""
    units = world.units
    return [
        (space, piece, n)
        for space, stack in state.units.items()
        for piece, n in stack.items()
        if piece.power == power
        and units[piece.type].domain == "air"
        and not (world.spaces[space].is_land and friendly_at_start(world, state, power, space))
    ]


@remembered
def homeless(world: World, state: State, power: PowerId) -> int:
    """How many of the power's planes cannot land any more, whatever is done."""
    planes = airborne(world, state, power)
    return Landings(world, state, power).homeless(planes) if planes else 0


class Deck(msgspec.Struct, frozen=True):
    """One carrier: where it lies, free room by type of plane, and the zones where it can end the turn."""

    zone: SpaceId
    room: Mapping[UnitId, int]
    zones: tuple[SpaceId, ...]


class Landings:
    """Land and decks of one position, for judging several sets of planes against them."""

    def __init__(self, world: World, state: State, power: PowerId) -> None:
        self.world = world
        self.state = state
        self.power = power
        self.land = distance_to_land(world, state, power)
        self.zones = carrier_zones(world, state)
        self.new = new_decks(world, state, power)
        self.decks = [*find_decks(world, state, power, self.zones), *self.new]

    def if_cleared(self, zone: SpaceId) -> Landings:
        """The same if an attack under consideration freed this zone of enemies, so that carriers could enter it."""
        sailing = {z for deck in self.decks for z in deck.zones}
        if sailing.isdisjoint(self.world.sea[zone]):
            return self  # no carrier gets near enough to enter it
        other = copy(self)
        other.decks = [*find_decks(self.world, self.state, self.power, self.zones, zone), *self.new]
        return other

    def homeless(self, planes: list[Flight]) -> int:
        """How many of these planes find no place, neither on land nor on a deck."""
        needy = [f for f in planes if self._is_needy(f)]
        if not needy:
            return 0
        total = sum(n for _, _, n in needy)
        return total - self._housed(needy) if self.decks else total

    def anyone_needy(self, planes: list[Flight]) -> bool:
        return any(self._is_needy(f) for f in planes)

    def _is_needy(self, flight: Flight) -> bool:
        """No land is near enough for it."""
        return flight[1].done or self.land.get(flight[0], 99) > self._left(flight[1])

    def _left(self, piece: Piece) -> int:
        return 0 if piece.done else type_of(self.world, self.state, piece).move - piece.used

    def _housed(self, needy: list[Flight]) -> int:
        """How many needy planes can find a deck: the best over all ways to send the free carriers."""
        reach = [
            distances(self.world, self.state, self.power, space, self._left(piece), over_neutrals=False)
            for space, piece, _ in needy
        ]
        near = set().union(*reach)
        fixed: list[Room] = []
        free: Counter[tuple[tuple[frozenset[int], ...], int]] = Counter()  # carriers with the same choices and room
        for deck in self.decks:
            choices = {
                frozenset(i for i, (_, piece, _) in enumerate(needy) if piece.type in deck.room and z in reach[i])
                for z in deck.zones
                if z in near
            }
            best = [c for c in choices if c and not any(c < other for other in choices)]
            room = max(deck.room.values(), default=0)
            if best and room > 0:
                if len(best) == 1:
                    fixed.append((best[0], room))
                else:
                    free[tuple(sorted(best, key=sorted)), room] += 1
        return _best([n for _, _, n in needy], fixed, [(*carriers, n) for carriers, n in free.items()])


Room = tuple[frozenset[int], int]
"""A deck or several: which groups of planes can use it, and how many planes it holds."""


def _best(wanted: list[int], fixed: list[Room], free: list[tuple[tuple[frozenset[int], ...], int, int]]) -> int:
    """The best over all choices of the free carriers; a bound that lets each be everywhere cuts most of them off."""
    if not free:
        return _match(wanted, fixed)
    bound = _match(wanted, [*fixed, *((frozenset[int]().union(*choices), room * n) for choices, room, n in free)])
    choices, room, n = free[0]
    best = 0
    for sent in combinations_with_replacement(choices, n):  # carriers that are alike need no order
        best = max(best, _best(wanted, [*fixed, *((choice, room) for choice in sent)], free[1:]))
        if best == bound:
            break
    return best


def _match(wanted: list[int], decks: list[Room]) -> int:
    """Greatest number of planes that find a place: the smallest cut over all sets of groups that go without a deck."""
    rooms = [(sum(1 << i for i in users), room) for users, room in decks]
    best = sum(wanted)
    for with_decks in range(1 << len(wanted)):
        cut = sum(n for i, n in enumerate(wanted) if not with_decks >> i & 1)
        if cut < best:
            best = min(best, cut + sum(room for users, room in rooms if users & with_decks))
    return best


def landing_places(world: World, state: State, space: SpaceId, plane: Piece) -> list[SpaceId]:
    """Where this plane alone could still end the turn, in board order: on land, or on a free deck."""
    places = Landings(world, state, plane.power)
    near = distances(world, state, plane.power, space, places._left(plane), over_neutrals=False)
    decks = {zone for deck in places.decks if deck.room.get(plane.type, 0) > 0 for zone in deck.zones}
    return [
        there
        for there in world.spaces
        if there in near
        and (friendly_at_start(world, state, plane.power, there) if world.spaces[there].is_land else there in decks)
    ]


def carrier_zones(world: World, state: State) -> list[SpaceId]:
    """Where carriers of anybody lie."""
    types = {unit for unit, kind in world.units.items() if kind.deck}
    return list(dict.fromkeys(zone for zone, stack in state.units.items() for p in stack if p.type in types))


def new_decks(world: World, state: State, power: PowerId) -> list[Deck]:
    """Carriers that wait to be placed, with the zones where they can be (AN-CMV-17, AN-NCM-07)."""
    if not world.rules.landing_on_new_carriers:
        return []
    carriers = [(unit, n) for unit, n in state.reserve(world, power).items() if world.units[unit].deck]
    if not carriers:
        return []
    zones = tuple(
        dict.fromkeys(
            zone
            for factory in working_factories(world, state, power)
            if output(world, state, power, factory) != 0
            for zone in world.sea[factory]
        )
    )
    return [Deck(zones[0], world.units[unit].deck, zones) for unit, n in carriers for _ in range(n) if zones]


def find_decks(
    world: World, state: State, power: PowerId, zones: list[SpaceId], cleared: SpaceId | None = None
) -> list[Deck]:
    """Carriers of the side one by one; allied planes aboard take their room first."""
    ours = friends(world, state, power)
    found: list[Deck] = []
    for zone in zones:
        stack = state.at(zone)
        ships = [(p, n) for p, n in stack.items() if world.units[p.type].deck and p.power in ours]
        if not ships:
            continue
        guests = sum(
            n for p, n in stack.items() if world.units[p.type].domain == "air" and p.power != power and p.power in ours
        )
        ships.sort(key=lambda item: (item[0].power == power, _can_sail(world, state, zone, item[0])))
        for piece, n in ships:
            stuck = piece.type in world.rules.pieces and n > 1  # leaving alone would need one more piece (CL-SET-15)
            reach = (zone,) if stuck else _still_reachable(world, state, zone, piece, cleared)
            for _ in range(n):
                deck = world.units[piece.type].deck
                aboard = min(guests, max(deck.values()))
                guests -= aboard
                found.append(Deck(zone, {u: room - aboard for u, room in deck.items()}, reach))
    return found


def _can_sail(world: World, state: State, zone: SpaceId, carrier: Piece) -> bool:
    """The carrier can still move in this turn's non-combat move."""
    if carrier.done or carrier.mark or carrier.power != active(world, state):
        return False
    if not _before_noncombat(world, state):
        return True
    return not carrier.used and not carrier.origin and not is_hostile_sea(world, state, carrier.power, zone)


def _before_noncombat(world: World, state: State) -> bool:
    return world.phases[state.phase] in ("combat-move", "combat")


def _still_reachable(
    world: World, state: State, zone: SpaceId, carrier: Piece, cleared: SpaceId | None
) -> tuple[SpaceId, ...]:
    """Zones where the carrier can be at the end of the turn. A zone under attack may be free of enemies by then."""
    found = [zone]
    if not _can_sail(world, state, zone, carrier):
        return (zone,)
    fighting = _before_noncombat(world, state)
    layer = [zone]
    for _ in range(type_of(world, state, carrier).move - carrier.used):
        following = []
        for here in layer:
            for there in world.sea[here]:
                if there in found or canal_closed(world, state, carrier.power, here, there, carrier.type):
                    continue
                if is_hostile_sea(world, state, carrier.power, there) and not (
                    fighting and (there == cleared or any(p.power == carrier.power for p in state.at(there)))
                ):
                    continue
                found.append(there)
                following.append(there)
        layer = following
    return tuple(found)
