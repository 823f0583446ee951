"""Battles in which both sides lose their units along a line, whoever hits: all battles on land, many at sea.

The defenders have one line of states. The attackers may have several, one for each number of planes that AA guns shot
down, and nothing leads from one to another (where they come to the same units, each goes on by itself). So the
attackers' states are numbered by line and by hits that they can still take, and hits of either force become shifts in
regular arrays.

Defenders are dealt with state by state, from full strength down. What makes this quick is that the fire of a state is
that of the next one and the dice of the unit which is lost between them: of everything that the attackers have shot at
so far, no matter against how many defenders, these dice are rolled together, and only when the state is reached that
is left of the defenders, all the rest of its fire at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.odds.front import paths
from sandtable.odds.hits import Floats, Ints, most_hits
from sandtable.odds.linear import product, vector

TINY = 1e-14  # flow that is left out: through a cell, or from one to another
AT_ONCE = 32_000  # numbers that are dealt with together; more would not stay in the processor's cache

largest = np.maximum.reduce  # in a tight loop twice as quick as the method `max`


def is_line(one_hit: Ints) -> bool:
    """Every hit leads to the next state."""
    states = np.arange(len(one_hit))
    return bool((one_hit[:-1] == states[1:]).all() and one_hit[-1] == states[-1])


class Lines:
    """The grid of a battle by (defenders' state, hits that the attackers can still take, attackers' line).

    `one_hit` leads from each of the attackers' states to the next; the tables of hits are those of `hits.table`, a row
    an attackers' and a defenders' state; `dice` are by defenders' state the chances to hit of the dice that the next
    state lacks.
    """

    def __init__(self, one_hit: Ints, attack: Floats, defense: Floats, dice: Sequence[Sequence[float]]) -> None:
        self.columns = len(defense)
        self._dice = dice
        self._number(one_hit)
        size = len(self.states)
        most = most_hits(attack)
        by_place = attack[self.states]  # (place, line, hits)
        self._likely = by_place[:, :, : most + 1].max(axis=1)
        by_hits = np.ascontiguousarray(by_place.transpose(2, 0, 1))
        self._hits, self._tails = by_hits[: most + 1], by_hits[most + 2 :]
        back = most_hits(defense)
        reach = min(back + 1, size)
        self._reply_tails = np.zeros((self.columns, size))
        self._reply_tails[:, :reach] = defense[:, back + 2 :][:, :reach]
        replies = np.zeros((self.columns, 2 * size - 1))
        replies[:, size - 1 : size - 1 + reach] = defense[:, :reach]
        # (defenders' state, to place, from place): each row is the one above, moved on
        across, along = replies.strides
        self._replies = np.lib.stride_tricks.as_strided(
            replies[:, size - 1 :], (self.columns, size, size), (across, -along, along), writeable=False
        )
        self._portion = max(1, AT_ONCE // self.states.size)
        self._work = np.empty((min(self.columns, self._portion), *self.states.shape))

    def _number(self, one_hit: Ints) -> None:
        """Lay out the lines: `states[n, line]` is the state that can take n more hits."""
        head = np.ones(len(one_hit), dtype=np.bool_)
        head[one_hit] = False
        path = paths(one_hit, head.nonzero()[0])[0].T  # from full strength on, the last state repeated
        lengths = (path != path[-1]).sum(axis=0)
        places = np.arange(len(path))[:, None]
        self.states = path[np.maximum(lengths - places, 0), np.arange(path.shape[1])]
        self.real = places <= lengths
        self.home = np.zeros((2, len(one_hit)), dtype=np.intp)  # a place for each state, in one of its lines
        self.home[:, self.states[self.real]] = np.nonzero(self.real)

    def laid_out(self, grid: Floats) -> Floats:
        """Flow by states as flow by lines."""
        flow = self._empty()
        flow[:, self.home[0], self.home[1]] = grid.T
        return flow

    def _empty(self) -> Floats:
        return np.zeros((self.columns, *self.states.shape))

    def fight(self, grid: Floats) -> tuple[Floats, float]:
        """Fight battles that stand like this to the end: how they end, and how many rounds that takes together."""
        flow, shot = self.laid_out(grid), self._empty()
        ends = np.zeros_like(grid)
        gone = ends[self.states[0, 0]]  # the state in which no attacker is left
        fought = 0.0
        last = 0
        for d in range(self.columns - 1):
            if d < last:
                flow[d] += self._answered(shot, d)
            visits, lost = self._visits(flow[d], d)
            gone[d] = visits[0].sum() + lost
            visits[0] = 0.0
            fought += float(visits.sum())
            last = max(last, self._fire(visits, shot, d, least=1))
            self._roll(shot[d + 1 : last], d)
        np.add.at(ends[:, -1], self.states[self.real], shot[-1][self.real])
        return ends, fought

    def one_round(self, flow: Floats) -> Floats:
        """The flow after one more round, without battles that were over before."""
        after, shot = self._empty(), self._empty()
        last = 0
        going = flow[:, 1:].max(axis=(1, 2)) >= TINY
        for d in range(self.columns - 1):
            if going[d]:
                visits = flow[d].copy()
                visits[0] = 0.0
                last = max(last, self._fire(visits, shot, d, least=0))
            if d < last:
                after[d] = self._answered(shot, d)
                self._roll(shot[d + 1 : last], d)
        after[-1] = shot[-1]
        return after

    @staticmethod
    def going(flow: Floats) -> float:
        """The share of battles that are not over."""
        return float(flow[:-1, 1:].sum())

    def _fire(self, visits: Floats, shot: Floats, d: int, *, least: int) -> int:
        """Attackers who meet defenders `d` fire, where these lose at least so many; gives the end of what is shot.

        Few hits are worth following from a cell that the battle hardly ever comes to.
        """
        likely = (vector(largest(visits, axis=1), self._likely) >= TINY).nonzero()[0]
        if not len(likely):
            return 0
        left = self.columns - 1 - d
        fewest, many = max(least, min(left, int(likely[0]))), min(left, int(likely[-1]))
        visits = np.where(visits >= TINY, visits, 0.0)
        for begin in range(fewest, many + 1, self._portion):
            end = min(many + 1, begin + self._portion)
            fired = self._work[: end - begin]
            np.multiply(self._hits[begin:end], visits, out=fired)
            if end > left:
                fired[-1] = self._tails[left] * visits
            shot[d + begin : d + end] += fired
        return d + many + 1

    def _roll(self, shot: Floats, d: int) -> None:
        """Roll the dice that defenders `d` have more than the next state, at all who have shot."""
        lines = shot.shape[2]
        for begin in range(0, len(shot), self._portion):
            some = shot[begin : begin + self._portion]
            hits = self._work[: len(some)]
            flat, flat_hits = some.reshape(-1), hits.reshape(-1)  # numpy is slow with parts of larger arrays
            for chance in self._dice[d]:
                np.multiply(some, chance, out=hits)
                hits[:, 0] = 0.0  # nobody is left to be hit
                flat -= flat_hits
                flat[:-lines] += flat_hits[lines:]

    def _answered(self, shot: Floats, d: int) -> Floats:
        """Defenders `d` fire at all who have shot and left so many of them."""
        answer = np.array(self._replies[d])
        answer[0] = self._reply_tails[d]
        return product(answer, shot[d])

    def _visits(self, inflow: Floats, d: int) -> tuple[Floats, float]:
        """How often each cell of a column is visited when rounds without a hit on the defenders are fought on; and how
        often such a round costs the last of the attackers.

        Rounds that change nothing at all are divided out; the rest dies away as the attackers become fewer.
        """
        visits = inflow.copy()
        missed = (largest(inflow, axis=1) * self._likely[:, 0] >= TINY)[1:].nonzero()[0]
        if not len(missed):
            return visits, 0.0
        top = int(missed[-1]) + 2  # of larger forces, hardly any misses altogether
        miss = self._hits[0, 1:top]
        again = np.array(self._replies[d, 1:top, 1:top])
        scale = 1.0 / (1.0 - miss * again[0, 0])
        again.reshape(-1)[::top] = 0.0  # the diagonal
        unhurt = miss * scale
        total = visits[1:top]
        arriving = total
        for _ in range(top):
            arriving = product(again, arriving * unhurt)
            total += arriving
            if largest(arriving, axis=None) < TINY:
                break
        total *= scale
        return visits, float(self._reply_tails[d, 1:top] @ (total * miss).sum(axis=1))
