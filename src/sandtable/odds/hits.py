"""How many hits a group of shooters scores: sums of binomial distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_tables: dict[tuple[int, int], list[Floats]] = {}


def binomial(dice: int, value: int, sides: int) -> Floats:
    """P(0 hits), P(1 hit)... of so many dice that hit on `value` or less. Kept for the next question."""
    table = _tables.setdefault((value, sides), [np.ones(1)])
    chance = min(max(value, 0), sides) / sides
    while len(table) <= dice:
        before = table[-1]
        after = np.zeros(len(before) + 1)
        after[:-1] = before * (1 - chance)
        after[1:] += before * chance
        table.append(after)
    return table[dice]


def forget() -> None:
    """Empty the cache; benchmarks measure cold."""
    _tables.clear()


def volley(shooters: Sequence[tuple[int, int]], sides: int) -> Floats:
    """The distribution of hits of several (dice, value) groups firing together."""
    total = np.ones(1)
    for dice, value in shooters:
        if dice and value > 0:
            total = np.convolve(total, binomial(dice, value, sides))
    return total


def table(counts: Ints, kinds: Sequence[tuple[int, int]], sides: int) -> Floats:
    """One distribution a row. `counts` has a row a state and a column a kind; `kinds` gives (dice a unit, value).

    Behind the probabilities stand a zero and the tails, P(hits ≥ n): a kernel takes its entries from all three.
    """
    dice = counts * np.array([n if value > 0 else 0 for n, value in kinds], dtype=np.intp)
    most = int(dice.sum(axis=1).max(initial=0))
    found = np.zeros((1, most + 1))
    found[0, 0] = 1.0
    place = np.zeros(len(counts), dtype=np.intp)  # a state's row in `found`, which keeps each mix of kinds once
    for column, (_, value) in enumerate(kinds):
        keys, place = np.unique(place * (most + 1) + dice[:, column], return_inverse=True)
        found = _convolve(found, keys // (most + 1), keys % (most + 1), value, sides)
    result = np.zeros((len(counts), 2 * (most + 1) + 1))
    result[:, : most + 1] = found[place]
    result[:, most + 2 :] = result[:, most::-1].cumsum(axis=1)[:, ::-1]
    return result


def _convolve(before: Floats, rows: Ints, dice: Ints, value: int, sides: int) -> Floats:
    """Row by row: what `before[rows]` and so many more dice score together."""
    width = before.shape[1]
    after = before[rows]
    for number in np.unique(dice).tolist():
        if number == 0:
            continue
        chances = binomial(number, value, sides)
        mine = np.flatnonzero(dice == number)
        if len(mine) == 1:
            after[mine[0]] = np.convolve(before[rows[mine[0]]], chances)[:width]
            continue
        old = before[rows[mine]]
        new = old * chances[0]
        for hits in range(1, number + 1):
            new[:, hits:] += old[:, :-hits] * chances[hits]
        after[mine] = new
    return after


def most_hits(table: Floats) -> int:
    """The largest number of hits in a table of `table`."""
    return (int(table.shape[1]) - 3) // 2
