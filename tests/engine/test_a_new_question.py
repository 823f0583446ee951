"""A question of one's own: one class, and everybody who asks questions knows it.

The example is a sally, answered with the order for scrambles: when a sea battle opens, the defender's fighters on a
coast beside it may join.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.archive.snapshot import from_data, to_data
from sandtable.bots import make
from sandtable.engine.battle.steps import STEPS
from sandtable.engine.events import Change, Moved
from sandtable.engine.facts import is_friendly, name
from sandtable.engine.game import Game
from sandtable.engine.legal import Legal
from sandtable.engine.questions import KINDS, Decision
from sandtable.engine.questions.kind import Kind
from sandtable.engine.registry import register_question, register_step
from sandtable.engine.run import Run
from sandtable.engine.state import Question, Units, in_order
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder, Scramble, Stay, UnitSpec
from sandtable.world.compile import compile_world
from sandtable.world.model import World


class ScrambleKind(Kind):
    name = "sally"
    answers = ("scramble", "stay")

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        if not isinstance(order, Scramble | Stay):
            raise self.unanswered(run, question, order)
        run.close()
        if isinstance(order, Scramble):
            units: Units = tuple((p, 1) for p, _ in question.units if p.type == order.units[0].type)
            changes = (Change(order.start, minus=units), Change(order.zone, plus=units))
            run.emit(Moved(question.power, (order.start, order.zone), changes, units))
        run.note(asked=(*run.battle.asked, question.power))

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        assert asked.space is not None
        for place in asked.places:
            yield Scramble((UnitSpec("fighter"),), place, asked.space)
        yield Stay()

    def wording(self, world: World, state: object, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: scramble a fighter to {name(world, asked.space or '')}?"


def sally(run: Run) -> bool:
    world, state, battle = run.world, run.state, run.battle
    for power in world.powers:
        if power in battle.asked or power not in world.opponents[battle.attacker]:
            continue
        for coast in world.land[battle.space]:
            planes = [(p, n) for p, n in in_order(state.at(coast)) if p.power == power and p.type == "fighter"]
            if planes and is_friendly(world, state, power, coast):
                run.ask(Question("sally", power, battle.space, "defense", 1, tuple(planes[:1]), (coast,)))
                return False
    return True


@pytest.fixture
def world() -> Iterator[World]:
    register_question(ScrambleKind())
    register_step("sally", sally, title="Sally", once=True)
    plain = compile_world("classic-1942")
    sea = plain.battles["sea"]
    yield msgspec.structs.replace(
        plain, battles={**plain.battles, "sea": msgspec.structs.replace(sea, steps=("sally", *sea.steps))}
    )
    del STEPS["sally"]
    del KINDS["sally"]


def attacked(world: World) -> Game:
    units = {"baltic-sea": {"germany": {"submarine": 2}}, "north-sea": {"uk": {"transport": 1}}}
    units["united-kingdom"] = {"uk": {"fighter": 1, "infantry": 1}}
    patch = {"clear": "all", "units": units, "turn": "germany", "phase": "combat-move"}
    game = Game(world, start=patched_state(world, patch), seed=5)
    game.play("move 2 submarine: baltic-sea -> north-sea")
    game.play("end")
    return game


def test_the_defender_is_asked_in_the_attackers_turn(world: World) -> None:
    game = attacked(world)
    question = game.decision
    assert question is not None
    assert (question.power, question.kind, question.places) == ("uk", "sally", ("united-kingdom",))
    assert KINDS["sally"].wording(world, game.state, question).startswith("United Kingdom: scramble")


def test_an_answer_is_carried_out_and_asked_once(world: World) -> None:
    game = attacked(world)
    game.play("scramble 1 fighter: united-kingdom -> north-sea")
    assert all(q.kind != "sally" for q in game.state.questions)
    fighters = [p for p in game.state.at("north-sea") if p.type == "fighter" and p.power == "uk"]
    assert fighters or game.state.battle is None


def test_anything_else_is_refused_and_says_what_is_open(world: World) -> None:
    game = attacked(world)
    with pytest.raises(Refusal, match="United Kingdom first has to answer"):
        game.play("end")


def test_the_open_question_is_saved(world: World) -> None:
    state = attacked(world).state
    assert from_data(world, to_data(state)) == state


@pytest.mark.parametrize("player", ["3star", "5star"])
def test_bots_answer_it_without_knowing_it(world: World, player: str) -> None:
    game = attacked(world)
    question = game.decision
    assert question is not None
    bot = make(player, 1)
    assert bot.decide(game.view(), game.legal, question) in game.legal


def test_random_players_answer_it(world: World) -> None:
    game = attacked(world)
    rng = random.Random(3)
    for _ in range(40):
        if game.decision is None:
            break
        game.play(game.legal.sample(rng))
