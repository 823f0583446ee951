"""Will every plane find a place to land? Judged for all planes together (CL-AIR-11).

A plane can land on land that has been friendly since the turn began, or on a deck: of an allied carrier where it lies,
of an own carrier where it lies or can still get to in the non-combat move. Carriers bought this turn do not count.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.facts import (
    active,
    canal_closed,
    friendly_at_start,
    is_hostile_sea,
    is_neutral,
    type_of,
)
from sandtable.engine.movement.air import distances
from sandtable.engine.state import Piece, State
from sandtable.world.model import PowerId, SideId, SpaceId, World

_recent: list[tuple[World, Mapping[SpaceId, PowerId], Mapping[SpaceId, PowerId], SideId, dict[SpaceId, int]]] = []


def distance_to_land(world: World, state: State, side: SideId) -> dict[SpaceId, int]:
    """How far each space is from the nearest land where the side's planes may land.

    Ownership changes rarely and states share it, so the last few answers are kept.
    """
    for w, owners, start, s, known in _recent:
        if w is world and owners is state.owners and start is state.start_owners and s == side:
            return known
    layer = [s for s in state.owners if friendly_at_start(world, state, side, s)]
    found = dict.fromkeys(layer, 0)
    distance = 0
    while layer:
        distance += 1
        following = []
        for here in layer:
            for space in world.air[here]:
                if space not in found:
                    found[space] = distance
                    if not is_neutral(world, state, space):
                        following.append(space)
        layer = following
    _recent.insert(0, (world, state.owners, state.start_owners, side, found))
    del _recent[8:]
    return found


def airborne(world: World, state: State, power: PowerId) -> list[tuple[SpaceId, Piece, int]]:
    """The power's planes that do not stand on land where they may stay."""
    side = world.side_of(power)
    found = []
    for space, stack in state.units.items():
        if world.spaces[space].is_land and friendly_at_start(world, state, side, space):
            continue
        for piece, n in stack.items():
            if piece.power == power and world.units[piece.type].domain == "air":
                found.append((space, piece, n))
    return found


def homeless(world: World, state: State, power: PowerId) -> int:
    """How many of the power's planes cannot land any more, whatever is done."""
    return sum(n for _, _, n in _needy(world, state, power)) - _housed(world, state, power)


def _needy(world: World, state: State, power: PowerId) -> list[tuple[SpaceId, Piece, int]]:
    """Airborne planes that no land is near enough for."""
    planes = airborne(world, state, power)
    if not planes:
        return []
    land = distance_to_land(world, state, world.side_of(power))
    return [
        (space, piece, n)
        for space, piece, n in planes
        if piece.done or land.get(space, 99) > type_of(world, state, piece).move - piece.used
    ]


def _housed(world: World, state: State, power: PowerId) -> int:
    """How many needy planes can find a deck: the best over all ways to send the free carriers."""
    needy = _needy(world, state, power)
    if not needy:
        return 0
    reach = []
    for space, piece, _ in needy:
        left = 0 if piece.done else type_of(world, state, piece).move - piece.used
        reach.append(distances(world, state, space, left, over_neutrals=False))
    fixed: list[tuple[frozenset[int], int]] = []  # (which planes can use it, room)
    free: list[tuple[list[frozenset[int]], int]] = []
    for zone, deck_room, zones in decks(world, state, power):
        choices = {
            frozenset(i for i, (_, piece, _) in enumerate(needy) if piece.type in deck_room and z in reach[i])
            for z in (zones or (zone,))
        }
        best = [c for c in choices if c and not any(c < other for other in choices)]
        room = max(deck_room.values(), default=0)
        if best and room > 0:
            if len(best) == 1:
                fixed.append((best[0], room))
            else:
                free.append((sorted(best, key=sorted), room))
    wanted = [n for _, _, n in needy]
    return _best(wanted, fixed, free)


def _best(
    wanted: list[int], fixed: list[tuple[frozenset[int], int]], free: list[tuple[list[frozenset[int]], int]]
) -> int:
    if not free:
        return _match(wanted, fixed)
    choices, room = free[0]
    best = 0
    for choice in choices:
        best = max(best, _best(wanted, [*fixed, (choice, room)], free[1:]))
        if best == sum(wanted):
            break
    return best


def _match(wanted: list[int], decks: list[tuple[frozenset[int], int]]) -> int:
    """Greatest number of planes that find a place, by augmenting paths over single planes and places."""
    places = [users for users, room in decks for _ in range(room)]
    taken: list[int | None] = [None] * len(places)
    planes = [i for i, n in enumerate(wanted) for _ in range(min(n, len(places)))]

    def settle(plane: int, tried: set[int]) -> bool:
        for p, users in enumerate(places):
            if planes[plane] in users and p not in tried:
                tried.add(p)
                sitting = taken[p]
                if sitting is None or settle(sitting, tried):
                    taken[p] = plane
                    return True
        return False

    return sum(settle(plane, set()) for plane in range(len(planes)))


def decks(
    world: World, state: State, power: PowerId
) -> list[tuple[SpaceId, dict[str, int], tuple[SpaceId, ...] | None]]:
    """Carriers of the side one by one: where, free room by plane type, and the zones that it can still go to."""
    side = world.side_of(power)
    found: list[tuple[SpaceId, dict[str, int], tuple[SpaceId, ...] | None]] = []
    for zone, stack in state.units.items():
        if world.spaces[zone].is_land:
            continue
        ships = [
            (piece, n)
            for piece, n in stack.items()
            if world.units[piece.type].deck and world.side_of(piece.power) == side
        ]
        if not ships:
            continue
        guests = sum(
            n
            for p, n in stack.items()
            if world.units[p.type].domain == "air" and p.power != power and world.side_of(p.power) == side
        )
        ships.sort(key=lambda item: (item[0].power == power, _can_sail(world, state, zone, item[0])))
        for piece, n in ships:
            zones = _still_reachable(world, state, zone, piece) if piece.power == power else None
            for _ in range(n):
                deck = dict(world.units[piece.type].deck)
                aboard = min(guests, max(deck.values()))
                guests -= aboard
                found.append((zone, {u: room - aboard for u, room in deck.items()}, zones))
    return found


def _can_sail(world: World, state: State, zone: SpaceId, carrier: Piece) -> bool:
    if carrier.done or carrier.mark:
        return False
    combat = world.phases[state.phase] in ("combat-move", "combat")
    if not combat:
        return True
    return not carrier.used and not carrier.origin and not is_hostile_sea(world, state, carrier.power, zone)


def _still_reachable(world: World, state: State, zone: SpaceId, carrier: Piece) -> tuple[SpaceId, ...] | None:
    """Zones where the carrier can be at the end of the turn. A zone under attack may be cleared by then."""
    if carrier.power != active(world, state) or not _can_sail(world, state, zone, carrier):
        return None
    found = [zone]
    layer = [zone]
    for _ in range(type_of(world, state, carrier).move - carrier.used):
        following = []
        for here in layer:
            for there in world.sea[here]:
                if there in found or canal_closed(world, state, carrier.power, here, there, carrier.type):
                    continue
                if is_hostile_sea(world, state, carrier.power, there) and not any(
                    p.power == carrier.power for p in state.at(there)
                ):
                    continue
                found.append(there)
                following.append(there)
        layer = following
    return tuple(found)
