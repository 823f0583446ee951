"""Which answers to the open question are legal: membership, reasons, short lists, samples of long ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.engine import turn
from sandtable.engine.decision import Decision, decision
from sandtable.engine.dice import Dice
from sandtable.engine.events import AnyEvent
from sandtable.engine.facts import active, drops, unit_type
from sandtable.engine.movement import paradrop, reach
from sandtable.engine.phases.mobilize import places_for
from sandtable.engine.questions import KINDS
from sandtable.engine.run import Run
from sandtable.engine.state import State, count
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class _AnyDice:
    """Dice for trying an order out: what they show does not matter, only that every face comes up."""

    def face(self, index: int, sides: int) -> int:
        return index % sides + 1


class Legal:
    """A view of the legal orders in one position.

    `undo` is not among them: it depends on the game's record, not on the position, and `Game.undo` judges it.
    """

    def __init__(self, world: World, state: State) -> None:
        self.world = world
        self.state = state

    @property
    def decision(self) -> Decision | None:
        return decision(self.world, self.state)

    def __contains__(self, order: AnyOrder) -> bool:
        return self.why_not(order) is None

    def why_not(self, order: AnyOrder) -> Refusal | None:
        """None, or the refusal that playing the order would raise."""
        try:
            turn.answer(Run(self.world, self.state, _AnyDice()), order)
        except Refusal as refusal:
            return refusal
        return None

    def try_out(self, order: AnyOrder, dice: Dice) -> tuple[State, tuple[AnyEvent, ...]]:
        """The state after the order with these dice, for search. Raises Refusal."""
        run = Run(self.world, self.state, dice)
        turn.answer(run, order)
        turn.advance(run)
        return run.state, tuple(run.events)

    def destinations(self, space: SpaceId, unit: UnitId, role: str | None = None) -> dict[SpaceId, tuple[SpaceId, ...]]:
        """Where one such unit may be moved from here, with its route."""
        return reach.destinations(self.world, self.state, space, unit, role)

    def places(self, unit: UnitId, power: PowerId | None = None) -> list[SpaceId]:
        """Where one such new unit may be placed, of the power that acts or of one that it plays."""
        return places_for(self.world, self.state, power or active(self.world, self.state), unit)

    # ------------------------------------------------------------ enumeration

    def orders(self) -> Iterator[AnyOrder]:
        """Every answer to a question that has few; for the phases single-unit orders."""
        question = self.decision
        if question is not None:
            yield from KINDS[question.kind].orders(self, question)

    def moves(self) -> Iterator[Move]:
        """Every move of a single unit, by its route; raids and drops as well as attacks."""
        for space, unit in reach.movable(self.world, self.state):
            for route in self.destinations(space, unit).values():
                yield Move((UnitSpec(unit),), route)
            if unit_type(self.world, self.state, active(self.world, self.state), unit).raid_dice:
                for route in self.destinations(space, unit, "raid").values():
                    yield Move((UnitSpec(unit),), route, "raid")
            if unit in self.world.rules.pieces:
                yield from self._joint(space, unit)
            drop = drops(self.world, self.state, active(self.world, self.state))
            if drop is not None and unit == drop.unit:
                for route in self.destinations(space, unit, paradrop.ROLE).values():
                    yield Move((UnitSpec(unit), UnitSpec(drop.passenger)), route, paradrop.ROLE)

    def _joint(self, space: SpaceId, unit: UnitId) -> Iterator[Move]:
        """Moves of a whole stack, where leaving a part of it behind would need another piece (CL-SET-15)."""
        number = count(self.state.at(space), power=active(self.world, self.state), unit=unit)
        for zone in self.world.sea[space] if number > 1 else ():
            for end in (zone, *self.world.sea[zone]):
                order = Move((UnitSpec(unit, number),), (space, end))
                if end != space and order in self:
                    yield order

    # ------------------------------------------------------------ choosing

    def default(self) -> AnyOrder:
        """The answer of somebody who does not want to think about it."""
        question = self._open()
        return KINDS[question.kind].default(self, question)

    def sample(self, rng: random.Random) -> AnyOrder:
        """A legal order drawn at random: for testing the rules and for the simplest opponent."""
        question = self._open()
        return KINDS[question.kind].sample(rng, self, question)

    def _open(self) -> Decision:
        question = self.decision
        if question is None:
            raise Refusal("game-over", "The game is over.").cited(self.world.citations)
        return question
