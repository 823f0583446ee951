"""Odds of Anniversary battles against the engine, which plays each battle many times with the same policies."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from refereed import FAR, Battle, agrees, deviation, expected_ends, play

from sandtable.odds import Odds, Retreat, odds
from sandtable.world.compile import compile_world

TIMES = int(os.environ.get("SANDTABLE_ODDS_BATTLES", "300"))

WORLD = compile_world("anniversary-1941")

LAND_ATTACK = ["infantry", "artillery", "armor", "fighter", "bomber"]
LAND_DEFENSE = ["bomber", "infantry", "artillery", "armor", "fighter"]
SEA_ATTACK = ["carrier", "submarine", "destroyer", "cruiser", "fighter", "bomber", "battleship", "transport"]
SEA_DEFENSE = ["submarine", "destroyer", "carrier", "cruiser", "fighter", "battleship", "transport"]


def units(text: str) -> dict[str, int]:
    return {word.split()[1]: int(word.split()[0]) for word in text.split(", ")}


def land(attackers: str, defenders: str, **more: Any) -> Battle:
    return Battle(
        world=WORLD,
        attackers=units(attackers),
        defenders=units(defenders),
        attacker_order=LAND_ATTACK,
        defender_order=LAND_DEFENSE,
        **more,
    )


def sea(attackers: str, defenders: str, **more: Any) -> Battle:
    return Battle(
        world=WORLD,
        kind="sea",
        attackers=units(attackers),
        defenders=units(defenders),
        attacker_order=SEA_ATTACK,
        defender_order=SEA_DEFENSE,
        **more,
    )


BATTLES: dict[str, tuple[Battle, dict[str, Any]]] = {
    "artillery helps infantry": (land("3 infantry, 2 artillery, 1 armor", "3 infantry, 1 artillery"), {}),
    "advanced artillery": (
        land("4 infantry, 1 artillery", "3 infantry", techs={"germany": ["advanced-artillery"]}),
        {"attacker_techs": ["advanced-artillery"]},
    ),
    "a gun has a die for every plane": (
        land("1 infantry, 2 fighter, 2 bomber", "3 infantry, 1 aa-gun"),
        {},
    ),
    "heavy bombers and radar": (
        land(
            "1 infantry, 3 bomber",
            "4 infantry, 1 aa-gun",
            techs={"germany": ["heavy-bombers"], "ussr": ["radar"]},
        ),
        {"attacker_techs": ["heavy-bombers"], "defender_techs": ["radar"]},
    ),
    "no more ships bombard than units land": (
        land("2 infantry", "2 infantry", landed=True, support={"battleship": 1, "cruiser": 2}),
        {},
    ),
    "planes leave a landing": (
        land(
            "2 infantry, 2 fighter",
            "3 infantry",
            landed=True,
            support={"cruiser": 1},
            retreat=lambda left, rounds: rounds >= 1,
        ),
        {"retreat": Retreat(rounds=1)},
    ),
    "two-hit battleships": (sea("1 battleship, 1 cruiser", "1 battleship, 1 destroyer, 1 carrier"), {}),
    "submarines strike": (sea("2 submarine", "1 cruiser, 1 carrier"), {}),
    "both strike": (sea("2 submarine, 1 cruiser", "2 submarine, 1 cruiser"), {}),
    "a destroyer stops them": (sea("3 submarine", "1 destroyer, 1 cruiser"), {}),
    "planes see nothing": (sea("2 fighter, 1 cruiser", "2 submarine, 1 cruiser"), {}),
    "planes and a destroyer see": (sea("2 fighter, 1 destroyer", "2 submarine, 1 destroyer"), {}),
    "hits that spare different units": (
        sea("2 submarine, 2 fighter, 1 cruiser", "1 carrier, 2 fighter, 1 submarine, 1 destroyer"),
        {},
    ),
    "transports go last": (sea("2 cruiser", "1 destroyer, 2 transport"), {}),
    "transports beside a hidden submarine": (sea("2 fighter", "1 submarine, 2 transport"), {}),
    "an escort is lost": (sea("1 destroyer, 2 transport", "1 cruiser, 1 submarine"), {}),
    "submarines dive": (
        sea(
            "2 submarine, 1 cruiser", "2 submarine, 1 cruiser", attacker_submarines="leave", defender_submarines="leave"
        ),
        {"attacker_submarines": "leave", "defender_submarines": "leave"},
    ),
    "super submarines break off": (
        sea(
            "3 submarine",
            "1 destroyer, 1 battleship",
            techs={"germany": ["super-submarines"]},
            retreat=lambda left, rounds: sum(left.values()) < 2,
        ),
        {"attacker_techs": ["super-submarines"], "retreat": Retreat(units=2)},
    ),
}


def calculated(played: Battle, options: dict[str, Any], **more: Any) -> Odds:
    attackers = {**played.attackers, **played.support}
    orders = {"attacker_order": played.attacker_order, "defender_order": played.defender_order}
    return odds(played.world, attackers, played.defenders, kind=played.kind, **{**orders, **options, **more})


@pytest.mark.parametrize("name", BATTLES)
def test_the_engine_plays_what_the_calculator_says(name: str) -> None:
    played, options = BATTLES[name]
    result = calculated(played, options)
    assert result.exact
    assert result.win + result.draw + result.loss + result.retreat == pytest.approx(1.0)
    agrees(result, played, TIMES, name)


def test_a_wrong_rule_would_be_noticed() -> None:
    """The comparison itself can fail: without the destroyer the figures are far off."""
    played, _ = BATTLES["a destroyer stops them"]
    start = played.state()
    ends = Counter(play(played, start, number)[0] for number in range(300))
    other = odds(WORLD, "3 submarine", "2 cruiser", kind="sea")
    assert deviation(expected_ends(other), ends) > FAR


def test_one_against_one_by_hand() -> None:
    """Both submarines strike at once: 1/3 against 1/6 until one hits."""
    strike = odds(WORLD, "1 submarine", "1 submarine")
    assert strike.win == pytest.approx((1 / 3 * 5 / 6) / (1 - 2 / 3 * 5 / 6))
    assert strike.draw == pytest.approx((1 / 3 * 1 / 6) / (1 - 2 / 3 * 5 / 6))
    # a cruiser that is struck never fires
    assert odds(WORLD, "1 submarine", "1 cruiser").win == pytest.approx(1 / 3 / (1 - 2 / 3 * 1 / 2))
    # a battleship needs two hits, and so both of the cruiser's must come before the battleship's one
    hit, answer = 2 / 3, 1 / 2
    first = answer * (1 - hit) / (1 - (1 - hit) * (1 - answer))
    assert odds(WORLD, "1 battleship", "1 cruiser").loss == pytest.approx(first * first)


def test_nobody_can_hit_a_submarine_without_a_destroyer() -> None:
    assert odds(WORLD, "3 fighter", "1 submarine").draw == 1.0
    assert odds(WORLD, "3 fighter, 1 destroyer", "1 submarine").win > 0.9


def test_retreat_by_odds_leaves_hopeless_battles() -> None:
    stubborn = odds(WORLD, "2 submarine", "1 destroyer, 1 cruiser")
    careful = odds(WORLD, "2 submarine", "1 destroyer, 1 cruiser", retreat=Retreat(odds=0.5))
    assert careful.retreat > 0
    assert careful.expected_losses[0] < stubborn.expected_losses[0]
