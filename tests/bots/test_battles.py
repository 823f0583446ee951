"""The glance at a battle agrees with the exact odds, and both know the easy cases."""

from __future__ import annotations

import random

import pytest

from sandtable.bots.battles import army, expect
from sandtable.bots.glance import weigh
from sandtable.engine.start import starting_state
from sandtable.odds import odds
from sandtable.world.model import World


def test_exact_odds_are_the_calculators(classic_world: World) -> None:
    state = starting_state(classic_world)
    ours, theirs = {"infantry": 3, "armor": 2}, {"infantry": 4}
    look = expect(classic_world, state, army("germany", ours), army("ussr", theirs))
    same = odds(classic_world, ours, theirs, attacker_power="germany", defender_power="ussr", keep_land=1)
    assert look.win == pytest.approx(same.win)
    assert look.take == pytest.approx(same.take_and_hold(1))
    assert look.swing == pytest.approx(same.swing)


def test_support_and_guns_count(classic_world: World) -> None:
    state = starting_state(classic_world)
    ours, theirs = army("usa", {"infantry": 2, "fighter": 2}), army("germany", {"infantry": 2})
    plain = expect(classic_world, state, ours, theirs)
    helped = expect(classic_world, state, ours, theirs, support=4 / 6)
    shot_at = expect(classic_world, state, ours, theirs, gun=True)
    assert shot_at.win < plain.win < helped.win


def test_nobody_to_fight(classic_world: World) -> None:
    state = starting_state(classic_world)
    assert expect(classic_world, state, army("usa", {"infantry": 1}), ()).take == 1.0
    assert expect(classic_world, state, army("usa", {"fighter": 1}), ()).take == 0.0
    assert expect(classic_world, state, (), army("usa", {"infantry": 1})).win == 0.0


def test_a_glance_is_near_the_truth(classic_world: World) -> None:
    state = starting_state(classic_world)
    rng = random.Random(5)
    errors = []
    for _ in range(60):
        ours = army(
            "germany", {"infantry": rng.randint(1, 9), "armor": rng.randint(0, 5), "fighter": rng.randint(0, 2)}
        )
        theirs = army("ussr", {"infantry": rng.randint(1, 9), "armor": rng.randint(0, 3)})
        glance = weigh(classic_world, state, ours, theirs).win
        errors.append(abs(glance - expect(classic_world, state, ours, theirs, keep_land=False).win))
    assert sum(errors) / len(errors) < 0.06
    assert max(errors) < 0.25
