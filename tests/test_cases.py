"""Every rule case, and the count of rules that cases and tests show."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sandtable.archive import cases, snapshot
from sandtable.archive.cases import UNREADABLE, Case, read_cases, run_case
from sandtable.engine.game import Game
from sandtable.rulebook import rule_ids

HERE = Path(__file__).parent
PLAY_STEP = cases._play_step
FILES = sorted((HERE / "cases").rglob("*.yaml"))


@cache
def cases_of(path: Path) -> tuple[Case, ...]:
    return tuple(read_cases(path))


ALL = [(path, case) for path in FILES for case in cases_of(path)]


@pytest.mark.parametrize("case", [case for _, case in ALL], ids=[case.case for _, case in ALL])
def test_case(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is one situation; all that does not come out as it says is told. What a computer is given to think
    about, and what a save may begin with, is the position as data: every one on the way goes there and back."""

    def play_step(game: Game, step: Any) -> list[tuple[str, str]]:
        problem = PLAY_STEP(game, step)
        if isinstance(step, str):
            assert snapshot.from_data(game.world, snapshot.to_data(game.state)) == game.state
        return problem

    monkeypatch.setattr(cases, "_play_step", play_step)
    result = run_case(case)
    assert result.ok, f"{case.case} ({', '.join(case.rules)}):\n  " + "\n  ".join(map(str, result.failures))


def test_case_names_are_unique() -> None:
    """A failure must point to one file."""
    names = [case.case for _, case in ALL]
    assert sorted(names) == sorted(set(names))


def test_cases_show_something() -> None:
    """A case without a rule or without an expectation would prove nothing."""
    idle = [
        str(path.relative_to(HERE))
        for path, case in ALL
        if not case.rules or not any(isinstance(step, dict) for step in case.steps)
    ]
    assert not idle


def test_every_refusal_names_its_rule() -> None:
    """An order that is refused for another reason than the one in question would prove nothing."""
    nameless = [
        f"{case.case}: {step['illegal']}"
        for _, case in ALL
        for step in case.steps
        if isinstance(step, dict) and "illegal" in step and not step.get("rule")
    ]
    assert not nameless


def test_rules_of_refusals_exist() -> None:
    known = {*rule_ids(), UNREADABLE}
    named = {
        step["rule"]: case.case for _, case in ALL for step in case.steps if isinstance(step, dict) and "rule" in step
    }
    assert not {rule: case for rule, case in named.items() if rule not in known}


def test_rules_of_cases_exist() -> None:
    known = set(rule_ids())
    unknown = [f"{case.case}: {rule}" for _, case in ALL for rule in case.rules if rule not in known]
    assert not unknown


def marked_rules() -> dict[str, str]:
    """Rule id -> a test that is marked with it, read from the source of all tests."""
    found: dict[str, str] = {}
    for path in sorted(HERE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                        for rule in eval(f"({''.join(ast.unparse(a) + ', ' for a in mark.args)})", {}):
                            found[str(rule)] = f"{path.name}::{node.name}"
    return found


def test_rules_of_marks_exist() -> None:
    known = set(rule_ids())
    assert not {rule: test for rule, test in marked_rules().items() if rule not in known}


@pytest.mark.parametrize(
    ("books", "rules"),
    [(("CL-", "CL3-"), 342), (("AN-",), 341), (("MX",), 280), (("G40-",), 593)],
    ids=["classic", "anniversary", "advanced", "global1940"],
)
def test_every_rule_is_shown(books: tuple[str, ...], rules: int) -> None:
    """The measure of how complete an edition is: each rule has a case or a marked test."""
    wanted = [rule for rule in rule_ids() if rule.startswith(books)]
    assert len(wanted) == rules
    shown = {rule for _, case in ALL for rule in case.rules} | set(marked_rules())
    missing = [rule for rule in wanted if rule not in shown]
    assert not missing, f"{len(missing)} rules are shown by nothing: {', '.join(missing)}"
