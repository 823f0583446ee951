"""Random games of both Anniversary scenarios: the same laws as everywhere, after every order."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from sandtable.engine.game import Game
from sandtable.notation import format_order
from sandtable.world.compile import compile_world
from support import choices
from support.laws import check_state
from support.play import EVERYWHERE, play_on, probe_on
from support.positions import game_at, random_patch

WORLD = compile_world("anniversary-1941")

scenarios = st.sampled_from(("anniversary-1941", "anniversary-1942"))
options = choices.options(WORLD)


def retell(game: Game) -> str:
    return "\n".join(format_order(entry.order) for entry in game.entries)


@settings(max_examples=12)
@given(seed=choices.seeds, scenario=scenarios, chosen=options)
def test_games_from_the_start(seed: int, scenario: str, chosen: dict[str, Any]) -> None:
    """Each order is lawful, and a fresh game with the same seed and orders is the same game."""
    game = Game.new(scenario, options=chosen, seed=seed)
    check_state(game.world, game.state)
    try:
        play_on(game, random.Random(seed), 150)
    except BaseException:
        note(retell(game))
        raise
    again = Game.new(scenario, options=chosen, seed=seed)
    for entry in game.entries:
        assert again.play(format_order(entry.order)) == entry.events
    assert again.state.digest() == game.state.digest()


@settings(max_examples=30)
@given(seed=choices.seeds, scenario=scenarios, chosen=options)
def test_odd_positions(seed: int, scenario: str, chosen: dict[str, Any]) -> None:
    """Crowded, shared and captured places: laws hold, `legal` and `play` agree, `destinations` tells the truth."""
    rng = random.Random(seed)
    world = compile_world(scenario, chosen)
    patch = random_patch(world, rng)
    game = game_at(world, patch, seed)
    try:
        probe_on(game, rng, 30)
    except BaseException:
        note(f"position: {patch}\n{retell(game)}")
        raise


def test_random_games_meet_every_question() -> None:
    """The games above mean little if they never come to the rare questions."""
    met: set[str] = set()
    for seed in range(60):
        rng = random.Random(seed)
        game = game_at(WORLD, random_patch(WORLD, rng), seed)
        for _ in range(40):
            if game.decision is None:
                break
            met.add(game.decision.kind)
            game.play(game.legal.sample(rng))
        if {*EVERYWHERE, "purchase", "combat-move", "noncombat-move", "mobilize"} <= met:
            return
    pytest.fail(f"met only {sorted(met)}")
