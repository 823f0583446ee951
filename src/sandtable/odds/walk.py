"""Exact odds of intricate sea battles, where each force's fire hangs on who is left on the other.

A round is one or more exchanges of fire (first strikes, then the rest), each followed by what rules and plans do with
the fleets that are left. Losses lead one way, so the attackers' states are dealt with from the strongest down: all
rounds that meet a state of the attackers, whatever their number, are handed on by one matrix product an exchange.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from sandtable.odds.endings import BROKEN_OFF, FIGHTING, OVER, Bools
from sandtable.odds.exact import LARGEST_FRONT, Outcome, Start
from sandtable.odds.fleets import Fleet, Fleets
from sandtable.odds.hits import Floats, Ints, table
from sandtable.odds.intentions import NEVER, Intentions
from sandtable.odds.known import EXCHANGES, Exchange, acts_of
from sandtable.odds.linear import product, vector
from sandtable.odds.model import Act, BattleModel

TINY = 1e-15  # flow that is left out
UNLIKELY = 1e-17  # chances of hits that are left out
LARGEST_GRID = 200_000  # cells; a second or so
LARGEST_TABLE = 4_000_000  # entries of a table by states and combinations of hits
KEPT = 4_000_000  # numbers kept for flows that wait, which limits the rounds that are told apart
FEWEST_ROUNDS, MOST_ROUNDS = 12, 400

MOST_STEPS = 5_000  # rounds in which nothing happens to the attackers
PRECISE = 1e-12

Spot = tuple[int, int, int]
"""Inside a round: attackers, defenders who still fire, defenders who are not casualties."""

Exchanged = tuple[Floats | None, Ints, Floats]
"""What attackers do to the defenders (None: nothing), the states these may bring them to, and the chances of that."""


class Phase(msgspec.Struct, frozen=True):
    """An exchange of fire and the steps behind it; those of the next round's beginning are kept apart."""

    fire: Exchange
    steps: tuple[Act, ...]
    next_round: tuple[Act, ...] | None  # None: the round goes on


class _Closing(msgspec.Struct):
    """What the steps behind an exchange do with every cell."""

    fate: Ints
    a_after: Ints
    d_after: Ints
    stays: Bools  # fought on as it is
    back: Bools  # fought on by the same attackers, against fewer
    later: Bools  # over only when the next round has begun


class _TooManyError(Exception):
    """There are too many combinations of hits to keep a table of them."""


class _Fire:
    """The hits of all states of a fleet in one exchange, by groups of states whose hits can take the same."""

    def __init__(self, fleet: Fleet, kinds: int, sides: int, victims: int) -> None:
        counts = fleet.front.counts()
        aims = np.where([bool(kinds >> k & 1) for k in range(counts.shape[1])], fleet.aims, 0)
        dice = [(kind.dice, kind.value) for kind in fleet.front.kinds]
        masks = np.unique(aims[aims != 0]).tolist()
        used = np.array([(aims == mask).any(axis=1) for mask in masks], dtype=np.intp).reshape(len(masks), len(counts))
        different, which = np.unique((1 << np.arange(len(masks))) @ used, return_inverse=True)
        self.group: Ints = which.reshape(-1)
        self.place = np.zeros(len(counts), dtype=np.intp)
        self.masks: list[tuple[int, ...]] = []
        self.most: list[tuple[int, ...]] = []
        self.chances: list[Floats] = []  # by group: a row a state, a column a combination of hits
        for number, row in enumerate(different.tolist()):
            members = np.flatnonzero(self.group == number)
            self.place[members] = np.arange(len(members))
            own = tuple(mask for place, mask in enumerate(masks) if row >> place & 1)
            joint = np.ones((len(members), 1))
            most = []
            for mask in own:
                firing = np.where(aims[members] == mask, counts[members], 0)
                hits = table(firing, dice, sides)
                hits = hits[:, : hits.shape[1] // 2]
                most.append(hits.shape[1] - 1)
                if joint.shape[1] * hits.shape[1] * max(len(members), victims) > LARGEST_TABLE:
                    raise _TooManyError
                joint = (joint[:, :, None] * hits[:, None, :]).reshape(len(members), -1)
            self.masks.append(own)
            self.most.append(tuple(most))
            self.chances.append(joint)

    def strike(self, shooter: int, victims: Ints, fleet: Fleet) -> Floats | None:
        """What the fire of one state does to some of the other force: a row a victim. None: nobody fires."""
        group = int(self.group[shooter])
        if not self.masks[group]:
            return None
        chances = self.chances[group][self.place[shooter]]
        likely = (chances > UNLIKELY).nonzero()[0]
        after = fleet.settler.table(self.masks[group], self.most[group])[victims[:, None], likely]
        size = len(fleet.front)
        flat = after + (np.arange(len(victims)) * size)[:, None]
        weights = np.broadcast_to(chances[likely], flat.shape)
        struck = np.bincount(flat.reshape(-1), weights.reshape(-1), len(victims) * size)
        return struck.astype(np.float64, copy=False).reshape(-1, size)

    def strike_back(self, shooters: slice, victim: int, fleet: Fleet) -> tuple[Ints, Floats]:
        """States that the victim may come to, and their chances by shooter."""
        size = len(fleet.front)
        groups = self.group[shooters]
        result = np.zeros((len(groups), size))
        for group in np.unique(groups).tolist():
            rows = (groups == group).nonzero()[0]
            if not self.masks[group]:
                result[rows, victim] = 1.0
                continue
            chances = self.chances[group][self.place[shooters][rows]]
            after = fleet.settler.table(self.masks[group], self.most[group])[victim]
            order = after.argsort(kind="stable")
            targets, begins = np.unique(after[order], return_index=True)
            result[rows[:, None], targets] = np.add.reduceat(chances[:, order], begins, axis=1)
        targets = (result.max(axis=0) > UNLIKELY).nonzero()[0]
        return targets, result[:, targets]


class Walk:
    def __init__(self, model: BattleModel, intentions: Intentions, start: Start) -> None:
        self.model = model
        self.intentions = intentions
        self.start = start
        self.fleets = Fleets(model, intentions)
        self.attack, self.defense = self.fleets.attack, self.fleets.defense
        self.head, self.phases = phases(acts_of(model.steps, False))
        self._fires: dict[tuple[str, int], _Fire] = {}
        self._closings: dict[tuple[int, bool], _Closing] = {}
        self.possible = self._explore()

    def _explore(self) -> bool:
        start = self.start
        sides = (
            (self.attack, self.defense, [start.attack], self.intentions.attacker_submarines),
            (self.defense, self.attack, [start.firing, start.defense], self.intentions.defender_submarines),
        )
        for fleet, other, starts, boats in sides:
            if not fleet.explore(other.groups(), boats == "leave", LARGEST_FRONT, starts):
                return False
        cells = len(self.attack.front) * len(self.defense.front)
        if cells > LARGEST_GRID or cells * self._told_apart > 4 * KEPT:
            return False
        first = [phase.fire == EXCHANGES[0] for phase in self.phases]
        try:
            for fleet, enemies in ((self.attack, self.defense), (self.defense, self.attack)):
                for early in {fleet.early(mix) for mix in set(enemies.present.tolist())}:
                    for exchange in first:
                        self._fire(fleet, early, exchange)
        except _TooManyError:
            return False
        return True

    @property
    def _told_apart(self) -> int:
        """Rounds that the intentions tell apart."""
        return (self.intentions.retreat.rounds or 0) + 2

    # ------------------------------------------------------------ one row of the grid

    def _fire(self, fleet: Fleet, early: int, first: bool) -> _Fire:
        """The hits of a fleet in the exchange of first strikes, which these kinds fire, or in the other."""
        kinds = early if first else ~early
        found = self._fires.get((fleet.role, kinds))
        if found is None:
            victims = len((self.defense if fleet is self.attack else self.attack).front)
            found = self._fires[fleet.role, kinds] = _Fire(fleet, kinds, self.model.dice_sides, victims)
        return found

    def _exchange(self, phase: Phase, a: int, low: int) -> Exchanged:
        """What attackers `a` do to defenders from `low` on, where these may bring them, and the chances of that."""
        first = phase.fire == EXCHANGES[0]
        early = self._early[low:]
        size = len(early)
        kernel: Floats | None = None
        for kinds in np.unique(early).tolist():
            rows = (early == kinds).nonzero()[0]
            struck = self._fire(self.attack, kinds, first).strike(a, rows + low, self.defense)
            if struck is not None:
                kernel = np.eye(size) if kernel is None else kernel
                kernel[rows] = struck[:, low:]
        back = self._fire(self.defense, self.defense.early(int(self.attack.present[a])), first)
        return kernel, *back.strike_back(slice(low, low + size), a, self.attack)

    @cached_property
    def _early(self) -> Ints:
        """By state of the defenders, the attackers' kinds that strike them first."""
        return np.array([self.attack.early(mix) for mix in self.defense.present.tolist()], dtype=np.intp)

    def _closing(self, number: int, late: bool) -> _Closing:
        """What follows an exchange, for every cell; the number of the round matters only to the intentions."""
        found = self._closings.get((number, late))
        if found is None:
            phase = self.phases[number]
            rows, columns = len(self.attack.front), len(self.defense.front)
            ai, di = np.divmod(np.arange(rows * columns), columns)
            fate, a, d = self.fleets.judge(ai, di, phase.steps, (self.intentions.retreat.rounds or 0) if late else 0)
            later = np.zeros(len(ai), dtype=np.bool_)
            if phase.next_round is not None:
                going = np.flatnonzero(fate == FIGHTING)
                fate[going], a[going], d[going] = self.fleets.judge(a[going], d[going], phase.next_round, 0)
                later[going] = fate[going] != FIGHTING
            stays = (fate == FIGHTING) & (a == ai) & (d == di)
            back = (fate == FIGHTING) & (a == ai) & (d != di)
            shape = (rows, columns)
            found = self._closings[number, late] = _Closing(
                fate.reshape(shape),
                a.reshape(shape),
                d.reshape(shape),
                stays.reshape(shape),
                back.reshape(shape),
                later.reshape(shape),
            )
        return found

    # ------------------------------------------------------------ the flow

    def solve(self) -> Outcome:
        """All the odds, from the attackers' strongest state down."""
        if self.intentions.retreat.odds > 0:
            self.fleets.hopeless = self._chances() < self.intentions.retreat.odds
            self._closings.clear()
        rows, columns = len(self.attack.front), len(self.defense.front)
        bins = max(FEWEST_ROUNDS, min(MOST_ROUNDS, KEPT // (rows * columns)), self._told_apart)
        self.flow = [np.zeros((rows, bins, columns)) for _ in self.phases]  # by rounds fought so far
        self.over = np.zeros((rows, columns))
        self.broken = np.zeros((rows, columns))
        self.ended = np.zeros(bins + 1)
        self.begun = 1.0
        self._open()
        for a in range(rows):
            self._row(a)
        neglected = max(0.0, 1.0 - float(self.over.sum() + self.broken.sum()))
        return Outcome(self.attack.front, self.defense.front, self.over, self.broken, self.begun, neglected)

    def _row(self, a: int) -> None:
        """Fight all rounds in which the attackers are in state `a`."""
        bins, cells = np.nonzero(sum(flow[a] for flow in self.flow) >= TINY)
        if not len(bins):
            return
        low = int(cells.min())
        exchanges = [self._exchange(phase, a, low) for phase in self.phases]
        visits = self._stay(a, low, int(bins[0]), int(bins[-1]), exchanges)
        for number, (kernel, targets, chances) in enumerate(exchanges):
            seen = visits[number]
            fought = (seen.max(axis=1) >= TINY).nonzero()[0]
            if not len(fought):
                continue
            begin, end = int(fought[0]), int(fought[-1]) + 1
            cells = (seen.max(axis=0) >= TINY).nonzero()[0]
            idle = kernel is None and len(targets) == 1 and "retreat" not in self.phases[number].steps
            if idle and self._closing(number, False).stays[a, cells + low].all():
                continue  # nobody fires, and what stays has been counted
            width = slice(int(cells[0]), int(cells[-1]) + 1)
            left = chances[width].T[:, None, :] * seen[None, begin:end, width]
            spread = np.zeros((left.shape[0], left.shape[1], seen.shape[1]))
            if kernel is None:
                spread[:, :, width] = left
            else:
                flat = product(left.reshape(-1, left.shape[2]), kernel[width, width.start :])
                spread[:, :, width.start :] = flat.reshape(left.shape[0], left.shape[1], -1)
            self._arrive(number, a, targets, spread, begin, low)

    def _stay(self, a: int, low: int, begin: int, end: int, exchanges: list[Exchanged]) -> list[Floats]:
        """How often the cells of a row are met, exchange by exchange, as long as the attackers lose nobody."""
        visits = [flow[a, :, low:] for flow in self.flow]
        bins = len(visits[0])
        matrices: dict[bool, list[Floats]] = {}
        for now in range(begin, bins):
            late = self._is_late(now)
            if late not in matrices:
                matrices[late] = [self._missed(a, low, n, late, exchanges[n]) for n in range(len(exchanges))]
            fresh = [flow[now].copy() for flow in visits] if now == bins - 1 else [flow[now] for flow in visits]
            again = True
            while again:
                for number, matrix in enumerate(matrices[late]):
                    after = vector(fresh[number], matrix)
                    following = (number + 1) % len(visits)
                    if self.phases[number].next_round is None:
                        fresh[following] += after
                        if now == bins - 1:
                            visits[following][now] += after
                    else:
                        visits[following][min(now + 1, bins - 1)] += after
                        self.begun += float(after.sum())
                # the last bin holds all rounds from there on
                again = now == bins - 1 and float(after.max()) >= TINY
                if again:
                    fresh = [after, *(np.zeros_like(after) for _ in visits[1:])]
            if now >= end and float(after.max()) < TINY:
                break
        return visits

    def _missed(self, a: int, low: int, number: int, late: bool, exchange: Exchanged) -> Floats:
        """What an exchange that costs the attackers nobody leads to in the same row, as a matrix."""
        kernel, targets, chances = exchange
        unhurt = chances[:, targets == a].sum(axis=1)
        closing = self._closing(number, late)
        matrix = np.diag(unhurt) if kernel is None else unhurt[:, None] * kernel
        result: Floats = matrix * closing.stays[a, low:]
        back = closing.back[a, low:].nonzero()[0]
        np.add.at(result.T, closing.d_after[a, low:][back] - low, matrix.T[back])
        return result

    def _is_late(self, fought: int) -> bool:
        limit = self.intentions.retreat.rounds
        return limit is not None and self.start.rounds + fought >= limit

    def _arrive(self, number: int, origin: int, states: Ints, spread: Floats, begin: int, low: int) -> None:
        """Take in what an exchange leads to: (attackers' state, rounds fought, defenders' state from `low` on).

        What comes back to the row of `origin` has been counted there.
        """
        limit = self.intentions.retreat.rounds
        split = spread.shape[1] if limit is None else min(max(limit - self.start.rounds - begin, 0), spread.shape[1])
        for late, some in ((False, slice(0, split)), (True, slice(split, spread.shape[1]))):
            if some.start == some.stop:
                continue
            closing = self._closing(number, late)
            stays = closing.stays[states, low:] & (states != origin)[:, None]
            leaves = ~closing.stays[states, low:] & ~(closing.back[states, low:] & (states == origin)[:, None])
            self._close(number, closing, states, (stays, leaves), spread[:, some], begin + some.start, low)

    def _close(
        self,
        number: int,
        closing: _Closing,
        states: Ints,
        fates: tuple[Bools, Bools],
        spread: Floats,
        begin: int,
        low: int,
    ) -> None:
        flow = self.flow[(number + 1) % len(self.phases)]
        onward = int(self.phases[number].next_round is not None)
        bins = np.minimum(np.arange(begin, begin + spread.shape[1]) + onward, flow.shape[1] - 1)
        stays, leaves = fates
        inside = spread * stays[:, None, :]
        begun = float(inside.sum())
        if len(bins) > 1 and bins[-1] == bins[-2]:
            inside[:, -2] += inside[:, -1]
            inside = inside[:, :-1]
        flow[states, bins[0] : bins[0] + inside.shape[1], low:] += inside
        row, column = leaves.nonzero()
        if len(row):
            begun += self._leave(closing, (states[row], column + low), spread[row, :, column], flow, bins, begin)
        self.begun += onward * begun

    def _leave(
        self, closing: _Closing, cells: tuple[Ints, Ints], chances: Floats, flow: Floats, bins: Ints, begin: int
    ) -> float:
        """Cells where the battle is over, was broken off, or goes on with fewer because somebody left.

        Gives the share that sees the beginning of the next round.
        """
        fate, a, d = closing.fate[cells], closing.a_after[cells], closing.d_after[cells]
        later = closing.later[cells]
        for end, grid in ((OVER, self.over), (BROKEN_OFF, self.broken)):
            done = fate == end
            np.add.at(grid, (a[done], d[done]), chances[done].sum(axis=1))
        for shift in (0, 1):
            done = (fate != FIGHTING) & (later == shift)
            self.ended[begin + shift : begin + shift + chances.shape[1]] += chances[done].sum(axis=0)
        moved = (fate == FIGHTING).nonzero()[0]
        if len(moved):
            np.add.at(flow, (a[moved, None], bins[None, :], d[moved, None]), chances[moved])
        return float(chances[(fate == FIGHTING) | later].sum())

    def _open(self) -> None:
        """What is left of the first round, spot by spot, as far as the next exchange of fire that lies all ahead."""
        start = self.start
        find = self.defense.front.index
        spots = {(self.attack.front.index[start.attack], find[start.firing], find[start.defense]): 1.0}
        exchanges = {phase.fire[0]: number for number, phase in enumerate(self.phases)}
        for act in start.acts:
            if act in exchanges and all(firing == alive for _, firing, alive in spots):
                for (a, _, d), chance in spots.items():
                    self.flow[exchanges[act]][a, 0, d] += chance
                return
            spots = self._step(act, spots, start.rounds, 0)
        self.begun += sum(spots.values())
        for act in self.head:
            spots = self._step(act, spots, start.rounds, 1)
        for (a, _, d), chance in spots.items():
            self.flow[0][a, 1, d] += chance

    def _step(self, act: Act, spots: dict[Spot, float], rounds: int, fought: int) -> dict[Spot, float]:
        after: dict[Spot, float] = {}
        for (a, firing, d), chance in spots.items():
            ways: list[tuple[Spot, float]] = [((a, firing, d), 1.0)]
            if act in ("strike", "doom"):
                fire = self._fire(self.attack, int(self._early[firing]), act == "strike")
                struck = fire.strike(a, np.array([d]), self.defense)
                if struck is not None:
                    ways = [((a, firing, n), p) for n, p in enumerate(struck[0].tolist()) if p]
            elif act in ("strike-back", "reply"):
                early = self.defense.early(int(self.attack.present[a]))
                back = self._fire(self.defense, early, act == "strike-back")
                targets, chances = back.strike_back(slice(firing, firing + 1), a, self.attack)
                ways = [((n, firing, d), p) for n, p in zip(targets.tolist(), chances[0].tolist(), strict=True)]
            elif act in ("struck", "clear"):
                ways = [((a, d, d), 1.0)]
            else:
                judged = self.fleets.judge(np.array([a]), np.array([d]), [act], rounds)
                fate, a_after, d_after = (int(array[0]) for array in judged)
                ways = [((a_after, d_after, d_after) if (a_after, d_after) != (a, d) else (a, firing, d), 1.0)]
                if fate != FIGHTING:
                    ways = []
                    (self.broken if fate == BROKEN_OFF else self.over)[a_after, d_after] += chance
                    self.ended[fought] += chance
            for spot, share in ways:
                after[spot] = after.get(spot, 0.0) + chance * share
        return after

    def rounds(self) -> list[float]:
        """The chance that the battle ends with round 1, 2, 3...; the last entry holds the few that last longer."""
        last = int(np.flatnonzero(self.ended)[-1])
        return [0.0] * (self.start.rounds - 1) + [float(p) for p in self.ended[: last + 1]]

    # ------------------------------------------------------------ when to give up

    def _chances(self) -> Floats:
        """The attacker's chance to win from the beginning of a round when nobody breaks off, for every cell."""
        rows, columns = len(self.attack.front), len(self.defense.front)
        quiet = Walk(self.model, msgspec.structs.replace(self.intentions, retreat=NEVER), self.start)
        value = [np.zeros((rows, columns)) for _ in self.phases]
        for a in range(rows - 1, -1, -1):
            known, exchanges = [], [quiet._exchange(phase, a, 0) for phase in self.phases]
            for number, (kernel, targets, chances) in enumerate(exchanges):
                others = targets != a
                ahead = quiet._value(number, targets[others], value).T
                ahead = ahead if kernel is None else product(kernel, ahead)
                known.append((chances[:, others] * ahead).sum(axis=1))
            unhurt = [chances[:, targets == a].sum(axis=1) for _, targets, chances in exchanges]
            for _ in range(MOST_STEPS):
                before = value[0][a].copy()
                for number in reversed(range(len(self.phases))):
                    kernel = exchanges[number][0]
                    same = quiet._value(number, np.array([a]), value)[0]
                    value[number][a] = known[number] + unhurt[number] * (
                        same if kernel is None else vector(same, kernel.T)
                    )
                if float(np.abs(value[0][a] - before).max()) < PRECISE:
                    break
        ai, di = np.divmod(np.arange(rows * columns), columns)
        fate, a_after, d_after = quiet.fleets.judge(ai, di, self.head, 0)
        return quiet._worth(fate, a_after, d_after, value[0]).reshape(rows, columns)

    def _value(self, number: int, states: Ints, value: list[Floats]) -> Floats:
        """What cells behind an exchange are worth: rows a state of the attackers."""
        closing = self._closing(number, False)
        following = value[(number + 1) % len(self.phases)]
        return self._worth(closing.fate[states], closing.a_after[states], closing.d_after[states], following)

    def _worth(self, fate: Ints, a: Ints, d: Ints, following: Floats) -> Floats:
        won = (self.attack.present[a] != 0) & (self.defense.present[d] == 0)
        result: Floats = np.where(fate == FIGHTING, following[a, d], (fate == OVER) & won)
        return result


def phases(acts: Sequence[Act]) -> tuple[tuple[Act, ...], list[Phase]]:
    """A round as exchanges of fire with what follows each; and the steps before the first one."""
    begins = [place for place in range(len(acts)) if tuple(acts[place : place + 3]) in EXCHANGES]
    head = tuple(acts[: begins[0]]) if begins else ()
    found = []
    for place, following in zip(begins, [*begins[1:], len(acts)], strict=True):
        last = following == len(acts)
        fire: Exchange = (acts[place], acts[place + 1], acts[place + 2])
        found.append(Phase(fire, tuple(acts[place + 3 : following]), head if last else None))
    return head, found
