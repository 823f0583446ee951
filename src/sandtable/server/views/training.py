"""Lessons, as the page shows them."""

from __future__ import annotations

from pydantic import Field

from sandtable.server.views.base import Body, Model
from sandtable.training import Advice, Lesson, Progress, lessons
from sandtable.training.lesson import Panel


class LessonView(Model):
    id: str
    title: str
    course: str = Field(description="lessons that belong together")
    edition: str = Field(description="whose board it is taught on")
    goal: str
    minutes: int
    phases: list[str] = Field(description="of the turn that are played in it")
    steps: int
    done: bool
    game: str | None = Field(None, description="the game in which it was begun, if that is still there")


class AdviceView(Model):
    title: str
    text: str


class TrainingView(Model):
    lessons: list[LessonView]
    strategy: list[AdviceView]


class CoachView(Model):
    """What the coach says now. In texts, `*word*` is stressed and an empty line begins a paragraph."""

    lesson: str
    title: str
    goal: str
    power: str
    step: int = Field(description="from 0; as many as there are steps when the lesson is over")
    steps: int
    task: bool = Field(description="something is to be done; otherwise the text is to be read")
    text: str
    points: list[str] = Field([], description="spaces to look at")
    panels: list[Panel] = Field([], description="parts of the screen to look at")
    rules: list[str] = []
    hint: str = ""
    finished: bool
    following: str | None = Field(None, description="the lesson after this one")


class NextBody(Body):
    """The step that was read; a second click on the same one does nothing."""

    step: int = Field(ge=0)


class StartBody(Body):
    """Begin anew even if the lesson's game is still there."""

    again: bool = False


def lesson_view(lesson: Lesson, *, done: bool, game: str | None) -> LessonView:
    return LessonView(
        id=lesson.lesson,
        title=lesson.title,
        course=lesson.course,
        edition=lesson.world().edition_name,
        goal=lesson.goal,
        minutes=lesson.minutes,
        phases=list(lesson.phases),
        steps=len(lesson.steps),
        done=done,
        game=game,
    )


def advice_view(advice: Advice) -> AdviceView:
    return AdviceView(title=advice.title, text=advice.say.strip())


def coach_view(lesson: Lesson, now: Progress) -> CoachView:
    order = list(lessons())
    place = order.index(lesson.lesson) + 1
    finished = now.finished(lesson)
    step = lesson.steps[min(now.step, len(lesson.steps) - 1)]
    return CoachView(
        lesson=lesson.lesson,
        title=lesson.title,
        goal=lesson.goal,
        power=lesson.player,
        step=now.step,
        steps=len(lesson.steps),
        task=step.is_task,
        text=step.say.strip(),
        points=[] if finished else list(step.point),
        panels=[] if finished else list(step.panels),
        rules=list(step.rules),
        hint=step.hint,
        finished=finished,
        following=order[place] if place < len(order) else None,
    )
