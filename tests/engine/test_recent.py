"""Answers that are kept: for the same position only, and not for ever."""

from __future__ import annotations

import msgspec

from sandtable.engine.complexes import working_complexes
from sandtable.engine.decision import decision
from sandtable.engine.recent import KEPT, remembered
from sandtable.engine.start import starting_state
from sandtable.engine.state import State
from sandtable.world.compile import compile_world
from sandtable.world.model import World

CLASSIC = compile_world("classic-1942")
START = starting_state(CLASSIC)


def test_an_answer_is_kept_for_the_same_position_and_question() -> None:
    asked: list[str] = []

    @remembered
    def count(world: World, state: State, power: str) -> int:
        asked.append(power)
        return sum(n for stack in state.units.values() for piece, n in stack.items() if piece.power == power)

    numbers = [count(CLASSIC, START, power) for power in ("germany", "japan", "germany")]
    assert asked == ["germany", "japan"]
    assert numbers[0] == numbers[2] != numbers[1]
    emptied = msgspec.structs.replace(START, units={})
    assert count(CLASSIC, emptied, "germany") == 0
    assert asked == ["germany", "japan", "germany"]
    assert count(CLASSIC, START, "germany") == numbers[0], "the older position is still known"
    assert len(asked) == 3
    for turn in range(KEPT):
        count(CLASSIC, msgspec.structs.replace(START, turn=turn), "germany")
    count(CLASSIC, START, "germany")
    assert len(asked) == 3 + KEPT + 1, "only the last answers are kept"


def test_worlds_are_told_apart() -> None:
    other = compile_world("anniversary-1942")

    @remembered
    def name(world: World, state: State) -> int:
        return id(world)

    assert name(CLASSIC, START) == id(CLASSIC)
    assert name(other, START) == id(other)


def test_the_engine_answers_anew_for_a_changed_position() -> None:
    first = decision(CLASSIC, START)
    assert first is not None
    later = msgspec.structs.replace(START, phase=CLASSIC.phases.index("combat-move"))
    second = decision(CLASSIC, later)
    assert second is not None
    assert first.kind != second.kind == "combat-move"
    assert decision(CLASSIC, START) == first
    power = CLASSIC.order[0]
    assert working_complexes(CLASSIC, START, power)
    assert not working_complexes(CLASSIC, msgspec.structs.replace(START, start_owners={}), power)
    assert decision(CLASSIC, msgspec.structs.replace(START, over=True)) is None
