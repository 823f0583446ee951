"""Long lawful play: `python -m tools.soak --games 300 --workers 2`.

Games with another random valid set of options each, on every scenario in turn: random legal orders, and every fourth
game opponents instead, with all laws of tests/support/laws.py checked after every order. The first game that breaks a
law is told with its scenario, options, seed and orders, so that it can be played again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sandtable.arena.chance_options import EVERY, draw, drawn_from
from sandtable.bots import make
from sandtable.engine.game import Game
from sandtable.notation import format_order
from sandtable.world.compile import compile_world
from sandtable.world.load import scenarios
from support.laws import check_state
from support.play import play_checked, play_on

LEVELS = ("3star", "4star", "5star-quick")
BY_BOTS = 4  # one game of so many


def soak(scenario: str, number: int, seed: str, orders: int, rounds: int) -> tuple[str, str, int]:
    """Play one game; gives its kind, the orders played, or what went wrong with all that is needed to repeat it."""
    rng = random.Random(f"{seed}/{number}")
    chosen = draw(scenario, drawn_from(scenario, EVERY, {}), {}, rng)
    world = compile_world(scenario, chosen)
    game = Game(world, seed=f"{seed}/{number}")
    level = rng.choice(LEVELS) if number % BY_BOTS == 0 else ""
    kind = f"{scenario}, {level or 'random orders'}"
    try:
        check_state(world, game.state)
        if not level:
            return kind, "", play_on(game, rng, orders)
        bots = {power: make(level, f"{seed}/{number}/{power}") for power in world.powers}
        played = 0
        while (question := game.decision) is not None and game.state.round <= rounds:
            view = game.view(game.seat_of(question.power))
            play_checked(game, bots[question.power].decide(view, game.legal, question))
            played += 1
        return kind, "", played
    except Exception:
        given = "\n".join(format_order(entry.order) for entry in game.entries)
        return kind, f"{scenario}, options {chosen}, seed {seed}/{number}:\n{given}\n{traceback.format_exc()}", 0


def played(games: int, seed: str, orders: int, rounds: int, workers: int) -> Iterator[tuple[str, str, int]]:
    names = [info.id for info in scenarios() if info.playable]
    with ProcessPoolExecutor(workers) as pool:
        rows = ((number, name) for number in range(games) for name in names)
        jobs = [
            pool.submit(soak, name, number, f"{seed}/{name}", orders, rounds) for number, name in islice(rows, games)
        ]
        for job in jobs:
            yield job.result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", default="soak")
    parser.add_argument("--orders", type=int, default=250, help="of a random game, at most")
    parser.add_argument("--rounds", type=int, default=2, help="of a game between opponents, at most")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    total, began = 0, time.monotonic()
    for done, (kind, wrong, orders) in enumerate(
        played(asked.games, asked.seed, asked.orders, asked.rounds, asked.workers), 1
    ):
        if wrong:
            print(f"\n{wrong}")
            return 1
        counts[kind] += 1
        total += orders
        print(f"\r{done} of {asked.games} games, {total} orders", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for kind, n in sorted(counts.items()):
        print(f"{n:5} {kind}")
    print(f"{asked.games} games, {total} orders in {time.monotonic() - began:.0f} s: every law held")
    return 0


if __name__ == "__main__":
    sys.exit(main())
