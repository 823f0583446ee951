"""What the planners do beyond single moves: ships, placements, raids, research, landings behind a sea battle."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.attack import Attack, Mind
from sandtable.bots.front import future
from sandtable.bots.mobilize import posting
from sandtable.bots.purchase import Purchase
from sandtable.bots.raids import plan_raids
from sandtable.bots.research import plan_research
from sandtable.bots.risk import risk
from sandtable.bots.scratch import Scratch
from sandtable.bots.shipping import Shipping, is_cut_off
from sandtable.bots.sight import Sight
from sandtable.bots.style import style, tempered
from sandtable.engine.state import State
from sandtable.notation import format_order
from sandtable.world.compile import compile_world

WORLD = compile_world("classic-1942")


def position(turn: str, phase: str, **patch: Any) -> State:
    return patched_state(WORLD, {"turn": turn, "phase": phase, **patch})


def look(state: State, power: str) -> Sight:
    return Sight(WORLD, state, power)


def bought(state: State, power: str, stars: int = 4) -> dict[str, int]:
    purchase = Purchase(look(state, power), style(stars))
    purchase.plan()
    return purchase.list


def test_an_island_without_ships_raises_no_more_infantry() -> None:
    seas = ["north-sea", "baltic-sea", "karelia-sea", "west-spain-sea", "eastern-canada-sea"]
    crowd = {"united-kingdom": {"uk": {"infantry": 20, "industrial-complex": 1, "aa-gun": 1}}}
    planes = ["western-europe", "finland-norway", "germany", "eastern-europe", "ukraine-ssr"]
    state = position("uk", "purchase", clear=["united-kingdom", *planes, *seas], units=crowd, treasury={"uk": 30})
    found = bought(state, "uk")
    assert found.get("transport", 0) >= 2
    assert found.get("infantry", 0) == 0


def test_who_needs_ships() -> None:
    state = position("uk", "purchase")
    sight = look(state, "uk")
    assert is_cut_off(sight, "united-kingdom")
    assert not is_cut_off(look(state, "germany"), "germany")
    shipping = Shipping(sight, "united-kingdom")
    assert shipping.cycle == 1
    assert shipping.per_turn(3) == 6
    assert shipping.ferries == 3
    assert shipping.ferries_wanted(30) == 5


def test_a_stack_of_new_units_saves_what_single_ones_would_not() -> None:
    state = position(
        "ussr",
        "noncombat-move",
        clear=["karelia-ssr", "russia", "eastern-europe", "finland-norway", "ukraine-ssr", "germany"],
        units={
            "karelia-ssr": {"ussr": {"infantry": 4, "industrial-complex": 1, "aa-gun": 1}},
            "russia": {"ussr": {"infantry": 4, "industrial-complex": 1, "aa-gun": 1}},
            "eastern-europe": {"germany": {"infantry": 6, "armor": 3}},
        },
    )
    state = msgspec.structs.replace(state, pool={"infantry": 8})
    assert posting(look(state, "ussr"), style(4))["karelia-ssr"]["infantry"] >= 5


def test_heavy_bombers_raid_and_ordinary_ones_stay_away_from_guns() -> None:
    patch = {"clear": ["united-kingdom"], "units": {"united-kingdom": {"uk": {"bomber": 2, "infantry": 2}}}}
    plain = position("uk", "combat-move", treasury={"germany": 40}, **patch)
    assert not plan_raids(Scratch(WORLD, plain), look(plain, "uk"), style(4).raids)
    heavy = position("uk", "combat-move", technologies={"uk": ["heavy-bombers"]}, treasury={"germany": 40}, **patch)
    (step,) = plan_raids(Scratch(WORLD, heavy), look(heavy, "uk"), style(4).raids)
    assert format_order(step.orders[0]).endswith("as raid")
    assert step.gain is not None
    assert step.gain > 5


def test_nobody_raids_an_empty_treasury() -> None:
    patch = {"clear": ["united-kingdom"], "units": {"united-kingdom": {"uk": {"bomber": 2, "infantry": 2}}}}
    poor = {"germany": 0, "japan": 0}
    state = position("uk", "combat-move", technologies={"uk": ["heavy-bombers"]}, treasury=poor, **patch)
    assert not plan_raids(Scratch(WORLD, state), look(state, "uk"), style(4).raids)


def test_research_pays_for_the_rich_only() -> None:
    start = position("usa", "research")
    assert plan_research(look(start, "usa"), style(5)) is None
    lands = {s.id: "usa" for s in WORLD.spaces.values() if s.is_land and s.owner in ("uk", "ussr", "germany") and s.ipc}
    planes = {"eastern-usa": {"usa": {"bomber": 4, "fighter": 6, "infantry": 4}}}
    rich = position("usa", "research", clear="all", control=lands, units=planes, treasury={"usa": 100})
    step = plan_research(look(rich, "usa"), style(5))
    assert step is not None
    assert [format_order(o) for o in step.orders] == ["research 1"]


def test_troops_land_behind_the_battle_that_clears_the_zone() -> None:
    state = position(
        "usa",
        "combat-move",
        clear=["north-sea", "baltic-sea", "germany"],
        units={
            "north-sea": {"usa": {"transport": 2, "battleship": 2}},
            "baltic-sea": {"germany": {"transport": 1}},
            "germany": {"germany": {"infantry": 1, "industrial-complex": 1}},
        },
        cargo={"north-sea": {"usa": {"transport": [{"infantry": 2}, {"infantry": 2}]}}},
    )
    sight = look(state, "usa")
    mind = Mind(style=style(5), first="germany", keep_reserve=False)
    made, _ = Attack(sight, mind).plan(Scratch(WORLD, state))
    strikes = {strike.target: strike for strike in made}
    assert strikes["baltic-sea"].look.win > 0.9
    assert strikes["germany"].force() == {"infantry": 4}


def test_troops_aboard_count_once_for_a_shore_with_many_zones() -> None:
    state = position(
        "germany",
        "noncombat-move",
        clear=["north-sea", "west-spain-sea", "united-kingdom", "eastern-canada-sea", "western-mediterranean-sea"],
        units={"north-sea": {"uk": {"transport": 2}}},
        cargo={"north-sea": {"uk": {"transport": [{"infantry": 2}, {"infantry": 2}]}}},
    )
    coming = {unit: n for _, unit, n in look(state, "germany").threat("western-europe", "uk")}
    assert coming["infantry"] == 4


def test_planes_alone_fear_planes_that_could_not_take_the_land() -> None:
    state = position(
        "germany",
        "noncombat-move",
        clear=["libya", "anglo-egypt-sudan", "eastern-mediterranean-sea", "western-mediterranean-sea", "algeria"],
        units={
            "libya": {"germany": {"fighter": 1}},
            "anglo-egypt-sudan": {"uk": {"fighter": 4}},
        },
    )
    sight = look(state, "germany")
    danger = risk(sight, "libya", sight.ours("libya"))
    assert danger.chance == 0
    assert danger.cost > 2


def test_land_is_dearer_when_production_is_about_to_win() -> None:
    rich = dict.fromkeys(("india", "united-kingdom", "anglo-egypt-sudan", "karelia-ssr", "russia"), "germany")
    quiet = look(position("japan", "purchase"), "japan")
    close = look(position("japan", "purchase", control=rich), "japan")
    assert quiet.near_victory == 0
    assert 0 < close.near_victory <= 1
    assert future(close, style(5)) > future(quiet, style(5))
    assert future(close, style(4)) == future(quiet, style(4))


def test_nobody_attacks_at_a_loss_what_cannot_be_taken() -> None:
    state = position(
        "germany",
        "combat-move",
        clear="all",
        units={"libya": {"uk": {"infantry": 2}}, "southern-europe": {"germany": {"fighter": 1}}},
        control={"libya": "uk"},
    )
    sight = look(state, "germany")
    reckless = Attack(sight, Mind(style=style(5), greed_shift=-20.0, odds_shift=-1.0))
    assert reckless.judge("libya", {"fighter": 1}, (), True)[0] < 0
    assert "libya" in reckless.by_target
    strikes, _ = reckless.plan(Scratch(WORLD, state))
    assert "libya" not in {strike.target for strike in strikes}


def test_a_complex_in_danger_is_paid_for() -> None:
    state = position(
        "usa",
        "purchase",
        clear=["western-canada", "western-usa"],
        control={"western-canada": "japan"},
        treasury={"usa": 34},
        units={
            "western-canada": {"japan": {"infantry": 4, "armor": 2}},
            "western-usa": {"usa": {"infantry": 2, "industrial-complex": 1}},
        },
    )
    assert bought(state, "usa", stars=5).get("infantry", 0) >= 5


def test_a_plan_tells_where_the_army_is_bound() -> None:
    state = position("ussr", "purchase")
    plan = make("5star", 1).plan(WORLD, state)
    assert plan.aim in plan.explain()
    assert plan.aim.startswith("The aim is Germany, ")
    assert "march by" in plan.aim
    assert make("3star", 1).plan(WORLD, state).aim == ""


def test_who_would_wait_too_long_for_ships_walks() -> None:
    """Berlin has fallen, sixty men and three ships are in the west: the way to Tokyo leads over land."""
    state = position(
        "uk",
        "noncombat-move",
        clear="all",
        control={"germany": "uk", "eastern-europe": "uk", "western-europe": "uk", "ukraine-ssr": "uk"},
        units={
            "western-europe": {"uk": {"infantry": 60}},
            "west-spain-sea": {"uk": {"transport": 3}},
            "japan": {"japan": {"infantry": 10, "industrial-complex": 1}},
            "manchuria": {"japan": {"infantry": 2, "industrial-complex": 1}},
            "united-kingdom": {"uk": {"infantry": 2, "industrial-complex": 1}},
        },
    )
    time = look(state, "uk").time
    road = [time[s] for s in ("western-europe", "germany", "eastern-europe", "karelia-ssr", "russia", "manchuria")]
    assert road == sorted(road, reverse=True)
    assert time["panama"] > time["manchuria"]


def test_a_side_far_ahead_trades_at_a_loss() -> None:
    even = look(position("usa", "combat-move"), "usa")
    assert even.rate == 1.0
    taken = ("germany", "eastern-europe", "western-europe", "southern-europe", "manchuria", "china")
    alone = position(
        "usa",
        "combat-move",
        clear=["germany", "eastern-europe", "western-europe", "ukraine-ssr"],
        control=dict.fromkeys(taken, "uk"),
        treasury={"usa": 300, "uk": 300, "germany": 0, "japan": 0},
    )
    assert look(alone, "usa").rate > 1.5
    assert look(alone, "japan").rate == 1.0


def test_money_that_finds_no_room_makes_better_units() -> None:
    world = compile_world("anniversary-1941")
    state = patched_state(world, {"turn": "japan", "phase": "purchase", "treasury": {"japan": 80}})
    purchase = Purchase(Sight(world, state, "japan"), style(5))
    purchase.plan()
    assert purchase.money < 10


def test_nobody_builds_ships_on_a_lake() -> None:
    assert "caspian-sea" in look(position("ussr", "purchase"), "ussr").atlas.lakes
    assert "baltic-sea" not in look(position("ussr", "purchase"), "ussr").atlas.lakes


def test_openings_vary_with_the_seed() -> None:
    """Players of one level have tempers: a game is the same for the same seed, and seldom the same for another."""
    state = position("ussr", "combat-move")
    openings = [make("4star", seed).plan(WORLD, state).orders for seed in range(12)]
    assert len(set(openings)) >= 3
    assert make("4star", 3).plan(WORLD, state).orders == openings[3]


def test_a_temper_stays_within_its_level() -> None:
    level = style(5)
    assert tempered(level, "") is level
    for seed in range(50):
        temper = tempered(level, seed)
        assert abs(temper.least_odds - level.least_odds) <= 0.04
        assert isinstance(temper.planes, int)
        assert 0.49 < temper.armor / level.armor < 1.51
        assert temper.plans == level.plans
    assert len({tempered(level, seed) for seed in range(50)}) == 50


def test_a_battleship_that_stays_for_its_shot_is_not_sent_elsewhere() -> None:
    """Two landings could use the same ships: what the first takes is not counted again for the second."""
    lands = ["western-europe", "finland-norway", "germany", "southern-europe", "algeria", "libya", "eastern-europe"]
    held = [1, 2, 3, 3, 1, 6, 2]
    here, there = "western-mediterranean-sea", "black-sea"
    seas = [here, there, "baltic-sea", "central-mediterranean-sea", "north-sea", "west-spain-sea"]
    state = position(
        "uk",
        "combat-move",
        clear=[*lands, *seas],
        units={
            **{land: {"germany": {"infantry": n}} for land, n in zip(lands, held, strict=True)},
            here: {"uk": {"transport": 1, "battleship": 2}},
            there: {"uk": {"transport": 1}},
        },
        cargo={here: {"uk": {"transport": [{"armor": 1}]}}, there: {"uk": {"transport": [{"infantry": 2}]}}},
    )
    attack = Attack(look(state, "uk"), Mind(style=style(5)))
    strikes, _ = attack.plan(Scratch(WORLD, state))
    assert sum(group.passage is not None for strike in strikes for group, _ in strike.chosen) >= 2
    assert min(attack.free.values()) >= 0
