"""Will every plane find a place to land? Judged for all planes together (CL-AIR-11).

A plane can land on land that has been friendly since the turn began, or on a deck: of an allied carrier where it lies,
of an own carrier wherever it can still get to, by fighting its way there too as long as combat moves are made. Carriers
bought this turn count where the edition says so, wherever they can be placed. Planes aboard may change ships, and those
of allies ride along or stay with another carrier; who ends where is a flow (`housing`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from itertools import combinations

import msgspec

from sandtable.engine import access
from sandtable.engine.bases import steps_left
from sandtable.engine.complexes import output, working_complexes
from sandtable.engine.facts import (
    active,
    canal_closed,
    deck_of,
    friendly_at_start,
    is_hostile_sea,
    neutral_land,
    trapped,
    type_of,
    unit_type,
)
from sandtable.engine.movement import housing
from sandtable.engine.movement.air import distances, spread
from sandtable.engine.recent import remembered
from sandtable.engine.relations import Powers, friends
from sandtable.engine.state import Piece, State, in_order
from sandtable.world.model import PowerId, SpaceId, UnitId, World

Group = tuple[Powers, frozenset[SpaceId]]  # who may land in the same places: allies, and what is closed to them
_recent: list[tuple[World, Mapping[SpaceId, PowerId], Mapping[SpaceId, PowerId], Group, dict[SpaceId, int]]] = []


def distance_to_land(world: World, state: State, power: PowerId) -> dict[SpaceId, int]:
    """How far each space is from the nearest land where the power's planes may land.

    Ownership changes rarely and states share it, so the last few answers are kept; allies share them as well, but for
    powers with an area of their own.
    """
    closed = access.closed_land(world, state, power)
    group = (frozenset((power,)) if power in world.skies else friends(world, state, power), closed)
    for w, owners, start, s, known in _recent:
        if w is world and owners is state.owners and start is state.start_owners and s == group:
            return known
    places = (s for s in state.owners if friendly_at_start(world, state, power, s) and s not in closed)
    found = spread(places, world.sky(power), neutral_land(world, state) | closed)
    _recent.insert(0, (world, state.owners, state.start_owners, group, found))
    del _recent[8:]
    return found


Flight = tuple[SpaceId, Piece, int]
"""Planes of one kind over one space."""


@remembered
def airborne(world: World, state: State, power: PowerId) -> list[Flight]:
    """The power's planes that do not stand on land where they may stay, nor on a carrier that cannot launch them."""
    planes = world.planes
    found = [
        (space, piece, n)
        for space, stack in state.units.items()
        for piece, n in stack.items()
        if piece.power == power
        and piece.type in planes
        and not (piece.marks and type_of(world, state, piece).expended)
        and not (world.spaces[space].is_land and friendly_at_start(world, state, power, space))
    ]
    return _not_trapped(world, state, found)


def _not_trapped(world: World, state: State, planes: list[Flight]) -> list[Flight]:
    """Planes aboard a damaged carrier stay there (G40-NAV-23)."""
    caught = {space: dict(trapped(world, state, space, state.at(space))) for space in {s for s, _, _ in planes}}
    free = [(space, piece, n - caught[space].get(piece, 0)) for space, piece, n in planes]
    return [flight for flight in free if flight[2]]


def free_decks(world: World, state: State, power: PowerId, decks: list[Deck], zone: SpaceId) -> int:
    """Places on decks that are in the zone now, or can be placed there, beyond the planes over it; none: below zero."""
    room = sum(max(d.room.values()) for d in decks if d.zone == zone or (d.ship is None and zone in d.zones))
    ours = friends(world, state, power)
    stack = state.at(zone)
    planes = sum(n for p, n in stack.items() if p.power in ours and world.units[p.type].domain == "air")
    return room - planes + sum(n for _, n in trapped(world, state, zone, stack))


@remembered
def homeless(world: World, state: State, power: PowerId) -> int:
    """How many of the power's planes cannot land any more, whatever is done."""
    planes = airborne(world, state, power)
    return Landings(world, state, power).homeless(planes) if planes else 0


class Deck(msgspec.Struct, frozen=True):
    """One carrier: the piece, where it lies, room by type of plane, and the zones where it can end the turn."""

    ship: Piece | None  # None: still to be placed
    zone: SpaceId
    room: Mapping[UnitId, int]
    zones: tuple[SpaceId, ...]


def may_ride(world: World, plane: Piece, ship: Piece) -> bool:
    """A carrier takes the plane along without the plane's using its own wings: it must have come with that carrier.

    A fighter of an ally is cargo (CL-AIR-21, AN-CMV-33). One's own is carried where the edition says so, from where the
    turn began; it changes no ship on the way, which would take it farther than either (CL-AIR-10).
    """
    if plane.power != ship.power:
        return True
    if not world.rules.fighters_carried or plane.origin:
        return False
    return plane.used == ship.used and (plane.mark == "carried" or not (plane.used or plane.done or plane.mark))


class Landings:
    """Land and decks of one position, for judging several sets of planes against them.

    Most planes reach land, so carriers are looked for only when somebody does not.
    """

    def __init__(self, world: World, state: State, power: PowerId) -> None:
        self.world = world
        self.state = state
        self.power = power
        self.land = distance_to_land(world, state, power)
        self._lost_guests: int | None = None
        self._flown: dict[tuple[SpaceId, int], dict[SpaceId, int]] = {}

    @cached_property
    def zones(self) -> list[SpaceId]:
        return carrier_zones(self.world, self.state)

    @cached_property
    def new(self) -> list[Deck]:
        return new_decks(self.world, self.state, self.power)

    @cached_property
    def decks(self) -> list[Deck]:
        return [*find_decks(self.world, self.state, self.power, self.zones), *self.new]

    def if_cleared(self, zone: SpaceId) -> Landings:
        """The same if an attack under consideration freed this zone of enemies, so that carriers could enter it."""
        sailing = {z for deck in self.decks for z in deck.zones}
        if sailing.isdisjoint(self.world.sea[zone]):
            return self  # no carrier gets near enough to enter it
        other = copy(self)
        other.decks = [*find_decks(self.world, self.state, self.power, self.zones, zone), *self.new]
        return other

    def homeless(self, planes: list[Flight]) -> int:
        """How many of these planes find no place, neither on land nor on a deck; and allied ones that lose theirs."""
        needy = [f for f in planes if self._is_needy(f)]
        return self._unhoused(needy) if needy else 0

    def _unhoused(self, needy: list[Flight]) -> int:
        """Beyond allied planes that have no deck whatever is done."""
        if self._lost_guests is None:
            self._lost_guests = self._too_many(self.guests) if self.guests else 0
        return self._too_many([*self.guests, *needy]) - self._lost_guests

    def _too_many(self, needy: list[Flight]) -> int:
        return sum(n for _, _, n in needy) - (self._housed(needy) if self.decks else 0)

    def spare_zones(self, planes: list[Flight], unit: UnitId, homeless: int) -> set[SpaceId]:
        """Zones that have or can get a deck for such a plane which these planes do not need."""
        found: set[SpaceId] = set()
        if self._stacks() is not None:
            return found  # no carrier goes anywhere by itself then
        needy = [f for f in planes if self._is_needy(f)]
        self._unhoused(needy)  # so that the copies know the allied planes without a deck
        for place, deck in enumerate(self.decks):
            if unit in deck.room and not found.issuperset(deck.zones):
                others = copy(self)
                others.decks = [*self.decks[:place], *self.decks[place + 1 :]]
                if others._unhoused(needy) <= homeless:
                    found.update(deck.zones)
        return found

    def anyone_needy(self, planes: list[Flight]) -> bool:
        return any(self._is_needy(f) for f in planes)

    def _is_needy(self, flight: Flight) -> bool:
        """No land is near enough for it."""
        return flight[1].done or self.land.get(flight[0], 99) > self._left(flight[1], flight[0])

    def _left(self, piece: Piece, space: SpaceId) -> int:
        if piece.done or piece.power != self.power:
            return 0
        return steps_left(self.world, self.state, piece, space)

    def reach(self, space: SpaceId, left: int) -> dict[SpaceId, int]:
        """Where a plane with so much range left can get to from here."""
        found = self._flown.get((space, left))
        if found is None:
            found = distances(self.world, self.state, self.power, space, left, over_neutrals=False)
            self._flown[space, left] = found
        return found

    @cached_property
    def guests(self) -> list[Flight]:
        """Allied planes where carriers are."""
        ours = friends(self.world, self.state, self.power) - {self.power}
        return [
            (zone, piece, n)
            for zone in self.zones
            for piece, n in self.state.at(zone).items()
            if piece.power != self.power
            and piece.power in ours
            and type_of(self.world, self.state, piece).domain == "air"
        ]

    def _housed(self, needy: list[Flight]) -> int:
        """How many needy planes can find a deck: the best over all ways to send the carriers."""
        reach = [self.reach(space, self._left(piece, space)) for space, piece, _ in needy]
        sizes = [n for _, _, n in needy]
        sailing = {zone for deck in self.decks for zone in deck.zones}
        at_zone: dict[SpaceId, set[int]] = {}  # groups that can fly there
        for i, flown in enumerate(reach):
            for zone in flown.keys() & sailing:
                at_zone.setdefault(zone, set()).add(i)
        useful = [self._users(deck, needy, at_zone) for deck in self.decks]

        def housed(zones: frozenset[SpaceId] | None) -> int:
            """With carriers that are counted by stacks sent to these zones only."""
            found = []
            for deck, options in zip(self.decks, useful, strict=True):
                bound = zones is not None and deck.ship is not None and self._is_limited(deck.ship)
                some = {o for z, o in options.items() if not bound or (zones is not None and z in zones)}
                ready = housing.deck(max(deck.room.values(), default=0), some)
                if ready is not None:
                    found.append(ready)
            return housing.most_housed(sizes, found)

        stacks = self._stacks()
        if stacks is None:
            return housed(None)
        best = 0
        for zones in stacks:
            best = max(best, housed(zones))
            if best == sum(sizes):
                break
        return best

    def _users(
        self, deck: Deck, needy: list[Flight], at_zone: Mapping[SpaceId, set[int]]
    ) -> dict[SpaceId, frozenset[int]]:
        """Who could use the deck in each zone where it can be: those who can fly there, and those who ride with it."""
        ship = deck.ship
        fitting = {i for i, (_, piece, _) in enumerate(needy) if piece.type in deck.room}
        riding = {
            i
            for i in fitting
            if ship is not None and needy[i][0] == deck.zone and may_ride(self.world, needy[i][1], ship)
        }
        always = frozenset(riding)
        return {z: frozenset(at_zone[z] & fitting | riding) if z in at_zone else always for z in deck.zones}

    def _is_limited(self, ship: Piece) -> bool:
        return ship.power == self.power and ship.type in self.world.rules.pieces

    def _stacks(self) -> list[frozenset[SpaceId]] | None:
        """The sets of zones in which all carriers of the power can end up, where pieces limit them (CL-SET-15)."""
        limited = [deck for deck in self.decks if deck.ship is not None and self._is_limited(deck.ship)]
        if not limited:
            return None
        most = min(self.world.rules.pieces[deck.ship.type] for deck in limited if deck.ship is not None)
        zones = list(dict.fromkeys(zone for deck in limited for zone in deck.zones))
        return [
            frozenset(chosen)
            for size in range(1, min(most, len(zones)) + 1)
            for chosen in combinations(zones, size)
            if all(not set(chosen).isdisjoint(deck.zones) for deck in limited)
        ] or [frozenset(deck.zone for deck in limited)]


def landing_places(world: World, state: State, space: SpaceId, plane: Piece) -> list[SpaceId]:
    """Where this plane alone could still end the turn, in board order: on land, or on a free deck."""
    places = Landings(world, state, plane.power)
    near = distances(world, state, plane.power, space, places._left(plane, space), over_neutrals=False)
    decks = {zone for deck in places.decks if deck.room.get(plane.type, 0) > 0 for zone in deck.zones}
    return [
        there
        for there in world.spaces
        if there in near and (places.land.get(there) == 0 if world.spaces[there].is_land else there in decks)
    ]


def carrier_zones(world: World, state: State) -> list[SpaceId]:
    """Where carriers of anybody lie."""
    types = world.carriers
    return list({zone: None for zone, stack in state.units.items() for p in stack if p.type in types})


def new_decks(world: World, state: State, power: PowerId) -> list[Deck]:
    """Carriers that wait to be placed, with the zones where they can be (AN-CMV-17, AN-NCM-07)."""
    if not world.rules.landing_on_new_carriers:
        return []
    carriers = [
        (unit, n) for unit, n in state.pool_of(world, power).items() if unit_type(world, state, power, unit).deck
    ]
    if not carriers:
        return []
    zones = tuple(
        dict.fromkeys(
            zone
            for site in working_complexes(world, state, power)
            if output(world, state, power, site) != 0
            for zone in world.sea[site]
        )
    )
    return [
        Deck(None, zones[0], unit_type(world, state, power, unit).deck, zones)
        for unit, n in carriers
        for _ in range(n)
        if zones
    ]


def find_decks(
    world: World, state: State, power: PowerId, zones: list[SpaceId], cleared: SpaceId | None = None
) -> list[Deck]:
    """Carriers of the power and its allies, one by one."""
    ours = friends(world, state, power)
    return [
        Deck(ship, zone, deck, reach)
        for zone in zones
        for ship, n in in_order(state.at(zone))
        if ship.power in ours and (deck := deck_of(type_of(world, state, ship), ship))
        for reach in (_still_reachable(world, state, zone, ship, cleared),)
        for _ in range(n)
    ]


def _can_sail(world: World, state: State, zone: SpaceId, carrier: Piece) -> bool:
    """The carrier can still move in this turn."""
    if carrier.done or carrier.mark or carrier.power != active(world, state):
        return False
    if not _before_noncombat(world, state):
        return True
    return not carrier.used and not carrier.origin


def _before_noncombat(world: World, state: State) -> bool:
    return world.phases[state.phase] in ("combat-move", "combat")


def _still_reachable(
    world: World, state: State, zone: SpaceId, carrier: Piece, cleared: SpaceId | None
) -> tuple[SpaceId, ...]:
    """Zones where the carrier can be at the end of the turn.

    After the battles it can sail through zones that are under attack now. While combat moves are made it can also fight
    its way into a zone, or leave one that has become hostile (AN-CMV-17).
    """
    if not _can_sail(world, state, zone, carrier):
        return (zone,)
    power = carrier.power

    def is_hostile(there: SpaceId) -> bool:
        return is_hostile_sea(world, state, power, there)

    def is_embattled(there: SpaceId) -> bool:
        return there == cleared or any(p.power == power for p in state.at(there))

    def fights_into(there: SpaceId) -> bool:
        armed = not world.rules.transports_need_escort or type_of(world, state, carrier).attack
        return bool(armed) or any(p.power == power and type_of(world, state, p).attack for p in state.at(there))

    phase = world.phases[state.phase]
    found: dict[SpaceId, None] = {zone: None}
    if phase == "noncombat-move":
        found |= _sailing(world, state, zone, carrier, lambda there: not is_hostile(there))
        return tuple(found)
    if not is_hostile(zone):
        found |= _sailing(world, state, zone, carrier, lambda there: not is_hostile(there) or is_embattled(there))
    if phase == "combat-move":
        found |= _sailing(world, state, zone, carrier, lambda there: not is_hostile(there), fights_into)
    return tuple(found)


def _sailing(
    world: World,
    state: State,
    zone: SpaceId,
    carrier: Piece,
    is_open: Callable[[SpaceId], bool],
    may_end: Callable[[SpaceId], bool] | None = None,
) -> dict[SpaceId, None]:
    """Zones that the carrier can sail to over open ones, and others in which it may end its way."""
    found: dict[SpaceId, None] = {}
    layer = [zone]
    for _ in range(steps_left(world, state, carrier, zone)):
        following = []
        for here in layer:
            for there in world.sea[here]:
                if there in found or canal_closed(world, state, carrier.power, here, there, carrier.type):
                    continue
                if is_open(there):
                    following.append(there)
                elif may_end is None or not may_end(there):
                    continue
                found[there] = None
        layer = following
    return found
