"""Which answers to the open question are legal: membership, reasons, short lists, samples of long ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.engine import cards, turn
from sandtable.engine.decision import Decision, decision
from sandtable.engine.dice import Dice
from sandtable.engine.events import AnyEvent
from sandtable.engine.facts import active, phase_name, unit_type
from sandtable.engine.movement import paradrop, reach, roles
from sandtable.engine.phases.mobilize import places_for
from sandtable.engine.questions import KINDS
from sandtable.engine.run import Run
from sandtable.engine.state import State, count
from sandtable.errors import Refusal
from sandtable.notation.orders import Ally, AnyOrder, Break, Move, UnitSpec
from sandtable.world.model import MarkId, PowerId, SpaceId, UnitId, World

WHIM = 0.03  # how often a random player thinks of alliances


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

    def destinations(
        self, space: SpaceId, unit: UnitId, role: str | None = None, marks: tuple[MarkId, ...] | None = None
    ) -> dict[SpaceId, tuple[SpaceId, ...]]:
        """Where one such unit may be moved from here, with its route; without `marks`, one of the least marked."""
        return reach.destinations(self.world, self.state, space, unit, role, marks)

    def marks(self, space: SpaceId, unit: UnitId) -> list[tuple[MarkId, ...] | None]:
        """How orders can tell such units here apart by their marks; there is no need to where all are alike."""
        power = active(self.world, self.state)
        found = {p.marks for p in self.state.at(space) if p.power == power and p.type == unit}
        if len(found) < 2:
            return [None]
        return [*sorted(found, key=lambda marks: (len(marks), marks))]

    def roles(self, unit: UnitId) -> list[str]:
        """What such a unit of the power that acts can be sent to do, other than to fight like everybody else."""
        kind = unit_type(self.world, self.state, active(self.world, self.state), unit)
        if kind.domain != "air" or phase_name(self.world, self.state) != "combat-move":
            return []
        return roles.offered(self.world, active(self.world, self.state), kind)

    def places(self, unit: UnitId, power: PowerId | None = None) -> list[SpaceId]:
        """Where one such new unit may be placed, of the power that acts or of one that it plays."""
        return places_for(self.world, self.state, power or active(self.world, self.state), unit)

    # ------------------------------------------------------------ enumeration

    def orders(self) -> Iterator[AnyOrder]:
        """Every answer to a question that has few; for the phases single-unit orders."""
        question = self.decision
        if question is not None:
            for order in KINDS[question.kind].orders(self, question):
                if not cards.forbids(self.world, self.state, order):
                    yield order

    def moves(self) -> Iterator[Move]:
        """Every move of a single unit, by its route; raids and drops as well as attacks."""
        for space, unit in reach.movable(self.world, self.state):
            for marks in self.marks(space, unit):
                for role in (None, *self.roles(unit)):
                    for route in self.destinations(space, unit, role, marks).values():
                        yield Move((UnitSpec(unit, marks=marks),), route, role)
            if unit in self.world.rules.pieces:
                yield from self._joint(space, unit)
            for role in paradrop.BY_PLANE:
                ride = paradrop.ride_for(self.world, self.state, active(self.world, self.state), role)
                if ride is not None and unit == ride.unit:
                    for route in self.destinations(space, unit, role).values():
                        yield Move((UnitSpec(unit), UnitSpec(ride.passenger)), route, role)

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
        return self._permitted(KINDS[question.kind].default(self, question))

    def sample(self, rng: random.Random) -> AnyOrder:
        """A legal order drawn at random: for testing the rules and for the simplest opponent."""
        question = self._open()
        if {"ally", "break"} & set(question.also) and rng.random() < WHIM:
            return rng.choice([o for o in self.orders() if isinstance(o, Ally | Break)])
        return self._permitted(KINDS[question.kind].sample(rng, self, question))

    def _permitted(self, order: AnyOrder) -> AnyOrder:
        """The order, or another one if the event card of the round rules it out."""
        if not cards.forbids(self.world, self.state, order):
            return order
        others = list(self.orders())
        return others[-1]  # to go on, or to decline, stands at the end

    def _open(self) -> Decision:
        question = self.decision
        if question is None:
            raise Refusal("game-over", "The game is over.").cited(self.world.citations)
        return question
