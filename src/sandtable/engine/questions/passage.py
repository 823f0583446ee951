"""May ships pass the canal? What `engine.movement.passage` asks."""

from __future__ import annotations

from sandtable.engine.movement import passage
from sandtable.engine.movement.move import carry_out
from sandtable.engine.questions.kind import Decision
from sandtable.engine.questions.permit import TOPICS, Topic
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation import parse_order
from sandtable.notation.orders import Move
from sandtable.world.model import World


class Passage(Topic):
    def wording(self, world: World, state: State, asked: Decision) -> str:
        mover = world.powers[world.order[state.turn]].name
        return f"{world.powers[asked.power].name}: may ships of {mover} pass? ({asked.about[1]})"

    def permitted(self, run: Run, question: Question, *about: str) -> None:
        text, *others = about
        order = parse_order(run.world, text)
        assert isinstance(order, Move)
        if others:
            passage.ask(run, order, tuple(others))
        else:
            carry_out(run, order, granted=(passage.TOPIC,))


TOPICS[passage.TOPIC] = Passage()
