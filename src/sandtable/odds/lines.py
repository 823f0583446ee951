"""Battles in which both sides lose their units along a line, whoever hits: all battles on land, many at sea.

The defenders have one line of states. The attackers may have several, one for each number of planes that AA guns shot
down, and nothing leads from one to another (where they come to the same units, each goes on by itself). So the
attackers' states are numbered by line and by hits that they can still take, and hits of either side become shifts in
regular arrays: column by column, one matrix product hands on the flow from everybody who meets the same defenders.
"""

from __future__ import annotations

import numpy as np

from sandtable.odds.hits import Floats, Ints, most_hits
from sandtable.odds.linear import product

TINY = 1e-14  # flow that is left out: through a cell, or from one to another
BLOCK = 48  # places of the attackers' lines that are dealt with together; more where there are few lines
LARGEST_BLOCK = 96


def is_line(one_hit: Ints) -> bool:
    """Every hit leads to the next state."""
    states = np.arange(len(one_hit))
    return bool((one_hit[:-1] == states[1:]).all() and one_hit[-1] == states[-1])


class Lines:
    """The grid of a battle by (defenders' state, attackers' line, hits these can still take).

    `one_hit` leads from each of the attackers' states to the next; the tables of hits are those of `hits.table`, a row
    an attackers' and a defenders' state.
    """

    def __init__(self, one_hit: Ints, attack: Floats, defense: Floats) -> None:
        self.columns = len(defense)
        self._number(one_hit)
        most = most_hits(attack)
        by_hits = np.ascontiguousarray(attack.T)
        self._hits = by_hits[: most + 1, self.rows]  # (hits, line, place)
        self._tails = by_hits[most + 2 :, self.rows]
        size = self.rows.shape[1]
        self._block = max(BLOCK, LARGEST_BLOCK // len(self.rows))
        widest = self._hits.max(axis=1)
        self._likely = [widest[:, begin : begin + self._block].max(axis=1) for begin in range(0, size, self._block)]
        back = most_hits(defense)
        self._replies = np.zeros((self.columns, 2 * size))  # shifted, so that -size stands at 0
        self._replies[:, size : size + back + 1] = defense[:, : min(back + 1, size)]
        self._reply_tails = np.zeros((self.columns, size))
        self._reply_tails[:, : min(back + 1, size)] = defense[:, back + 2 :][:, :size]
        self._shift = np.arange(size)[:, None] - np.arange(size)[None, :] + size  # (from, to)

    def _number(self, one_hit: Ints) -> None:
        """Lay out the lines: `rows[line, n]` is the state that can take n more hits."""
        states = np.arange(len(one_hit))
        heads = np.setdiff1d(states, one_hit[one_hit != states])
        ways = [heads]
        while (one_hit[ways[-1]] != ways[-1]).any():
            ways.append(one_hit[ways[-1]])
        path = np.stack(ways, axis=1)  # from full strength on, the last state repeated
        lengths = (path != path[:, -1:]).sum(axis=1)
        places = np.maximum(lengths[:, None] - np.arange(path.shape[1])[None, :], 0)
        self.rows = np.take_along_axis(path, places, axis=1)
        self.real = np.arange(path.shape[1])[None, :] <= lengths[:, None]
        line, place = np.nonzero(self.real)
        self.home = np.zeros((2, len(one_hit)), dtype=np.intp)  # a place for each state, in one of its lines
        self.home[:, self.rows[line, place]] = line, place

    def empty(self) -> Floats:
        return np.zeros((self.columns, *self.rows.shape))

    def laid_out(self, grid: Floats) -> Floats:
        """Flow by states as flow by lines."""
        flow = self.empty()
        flow[:, self.home[0], self.home[1]] = grid.T
        return flow

    def by_state(self, flow: Floats) -> Floats:
        grid = np.zeros((self.columns, self.home.shape[1]))
        for line, (rows, real) in enumerate(zip(self.rows, self.real, strict=True)):
            grid[:, rows[real]] += flow[:, line, real]
        return grid.T

    def fight(self, flow: Floats) -> float:
        """Fight all battles to the end, in place; gives how many rounds that takes together."""
        fought = 0.0
        for d in range(self.columns - 1):
            fought += self._column(flow, flow, d, to_the_end=True)
        return fought

    def one_round(self, flow: Floats) -> Floats:
        """The flow after one more round, without battles that were over before."""
        after = self.empty()
        for d in range(self.columns - 1):
            self._column(flow, after, d, to_the_end=False)
        return after

    @staticmethod
    def going(flow: Floats) -> float:
        """The share of battles that are not over."""
        return float(flow[:-1, :, 1:].sum())

    def _column(self, flow: Floats, after: Floats, d: int, *, to_the_end: bool) -> float:
        """Fight the rounds that meet defenders `d`: one of each cell, or all until these defenders lose somebody."""
        inflow = flow[d, :, 1:]
        busy = inflow >= TINY
        lines, places = np.nonzero(busy)
        if not len(lines):
            return 0.0
        some = slice(int(lines[0]), int(lines[-1]) + 1)
        low, high = int(places.min()) + 1, int(places.max()) + 2
        visits = inflow[some, low - 1 : high - 1]
        if to_the_end:
            missed = (visits * self._hits[0, some, low:high]).max(axis=0) >= TINY
            if missed.any():
                top = high - 1 - int(missed[::-1].argmax())  # of larger forces, hardly any misses altogether
                again = self._visits(inflow[some, :top], self._hits[0, some, 1 : top + 1], d)
                visits = np.concatenate((again, inflow[some, top : high - 1]), axis=1)
                low = 1
        for begin in range(low - low % self._block, high, self._block):
            bottom, top = max(low, begin), min(high, begin + self._block)
            self._hand_on(visits[:, bottom - low : top - low], after, d, some, bottom, int(to_the_end))
        if to_the_end:
            # the last of the attackers was hit, nobody of the defenders
            flow[d, some, 0] += (visits * self._hits[0, some, low:high]) @ self._reply_tails[d, low:high]
        return float(visits.sum())

    def _hand_on(self, visits: Floats, after: Floats, d: int, some: slice, bottom: int, least: int) -> None:
        """One round of a block of cells that meet defenders `d`, where these lose at least so many.

        Few hits are worth following from a cell that the battle hardly ever comes to.
        """
        strongest = visits.max(axis=1)
        lines = (strongest >= TINY).nonzero()[0]
        if not len(lines):
            return
        visits = visits[int(lines[0]) : int(lines[-1]) + 1]
        some = slice(some.start + int(lines[0]), some.start + int(lines[-1]) + 1)
        worth = TINY / float(strongest.max())
        top = bottom + visits.shape[1]
        left = self.columns - 1 - d
        scored = (self._likely[bottom // self._block] >= worth).nonzero()[0]
        suffered = (self._replies[d, len(self._shift) :] >= worth).nonzero()[0]
        if not len(scored) or not len(suffered):
            return
        fewest, many = max(least, min(left, int(scored[0]))), min(left, int(scored[-1]))
        if fewest > many:
            return
        shots = self._hits[fewest : many + 1, some, bottom:top] * visits
        if many == left:
            shots[-1] = self._tails[left, some, bottom:top] * visits
        low, high = max(0, bottom - int(suffered[-1])), max(1, top - int(suffered[0]))
        spread = product(shots.reshape(-1, top - bottom), self._matrix(d, bottom, top, low, high))
        after[d + fewest : d + many + 1, some, low:high] += spread.reshape(*shots.shape[:2], high - low)

    def _matrix(self, d: int, bottom: int, top: int, low: int, high: int) -> Floats:
        """What the fire of defenders `d` does: from the places `bottom:top` to the places `low:high`."""
        matrix: Floats = self._replies[d][self._shift[bottom:top, low:high]]
        if low == 0:
            matrix[:, 0] = self._reply_tails[d, bottom:top]
        return matrix

    def _visits(self, inflow: Floats, missed: Floats, d: int) -> Floats:
        """How often each cell of a column is visited when rounds without a hit on the defenders are fought on.

        Rounds that change nothing at all are divided out; the rest dies away as the attackers become fewer.
        """
        size = inflow.shape[1] + 1
        again = self._matrix(d, 1, size, 1, size)
        scale = 1.0 / (1.0 - missed * again[0, 0])
        np.fill_diagonal(again, 0.0)
        unhurt = missed * scale
        total = inflow.copy()
        arriving = inflow
        for _ in range(size):
            arriving = product(arriving * unhurt, again)
            total += arriving
            if arriving.max() < TINY:
                break
        visits: Floats = total * scale
        return visits
