"""Table talk: open to everybody at any time."""

from __future__ import annotations

import pytest

from sandtable import Game, SandtableError
from sandtable.play.table import Table


@pytest.mark.rule("CL-TRN-08")
def test_anybody_may_speak_during_any_turn() -> None:
    """A player sends messages during another power's turn, in every phase and in the middle of a battle."""
    game = Game.new("classic-1942", seats=3, seed=1)
    table = Table(game)
    game.play("end")
    game.play("end")
    table.say("Player 2", "Leave  Ukraine alone")
    game.play("move 3 infantry: karelia-ssr -> ukraine-ssr")
    game.play("end")
    assert game.state.battle is not None
    table.say("Player 3", "Hold on", to=("Player 2",))
    assert [m.text for m in table.heard("Player 1")] == ["Leave Ukraine alone"]
    assert [m.text for m in table.heard("Player 2")] == ["Leave Ukraine alone", "Hold on"]
    assert [m.place for m in table.messages] == [2, 4]
    assert game.decision is not None  # speaking answers nothing


def test_only_seats_speak_and_say_something() -> None:
    table = Table(Game.new("classic-1942", seats=2))
    with pytest.raises(SandtableError, match="no seat"):
        table.say("Nobody", "hello")
    with pytest.raises(SandtableError, match="no seat"):
        table.say("Player 1", "hello", to=("Nobody",))
    with pytest.raises(SandtableError, match="characters"):
        table.say("Player 1", "   ")
