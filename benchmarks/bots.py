"""The opponents' budgets: the median turn of each level over three rounds of Classic, all five powers."""

from __future__ import annotations

import statistics
import time

from benchmarks.measure import Figure
from sandtable.archive.game import Game
from sandtable.bots import make

BUDGETS = {"3star": 0.3, "4star": 1.0, "5star": 3.0}
ROUNDS = 3


def turns(name: str, seed: int = 1) -> list[float]:
    """Seconds that each turn took the power whose turn it was."""
    game = Game.new("classic-1942", seed=seed)
    bots = {power: make(name, f"{seed}/{power}") for power in game.world.order}
    spent: dict[tuple[int, int], float] = {}
    while (question := game.decision) is not None and game.state.round <= ROUNDS:
        began = time.perf_counter()
        order = bots[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question)
        if question.power == game.world.order[game.state.turn]:
            turn = (game.state.round, game.state.turn)
            spent[turn] = spent.get(turn, 0.0) + time.perf_counter() - began
        game.play(order)
    return list(spent.values())


def figures() -> list[Figure]:
    found = []
    for name, budget in BUDGETS.items():
        times = turns(name)
        note = f"{len(times)} turns, longest {max(times):.2f} s"
        found.append(Figure(f"a Classic turn of {name}, median", statistics.median(times), budget, note))
    return found
