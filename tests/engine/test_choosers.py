"""Who names the victims: their owner, the shooter, or the die; and what hits can strike at all."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.archive import snapshot
from sandtable.engine.battle.hits import can_strike, matched
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import CasualtiesChosen, Lost
from sandtable.engine.game import Game
from sandtable.engine.questions import KINDS
from sandtable.engine.state import Hits
from sandtable.errors import Refusal
from sandtable.notation import parse_order
from sandtable.notation.orders import Target
from support.house_rules import house_game, house_world

PICKING = {"fighter": {"modifiers_add": [{"role": "attack", "picks": 1}]}}
HOUSE = house_world(units=PICKING)
POSITION = {
    "units": {
        "germany": {"germany": {"fighter": 2, "infantry": 1}},
        "eastern-europe": {"germany": {"infantry": 2}},
        "karelia-ssr": {"ussr": {"infantry": 2, "armor": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}


def attack(dice: list[int], planes: int = 1, infantry: int = 1) -> Game:
    game = house_game(HOUSE, POSITION, dice)
    game.play(f"move {planes} fighter: germany -> karelia-ssr")
    if infantry:
        game.play(f"move {infantry} infantry: eastern-europe -> karelia-ssr")
    game.play("end")
    return game


def test_the_shooter_names_the_victim_first() -> None:
    """The infantry's 1 is the owner's to settle, the fighter's 1 the attacker's, who takes the armor."""
    game = attack([1, 1, 6, 6, 6])
    asked = game.decision
    assert asked is not None
    assert (asked.kind, asked.power, asked.count) == ("target", "germany", 1)
    assert set(asked.units) == {("ussr", "infantry", 1), ("ussr", "armor", 1)}
    with pytest.raises(Refusal, match="first has to choose one enemy unit"):
        game.play("casualties 1 infantry")
    with pytest.raises(Refusal, match="must be named"):
        game.play("target 2 infantry")
    game.play("target 1 armor")
    # what is left to be hit is infantry only, so nobody is asked again
    chosen = [e for entry in game.entries for e in entry.events if isinstance(e, CasualtiesChosen)]
    assert [(e.power, [(p.type, n) for p, n in e.units]) for e in chosen[-2:]] == [
        ("germany", [("armor", 1)]),
        ("ussr", [("infantry", 1)]),
    ]


def test_other_hits_stay_with_the_owner() -> None:
    """A fighter's 2 or 3 is an ordinary hit."""
    game = attack([6, 3, 6, 6, 6])
    asked = game.decision
    assert asked is not None
    assert (asked.kind, asked.power) == ("casualties", "ussr")


def test_default_and_wording_of_the_target() -> None:
    game = attack([1, 1, 6, 6, 6])
    asked = game.decision
    assert asked is not None
    kind = KINDS["target"]
    assert kind.wording(game.world, game.state, asked) == "Germany: which enemy unit is hit in Karelia S.S.R.?"
    assert asked.answers == ("target",)
    default = game.legal.default()
    assert isinstance(default, Target)
    assert [spec.type for spec in default.units] == ["armor"]  # the dearest


def test_an_open_target_is_saved_and_loaded() -> None:
    game = attack([1, 1, 6, 6, 6])
    data = snapshot.to_data(game.state)
    assert snapshot.from_data(game.world, data) == game.state
    assert list(data["battle"]["hits"]) == [
        {"count": 1, "spared": []},
        {"count": 1, "chooser": "germany", "spared": []},
    ]


def test_whoever_picks_may_pick_transports() -> None:
    """Transports are lost last where their owner chooses; the shooter takes them out of their escort."""
    world = house_world("anniversary-1941", units={"fighter": {"modifiers_add": [{"role": "attack", "picks": 1}]}})
    position = {
        "units": {"france": {"germany": {"fighter": 1}}, "sz-7": {"uk": {"cruiser": 1}}},
        "cargo": {"sz-7": {"uk": {"transport": [{"armor": 1}]}}},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(world, position, [1, 6])
    game.play("move 1 fighter: france -> sz-7")
    game.play("end")
    game.play("target 1 transport")
    assert [p.type for p in game.state.at("sz-7") if p.power == "uk"] == ["cruiser"]
    ordinary = house_game(world, position, [3, 6])
    ordinary.play("move 1 fighter: france -> sz-7")
    ordinary.play("end")
    assert [p.type for p in ordinary.state.at("sz-7") if p.power == "uk"] != ["cruiser"]


def test_no_hit_is_wasted_by_the_choice() -> None:
    """Bombers here strike infantry only. The fighter may not take the last of them while the armor is there."""
    world = house_world(units={**PICKING, "bomber": {"hits_only": ["infantry"]}})
    position = {
        "units": {
            "germany": {"germany": {"fighter": 1, "bomber": 1}},
            "karelia-ssr": {"ussr": {"infantry": 1, "armor": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(world, position, [1, 4, 6, 6])
    game.play("move 1 fighter, 1 bomber: germany -> karelia-ssr")
    game.play("end")
    assert game.decision is not None
    assert game.decision.kind == "target"
    refused = game.legal.why_not(parse_order(world, "target 1 infantry"))
    assert refused is not None
    assert refused.reason == "hits-would-be-wasted"
    game.play("target 1 armor")
    assert not [p for p in game.state.at("karelia-ssr") if p.power == "ussr"]


def test_guns_that_strike_tanks_only() -> None:
    """A gun with `hits_only` cannot hit the infantry beside the tank, and fires at nothing when no tank is there."""
    world = house_world(units={"infantry": {"hits_only": ["armor"]}})
    position = {
        "units": {
            "germany": {"germany": {"armor": 1}},
            "eastern-europe": {"germany": {"infantry": 2}},
            "karelia-ssr": {"ussr": {"infantry": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(world, position, [])
    game.play("move 2 infantry: eastern-europe -> karelia-ssr")
    game.play("end")  # nobody can hit anybody: the attackers are lost
    assert not [p for p in game.state.at("karelia-ssr") if p.power == "germany"]


def test_every_die_has_its_plane() -> None:
    """Declared by a rule alone: the dice go to fighters, then bombers; the second die takes the bomber."""
    world = house_world(rules={"aa_targets": "each"})
    position = {
        "units": {
            "germany": {"germany": {"fighter": 1, "bomber": 1}},
            "karelia-ssr": {"ussr": {"infantry": 1, "aa-gun": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(world, position, [4, 1, 6, 6])
    game.play("move 1 fighter, 1 bomber: germany -> karelia-ssr")
    game.play("end")
    lost = [e for entry in game.entries for e in entry.events if isinstance(e, Lost)]
    assert [(e.reason, [p.type for p, _ in e.units]) for e in lost] == [("aa", ["bomber"])]


def test_a_random_game_with_picking_units_goes_on() -> None:
    """Whatever is asked, something can be answered."""
    picks = {"modifiers": [{"picks": 2}]}
    game = Game(house_world(units={"infantry": picks, "armor": picks, "fighter": picks}), dice=SeededDice(3))
    rng = random.Random(5)
    kinds = set()
    for _ in range(1500):
        asked = game.decision
        if asked is None:
            break
        kinds.add(asked.kind)
        game.play(game.legal.sample(rng))
    assert "target" in kinds


AIMS = st.tuples(
    st.sampled_from([(), ("air",), ("submarine",), ("sea", "infantry")]), st.sampled_from([(), ("land",), ("fighter",)])
)


@given(
    groups=st.lists(st.tuples(st.integers(1, 3), AIMS), min_size=1, max_size=3, unique_by=lambda g: g[1]),
    room=st.dictionaries(st.sampled_from(["infantry", "fighter", "submarine", "battleship"]), st.integers(1, 3)),
)
def test_as_many_hits_count_as_can_be_given_away(groups: list[tuple[int, Any]], room: dict[str, int]) -> None:
    """Trying every way to give the hits away finds no better one, and one as good."""
    hits = tuple(Hits(n, *aim) for n, aim in groups)

    def best(left: tuple[Hits, ...], free: dict[str, int]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        if first.count > 1:
            rest = (msgspec.structs.replace(first, count=first.count - 1), *rest)
        ways = [best(rest, free)]
        for unit, n in free.items():
            if n and can_strike(HOUSE, first, unit):
                ways.append(1 + best(rest, {**free, unit: n - 1}))
        return max(ways)

    assert matched(HOUSE, hits, room) == best(hits, room)
