"""Standing orders: there is a manner for all that may be asked in others' turns, and each gives a legal answer."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from sandtable.archive import cases
from sandtable.engine.facts import active
from sandtable.engine.game import Game
from sandtable.engine.legal import Legal
from sandtable.notation import format_order
from sandtable.notation.orders import AnyOrder
from sandtable.server import standing

FOLDER = Path(__file__).parents[1] / "cases"
LEFT_TO_ONES_SEAT = {"declare", "leader", "training"}
"""Asked of the power whose turn begins or ends, in a step that still belongs to the one before."""


class Seen:
    """What was asked in the cases, by whom, and what each manner gave."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}  # asked of somebody else than the one whose turn it is -> where
        self.given: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.silent: list[str] = []


@pytest.fixture(scope="module")
def seen() -> Seen:
    found = Seen()
    real = cases._play

    def looking(game: Game, order: AnyOrder) -> None:
        question = game.decision
        if question is not None and question.power != active(game.world, game.state):
            found.kinds.setdefault(question.kind, game.world.scenario)
            ask = standing.IN_OTHERS_TURNS.get(question.kind)
            for manner, _ in ask.manners if ask is not None else ():
                legal = Legal(game.world, game.state)
                answer = standing.by_manner(legal, question, manner)
                if answer is None:
                    found.silent.append(f"{game.world.scenario}: {question.kind}: {manner}")
                else:
                    assert answer in legal
                    assert question.kind in standing.asks(game.world)
                    found.given[question.kind, manner].add(format_order(answer).partition(" ")[0])
        real(game, order)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cases, "_play", looking)
        for file in sorted(FOLDER.glob("*/*.yaml")):
            for case in cases.read_cases(file):
                cases.run_case(case)
    return found


def test_everything_that_others_are_asked_has_a_manner(seen: Seen) -> None:
    assert set(seen.kinds) - set(standing.IN_OTHERS_TURNS) - LEFT_TO_ONES_SEAT == set(), seen.kinds
    assert {"casualties", "scramble", "interdict", "intercept", "permit", "submarines"} <= set(seen.kinds)


def test_every_manner_answers(seen: Seen) -> None:
    assert seen.silent == []


def test_a_word_does_it_and_stay_does_not(seen: Seen) -> None:
    for word in ("scramble", "interdict", "intercept"):
        assert word in seen.given[word, f"{word}; stay"]
        assert seen.given[word, "stay"] == {"stay"}
    assert seen.given["permit", "permit"] == {"permit"}
    assert seen.given["submarines", "submerge; withdraw; stay"] & {"submerge", "withdraw"}
