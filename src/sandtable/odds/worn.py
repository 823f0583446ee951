"""Lines of battles that wear out: tanks that guns hold down, planes that look on, a bulwark that picks its victims.

As in `lines`, both forces lose along lines. What is new: the attackers' fire hangs on the defenders' state, a battle
can be over before the last unit of a line is lost, and in the first columns a bulwark may take a unit out of the line,
which leads to another one. Those columns are answered at once, without rolling dice together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.odds.endings import Bools
from sandtable.odds.hits import Floats, Ints, most_hits
from sandtable.odds.linear import product
from sandtable.odds.lines import TINY, Lines, largest


class WornLines(Lines):
    """One line of defenders: `columns` of all tables are its states.

    `attacks` are the tables of the attackers' hits by what the defenders have beside them, `beside` which of these each
    column has; `picked` the hits of the defenders in rounds in which they also pick a victim, `pick` where that leads
    (-1: nowhere that is followed up). `over` are attackers who do not fight on; defenders do not from column `end` on.
    """

    def __init__(
        self,
        one_hit: Ints,
        attacks: Sequence[Floats],
        beside: Sequence[int],
        defense: Floats,
        picked: Floats,
        dice: Sequence[Sequence[float]],
        *,
        over: Bools,
        pick: Ints,
        end: int,
        rough: int,
    ) -> None:
        super().__init__(one_hit, attacks[0], defense, dice)
        self.end, self.rough = end, rough
        self._beside = beside
        self._stops = over[self.states] & self.real
        self._stops[0] = False
        self._fires = [self._tables(table) for table in attacks]
        most = most_hits(picked)
        self._picked = picked[:, : most + 1]
        self._picked_tails = picked[:, most + 2 :]
        places, lines = self.states.shape
        to = pick[self.states]
        self._pick: Ints = np.where(to < 0, places * lines, self.home[0][to] * lines + self.home[1][to])

    def _tables(self, attack: Floats) -> tuple[Floats, Floats, Floats]:
        """Hits, tails and what is likely: as in other lines, but for attackers who do not fight on."""
        most = most_hits(attack)
        by_hits = np.ascontiguousarray(attack[self.states].transpose(2, 0, 1))
        by_hits[:, self._stops] = 0.0
        return by_hits[: most + 1], by_hits[most + 2 :], by_hits[: most + 1].max(axis=2).T

    def _meet(self, d: int) -> None:
        self._hits, self._tails, self._likely = self._fires[self._beside[d]]

    def fight(self, grid: Floats) -> tuple[Floats, float]:
        flow, shot = self.laid_out(grid), self._empty()
        ends = np.zeros_like(grid)
        fought = 0.0
        last = 0
        for d in range(self.end):
            self._meet(d)
            if d < self.rough:
                fought += self._fight_roughly(flow, ends, d)
                continue
            if d < last:
                flow[d] += self._answered(shot, d)
            visits, lost = self._visits(flow[d], d)
            self._stop(visits, ends, d)
            ends[self.states[0, 0], d] += lost
            fought += float(visits.sum())
            last = max(last, self._fire(visits, shot, d, least=1))
            self._roll(shot[d + 1 : last], d)
        for d in range(self.end, self.columns):
            np.add.at(ends[:, d], self.states[self.real], (flow[d] + shot[d])[self.real])
        return ends, fought

    def _stop(self, visits: Floats, ends: Floats, d: int) -> None:
        """Attackers who do not fight on are where they will be in the end."""
        ends[self.states[0, 0], d] += visits[0].sum()
        visits[0] = 0.0
        stopped = visits[self._stops]
        if stopped.any():
            np.add.at(ends[:, d], self.states[self._stops], stopped)
            visits[self._stops] = 0.0

    def _fight_roughly(self, flow: Floats, ends: Floats, d: int) -> float:
        """All rounds against defenders who cannot be compared with the next state; gives how many they are."""
        arriving = flow[d].copy()
        total = np.zeros_like(arriving)
        while largest(arriving, axis=None) >= TINY:
            self._stop(arriving, ends, d)
            total += arriving
            arriving = self._reply(d, (arriving * self._hits[0])[None])[0]
        if total.any():
            shots = self._shots(total, d, 1)
            flow[d + 1 : d + 1 + len(shots)] += self._reply(d, shots)
        return float(total.sum())

    def _shots(self, visits: Floats, d: int, least: int) -> Floats:
        """The attackers' fire, by hits from `least` on."""
        left = self.columns - 1 - d
        many = min(left, len(self._hits) - 1)
        shots = self._hits[least : many + 1] * visits
        if many == left:
            shots[-1] = self._tails[left] * visits
        return shots

    def _reply(self, d: int, shots: Floats) -> Floats:
        """What the fire of defenders `d` leaves of attackers who have shot: (hits, place, line)."""
        number, places, lines = shots.shape

        def hit(answer: Floats, flat: Floats) -> Floats:
            wide = flat.reshape(number, places, lines).transpose(1, 0, 2).reshape(places, -1)
            return product(answer, wide).reshape(places, number, lines).transpose(1, 0, 2)

        answer = np.array(self._replies[d])
        answer[0] = self._reply_tails[d]
        after = hit(answer, shots)
        if self._picked_tails[d, 0] > 0:
            moved = np.zeros((places * lines + 1, number))
            np.add.at(moved, self._pick.reshape(-1), shots.reshape(number, -1).T)
            after = after + hit(self._picked_answer(d, places), np.ascontiguousarray(moved[:-1].T))
        return after

    def _picked_answer(self, d: int, places: int) -> Floats:
        """From place (column) to place (row): the other hits of a round with a picked victim."""
        answer = np.zeros((places, places))
        chances, tails = self._picked[d], self._picked_tails[d]
        for begin in range(places):
            hits = min(begin, len(chances))
            answer[begin - np.arange(hits), begin] = chances[:hits]
            answer[0, begin] = tails[begin] if begin < len(tails) else 0.0
        return answer

    def one_round(self, flow: Floats) -> Floats:
        after, shot = self._empty(), self._empty()
        last = 0
        going = flow[:, 1:].max(axis=(1, 2)) >= TINY
        for d in range(self.end):
            self._meet(d)
            if going[d]:
                visits = np.where(self._stops, 0.0, flow[d])
                visits[0] = 0.0
                if d < self.rough:
                    shots = self._shots(visits, d, 0)
                    after[d : d + len(shots)] += self._reply(d, shots)
                else:
                    last = max(last, self._fire(visits, shot, d, least=0))
            if d < last:
                after[d] += self._answered(shot, d)
                self._roll(shot[d + 1 : last], d)
        after[self.end :] += shot[self.end :]
        return after

    def share(self, flow: Floats) -> float:
        """The share of battles that are not over."""
        return float(flow[: self.end, 1:].sum() - flow[: self.end, self._stops].sum())
