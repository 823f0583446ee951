"""The calculator and the game cannot disagree: the engine plays each battle many times with the same policies.

`SANDTABLE_ODDS_BATTLES` sets how often each battle is played (by default a few hundred times; 5000 takes some minutes).
Seeds are fixed, so a run that passes always passes; a deviation of more than four standard deviations fails.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from refereed import FAR, Battle, agrees, deviation, expected_ends, play, small_board

from sandtable.archive.position import patched_state
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Paid
from sandtable.engine.game import Game
from sandtable.engine.state import Piece
from sandtable.odds import Odds, Retreat, odds, raid_odds, raid_odds_of
from sandtable.world.compile import compile_world

TIMES = int(os.environ.get("SANDTABLE_ODDS_BATTLES", "400"))

THIRD = compile_world("classic-1942")
SECOND = compile_world("classic-1942", {"second_edition": True})

LAND = ["infantry", "armor", "fighter", "bomber"]
SEA_ATTACK = ["transport", "carrier", "submarine", "fighter", "bomber", "battleship"]
SEA_DEFENSE = ["transport", "submarine", "carrier", "fighter", "battleship"]
LAND_DEFENSE = ["bomber", "infantry", "armor", "fighter"]


def units(text: str) -> dict[str, int]:
    return {word.split()[1]: int(word.split()[0]) for word in text.split(", ")}


def battle(attackers: str, defenders: str, *, world: Any = THIRD, kind: str = "land", **more: Any) -> Battle:
    """A battle with the calculator's default orders of loss, weakest first."""
    return Battle(
        world=world,
        attackers=units(attackers),
        defenders=units(defenders),
        kind=kind,
        attacker_order=more.pop("attacker_order", SEA_ATTACK if kind == "sea" else LAND),
        defender_order=more.pop("defender_order", SEA_DEFENSE if kind == "sea" else LAND_DEFENSE),
        **more,
    )


BATTLES: dict[str, tuple[Battle, dict[str, Any]]] = {
    "land": (battle("3 infantry, 2 armor", "4 infantry, 1 armor"), {}),
    "land, planes on both sides": (battle("2 infantry, 1 armor, 2 fighter", "3 infantry, 1 fighter, 1 bomber"), {}),
    "land, second edition": (battle("2 infantry, 2 armor, 1 bomber", "3 infantry, 1 fighter", world=SECOND), {}),
    "aa gun": (battle("2 infantry, 3 fighter, 2 bomber", "4 infantry, 1 fighter, 2 aa-gun"), {}),
    "aa gun, planes only": (battle("2 fighter, 1 bomber", "2 infantry, 1 aa-gun"), {}),
    "planes first": (
        battle(
            "2 infantry, 1 armor, 2 fighter",
            "2 infantry, 2 fighter, 1 aa-gun",
            attacker_order=["fighter", "infantry", "armor"],
            defender_order=["fighter", "infantry"],
        ),
        {"attacker_order": ["fighter"], "defender_order": ["fighter", "infantry"]},
    ),
    "heavy bombers": (
        battle("1 infantry, 2 bomber", "5 infantry, 1 fighter", techs={"germany": ["heavy-bombers"]}),
        {"attacker_techs": ["heavy-bombers"]},
    ),
    "jets": (
        battle("4 infantry, 2 armor", "2 infantry, 2 fighter", techs={"ussr": ["jet-power"]}),
        {"defender_techs": ["jet-power"]},
    ),
    "landing with support": (
        battle("3 infantry, 1 armor, 1 fighter", "4 infantry, 1 fighter", support={"battleship": 2}, landed=True),
        {},
    ),
    "landing, planes leave": (
        battle(
            "3 infantry, 2 fighter",
            "3 infantry, 1 fighter",
            support={"battleship": 1},
            landed=True,
            retreat=lambda left, rounds: rounds >= 1,
        ),
        {"retreat": Retreat(rounds=1)},
    ),
    "landing, second edition: nobody leaves": (
        battle(
            "2 infantry, 2 fighter",
            "3 infantry",
            world=SECOND,
            landed=True,
            retreat=lambda left, rounds: rounds >= 1,
        ),
        {"retreat": Retreat(rounds=1), "amphibious": True},
    ),
    "retreat after two rounds": (
        battle("4 infantry, 2 armor", "5 infantry, 1 armor", retreat=lambda left, rounds: rounds >= 2),
        {"retreat": Retreat(rounds=2)},
    ),
    "retreat when few are left": (
        battle("4 infantry, 2 fighter", "4 infantry", retreat=lambda left, rounds: left.total() < 4),
        {"retreat": Retreat(units=4)},
    ),
    "retreat without land units": (
        battle("2 infantry, 3 fighter", "5 infantry, 1 aa-gun", retreat=lambda left, rounds: left["infantry"] < 1),
        {"retreat": Retreat(only_planes=True)},
    ),
    "retreat with few land units": (
        battle(
            "3 infantry, 1 armor, 1 fighter",
            "4 infantry",
            retreat=lambda left, rounds: left["infantry"] + left["armor"] < 2,
        ),
        {"retreat": Retreat(land_units=2)},
    ),
    "fleets": (
        battle("1 battleship, 1 carrier, 2 transport", "1 battleship, 2 transport, 1 carrier", kind="sea"),
        {},
    ),
    "submarines fire first": (battle("3 submarine", "1 transport, 1 battleship, 1 submarine", kind="sea"), {}),
    "submarines spare planes": (
        battle("2 submarine, 2 fighter, 1 carrier", "2 submarine, 1 carrier, 2 fighter, 1 transport", kind="sea"),
        {},
    ),
    "submarines spare planes, planes early": (
        battle(
            "1 transport, 2 fighter, 1 bomber, 1 battleship",
            "3 submarine, 2 fighter, 1 transport",
            kind="sea",
            attacker_order=["fighter", "transport", "battleship", "bomber"],
            defender_order=["fighter", "transport", "submarine"],
        ),
        {
            "attacker_order": ["fighter", "transport", "battleship", "bomber"],
            "defender_order": ["fighter", "transport", "submarine"],
        },
    ),
    "submarines, column by column": (
        battle(
            "1 transport, 2 fighter, 1 battleship, 1 submarine",
            "2 submarine, 1 carrier, 1 fighter, 2 transport",
            world=SECOND,
            kind="sea",
            attacker_order=["fighter", "transport", "submarine", "battleship"],
        ),
        {"attacker_order": "fighter, transport, submarine"},
    ),
    "super submarines": (
        battle("3 submarine", "1 carrier, 2 fighter, 1 transport", kind="sea", techs={"germany": ["super-submarines"]}),
        {"attacker_techs": ["super-submarines"]},
    ),
    "planes against submarines": (battle("2 fighter, 1 bomber", "3 submarine, 1 transport", kind="sea"), {}),
    "submarines against planes alone": (battle("3 submarine, 1 transport", "2 fighter, 1 carrier", kind="sea"), {}),
    "defending submarines submerge": (
        battle(
            "1 battleship, 1 fighter, 1 transport", "2 submarine, 1 carrier", kind="sea", defender_submarines="leave"
        ),
        {"defender_submarines": "leave"},
    ),
    "defending submarines withdraw": (
        battle(
            "1 battleship, 1 submarine",
            "2 submarine, 1 transport",
            world=SECOND,
            kind="sea",
            defender_submarines="leave",
        ),
        {"defender_submarines": "leave"},
    ),
    "attacking submarines withdraw": (
        battle("2 submarine, 1 battleship", "1 battleship, 1 transport", kind="sea", attacker_submarines="leave"),
        {"attacker_submarines": "leave"},
    ),
    "fleet retreats": (
        battle(
            "1 battleship, 2 submarine, 1 fighter",
            "1 battleship, 1 submarine, 1 carrier",
            kind="sea",
            retreat=lambda left, rounds: left.total() < 3,
        ),
        {"retreat": Retreat(units=3)},
    ),
    "cheapest first": (
        battle(
            "1 submarine, 1 carrier, 2 fighter",
            "1 transport, 1 carrier, 2 fighter, 1 submarine",
            kind="sea",
            attacker_order=["submarine", "fighter", "carrier"],
            defender_order=["transport", "submarine", "fighter", "carrier"],
        ),
        {"attacker_order": "cheapest", "defender_order": "cheapest"},
    ),
    "keeping a land unit": (
        battle(
            "1 infantry, 2 armor, 2 fighter",
            "3 infantry, 1 fighter",
            attacker_order=["infantry", "armor but 1", "fighter", "armor"],
        ),
        {"keep_land": 1},
    ),
}


def calculated(played: Battle, options: Mapping[str, Any]) -> Odds:
    attackers = {**played.attackers, **played.support}
    return odds(played.world, attackers, played.defenders, kind=played.kind, **options)


@pytest.mark.parametrize("name", BATTLES)
def test_the_engine_plays_what_the_calculator_says(name: str) -> None:
    played, options = BATTLES[name]
    result = calculated(played, options)
    assert result.exact
    agrees(result, played, TIMES, name)


def test_a_wrong_rule_would_be_noticed() -> None:
    """The comparison itself can fail: a gun left out, or another order of loss, is far off."""
    played, _ = BATTLES["aa gun"]
    start = played.state()
    ends = Counter(play(played, start, number)[0] for number in range(300))
    gunless = odds(THIRD, played.attackers, {u: n for u, n in played.defenders.items() if u != "aa-gun"})
    assert deviation(expected_ends(gunless), ends) > FAR
    reordered = odds(THIRD, played.attackers, played.defenders, attacker_order=["bomber"])
    assert deviation(expected_ends(reordered), ends) > FAR


@pytest.mark.parametrize(("techs", "bombers", "money"), [([], 3, 40), (["heavy-bombers"], 2, 40), ([], 4, 9)])
def test_raids(techs: list[str], bombers: int, money: int) -> None:
    base = patched_state(
        THIRD,
        {
            "clear": "all",
            "turn": "germany",
            "phase": "combat",
            "units": {"united-kingdom": {"uk": {"aa-gun": 1, "industrial-complex": 1}}},
            "technologies": {"germany": techs},
            "treasury": {"uk": money},
        },
    )
    home = dict(base.units)
    home["united-kingdom"] = {**base.units["united-kingdom"], Piece("germany", "bomber", mark="raid"): bombers}
    start = type(base)(**{f: getattr(base, f) for f in base.__struct_fields__} | {"units": home})
    result = raid_odds(THIRD, {"bomber": bombers}, techs=techs, power="germany", most=money)
    assert raid_odds_of(THIRD, start, "united-kingdom") == result
    seen: Counter[Any] = Counter()
    for number in range(TIMES):
        game = Game(small_board(THIRD), dice=SeededDice(f"raid {number}"), start=start)
        damage = -sum(e.amount for e in game.events if isinstance(e, Paid) and e.reason == "raid")
        left = sum(n for p, n in game.state.at("united-kingdom").items() if p.type == "bomber")
        seen[bombers - left, damage] += 1
    expected = {(i, j): p for i, row in enumerate(result.joint) for j, p in enumerate(row) if p}
    assert deviation(expected, seen) < FAR
