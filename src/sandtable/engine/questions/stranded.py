"""Fighters whose carrier was sunk while they defended it: their owner says where they go (AN-SEA-18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine.battle.stranded import Stranded as Group
from sandtable.engine.battle.stranded import ask_about, groups, land
from sandtable.engine.facts import amount, amounts, name
from sandtable.engine.questions.kind import Decision, Kind, place_names
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class Stranded(Kind):
    name = "stranded"
    answers = ("move",)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        """So many of the fighters go there; if some are left, their owner is asked again."""
        world = run.world
        group = next(g for g in groups(world, run.state, question.space) if ask_about(g) == question)
        if not isinstance(order, Move) or not _fits(group, order):
            raise self.unanswered(run, question, order)
        place = order.route[-1]
        wanted = sum(spec.count for spec in order.units)
        most = min(group.count, group.room[place])
        if not 1 <= wanted <= most:
            text = f"No more than {amount(world, group.plane.type, most)} can land in {name(world, place)}."
            raise Refusal("no-room-for-stranded-planes", text, (place,))
        run.close()
        for _ in range(wanted):
            land(run, group, place)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """All fighters to one place before some of them; the likeliest place first."""
        assert asked.space is not None
        for _, plane, most in asked.units:
            for number in range(most, 0, -1):
                for place in asked.places:
                    order = Move((UnitSpec(plane, number),), (asked.space, place))
                    if order in legal:
                        yield order

    def wording(self, world: World, state: State, asked: Decision) -> str:
        planes = amounts(world, [(unit, n) for _, unit, n in asked.units])
        do = "does" if asked.count == 1 else "do"
        where, places = name(world, asked.space or ""), place_names(world, asked.places)
        why = "the carrier is sunk" if world.spaces[asked.space or ""].is_sea else "the base is lost"
        return f"{world.powers[asked.power].name}: {why}. Where {do} {planes} over {where} go, {places}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        assert isinstance(order, Move)
        (spec,), place = order.units, order.route[-1]
        where = f"on the carrier in {name(world, place)}" if world.spaces[place].is_sea else f"in {name(world, place)}"
        return f"Land {amount(world, spec.type, spec.count)} {where}"

    def waits_for(self, world: World, state: State, question: Question) -> str:
        planes = amounts(world, [(piece.type, n) for piece, n in question.units])
        go = "goes" if question.count == 1 else "go"
        whence = "of a sunken carrier" if world.spaces[question.space].is_sea else "without a base"
        return (
            f"{world.powers[question.power].name} first has to say where {planes} {whence} in "
            f"{name(world, question.space)} {go}: {place_names(world, question.places)}"
        )

    def unanswered(self, run: Run, question: Question, order: AnyOrder) -> Refusal:
        told = f"{self.waits_for(run.world, run.state, question)}."
        return Refusal("stranded-planes-go-first", told, (question.space, *question.places))


def _fits(group: Group, order: Move) -> bool:
    """The order is about these fighters and one of the places that they can reach."""
    ours = all(spec.type == group.plane.type and spec.power in (None, group.plane.power) for spec in order.units)
    straight = len(order.route) == 2 and order.route[0] == group.zone and order.route[1] in group.room
    return ours and straight and not order.role
