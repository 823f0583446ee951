"""A run: one order being carried out.

Rules read `run.state` and speak by `run.emit(event)`, which folds the event at once, and `run.roll(...)`. The run keeps
the list of events; the caller takes the final state or throws everything away when the order is refused.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sandtable.engine.conditions.history import note
from sandtable.engine.dice import Dice
from sandtable.engine.events import Answered, AnyEvent, Asked, BattleChanged, Paid, PaidFor, Rolled, fold
from sandtable.engine.state import Battle, Question, State
from sandtable.world.model import PowerId, SpaceId, World


class Run:
    __slots__ = ("dice", "events", "faces", "state", "world")

    def __init__(self, world: World, state: State, dice: Dice) -> None:
        self.world = world
        self.state = state
        self.dice = dice
        self.events: list[AnyEvent] = []
        self.faces: list[int] = []

    @property
    def power(self) -> PowerId:
        """The power that acts now (`facts.active`)."""
        return self.world.actors[self.state.phase] or self.world.order[self.state.turn]

    @property
    def battle(self) -> Battle:
        """The open battle, for code that runs only while there is one."""
        battle = self.state.battle
        assert battle is not None
        return battle

    def note(self, **fields: object) -> None:
        """Move the open battle's bookkeeping on."""
        self.emit(BattleChanged(msgspec.structs.replace(self.battle, **fields)))

    def ask(self, question: Question) -> None:
        """Put a question; nothing goes on until it is answered."""
        self.emit(Asked(question))

    def close(self) -> None:
        """The open question has been answered."""
        self.emit(Answered(self.state.questions[0]))

    def emit(self, event: AnyEvent) -> None:
        self.state = fold(self.world, self.state, event)
        self.events.append(event)
        if self.world.watched:
            note(self, event)

    def roll(
        self, number: int, tell: Callable[[tuple[int, ...]], Rolled], *, sides: int | None = None
    ) -> tuple[int, ...]:
        """Fresh dice. `tell` says what they were for; its event is what counts them, so no die comes up twice."""
        first = self.state.rolls
        sides = sides or self.world.rules.dice_sides
        faces = tuple(self.dice.face(first + i, sides) for i in range(number))
        self.faces.extend(faces)
        event = tell(faces)
        assert event.faces == faces
        self.emit(event)
        return faces

    def pay(self, power: PowerId, amount: int, reason: PaidFor, space: SpaceId = "") -> None:
        """Move money between the power and the bank; a payment never exceeds what there is."""
        amount = max(amount, -self.state.treasury[power])
        if amount:
            self.emit(Paid(power, amount, reason, space))
