"""Case files as text: what is read, and what a player is told of a file that cannot be."""

from __future__ import annotations

import re

import pytest

from sandtable.archive.cases import CaseError, parse_cases, run_case

CASE = "case: {name}\nsteps: [end, {{phase: purchase}}]\ndice: [1, 2]\n"


def test_a_list_and_several_documents_are_several_cases() -> None:
    one, two = CASE.format(name="one"), CASE.format(name="two")
    assert [case.case for case in parse_cases(f"{one}---\n{two}---\n")] == ["one", "two"]
    assert [case.dice for case in parse_cases("- {case: one, steps: [], dice: [6]}\n- {case: two, steps: []}")] == [
        [6],
        [],
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("case: one\nsteps: [end,\ndice: 1", r"line 2, column 8: steps: \[end, \^.*line 3, column 8: dice: 1 \^"),
        ("case: one\nsteps: !!python/name:os.system [end]", r"constructor for the tag .*line 2, column 8: steps: !!py"),
        ("case: &name one\nnote: *name\nsteps: []", "aliases are not allowed"),
        ("case: one\nnote: 2026-99-99\nsteps: []", "month must be in 1..12"),
        ("", "holds no case"),
        ("case: one\nsteps: []\nsetps: []", "unknown field `setps`"),
    ],
)
def test_a_file_that_is_no_case_is_refused_with_the_place(text: str, told: str) -> None:
    with pytest.raises(CaseError, match=rf"^my\.yaml: .*{told}"):
        parse_cases(text, "my.yaml")


@pytest.mark.parametrize(
    ("step", "came"),
    [
        ('{illegal: "buy 9 bomber", rule: CL-PUR-02}', None),
        ('{illegal: "buy 9 bomber", rule: CL-PUR-03}', "refused: CL-PUR-02: 9 bombers cost 135, and U.S.S.R. has 24."),
        ('{illegal: "buy 9 bomber", rule: notation}', "refused: CL-PUR-02: 9 bombers cost 135, and U.S.S.R. has 24."),
        ('{illegal: "give 5 to uk", rule: notation}', None),
        ('{illegal: "give 5 to uk", rule: CL-PUR-02}', "refused: 'give' is no order."),
        ('{illegal: "buy 1 destroyer", rule: CL-PUR-01}', None),
        ('{illegal: "buy 1 infantry", rule: notation}', "it is legal"),
    ],
)
def test_a_refusal_has_to_cite_the_rule_that_is_named(step: str, came: str | None) -> None:
    """Anywhere in its list: a refusal may have several reasons, and a case is about one of them."""
    (case,) = parse_cases(f"case: one\nsteps: [{step}]")
    result = run_case(case)
    assert result.ok == (came is None)
    if came is not None:
        assert result.failures[0].came.startswith(came)


@pytest.mark.parametrize("opening", ["[", "- ", "{a: ", "? "])
def test_nesting_without_end_is_refused(opening: str) -> None:
    """libyaml alone would end the process."""
    with pytest.raises(CaseError, match=re.compile("^case: not YAML: .*recursion")):
        parse_cases(opening * 20_000)


def test_deep_but_honest_nesting_is_read() -> None:
    depth = 80
    (case,) = parse_cases(f"case: deep\nsteps: {'[' * depth}{']' * depth}")
    steps, found = case.steps, 0
    while steps:
        (steps,) = steps
        found += 1
    assert found == depth - 1


def test_players_are_seated_as_the_edition_does_it() -> None:
    (case,) = parse_cases("case: two\nplayers: 2\nsteps: [end]\n")
    assert run_case(case).ok
    for more, told in (("players: 9", "2 to 5 players"), ("players: 2\nseats: {a: [uk]}", "`seats` say who plays")):
        (case,) = parse_cases(f"case: odd\n{more}\nsteps: [end]\n")
        with pytest.raises(CaseError, match=told):
            run_case(case)
