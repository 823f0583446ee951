"""Random legal play, with every law checked after every order."""

from __future__ import annotations

import random

from sandtable.engine.game import Game
from sandtable.engine.movement import reach
from sandtable.errors import Refusal
from sandtable.notation import format_order, parse_order
from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from support.laws import check_forfeits, check_state, check_step
from support.orders import random_order

EVERYWHERE = ("battle", "rocket", "casualties", "submarines", "retreat")
FEW = (*EVERYWHERE, "intercept", "land")
"""Questions whose answers can be listed: those of every game, and those that options bring."""


def play_on(game: Game, rng: random.Random, orders: int, *, last_round: int = 99) -> int:
    """Play so many random legal orders, or until the game ends; gives how many were played."""
    for played in range(orders):
        if game.decision is None or game.state.round > last_round:
            return played
        order = game.legal.sample(rng)
        play_checked(game, order)
    return orders


def play_checked(game: Game, order: AnyOrder) -> None:
    """Play one legal order as text, and check all that must hold about it."""
    before = game.state
    text = format_order(order)
    assert parse_order(game.world, text) == order, text
    events = game.play(text)
    entry = game.entries[game.cursor - 1]
    check_step(game.world, before, events, game.state, entry.faces)
    check_forfeits(events, before.pool)
    check_state(game.world, game.state)
    check_question(game)


def check_question(game: Game) -> None:
    """A question is asked only if it has at least two answers, and all that are listed are legal."""
    question = game.decision
    assert (question is None) == game.state.over
    if question is None or question.kind not in FEW:
        return
    listed = []
    for order in game.legal.orders():
        why = game.legal.why_not(order)
        assert why is None, f"{format_order(order)} is listed, but refused: {why}"
        listed.append(order)
        if len(listed) == 30:
            break
    assert len(listed) >= 2, f"asked for no reason: {question}, {[format_order(o) for o in listed]}"
    assert len(set(listed)) == len(listed)


def agree_about(game: Game, order: AnyOrder) -> bool:
    """`legal` and `play` say the same about the order, and a refusal changes nothing. True if it was accepted."""
    place, before, digest = game.cursor, game.state, game.state.digest()
    reason = game.legal.why_not(order)
    refusal: Refusal | None = None
    try:
        game.play(order)
    except Refusal as error:
        refusal = error
    assert str(refusal) == str(reason), f"{format_order(order)}: play says {refusal}, legal says {reason}"
    if refusal is not None:
        assert refusal.rules, f"{format_order(order)}: no rule is cited for {refusal.reason!r}: {refusal}"
        assert game.cursor == place
        assert game.state is before
        assert before.digest() == digest
        return False
    game.go_to(place)
    assert game.state is before
    assert before.digest() == digest, "playing has changed the state that was before"
    return True


def probe(game: Game, rng: random.Random, tries: int) -> int:
    """Throw random orders at the game; gives how many of them were legal."""
    return sum(agree_about(game, random_order(game, rng)) for _ in range(tries)) if game.decision else 0


def check_destinations(game: Game, space: str, unit: str, role: str | None = None) -> None:
    """`destinations` gives exactly the spaces to which a move of one such unit is accepted."""
    world = game.world
    routes = game.legal.destinations(space, unit, role)
    accepted = {end for end in world.spaces if game.legal.why_not(Move((UnitSpec(unit),), (space, end), role)) is None}
    assert set(routes) == accepted, (
        f"{unit} in {space} ({role}): "
        f"too many {sorted(set(routes) - accepted)}, missing {sorted(accepted - set(routes))}"
    )
    for end, route in routes.items():
        assert route[0] == space
        assert route[-1] == end
        why = game.legal.why_not(Move((UnitSpec(unit),), route, role))
        assert why is None, f"{unit} by {route}: {why}"


def some_stacks(game: Game, rng: random.Random, number: int) -> list[tuple[str, str]]:
    """Stacks of the power that moves, planes and ships before others, whether or not they can move still."""
    stacks = reach.movable(game.world, game.state)
    rng.shuffle(stacks)
    stacks.sort(key=lambda item: game.world.units[item[1]].domain == "land")
    return stacks[: number // 2] + stacks[-(number - number // 2) :] if len(stacks) > number else stacks


def probe_on(game: Game, rng: random.Random, orders: int) -> None:
    """Play some random orders; before each, see that `legal` and `play` agree and `destinations` tells the truth."""
    for _ in range(orders):
        if game.decision is None:
            break
        probe(game, rng, 2)
        if game.decision.kind in ("combat-move", "noncombat-move") and rng.random() < 0.15:
            for space, unit in some_stacks(game, rng, 2):
                check_destinations(game, space, unit)
        play_checked(game, game.legal.sample(rng))
