"""Lessons as data: what is told, what is to be done, and what the other side answers.

A lesson is one YAML file in `lessons/`; the order of the files is the order of the lessons. Its position is written as
in a case file (docs/reference/cases.md), its dice are fixed. A step without `do` and `until` is read and acknowledged;
any other is a task. Orders in `do` are patterns over the canonical form of orders, in which `*` stands for anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import yaml

from sandtable.archive.game import SavedGame
from sandtable.archive.position import patched_state
from sandtable.engine.dice import Dice
from sandtable.engine.state import State
from sandtable.errors import SandtableError
from sandtable.rulebook import UnknownRuleError, rule
from sandtable.world.compile import compile_world
from sandtable.world.files import read_yaml, yaml_problem
from sandtable.world.model import World

Panel = Literal["orders", "done", "undo", "phases", "countries", "battle", "menu", "map"]
"""Parts of the game screen that a step can point at."""


class LessonError(SandtableError):
    """A lesson that cannot be taught: its file, and what is wrong with it."""


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to say to somebody who does this instead."""

    when: str  # a pattern over orders
    say: str


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    say: str
    point: list[str] = []  # spaces
    panels: list[Panel] = []
    rules: list[str] = []
    do: list[str] = []  # orders that belong to this step
    until: dict[str, Any] = {}  # what must hold for it to be done; nothing: the first order of `do`
    hint: str = ""
    hints: list[Hint] = []
    solution: list[str] = []  # orders that do it
    wrong: list[str] = []  # orders that do not, and get a hint: the tests try them

    @property
    def is_task(self) -> bool:
        return bool(self.do or self.until)


class Reply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How another power answers a kind of question; the first one that is legal is taken."""

    order: str
    power: str = ""
    kind: str = ""
    space: str = ""


class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    lesson: str  # its id
    title: str
    goal: str
    minutes: int
    player: str  # the power that the learner leads
    steps: list[Step]
    course: str = "Basic Training"  # lessons that belong together
    phases: list[str] = []  # those that are played in it
    scenario: str = "classic-1942"
    options: dict[str, bool | int | str] = {}
    position: dict[str, Any] = {}
    dice: list[int] = []
    replies: list[Reply] = []

    def world(self) -> World:
        return compile_world(self.scenario, self.options)

    def start(self) -> State:
        return patched_state(self.world(), self.position)

    def game(self, dice: Dice) -> SavedGame:
        """The lesson's game at its beginning."""
        return SavedGame(self.world(), dice=dice, start=self.start())


@cache
def lessons() -> Mapping[str, Lesson]:
    """All lessons by id, in the order in which they are best taken. Raises LessonError."""
    folder = files("sandtable.training").joinpath("lessons")
    found: dict[str, Lesson] = {}
    for file in sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name):
        each = parse_lesson(file.read_text(encoding="utf-8"), file.name)
        if each.lesson in found:
            raise LessonError(f"{file.name}: there are two lessons {each.lesson!r}")
        found[each.lesson] = each
    return found


def lesson(name: str) -> Lesson:
    found = lessons().get(name)
    if found is None:
        raise LessonError(f"There is no lesson {name[:60]!r}; there are: {', '.join(lessons())}.")
    return found


def parse_lesson(text: str, source: str = "lesson") -> Lesson:
    """A lesson from YAML, checked as far as that is possible without playing it. Raises LessonError."""
    try:
        found = msgspec.convert(read_yaml(text), Lesson)
    except yaml.YAMLError as error:
        raise LessonError(f"{source}: {yaml_problem(error)}") from None
    except msgspec.ValidationError as error:
        raise LessonError(f"{source}: {error}") from None
    problems = _problems(found)
    if problems:
        raise LessonError("\n".join(f"{source}: {problem}" for problem in problems))
    return found


def _problems(found: Lesson) -> list[str]:
    try:
        world = found.world()
        found.start()
    except SandtableError as error:
        return [str(error)]
    problems = []
    if found.player not in world.powers:
        problems.append(f"player: there is no power {found.player!r}")
    problems += [f"phases: there is no phase {phase!r}" for phase in found.phases if phase not in world.phases]
    if not found.steps or found.steps[-1].is_task:
        problems.append("steps: the last one must be read, so that the learner ends the lesson")
    for number, step in enumerate(found.steps, 1):
        problems += [f"step {number}: {problem}" for problem in _step_problems(world, step)]
    return problems


def _step_problems(world: World, step: Step) -> list[str]:
    problems = [f"there is no space {space!r}" for space in step.point if space not in world.spaces]
    for each in step.rules:
        try:
            rule(each)
        except UnknownRuleError:
            problems.append(f"there is no rule {each!r}")
    if step.do and not (step.hint and step.solution and step.wrong):
        problems.append("a task needs a hint, a solution and something wrong to do")
    if not step.do and (step.hint or step.hints or step.solution or step.wrong):
        problems.append("without `do` there is nothing to hint at")
    return problems
