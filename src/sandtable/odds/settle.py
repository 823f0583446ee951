"""Hits that may spare different units become casualties, for many states and numbers of hits at once.

Casualties follow the order of losses: each unit goes to which one of the hits can still be given. The engine asks for
every single choice whether there is a hit of its own for every casualty (`engine.battle.casualties.assignable`); here
the same condition stands as a number of hits left for each set of groups, so that a whole array is settled by a few
subtractions. A test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby

import numpy as np

from sandtable.odds.front import Front
from sandtable.odds.hits import Ints
from sandtable.odds.model import Force

LARGEST_CODE = 2**62
AT_ONCE = 200_000  # entries that are settled together


class Settler:
    """`after` gives the states that hits lead to. A group of hits is named by the kinds it can strike, as bits."""

    def __init__(self, force: Force, front: Front) -> None:
        self.front = front
        sizes = [n + 1 for n in force.counts]
        self._radix = list(accumulate(sizes, lambda product, size: product * size, initial=1))
        self._gones: dict[tuple[int, ...], int] = {}
        self._runs: list[tuple[int, int, int]] = []  # kind, how many of it come earlier in the order, length
        seen = [0] * len(force.kinds)
        for kind, run in groupby(force.order):
            length = len(list(run))
            self._runs.append((kind, seen[kind], length))
            seen[kind] += length
        self._tables: dict[tuple[tuple[int, ...], tuple[int, ...]], Ints] = {}
        self._learn()

    @property
    def possible(self) -> bool:
        """The states can be told apart by one number each."""
        return self._radix[-1] * max(1, len(self._gones)) < LARGEST_CODE

    def _learn(self) -> None:
        """Take in states that the front has found since."""
        counts = self.front.counts()
        left = [self._gones.setdefault(gone, len(self._gones)) for _, gone in self.front.states]
        if not self.possible:
            return
        self._counts, self._gone = counts, self.front.gone()
        self._of = counts @ np.array(self._radix[:-1], dtype=np.int64) + np.array(left) * self._radix[-1]
        self._numbers = np.argsort(self._of)
        self._sorted = self._of[self._numbers]

    def _find(self, codes: Ints) -> Ints:
        """The states with these codes; those not met before are new states of the front."""
        if len(self._of) != len(self.front):
            self._learn()
        place = np.minimum(np.searchsorted(self._sorted, codes), len(self._sorted) - 1)
        strange = self._sorted[place] != codes
        if strange.any():
            gones = list(self._gones)
            for code in np.unique(codes[strange]).tolist():
                kind_codes = [code % big // small for small, big in zip(self._radix, self._radix[1:], strict=False)]
                self.front.find((tuple(kind_codes), gones[code // self._radix[-1]]))
            return self._find(codes)
        result: Ints = self._numbers[place]
        return result

    def after(self, states: Ints, hits: Sequence[Ints], groups: Sequence[int]) -> Ints:
        """The states after these hits; `states` and the numbers of `hits` of each group are broadcast together."""
        if len(self._of) != len(self.front):
            self._learn()
        everything = range(1, 1 << len(groups))
        # for each set of groups, the hits that are left for units which nobody else can strike
        left = {some: sum(n for place, n in enumerate(hits) if some >> place & 1) for some in everything}
        codes = self._of[states]
        for kind, before, length in self._runs:
            able = sum(1 << place for place, group in enumerate(groups) if group >> kind & 1)
            if not able:
                continue
            end = self.front.full[kind] - self._gone[:, kind]
            begin = np.maximum(end - self._counts[:, kind], before)
            lost = np.maximum(np.minimum(end, before + length) - begin, 0)[states]
            if not lost.any():
                continue
            for some in everything:
                if some & able == able:
                    lost = np.minimum(lost, left[some])
            for some in everything:
                if some & able == able:
                    left[some] = left[some] - lost
            codes = codes - lost * self._radix[kind]
        return self._find(np.broadcast_to(codes, np.broadcast_shapes(codes.shape, *(n.shape for n in hits))))

    def table(self, groups: tuple[int, ...], most: tuple[int, ...]) -> Ints:
        """By state, what all numbers of hits lead to: a column a combination of none to `most` of each group."""
        found = self._tables.get((groups, most))
        if found is None:
            box = np.indices([n + 1 for n in most]).reshape(len(most), -1)
            numbers = [row[None, :] for row in box]
            portion = max(1, AT_ONCE // box.shape[1])
            states = np.arange(len(self.front))[:, None]
            parts = [self.after(states[i : i + portion], numbers, groups) for i in range(0, len(states), portion)]
            found = self._tables[groups, most] = np.concatenate(parts)
        return found
