"""adjudicate: exit status 0, 1 and 2, and what is printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = Path(__file__).parents[1] / "cases" / "classic"

GOOD = """\
case: good
scenario: classic-1942
steps:
  - end
  - expect: {decision: {power: ussr, kind: purchase}}
"""
WRONG = """\
case: wrong
scenario: classic-1942
steps:
  - "buy 1 infantry"
  - expect: {treasury: {ussr: 20}}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_cases_of_the_project_hold(run) -> None:
    files = sorted((CASES / "mov").glob("*.yaml"))[:4]
    assert len(files) == 4
    result = run("adjudicate", *files)
    assert result.exit_code == 0
    assert result.stdout == "4 cases: all hold.\n"


def test_a_folder_is_searched(run) -> None:
    result = run("adjudicate", CASES / "ret")
    assert result.exit_code == 0
    assert "all hold" in result.stdout


def test_a_failure_is_one_line_with_case_step_expected_and_came(run, home: Path) -> None:
    result = run("adjudicate", write(home, "a.yaml", GOOD), write(home, "b.yaml", WRONG))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines == [
        "wrong: step 2: expected treasury of ussr 20; it is 21",
        "2 cases: 1 does not hold.",
    ]


def test_json_gives_one_object_a_case(run, home: Path) -> None:
    result = run("adjudicate", "--json", write(home, "a.yaml", GOOD), write(home, "b.yaml", WRONG))
    assert result.exit_code == 1
    good, wrong = (json.loads(line) for line in result.stdout.splitlines())
    assert set(good) == {"case", "ok", "failures", "state"}
    assert (good["case"], good["ok"], good["failures"]) == ("good", True, [])
    assert good["state"]["treasury"]["ussr"] == 24
    assert wrong["ok"] is False
    assert wrong["failures"] == [{"step": 2, "expected": "treasury of ussr 20", "came": "it is 21"}]


def test_several_malformed_files_are_all_reported_and_the_others_run(run, home: Path) -> None:
    result = run(
        "adjudicate",
        write(home, "a.yaml", "case: [unclosed"),
        write(home, "b.yaml", "case: no-steps\n"),
        write(home, "c.yaml", "case: nonsense\nsteps: ['fly me to the moon']\n"),
        home / "missing.yaml",
        write(home, "d.yaml", GOOD),
    )
    assert result.exit_code == 2
    for name in ("a.yaml", "b.yaml", "c.yaml", "missing.yaml"):
        assert name in result.stderr
    assert result.stdout == "1 case: it holds; 4 malformed.\n"


def test_malformed_counts_more_than_failed(run, home: Path) -> None:
    result = run("adjudicate", write(home, "a.yaml", WRONG), write(home, "b.yaml", "[]"))
    assert result.exit_code == 2
    assert "wrong: step 2" in result.stdout


def test_a_folder_without_cases(run, home: Path) -> None:
    empty = home / "empty"
    empty.mkdir()
    result = run("adjudicate", empty)
    assert result.exit_code == 2
    assert "holds no case files" in result.stderr
    assert "nothing was run" in result.stdout


def test_json_stays_json_when_a_file_is_malformed(run, home: Path) -> None:
    result = run("adjudicate", "--json", write(home, "a.yaml", "case: 3"), write(home, "b.yaml", GOOD))
    assert result.exit_code == 2
    assert json.loads(result.stdout)["case"] == "good"


@pytest.mark.parametrize(
    "text",
    [
        "steps: [{expect: {units: 3}}]",
        "steps: [{expect: {units: {libya: 3}}}]",
        "steps: [{expect: {control: [libya]}}]",
        "steps: [{expect: {reachable: {from: libya}}}]",
        "steps: [{expect: {decision: 3}}]",
        "steps: [{expect: {technologies: {ussr: 5}}}]",
        "steps: [{expect: 3}]",
        "steps: [{expect: {weather: fine}}]",
        "steps: 3",
        "steps: [3]",
        "steps: [end]\nposition: {turn: 3}",
        "steps: [end]\nposition: {units: {libya: {germany: {infantry: -3}}}}",
        "steps: [end]\noptions: {second_edition: 7}",
        "steps: [end]\nedits: {units: 3}",
        "steps: [end]\nseats: {a: [ussr]}",
        "steps: [end]\nscenario: global-1940",
        "steps: [end]\nsurprise: yes",
        "steps: ['research 1']\ndice: [9]",
    ],
)
def test_malformed_cases_are_complaints_not_crashes(run, home: Path, text: str) -> None:
    path = write(home, "bad.yaml", f"case: bad\n{text}\n")
    result = run("adjudicate", path, write(home, "good.yaml", GOOD))
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert result.stdout == "1 case: it holds; 1 malformed.\n"


def test_dice_that_run_out_and_dice_left_over_fail_the_case(run, home: Path) -> None:
    short = write(home, "a.yaml", "case: short\nsteps: ['research 2']\ndice: [1]\n")
    long = write(home, "b.yaml", "case: long\nsteps: ['research 1']\ndice: [1, 2]\n")
    result = run("adjudicate", short, long)
    assert result.exit_code == 1
    assert "short: step 1: expected" in result.stdout
    assert "left over: [2]" in result.stdout
