"""`sandtable odds`: the calculator at the command line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from sandtable.cli.app import app

BATTLE = "1 infantry vs 1 infantry"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["odds", *arguments])
    return result.exit_code, result.output


def test_a_battle_as_a_table() -> None:
    code, output = run(BATTLE)
    assert code == 0
    assert "exact odds" in output
    assert "attackers left" in output


def test_the_numbers_of_the_smallest_battle() -> None:
    """One infantry on each side: a hit on 1 against a hit on 2, both at once in each round."""
    code, output = run(BATTLE, "--json")
    assert code == 0
    found = json.loads(output)
    ends = 1 - (5 / 6) * (4 / 6)
    assert found["win"] == pytest.approx(1 / 6 * 4 / 6 / ends)
    assert found["draw"] == pytest.approx(1 / 6 * 2 / 6 / ends)
    assert found["loss"] == pytest.approx(5 / 6 * 2 / 6 / ends)


def test_technologies_orders_and_retreats_count() -> None:
    plain = json.loads(run("1 bomber, 1 infantry vs 4 infantry", "--json")[1])
    heavy = json.loads(run("1 bomber, 1 infantry vs 4 infantry", "--json", "--attacker-tech", "heavy bombers")[1])
    assert heavy["win"] > plain["win"]
    careful = json.loads(run("3 infantry vs 3 infantry", "--json", "--retreat-after", "1")[1])
    assert careful["retreat"] > 0
    wings_first = json.loads(run("2 fighter, 2 infantry vs 3 infantry", "--json", "--attacker-order", "fighter")[1])
    usual = json.loads(run("2 fighter, 2 infantry vs 3 infantry", "--json")[1])
    assert wings_first["win"] < usual["win"]


@pytest.mark.parametrize(
    "flags",
    [("--retreat-below", "3"), ("--retreat-land", "2"), ("--retreat-planes",), ("--retreat-odds", "0.4")],
)
def test_every_reason_to_break_off(flags: tuple[str, ...]) -> None:
    found = json.loads(run("2 infantry, 1 fighter vs 3 infantry", "--json", *flags)[1])
    assert found["retreat"] > 0
    assert found["win"] + found["draw"] + found["loss"] + found["retreat"] == pytest.approx(1)


def test_the_chance_to_hold_with_some_units() -> None:
    found = json.loads(run("5 infantry, 2 armor vs 3 infantry", "--json", "--hold", "1", "--hold", "4")[1])
    assert found["hold"]["1"] == found["take_and_hold"] > found["hold"]["4"] > 0
    assert "4 land units or more" in run("5 infantry, 2 armor vs 3 infantry", "--hold", "4")[1]


def test_submarines_of_either_side_may_leave() -> None:
    battle = "2 submarine, 1 fighter vs 1 submarine, 1 battleship"
    usual, ours, theirs = (
        json.loads(run(battle, "--json", *flags)[1])
        for flags in ((), ("--attacker-submarines-leave",), ("--submarines-leave",))
    )
    assert ours["win"] < usual["win"] != theirs["win"]


def test_what_is_played_out_says_so() -> None:
    text = run(BATTLE, "--method", "play", "--runs", "50")[1]
    assert "played out: 50 battles" in text
    assert "% to win (95 % confidence)" in text
    data = json.loads(run(BATTLE, "--method", "play", "--runs", "50", "--json")[1])
    assert (data["method"], data["runs"], data["exact"]) == ("played out", 50, False)
    assert data["interval"][0] <= data["win"] <= data["interval"][1]


def test_a_raid() -> None:
    with_gun = run("2 bomber", "--raid")
    without = run("2 bomber vs 0 aa-gun", "--raid")
    assert with_gun[0] == without[0] == 0
    assert "7.0" in without[1]
    assert with_gun[1] != without[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("3 infantry",), "attackers vs defenders"),
        (("3 wizards vs 1 infantry",), "wizards"),
        ((BATTLE, "--kind", "space"), "one of land, sea"),
        ((BATTLE, "--attacker", "narnia"), "narnia"),
        ((BATTLE, "--attacker-tech", "magic"), "magic"),
        ((BATTLE, "--scenario", "chess"), "chess"),
        ((BATTLE, "--method", "magic"), "auto, exact, play"),
        (("1 artillery vs 1 infantry",), "There are infantry, armor"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments: tuple[str, ...], words: str) -> None:
    code, output = run(*arguments)
    assert code == 2
    assert words in output
    assert "Traceback" not in output
