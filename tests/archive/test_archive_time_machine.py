"""Undo, time machine and replay are steps in one list."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.archive.game import Game
from sandtable.errors import Refusal, SandtableError

Play = Callable[[Game, int, int], Game]

MARKS = {
    "order": lambda game: game.cursor,
    "phase": lambda game: (game.state.round, game.state.turn, game.state.phase),
    "turn": lambda game: (game.state.round, game.state.turn),
    "round": lambda game: game.state.round,
}


@pytest.fixture(scope="module")
def text(played_on: Play) -> str:
    """Two rounds and a bit."""
    game = Game.new(seed=5)
    seed = 0
    while game.state.round < 3 and len(game.entries) < 800:
        played_on(game, 10, seed)
        seed += 1
    assert game.state.round == 3
    return game.to_text()


@pytest.fixture
def game(text: str) -> Game:
    return Game.from_text(text)


@pytest.mark.rule("PC-TIM-01")
@pytest.mark.parametrize("unit", list(MARKS))
def test_there_and_back(unit: str, game: Game) -> None:
    """Forward from the beginning comes to every phase, turn or round once; back goes through the same places."""
    mark = MARKS[unit]
    game.go_to(0)
    places, marks = [0], [mark(game)]
    while game.step(unit, 1):
        places.append(game.cursor)
        marks.append(mark(game))
    assert game.cursor == len(game.entries)
    if marks[-1] == marks[-2]:  # the last step went to the end of the record, in the middle of something
        places.pop()
        marks.pop()
    assert len(set(marks)) == len(marks) > 2
    game.go_to(places[-1])
    back = [game.cursor]
    while game.step(unit, -1):
        back.append(game.cursor)
    assert back == places[::-1]


@pytest.mark.rule("PC-TIM-02")
def test_forward_ends_at_the_furthest_point(game: Game) -> None:
    assert game.cursor == len(game.entries)
    for unit in MARKS:
        assert not game.step(unit, 1)
    game.go_to(0)
    for unit in MARKS:
        assert not game.step(unit, -1)
    assert game.cursor == 0


@pytest.mark.rule("PC-TIM-03")
def test_going_on_from_a_past_point_drops_the_future_at_the_first_order(game: Game, played_on: Play) -> None:
    count = len(game.entries)
    middle = game.entries[: count // 2]
    game.go_to(len(middle))
    assert len(game.entries) == count  # looking drops nothing
    with pytest.raises(SandtableError):
        game.play("sing")
    with pytest.raises(Refusal):
        game.play("battle russia")
    assert len(game.entries) == count  # nor does an order that is refused
    played_on(game, 1, 1)
    assert game.entries[:-1] == middle
    assert game.cursor == len(game.entries)


@settings(max_examples=15)
@given(place=st.integers(0, 10_000))
def test_the_same_orders_again_give_the_same_game(text: str, place: int) -> None:
    """From any point on: dice have their numbers, and come again."""
    game = Game.from_text(text)
    place %= len(game.entries)
    entries = list(game.entries)
    game.go_to(place)
    for entry in entries[place : place + 30]:
        game.play(entry.order)
    assert game.entries == entries[: place + 30]


@settings(max_examples=15)
@given(place=st.integers(0, 10_000))
def test_undo_takes_back_exactly_one_order(text: str, place: int) -> None:
    game = Game.from_text(text)
    game.go_to(place % (len(game.entries) + 1))
    before = list(game.entries[: game.cursor])
    state = game.state
    try:
        game.undo()
    except Refusal:
        assert game.state is state
        return
    assert game.entries == before[:-1]
    assert game.cursor == len(before) - 1
    game.play(before[-1].order)
    assert game.state == state


def test_steps_that_make_no_sense(game: Game) -> None:
    with pytest.raises(SandtableError, match="order, phase, turn or round"):
        game.step("year", 1)
    for direction in (0, 2):
        with pytest.raises(SandtableError, match=r"back .* or forward"):
            game.step("turn", direction)
    with pytest.raises(SandtableError, match="there is no place"):
        game.go_to(len(game.entries) + 1)
