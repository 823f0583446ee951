"""The instructor plays all other powers in a lesson: as the lesson says, and otherwise with as little ado as he can."""

from __future__ import annotations

from sandtable.engine.decision import Decision
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.notation import parse_order
from sandtable.notation.orders import AnyOrder, End, Press, Stay
from sandtable.play.standing import CheapestFirst
from sandtable.training.lesson import Lesson

INSTRUCTOR = "instructor"


class Instructor:
    name = INSTRUCTOR

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        for reply in self.lesson.replies:
            wanted = (reply.power or question.power, reply.kind or question.kind, reply.space or question.space)
            if wanted == (question.power, question.kind, question.space):
                order = parse_order(legal.world, reply.order)
                if legal.why_not(order) is None:
                    return order
        cheapest = CheapestFirst().answer(legal, question)
        if cheapest is not None:
            return cheapest
        for quiet in (End(), Stay(), Press()):
            if legal.why_not(quiet) is None:
                return quiet
        return next(legal.orders())
