"""Whole games as readable logs: rounds of random play from a seed, dice and results included.

The orders are read from a log and played again; the log that comes out must be the same to the letter. A rule that
changes on purpose changes the log: `python tests/golden/test_golden_game.py [SCENARIO]` plays a new game, and the
difference belongs in the review. Every playable scenario has one.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from sandtable.bots import make
from sandtable.engine.events import (
    AllianceBroken,
    AllianceDeclined,
    AllianceMade,
    AnyEvent,
    BattleEnded,
    Captured,
    Damaged,
    Forfeited,
    Kept,
    Lost,
    Paid,
    Reinforced,
    Repaired,
    ResearchersChanged,
    TechGained,
    TurnBegan,
    Won,
)
from sandtable.engine.game import Game
from sandtable.notation import format_order
from sandtable.world.load import scenarios

LARGEST = 60_000
MARGIN = 66  # column of the dice
HEAD = """\
# {title}, seed {seed}: {rounds} of {play}. Each line is an order; behind | its dice.
# Lines that begin with a dash tell what came of it. Written by tests/golden/test_golden_game.py.
"""


class Golden(NamedTuple):
    """A game: its scenario and title, the seed of its dice and of its players, and how long it goes on."""

    scenario: str
    title: str
    seed: int
    rounds: int
    shows: tuple[str, ...]  # what it has to show to be worth keeping
    player: str = ""  # an opponent for every seat; none: random legal play

    @property
    def file(self) -> Path:
        name = "classic-two-rounds" if self.scenario == "classic-1942" else self.scenario
        return Path(__file__).with_name(f"{name}.txt")

    @property
    def head(self) -> str:
        rounds = {1: "one round", 2: "two rounds"}[self.rounds]
        play = f"{self.player} on all seats" if self.player else "random legal play"
        return HEAD.format(title=self.title, seed=self.seed, rounds=rounds, play=play)


USUAL = ("land battle of", "sea battle of", "(income)", "casualties", "retreat", "place", "lost in", "(capture)")
ECONOMY = ("china: move", "- china receives", "(objective)", "researchers", "chart", "as raid", "- damage in", "repair")
WARS = (": declare war on ", ": train", "(objective)", "(convoy)", "battle of")
ALLIANCES = (": ally ", " are allied", " declines ", " breaks with ")

GAMES = (
    Golden("classic-1942", "Classic, third edition rules", 1942, 2, USUAL),
    Golden("pacific-theater", "Pacific Theater", 23, 2, USUAL),
    Golden("world-domination", "World Domination", 1, 2, (*USUAL, *ALLIANCES)),
    Golden("anniversary-1941", "Anniversary 1941", 58, 2, (*USUAL, *ECONOMY)),
    Golden("anniversary-1942", "Anniversary 1942", 33, 2, (*USUAL, *ECONOMY)),
    Golden("global-1940", "Global 1940", 5, 2, WARS, "3star"),
)


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
        case ResearchersChanged(power=power, total=total):
            return f"- {power} has {total} researchers"
        case Damaged(space=space, points=points):
            return f"- damage in {space}: {points}"
        case Repaired(space=space, points=points):
            return f"- repaired in {space}: {points}"
        case Reinforced(power=power, units=units):
            return f"- {power} receives " + ", ".join(f"{n} {unit}" for unit, n in units)
        case Kept(power=power, units=units):
            return f"- of {power} waits: " + ", ".join(f"{n} {unit}" for unit, n in units)
        case Forfeited(power=power, units=units):
            return f"- {power} forfeits " + ", ".join(f"{n} {unit}" for unit, n in units)
        case AllianceMade(power=power, partner=partner):
            return f"- {power} and {partner} are allied"
        case AllianceDeclined(power=power, partner=partner):
            return f"- {partner} declines {power}"
        case AllianceBroken(power=power, partner=partner):
            return f"- {power} breaks with {partner}"
        case Won(side=side, reason=reason):
            return f"- {side} win: {reason}"
    return ""


def log(game: Game, head: str) -> str:
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
    return head + "\n".join(line for line in lines if line) + "\n"


def orders_in(text: str) -> list[str]:
    """The orders of a log, without who gave them and what came of them."""
    lines = (line for line in text.splitlines() if line and not line.startswith(("#", "-", "=")))
    return [line.partition(": ")[2].partition("|")[0].strip() for line in lines]


def play(golden: Golden, orders: list[str]) -> Game:
    game = Game.new(golden.scenario, seed=golden.seed)
    for order in orders:
        game.play(order)
    return game


def generate(golden: Golden) -> str:
    """A new game, by an opponent or by random choices among legal orders."""
    game = Game.new(golden.scenario, seed=golden.seed)
    if golden.player:
        bots = {power: make(golden.player, f"{golden.seed}/{power}") for power in game.world.powers}
        while (question := game.decision) is not None and game.state.round <= golden.rounds:
            view = game.view(game.seat_of(question.power))
            game.play(bots[question.power].decide(view, game.legal, question))
        return log(game, golden.head)
    rng = random.Random(golden.seed)
    while game.decision is not None and game.state.round <= golden.rounds:
        game.play(game.legal.sample(rng))
    return log(game, golden.head)


def test_every_playable_scenario_has_a_golden_game() -> None:
    assert {info.id for info in scenarios() if info.playable} <= {golden.scenario for golden in GAMES}


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.scenario)
def test_golden_game(golden: Golden) -> None:
    text = golden.file.read_text("utf-8")
    orders = orders_in(text)
    assert len(orders) > 150
    assert log(play(golden, orders), golden.head) == text


@pytest.mark.parametrize("golden", GAMES, ids=lambda golden: golden.scenario)
def test_the_log_is_short_enough_to_read(golden: Golden) -> None:
    text = golden.file.read_text("utf-8")
    assert len(text) < LARGEST
    for word in golden.shows:
        assert word in text, f"the golden game never shows: {word}"


if __name__ == "__main__":
    wanted = sys.argv[1:] or [golden.scenario for golden in GAMES]
    for each in (golden for golden in GAMES if golden.scenario in wanted):
        each.file.write_text(generate(each), "utf-8")
