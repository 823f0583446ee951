"""Basic Training: the lessons, a game for each, and the coach who follows it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import HTTPConnection

from sandtable.server.access import InLobby, InRoom, OfSettings, Somebody
from sandtable.server.bring import new_id
from sandtable.server.errors import ApiError, not_found
from sandtable.server.journal import Journal
from sandtable.server.lessons import lesson_of, new_journal
from sandtable.server.storage.lessons import Lessons
from sandtable.server.views.training import (
    CoachView,
    LessonView,
    NextBody,
    StartBody,
    TrainingView,
    advice_view,
    coach_view,
    lesson_view,
)
from sandtable.training import Lesson, advice, lessons, next_order, progress

router = APIRouter(prefix="/api/training", tags=["training"])


async def the_lessons(connection: HTTPConnection) -> Lessons:
    kept: Lessons = connection.app.state.lessons
    return kept


Kept = Annotated[Lessons, Depends(the_lessons)]


@router.get("", operation_id="listLessons")
async def list_lessons(kept: Kept, settings: OfSettings) -> TrainingView:
    """All lessons with what has been done of them, and the page of strategy."""
    games, done = ({}, {}) if settings.people else (await kept.games(), await kept.done())
    return TrainingView(
        lessons=[
            lesson_view(each, done=name in done, game=games[name].game if name in games else None)
            for name, each in lessons().items()
        ],
        strategy=[advice_view(each) for each in advice()],
    )


@router.post("/lessons/{lesson}", operation_id="startLesson")
async def start_lesson(lesson: str, body: StartBody, lobby: InLobby, kept: Kept, person: Somebody) -> LessonView:
    """The game of a lesson: the one that was begun, or a new one, which takes its place."""
    if not person.is_local:
        raise ApiError(403, "forbidden", "Lessons are taken on one's own computer: `sandtable play` has them.")
    found = lessons().get(lesson)
    if found is None:
        raise not_found(f"There is no lesson {lesson[:60]!r}; there are: {', '.join(lessons())}.")
    begun = (await kept.games()).get(lesson)
    game = begun.game if begun is not None and not body.again else None
    if game is None:
        room = await lobby.create(new_journal(found, new_id()))
        await kept.note(lesson, room.id, 0)
        if begun is not None:
            await lobby.delete(begun.game)
        game = room.id
    return lesson_view(found, done=lesson in await kept.done(), game=game)


@router.get("/games/{game}", operation_id="getCoach")
async def get_coach(room: InRoom, kept: Kept) -> CoachView:
    """What the coach says now."""
    read = await kept.read(room.id)
    async with room.reading_all() as journal:
        lesson = _lesson(journal)
        return coach_view(lesson, progress(lesson, journal.game, read))


@router.post("/games/{game}/next", operation_id="readOn")
async def read_on(body: NextBody, room: InRoom, kept: Kept) -> CoachView:
    """A text was read."""
    read = await kept.read(room.id)
    async with room.reading_all() as journal:
        lesson = _lesson(journal)
        before = progress(lesson, journal.game, read)
        if body.step != before.step or before.finished(lesson) or lesson.steps[before.step].is_task:
            return coach_view(lesson, before)
        now = progress(lesson, journal.game, before.step + 1)
    await kept.note(lesson.lesson, room.id, before.step + 1, done=now.finished(lesson))
    return coach_view(lesson, now)


@router.post("/games/{game}/show", operation_id="showMe")
async def show_me(room: InRoom, kept: Kept, person: Somebody) -> CoachView:
    """Let the coach give the next order of the task."""
    async with room.reading_all() as journal:
        order = next_order(_lesson(journal), journal.game)
        version = journal.version
    if order is None:
        raise ApiError(409, "lesson", "There is nothing to be shown now: take back what you did last, or wait.")
    await room.play(order, version, person)
    return await get_coach(room, kept)


def _lesson(journal: Journal) -> Lesson:
    lesson = lesson_of(journal)
    if lesson is None:
        raise not_found("This game is no lesson.")
    return lesson
