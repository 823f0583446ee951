"""A kind of battle is what its record says: small worlds in which kinds are declared otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine.battle.ending import ENDINGS
from sandtable.engine.battle.opening import choices, pending
from sandtable.engine.battle.steps import STEPS, steps_of_round
from sandtable.engine.game import Game
from sandtable.world.compile import compile_world
from support.house_rules import house_game, house_world

RAID = {
    "units": {
        "germany": {"germany": {"bomber": 1, "infantry": 1, "armor": 1}},
        "eastern-europe": {"germany": {"infantry": 3}},
        "karelia-ssr": {"ussr": {"infantry": 1, "industrial-complex": 1}},
        "ukraine-ssr": {"ussr": {"infantry": 1}},
    },
    "control": {"ukraine-ssr": "ussr"},
    "treasury": {"ussr": 20},
    "turn": "germany",
    "phase": "combat-move",
}


def raid(dice: list[int], **kinds: Any) -> Game:
    game = house_game(house_world(battles=kinds or None), RAID, dice)
    game.play("move 1 bomber: germany -> karelia-ssr as raid")
    game.play("move 3 infantry: eastern-europe -> ukraine-ssr")
    game.play("end")
    return game


def test_raids_come_first_and_are_not_fought_over() -> None:
    game = raid([5, 1, 6, 6, 6])
    assert game.state.treasury["ussr"] == 15
    assert game.state.fought == ("ukraine-ssr",)


def test_a_raid_that_is_chosen_like_a_battle() -> None:
    game = raid([], raid={"first": False, "counts": True})
    found = choices(game.world, game.state, "germany")
    assert [(p.space, p.kind) for p in found] == [("karelia-ssr", "raid"), ("ukraine-ssr", "land")]


def test_a_battle_of_one_round() -> None:
    """Without repetition the battle passes after its last step, and both stay."""
    steps = ["attackers-fire", "defenders-fire", "remove-casualties"]
    game = raid([5, 6, 6, 6, 6], land={"steps": steps, "repeats": False})
    assert game.state.battle is None
    assert {p.power for p in game.state.at("ukraine-ssr")} == {"germany", "ussr"}


def test_land_is_taken_by_the_ending_alone() -> None:
    """Two of three infantry hit, and the defender's miss: whether the land falls is what the kind says."""
    taken = raid([5, 1, 1, 6, 6])
    assert taken.state.owners["ukraine-ssr"] == "germany"
    spared = raid([5, 1, 1, 6, 6], land={"ending": []})
    assert spared.state.owners["ukraine-ssr"] == "ussr"


@pytest.mark.parametrize(("what", "left"), [("lost", 0), ("stay", 3)])
def test_a_stalemate(what: str, left: int) -> None:
    world = house_world(units={"infantry": {"attack": 0, "defense": 0}}, battles={"land": {"stalemate": what}})
    game = house_game(world, RAID, [])
    game.play("move 3 infantry: eastern-europe -> ukraine-ssr")
    game.play("end")
    assert sum(n for p, n in game.state.at("ukraine-ssr").items() if p.power == "germany") == left


def test_every_kind_names_known_steps_and_endings() -> None:
    for scenario in ("classic-1942", "anniversary-1941"):
        world = compile_world(scenario)
        for kind in world.battles.values():
            assert set(kind.steps) <= set(STEPS)
            assert set(kind.ending) <= set(ENDINGS)
        assert not pending(world, Game(world).state, world.order[0])


def test_steps_of_later_rounds() -> None:
    steps = compile_world("classic-1942").battles["land"].steps
    assert steps_of_round(steps, 1) == list(steps)
    assert steps_of_round(steps, 2) == [s for s in steps if s not in ("aa-fire", "support-shot")]


def test_only_battles_that_clear_the_sea_are_costly() -> None:
    """An attacker who loses troops on land thinks no landing over."""
    position = {
        "units": {"poland": {"germany": {"infantry": 2}}, "east-poland": {"ussr": {"infantry": 1}}},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(compile_world("anniversary-1941"), position, [6, 6, 1])
    game.play("move 2 infantry: poland -> east-poland")
    game.play("end")
    assert game.decision is not None
    assert game.decision.kind == "retreat"
    assert game.state.costly == ()
