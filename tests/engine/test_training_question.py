"""Whether pilots are trained: the question says at which level they are, and each answer what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.decision import decision
from sandtable.engine.questions import KINDS
from sandtable.notation import format_order
from sandtable.world.compile import compile_world

WORLD = compile_world("global-1940")


@pytest.mark.parametrize(
    ("level", "here", "answers"),
    [
        (0, "0", {"train": "Keep level 0 for 2", "train up": "Raise them to +1 for 5", "stay": "Let them fall to -1"}),
        (-3, "-3", {"train up": "Raise them to -2 for 1", "stay": "No training"}),
        (3, "+3", {"train": "Keep level +3 for 6", "stay": "Let them fall to +2"}),
    ],
)
def test_each_answer_says_what_becomes_of_the_pilots(level: int, here: str, answers: dict[str, str]) -> None:
    patch: dict[str, Any] = {"turn": "germany", "phase": "purchase", "pilots": {"germany": level}}
    game = Game(WORLD, start=patched_state(WORLD, patch))
    asked = decision(WORLD, game.state)
    assert asked is not None
    kind = KINDS[asked.kind]
    assert kind.wording(WORLD, game.state, asked).endswith(f"They are at level {here}.")
    said = {format_order(o): kind.label(WORLD, game.state, asked, o) for o in kind.orders(game.legal, asked)}
    assert said == answers
