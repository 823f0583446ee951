"""Every lesson is played to its end by its own solution, and wrong orders get the hints that it has for them."""

from __future__ import annotations

import pytest

from sandtable.archive.game import Game
from sandtable.engine.dice import ScriptedDice
from sandtable.errors import Refusal
from sandtable.notation import parse_order
from sandtable.training import Held, Instructor, Lesson, LessonError, judge, lessons, next_order, parse_lesson, progress
from sandtable.training.coach import hint_for
from sandtable.world.compile import compile_world

ALL = list(lessons().values())


def others_answer(found: Lesson, game: Game) -> None:
    """Let the instructor answer until the learner is asked, or comes to a second turn."""
    instructor = Instructor(found)
    first = game.state.round
    while (question := game.decision) is not None and question.power != found.player and game.state.round <= first + 1:
        game.play(instructor.decide(game.view(), game.legal, question))


@pytest.mark.rule("PC-TUT-01", "PC-TUT-02")
@pytest.mark.parametrize("found", ALL, ids=lambda each: each.lesson)
def test_lesson_is_played_to_its_end(found: Lesson) -> None:
    game = found.game(ScriptedDice([*found.dice, *[6] * 200]))
    others_answer(found, game)
    read = 0
    while not (now := progress(found, game, read)).finished(found):
        step = found.steps[now.step]
        if not step.is_task:
            read = now.step + 1
            continue
        assert game.decision is not None
        assert game.decision.power == found.player, step.say
        before = game.state
        for text in step.wrong:
            with pytest.raises(Held) as held:
                judge(found, game, parse_order(game.world, text))
            assert str(held.value) == hint_for(step, text)
        assert game.state == before
        for order in step.solution:
            assert next_order(found, game) == order
            judge(found, game, parse_order(game.world, order))
            game.play(order)
            others_answer(found, game)
        assert progress(found, game, read).step > now.step, f"not done by its solution: {step.say}"
    assert game.state.rolls == len(found.dice), "the lesson has to fix all its dice, and no more"


@pytest.mark.parametrize("found", ALL, ids=lambda each: each.lesson)
def test_every_hint_is_tried(found: Lesson) -> None:
    for step in found.steps:
        tried = {hint_for(step, text) for text in step.wrong}
        assert {hint.say for hint in step.hints} <= tried, step.say


@pytest.mark.parametrize("found", ALL, ids=lambda each: each.lesson)
def test_refusals_come_before_hints(found: Lesson) -> None:
    game = found.game(ScriptedDice([*found.dice, *[6] * 200]))
    others_answer(found, game)
    with pytest.raises(Refusal):
        judge(found, game, parse_order(game.world, "place 1 infantry: japan"))


def test_taking_back_goes_back_in_the_lesson() -> None:
    found = lessons()["the-turn"]
    game = found.game(ScriptedDice(found.dice))
    for order in ("end", "buy 4 infantry", "end"):
        game.play(order)
    at = progress(found, game).task
    game.play("move 2 infantry: karelia-ssr -> ukraine-ssr")
    assert progress(found, game).task == at
    game.play("move 1 armor: russia -> ukraine-ssr")
    assert progress(found, game).task == at + 1
    game.undo()
    assert progress(found, game).task == at


def test_reading_is_remembered_and_acting_reads_along() -> None:
    found = lessons()["the-turn"]
    game = found.game(ScriptedDice(found.dice))
    assert progress(found, game).step == 0
    assert progress(found, game, read=1).step == 1
    assert progress(found, game, read=99).step == 2  # a task is not read away
    game.play("end")
    assert progress(found, game).step == 3


def test_lessons_show_every_phase_and_every_field_is_used() -> None:
    shown = {phase for each in ALL for phase in each.phases}
    assert shown == set(compile_world("classic-1942").phases)
    assert len(ALL) >= 7
    assert ALL[0].lesson == "the-turn"


def test_anniversary_has_a_course_of_its_own() -> None:
    course = [each for each in ALL if each.course == "Anniversary"]
    assert len(course) >= 5
    assert {each.world().edition for each in course} == {"anniversary"}
    first = ALL.index(course[0])
    assert ALL[first : first + len(course)] == course, "a course is not torn apart"


GOOD = """
lesson: short
title: Short
goal: To read.
minutes: 1
player: ussr
steps:
  - {say: Read this.}
"""


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("player: ussr|player: rome", "there is no power 'rome'"),
        (
            "- {say: Read this.}|- {say: Go., do: [end], hint: H, solution: [end], wrong: [buy]}",
            "last one must be",
        ),
        ("- {say: Read this.}|- {say: Read this., point: [atlantis]}", "step 1: there is no space 'atlantis'"),
        ("- {say: Read this.}|- {say: Read this., rules: [CL-XXX-01]}", "step 1: there is no rule 'CL-XXX-01'"),
        ("- {say: Read this.}|- {say: Go., do: [end]}\n  - {say: Done.}", "step 1: a task needs a hint"),
        ("- {say: Read this.}|- {say: Read this., hint: H}", "nothing to hint at"),
        ("- {say: Read this.}|- {say: Read this., pont: [germany]}", "pont"),
        ("minutes: 1|minutes: long", "minutes"),
        ("minutes: 1|minutes: 1\nposition: {turn: rome}", "rome"),
        ("minutes: 1|minutes: [", "line"),
    ],
)
def test_mistakes_in_a_lesson_are_named(change: str, problem: str) -> None:
    assert parse_lesson(GOOD).title == "Short"
    old, _, new = change.partition("|")
    with pytest.raises(LessonError, match=r"short\.yaml") as error:
        parse_lesson(GOOD.replace(old, new), "short.yaml")
    assert problem in str(error.value)
