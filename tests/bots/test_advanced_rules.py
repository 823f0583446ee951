"""Bots make use of advanced rules where these help, each in a position made for it."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.battles import army
from sandtable.bots.glance import weigh
from sandtable.bots.raids import plan_raids
from sandtable.bots.research import plan_aid
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import style
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.notation import format_order
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.choices import CLASSIC, fitting
from support.play import play_checked

SEAS = ["north-sea", "baltic-sea", "karelia-sea", "west-spain-sea", "eastern-canada-sea"]
AIRBORNE = compile_world("classic-1942", options={"airborne": True})
FIGHTERS = compile_world("classic-1942", options={"raid_interceptors": True, "raid_escorts": True})
HEAVY = {"uk": ["heavy-bombers"]}


def position(world: World, turn: str, phase: str, **patch: Any) -> State:
    return patched_state(world, {"turn": turn, "phase": phase, **patch})


def told(world: World, state: State, name: str = "4star") -> list[str]:
    return [format_order(order) for order in make(name).plan(world, state).orders]


def test_artillery_goes_with_infantry() -> None:
    world = compile_world("classic-1942", options={"artillery": True})
    state = position(world, "germany", "purchase", treasury={"germany": 60})
    assert "artillery" in " ".join(told(world, state, "3star"))
    same = position(CLASSIC, "germany", "purchase", treasury={"germany": 60})
    assert "armor" in " ".join(told(CLASSIC, same, "3star"))


def drop_zone(phase: str, **more: Any) -> State:
    """One man in Western Europe, a British bomber and infantry at home, and no ship."""
    return position(
        AIRBORNE,
        "uk",
        phase,
        clear=["united-kingdom", "western-europe", "germany", "finland-norway", *SEAS],
        units={
            "united-kingdom": {"uk": {"bomber": 2, "fighter": 3, "infantry": 6}},
            "western-europe": {"germany": {"infantry": 1}},
        },
        **more,
    )


@pytest.mark.parametrize("name", ["3star", "4star", "5star"])
def test_paratroopers_take_what_planes_alone_cannot(name: str) -> None:
    assert any(order.startswith("airborne") for order in told(AIRBORNE, drop_zone("research"), name))
    paid = msgspec.structs.replace(drop_zone("combat-move"), drops=2)
    assert any("western-europe" in order and order.endswith("as paradrop") for order in told(AIRBORNE, paid, name))


def test_nobody_pays_for_drops_without_a_use() -> None:
    walls = {"western-europe": {"germany": {"infantry": 20}}, "finland-norway": {"germany": {"infantry": 20}}}
    homes = {"germany": {"germany": {"infantry": 20}}, "eastern-europe": {"germany": {"infantry": 20}}}
    bomber = {"united-kingdom": {"uk": {"bomber": 1, "infantry": 2}}}
    clear = ["united-kingdom", *walls, *homes, *SEAS]
    state = position(AIRBORNE, "uk", "research", clear=clear, units={**walls, **homes, **bomber})
    assert not any(order.startswith("airborne") for order in told(AIRBORNE, state))


def raid(interceptors: int, escorts: int) -> State:
    return position(
        FIGHTERS,
        "uk",
        "combat-move",
        clear=["germany", "western-europe"],
        control={"western-europe": "uk"},
        units={
            "western-europe": {"uk": {"bomber": 3, "infantry": 9, "fighter": escorts}},
            "germany": {"germany": {"infantry": 20, "industrial-complex": 1, "fighter": interceptors}},
        },
        technologies=HEAVY,
        treasury={"germany": 60},
    )


def raids(state: State) -> list[str]:
    steps = plan_raids(Scratch(FIGHTERS, state), Sight(FIGHTERS, state, "uk"), style(4).raids)
    return [format_order(order) for step in steps for order in step.orders]


def test_raids_are_escorted_where_interceptors_stand() -> None:
    alone = raids(raid(0, 4))
    assert any(order.endswith("as raid") for order in alone)
    assert not any(order.endswith("as escort") for order in alone)
    assert any(order.endswith("as escort") for order in raids(raid(4, 6)))


def answer(interceptors: int, escorts: int) -> str:
    """What Germany says to a raid on Berlin."""
    game = Game(FIGHTERS, start=raid(interceptors, escorts))
    game.play("move 3 bomber: western-europe -> germany as raid")
    if escorts:
        game.play(f"move {escorts} fighter: western-europe -> germany as escort")
    game.play("end")
    question = game.decision
    assert question is not None
    assert question.kind == "intercept"
    return format_order(make("4star").decide(game.view(game.seat_of("germany")), game.legal, question))


def test_interceptors_go_up_by_the_odds() -> None:
    assert answer(4, 0).startswith("intercept")
    assert answer(1, 6) == "stay"


def test_lend_lease_goes_to_an_ally_in_danger() -> None:
    world = compile_world("classic-1942", options={"lend_lease": True})
    safe = position(world, "usa", "research", treasury={"usa": 40})
    assert plan_aid(Sight(world, safe, "usa"), style(4)) is None
    horde = {"russia": {"ussr": {"infantry": 3}}, "novosibirsk": {"japan": {"infantry": 12, "armor": 8}}}
    danger = position(
        world, "usa", "research", clear=list(horde), control={"novosibirsk": "japan"}, units=horde, treasury={"usa": 40}
    )
    assert "lend-lease" in told(world, danger)


def test_land_by_which_a_game_is_won_is_worth_more() -> None:
    """Germany lacks two of five; Britain would rather not let it have them."""
    world = compile_world("classic-1942", options={"alternate_victory": True})
    taken = ["karelia-ssr", "caucasus", "syria-iraq"]
    state = position(world, "germany", "combat-move", clear=taken, control=dict.fromkeys(taken, "germany"))
    worth = {power: Sight(world, state, power).land_to_win for power in ("germany", "uk")}
    assert worth["germany"]["gibraltar"] == worth["germany"]["persia"] > 0
    assert worth["uk"]["gibraltar"] > 0
    assert worth["uk"]["united-kingdom"] > worth["uk"]["gibraltar"]
    assert not Sight(CLASSIC, position(CLASSIC, "germany", "combat-move"), "germany").land_to_win


def test_who_is_bound_by_a_pact_still_fears_who_is_not() -> None:
    world = compile_world("classic-1942", options={"russo_japanese_pact": True})
    both, alone = (
        Sight(world, Game(world, start=position(world, "ussr", "combat-move", **pact)).state, "ussr")
        for pact in ({}, {"pact": {"released": ["japan"]}})
    )
    assert "japan" not in both.enemies
    assert "japan" in alone.enemies
    assert "japan" not in alone.foes
    assert not alone.threat("novosibirsk", "japan")  # that is safe from Japan for good
    assert alone.threat("soviet-far-east", "japan")


def test_air_battles_are_part_of_a_glance() -> None:
    """Four bombers and three infantry would beat two infantry and four fighters, but for the air battle."""
    attack, defense = army("germany", {"bomber": 4, "infantry": 3}), army("ussr", {"fighter": 4, "infantry": 2})
    cases: list[tuple[dict[str, bool], float, float]] = [({}, 0.5, 1.0), ({"air_battles_land": True}, 0.0, 0.25)]
    for options, low, high in cases:
        world = compile_world("classic-1942", options=options)
        look = weigh(world, position(world, "germany", "combat-move"), attack, defense)
        assert low <= look.win <= high


@pytest.mark.parametrize("seed", range(4))
def test_games_with_some_advanced_rules(seed: int) -> None:
    """Half a dozen of them at a time, by chance; nobody is at a loss for an answer."""
    rng = random.Random(seed)
    advanced = [option.key for option in CLASSIC.option_list if option.group == "advanced"]
    chosen = fitting(CLASSIC.option_list, dict.fromkeys(rng.sample(advanced, 6), True))
    game = Game.new("classic-1942", options=chosen, seed=seed)
    bots = {power: make(rng.choice(["3star", "4star"]), power) for power in game.world.powers}
    for _ in range(1500):
        question = game.decision
        if question is None or game.state.round > 2:
            break
        order = bots[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question)
        play_checked(game, order)
    assert game.state.round > 2 or game.state.over, chosen
