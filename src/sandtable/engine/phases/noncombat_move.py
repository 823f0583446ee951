"""Quiet moves and landings (Action 4)."""

from __future__ import annotations

from sandtable.engine import rockets
from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import amount, deck_space, listed, name, type_of
from sandtable.engine.movement import landing, reach
from sandtable.engine.movement.move import carry_out
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class NoncombatMove(Phase):
    name = "noncombat-move"
    title = "Non-combat movement"

    def is_open(self, run: Run) -> bool:
        return True

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Move():
                carry_out(run, order)
            case orders.Rocket():  # the last chance after battles that gave no pause for it
                rockets.fire(run, order)
            case _:
                raise misplaced(run, order, self)

    def leave(self, run: Run) -> None:
        """Planes that can land must; those that cannot are lost (CL-AIR-01, CL-NCM-05)."""
        world, power = run.world, run.power
        aloft = _past_hope(world, run.state, power, unlanded(world, run.state, power))
        if not aloft:
            return
        total = sum(n for _, _, n in aloft)
        if landing.homeless(world, run.state, power) < total and _can_still_help(world, run.state, power, aloft):
            over: dict[tuple[UnitId, SpaceId], int] = {}
            for space, piece, n in aloft:
                over[piece.type, space] = over.get((piece.type, space), 0) + n
            words = listed([f"{amount(world, unit, n)} over {name(world, space)}" for (unit, space), n in over.items()])
            raise Refusal(
                "planes-have-to-land",
                f"Planes that can still land have to: {words}.",
                tuple(s for s, _, _ in aloft),
            )
        lose(run, aloft)


def lose_unlanded(run: Run) -> None:
    """Planes that waited for a new carrier are lost if it was not placed under them (AN-NCM-07)."""
    lose(run, unlanded(run.world, run.state, run.power))


def lose(run: Run, aloft: list[landing.Flight]) -> None:
    for space, piece, n in aloft:
        run.emit(Lost(space, "no-landing", ((piece, n),), (Change(space, minus=((piece, n),)),)))


def _past_hope(world: World, state: State, power: PowerId, aloft: list[landing.Flight]) -> list[landing.Flight]:
    """The planes that no new carrier can be placed under; of the others it can take so many (AN-NCM-07)."""
    decks = landing.new_decks(world, state, power) if aloft else []
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


def _can_still_help(world: World, state: State, power: PowerId, aloft: list[tuple[SpaceId, Piece, int]]) -> bool:
    """One of these planes or a carrier can still move. Without this a phase could be left open that nothing can end."""
    if any(len(deck.zones) > 1 for deck in landing.Landings(world, state, power).decks if deck.ship is not None):
        return True
    return any(reach.destinations(world, state, space, piece.type) for space, piece, _ in aloft)


def unlanded(world: World, state: State, power: PowerId) -> list[tuple[SpaceId, Piece, int]]:
    """The power's planes that are neither on friendly land nor on a deck."""
    found = []
    ours = friends(world, state, power)
    zones: dict[SpaceId, dict[str, int]] = {}
    planes = landing.airborne(world, state, power)
    # those that cannot fly on get the decks first: they have nowhere else to go
    for space, piece, n in sorted(planes, key=lambda item: type_of(world, state, item[1]).move - item[1].used):
        if world.spaces[space].is_land:
            found.append((space, piece, n))
            continue
        if space not in zones:
            room = deck_space(world, state, state.at(space), ours)
            for guest, m in state.at(space).items():
                if guest.power != power and world.units[guest.type].domain == "air" and guest.power in ours:
                    room[guest.type] = room.get(guest.type, 0) - m
            zones[space] = room
        room = zones[space]
        aboard = max(0, min(n, room.get(piece.type, 0)))
        room[piece.type] = room.get(piece.type, 0) - aboard
        if aboard < n:
            found.append((space, piece, n - aboard))
    return found
