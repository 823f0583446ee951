"""Wars that are declared, peace beside them, and land and sea that a rule closes: the scratch game with `diplomacy`."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.engine.events import WarDeclared
from sandtable.engine.game import Game
from sandtable.engine.relations import allied, at_war, leaning, stance
from sandtable.errors import Refusal
from support.scratch import scratch_world

WORLD = scratch_world(diplomacy=True)


def game(turn: str, phase: str = "combat-move", number: int = 1, **patch: Any) -> Game:
    return Game(WORLD, start=patched_state(WORLD, {"turn": turn, "phase": phase, "round": number, **patch}))


def refused(playing: Game, order: str) -> Refusal:
    with pytest.raises(Refusal) as error:
        playing.play(order)
    return error.value


def test_the_scenario_says_who_is_at_war() -> None:
    state = game("red").state
    assert at_war(WORLD, state, "red", "blue")
    assert stance(WORLD, state, "red", "green") == "peace"
    assert stance(WORLD, state, "red", "orange") == "peace", "a power at peace belongs to no side yet"
    assert allied(WORLD, state, "red", "red")


def test_fixed_sides_keep_nothing_in_the_state() -> None:
    assert Game(scratch_world()).state.stances is None


def test_a_declaration_needs_its_condition_and_says_what_is_missing() -> None:
    told = refused(game("orange"), "declare war on blue")
    assert told.reason == "declaration-barred"
    assert "round 2" in told.text


def test_a_declaration_makes_enemies_and_allies() -> None:
    playing = game("orange", number=2)
    (event,) = [e for e in playing.play("declare war on green") if isinstance(e, WarDeclared)]
    assert event.pairs == (("green", "orange"),)
    state = playing.state
    assert at_war(WORLD, state, "green", "orange")
    assert allied(WORLD, state, "orange", "red"), "both are at war with somebody now"
    assert stance(WORLD, state, "green", "red") == "peace", "a war with one is no war with the other"
    assert allied(WORLD, state, "green", "blue")


def test_others_are_drawn_in() -> None:
    playing = game("green", number=2)
    playing.play("declare war on red")
    assert at_war(WORLD, playing.state, "green", "orange")


def test_what_happened_can_open_a_war() -> None:
    """Green may join before its time once Blueport has fallen."""
    playing = game("red", clear="all", units={"bluemarch": {"red": {"infantry": 1}}}, control={"bluemarch": "red"})
    playing.play("move 1 infantry: bluemarch -> blueport")
    for _ in range(60):
        if playing.decision is not None and (playing.decision.power, playing.decision.kind) == ("green", "combat-move"):
            break
        playing.play(playing.legal.default())
    assert playing.state.round == 1
    playing.play("declare war on red")


def test_war_is_declared_before_the_first_move_and_once() -> None:
    playing = game("orange", number=2)
    playing.play("declare war on blue")
    assert refused(playing, "declare war on blue").reason == "at-war-already"
    playing.play("move 1 battleship: south-sea -> middle-sea")
    assert refused(playing, "declare war on green").reason == "declaration-too-late"
    assert refused(playing, "declare war on red").reason == "no-declaration"


def test_land_at_peace_is_closed_and_cannot_be_attacked() -> None:
    told = refused(game("red", units={"redmarch": {"red": {"armor": 1}}}), "move 1 armor: redmarch -> orangeland")
    assert told.reason == "land-at-peace"
    assert refused(game("red", "noncombat-move"), "move 1 infantry: redmarch -> orangeland").reason == "land-at-peace"
    patch = {"units": {"moor": {"red": {"infantry": 1}}}, "control": {"moor": "red"}}
    assert refused(game("red", **patch), "move 1 infantry: moor -> greenfield").reason == "land-at-peace"
    assert refused(game("red", **patch), "move 1 fighter: redport -> redmarch -> moor -> greenfield").reason


def test_ships_at_peace_share_a_zone_and_stay_out_of_battles() -> None:
    playing = Game(
        WORLD,
        start=patched_state(
            WORLD,
            {
                "clear": "all",
                "units": {
                    "north-sea": {"red": {"submarine": 1}},
                    "middle-sea": {"blue": {"transport": 1}, "green": {"battleship": 1}},
                },
                "turn": "red",
                "phase": "combat-move",
            },
        ),
        dice=None,
        seed=3,
    )
    playing.play("move 1 submarine: north-sea -> middle-sea")
    playing.play("end")
    while playing.state.battle is not None:
        question = playing.decision
        assert question is not None
        assert question.power in ("red", "blue")
        playing.play(playing.legal.default())
    assert any(piece.power == "green" for piece in playing.state.at("middle-sea"))


def test_a_rule_closes_the_sea_until_war() -> None:
    told = refused(game("orange"), "move 1 battleship: south-sea -> middle-sea")
    assert told.reason == "closed-by-a-rule"
    assert told.text == "Orange units stay out of the Middle Sea in peace."
    playing = game("orange", number=2)
    playing.play("declare war on blue")
    playing.play("move 1 battleship: south-sea -> middle-sea")


def test_wars_are_saved_and_loaded() -> None:
    from sandtable.archive.snapshot import from_data, to_data

    playing = game("orange", number=2)
    playing.play("declare war on green")
    assert from_data(WORLD, to_data(playing.state)) == playing.state


LEANING = scratch_world(leaning_neutrals=True)
AFLOAT = {"clear": "all", "units": {"middle-sea": {"red": {"transport": 1}}}}
AFLOAT["cargo"] = {"middle-sea": {"red": {"transport": [{"infantry": 1}]}}}


def test_a_neutral_joins_those_to_whom_it_leans() -> None:
    playing = Game(LEANING, start=patched_state(LEANING, {**AFLOAT, "turn": "red", "phase": "noncombat-move"}))
    playing.play("move 1 infantry: middle-sea -> isle")
    assert "isle" not in playing.state.owners, "it joins when the quiet move is over"
    playing.play("end")
    assert playing.state.owners["isle"] == "red"
    assert sum(playing.state.at("isle").values()) == 2, "its army stands beside the infantry that landed"
    assert refused(playing, "move 1 infantry: isle -> middle-sea"), "and moves next turn only"


def test_a_leaning_neutral_is_not_attacked() -> None:
    playing = Game(LEANING, start=patched_state(LEANING, {**AFLOAT, "turn": "red", "phase": "combat-move"}))
    assert refused(playing, "move 1 infantry: middle-sea -> isle").reason == "leaning-land-in-combat-move"


def test_the_other_side_gets_nothing_by_walking_in() -> None:
    patch = {"clear": "all", "units": {"middle-sea": {"blue": {"transport": 1}}}}
    patch["cargo"] = {"middle-sea": {"blue": {"transport": [{"infantry": 1}]}}}
    playing = Game(LEANING, start=patched_state(LEANING, {**patch, "turn": "blue", "phase": "noncombat-move"}))
    assert refused(playing, "move 1 infantry: middle-sea -> isle").reason == "unfriendly-coast-in-noncombat"


def test_a_violated_strict_neutral_turns_the_others() -> None:
    start = patched_state(LEANING, {"turn": "red", "phase": "combat-move"})
    playing = Game(LEANING, start=msgspec.structs.replace(start, leanings={"isle": "strict"}))
    playing.play("move 1 infantry: redmarch -> moor")
    assert leaning(LEANING, playing.state, "isle") == "pro-west"
    assert playing.state.owners["moor"] == "red"
