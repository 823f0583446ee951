"""The glance at a battle agrees with the exact odds, and both know the easy cases, in all editions."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.bots.battles import Army, army, expect, flak, support
from sandtable.bots.glance import weigh
from sandtable.bots.raids import plan_raids
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import style
from sandtable.engine.start import starting_state
from sandtable.engine.state import State
from sandtable.odds import odds, raid_odds
from sandtable.odds.paper import Shore
from sandtable.world.compile import compile_world
from sandtable.world.load import scenarios
from sandtable.world.model import World

SCENARIOS = [
    s.id
    for s in scenarios()
    if s.playable and (world := compile_world(s.id)) and "germany" in world.powers
    if not world.units["fighter"].strikes_once  # those battles are looked at in test_global_games.py
]
ANNIVERSARY = "anniversary-1942"


@pytest.fixture(params=SCENARIOS)
def world(request: pytest.FixtureRequest) -> World:
    return compile_world(request.param)


def test_exact_odds_are_the_calculators(world: World) -> None:
    state = starting_state(world)
    ours, theirs = {"infantry": 3, "armor": 2}, {"infantry": 4}
    look = expect(world, state, army("germany", ours), army("ussr", theirs))
    same = odds(world, ours, theirs, attacker_power="germany", defender_power="ussr", keep_land=1)
    assert look.win == pytest.approx(same.win)
    assert look.take == pytest.approx(same.take_and_hold(1))
    assert look.swing == pytest.approx(same.swing)
    fleet, prey = {"battleship": 1, "submarine": 2}, {"carrier": 1, "transport": 1, "fighter": 1}
    look = expect(world, state, army("germany", fleet), army("uk", prey), kind="sea")
    same = odds(
        world,
        fleet,
        prey,
        attacker_power="germany",
        defender_power="uk",
        attacker_order="cheapest",
        defender_order="cheapest",
    )
    assert (look.win, look.swing) == pytest.approx((same.win, same.swing))


def test_support_and_guns_count(world: World) -> None:
    state = starting_state(world)
    troops = {"infantry": 2, "fighter": 2}
    ours, theirs = army("usa", troops), army("germany", {"infantry": 2})
    plain = expect(world, state, ours, theirs)
    shores = (Shore((("infantry", 2),), (("battleship", 1),)),)
    helped = expect(world, state, ours, theirs, shores=shores)
    shot_at = expect(world, state, ours, theirs, guns=army("germany", {"aa-gun": 1}))
    assert shot_at.win < plain.win < helped.win
    paper = odds(world, {**troops, "battleship": 1}, {"infantry": 2}, attacker_power="usa", keep_land=1)
    assert helped.win == pytest.approx(paper.win)
    assert support(world, state, "usa", shores) == pytest.approx(4 / 6)
    many = (Shore((("infantry", 1),), (("battleship", 3),)),)
    fired = 1 if world.rules.support_per_landed else 3
    assert support(world, state, "usa", many) == pytest.approx(fired * 4 / 6)


def test_guns_are_as_good_as_their_owner_made_them() -> None:
    world = compile_world(ANNIVERSARY)
    guns = army("germany", {"aa-gun": 2})
    state = starting_state(world)
    assert flak(world, state, "usa", guns) == 1
    radar = msgspec.structs.replace(state, techs={**state.techs, "germany": frozenset({"radar"})})
    assert flak(world, radar, "usa", guns) == 2
    planes, theirs = army("usa", {"fighter": 3}), army("germany", {"infantry": 1})
    seen = expect(world, radar, planes, theirs, guns=guns).win
    assert seen < expect(world, state, planes, theirs, guns=guns).win
    paper = odds(world, "3 fighter", "1 infantry, 1 aa-gun", attacker_power="usa", defender_techs=["radar"])
    assert seen == pytest.approx(paper.win)


def test_nobody_to_fight(world: World) -> None:
    state = starting_state(world)
    assert expect(world, state, army("usa", {"infantry": 1}), ()).take == 1.0
    assert expect(world, state, army("usa", {"fighter": 1}), ()).take == 0.0
    assert expect(world, state, (), army("usa", {"infantry": 1})).win == 0.0
    for judge in (expect, weigh):
        assert judge(world, state, army("usa", {"transport": 2}), army("japan", {"carrier": 1})).win < 0.01


# ---------------------------------------------------------------- the glance


def draw(world: World, rng: random.Random, domains: tuple[str, ...], most: int, power: str) -> Army:
    kinds = [u.id for u in world.units.values() if u.casualty and u.attacks and u.domain in domains]
    some = rng.sample(kinds, min(len(kinds), rng.randint(1, 4)))
    return army(power, {unit: rng.randint(1, most) for unit in some})


@pytest.mark.parametrize("kind", ["land", "sea"])
def test_a_glance_is_near_the_truth(world: World, kind: str) -> None:
    state = starting_state(world)
    rng = random.Random(5)
    errors, misjudged = [], []
    for _ in range(60):
        ours = draw(world, rng, (kind, "air"), 8 if kind == "land" else 3, "germany")
        theirs = draw(world, rng, (kind,), 8 if kind == "land" else 3, "uk")
        exact = expect(world, state, ours, theirs, kind=kind, keep_land=False)
        glance = weigh(world, state, ours, theirs)
        errors.append(abs(glance.win - exact.win))
        value = sum(n * (world.units[u].cost or 0) for _, u, n in (*ours, *theirs))
        misjudged.append(abs(glance.swing - exact.swing) / value)
    assert sum(errors) / len(errors) < 0.05
    assert max(errors) < 0.35
    assert sum(misjudged) / len(misjudged) < 0.05


@pytest.mark.parametrize(
    ("ours", "theirs", "win"),
    [
        ({"battleship": 2}, {"destroyer": 4}, 0.66),  # a glance that forgot the second hit said 15 %
        ({"cruiser": 4}, {"battleship": 2}, 0.58),  # and here 95 %
        ({"destroyer": 1, "submarine": 2}, {"cruiser": 2}, 0.73),
        ({"infantry": 4, "artillery": 4}, {"infantry": 5}, 0.97),
    ],
)
def test_what_only_some_editions_have(ours: dict[str, int], theirs: dict[str, int], win: float) -> None:
    world = compile_world(ANNIVERSARY)
    state = starting_state(world)
    kind = "land" if "infantry" in ours else "sea"
    forces = army("germany", ours), army("uk", theirs)
    assert expect(world, state, *forces, kind=kind).win == pytest.approx(win, abs=0.01)
    assert weigh(world, state, *forces).win == pytest.approx(win, abs=0.13)


# ---------------------------------------------------------------- submarines


@pytest.mark.parametrize("judge", [expect, weigh])
def test_submarines_dive_from_planes(world: World, judge: Callable[..., object]) -> None:
    """Planes find a lone boat and sink it in the first round, or never: it is not worth its price to them."""
    state = starting_state(world)
    forces = army("usa", {"fighter": 2}), army("germany", {"submarine": 1})
    look = expect(world, state, *forces, kind="sea") if judge is expect else weigh(world, state, *forces)
    hides = bool(world.units["submarine"].hides_from)
    price = world.units["submarine"].cost or 0
    chance = 0.0 if hides else 1 - (1 / 2) ** 2
    assert look.attacker_loss == 0
    assert look.defender_loss == pytest.approx(chance * price, abs=0.01 if judge is expect else 0.3 * price)


def test_submarines_that_got_away_are_still_there(world: World) -> None:
    state = starting_state(world)
    hunters = {"cruiser": 4} if "cruiser" in world.units else {"fighter": 3}
    look = expect(world, state, army("usa", hunters), army("germany", {"submarine": 4}), kind="sea")
    assert sum(n for _, _, n in look.escaped) >= 2
    many = expect(world, state, army("usa", {"transport": 1}), army("germany", {"submarine": 4}), kind="sea")
    assert many.escaped == ()  # they win


# ---------------------------------------------------------------- raids


def raid_position(world: World, damage: int, treasury: int) -> State:
    return patched_state(
        world,
        {
            "clear": "all",
            "units": {
                "united-kingdom": {"uk": {"bomber": 2}},
                "germany": {"germany": {"industrial-complex": 1, "infantry": 9}},
            },
            "turn": "uk",
            "phase": "combat-move",
            "damage": {"germany": {"industrial-complex": damage}} if damage else {},
            "treasury": {"germany": treasury},
        },
    )


@pytest.mark.parametrize(
    ("scenario", "damage", "treasury", "most"),
    [("classic-1942", 0, 40, None), ("classic-1942", 0, 3, 3), (ANNIVERSARY, 0, 0, None), (ANNIVERSARY, 18, 40, 2)],
)
def test_raids_promise_what_the_odds_say(scenario: str, damage: int, treasury: int, most: int | None) -> None:
    """Where bombs leave markers, what the owner has in the bank does not matter."""
    world = compile_world(scenario)
    state = raid_position(world, damage, treasury)
    promised = raid_odds(world, {"bomber": 2}, power="uk", aa_guns=0, most=most).swing
    steps = plan_raids(Scratch(world, state), Sight(world, state, "uk"), style(4).raids)
    assert [step.gain for step in steps] == [pytest.approx(promised)]
