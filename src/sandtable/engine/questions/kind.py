"""What a kind of question is, and the Decision that players see of an open one.

A question that somebody has to answer stands in `State.questions`; where none does, the phase asks its own. Each kind
is one class in a file of this folder. It tells everybody what there is to know about such a question: who is asked
what, which answers there are, how question and answers are worded, and what answers by itself if nobody wants to think
about it. Server, page, terminal, bots, standing orders and tests know questions only by this.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine.facts import listed
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State, Units
from sandtable.errors import Refusal
from sandtable.notation import format_order
from sandtable.notation.orders import (
    AnyOrder,
    Casualties,
    End,
    Press,
    Retreat,
    Stay,
    Submerge,
    Target,
    UnitSpec,
    Withdraw,
)
from sandtable.world.model import PowerId, SpaceId, UnitId, World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


REASONS: dict[type, str] = {  # of refusing what the open question does not ask for, where the order says more
    Retreat: "no-retreat-now",
    Submerge: "submarines-stay-now",
    Withdraw: "submarines-stay-now",
    **dict.fromkeys((End, Casualties, Target, Press, Stay), "battle-asks-something-else"),
}


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """The open question: who must answer, what it is about, and what the choice is among."""

    power: PowerId
    kind: str
    space: SpaceId | None = None
    count: int = 0  # casualties to name; submarines that may leave; fighters without a carrier
    units: tuple[tuple[PowerId, UnitId, int], ...] = ()  # the units it is about, and how many at most
    sorts: tuple[UnitSpec, ...] = ()  # the same by cargo and marks, where units of one kind differ in them
    places: tuple[SpaceId, ...] = ()  # where to retreat, withdraw or land; battles or landings to choose from
    zone: SpaceId | None = None  # bombard: where the ships are
    launches: tuple[tuple[SpaceId, SpaceId], ...] = ()
    charts: tuple[int, ...] = ()  # breakthrough charts to choose from
    submerge: bool = False
    planes_only: bool = False
    optional: bool = False  # it may be declined with `stay`
    must_leave: bool = False  # retreat: staying is no choice
    also: tuple[str, ...] = ()  # further words that answer it now
    about: tuple[str, ...] = ()  # permit: what somebody is to agree to, and with whom

    @property
    def answers(self) -> tuple[str, ...]:
        """The orders that answer the question, by their first word."""
        from sandtable.engine.questions import KINDS

        words = (*KINDS[self.kind].answers, *self.also)
        if self.must_leave:
            return tuple(w for w in words if w != "press")
        return (*words, "stay") if self.optional and "stay" not in words else words


class Kind:
    """Base of all kinds of question."""

    name = ""
    answers: tuple[str, ...] = ()  # first words of the orders that answer it
    few = True  # all answers can be listed
    reason = "battle-comes-first"  # of refusing an order while the question is open

    def decision(self, world: World, state: State, question: Question) -> Decision:
        """What players see of the question."""
        return Decision(
            question.power,
            self.name,
            question.space or None,
            count=question.count,
            units=tuple((piece.power, piece.type, n) for piece, n in question.units),
            places=question.places,
        )

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        """Carry the answer out; refuse what does not fit or breaks a rule."""
        raise self.unanswered(run, question, order)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """Every answer where they are few; for a phase single-unit orders."""
        raise NotImplementedError

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        """A legal answer drawn at random."""
        return rng.choice(list(self.orders(legal, asked)))

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        """The sensible answer of somebody who does not want to think: a standing order, a plain bot, a player away."""
        return next(iter(self.orders(legal, asked)))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        """What is asked, in one sentence."""
        return f"{world.powers[asked.power].name}: {self.name.replace('-', ' ')}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        """An answer in words for a button."""
        return "No" if isinstance(order, Stay) else format_order(order)

    def waits_for(self, world: World, state: State, question: Question) -> str:
        """What has to be answered before anything else can be done, as the rest of a sentence."""
        return f"{world.powers[question.power].name} first has to answer ({self.name.replace('-', ' ')})"

    def unanswered(self, run: Run, question: Question, order: AnyOrder) -> Refusal:
        """The refusal of an order that answers something else."""
        told = self.waits_for(run.world, run.state, question)
        if question.role is not None:
            told = f"In the battle of {run.world.spaces[question.space].name} {told}"
        reason = REASONS.get(type(order), self.reason) if self.reason == Kind.reason else self.reason
        return Refusal(reason, f"{told}.", (question.space,) if question.space else ())


def by_sort(units: Units) -> tuple[tuple[tuple[PowerId, UnitId, int], ...], tuple[UnitSpec, ...]]:
    """Units of a question by type, and by type and marks where units of one type differ in them."""
    sorts: dict[tuple[PowerId, UnitId, tuple[str, ...]], int] = {}
    types: dict[tuple[PowerId, UnitId], int] = {}
    for piece, n in units:
        sorts[piece.power, piece.type, piece.marks] = sorts.get((piece.power, piece.type, piece.marks), 0) + n
        types[piece.power, piece.type] = types.get((piece.power, piece.type), 0) + n
    told_apart = len(sorts) > len(types)
    return (
        tuple((power, unit, n) for (power, unit), n in types.items()),
        tuple(UnitSpec(u, n, p, marks=marks) for (p, u, marks), n in sorts.items()) if told_apart else (),
    )


def place_names(world: World, places: tuple[SpaceId, ...]) -> str:
    return listed([world.spaces[place].name for place in places], "or")
