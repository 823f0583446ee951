"""Names of phases and steps: unknown ones are told with file and field, and new ones can be made known."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.engine.battle.steps import STEPS, Step
from sandtable.engine.battle.steps.check_end import check_end
from sandtable.engine.game import Game
from sandtable.engine.phases import PHASES
from sandtable.engine.phases.base import Phase
from sandtable.engine.registry import register_phase, register_step
from sandtable.errors import DataError, SandtableError
from sandtable.world.compile import compile_edition
from sandtable.world.library import open_edition
from support.scratch import FOLDER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "mine")
    return tmp_path / "mine"


@pytest.fixture
def registries() -> Iterator[None]:
    """Whatever a test makes known is forgotten after it."""
    steps, phases = dict(STEPS), dict(PHASES)
    yield
    STEPS.clear()
    STEPS.update(steps)
    PHASES.clear()
    PHASES.update(phases)


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        (
            "edition.yaml",
            "[aa-fire, support-shot",
            "[aa-fire, suport-shot",
            "edition.yaml: battles.land: unknown step 'suport-shot' (did you mean 'support-shot'?)",
        ),
        (
            "edition.yaml",
            "ending: [capture]",
            "ending: [captur]",
            "edition.yaml: battles.land.ending: unknown ending 'captur' (did you mean 'capture'?)",
        ),
        (
            "edition.yaml",
            "mobilize, income]",
            "mobilise, income]",
            "edition.yaml: phases: unknown phase 'mobilise' (did you mean 'mobilize'?)",
        ),
        (
            "options.yaml",
            "put: check-end, after",
            "put: chek-end, after",
            "options.yaml: options.quick_end.effects.true.steps.land: unknown step 'chek-end'",
        ),
        (
            "options.yaml",
            "overflight: {steps: [aa-fire]",
            "overflight: {steps: [aa-firre]",
            "options.flak.effects.true.add_battles.overflight: unknown step 'aa-firre'",
        ),
        (
            "options.yaml",
            "{remove: research}]",
            "{remove: research}, {put: nap, at: end}]",
            "options.no_research.effects.true.phases: unknown phase 'nap'",
        ),
    ],
)
def test_unknown_names(folder: Path, file: str, old: str, new: str, problem: str) -> None:
    """They are found when a game is made, chosen or not, and not in the middle of a battle."""
    change(folder, file, old, new)
    world = compile_edition(open_edition(folder), "scratch")
    with pytest.raises(DataError) as caught:
        Game(world)
    assert len(caught.value.problems) == 1
    assert problem in caught.value.problems[0]


@pytest.mark.usefixtures("registries")
def test_a_step_of_ones_own(folder: Path) -> None:
    register_step("look-twice", check_end, title="A look", once=True, fate="battle")
    change(folder, "options.yaml", "put: check-end, after: aa-fire", "put: look-twice, after: aa-fire")
    game = Game(compile_edition(open_edition(folder), "scratch", {"quick_end": True}))
    assert "look-twice" in game.world.battles["land"].steps
    assert STEPS["look-twice"] == Step(check_end, "A look", once=True, fate="battle")
    register_step("look-twice", check_end, title="A look", once=True, fate="battle")  # the same again is no harm
    with pytest.raises(SandtableError, match="There is a step called 'aa-fire' already"):
        register_step("aa-fire", check_end)


@pytest.mark.usefixtures("registries")
def test_a_phase_of_ones_own(folder: Path) -> None:
    entered = []

    class Nap(Phase):
        name = "nap"

        def enter(self, run: object) -> None:
            entered.append(run)

    register_phase(Nap())
    change(folder, "options.yaml", "{remove: research}]", "{remove: research}, {put: nap, at: start}]")
    game = Game(compile_edition(open_edition(folder), "scratch", {"no_research": True}))
    assert game.world.phases[0] == "nap"
    assert entered
    with pytest.raises(SandtableError, match="There is a phase called 'combat' already"):
        register_phase(type("Combat2", (Phase,), {"name": "combat"})())
