"""new and replay."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sandtable.archive import saves
from sandtable.archive.game import Game
from sandtable.play import RandomBot, Table
from sandtable.play.table import rounds_over


def test_new_writes_a_game_and_tells_where(run, home: Path) -> None:
    path = home / "friday.sandtable"
    result = run("new", path, "--players", "3", "--seed", "7", "-o", "second_edition=true")
    assert result.exit_code == 0
    assert f"Saved: {path}" in result.stdout
    assert "seed 7" in result.stdout
    game = saves.load(path)
    assert game.seed == 7
    assert game.world.options["second_edition"] is True
    assert game.seats == {"Player 1": ("ussr", "uk", "usa"), "Player 2": ("germany",), "Player 3": ("japan",)}


def test_new_names_a_command_that_begins(run) -> None:
    result = run("new", "two words.sandtable", "--seed", "7")
    (command,) = re.findall("`sandtable (.*)` begins", result.stdout)
    begun = run(*shlex.split(command), "--terminal", given="quit\n")
    assert begun.exit_code == 0
    assert "seed 7" in begun.stdout


def test_new_finds_a_free_name(run) -> None:
    run("new")
    run("new")
    assert sorted(p.name for p in Path().iterdir()) == ["classic-1942-2.sandtable", "classic-1942.sandtable"]
    first, second = (saves.load(p) for p in sorted(Path().iterdir()))
    assert first.seed != second.seed


def test_new_does_not_overwrite_unless_told(run, home: Path) -> None:
    path = home / "a.sandtable"
    assert run("new", path, "--seed", "1").exit_code == 0
    result = run("new", path, "--seed", "2")
    assert result.exit_code == 2
    assert "--force overwrites it" in result.stderr
    assert saves.load(path).seed == 1
    assert run("new", path, "--seed", "2", "--force").exit_code == 0
    assert saves.load(path).seed == 2


def test_new_with_seats_of_people_and_bots(run, home: Path) -> None:
    path = home / "a"
    run("new", path, "--seat", "uk=Anna", "--seat", "usa=Anna", "--seat", "Germany=random", "--seed", "x")
    game = saves.load(path)
    assert game.seed == "x"
    assert game.seats == {
        "U.S.S.R.": ("ussr",),
        "Germany (random)": ("germany",),
        "Anna": ("uk", "usa"),
        "Japan": ("japan",),
    }


def test_new_with_a_seat_of_a_preset(run, home: Path) -> None:
    run("new", home / "a", "--players", "2", "--seat", "player 2=random")
    assert saves.load(home / "a").seats["Player 2 (random)"] == ("germany", "japan")


def test_new_with_edits(run, home: Path) -> None:
    edits = home / "edits.yaml"
    edits.write_text(
        "units: {all: {infantry: {cost: 2}}}\nsetup: [{power: ussr, unit: bomber, count: 1, space: russia}]\n"
    )
    assert run("new", home / "a", "--edits", edits).exit_code == 0
    game = saves.load(home / "a")
    assert game.world.units["infantry"].cost == 2
    assert "1 bomber" in run("show", home / "a", "--space", "russia").stdout


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("units: [", "is not YAML"),
        ("just words", "holds no edits"),
        ("unts: {}", "unts"),
        ("units: {all: {infantry: {cost: 1000}}}", "expected 1 to 99"),
        ("units: {all: {infntry: {cost: 2}}}", "infantry"),
    ],
)
def test_bad_edits(run, home: Path, content: str, sentence: str) -> None:
    edits = home / "edits.yaml"
    edits.write_text(content)
    result = run("new", home / "a", "--edits", edits)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert not (home / "a").exists()


def test_edits_that_are_no_text(run, home: Path) -> None:
    edits = home / "edits.yaml"
    edits.write_bytes(b"\xff\xfe\x00")
    assert run("new", home / "a", "--edits", edits).exit_code == 2


def test_new_in_a_folder_that_is_not_there(run) -> None:
    result = run("new", "no/such/folder/a")
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


# ---------------------------------------------------------------- replay


@pytest.fixture
def recorded(home: Path) -> Path:
    game = Game.new("classic-1942", seed=2)
    for _ in Table(game, {seat: RandomBot(2, seat) for seat in game.seats}).run(rounds_over(1)):
        pass
    game.save(home / "game")
    return home / "game"


def test_replay_prints_the_whole_log(run, recorded: Path) -> None:
    result = run("replay", recorded, "--log")
    assert result.exit_code == 0
    for name in ("U.S.S.R.", "Germany", "United Kingdom", "Japan", "United States"):
        assert f"Round 1, {name}" in result.stdout
    total = len(saves.load(recorded).entries)
    assert any(line.split()[:1] == [str(total)] for line in result.stdout.splitlines())


def test_replay_log_up_to_a_turn(run, recorded: Path) -> None:
    text = run("replay", recorded, "--log", "--to", "1.germany").stdout
    assert "Round 1, U.S.S.R." in text
    assert "Round 1, Germany\n" not in text
    assert text == run("replay", recorded, "--log", "--to", "1.2").stdout


def test_replay_to_a_turn_shows_the_board(run, recorded: Path) -> None:
    text = run("replay", recorded, "--to", "1.3").stdout
    assert "Round 1, United Kingdom" in text
    assert "Sea zones" in text


def test_replay_steps_forward_and_back(run, recorded: Path) -> None:
    total = len(saves.load(recorded).entries)
    typed = "\nphase\nturn\nback\nback turn\nboard\nstats\nnonsense\nforward round\nforward\n"
    typed += "back century\nforward century\nquit\n"
    result = run("replay", recorded, given=typed)
    assert result.exit_code == 0
    text = result.stdout
    assert f"0/{total}> " in text
    assert f"1/{total}> phase" in text
    assert "== Round 1 · Germany ==" in text
    assert f"{total}/{total}> forward" in text
    assert "This is the end of the record." in text
    assert text.count("Steps are by") == 2


def test_replay_does_not_change_the_file(run, recorded: Path) -> None:
    before = recorded.read_bytes()
    run("replay", recorded, given="turn\nback\n")
    assert recorded.read_bytes() == before


@pytest.mark.parametrize(
    ("to", "sentence"),
    [
        ("soon", "as 3.2 or 3.germany"),
        ("1.9", "turns 1 to 5"),
        ("1.italy", "turns are ussr"),
        ("12", "The game does not come to 12"),
    ],
)
def test_replay_to_nowhere(run, recorded: Path, to: str, sentence: str) -> None:
    result = run("replay", recorded, "--to", to)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_replay_of_nothing(run) -> None:
    result = run("replay", "nowhere")
    assert result.exit_code == 2
    assert "There is no file nowhere." in result.stderr


@pytest.mark.parametrize("command", [["show"], ["play"], ["replay"], ["replay", "--log"], ["new", "--force"]])
def test_a_folder_is_no_game(run, home: Path, command: list[str]) -> None:
    result = run(*command, home)
    assert result.exit_code == 2
    assert result.stderr.startswith("sandtable: ")
