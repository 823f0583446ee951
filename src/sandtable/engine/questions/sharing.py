"""May units of an ally share one's land, decks or transports? What `engine.movement.sharing` asks."""

from __future__ import annotations

from sandtable.engine.events import SharingDeclined
from sandtable.engine.movement import passage, sharing
from sandtable.engine.movement.move import carry_out
from sandtable.engine.questions.kind import Decision
from sandtable.engine.questions.permit import TOPICS, Topic
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation import parse_order
from sandtable.notation.orders import Move
from sandtable.world.model import World


class Sharing(Topic):
    agrees = True  # it is for the common cause

    def wording(self, world: World, state: State, asked: Decision) -> str:
        mover, place = world.powers[world.order[state.turn]].name, world.spaces[asked.space or ""]
        what = f"decks or transports in {place.name}" if place.is_sea else place.name
        return f"{world.powers[asked.power].name}: may units of {mover} share {what} with you? ({asked.about[1]})"

    def permitted(self, run: Run, question: Question, *about: str) -> None:
        order, others = _order(run, about[0]), about[1:]
        if others:
            sharing.ask(run, order, others)
        else:
            carry_out(run, order, granted=(passage.TOPIC, sharing.TOPIC))

    def declined(self, run: Run, question: Question, *about: str) -> None:
        order = sharing.key(_order(run, about[0]))
        run.emit(SharingDeclined(run.power, question.power, question.space, order))


def _order(run: Run, text: str) -> Move:
    order = parse_order(run.world, text)
    assert isinstance(order, Move)
    return order


TOPICS[sharing.TOPIC] = Sharing()
