"""One whole game as a readable log: two rounds of random play from a seed, dice and results included.

The orders are read from the log and played again; the log that comes out must be the same to the letter. A rule that
changes on purpose changes the log: `python tests/golden/test_golden_game.py` plays a new game, and the difference
belongs in the review.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    Captured,
    Forfeited,
    Lost,
    Paid,
    TechGained,
    TurnBegan,
    Won,
)
from sandtable.engine.game import Game
from sandtable.notation import format_order

FILE = Path(__file__).with_name("classic-two-rounds.txt")
SEED = 1942
ROUNDS = 2
LARGEST = 60_000
MARGIN = 66  # column of the dice
HEAD = """\
# Classic, third edition rules, seed 1942: two rounds of random legal play. Each line is an order; behind | its dice.
# Lines that begin with a dash tell what came of it. Written by tests/golden/test_golden_game.py.
"""


def told(event: AnyEvent) -> str:
    """What the log says about an event; nothing about most."""
    match event:
        case TurnBegan(power=power, round=number):
            return f"== round {number}: {power}"
        case Captured(space=space, owner=owner, reason=reason):
            return f"- {space} to {owner} ({reason})"
        case Lost(space=space, units=units, reason=reason):
            total: Counter[str] = Counter()
            for piece, n in units:
                total[f"{piece.power} {piece.type}"] += n
            return f"- lost in {space} ({reason}): " + ", ".join(f"{n} {unit}" for unit, n in sorted(total.items()))
        case BattleEnded(space=space, result=result, kind=kind):
            return f"- {kind} battle of {space}: {result}"
        case Paid(power=power, amount=amount, reason=reason) if reason != "units":
            return f"- {power} {amount:+} ({reason})"
        case TechGained(power=power, technology=technology):
            return f"- {power} develops {technology}"
        case Forfeited(power=power, units=units):
            return f"- {power} forfeits " + ", ".join(f"{n} {unit}" for unit, n in units)
        case Won(side=side, reason=reason):
            return f"- {side} win: {reason}"
    return ""


def log(game: Game) -> str:
    lines = [told(event) for event in game.opening.events]
    for entry in game.entries:
        text = f"{entry.power}: {format_order(entry.order)}"
        lines.append(f"{text:<{MARGIN}} | {' '.join(map(str, entry.faces))}" if entry.faces else text)
        for event in entry.events:
            if isinstance(event, TurnBegan):
                lines.append(f"- table {entry.state.digest()}")
            lines.append(told(event))
    question = game.decision
    lines.append(f"# {len(game.entries)} orders, {game.state.rolls} dice, table {game.state.digest()}")
    lines.append(f"# next: {question.power} {question.kind}" if question else "# over")
    return HEAD + "\n".join(line for line in lines if line) + "\n"


def orders_in(text: str) -> list[str]:
    """The orders of a log, without who gave them and what came of them."""
    lines = (line for line in text.splitlines() if line and not line.startswith(("#", "-", "=")))
    return [line.partition(": ")[2].partition("|")[0].strip() for line in lines]


def play(orders: list[str]) -> Game:
    game = Game.new("classic-1942", seed=SEED)
    for order in orders:
        game.play(order)
    return game


def generate() -> str:
    """A new game, by random choices among legal orders."""
    game = Game.new("classic-1942", seed=SEED)
    rng = random.Random(SEED)
    while game.decision is not None and game.state.round <= ROUNDS:
        game.play(game.legal.sample(rng))
    return log(game)


def test_golden_game() -> None:
    text = FILE.read_text("utf-8")
    orders = orders_in(text)
    assert len(orders) > 150
    assert log(play(orders)) == text


def test_the_log_is_short_enough_to_read() -> None:
    text = FILE.read_text("utf-8")
    assert len(text) < LARGEST
    for word in (
        "land battle of",
        "sea battle of",
        "(income)",
        "casualties",
        "retreat",
        "place",
        "lost in",
        "(capture)",
    ):
        assert word in text, f"the golden game never shows: {word}"


if __name__ == "__main__":
    FILE.write_text(generate(), "utf-8")
