"""Exact odds: the flow of probability through all pairs of states.

A battle is a walk over the grid (attacker's state × defender's state) that never goes back. For each row of the grid
the solver works out how often each of its cells is visited in all, rounds without effect included, and hands the rest
of the flow on to later rows by one matrix product. Every row is dealt with once, however long the battle may last.
"""

from __future__ import annotations

import math
from functools import cached_property

import msgspec
import numpy as np

from sandtable.odds.endings import BROKEN_OFF, FIGHTING, Bools, Endings
from sandtable.odds.front import Front, State, entries
from sandtable.odds.hits import Floats, Ints, binomial, table, volley
from sandtable.odds.intentions import Intentions
from sandtable.odds.known import acts_of, plain_acts
from sandtable.odds.linear import product, through, vector
from sandtable.odds.lines import Lines, is_line
from sandtable.odds.model import ANYTHING, PLANES, Act, BattleModel
from sandtable.odds.replies import Fire, Replies
from sandtable.odds.volleys import Volley, aims_at, attack_fire, first_shots, present, reply_fire, strengths

LARGEST_FRONT = 6_000  # states of a force
LARGEST_GRID = 400_000  # cells
LARGEST_LINES = 1_000_000  # cells where both sides lose along lines, which is much quicker
TINY = 1e-13  # flow through a cell that is left out; all that is left out together is reported
AT_ONCE = 150_000  # entries of the matrices that are dealt with together
FEW = 150  # cells of a grid for which it does not pay to look for lines
SMALL = 2_000  # cells of a grid for which inverse matrices are quicker than an iteration
ROUNDS_REST = 1e-12  # share of battles that last longer than the listed rounds


class Start(msgspec.Struct, frozen=True):
    """Where the calculation begins: the states, and which steps of the round are still to come."""

    attack: State
    firing: State  # defenders who still fire this round
    defense: State  # defenders who are not casualties
    acts: tuple[Act, ...]
    column: int = -1  # columns of the first step that have been rolled
    rounds: int = 1  # the number of this round
    shooting: State | None = None  # attackers who still fire this round, if more than those who are not casualties


class Outcome(msgspec.Struct, frozen=True):
    """Probabilities by (attacker's state, defender's state): battles fought out, and battles broken off."""

    attack: Front
    defense: Front
    over: Floats
    broken_off: Floats
    mean_rounds: float
    neglected: float = 0.0
    won: Floats | None = None  # of those fought out, what the attackers have won; None: who has units left, has won
    lost: Floats | None = None


class _Closing(msgspec.Struct):
    """What the end of a round does with every cell. `plain`: nobody leaves, so cells stay where they are."""

    plain: bool
    fate: Ints  # empty where plain
    cell: Ints


class Exact:
    def __init__(self, model: BattleModel, intentions: Intentions, start: Start) -> None:
        self.model = model
        self.intentions = intentions
        self.start = start
        self.attack = Front(model.attack)
        self.defense = Front(model.defense)
        self.possible = self._few_under_fire()
        if not self.possible:
            return
        self.past_guns = past_guns(model, self.attack, start)
        self.possible = self._explore()
        if self.possible:
            self._prepare()

    def _few_under_fire(self) -> bool:
        """AA guns that have a die for each plane leave few enough different forces."""
        if not (self.model.aa and self.model.aa_each and "aa" in self.start.acts):
            return True
        planes = (n for kind, n in zip(self.attack.kinds, self.start.attack[0], strict=True) if kind.domain == "air")
        return math.prod(n + 1 for n in planes) <= LARGEST_FRONT

    def _explore(self) -> bool:
        model, intentions = self.model, self.intentions
        a_exits = [self.attack.leavers()] if intentions.attacker_submarines == "leave" else []
        d_exits = [self.defense.leavers()] if intentions.defender_submarines == "leave" else []
        if any(k.landed for k in model.attack.kinds) and intentions.retreat != Intentions().retreat:
            a_exits.append(self.attack.not_landed() if model.overland_may_leave else self.attack.planes())
        a_aims, d_aims = aims_at(model, "attack"), aims_at(model, "defense")
        units = (*model.attack.kinds, *model.defense.kinds)
        along_lines = len(a_aims) == len(d_aims) == 1 and intentions == Intentions() and all(k.value > 0 for k in units)
        return (
            self.attack.explore(a_aims, a_exits, LARGEST_FRONT, [s for s, _ in self.past_guns])
            and self.defense.explore(d_aims, d_exits, LARGEST_FRONT, [self.start.firing, self.start.defense])
            and len(self.attack) * len(self.defense) <= (LARGEST_LINES if along_lines else LARGEST_GRID)
        )

    def _prepare(self) -> None:
        model = self.model
        self.rows, self.columns = len(self.attack), len(self.defense)
        self.first = [self._at_defense(v) for v in first_shots(model)]
        self.doom = [self._at_defense(v) for v in attack_fire(model)]
        self.reply = self._replies()
        self.endings = Endings(model, self.intentions, self.attack, self.defense)
        self.is_over: Bools = self.endings.over(np.arange(self.rows)[:, None], np.arange(self.columns)[None, :])
        self._tails = tuple(r for r in plain_acts(acts_of(model.steps, False)) if r in ("end", "submarines", "retreat"))
        self._closings: dict[tuple[bool, tuple[Act, ...]], _Closing] = {}
        if self.intentions.retreat.odds > 0:
            chances = self.chances()
            self.endings.hopeless = (chances < self.intentions.retreat.odds) & ~self.is_over
            self._closings.clear()

    def _shots(self, volley: Volley, front: Front) -> Floats:
        counts, kinds = strengths(front.kinds, front.counts(), volley.kinds)
        return table(counts, kinds, self.model.dice_sides)

    def _at_defense(self, volley: Volley) -> Fire:
        return Fire(self._shots(volley, self.attack), self.defense.hit_map(volley.aim))

    def _replies(self, above: int = -1) -> Replies:
        """The defenders' fire, without columns that were rolled before."""
        volleys = reply_fire(self.model, above)
        fires = [Fire(self._shots(v, self.defense), self.attack.hit_map(v.aim)) for v in volleys]
        everybody = tuple(kind for v in volleys for kind in v.kinds)
        return Replies(fires, lambda: self._shots(Volley(everybody, volleys[-1].aim, 0), self.defense))

    # ------------------------------------------------------------ one row of the grid

    def _kernel(self, fire: Fire, a: int, low: int, high: int | None = None) -> Floats:
        """What the fire of attackers `a` does: from the defenders' states `low:high` to those from `low` on."""
        kernel: Floats = fire.table[a].take(fire.places[low:high, low:])
        return kernel

    def _doom(self, a: int, low: int, high: int | None = None) -> Floats:
        """The same for all fire whose casualties still reply."""
        if not self.doom:
            return np.eye((high or self.columns) - low, self.columns - low)
        result = self._kernel(self.doom[0], a, low, high)
        for fire in self.doom[1:]:
            result = product(result, self._kernel(fire, a, low))
        return result

    def _past_first(self, a: int, low: int, flow: Floats) -> Floats:
        """The flow by defenders' states from `low` on, behind the attackers' first shots."""
        for fire in self.first:
            busy = (flow > 0.0).nonzero()[0]
            high = int(busy[-1]) + 1 if len(busy) else 0
            flow = vector(flow[:high], self._kernel(fire, a, low, low + high))
        return flow

    @cached_property
    def _unhurt(self) -> Floats:
        """The chance that the attackers lose nobody, by attackers' and defenders' state."""
        result = np.ones((self.rows, self.columns))
        for fire in self.reply.fires:
            result[fire.paths[1] > 1] *= fire.table[:, 0]
        return result

    def _closing(self, rounds: int, acts: tuple[Act, ...] | None = None) -> _Closing:
        """The end of a round for every cell; it changes only when the number of rounds wanted is reached."""
        limit = self.intentions.retreat.rounds
        late = limit is not None and rounds >= limit
        tail = self._tails if acts is None else acts
        found = self._closings.get((late, tail))
        if found is None and self.intentions == Intentions() and "end" in tail:
            none = np.empty((0, 0), dtype=np.intp)
            found = self._closings[late, tail] = _Closing(True, none, none)
        if found is None:
            ai, di = np.divmod(np.arange(self.rows * self.columns), self.columns)
            fate, a_after, d_after = self.endings.judge(ai, di, tail, rounds)
            cell = a_after * self.columns + d_after
            plain = bool((fate != BROKEN_OFF).all() and (cell == np.arange(len(cell))).all())
            shape = (self.rows, self.columns)
            found = self._closings[late, tail] = _Closing(plain, fate.reshape(shape), cell.reshape(shape))
        return found

    # ------------------------------------------------------------ the flow

    def solve(self) -> Outcome:
        """All the odds, by rows."""
        if self._all_rounds_alike:
            flow, broken, rounds = self._lined_up(), np.zeros((self.rows, self.columns)), self.start.rounds
            mean = float(flow[self.is_over].sum())  # the round in which AA guns decided it
        else:
            flow, broken, rounds = self._opening()
            mean = 1.0
            while rounds < (self.intentions.retreat.rounds or 0):
                rounds += 1
                mean += float(flow[~self.is_over].sum())
                flow = self._one_round(flow, broken, self._closing(rounds))
        closing = self._closing(rounds + 1)
        if closing.plain and self.lines is not None:
            mean += self._along_lines(self.lines, flow)
        elif closing.plain and self.rows * self.columns <= SMALL and not self.first:
            mean += self._pass_small(flow, broken, closing)
        else:
            mean += self._pass_large(flow, broken, closing)
        return self._outcome(flow, broken, mean)

    def _outcome(self, flow: Floats, broken: Floats, mean: float) -> Outcome:
        over = np.where(self.is_over, flow, 0.0)
        neglected = max(0.0, 1.0 - float(over.sum() + broken.sum()))
        return Outcome(self.attack, self.defense, over, broken, mean, neglected)

    @cached_property
    def lines(self) -> Lines | None:
        """The battle by lines, if it is one of those in which both sides lose along a line."""
        if self.rows * self.columns < FEW or self.first or len(self.doom) != 1 or len(self.reply.fires) != 1:
            return None
        lost = self.endings.a_total == 0
        plain = lost[:, None] | (self.endings.d_total == 0)
        if not is_line(self.doom[0].one_hit) or int(lost.sum()) != 1 or not np.array_equal(plain, self.is_over):
            return None
        dice = self._dice_lost()
        if dice is None:
            return None
        reply = self.reply.fires[0]
        return Lines(reply.one_hit, self.doom[0].table, reply.table, dice)

    def _dice_lost(self) -> list[list[float]] | None:
        """By defenders' state, the chances of the dice that the next state lacks. None if one fires better."""
        (volley,) = reply_fire(self.model)
        counts, groups = strengths(self.defense.kinds, self.defense.counts(), volley.kinds)
        lost = counts[:-1] - counts[1:]
        if (lost < 0).any():
            return None
        sides = self.model.dice_sides
        chances = [(dice, min(value, sides) / sides) for dice, value in groups]
        return [
            [chance for number, (dice, chance) in zip(row, chances, strict=True) for _ in range(number * dice)]
            for row in lost.tolist()
        ]

    @property
    def _all_rounds_alike(self) -> bool:
        """Behind the AA fire, the first round is one like all others, and nobody ever leaves."""
        if self.intentions.retreat.rounds is not None or not self._closing(self.start.rounds).plain:
            return False
        acts = [r for r in plain_acts(self.start.acts) if r != "aa" and (r != "support" or self.model.support)]
        same = acts == plain_acts(acts_of(self.model.steps, False)) and self.start.column < 0
        return same and self.start.firing == self.start.defense

    def _lined_up(self) -> Floats:
        """The flow before the first shot, or behind that of AA guns."""
        flow = np.zeros((self.rows, self.columns))
        for state, share in self.past_guns:
            flow[self.attack.index[state], self.defense.index[self.start.defense]] += share
        return flow

    def _along_lines(self, lines: Lines, flow: Floats) -> float:
        """Fight out what goes on; only where battles are over the flow remains."""
        ends, fought = lines.fight(np.where(self.is_over, 0.0, flow))
        flow *= self.is_over
        flow += ends
        return fought

    def _pass_small(self, flow: Floats, broken: Floats, closing: _Closing) -> float:
        """All rows of a small grid: what a row's visits will be is worked out for many rows at once."""
        fought = 0.0
        replies = self._all_replies()
        portion = max(1, AT_ONCE // self.columns**2)
        for begin in range(0, self.rows, portion):
            rows = np.arange(begin, min(self.rows, begin + portion))
            doom = np.broadcast_to(np.eye(self.columns), (len(rows), self.columns, self.columns))
            for place, fire in enumerate(self.doom):
                kernels = fire.table[rows].take(fire.places, axis=1)
                doom = doom @ kernels if place else kernels
            stays = ~self.is_over[rows]
            system = self._unhurt[rows, :, None] * doom
            system *= stays[:, None, :]
            system = np.eye(self.columns) - system
            visits_of = np.linalg.inv(system)
            for place, a in enumerate(rows.tolist()):
                visits = (flow[a] * stays[place]) @ visits_of[place]
                fought += float(visits.sum())
                if replies is None:
                    self._spread(a, 0, visits, doom[place], stays[place], flow, broken, closing)
                    continue
                spread = (replies[a, a:] * visits) @ doom[place]
                spread[0, stays[place]] = 0.0  # counted among the visits
                flow[a:] += spread
        return fought

    def _all_replies(self) -> Floats | None:
        """The chances of all that the defenders' fire can do: from and to attackers' state, by defenders' state.

        Numbers never lead to smaller ones. None where that would be a large table.
        """
        if not self.reply.fires or self.rows**2 * self.columns > AT_ONCE:
            return None
        chances: Floats | None = None
        for fire in self.reply.fires:
            one = fire.by_hits.take(entries(fire.one_hit, fire.most), axis=0)
            chances = one if chances is None else np.einsum("abd,bcd->acd", chances, one)
        return chances

    def _pass_large(self, flow: Floats, broken: Floats, closing: _Closing) -> float:
        """Row by row."""
        fought = 0.0
        for a in range(self.rows):
            inflow = np.where(self.is_over[a], 0.0, flow[a])
            busy = (inflow >= TINY).nonzero()[0]
            if len(busy):
                low, high = int(busy[0]), int(busy[-1]) + 1
                inflow[high:] = 0.0
                fought += self._pass_row(a, low, inflow[low:], flow, broken, closing)
        return fought

    def _pass_row(self, a: int, low: int, inflow: Floats, flow: Floats, broken: Floats, closing: _Closing) -> float:
        """Fight all rounds that begin in row `a`, in states from `low` on; gives how many rounds that are."""
        shots = self._past_first(a, low, inflow)
        unhurt = self._unhurt[a, low:]
        back = None
        if closing.plain:
            stays = ~self.is_over[a, low:]
            if float((shots * unhurt).max()) < TINY:  # hardly any round leaves the attackers as they are
                self._spread(a, low, shots, None, stays, flow, broken, closing)
                return float(inflow.sum())
        else:
            cell = closing.cell[a, low:]
            stays = (closing.fate[a, low:] == FIGHTING) & (cell // self.columns == a)
            back = cell[stays] % self.columns - low
        first = [self._kernel(fire, a, low) for fire in self.first]
        doom = self._doom(a, low)
        visits = _visits(inflow, first, unhurt, doom, stays, back)
        self._spread(a, low, through(visits, first), doom, stays, flow, broken, closing)
        return float(visits.sum())

    def _spread(
        self,
        a: int,
        low: int,
        shots: Floats,
        doom: Floats | None,
        stays: Bools,
        flow: Floats,
        broken: Floats,
        closing: _Closing,
    ) -> None:
        """Hand on what leaves row `a` when so many rounds (`shots`, from state `low` on) are fought in it.

        `doom` is given where it is known from other work.
        """
        busy = (shots >= TINY).nonzero()[0]
        if not len(busy):
            return
        begin, end = int(busy[0]), int(busy[-1]) + 1
        shots = shots[begin:end]
        states, chances = self.reply.chances(a, low + begin, low + end, float(shots.max()))
        handed = chances * shots
        reached = (handed.sum(axis=1) >= TINY).nonzero()[0]
        if not len(reached):
            return
        least, most = int(reached[0]), int(reached[-1]) + 1
        if doom is None:
            spread = product(handed[least:most], self._doom(a, low + begin, low + end))
        else:
            spread = product(handed[least:most], doom[begin:end, begin:])
        if least == 0:
            spread[0, stays[begin:]] = 0.0  # counted among the visits
        self._hand_on(states[least:most], low + begin, spread, flow, broken, closing)

    def _hand_on(self, states: Ints, low: int, spread: Floats, flow: Floats, broken: Floats, closing: _Closing) -> None:
        if closing.plain:
            flow[states, low:] += spread
            return
        fate = closing.fate[states, low:]
        cell = closing.cell[states, low:]
        left = fate == BROKEN_OFF
        np.add.at(broken.reshape(-1), cell[left], spread[left])
        np.add.at(flow.reshape(-1), cell[~left], spread[~left])

    def _opening(self) -> tuple[Floats, Floats, int]:
        """The first round, or what is left of it: AA guns and support shots fire only there."""
        start = self.start
        flow = np.zeros((self.rows, self.columns))
        broken = np.zeros((self.rows, self.columns))
        firing, alive = self.defense.index[start.firing], self.defense.index[start.defense]
        tail = tuple(r for r in plain_acts(start.acts) if r in ("end", "submarines", "retreat"))
        closing = self._closing(start.rounds, tail)
        attackers = [(self.attack.index[state], share) for state, share in self.past_guns]
        for state, share in attackers:
            # a row a defenders' state that fires, a column a state that will be left
            grid = np.zeros((self.columns, self.columns))
            grid[firing, alive] = share
            states = np.array([state], dtype=np.intp)
            spread = grid.sum(axis=0)[None, :]
            if "reply" in start.acts:
                grid = self._opening_fire(state, grid)
                states, replies = self._opening_reply(state)
                firing_rows = np.flatnonzero(grid.any(axis=1))
                spread = product(replies[:, firing_rows], grid[firing_rows])
            self._hand_on(states, 0, spread, flow, broken, closing)
        return flow, broken, start.rounds

    def _opening_fire(self, state: int, grid: Floats) -> Floats:
        start, model = self.start, self.model
        above = start.column
        for place, act in enumerate(start.acts):
            now = above if place == 0 else -1
            if act == "first":
                fires = [self._at_defense(v) for v in first_shots(model, now)] if now >= 0 else self.first
                for fire in fires:
                    grid = np.diag(vector(np.diag(grid), self._kernel(fire, state, 0)))  # nobody is doomed yet
            elif act == "support" and model.support:
                aim = present(ANYTHING, model.defense)
                shots = volley([(dice, value) for value, dice in model.support], model.dice_sides)
                line = np.concatenate((shots, np.zeros(1), shots[::-1].cumsum()[::-1]))
                grid = _onward(grid, line[entries(self.defense.hit_map(aim), len(shots) - 1)])
            elif act == "doom":
                fires = [self._at_defense(v) for v in attack_fire(model, now)] if now >= 0 else self.doom
                for fire in fires:
                    grid = _onward(grid, self._kernel(fire, state, 0))
        return grid

    def _opening_reply(self, state: int) -> tuple[Ints, Floats]:
        """As in other rounds, unless some columns of the defenders' fire have been settled before."""
        begun = self.start.acts[0] == "reply" and self.start.column >= 0
        return (self._replies(self.start.column) if begun else self.reply).chances(state, 0, self.columns)

    def _one_round(self, flow: Floats, broken: Floats, closing: _Closing) -> Floats:
        """The grid after one more round of everything that still goes on."""
        after = np.where(self.is_over, flow, 0.0)
        for a in range(self.rows):
            inflow = np.where(self.is_over[a], 0.0, flow[a])
            if inflow.max() < TINY:
                continue
            low = int((inflow > 0).argmax())
            shots = self._past_first(a, low, inflow[low:])
            states, chances = self.reply.chances(a, low, self.columns)
            self._hand_on(states, low, product(chances * shots, self._doom(a, low)), after, broken, closing)
        return after

    def rounds(self) -> list[float]:
        """The chance that the battle ends with round 1, 2, 3...; the last entry holds the few that last longer."""
        if self._all_rounds_alike and self.lines is not None:
            return self._rounds_along_lines(self.lines)
        flow, broken, number = self._opening()
        ended = [0.0] * (number - 1)
        done = 0.0
        while True:
            now = float(flow[self.is_over].sum() + broken.sum())
            ended.append(now - done)
            done = now
            rest = float(flow[~self.is_over].sum())
            if rest < ROUNDS_REST:
                ended[-1] += rest
                return ended
            number += 1
            flow = self._one_round(flow, broken, self._closing(number))

    def _rounds_along_lines(self, lines: Lines) -> list[float]:
        flow = lines.laid_out(self._lined_up())
        ended = [0.0] * (self.start.rounds - 1)
        rest = 1.0
        while rest >= ROUNDS_REST:
            flow = lines.one_round(flow)
            before, rest = rest, lines.going(flow)
            ended.append(before - rest)
        ended[-1] += rest
        return ended

    def chances(self) -> Floats:
        """The attacker's chance to win from each cell when nobody breaks off; worked out from the last row up."""
        quiet = tuple(r for r in self._tails if r != "retreat")
        closing = self._closing(1, quiet)
        value = np.where(self.is_over, self.endings.win_grid(), 0.0)
        for a in range(self.rows - 1, -1, -1):
            if self.is_over[a].all():
                continue
            states, chances = self.reply.chances(a, 0, self.columns)
            doom = self._doom(a, 0)
            ahead = value.reshape(-1)[closing.cell[states]]
            cols = np.flatnonzero((closing.fate[a] == FIGHTING) & (closing.cell[a] // self.columns == a))
            ahead[0, cols] = 0.0
            known = (product(chances.T, ahead) * doom).sum(axis=1)
            loop = np.zeros((self.columns, self.columns))
            np.add.at(loop.T, closing.cell[a][cols] % self.columns, (chances[0][:, None] * doom).T[cols])
            for fire in reversed(self.first):
                kernel = self._kernel(fire, a, 0)
                known, loop = product(kernel, known[:, None])[:, 0], product(kernel, loop)
            fought = ~self.is_over[a]
            system = np.eye(self.columns) - loop
            value[a, fought] = np.linalg.solve(system[np.ix_(fought, fought)], known[fought])
        return value


def past_guns(model: BattleModel, front: Front, start: Start) -> list[tuple[State, float]]:
    """States of the attackers behind the antiaircraft fire, with their chances."""
    if "aa" not in start.acts or not model.aa:
        return [(start.attack, 1.0)]
    planes = [k for k, kind in enumerate(front.kinds) if kind.domain == "air"]
    counts, gone = start.attack
    if not model.aa_each:
        total = sum(counts[k] for k in planes)
        states = [start.attack]
        for _ in range(total):
            states.append(front.after_hit(states[-1], present(PLANES, model.attack)))
        chances = binomial(total, model.aa, model.dice_sides).tolist()
        return [(front.past_guns(start.attack, state), share) for state, share in zip(states, chances, strict=True)]
    found: list[tuple[tuple[int, ...], float]] = [(counts, 1.0)]
    for k in planes:
        chances = binomial(counts[k], model.aa, model.dice_sides).tolist()
        found = [
            ((*left[:k], left[k] - down, *left[k + 1 :]), share * chance)
            for left, share in found
            for down, chance in enumerate(chances)
        ]
    return [(front.past_guns(start.attack, (left, gone)), share) for left, share in found]


def _onward(grid: Floats, kernel: Floats) -> Floats:
    """The grid times the kernel; most of its rows are empty."""
    rows = np.flatnonzero(grid.any(axis=1))
    result = np.zeros_like(grid)
    result[rows] = product(grid[rows], kernel)
    return result


def _visits(
    inflow: Floats, first: list[Floats], unhurt: Floats, doom: Floats, stays: Bools, back: Ints | None
) -> Floats:
    """How often each cell of a row is visited, rounds that return to the row included.

    A round returns when the defenders miss (`unhurt`) and what the attackers' fire leaves is one of `stays`; it comes
    back as it is, or as the states `back` where somebody leaves. Hits lead to later states only, so cells that come
    back to themselves are divided out, and the rest dies away in as many steps as there are hits to score.
    """
    same = stays
    if back is not None:
        same = stays.copy()
        same[stays] = back == stays.nonzero()[0]
    stay = np.where(same, unhurt * doom.diagonal(), 0.0)
    for kernel in first:
        stay *= kernel.diagonal()
    scale = 1.0 / (1.0 - stay)
    step = inflow * scale
    visits = step.copy()
    for _ in range(len(inflow) + 1):
        onward = vector(through(step, first) * unhurt, doom)
        if back is None:
            onward *= stays
        else:
            moved = np.zeros_like(onward)
            np.add.at(moved, back, onward[stays])
            onward = moved
        step = (onward - step * stay) * scale
        visits += step
        if step.max() < TINY:
            break
    return visits
