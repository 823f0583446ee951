"""Random games under random combinations of all options, on every board that can be played."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from sandtable.engine.game import Game
from sandtable.notation import format_order
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.load import load_builtin, scenarios
from support import choices
from support.laws import check_state
from support.play import play_on
from support.scratch import scratch_edition

BOARDS = {info.id: load_builtin(info.edition) for info in scenarios() if info.playable}
BOARDS["scratch"] = scratch_edition()


@st.composite
def games(draw: st.DrawFn, scenario: str) -> tuple[dict[str, Any], int]:
    return draw(choices.choices_of(BOARDS[scenario].options_for(scenario))), draw(choices.seeds)


@pytest.mark.parametrize("scenario", BOARDS)
def test_any_options_give_a_lawful_game(scenario: str) -> None:
    """Each order is lawful, and a fresh game with the same seed and orders is the same game."""

    @settings(max_examples=40 if scenario == "scratch" else 8)
    @given(games(scenario))
    def check(chosen_and_seed: tuple[dict[str, Any], int]) -> None:
        chosen, seed = chosen_and_seed
        world = compile_edition(BOARDS[scenario], scenario, chosen)
        game = Game(world, seed=seed)
        check_state(world, game.state)
        try:
            play_on(game, random.Random(seed), 120)
        except BaseException:
            note("\n".join(format_order(entry.order) for entry in game.entries))
            raise
        again = Game(compile_edition(BOARDS[scenario], scenario, chosen), seed=seed)
        for entry in game.entries:
            assert again.play(format_order(entry.order)) == entry.events
        assert again.state.digest() == game.state.digest()

    check()


def test_every_playable_edition_is_among_them() -> None:
    assert {compile_world(s).edition for s in BOARDS if s != "scratch"} >= {"classic", "anniversary"}
