"""States as values: equal ones are equal everywhere, old ones never change, and questions say what may be answered."""

from __future__ import annotations

import random
import subprocess
import sys

import msgspec
import pytest

from sandtable.engine.dice import SeededDice
from sandtable.engine.events import fold
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation import format_order, orders
from sandtable.notation.orders import AnyOrder, UnitSpec
from sandtable.rulebook import rule_ids
from sandtable.world.model import World
from support.choices import world_with
from support.orders import random_order
from support.positions import game_at, random_patch


def shuffled(state: State, rng: random.Random) -> State:
    """The same state with every mapping filled in another order."""

    def mixed(mapping: dict[str, object]) -> dict[str, object]:
        items = list(mapping.items())
        rng.shuffle(items)
        return dict(items)

    return msgspec.structs.replace(
        state,
        units={space: mixed(dict(stack)) for space, stack in mixed(dict(state.units)).items()},  # type: ignore[call-overload,arg-type]
        owners=mixed(dict(state.owners)),
        treasury=mixed(dict(state.treasury)),
        techs=mixed(dict(state.techs)),
    )


@pytest.mark.parametrize("seed", range(5))
def test_equal_states_share_digest_and_hash(classic_world: World, seed: int) -> None:
    rng = random.Random(seed)
    state = game_at(classic_world, random_patch(classic_world, rng), seed).state
    other = shuffled(state, rng)
    assert other == state
    assert other.digest() == state.digest()
    assert hash(other) == hash(state)
    assert len({state, other}) == 1


@pytest.mark.parametrize("seed", range(5))
def test_order_of_mappings_never_decides(classic_world: World, seed: int) -> None:
    """Two equal states played on with the same orders stay equal, however their mappings were filled."""
    rng = random.Random(seed)
    first = game_at(classic_world, random_patch(classic_world, rng, phase="combat-move"), seed)
    second = Game(classic_world, seed=seed, start=shuffled(first.start, random.Random(seed)))
    for _ in range(60):
        if first.decision is None:
            break
        assert second.decision == first.decision
        order = first.legal.sample(rng)
        first.play(order)
        second.play(order)
        assert second.state == first.state, format_order(order)


def test_different_states_differ(classic_world: World) -> None:
    game = Game(classic_world, seed=1)
    seen = {game.state.digest()}
    for text in ("buy 1 infantry", "buy 1 infantry", "end", "end", "move 1 infantry: russia -> caucasus"):
        game.play(text)
        digest = game.state.digest()
        assert digest not in seen, text
        seen.add(digest)


def test_digests_are_the_same_in_another_process(classic_world: World) -> None:
    """Python's own hashes differ from process to process; a digest may not."""
    game = Game(classic_world, seed=11)
    rng = random.Random(11)
    orders_played = []
    for _ in range(40):
        order = game.legal.sample(rng)
        orders_played.append(format_order(order))
        game.play(order)
    program = (
        "import sys\nfrom sandtable.engine.game import Game\ngame = Game.new(seed=11)\n"
        "for line in sys.stdin.read().splitlines():\n    game.play(line)\nprint(game.state.digest())\n"
    )
    for hash_seed in ("1", "2"):
        result = subprocess.run(
            [sys.executable, "-c", program],
            input="\n".join(orders_played),
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            check=True,
        )
        assert result.stdout.strip() == game.state.digest()


def test_samples_are_the_same_in_another_process(classic_world: World) -> None:
    """Random play from a seed is the same game everywhere: no choice depends on the order of a set."""
    program = (
        "import random\nfrom sandtable.engine.game import Game\ngame = Game.new(seed=5)\nrng = random.Random(5)\n"
        "for _ in range(150):\n    game.play(game.legal.sample(rng))\nprint(game.state.digest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            check=True,
        ).stdout.strip()
        for hash_seed in ("1", "2", "3")
    }
    assert len(digests) == 1


def test_old_states_never_change(classic_world: World) -> None:
    game = Game(classic_world, seed=4)
    rng = random.Random(4)
    kept = []
    for _ in range(80):
        kept.append((game.state, game.state.digest()))
        game.play(game.legal.sample(rng))
    assert all(state.digest() == digest for state, digest in kept)
    state = kept[0][0]
    for entry in game.entries:
        for event in entry.events:
            state = fold(classic_world, state, event)
        assert state == entry.state


# ---------------------------------------------------------------- questions

ONE_OF_EACH: dict[str, AnyOrder] = {
    "research": orders.Research(1),
    "chart": orders.Chart(1),
    "train": orders.Train(),
    "repair": orders.Repair("germany", 1),
    "buy": orders.Buy((UnitSpec("infantry"),)),
    "declare": orders.Declare("usa"),
    "move": orders.Move((UnitSpec("infantry"),), ("germany", "eastern-europe")),
    "rocket": orders.Rocket("germany", "united-kingdom"),
    "casualties": orders.Casualties((UnitSpec("infantry"),)),
    "submerge": orders.Submerge(1),
    "withdraw": orders.Withdraw("north-sea"),
    "scramble": orders.Scramble((UnitSpec("fighter"),), "germany", "baltic-sea"),
    "intercept": orders.Intercept((UnitSpec("fighter"),)),
    "press": orders.Press(),
    "retreat": orders.Retreat("germany"),
    "place": orders.Place((UnitSpec("infantry"),), "germany"),
}


def test_other_orders_than_a_question_asks_for_are_refused() -> None:
    """Whatever the question: an order that its `answers` do not list is refused with a rule and changes nothing."""
    kinds: set[str] = set()
    for seed in range(10):
        rng = random.Random(seed)
        world = world_with({"second_edition": bool(seed % 2)})
        game = game_at(world, random_patch(world, rng), seed)
        for _ in range(40):
            question = game.decision
            if question is None:
                break
            kinds.add(question.kind)
            state = game.state
            for verb, order in ONE_OF_EACH.items():
                if verb not in question.answers:
                    with pytest.raises(Refusal) as refusal:
                        game.play(order)
                    assert refusal.value.rules, refusal.value.reason
                    assert refusal.value.text.endswith((".", "!")), refusal.value.text
                    assert game.state is state
            game.play(game.legal.sample(rng))
    assert len(kinds) >= 8, kinds


def test_refusals_name_rules_of_the_ledger() -> None:
    known = set(rule_ids())
    seen: set[str] = set()
    for seed in range(10):
        rng = random.Random(seed)
        world = world_with({"second_edition": bool(seed % 2)})
        game = game_at(world, random_patch(world, rng), seed)
        for _ in range(30):
            if game.decision is None:
                break
            for _ in range(4):
                reason = game.legal.why_not(random_order(game, rng))
                if reason is not None:
                    assert set(reason.rules) <= known, reason.rules
                    assert reason.rules, reason.reason
                    assert str(reason) == f"{reason.rule}: {reason.text}"
                    assert "_" not in reason.text, f"code speaks to a player: {reason.text}"
                    seen.add(reason.rule)
            game.play(game.legal.sample(rng))
    assert len(seen) > 25


def test_who_may_answer(classic_world: World) -> None:
    """The open question is one seat's; everybody else waits."""
    game = Game.new(seats=4, seed=9)
    rng = random.Random(9)
    for _ in range(120):
        question = game.decision
        assert question is not None
        answering = [seat for seat in game.seats if game.view(seat).to_answer]
        assert answering == [game.seat_of(question.power)]
        assert not game.view().to_answer
        game.play(game.legal.sample(rng))
    with pytest.raises(SandtableError, match="no seat"):
        game.view("nobody")


# ---------------------------------------------------------------- dice


def test_seeded_dice_are_fair_and_fixed() -> None:
    dice = SeededDice("a seed")
    faces = [dice.face(i, 6) for i in range(6000)]
    assert faces == [SeededDice("a seed").face(i, 6) for i in range(6000)]
    assert faces != [SeededDice("another").face(i, 6) for i in range(6000)]
    for face in range(1, 7):
        assert 880 < faces.count(face) < 1120  # four standard deviations
    pairs = [faces[i : i + 2] for i in range(0, 6000, 2)]
    assert 60 < sum(pair == [6, 6] for pair in pairs) < 110
