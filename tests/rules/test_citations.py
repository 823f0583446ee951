"""Code names reasons, editions name the rules behind them: the two lists fit, and no rule id stands in code."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandtable
from sandtable.engine.game import Game
from sandtable.errors import NotationError, Refusal, SandtableError
from sandtable.notation import parse_order
from sandtable.rulebook import rule_ids
from sandtable.world.files import read_yaml
from sandtable.world.load import data_folder, load_builtin, scenarios

SOURCE = Path(sandtable.__file__).parent
RULE_ID = re.compile(r"\b(CL3?|AN|PC|G40|MX\d\d)-[A-Z0-9]+\b")
REASON = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
EDITIONS = sorted({info.edition for info in scenarios()})
PLAYABLE = sorted({info.edition for info in scenarios() if load_builtin(info.edition).playable})

FREE_OF_IDS = ("engine", "notation", "play", "archive", "odds", "bots", "arena", "server", "training")

# Calls that take a reason, and which argument of theirs it is.
TAKERS = {"Refusal": 0, "_cannot_undo": 0, "cite": 0, "in_brackets": 1, "no_border": -1}


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders or ("",):
        for path in sorted((SOURCE / folder).rglob("*.py")):
            yield str(path.relative_to(SOURCE)), ast.parse(path.read_text("utf-8"))


def texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """All texts with their lines, but not the docstrings."""
    docstrings = {
        each.body[0].value
        for each in ast.walk(node)
        if isinstance(each, ast.Module | ast.ClassDef | ast.FunctionDef)
        and each.body
        and isinstance(each.body[0], ast.Expr)
    }
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each not in docstrings:
            yield each.lineno, each.value


def reasons_in(node: ast.AST) -> set[str]:
    return {text for _, text in texts(node) if REASON.fullmatch(text)}


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def named_reasons() -> tuple[set[str], set[str]]:
    """Every reason that code gives; and those that bring rules from data along."""
    found: set[str] = set()
    with_rules: set[str] = set()
    for _, module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and _called(node) in TAKERS and node.args:
                given = node.args[TAKERS[_called(node)]]
                found |= reasons_in(given)
                if any(keyword.arg == "rules" for keyword in node.keywords):
                    with_rules |= reasons_in(given)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
                if any(name == "reason" or "REASONS" in name for name in names):
                    found |= reasons_in(node.value)
            elif isinstance(node, ast.FunctionDef) and node.name == "_passed_by":
                for answer in (each for each in ast.walk(node) if isinstance(each, ast.Return)):
                    assert isinstance(answer.value, ast.Tuple)
                    found |= reasons_in(answer.value.elts[0])
    return found, with_rules


NAMED, WITH_RULES = named_reasons()


def written(edition: str) -> tuple[dict[str, list[str]], list[str]]:
    content = read_yaml((data_folder() / edition / "citations.yaml").read_text("utf-8"))
    return content["reasons"], content.get("never", [])


def test_reasons_are_found_in_code() -> None:
    assert len(NAMED) > 150
    assert {"power-surrendered", "no-such-unit-type", "later-order-under-fire", "no-border-for-ship"} <= NAMED
    assert {"research-out-of-place", "gun-to-neutral-land", "moved-already", "no-research-in-this-game"} <= NAMED


def test_no_rule_id_stands_in_code() -> None:
    """Only docstrings and comments may speak of rules."""
    found = [
        f"{path}:{line}: {text}"
        for path, module in modules(*FREE_OF_IDS)
        for line, text in texts(module)
        if RULE_ID.search(text)
    ]
    assert not found


def is_plain(node: ast.expr) -> bool:
    """A reason that the search above sees: written out, in a table of reasons, or in a variable called so."""
    match node:
        case ast.Constant(value=str(text)):
            return bool(REASON.fullmatch(text))
        case ast.IfExp(body=one, orelse=other):
            return is_plain(one) and is_plain(other)
        case ast.BoolOp(values=values):
            return all(is_plain(value) for value in values)
        case ast.Name(id=name):
            return name == "reason"
        case ast.Attribute(attr=name):
            return name == "reason"
        case ast.Subscript(value=ast.Name(id=name)):
            return "REASONS" in name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[_, default]):
            return "REASONS" in name and is_plain(default)
    return False


def test_no_reason_hides() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and _called(node) in TAKERS and path != "errors.py"
        if not node.args or not is_plain(node.args[TAKERS[_called(node)]])
    ]
    assert not found, "write the reason out as the first argument, or put it into `reason` or a table of REASONS"


@pytest.mark.parametrize("edition", PLAYABLE)
def test_every_reason_has_its_rules(edition: str) -> None:
    reasons, never = written(edition)
    assert not NAMED - {*reasons, *never}, "code gives these reasons, and the edition cites no rule for them"
    empty = {reason for reason, rules in reasons.items() if not rules}
    assert empty <= WITH_RULES, "reasons that cannot come up stand under `never`"


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_edition_has_rules_for_what_nobody_says(edition: str) -> None:
    reasons, never = written(edition)
    assert not {*reasons, *never} - NAMED
    assert len(never) == len(set(never))


@pytest.mark.parametrize("edition", EDITIONS)
def test_cited_rules_are_in_the_rulebook(edition: str) -> None:
    loaded = load_builtin(edition)
    known = set(rule_ids())
    cited = [loaded.citations, *(patch.citations for option in loaded.options for patch in option.effects.values())]
    assert not {rule for each in cited for rules in each.values() for rule in rules} - known
    assert all(len(rules) == len(set(rules)) for rules in loaded.citations.values())


def test_options_cite_reasons_that_code_names() -> None:
    for edition in EDITIONS:
        for option in load_builtin(edition).options:
            for patch in option.effects.values():
                assert patch.citations.keys() <= NAMED


# ---------------------------------------------------------------- what they do


def test_a_refusal_is_cited_by_its_reason() -> None:
    bare = Refusal("no-such-ship", "There is no such ship in the Ukraine S.S.R..", ("ukraine-ssr",))
    assert (bare.rules, bare.rule, str(bare)) == ((), "", "There is no such ship in the Ukraine S.S.R.")
    cited = bare.cited({"no-such-ship": ("CL-TRP-01", "CL-TRP-02"), "game-over": ("CL-VIC-03",)})
    assert (cited.rule, cited.rules) == ("CL-TRP-01", ("CL-TRP-01", "CL-TRP-02"))
    assert str(cited) == "CL-TRP-01: There is no such ship in the Ukraine S.S.R."
    assert (cited.reason, cited.culprits) == (bare.reason, bare.culprits)
    assert not bare.rules


def test_rules_that_data_carry_come_first_and_once() -> None:
    closed = Refusal("canal-closed", "It is closed.", rules=("AN-MAP-04", "AN-MAP-06"))
    citations = {"canal-closed": ("AN-NCM-14", "AN-MAP-06")}
    assert closed.cited(citations).rules == ("AN-MAP-04", "AN-MAP-06", "AN-NCM-14")
    assert closed.cited(citations).cited(citations).rules == ("AN-MAP-04", "AN-MAP-06", "AN-NCM-14")
    assert closed.cited({}) is closed


def test_refusals_travel_between_processes() -> None:
    cited = Refusal("game-over", "The game is over.", ("russia",), rules=("CL-VIC-03",))
    again = pickle.loads(pickle.dumps(cited))
    assert (again.reason, again.text, again.culprits, again.rules) == (
        *("game-over", "The game is over.", ("russia",)),
        ("CL-VIC-03",),
    )


@pytest.mark.parametrize(("scenario", "rule"), [("classic-1942", "CL-SET-02"), ("anniversary-1941", "AN-SET-03")])
def test_seats_are_refused_by_the_rule_of_the_edition(scenario: str, rule: str) -> None:
    with pytest.raises(SandtableError, match=rf"players, not 9 \({rule}\)\.$"):
        Game.new(scenario, seats=9)


@pytest.mark.parametrize(("scenario", "rule"), [("classic-1942", "CL-PUR-01"), ("anniversary-1941", "AN-BUY-07")])
def test_unknown_units_are_refused_by_the_rule_of_the_edition(scenario: str, rule: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_order(Game.new(scenario).world, "buy 1 zeppelin")
    assert caught.value.rules == (rule,)
