"""Planes that are neither on friendly land nor on a deck."""

from __future__ import annotations

from sandtable.engine.bases import steps_left
from sandtable.engine.facts import deck_space, settle_on
from sandtable.engine.movement.landing import Flight, airborne, new_decks
from sandtable.engine.relations import friends
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, World


def unhoused(world: World, state: State, power: PowerId) -> list[Flight]:
    """The power's planes that have no place to land where they are, and that no new carrier can be placed under."""
    return _past_hope(world, state, power, unlanded(world, state, power))


def _past_hope(world: World, state: State, power: PowerId, aloft: list[Flight]) -> list[Flight]:
    """The planes that no new carrier can be placed under; of the others it can take so many (AN-NCM-07)."""
    decks = new_decks(world, state, power) if aloft else []
    if not decks:
        return aloft
    left = []
    room: dict[SpaceId, int] = {}
    for space, piece, n in sorted(aloft, key=lambda item: -item[2]):
        while room.get(space, 0) < n and (deck := next((d for d in decks if space in d.zones), None)) is not None:
            decks.remove(deck)
            room[space] = room.get(space, 0) + deck.room.get(piece.type, 0)
        waits = min(n, room.get(space, 0))
        room[space] = room.get(space, 0) - waits
        if waits < n:
            left.append((space, piece, n - waits))
    return left


def unlanded(world: World, state: State, power: PowerId) -> list[Flight]:
    """The power's planes that are neither on friendly land nor on a deck."""
    found = []
    ours = friends(world, state, power)
    zones: dict[SpaceId, dict[str, int]] = {}
    planes = airborne(world, state, power)
    # those that cannot fly on get the decks first: they have nowhere else to go
    for space, piece, n in sorted(planes, key=lambda item: steps_left(world, state, item[1], item[0])):
        if world.spaces[space].is_land:
            found.append((space, piece, n))
            continue
        if space not in zones:
            room = deck_space(world, state, state.at(space), ours)
            for guest, m in state.at(space).items():
                if guest.power != power and world.units[guest.type].domain == "air" and guest.power in ours:
                    settle_on(room, guest.type, m)
            zones[space] = room
        aboard = settle_on(zones[space], piece.type, n)
        if aboard < n:
            found.append((space, piece, n - aboard))
    return found
