"""Phases and steps by name: who wants a rule of his own registers it here, and data that names an unknown one is told.

    from sandtable.engine.registry import register_step

    register_step("coastal-guns", coastal_guns, title="Coastal guns", once=True, fate="doomed")

An edition's files only name phases and steps. They are code of the package or of a module that the player himself
imports; nothing in a file is ever executed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from sandtable.engine.battle.casualties import Fate
from sandtable.engine.battle.ending import ENDINGS
from sandtable.engine.battle.steps import STEPS, Step
from sandtable.engine.phases import PHASES
from sandtable.engine.phases.base import Phase
from sandtable.engine.questions import KINDS
from sandtable.engine.questions.kind import Kind
from sandtable.engine.run import Run
from sandtable.errors import DataError, SandtableError
from sandtable.world.fields import Report, join, known_ones
from sandtable.world.model import Patch, World
from sandtable.world.options import FILE
from sandtable.world.sequence import names_put


def register_step(
    name: str, run: Callable[[Run], bool], *, title: str = "", once: bool = False, fate: Fate | None = None
) -> None:
    """Make a step of battles known by a name that editions and options can use.

    `title`: what players call it. `once`: it belongs to the first round. `fate`: it makes casualties, and this becomes
    of them.
    """
    step = Step(run, title, once, fate)
    if STEPS.get(name, step) != step:
        raise SandtableError(f"There is a step called {name!r} already; choose another name.")
    STEPS[name] = step


def register_phase(phase: Phase) -> None:
    """Make a phase of a turn known by its name."""
    if type(PHASES.get(phase.name, phase)) is not type(phase):
        raise SandtableError(f"There is a phase called {phase.name!r} already; choose another name.")
    PHASES[phase.name] = phase


def register_question(kind: Kind) -> None:
    """Make a kind of question known by its name, so that steps and phases can ask it (`run.ask`)."""
    if type(KINDS.get(kind.name, kind)) is not type(kind):
        raise SandtableError(f"There is a question called {kind.name!r} already; choose another name.")
    KINDS[kind.name] = kind


def check_names(world: World) -> None:
    """Raises DataError that names file and field of every phase and step that is not known.

    All options are looked at, chosen or not, so that a wrong name is found by the first game.
    """
    report = Report()
    put: set[str] = set()
    for option in world.option_list:
        for value, patch in option.effects.items():
            field = join("options", option.key, "effects", value)
            for inner, part in (
                (field, patch),
                *((join(field, "beside", i), b.patch) for i, b in enumerate(patch.beside)),
            ):
                for where, what, names, known in _named(part):
                    put.update(names)
                    _check(report, FILE, join(inner, where), what, names, known)
    for name, kind in world.battles.items():
        field = join("battles", name)
        _check(report, "edition.yaml", field, "step", (s for s in kind.steps if s not in put), STEPS)
        _check(report, "edition.yaml", join(field, "ending"), "ending", kind.ending, ENDINGS)
    for phase, actor in zip(world.phases, world.actors, strict=True):
        file, field = ("edition.yaml", "phases") if actor is None else ("powers.yaml", join("powers", actor, "part"))
        _check(report, file, field, "phase", () if phase in put else (phase,), PHASES)
    if report.problems:
        raise DataError(list(dict.fromkeys(report.problems)))


def _named(patch: Patch) -> Iterator[tuple[str, str, tuple[str, ...], Collection[str]]]:
    """Phases and steps that a patch brings: the field, the word for them, their names and those that are known."""
    if patch.phases:
        yield "phases", "phase", tuple(n for edit in patch.phases for n in names_put(edit)), PHASES
    for kind, edits in patch.steps.items():
        yield join("steps", kind), "step", tuple(n for edit in edits for n in names_put(edit)), STEPS
    for name, battle in patch.add_battles.items():
        yield join("add_battles", name), "step", battle.steps, STEPS
        yield join("add_battles", name, "ending"), "ending", battle.ending, ENDINGS


def _check(report: Report, file: str, field: str, what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            report.add(file, field, known_ones(what, name, known))
