"""Games of Basic Training: a game is a lesson when the instructor has a seat in it, and his style names the lesson."""

from __future__ import annotations

from sandtable.archive import snapshot
from sandtable.notation import parse_order
from sandtable.notation.orders import AnyOrder
from sandtable.server.bots.registry import HUMAN
from sandtable.server.errors import ApiError
from sandtable.server.journal import Journal
from sandtable.server.storage.store import Header, Seat
from sandtable.training import INSTRUCTOR, Held, Lesson, judge, lessons


def lesson_of(journal: Journal) -> Lesson | None:
    """The lesson that is taught in this game, as long as the instructor sits at the table."""
    return next((lessons().get(seat.style) for seat in journal.seats if seat.player == INSTRUCTOR), None)


def new_journal(lesson: Lesson, game: str) -> Journal:
    """A game for the lesson: the learner leads one power, the instructor all others."""
    world = lesson.world()
    others = tuple(p for p in world.seated if p != lesson.player)
    header = Header(
        id=game,
        name=f"{lesson.course}: {lesson.title}",
        scenario=world.scenario,
        options=dict(world.options),
        edits={},
        seats=(
            Seat(name="You", powers=(lesson.player,), player=HUMAN),
            Seat(name="Instructor", powers=others, player=INSTRUCTOR, style=lesson.lesson),
        ),
        seed=lesson.lesson,
        start=snapshot.to_data(lesson.start()),
        opening=tuple(lesson.dice),
    )
    return Journal(header)


def check(journal: Journal, order: AnyOrder | str) -> None:
    """In a lesson, hold an order back that is legal but not what is asked now. Refusals go to the player as always."""
    lesson = lesson_of(journal)
    if lesson is None:
        return
    if isinstance(order, str):
        order = parse_order(journal.game.world, order)
    try:
        judge(lesson, journal.game, order)
    except Held as hint:
        raise ApiError(409, "lesson", str(hint)) from None
