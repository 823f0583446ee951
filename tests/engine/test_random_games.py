"""Long random games under any options and edits: everything that must always hold, after every order.

`SANDTABLE_HYPOTHESIS=searching pytest tests/engine` looks for new games each time instead of repeating the same ones.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, note, settings

from sandtable.engine.game import Game
from sandtable.errors import Refusal
from sandtable.notation import format_order
from support import choices
from support.laws import check_state, check_step
from support.play import EVERYWHERE, play_on, probe_on
from support.positions import game_at, random_patch


def retell(game: Game) -> str:
    """The game so far, for a failure's report."""
    return "\n".join(format_order(entry.order) for entry in game.entries)


@settings(max_examples=20)
@given(seed=choices.seeds, options=choices.options(), edits=choices.edits())
def test_games_from_the_start(seed: int, options: dict[str, Any], edits: dict[str, Any]) -> None:
    """The opening is lawful, and so is each order; a fresh game with the same seed and orders is the same game."""
    game = Game.new(options=options, edits=edits, seed=seed)
    check_state(game.world, game.state)
    check_step(game.world, game.start, game.opening.events, game.opening.state, game.opening.faces)
    rng = random.Random(seed)
    try:
        play_on(game, rng, 150)
    except BaseException:
        note(retell(game))
        raise
    check_replay(game, options, edits)


def check_replay(game: Game, options: dict[str, Any], edits: dict[str, Any]) -> None:
    again = Game.new(options=options, edits=edits, seed=game.seed)
    assert again.state.digest() == game.opening.state.digest()
    for entry in game.entries:
        power = again.decision.power if again.decision else None
        events = again.play(format_order(entry.order))
        mine = again.entries[-1]
        assert (power, events, mine.faces) == (entry.power, entry.events, entry.faces)
        assert mine.state == entry.state
        assert mine.state.digest() == entry.state.digest()
    assert hash(again.state) == hash(game.state)


@settings(max_examples=40)
@given(seed=choices.seeds, options=choices.options())
def test_odd_positions(seed: int, options: dict[str, Any]) -> None:
    """Crowded, shared and captured places: laws hold, `legal` and `play` agree, `destinations` tells the truth."""
    rng = random.Random(seed)
    world = choices.world_with(options)
    patch = random_patch(world, rng)
    game = game_at(world, patch, seed)
    try:
        probe_on(game, rng, 30)
    except BaseException:
        note(f"position: {patch}\n{retell(game)}")
        raise


@settings(max_examples=40)
@given(seed=choices.seeds, options=choices.options(), edits=choices.edits())
def test_odd_positions_with_edited_units(seed: int, options: dict[str, Any], edits: dict[str, Any]) -> None:
    rng = random.Random(seed)
    world = choices.world_with(options, {k: v for k, v in edits.items() if k != "setup"})
    patch = random_patch(world, rng)
    game = game_at(world, patch, seed)
    try:
        play_on(game, rng, 40)
    except BaseException:
        note(f"position: {patch}\n{retell(game)}")
        raise


@settings(max_examples=30)
@given(seed=choices.seeds, options=choices.options())
def test_undo_takes_back_exactly_one_order(seed: int, options: dict[str, Any]) -> None:
    """After an order without dice in the same phase undo gives the very state before; otherwise it changes nothing."""
    rng = random.Random(seed)
    world = choices.world_with(options)
    game = game_at(world, random_patch(world, rng, phase="combat-move"), seed)
    undone = 0
    for _ in range(40):
        if game.decision is None:
            break
        before, length = game.state, len(game.entries)
        order = game.legal.sample(rng)
        game.play(order)
        after, entry = game.state, game.entries[-1]
        same_phase = (before.round, before.turn, before.phase) == (after.round, after.turn, after.phase)
        try:
            game.undo()
        except Refusal:
            assert game.state is after
            assert len(game.entries) == length + 1
            assert not same_phase or entry.faces or before.battle or after.battle, "this could have been taken back"
            continue
        undone += 1
        assert not entry.faces, "dice are never rolled again"
        assert game.state is before
        assert len(game.entries) == length
        game.play(order)
        assert game.state == after
        assert game.entries[-1] == entry
    assert undone or game.state.over


@settings(max_examples=10)
@given(seed=choices.seeds)
def test_time_machine_shows_every_state_again(seed: int) -> None:
    rng = random.Random(seed)
    game = Game.new(seed=seed)
    for _ in range(60):
        game.play(game.legal.sample(rng))
    states = [game.opening.state, *(entry.state for entry in game.entries)]
    for place in rng.sample(range(len(states)), 20):
        game.go_to(place)
        assert game.state is states[place]
    game.go_to(len(states) - 1)
    for unit in ("phase", "turn", "round", "order"):
        while game.step(unit, -1):
            pass
        assert game.cursor == 0
        while game.step(unit, +1):
            pass
        assert game.state is states[-1]
    game.go_to(10)
    game.play(game.legal.sample(rng))
    assert len(game.entries) == 11, "playing from the past drops what came later"


def test_random_games_meet_every_question() -> None:
    """The games above mean little if they never come to the rare questions."""
    met: set[str] = set()
    for seed in range(40):
        rng = random.Random(seed)
        world = choices.world_with({"attacking_submarines_submerge": bool(seed % 2)})
        patch = random_patch(world, rng)
        if seed % 4 == 3:  # a quiet turn of somebody with rockets
            patch |= {"phase": "combat-move", "technologies": {p: ["rockets"] for p in world.order}}
            patch["units"] = {s: u for s, u in patch["units"].items() if world.spaces[s].is_land}
            patch["cargo"] = {}
        game = game_at(world, patch, seed)
        if seed % 4 == 3:
            game.play("end")
        for _ in range(40):
            if game.decision is None:
                break
            met.add(game.decision.kind)
            game.play(game.legal.sample(rng))
        if {*EVERYWHERE, "research", "purchase", "combat-move", "noncombat-move", "mobilize"} <= met:
            return
    pytest.fail(f"met only {sorted(met)}")
