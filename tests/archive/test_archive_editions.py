"""Games on boards of one's own: the save carries the edition, and whoever gets it can play on."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable import Game, open_edition
from sandtable.archive import saves
from sandtable.errors import DataError, SaveError
from sandtable.world import library
from sandtable.world.bundle import read_bundle
from sandtable.world.compile import compile_edition
from support.play import play_on
from support.scratch import FOLDER


@pytest.fixture
def game() -> Game:
    """Some orders of a game with options of the edition."""
    made = Game.new(edition=FOLDER, options={"guns": True, "late_purchase": True}, seed=4)
    play_on(made, random.Random(4), 60)
    return made


def test_a_game_is_saved_and_loaded(game: Game, tmp_path: Path) -> None:
    game.save(tmp_path / "mine.sandtable")
    again = Game.load(tmp_path / "mine.sandtable")
    assert again.state == game.state
    assert again.world == game.world
    assert [entry.faces for entry in again.entries] == [entry.faces for entry in game.entries]
    play_on(game, random.Random(1), 30)
    play_on(again, random.Random(1), 30)
    assert again.state.digest() == game.state.digest()


def test_the_folder_is_not_needed_any_more(game: Game, tmp_path: Path) -> None:
    """A process that has never seen the folder."""
    game.save(tmp_path / "mine.sandtable")
    code = "import sys; from sandtable import Game; print(Game.load(sys.argv[1]).state.digest())"
    path = str(tmp_path / "mine.sandtable")
    found = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True, env=_environment()
    )
    assert found.stdout.strip() == game.state.digest()


def _environment() -> dict[str, str]:
    import sandtable

    return {"PYTHONPATH": str(Path(sandtable.__file__).parents[1]), "PYTHONHASHSEED": "7"}


def test_a_text_of_moderate_size(game: Game) -> None:
    text = game.to_text()
    assert max(len(line) for line in text.splitlines()) < 500
    assert len(text) < 20_000
    assert f"scenario: scratch@{read_bundle(FOLDER).digest}" in text


def test_games_of_an_edition_at_hand(tmp_path: Path) -> None:
    edition = open_edition(FOLDER)
    game = Game(compile_edition(edition, "scratch", {"guns": True}), seed=2)
    game.play("end")
    assert Game.from_text(game.to_text()).state == game.state


def test_built_in_games_carry_nothing() -> None:
    assert "edition:" not in Game.new().to_text()


def _without(text: str, keep: bool = False) -> str:
    """The text with the edition's lines left out, and new sums."""
    record = saves.record.read(text)
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    return saves.record.write(type(record)(**{**fields, "edition": record.edition if keep else ""}))


def test_a_text_without_its_edition(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _without(game.to_text())
    assert Game.from_text(text).state == game.state, "here the edition is known"
    monkeypatch.setattr(library, "_met", type(library._met)())
    with pytest.raises(SaveError, match="does not fit the data of this version"):
        Game.from_text(text)


def test_a_text_with_another_edition(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = dict(read_bundle(FOLDER).files)
    other["units.yaml"] = other["units.yaml"].replace("cost: 3", "cost: 1", 1)
    record = saves.record.read(game.to_text())
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    changed = saves.record.write(type(record)(**{**fields, "edition": library.Bundle(other).packed}))
    monkeypatch.setattr(library, "_met", type(library._met)())
    with pytest.raises(SaveError, match="the files are not those of the edition of 'scratch'"):
        Game.from_text(changed)
    assert not library._met


def test_an_edition_that_is_wrong_in_itself(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    files = dict(read_bundle(FOLDER).files)
    files["edition.yaml"] = files["edition.yaml"].replace("support-shot", "suport-shot")
    bundle = library.Bundle(files)
    record = saves.record.read(game.to_text())
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    fields |= {"edition": bundle.packed, "scenario": f"scratch@{bundle.digest}"}
    with pytest.raises(SaveError, match="unknown step 'suport-shot'"):
        Game.from_text(saves.record.write(type(record)(**fields)))


@pytest.mark.parametrize("value", ["not letters!", "", "="])
def test_lines_that_are_no_packed_data(game: Game, value: str) -> None:
    lines = game.to_text().split("\n")
    place = next(i for i, line in enumerate(lines) if line.startswith("edition: "))
    lines[place] = f"edition: {value}"
    with pytest.raises(SaveError):
        Game.from_text("\n".join(lines))


def test_cases_of_ones_own_edition() -> None:
    from sandtable.archive.cases import parse_cases, run_case

    text = f"""
case: the-moor
scenario: {library.scenario_in(FOLDER)}
position: {{turn: red, phase: combat-move}}
steps:
  - "move 1 infantry: redmarch -> moor"
  - expect: {{control: {{moor: red}}, treasury: {{red: 8}}}}
"""
    (case,) = parse_cases(text)
    result = run_case(case)
    assert result.ok, result.failures


def test_wrong_editions_are_told_with_their_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such folder or archive"):
        Game.new(edition=tmp_path / "nowhere")
