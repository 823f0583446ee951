"""How many hits a group of shooters scores: sums of binomial distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sandtable.odds.linear import Floats as Floats
from sandtable.odds.linear import product

Ints = NDArray[np.intp]

STEP = 64  # dice by which a table grows at most
VANISHING = 1e-100  # chances that do not matter; the products of smaller ones are numbers that processors are slow with

_tables: dict[tuple[int, int], Floats] = {}


def binomials(dice: int, value: int, sides: int) -> Floats:
    """The hits of none to so many dice that hit on `value` or less: a row a number of dice, a column a number of hits.

    Kept for the next question, which may be about more of them.
    """
    known = _tables.get((value, sides))
    if known is None:
        chance = min(max(value, 0), sides) / sides
        known = np.array([[1.0, 0.0], [1.0 - chance, chance]])
    while len(known) <= dice:
        most = len(known) - 1
        more = min(most, STEP)
        grown = np.zeros((most + more + 1, most + more + 1))
        grown[: most + 1, : most + 1] = known
        grown[most + 1 :] = product(known[1 : more + 1, : more + 1], shifted(known[-1], more + 1))
        grown[grown < VANISHING] = 0.0
        known = grown
    _tables[value, sides] = known
    return known[: dice + 1, : dice + 1]


def binomial(dice: int, value: int, sides: int) -> Floats:
    """P(0 hits), P(1 hit)... of so many dice that hit on `value` or less."""
    last: Floats = binomials(dice, value, sides)[-1]
    return last


def forget() -> None:
    """Empty the cache; benchmarks measure cold."""
    _tables.clear()


def shifted(row: Floats, times: int) -> Floats:
    """The row, and below it the same moved on by one, by two...: what is multiplied with it becomes a convolution."""
    width = len(row) + times - 1
    wide = np.zeros((times, width + 1))
    wide[:, : len(row)] = row
    return wide.reshape(-1)[: times * width].reshape(times, width)


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
    return with_tails(distributions(counts, kinds, sides))


def with_tails(hits: Floats) -> Floats:
    """Distributions of hits, a row each, with a zero and the tails behind them."""
    size = hits.shape[1]
    result = np.zeros((len(hits), 2 * size + 1))
    result[:, :size] = hits
    np.cumsum(hits[:, ::-1], axis=1, out=result[:, :size:-1])
    return result


def distributions(counts: Ints, kinds: Sequence[tuple[int, int]], sides: int) -> Floats:
    """The same without the tails: value after value, each different mix of the dice so far worked out once."""
    dice: dict[int, Ints] = {}
    for column, (number, value) in enumerate(kinds):
        if number and value > 0:
            chance = min(value, sides)
            dice[chance] = dice.get(chance, 0) + number * counts[:, column]
    hits = np.ones((1, 1))
    mix = np.zeros(len(counts), dtype=np.intp)  # the row of `hits` that a state has so far
    for value in sorted(dice, reverse=True):
        most = int(dice[value].max(initial=0))
        own = binomials(most, value, sides)
        if hits.size == 1:
            hits, mix = own, dice[value]
        else:
            different, mix = np.unique(mix * (most + 1) + dice[value], return_inverse=True)
            hits = _joined(hits, own, *np.divmod(different, most + 1))
    result: Floats = hits[mix]
    return result


def _joined(hits: Floats, own: Floats, mix: Ints, number: Ints) -> Floats:
    """The hits of so many more dice, distributed like the rows of `own`, beside those of a mix, a row of `hits`."""
    width = hits.shape[1]
    result = np.zeros((len(mix), width + own.shape[1] - 1))
    none = number == 0
    result[none, :width] = hits[mix[none]]
    more = (~none).nonzero()[0]
    mixes, numbers = set(mix[more].tolist()), set(number[more].tolist())
    if len(mixes) <= len(numbers):
        for one in mixes:
            some = more[mix[more] == one]
            result[some] = product(own[number[some]], shifted(hits[one], own.shape[1]))
    else:
        for one in numbers:
            some = more[number[more] == one]
            result[some] = product(hits[mix[some]], shifted(own[one], width))
    result[result < VANISHING] = 0.0
    return result


def most_hits(table: Floats) -> int:
    """The largest number of hits in a table of `table`."""
    return (int(table.shape[1]) - 3) // 2
