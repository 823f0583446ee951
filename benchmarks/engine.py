"""The engine's budgets: reach, orders, copies, whole games, import, saves."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

import msgspec

from benchmarks.measure import Figure, best_of
from sandtable.archive.game import Game
from sandtable.engine.movement.reach import destinations
from sandtable.engine.start import starting_state
from sandtable.engine.state import State
from sandtable.notation.orders import Move
from sandtable.world.compile import compile_world
from sandtable.world.model import World


def reach_global() -> list[Figure]:
    """Every stack of every power on the largest board, in both move phases."""
    world = compile_world("global-1940")
    times: list[float] = []
    for phase in ("combat-move", "noncombat-move"):
        for turn in range(len(world.order)):
            state = msgspec.structs.replace(starting_state(world), phase=world.phases.index(phase), turn=turn)
            times += _reach_all(world, state, world.order[turn])
    times.sort()
    return [
        Figure("reach of a stack, Global, median", statistics.median(times), 0.002),
        Figure("reach of a stack, Global, slowest of all", times[-1], 0.005),
    ]


def _reach_all(world: World, state: State, power: str) -> list[float]:
    found = []
    for space, stack in state.units.items():
        for unit in {piece.type for piece in stack if piece.power == power}:
            found.append(best_of(lambda space=space, unit=unit: destinations(world, state, space, unit), 3))  # type: ignore[misc]
    return found


class Played(NamedTuple):
    """Seconds of processor time that random games took."""

    moves: list[float]
    others: list[float]  # other orders outside battle
    rounds: list[float]  # ten rounds of a game


def random_games(scenario: str, seeds: int = 5, last_round: int = 10) -> Played:
    moves: list[float] = []
    others: list[float] = []
    rounds: list[float] = []
    for seed in range(seeds):
        game = Game.new(scenario, seed=seed)
        rng = random.Random(seed)
        began = time.process_time()
        while game.state.round <= last_round and game.decision is not None:
            order = game.legal.sample(rng)
            quiet = game.state.battle is None
            start = time.process_time()
            game.play(order)
            spent = time.process_time() - start
            if quiet and game.state.battle is None:
                (moves if isinstance(order, Move) else others).append(spent)
        rounds.append(time.process_time() - began)
    return Played(moves, others, rounds)


def orders() -> list[Figure]:
    """Orders of random games, and what the larger edition costs beside Classic."""
    classic, anniversary = random_games("classic-1942"), random_games("anniversary-1942")
    world_war = random_games("global-1940", seeds=2, last_round=5)
    move, other = statistics.median(classic.moves), statistics.median(classic.others)
    later_move, later_other = statistics.median(anniversary.moves), statistics.median(anniversary.others)
    usual = statistics.median(classic.moves + classic.others)
    later = statistics.median(anniversary.moves + anniversary.others)
    largest = statistics.median(world_war.moves + world_war.others)
    return [
        Figure("a move order, median", move, 0.001),
        Figure("a move order, 99 of 100 are faster", sorted(classic.moves)[len(classic.moves) * 99 // 100], 0.001),
        Figure("another order outside battle, median", other, 0.001),
        Figure("ten rounds of random legal Classic play, best of five", min(classic.rounds), 2.0),
        Figure("a move order in Anniversary, median", later_move, 1.5 * move, f"{later_move / move:.2f} times Classic"),
        Figure("another order there, median", later_other, 0.001, f"{later_other / other:.2f} times Classic"),
        Figure("any order there, median", later, 1.5 * usual, f"{later / usual:.2f} times Classic"),
        Figure("any order in Global, median", largest, 2 * usual, f"{largest / usual:.2f} times Classic"),
    ]


def copies() -> list[Figure]:
    """A state that differs in one space: everything else is shared."""
    world = compile_world("classic-1942")
    state = starting_state(world)

    def copy() -> None:
        for _ in range(1000):
            msgspec.structs.replace(state, units={**state.units, "germany": state.units["germany"]})

    return [Figure("a changed copy of a state", best_of(copy, 5) / 1000, 20e-6)]


def package_import() -> list[Figure]:
    def load(code: str) -> float:
        return best_of(lambda: subprocess.run([sys.executable, "-c", code], check=True), 5)

    return [
        Figure(
            "import sandtable", load("import sandtable") - load("pass"), 0.150, "without the interpreter's own start"
        )
    ]


def saves() -> list[Figure]:
    return [*saved("classic-1942", "a saved ten-round game", 0.5), *saved("global-1940", "one of Global", 2.0)]


def saved(scenario: str, what: str, budget: float) -> list[Figure]:
    game = Game.new(scenario, seed=5)
    rng = random.Random(5)
    while game.state.round <= 10 and game.decision is not None:
        game.play(game.legal.sample(rng))
    text = game.to_text()
    note = f"{len(game.entries)} orders, {len(text) // 1024} kB"
    return [
        Figure(f"load {what}", best_of(lambda: Game.from_text(text), 3), budget, note),
        Figure(f"write {what} as text", best_of(game.to_text, 3), None, note),
    ]


def figures() -> list[Figure]:
    return [*reach_global(), *orders(), *copies(), *package_import(), *saves()]
