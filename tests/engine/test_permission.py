"""Somebody must agree before something is done: whoever asks has a topic, and `permit` or `stay` answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable.archive.position import patched_state
from sandtable.archive.snapshot import from_data, to_data
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import KINDS, Decision
from sandtable.engine.questions.permit import TOPICS, Topic, request
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation import format_order
from sandtable.world.compile import compile_world
from sandtable.world.model import World

WORLD = compile_world("classic-1942")


class Loan(Topic):
    """A power asks another one for some money."""

    agrees = True

    def wording(self, world: World, state: State, asked: Decision) -> str:
        _, who, amount = asked.about
        return f"{world.powers[asked.power].name}: lend {world.powers[who].name} {amount}?"

    def permitted(self, run: Run, question: Question, *about: str) -> None:
        who, amount = about
        run.pay(question.power, -int(amount), "research")
        run.pay(who, int(amount), "research")

    def declined(self, run: Run, question: Question, *about: str) -> None:
        run.pay(about[0], -1, "research")


@pytest.fixture(autouse=True)
def loan() -> Iterator[None]:
    TOPICS["loan"] = Loan()
    yield
    del TOPICS["loan"]


def asked() -> Game:
    start = patched_state(WORLD, {"treasury": {"uk": 10, "usa": 20}, "turn": "uk", "phase": "combat-move"})
    run = Run(WORLD, start, SeededDice(1))
    run.ask(request("loan", "usa", "uk", "7"))
    return Game(WORLD, start=run.state)


def test_whoever_must_agree_is_asked() -> None:
    game = asked()
    question = game.decision
    assert question is not None
    assert (question.power, question.kind, question.answers) == ("usa", "permit", ("permit", "stay"))
    kind = KINDS["permit"]
    assert kind.wording(WORLD, game.state, question) == "United States: lend United Kingdom 7?"
    labels = {
        format_order(order): kind.label(WORLD, game.state, question, order)
        for order in kind.orders(game.legal, question)
    }
    assert labels == {"permit": "Agree", "stay": "Refuse"}
    assert format_order(game.legal.default()) == "permit"


@pytest.mark.parametrize(("answer", "treasury"), [("permit", (17, 13)), ("stay", (9, 20))])
def test_the_answer_is_carried_out(answer: str, treasury: tuple[int, int]) -> None:
    game = asked()
    game.play(answer)
    assert (game.state.treasury["uk"], game.state.treasury["usa"]) == treasury
    assert game.decision is not None
    assert game.decision.kind == "combat-move"


@pytest.mark.parametrize("order", ["end", "permit ukraine-ssr", "move 1 infantry: india -> persia"])
def test_nothing_else_is_done_before(order: str) -> None:
    game = asked()
    with pytest.raises(Refusal, match=r"United States first has to say whether it agrees"):
        game.play(order)


def test_the_open_question_is_saved() -> None:
    state = asked().state
    assert from_data(WORLD, to_data(state)) == state
