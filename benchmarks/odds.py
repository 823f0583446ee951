"""How fast exact odds are: battles with a budget, and those of a well-known simulating calculator.

    python -m benchmarks.odds [--runs N]

Caches are emptied before every calculation; imports and the world are warm. Processor time is measured, the best of
some runs and their median. The reference seconds are for 2,000 simulated battles on one thread; their hundredth part
is the budget.
"""

from __future__ import annotations

import argparse
import statistics
import time

from benchmarks.measure import Figure
from sandtable.odds import hits, odds, parse_battle
from sandtable.world.compile import compile_world

REFERENCE: list[tuple[str, float]] = [
    ("30 infantry, 15 armor, 6 fighter vs 40 infantry, 8 armor, 6 fighter", 4.0),
    ("60 infantry, 30 armor, 10 fighter, 4 bomber vs 70 infantry, 15 armor, 10 fighter, 1 aa-gun", 9.3),
    ("4 infantry, 2 armor, 2 fighter, 2 battleship vs 5 infantry, 1 fighter", 0.6),
    ("1 battleship, 1 transport vs 1 submarine, 1 transport", 0.4),
    (
        "2 battleship, 1 carrier, 2 fighter, 3 submarine, 2 transport vs "
        "1 battleship, 2 submarine, 2 transport, 1 carrier, 2 fighter",
        1.3,
    ),
    ("6 submarine, 4 fighter, 2 bomber vs 2 battleship, 2 carrier, 4 fighter, 4 transport", 1.1),
    (
        "8 battleship, 5 carrier, 10 fighter, 15 submarine, 10 transport vs "
        "8 battleship, 5 carrier, 10 fighter, 12 submarine, 15 transport",
        6.3,
    ),
]
BUDGET: list[tuple[str, float]] = [
    ("20 infantry, 6 armor, 4 fighter vs 22 infantry, 4 armor, 4 fighter", 0.010),
    ("20 infantry, 6 armor, 3 fighter, 1 bomber vs 22 infantry, 4 armor, 4 fighter, 1 aa-gun", 0.010),
    ("60 infantry, 30 armor, 10 fighter vs 75 infantry, 15 armor, 10 fighter", 0.200),
    ("60 infantry, 30 armor, 8 fighter, 2 bomber vs 75 infantry, 15 armor, 10 fighter, 1 aa-gun", 0.200),
]
FLEETS: list[tuple[str, float]] = [  # Anniversary
    (
        "4 submarine, 3 destroyer, 2 carrier, 4 fighter, 2 battleship, 3 transport vs "
        "3 submarine, 3 destroyer, 2 carrier, 4 fighter, 2 battleship, 3 transport",
        0.300,
    ),
    (
        "5 submarine, 5 destroyer, 2 cruiser, 3 carrier, 6 fighter, 3 battleship, 5 transport vs "
        "4 submarine, 5 destroyer, 2 cruiser, 3 carrier, 6 fighter, 3 battleship, 5 transport",
        0.600,
    ),
]

LAND_1940: list[tuple[str, float]] = [  # planes, guns and a fortification, forty a side
    (
        "15 infantry, 6 artillery, 4 mechanized-infantry, 8 armor, 4 fighter, 2 tactical-bomber, 1 bomber vs "
        "22 infantry, 5 artillery, 4 armor, 2 aa-gun, 5 fighter, 1 tactical-bomber, 1 fortification",
        0.040,
    ),
    (
        "4 infantry, 1 artillery, 2 armor, 2 fighter, 1 tactical-bomber vs 4 infantry, 1 fighter, 1 aa-gun",
        0.010,
    ),
]

SEA_1940: list[tuple[str, float]] = [  # nine ships and four planes a side, the same without destroyers, large fleets
    (
        "2 submarine, 2 destroyer, 1 cruiser, 1 carrier, 1 battleship, 2 transport, 2 fighter, 2 tactical-bomber vs "
        "2 submarine, 2 destroyer, 1 cruiser, 1 carrier, 1 battleship, 2 transport, 2 fighter, 2 tactical-bomber",
        0.300,
    ),
    (
        "3 submarine, 1 cruiser, 1 carrier, 2 battleship, 2 transport, 2 fighter, 2 tactical-bomber vs "
        "3 submarine, 2 cruiser, 1 carrier, 1 battleship, 2 transport, 2 fighter, 2 tactical-bomber",
        0.300,
    ),
    (
        "5 submarine, 5 destroyer, 2 cruiser, 3 carrier, 6 fighter, 3 battleship, 5 transport vs "
        "4 submarine, 5 destroyer, 2 cruiser, 3 carrier, 6 fighter, 3 battleship, 5 transport",
        0.600,
    ),
]


def seconds(text: str, runs: int, scenario: str = "classic-1942") -> tuple[float, float]:
    """Processor time of one cold calculation: the best of some, and the median."""
    world = compile_world(scenario)
    attackers, defenders = parse_battle(text, world)
    times = []
    for _ in range(runs):
        hits.forget()
        begin = time.process_time()
        odds(world, attackers, defenders)
        times.append(time.process_time() - begin)
    return min(times), statistics.median(times)


def figures(runs: int = 7) -> list[Figure]:
    """For the table of all benchmarks: the battles with a budget, then those with reference seconds."""
    seconds(REFERENCE[3][0], 2)  # warm
    found = []
    for kind, scenario, battles in (
        ("odds", "classic-1942", BUDGET),
        ("odds, Anniversary", "anniversary-1942", FLEETS),
        ("odds, Global", "global-1940", [*LAND_1940, *SEA_1940]),
    ):
        for text, budget in battles:
            best, usual = seconds(text, runs, scenario)
            found.append(Figure(f"{kind}: {text}", best, budget, f"median {1000 * usual:.1f} ms"))
    for text, reference in REFERENCE:
        best, usual = seconds(text, runs)
        faster = f"{reference / best:.0f} times as fast as simulating"
        found.append(
            Figure(
                f"odds: {text}",
                best,
                reference / 100,
                f"{faster}; median {1000 * usual:.1f} ms, {reference / usual:.0f} times",
            )
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="calculations of each battle; the best counts")
    runs = max(1, parser.parse_args().runs)
    for figure in figures(runs):
        assert figure.budget is not None
        took, budget = 1000 * figure.seconds, 1000 * figure.budget
        print(f"{took:8.2f} ms  {took / budget:5.0%} of {budget:4.0f} ms  {figure.name}  {figure.note}".rstrip())


if __name__ == "__main__":
    main()
