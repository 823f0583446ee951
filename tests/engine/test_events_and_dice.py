"""What must be impossible: an event that changes nothing by oversight, and a die that comes up twice."""

from __future__ import annotations

from typing import get_args

import pytest

from sandtable import Game
from sandtable.engine import events
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import AnyEvent, Event, Rolled, fold
from sandtable.engine.run import Run


def test_an_event_that_nobody_folds_is_an_error() -> None:
    class Forgotten(Event, frozen=True, tag="forgotten"):
        """Stands for a new kind of event."""

    game = Game.new()
    with pytest.raises(AssertionError):
        fold(game.world, game.state, Forgotten())  # type: ignore[arg-type]


def test_every_kind_of_event_is_in_the_union_and_is_folded() -> None:
    """What is not in it, the type checker does not see in the `fold` of its subject."""
    kinds = {kind for kind in Event.__subclasses__() if kind.__module__.startswith(events.__name__)}
    assert kinds == set(get_args(AnyEvent)) == set(events.FOLDS)
    assert kinds <= {kind for kind in vars(events).values() if isinstance(kind, type)}  # all are imported from there


def test_dice_are_counted_by_rolling_them() -> None:
    game = Game.new()
    run = Run(game.world, game.state, ScriptedDice([3, 5], start=game.state.rolls))
    assert run.roll(1, lambda faces: Rolled("bonds", "germany", faces)) == (3,)
    assert run.roll(1, lambda faces: Rolled("bonds", "germany", faces)) == (5,)
    assert run.faces == [3, 5]
    assert [e.faces for e in run.events if isinstance(e, Rolled)] == [(3,), (5,)]


def test_dice_cannot_be_told_otherwise_than_they_fell() -> None:
    game = Game.new()
    run = Run(game.world, game.state, ScriptedDice([3], start=game.state.rolls))
    with pytest.raises(AssertionError):
        run.roll(1, lambda faces: Rolled("bonds", "germany", ()))
