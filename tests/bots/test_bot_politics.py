"""When bots go to war where wars are declared."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.politics import NEEDED, best_case, is_coming, offended, plan_wars
from sandtable.bots.scratch import Scratch
from sandtable.bots.style import STYLES, style
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.notation import format_order
from sandtable.notation.orders import Declare
from sandtable.world.compile import compile_world

WORLD = compile_world("global-1940")
HORDE = {"poland": {"germany": {"infantry": 20, "artillery": 6, "armor": 10}}}
GUARD = {"baltic-states": {"ussr": {"infantry": 30, "armor": 12}}, "eastern-poland": {"ussr": {"infantry": 30}}}


def position(turn: str, **patch: Any) -> State:
    return patched_state(WORLD, {"turn": turn, "phase": "combat-move", **patch})


def wars(state: State, power: str, stars: int = 3) -> list[str]:
    return [format_order(o) for step in plan_wars(Scratch(WORLD, state), power, style(stars)) for o in step.orders]


def test_germany_waits_while_france_stands_and_trade_pays() -> None:
    assert wars(position("germany"), "germany") == []


def test_germany_strikes_before_the_soviet_union_can() -> None:
    state = position("germany", round=4, units=HORDE)
    assert is_coming(WORLD, state, "ussr", "germany")
    assert not is_coming(WORLD, position("germany", round=2), "ussr", "germany")
    assert "declare war on ussr" in wars(state, "germany")


def test_germany_needs_no_pretext_when_it_is_far_stronger() -> None:
    assert "declare war on ussr" in wars(position("germany", round=3, units=HORDE), "germany", 4)


def test_the_soviet_union_does_not_begin_what_it_would_lose() -> None:
    assert "declare war on germany" not in wars(position("ussr", round=4, units=HORDE), "ussr")


def test_the_soviet_union_begins_when_it_is_stronger() -> None:
    assert "declare war on germany" in wars(position("ussr", round=4, units=GUARD), "ussr")


def test_nobody_gives_the_united_states_a_reason() -> None:
    """War on the British Empire in the first round would bring the United States in two rounds sooner."""
    early = wars(position("japan"), "japan")
    assert not {"declare war on uk", "declare war on anzac", "declare war on usa"} & set(early)


def test_who_would_be_given_a_reason_to_fight_or_lose_one() -> None:
    assert offended(WORLD, position("japan"), "japan", "uk") == ["usa"]
    assert offended(WORLD, position("uk"), "uk", "japan") == ["usa"]
    assert offended(WORLD, position("japan", round=3), "japan", "uk") == []  # it is about to join anyway


def test_japan_strikes_when_the_united_states_is_about_to_join() -> None:
    found = wars(position("japan", round=3), "japan", 4)
    assert {"declare war on uk", "declare war on anzac", "declare war on usa"} & set(found)


def test_the_united_states_joins_as_soon_as_it_may() -> None:
    assert "declare war on germany" in wars(position("usa", round=4), "usa")


def test_britain_leaves_the_first_step_to_japan() -> None:
    """A British declaration would take away the American reason to fight for them."""
    assert wars(position("uk"), "uk") == []


@pytest.mark.parametrize("name", ["3star", "4star-bold"])
def test_a_plan_tells_why_war_is_declared(name: str) -> None:
    plan = make(name).plan(WORLD, position("germany", round=4, units=HORDE))
    assert "Declare war on Soviet Union: " in plan.explain()
    assert format_order(plan.orders[0]).startswith("declare")


def test_cautious_bots_ask_for_more() -> None:
    state = position("germany", round=4, units=HORDE)
    values = {name: best_case(state, WORLD, "germany", style(3, name)) for name in STYLES}
    assert values["bold"] is not None
    assert values["cautious"] is None or values["cautious"].value >= NEEDED + style(3, "cautious").greed
    quiet = {"control": {"yugoslavia": "germany", "greece": "germany", "france": "germany"}, "clear": ["france"]}
    narrow = position("germany", round=5, units={"poland": {"germany": {"infantry": 4, "armor": 2}}}, **quiet)
    cases = [best_case(narrow, WORLD, "germany", style(3, name)) for name in STYLES]
    assert [case is not None for case in cases] == sorted(case is not None for case in cases)


def test_a_short_global_game() -> None:
    """The third round, when most wars begin: everybody has an answer to everything, and somebody goes to war."""
    game = Game(WORLD, start=patched_state(WORLD, {"turn": "germany", "phase": "purchase", "round": 3}), seed=3)
    bots = {power: make("3star", power) for power in WORLD.powers}
    declared = []
    for _ in range(900):
        question = game.decision
        if question is None or game.state.round > 3:
            break
        order = bots[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question)
        declared += [question.power] if isinstance(order, Declare) else []
        game.play(order)
    assert game.state.round > 3
    assert "usa" in declared or "japan" in declared
