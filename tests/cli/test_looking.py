"""editions, show, rules, version: the commands that only tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sandtable
from sandtable.archive.game import Game


def test_version(run) -> None:
    result = run("version")
    assert result.exit_code == 0
    assert result.stdout == f"sandtable {sandtable.__version__}\n"


def test_editions_lists_every_scenario(run) -> None:
    result = run("editions")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}
    assert lines["classic-1942"].split()[-3:] == ["yes", "5", "128"]
    assert "  yes  " in lines["global-1940"]
    assert {"anniversary-1941", "anniversary-1942"} <= set(lines)


def test_editions_as_json(run) -> None:
    rows = json.loads(run("editions", "--json").stdout)
    classic = next(row for row in rows if row["scenario"] == "classic-1942")
    assert classic["playable"] is True
    assert (classic["powers"], classic["spaces"]) == (5, 128)


def test_editions_tells_the_options_of_a_scenario(run) -> None:
    text = run("editions", "classic-1942").stdout
    assert "second_edition" in text
    assert "owner, agreement" in text
    facts = json.loads(run("editions", "classic-1942", "--json").stdout)
    option = next(o for o in facts["options"] if o["key"] == "joint_casualties")
    assert option["values"] == ["owner", "agreement"]
    assert option["default"] == "owner"


def test_editions_of_an_unknown_scenario(run) -> None:
    result = run("editions", "clasic-1942")
    assert result.exit_code == 2
    assert "Did you mean classic-1942?" in result.stderr


def test_show_lists_land_by_power_and_the_seas(run) -> None:
    text = run("show", "classic-1942").stdout
    russia = next(line for line in text.splitlines() if line.startswith("Russia"))
    assert russia.split()[:3] == ["Russia", "★", "8"]
    assert "4 infantry, 2 armor" in russia
    assert "1 industrial complex" in text
    assert any(line.startswith("Baltic Sea Zone") and "Germany: 1 transport" in line for line in text.splitlines())
    assert "Neutral: " in text
    assert "Spain" in text
    germany = next(line for line in text.splitlines() if line.startswith("Germany "))
    assert germany.split()[1:4] == ["axis", "32", "32"]


def test_show_the_largest_board(run) -> None:
    result = run("show", "global-1940")
    assert result.exit_code == 0
    assert "Sea zones" in result.stdout
    facts = json.loads(run("show", "global-1940", "--json").stdout)
    assert facts["decision"] == {"power": "germany", "kind": "training"}
    assert facts["units"]


def test_show_one_space(run) -> None:
    text = run("show", "classic-1942", "--space", "Karelia S.S.R.").stdout
    assert "held by" in text
    assert "3 infantry, 1 armor, 1 fighter" in text
    assert "Finland-Norway (German)" in text
    facts = json.loads(run("show", "classic-1942", "--space", "karelia-ssr", "--json").stdout)
    assert facts["control"] == "ussr"
    assert facts["units"]["ussr"]["infantry"] == 3


def test_show_a_canal(run) -> None:
    assert "Suez" in run("show", "classic-1942", "--space", "eastern-mediterranean-sea").stdout


def test_show_json_is_the_whole_position(run) -> None:
    facts = json.loads(run("show", "classic-1942", "--json").stdout)
    assert facts["treasury"] == {"ussr": 24, "germany": 32, "uk": 30, "japan": 25, "usa": 36}
    assert facts["decision"] == {"power": "ussr", "kind": "research"}
    assert facts["units"]["baltic-sea"] == {"germany": {"transport": 1, "submarine": 1}}


def test_show_takes_options(run) -> None:
    facts = json.loads(run("show", "classic-1942", "--json", "-o", "second_edition=on").stdout)
    assert facts["options"]["second_edition"] is True
    assert facts["options"]["joint_casualties"] == "agreement"


def test_show_a_saved_game_with_cargo(run, home: Path) -> None:
    game = Game.new("classic-1942", seed=1)
    game.play("buy 1 infantry")
    game.play("end")
    game.play("move 2 infantry: karelia-ssr -> karelia-sea")
    game.save(home / "a.sandtable")
    text = run("show", home / "a.sandtable").stdout
    assert "1 transport (2 infantry)" in text
    assert "Round 1, U.S.S.R., combat movement." in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "classic-1943"], "Did you mean classic-1942?"),
        (["show", "nothing-like-it"], "neither a scenario nor a saved game"),
        (["show", "classic-1942", "--space", "karelia"], "Did you mean"),
        (["show", "classic-1942", "-o", "second_editon=true"], "second_edition"),
        (["show", "classic-1942", "-o", "second_edition"], "key=value"),
        (["show", "classic-1942", "-o", "second_edition=7"], "expected one of true, false"),
        (["rules", "cl-trp-99"], "did you mean CL-TRP-"),
        (["rules", "xyzzy"], "No rule contains"),
        (["rules", "--book", "chess", "fighter"], "Books are classic"),
    ],
)
def test_wrong_arguments_get_a_sentence_and_status_2(run, arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_show_options_do_not_fit_a_saved_game(run, home: Path) -> None:
    Game.new("classic-1942").save(home / "a.sandtable")
    result = run("show", home / "a.sandtable", "-o", "second_edition=true")
    assert result.exit_code == 2
    assert "goes with a scenario" in result.stderr


@pytest.mark.parametrize("content", [b"", b"hello", b"\x00\xff\x80", b"sandtable 1\n", b"{}"])
def test_show_a_file_that_is_no_game(run, home: Path, content: bytes) -> None:
    path = home / "other"
    path.write_bytes(content)
    result = run("show", path)
    assert result.exit_code == 2
    assert result.stderr.startswith("sandtable: ")
    assert path.read_bytes() == content


def test_a_rule_with_all_its_parts(run) -> None:
    text = run("rules", "cl-set-01").stdout
    assert text.startswith("CL-SET-01  Five powers in two alliances")
    for part in ("Source:", "Check:", "Note:"):
        assert part in text


def test_rules_by_words_puts_titles_first(run) -> None:
    lines = run("rules", "transport", "capacity").stdout.splitlines()
    assert lines[1].startswith("CL-TRP-01")


def test_rules_limit_and_book(run) -> None:
    text = run("rules", "fighter", "--book", "classic", "--limit", "3").stdout
    rows = [line for line in text.splitlines() if line[:3] in ("CL-", "CL3")]
    assert len(rows) == 3
    assert "more; `--limit" in text


def test_rules_of_a_group_and_all_groups(run) -> None:
    group = run("rules", "CL-SUB").stdout
    assert group.startswith("Submarines")
    assert "CL-SUB-01" in group
    everything = run("rules").stdout
    assert "CL-SUB" in everything
    assert "G40-" in everything
    assert "G40-" not in run("rules", "--book", "classic").stdout


@pytest.mark.parametrize("command", ["editions", "show", "rules", "new", "play", "replay", "adjudicate", "version"])
def test_every_command_has_help_with_an_example(run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"sandtable {command}" in result.stdout.partition("Example")[2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["shwo"], "show"),
        (["show"], "Name a scenario or a saved game"),
        (["show", "classic-1942", "--jsno"], "--json"),
        (["play", "--rounds", "many"], "--rounds"),
        (["play", "--rounds", "0"], "--rounds"),
        (["replay"], "Missing argument"),
        (["adjudicate"], "Missing argument"),
    ],
)
def test_misspelled_commands_and_options(run, arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_no_command_shows_the_help(run) -> None:
    result = run()
    assert "adjudicate" in result.output
