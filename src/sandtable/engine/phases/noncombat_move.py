"""Quiet moves and landings (Action 4)."""

from __future__ import annotations

from sandtable.engine import rockets, sorties
from sandtable.engine.battle.overhead import note
from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import amount, listed, name
from sandtable.engine.movement import castaways, landing, reach
from sandtable.engine.movement.aloft import unhoused, unlanded
from sandtable.engine.movement.move import carry_out
from sandtable.engine.neutral import settle
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.engine.special import peace, relocation
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class NoncombatMove(Phase):
    name = "noncombat-move"
    title = "Non-combat movement"

    def enter(self, run: Run) -> None:
        peace.roll_moves(run)

    def is_open(self, run: Run) -> bool:
        return not run.state.sorties.closing or sorties.after_moves(run)

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Move():
                carry_out(run, order)
            case orders.Relocate():
                relocation.lift(run, order)
            case orders.Rocket():  # the last chance after battles that gave no pause for it
                rockets.fire(run, order)
            case _:
                raise misplaced(run, order, self)

    def finish(self, run: Run) -> bool:
        """Ships that have moved can be interdicted before the phase is over (G40-INT-12)."""
        if not run.world.rules.sorties:
            return True
        self._check_planes(run)
        note(run, closing=True)
        return False

    def leave(self, run: Run) -> None:
        """Planes that can land must; those that cannot are lost (CL-AIR-01, CL-NCM-05)."""
        closing = run.state.sorties.closing
        lose(run, unhoused(run.world, run.state, run.power) if closing else self._check_planes(run))
        if run.world.rules.relations == "alliances":
            castaways.lose(run, run.power)
        settle(run)

    @staticmethod
    def _check_planes(run: Run) -> list[landing.Flight]:
        """Refuse to end the phase while planes that can land have not; gives those that cannot."""
        world, power = run.world, run.power
        aloft = unhoused(world, run.state, power)
        if not aloft:
            return aloft
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
        return aloft


def lose_unlanded(run: Run) -> None:
    """Planes that waited for a new carrier are lost if it was not placed under them (AN-NCM-07)."""
    lose(run, unlanded(run.world, run.state, run.power))


def lose(run: Run, aloft: list[landing.Flight]) -> None:
    for space, piece, n in aloft:
        run.emit(Lost(space, "no-landing", ((piece, n),), (Change(space, minus=((piece, n),)),)))


def _can_still_help(world: World, state: State, power: PowerId, aloft: list[tuple[SpaceId, Piece, int]]) -> bool:
    """One of these planes or a carrier can still move. Without this a phase could be left open that nothing can end.

    Where an ally has refused to take planes in, it may have been that place on which they could count.
    """
    if not state.refused and any(
        len(deck.zones) > 1 for deck in landing.Landings(world, state, power).decks if deck.ship is not None
    ):
        return True
    return any(reach.destinations(world, state, space, piece.type, marks=piece.marks) for space, piece, _ in aloft)
