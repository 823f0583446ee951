"""Questions about a position that are asked again before it changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

from sandtable.engine.state import State
from sandtable.world.model import World

Rest = TypeVarTuple("Rest")
Answer = TypeVar("Answer")

KEPT = 4  # answers to a question


def remembered(question: Callable[[World, State, *Rest], Answer]) -> Callable[[World, State, *Rest], Answer]:
    """Keep the last answers to a question about a position; they must be values that nobody changes.

    A state never changes, so the same object has the same answer. Equal states that are different objects are not
    looked for: comparing them would cost more than most answers.
    """
    recent: list[tuple[World, State, tuple[*Rest], Answer]] = []

    @wraps(question)
    def ask(world: World, state: State, *rest: *Rest) -> Answer:
        for known_world, known_state, known_rest, answer in recent:
            if known_state is state and known_world is world and known_rest == rest:
                return answer
        answer = question(world, state, *rest)
        recent.insert(0, (world, state, rest, answer))
        del recent[KEPT:]
        return answer

    return ask
