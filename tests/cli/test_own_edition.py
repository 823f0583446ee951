"""`--edition PATH`: every command takes an edition of one's own."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from support.scratch import FOLDER


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "scratch.zip", "w") as made:
        for file in sorted(FOLDER.iterdir()):
            made.write(file, f"scratch/{file.name}")
    return tmp_path / "scratch.zip"


def ok(result) -> str:
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_editions_lists_and_checks(run) -> None:
    assert "A small war" in ok(run("editions", "--edition", FOLDER))
    found = json.loads(ok(run("editions", "scratch", "--edition", FOLDER, "--json")))
    assert found["scenario"] == "scratch"
    heavy = next(option for option in found["options"] if option["key"] == "heavy_guns")
    assert heavy["requires"] == {"true": {"guns": [True]}}
    text = " ".join(ok(run("editions", "scratch", "--edition", FOLDER)).split())
    assert "heavy_guns=true" in text
    assert "needs" in text


def test_new_play_show_replay(run, archive: Path) -> None:
    text = ok(run("new", "mine.sandtable", "--edition", archive, "-o", "total_war=true", "--seed", "3"))
    assert "guns=true: Artillery, which comes with the others" in text
    assert "Scratch: A small war" in text
    assert "Redport" in ok(run("show", "mine.sandtable"))
    ok(run("play", "--terminal", "--edition", archive, "--seat", "all=random", "--rounds", "2", "--seed", "1"))
    assert "Round 1" in ok(run("replay", "mine.sandtable", "--log"))
    default = ok(run("new", "--edition", archive))
    assert "Saved: scratch.sandtable" in default


def test_show_and_map(run, archive: Path) -> None:
    assert "Bluemarch" in ok(run("show", "--edition", archive))
    assert json.loads(ok(run("show", "scratch", "--edition", archive, "--json")))["scenario"] == "scratch"
    ok(run("map", "-o", "board.svg", "--edition", archive))
    picture = Path("board.svg").read_text()
    assert "Middle Sea" in picture
    ok(run("new", "mine.sandtable", "--edition", archive))
    ok(run("map", "mine.sandtable", "-o", "game.svg"))


def test_odds_and_cases(run, archive: Path) -> None:
    found = json.loads(ok(run("odds", "3 armor vs 1 infantry", "--edition", archive, "--json")))
    assert found["win"] > 0.9
    Path("case.yaml").write_text(
        "case: mine\nscenario: scratch\nposition: {turn: red, phase: combat-move}\n"
        'steps:\n  - "move 1 infantry: redmarch -> moor"\n  - expect: {control: {moor: red}}\n'
    )
    assert "it holds" in ok(run("adjudicate", "case.yaml", "--edition", archive))
    assert run("adjudicate", "case.yaml").exit_code == 2


def test_arena(run, archive: Path) -> None:
    arguments = ("arena", "--edition", archive, "--games", "1", "--rounds", "2", "--json", "-q")
    found = json.loads(ok(run(*arguments, "--side", "east=3star", "--side", "west=random")))
    assert found["scenario"] == "scratch"
    wrong = run(*arguments)
    assert wrong.exit_code == 2
    assert "has the sides east, west; say for each of them which bot plays it" in wrong.stderr


@pytest.mark.parametrize("command", [("new",), ("show",), ("play", "--terminal"), ("editions",), ("arena",)])
def test_bad_editions_are_sentences(run, tmp_path: Path, command: tuple[str, ...]) -> None:
    for path, words in ((tmp_path / "nowhere", "no such folder"), (_broken(tmp_path), "unknown power 'redd'")):
        result = run(*command, "--edition", path)
        assert result.exit_code == 2
        assert words in result.stderr
        assert "Traceback" not in result.stderr
    assert not list(Path().iterdir()), "nothing was written"


def _broken(tmp_path: Path) -> Path:
    folder = tmp_path / "broken"
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    (folder / "board.yaml").write_text((FOLDER / "board.yaml").read_text().replace("owner: red,", "owner: redd,", 1))
    return folder


def test_a_misspelled_step_is_told_at_once(run, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(FOLDER, folder)
    (folder / "options.yaml").write_text(
        (FOLDER / "options.yaml").read_text().replace("put: check-end", "put: chek-end")
    )
    result = run("editions", "--edition", folder)
    assert result.exit_code == 2
    assert "options.quick_end.effects.true.steps.land: unknown step 'chek-end'" in result.stderr


def test_an_edition_does_not_fit_an_old_game(run, archive: Path) -> None:
    ok(run("new", "mine.sandtable", "--edition", archive))
    result = run("play", "mine.sandtable", "--edition", archive)
    assert "they do not fit an old one" in result.stderr


def test_copying_an_edition(run) -> None:
    ok(run("editions", "classic-1942", "--copy", "mine"))
    assert "Classic" in ok(run("editions", "--edition", "mine"))
    names = {file.name for file in Path("mine").iterdir()}
    assert names >= {"board.yaml", "citations.yaml", "edition.yaml", "options.yaml", "scenario-classic-1942.yaml"}
    again = run("editions", "classic-1942", "--copy", "mine")
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    ok(run("editions", "--edition", FOLDER, "--copy", "scratch"))
    assert Path("scratch/units.yaml").read_text() == (FOLDER / "units.yaml").read_text()
