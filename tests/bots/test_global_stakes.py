"""What five stars knows of Global 1940 beside armies: fortifications, bonuses, air combat, convoys, bases, research."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.bots.bases import paying_site
from sandtable.bots.battles import army, expect
from sandtable.bots.convoys import plunder
from sandtable.bots.front import goals
from sandtable.bots.glance import weigh
from sandtable.bots.neutrals import defenders, to_conquer, to_join
from sandtable.bots.projects import plan_project
from sandtable.bots.sight import Sight
from sandtable.bots.skies import meet, risers
from sandtable.bots.stakes import bonus, theatre
from sandtable.bots.style import style
from sandtable.engine.state import State
from sandtable.world.compile import compile_world

WORLD = compile_world("global-1940")


def position(turn: str, **patch: Any) -> State:
    return patched_state(WORLD, {"turn": turn, "phase": "combat-move", **patch})


def seen(turn: str, **patch: Any) -> Sight:
    return Sight(WORLD, position(turn, **patch), turn)


START = position("germany")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"infantry": 12, "artillery": 4}, {"infantry": 4, "fortification": 1}),
        ({"infantry": 6}, {"infantry": 2, "fortification": 1}),
        ({"infantry": 8}, {"fortification": 1}),
    ],
)
def test_a_fortification_at_a_glance_is_what_the_engine_makes_of_it(
    ours: dict[str, int], theirs: dict[str, int]
) -> None:
    force, garrison = army("germany", ours), army("france", theirs)
    glance, played = weigh(WORLD, START, force, garrison), expect(WORLD, START, force, garrison)
    assert glance.win == pytest.approx(played.win, abs=0.2)
    assert glance.attacker_loss == pytest.approx(played.attacker_loss, abs=4.0)
    bare = weigh(WORLD, START, force, tuple(item for item in garrison if item[1] != "fortification"))
    assert bare.attacker_loss < glance.attacker_loss - 2


def test_bonuses_change_hands_with_land() -> None:
    """Egypt's fall, with a German in it, pays Germany five and costs Britain its bonus for the whole Empire."""
    assert bonus(seen("germany"), "egypt", "germany") >= 10
    assert bonus(seen("uk"), "egypt", "italy") <= -5  # Germans would have to come along for more
    assert bonus(seen("germany"), "switzerland", "germany") == 0


def test_an_attack_that_ends_trade_costs_its_bonus() -> None:
    peace = seen("japan", at_war=[["japan", "france"]])
    assert bonus(peace, "french-indo-china", "japan") <= -10


def test_a_step_towards_a_bonus_counts_a_part_of_it() -> None:
    sight = seen("japan", round=5, at_war=[["japan", "uk"], ["japan", "anzac"], ["japan", "usa"]])
    near = seen("japan", round=5, at_war=[["japan", "uk"], ["japan", "anzac"], ["japan", "usa"]],
                control={"java": "japan", "sumatra": "japan"})  # fmt: skip
    assert 0 < bonus(sight, "celebes", "japan") < bonus(near, "celebes", "japan") < 5


def test_cities_of_a_theatre_are_goals_and_dearer_near_the_end() -> None:
    sight = seen("japan", round=5, at_war=[["japan", "uk"], ["japan", "usa"], ["japan", "anzac"]])
    near = seen("japan", round=5, at_war=[["japan", "uk"], ["japan", "usa"], ["japan", "anzac"]],
                control={"kwangtung": "japan", "philippines": "japan", "india": "japan"})  # fmt: skip
    assert {"india", "hawaiian-islands", "kwangtung"} <= set(goals(sight))
    far, last = theatre(sight, "hawaiian-islands"), theatre(near, "hawaiian-islands")
    assert far is not None
    assert last is not None
    assert last > 2 * far
    assert theatre(sight, "guam") is None


def test_neutrals_that_wait_and_those_that_may_be_attacked() -> None:
    assert {"bulgaria", "finland"} <= set(to_join(WORLD, START, "germany"))
    assert {"yugoslavia", "greece"} <= set(to_conquer(WORLD, START, "germany"))
    assert not {"sweden", "turkey"} & {*to_join(WORLD, START, "germany"), *to_conquer(WORLD, START, "germany")}
    assert to_join(WORLD, position("usa"), "usa") == ()  # it is at peace
    assert sum(n for _, _, n in defenders(WORLD, START, "yugoslavia")) == 5


def test_planes_meet_before_the_battle() -> None:
    few, many = army("germany", {"tactical-bomber": 2, "infantry": 5}), army("uk", {"fighter": 8, "infantry": 2})
    meeting = meet(WORLD, START, few, many)
    assert meeting is not None
    assert meeting.our_loss > meeting.their_loss
    assert not any(unit == "tactical-bomber" for _, unit, _ in meeting.ours)
    assert ("germany", "infantry", 5) in meeting.ours
    assert meet(WORLD, START, army("germany", {"infantry": 3}), many) is None


def test_as_many_rise_as_bases_send_up() -> None:
    units = {"united-kingdom": {"uk": {"air-base": 1, "fighter": 7, "infantry": 1}}}
    assert risers(seen("germany", clear="all", units=units), "sz-109") == (("uk", "fighter", 3),)
    broken = {"damage": {"united-kingdom": {"air-base": 3}}}
    assert risers(seen("germany", clear="all", units=units, **broken), "sz-109") == ()


def test_convoys_of_enemies_only() -> None:
    sight = seen("germany", clear="all")
    assert plunder(sight, "sz-106", "germany", "submarine", 1) == pytest.approx(2.0)
    assert plunder(sight, "sz-106", "germany", "submarine", 9) <= 3  # no more than the coast is worth
    assert plunder(sight, "sz-101", "germany", "submarine", 1) == 0  # the United States are at peace
    assert plunder(sight, "sz-106", "germany", "transport", 1) == 0


def test_bases_pay_early_and_on_islands_only() -> None:
    base = WORLD.units["air-base"]
    site = paying_site(seen("uk"), base)
    assert site is not None
    assert WORLD.spaces[site].island
    assert paying_site(seen("uk", round=9), base) is None
    assert paying_site(seen("ussr"), base) is None


def test_research_while_it_can_pay() -> None:
    step = plan_project(seen("germany", phase="purchase"), style(5))
    assert step is not None
    assert "General Production" in step.reason
    assert plan_project(seen("germany", phase="purchase", round=11), style(5)) is None
    assert plan_project(seen("germany", phase="purchase", treasury={"germany": 5}), style(5)) is None


def test_bases_carry_danger_farther() -> None:
    """Transports off Gibraltar's naval base reach Rome in one turn, fighters of an air base a space farther."""
    units = {
        "sz-91": {"uk": {"transport": 2, "destroyer": 2}},
        "morocco": {"uk": {"infantry": 4}},
        "gibraltar": {"uk": {"naval-base": 1}},
        "southern-italy": {"italy": {"infantry": 1}},
    }
    control = {"morocco": "uk"}
    sight = seen("italy", clear="all", units=units, control=control)
    assert ("uk", "infantry", 4) in sight.threat("southern-italy", "uk")
    broken = seen("italy", clear="all", units=units, control=control, damage={"gibraltar": {"naval-base": 3}})
    assert broken.threat("southern-italy", "uk") == ()
