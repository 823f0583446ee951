"""Timing with a reference.

Machines differ, so every figure also stands as a ratio to `reference`: two hundred thousand updates of a small
dictionary in plain Python, timed in the same run. The best of several runs counts, because noise only ever adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    name: str
    seconds: float
    budget: float | None  # seconds, from the design
    note: str = ""


def best_of(function: Callable[[], object], runs: int) -> float:
    """The shortest of several runs, in seconds."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def reference() -> float:
    def work() -> None:
        counts: dict[int, int] = {}
        for i in range(200_000):
            counts[i & 127] = counts.get(i & 127, 0) + i

    return best_of(work, 5)
