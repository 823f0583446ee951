"""The coach: how far a lesson has come, and whether an order belongs to what is asked now.

Progress follows from the orders of the game alone, so taking back, reloading and restarting need no bookkeeping; only
which texts have been read is kept by whoever shows them.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from sandtable.archive.cases import unmet
from sandtable.engine.game import Entry, Game
from sandtable.errors import SandtableError
from sandtable.notation import format_order, parse_order
from sandtable.notation.orders import AnyOrder
from sandtable.training.lesson import Lesson, Step


class Held(SandtableError):
    """An order that is legal, but not what the lesson is about now. Nothing has changed."""


class Progress(msgspec.Struct, frozen=True):
    step: int  # the one that is shown; the number of steps when all is done
    task: int  # the one that orders are judged by: the first task from there on
    since: int  # orders that the learner has given for this task

    def finished(self, lesson: Lesson) -> bool:
        return self.step >= len(lesson.steps)


def progress(lesson: Lesson, game: Game, read: int = 0) -> Progress:
    """How far the game has come along the lesson. `read` steps from the first have been acknowledged."""
    here = game.cursor
    step = since = 0
    try:
        for place in range(here + 1):
            game.go_to(place)
            entry = game.entries[place - 1] if place else None
            reached = _after(lesson, game, step, entry)
            if reached != step:
                step, since = reached, 0
            elif entry is not None and entry.power == lesson.player:
                since += 1
    finally:
        game.go_to(here)
    while step < min(read, len(lesson.steps)) and not lesson.steps[step].is_task:
        step += 1
    return Progress(step, _task(lesson, step), since)


def _task(lesson: Lesson, step: int) -> int:
    while step < len(lesson.steps) and not lesson.steps[step].is_task:
        step += 1
    return step


def _after(lesson: Lesson, game: Game, step: int, entry: Entry | None) -> int:
    """The step after this entry: tasks that it fulfils are done, and texts before them count as read."""
    while (task := _task(lesson, step)) < len(lesson.steps):
        asked = lesson.steps[task]
        if asked.until:
            if unmet(game, asked.until):
                break
        elif entry is None or entry.power != lesson.player or not _belongs(asked, entry.order):
            break
        entry = None  # one order does one task; conditions may hold at once
        step = task + 1
    return step


def _belongs(step: Step, order: AnyOrder) -> bool:
    text = format_order(order)
    return any(fnmatchcase(text, pattern) for pattern in step.do)


def judge(lesson: Lesson, game: Game, order: AnyOrder) -> None:
    """Raise Refusal when the order is against the rules, Held with a hint when it is only not what is asked now.

    After the last task everything is free.
    """
    refusal = game.legal.why_not(order)
    if refusal is not None:
        raise refusal
    task = progress(lesson, game).task
    if task >= len(lesson.steps):
        return
    step = lesson.steps[task]
    if not _belongs(step, order):
        raise Held(hint_for(step, format_order(order)))


def hint_for(step: Step, text: str) -> str:
    """What to say to somebody who gives this order."""
    special = next((hint.say for hint in step.hints if fnmatchcase(text, hint.when)), None)
    return special or step.hint or "Wait a moment: the others have to answer first."


def next_order(lesson: Lesson, game: Game) -> str | None:
    """An order that does what is asked now, for somebody who wants to be shown; None when nothing is to be done."""
    now = progress(lesson, game)
    if now.task >= len(lesson.steps):
        return None
    for text in lesson.steps[now.task].solution[now.since :]:
        if game.legal.why_not(parse_order(game.world, text)) is None:
            return text
    return None
