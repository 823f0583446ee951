"""What bots do with their money in Global 1940: it is spent on what fights, and on repairs that are worth it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.bases import paying_site
from sandtable.bots.battle_answers import training
from sandtable.bots.plan import Plan
from sandtable.bots.sight import Sight, with_wars_to_come
from sandtable.engine.legal import Legal
from sandtable.engine.state import Question, State
from sandtable.notation import format_order
from sandtable.notation.orders import Buy, Stay, Train
from sandtable.world.compile import compile_world

WORLD = compile_world("global-1940")


def position(turn: str, **patch: Any) -> State:
    return patched_state(WORLD, {"turn": turn, "phase": "purchase", **patch})


def planned(state: State, name: str = "4star") -> Plan:
    """What is bought when all research of the turn has been done."""
    return make(name).plan(WORLD, msgspec.structs.replace(state, advanced=tuple(WORLD.technologies)))


def left(state: State, power: str, plan: Plan) -> int:
    assert plan.state is not None
    return plan.state.treasury[power]


@pytest.mark.parametrize("name", ["3star", "4star", "5star"])
@pytest.mark.parametrize("power", ["germany", "ussr", "japan", "china", "uk", "italy"])
def test_income_is_spent_and_on_no_facilities_but_those_that_pay(power: str, name: str) -> None:
    state = position(power)
    plan = planned(state, name)
    bought = {spec.type for order in plan.orders if isinstance(order, Buy) for spec in order.units}
    assert bought
    sight = with_wars_to_come(WORLD, state, power)
    for unit in bought:
        kind = WORLD.units[unit]
        assert kind.domain != "facility" or (name == "5star" and paying_site(sight, kind) is not None)
    assert left(state, power, plan) <= 4


def test_a_power_at_peace_spends_what_it_may() -> None:
    state = msgspec.structs.replace(position("ussr"), budget=18)
    plan = planned(state)
    assert 14 <= 37 - left(state, "ussr", plan) <= 18


def test_a_rich_power_across_the_sea_builds_more_than_planes() -> None:
    plan = planned(position("usa", treasury={"usa": 120}))
    kinds = {s.type: s.count for order in plan.orders if isinstance(order, Buy) for s in order.units}
    ships = sum(n for unit, n in kinds.items() if WORLD.units[unit].domain == "sea")
    planes = sum(n for unit, n in kinds.items() if WORLD.units[unit].domain == "air")
    assert ships > planes
    assert kinds.get("transport")


def test_a_base_is_repaired_as_far_as_it_works_again() -> None:
    state = msgspec.structs.replace(position("germany"), damage={"western-germany": {"air-base": 5}})
    words = [format_order(order) for order in planned(state).orders]
    assert "repair western-germany air-base 3" in words


def test_a_base_that_works_is_left_as_it_is() -> None:
    state = msgspec.structs.replace(position("germany"), damage={"western-germany": {"air-base": 2}})
    assert not any("repair" in format_order(order) for order in planned(state).orders)


def test_pilots_are_kept_where_there_are_planes() -> None:
    state = msgspec.structs.replace(position("germany"), questions=(Question("training", "germany"),))
    assert isinstance(training(Sight(WORLD, state, "germany"), Legal(WORLD, state))[0], Train)
    bare = {s: {p: n for p, n in k.items() if WORLD.units[p.type].domain != "air"} for s, k in state.units.items()}
    bare_state = msgspec.structs.replace(state, units=bare)
    assert isinstance(training(Sight(WORLD, bare_state, "germany"), Legal(WORLD, bare_state))[0], Stay)


def test_who_has_planes_enough_opens_the_sea() -> None:
    """The United States with a crowd of planes at home buys ships, or nothing would ever cross."""
    units = {"eastern-united-states": {"usa": {"tactical-bomber": 20}}}
    plan = planned(position("usa", round=4, treasury={"usa": 80}, units=units))
    kinds = {s.type: s.count for order in plan.orders if isinstance(order, Buy) for s in order.units}
    assert not any(WORLD.units[unit].domain == "air" for unit in kinds)
    assert sum(n for unit, n in kinds.items() if WORLD.units[unit].attack and WORLD.units[unit].domain == "sea") >= 2
    assert sum(n for unit, n in kinds.items() if WORLD.units[unit].captures) >= 2  # who are to be carried


def test_a_wall_stands_where_it_saves_most() -> None:
    """London is in reach of an army with ships, Scotland is held by nobody worth an attack, Canada is far away."""
    state = position(
        "uk",
        clear="all",
        units={
            "united-kingdom": {"uk": {"infantry": 5, "fighter": 1, "minor-complex": 1, "air-base": 1}},
            "western-germany": {"germany": {"infantry": 6, "armor": 4, "tactical-bomber": 3}},
            "sz-112": {"germany": {"transport": 5, "battleship": 2, "destroyer": 2}},
            "quebec": {"uk": {"infantry": 4}},
        },
    )
    phase = WORLD.phases.index("mobilize")
    waiting = msgspec.structs.replace(state, phase=phase, pool={"fortification": 1}, questions=())
    orders = [format_order(order) for order in make("5star").plan(WORLD, waiting).orders]
    assert orders == ["place 1 fortification: united-kingdom"]
