"""Allies of different players ask before they share land (G40-POL-64): what moves, maps and opponents make of it."""

from __future__ import annotations

from sandtable.archive.position import patched_state
from sandtable.bots.scratch import Scratch
from sandtable.engine.facts import active
from sandtable.engine.game import Game
from sandtable.engine.questions import KINDS
from sandtable.notation import parse_order
from sandtable.world.compile import compile_world
from support.play import check_destinations

WORLD = compile_world("global-1940")
POSITION = {
    "clear": "all",
    "units": {"egypt": {"uk": {"infantry": 1, "fighter": 1}}},
    "control": {"trans-jordan": "france"},
    "turn": "uk",
    "phase": "noncombat-move",
}
MOVE = parse_order(WORLD, "move 1 infantry: egypt -> trans-jordan")


def new_game() -> Game:
    return Game(WORLD, start=patched_state(WORLD, POSITION))


def test_nothing_has_moved_until_the_owner_agrees() -> None:
    game = new_game()
    before = game.state.units
    game.play(MOVE)
    question = game.decision
    assert question is not None
    assert (question.power, question.kind, question.space) == ("france", "permit", "trans-jordan")
    assert KINDS[question.kind].wording(WORLD, game.state, question) == (
        "France: may units of United Kingdom share Trans-Jordan with you? (move 1 infantry: egypt -> trans-jordan)"
    )
    assert game.state.units == before
    assert game.legal.default() == parse_order(WORLD, "permit")


def test_the_map_shows_no_way_that_was_refused() -> None:
    game = new_game()
    game.play(MOVE)
    game.play("stay")
    assert "trans-jordan" not in game.legal.destinations("egypt", "infantry")
    assert "trans-jordan" in game.legal.destinations("egypt", "fighter")
    check_destinations(game, "egypt", "infantry")
    check_destinations(game, "egypt", "fighter")


def test_a_plan_counts_on_allies_until_one_has_refused() -> None:
    game = new_game()
    scratch = Scratch(WORLD, game.state)
    assert scratch.play(MOVE)
    game.play(MOVE)
    game.play("permit")
    assert scratch.state == game.state  # so that the plan goes on
    game = new_game()
    game.play(MOVE)
    game.play("stay")
    scratch = Scratch(WORLD, game.state)
    assert not scratch.play(parse_order(WORLD, "move 1 fighter: egypt -> trans-jordan"))
    assert scratch.play(parse_order(WORLD, "move 1 infantry: egypt -> anglo-egyptian-sudan"))


def test_a_plane_that_nobody_takes_in_is_lost() -> None:
    """It could land, and so has to, until the only land in range is closed to it."""
    units = {"denmark": {"uk": {"fighter": 1}, "germany": {"infantry": 1}}, "sz-81": {"uk": {"light-carrier": 1}}}
    lost = ("united-kingdom", "scotland", "normandy-bordeaux", "southern-france")
    control = dict.fromkeys(lost, "germany")
    game = Game(WORLD, start=patched_state(WORLD, {**POSITION, "units": units, "control": control}))
    end = parse_order(WORLD, "end")
    assert set(game.legal.destinations("denmark", "fighter")) == {"france"}
    refused = game.legal.why_not(end)
    assert refused is not None
    assert refused.reason == "planes-have-to-land"
    game.play("move 1 fighter: denmark -> france")
    game.play("stay")
    assert not game.legal.destinations("denmark", "fighter")
    game.play(end)
    assert all(piece.power != "uk" for piece in game.state.at("denmark"))


def test_next_turn_everything_may_be_asked_again() -> None:
    game = new_game()
    game.play(MOVE)
    game.play("stay")
    assert game.state.refused
    for _ in range(60):
        if active(WORLD, game.state) != "uk":
            break
        game.play(game.legal.default())
    assert not game.state.refused
