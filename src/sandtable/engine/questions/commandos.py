"""Whether commandos are sent, and which ships they hit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.engine import commandos
from sandtable.engine.events import Change, Hurt, Lost
from sandtable.engine.facts import amounts, means, name, type_of
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder, Casualties, Commando, Stay, UnitSpec
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class SendCommandos(Kind):
    """A question of the combat phase itself: what the phase asks follows from the state."""

    name = commandos.KIND
    answers = ("commando", "stay")

    def decision(self, world: World, state: State, question: Question) -> Decision:
        places = dict.fromkeys(order.target for order in commandos.offers(world, state, question.power))
        number = commandos.ready(world, state, question.power)
        return Decision(question.power, self.name, count=number, places=tuple(places), optional=True)

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield Stay()
        yield from commandos.offers(legal.world, legal.state, asked.power)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: send commandos, up to {asked.count}?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        if not isinstance(order, Commando):
            return "Send none"
        what = f" ({world.units[order.facility].name})" if order.facility is not None else ""
        return f"{order.count} to {name(world, order.target)}{what}"


class SabotagedShips(Kind):
    name = commandos.HIT
    answers = ("casualties",)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Casualties):
            raise self.unanswered(run, question, order)
        chosen = _chosen(run, question, order.units)
        run.close()
        for piece in chosen:
            worn = msgspec.structs.replace(piece, hits=piece.hits + 1)
            if worn.hits >= type_of(run.world, run.state, piece).hits:
                change = Change(question.space, minus=((piece, 1),))
                run.emit(Lost(question.space, "battle", ((piece, 1),), (change,)))
            else:
                change = Change(question.space, ((piece, 1),), ((worn, 1),))
                run.emit(Hurt(question.space, ((piece, 1),), (change,)))

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """All hits on ships of one kind, or each on the next ship, the cheapest first."""
        question = legal.state.questions[0]
        yield Casualties(tuple(_default(legal.world, legal.state, question)))
        for piece, n in question.units:
            order = Casualties((UnitSpec(piece.type, asked.count),))
            if n >= asked.count and order in legal:
                yield order

    def wording(self, world: World, state: State, asked: Decision) -> str:
        assert asked.space is not None
        hits = "1 hit" if asked.count == 1 else f"{asked.count} hits"
        return f"{world.powers[asked.power].name}: commandos score {hits} in {name(world, asked.space)}. Which ships?"

    def label(self, world: World, state: State, asked: Decision, order: AnyOrder) -> str:
        assert isinstance(order, Casualties)
        return amounts(world, [(spec.type, spec.count) for spec in order.units])

    def waits_for(self, world: World, state: State, question: Question) -> str:
        return f"{world.powers[question.power].name} first says which ships the commandos hit"


def _ranked(world: World, state: State, question: Question) -> list[Piece]:
    """Every hit that the ships can take, those that a rule makes the last to be lost at the end."""
    found: list[Piece] = []
    for piece, n in question.units:
        kind = type_of(world, state, piece)
        for _ in range(n):
            found += [msgspec.structs.replace(piece, hits=hits) for hits in range(piece.hits, kind.hits)]
    return sorted(found, key=lambda p: ((k := type_of(world, state, p)).chosen_last, k.cost or 0))


def _default(world: World, state: State, question: Question) -> list[UnitSpec]:
    chosen = _ranked(world, state, question)[: question.count]
    kinds = dict.fromkeys(p.type for p in chosen)
    return [UnitSpec(unit, sum(p.type == unit for p in chosen)) for unit in kinds]


def _chosen(run: Run, question: Question, specs: tuple[UnitSpec, ...]) -> list[Piece]:
    """The pieces that take the hits, one after the other, as they are then."""
    world, state = run.world, run.state
    left = _ranked(world, state, question)
    chosen: list[Piece] = []
    for spec in specs:
        for _ in range(spec.count):
            piece = next((p for p in left if means(spec, p)), None)
            if piece is None:
                raise Refusal("no-such-casualty", "There are no such ships to be hit there.", (question.space,))
            left.remove(piece)
            chosen.append(piece)
    if len(chosen) != question.count:
        text = f"{question.count} hits have to be given to ships, not {len(chosen)}."
        raise Refusal("wrong-number-of-casualties", text, (question.space,))
    if any(type_of(world, state, p).chosen_last for p in chosen):
        rest = [p for p in left if not type_of(world, state, p).chosen_last]
        if rest:
            raise Refusal("transports-are-lost-last", "Other ships are hit before transports.", (question.space,))
    return chosen
