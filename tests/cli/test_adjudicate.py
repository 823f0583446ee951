"""adjudicate: exit status 0, 1 and 2, and what is printed."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.archive.cases import EXPECTATIONS, CaseError, parse_cases, run_case
from sandtable.archive.position import FIELDS

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
        "steps: [end]\nscenario: global-1914",
        "steps: [end]\nsurprise: yes",
        "steps: ['research 1']\ndice: [9]",
        f"steps: ['research 1']\ndice: [{'9' * 5000}]",
        f"steps: ['research 1']\ndice: [0x{'f' * 5000}]",
        f"steps: ['research 1']\ndice: [{':'.join(['59'] * 5000)}]",
        f"steps: [end]\nposition: {{treasury: {{uk: -0b{'1' * 50000}}}}}",
        f"steps: [{{expect: {{round: 0x{'f' * 5000}}}}}]",
        "steps: [end, 2026-10-01]",
        "steps: [end]\nposition: {control: {libya: !!binary aGFsbG8=}}",
        "steps: [end]\nposition: {clear: !!set {libya, algeria}}",
        "steps: [end]\nposition: {units: {libya: {germany: {infantry: 1001}}}}",
        "steps: [end]\nposition: {units: {north-sea: {uk: {transport: 600, infantry: 600}}}}",
        "steps: [end]\nposition: {cargo: {north-sea: {uk: {transport: [{infantry: 100000}]}}}}",
        "steps: [end]\nposition: {treasury: {uk: 100001}}",
        "steps: [end]\nposition: {tokens: {uk: 1001}}",
        "steps: [end]\nposition: {waiting: {uk: {infantry: 1001}}}",
        "steps: [end]\nposition: {round: 10001}",
    ],
)
def test_malformed_cases_are_complaints_not_crashes(run, home: Path, text: str) -> None:
    path = write(home, "bad.yaml", f"case: bad\n{text}\n")
    result = run("adjudicate", path, write(home, "good.yaml", GOOD))
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert result.stdout == "1 case: it holds; 1 malformed.\n"


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 7)
    | st.floats()
    | st.dates()
    | st.binary(max_size=4)
    | st.text(max_size=6)
    | st.sampled_from(
        ["libya", "germany", "uk", "infantry", "transport", "north-sea", "rockets", "all", "end", "buy 1 infantry",
         "combat-move", "industrial-complex", "axis", "classic-1942", "second_edition"]
    ),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.integers(0, 3)
        | st.sampled_from(["libya", "germany", "infantry", "transport", "north-sea", "units", "from", "unit", "to"]),
        inner,
        max_size=3,
    ),
    max_leaves=8,
)  # fmt: skip
SOME_CASE = st.fixed_dictionaries(
    {"case": st.just("junk"), "steps": st.just(["end"]) | st.lists(st.just("end") | JUNK, max_size=3)},
    optional={
        "position": st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=3),
        "edits": st.dictionaries(st.sampled_from(["units", "setup", "victory"]), JUNK, max_size=2),
        "dice": JUNK,
        "options": JUNK,
        "seats": JUNK,
        "rules": JUNK,
        "scenario": JUNK,
    },
) | st.fixed_dictionaries(
    {
        "case": st.just("junk"),
        "steps": st.lists(
            st.fixed_dictionaries({"expect": st.dictionaries(st.sampled_from(list(EXPECTATIONS)), JUNK, max_size=3)})
            | st.fixed_dictionaries({"illegal": JUNK, "rule": JUNK})
            | st.fixed_dictionaries({"legal": JUNK}),
            max_size=3,
        ),
    }
)


@settings(max_examples=300)
@given(document=SOME_CASE | JUNK | st.lists(SOME_CASE, max_size=2))
def test_nested_junk_is_a_complaint_or_a_case(document: object) -> None:
    """Whatever YAML can say: it is read and run, or CaseError says what is wrong."""
    with contextlib.suppress(CaseError):
        for case in parse_cases(yaml.safe_dump(document)):
            run_case(case)


def test_dice_that_run_out_and_dice_left_over_fail_the_case(run, home: Path) -> None:
    short = write(home, "a.yaml", "case: short\nsteps: ['research 2']\ndice: [1]\n")
    long = write(home, "b.yaml", "case: long\nsteps: ['research 1']\ndice: [1, 2]\n")
    result = run("adjudicate", short, long)
    assert result.exit_code == 1
    assert "short: step 1: expected" in result.stdout
    assert "left over: [2]" in result.stdout
