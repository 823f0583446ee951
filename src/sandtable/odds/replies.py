"""What fire does: the hits of a volley by the shooters' state, and where the defenders' volleys bring the attackers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from sandtable.odds.front import entries, paths
from sandtable.odds.hits import Floats, Ints, most_hits

NOTHING = 1e-15  # chances of so many hits that are left out


class Fire:
    """A volley made ready: distributions of its hits by shooter's state, and what hits do to the other force."""

    def __init__(self, table: Floats, one_hit: Ints) -> None:
        self.table = table
        self.most = most_hits(table)
        self.one_hit = one_hit

    @cached_property
    def by_hits(self) -> Floats:
        """The table the other way round: a row a number of hits."""
        return np.ascontiguousarray(self.table.T)

    @cached_property
    def peaks(self) -> Floats:
        """The greatest chance of so many hits (rows) that any shooter's state from a column on has."""
        greatest: Floats = np.maximum.accumulate(self.table[::-1], axis=0)[::-1]
        return greatest

    @cached_property
    def places(self) -> Ints:
        """Kernel entries, for volleys at the defender."""
        return entries(self.one_hit, self.most)

    @cached_property
    def paths(self) -> tuple[Ints, Ints]:
        """For volleys at the attacker: a row a state, with those after 0, 1, 2... hits; and how many of these count."""
        return paths(self.one_hit, np.arange(len(self.one_hit)))

    def likely(self, low: int, high: int, worth: float) -> int:
        """The greatest number of hits that is worth following when shooters in the states `low:high` fire."""
        chances = self.peaks[low, : self.most + 1] > worth
        return self.most - int(chances[::-1].argmax())


class Replies:
    """All volleys of the defenders in a round, those that spare something first.

    Often it does not matter which of them hits: what may be spared is not next in the order of losses yet. Then they
    count as one volley, whose table of hits is `together`.
    """

    def __init__(self, fires: Sequence[Fire], together: Callable[[], Floats]) -> None:
        self.fires = fires
        self._make_table = together

    def chances(self, a: int, low: int, high: int, flow: float = 1.0) -> tuple[Ints, Floats]:
        """States that attackers `a` may come to, with a row of chances each, by defenders' state. The first is `a`.

        Where hardly any `flow` is to be handed on, few hits are worth following.
        """
        if not self.fires:
            return np.array([a], dtype=np.intp), np.ones((1, high - low))
        worth = NOTHING / flow
        sparing = self.fires[:-1]
        if sparing and self._alike[a] >= sum(fire.likely(low, high, worth) for fire in sparing):
            return _after(self._together, a, low, high, worth)
        states, chances = _after(self.fires[0], a, low, high, worth)
        for fire in self.fires[1:]:
            states, chances = further(fire, states, chances, low, high, worth)
        return states, chances

    @cached_property
    def _together(self) -> Fire:
        return Fire(self._make_table(), self.fires[-1].one_hit)

    @cached_property
    def _alike(self) -> Ints:
        """By attackers' state, how many hits on end lead to the same states whichever volley they are of."""
        last = self.fires[-1]
        alike = np.all([fire.one_hit == last.one_hit for fire in self.fires], axis=0)
        along = alike[last.paths[0]]
        result: Ints = np.where(along.all(axis=1), len(alike), along.argmin(axis=1))
        return result


def _after(fire: Fire, a: int, low: int, high: int, worth: float) -> tuple[Ints, Floats]:
    """States after hits on attackers in state `a`, with a row of chances each, by defenders' state."""
    ways, lengths = fire.paths
    length = int(lengths[a])
    number = min(length, fire.likely(low, high, worth) + 1)
    chances = fire.by_hits[:number, low:high]
    if number == length:  # hits beyond the last unit are wasted
        chances = chances.copy()
        chances[-1] = fire.by_hits[fire.most + 1 + number, low:high]
    return ways[a, :number], chances


def further(fire: Fire, states: Ints, before: Floats, low: int, high: int, worth: float) -> tuple[Ints, Floats]:
    """The same for several states of the attackers, each with its chances before. Chances of equal states are added."""
    ways, lengths = fire.paths
    length = lengths[states, None]
    hits = np.arange(min(fire.most + 1, int(length.max())))
    row = np.where(hits == length - 1, fire.most + 1 + length, hits)
    likely = fire.peaks[low][row] * before.max(axis=1)[:, None] > worth
    likely[0, 0] = True
    origin, number = (likely & (hits < length)).nonzero()
    target = ways[states[origin], number]
    order = target.argsort(kind="stable")
    target = target[order]
    begins = np.flatnonzero(np.concatenate(([True], target[1:] != target[:-1])))
    joint = before[origin[order]]
    joint *= fire.by_hits[row[origin, number][order], low:high]
    return target[begins], np.add.reduceat(joint, begins, axis=0)
