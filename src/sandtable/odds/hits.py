"""How many hits a group of shooters scores: sums of binomial distributions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

MANY = 24  # states from which on whole arrays are quicker than one state after the other
VERY_MANY = 250  # and from which on it is quicker to let them grow unit by unit

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
    if len(counts) >= MANY:
        grown = _grown(counts, kinds, sides) if len(counts) >= VERY_MANY else None
        return _with_tails(_many(counts, kinds, sides) if grown is None else grown)
    rows = [tuple(row) for row in counts.tolist()]
    most = max((sum(n * kind[0] for n, kind in zip(row, kinds, strict=True) if kind[1] > 0) for row in rows), default=0)
    result = np.zeros((len(rows), most + 1))
    known: dict[tuple[int, ...], Floats] = {(): np.ones(1)}  # mixes of the first kinds
    for place, row in enumerate(rows):
        length = len(row)
        while row[:length] not in known:
            length -= 1
        hits = known[row[:length]]
        for column in range(length, len(row)):
            dice, value = kinds[column]
            if row[column] and value > 0:
                more = binomial(row[column] * dice, value, sides)
                hits = np.convolve(hits, more) if len(hits) > 1 else more
            known[row[: column + 1]] = hits
        result[place, : len(hits)] = hits
    return _with_tails(result)


def _grown(counts: Ints, kinds: Sequence[tuple[int, int]], sides: int) -> Floats | None:
    """The distributions of many states, each from that of one with a unit less. None if one has no such state."""
    armed = [k for k, (dice, value) in enumerate(kinds) if dice > 0 and value > 0]
    radix = np.cumprod([1, *(int(counts[:, k].max(initial=0)) + 1 for k in armed)], dtype=np.float64)
    if radix[-1] > 2**53:
        return None
    codes = counts[:, armed] @ radix[:-1].astype(np.intp)
    different, which = np.unique(codes, return_inverse=True)
    before = np.full(len(different), -1, dtype=np.intp)
    unit = np.zeros(len(different), dtype=np.intp)
    size = np.zeros(len(different), dtype=np.intp)
    for place, k in enumerate(armed):
        step, more = int(radix[place]), int(radix[place + 1])
        size += different % more // step
        found = np.searchsorted(different, different - step)
        fits = (different % more >= step) & (different[found] == different - step)
        before[fits], unit[fits] = found[fits], k
    if (before[size > 0] < 0).any():
        return None
    most = int((counts @ np.array([dice if value > 0 else 0 for dice, value in kinds], dtype=np.intp)).max(initial=0))
    result = np.zeros((len(different), most + 1))
    result[size == 0, 0] = 1.0
    dice = np.array([n for n, _ in kinds], dtype=np.intp)[unit]
    chance = np.array([min(value, sides) / sides for _, value in kinds])[unit]
    order = np.argsort(size, kind="stable")
    bounds = np.searchsorted(size[order], np.arange(1, int(size.max(initial=0)) + 2))
    for begin, end in pairwise(bounds.tolist()):
        rows = order[begin:end]
        hits = result[before[rows]]
        for number in range(int(dice[rows].max(initial=0))):
            hit = np.where(dice[rows] > number, chance[rows], 0.0)[:, None]
            more_hits = hits * (1.0 - hit)
            more_hits[:, 1:] += hits[:, :-1] * hit
            hits = more_hits
        result[rows] = hits
    grown: Floats = result[which.reshape(-1)]
    return grown


def _many(counts: Ints, kinds: Sequence[tuple[int, int]], sides: int) -> Floats:
    """The distributions of many states: kind after kind, each different mix of the kinds so far worked out once."""
    hits = np.ones((1, 1))
    mix = np.zeros(len(counts), dtype=np.intp)  # the row of `hits` that a state has so far
    for column, (dice, value) in enumerate(kinds):
        if not dice or value <= 0:
            continue
        largest = int(counts[:, column].max())
        different, mix = np.unique(mix * (largest + 1) + counts[:, column], return_inverse=True)
        before, number = hits[different // (largest + 1)], different % (largest + 1)
        own = np.zeros((largest + 1, largest * dice + 1))
        for n in range(largest + 1):
            own[n, : n * dice + 1] = binomial(n * dice, value, sides)
        more = own[number]
        if more.shape[1] > before.shape[1]:
            before, more = more, before
        hits = np.zeros((len(different), before.shape[1] + more.shape[1] - 1))
        for n in range(more.shape[1]):
            hits[:, n : n + before.shape[1]] += before * more[:, n : n + 1]
    return hits[mix]


def _with_tails(hits: Floats) -> Floats:
    """Distributions with the zero and the tails behind them."""
    size = hits.shape[1]
    result = np.zeros((len(hits), 2 * size + 1))
    result[:, :size] = hits
    result[:, size + 1 :] = hits[:, ::-1].cumsum(axis=1)[:, ::-1]
    return result


def most_hits(table: Floats) -> int:
    """The largest number of hits in a table of `table`."""
    return (int(table.shape[1]) - 3) // 2
