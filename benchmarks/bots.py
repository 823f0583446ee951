"""The opponents' budgets: the median turn of each level over three rounds, all powers, in processor time."""

from __future__ import annotations

import statistics
import time

from benchmarks.measure import Figure
from sandtable.archive.game import Game
from sandtable.bots import make
from sandtable.engine.facts import active

BUDGETS = {"3star": 0.3, "4star": 1.0, "5star": 3.0}
ROUNDS = 3


def turns(name: str, scenario: str, seed: int = 1) -> list[float]:
    """Seconds that each turn took the power whose turn it was."""
    game = Game.new(scenario, seed=seed)
    bots = {power: make(name, f"{seed}/{power}") for power in game.world.powers}
    spent: dict[tuple[int, int], float] = {}
    while (question := game.decision) is not None and game.state.round <= ROUNDS:
        began = time.process_time()
        order = bots[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question)
        if question.power == active(game.world, game.state):
            turn = (game.state.round, game.state.turn)
            spent[turn] = spent.get(turn, 0.0) + time.process_time() - began
        game.play(order)
    return list(spent.values())


def _note(times: list[float]) -> str:
    return f"{len(times)} turns, longest {max(times):.2f} s"


def figures() -> list[Figure]:
    found = []
    for name, budget in BUDGETS.items():
        times = turns(name, "classic-1942")
        usual = statistics.median(times)
        found.append(Figure(f"a Classic turn of {name}, median", usual, budget, _note(times)))
        times = turns(name, "anniversary-1942")
        later = statistics.median(times)
        note = f"{later / usual:.1f} times Classic; {_note(times)}"
        found.append(Figure(f"an Anniversary turn of {name}, median", later, 2.5 * usual, note))
    return found
