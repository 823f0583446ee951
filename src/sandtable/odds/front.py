"""The states of one force: how many of each kind still fight, how many have left the battle alive.

A force loses units along a fixed order, so one hit of a given aim leads from a state to exactly one other. States are
numbered from full strength downwards; a number never leads to a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

import numpy as np

from sandtable.engine.battle.hits import endurance
from sandtable.engine.facts import Knowing
from sandtable.engine.state import Hits, Piece, Stack
from sandtable.odds.hits import Ints
from sandtable.odds.model import Aim, Force, Kind
from sandtable.world.model import MarkId, PowerId, UnitId, World

Counts = tuple[int, ...]
State = tuple[Counts, Counts]  # fighting, gone


class Front:
    def __init__(self, force: Force) -> None:
        self.kinds = force.kinds
        self.full = force.counts
        self._places: list[list[int]] = [[] for _ in force.kinds]
        for place, kind in enumerate(force.order):
            self._places[kind].append(place)
        self._order = force.order
        self.states: list[State] = []
        self.index: dict[State, int] = {}
        self._after: dict[Aim, dict[State, State]] = {}
        self._settled: dict[tuple[State, tuple[Hits, ...]], State] = {}
        self._left = False  # somebody may have left the battle
        self._counts = np.empty((0, len(self.kinds)), dtype=np.intp)
        self.find((force.counts, (0,) * len(force.counts)))

    @cached_property
    def _runs(self) -> list[tuple[int, int, int]]:
        """The order in runs: kind, how many of it come earlier, length."""
        found = []
        seen = [0] * len(self.kinds)
        for kind, run in groupby(self._order):
            length = sum(1 for _ in run)
            found.append((kind, seen[kind], length))
            seen[kind] += length
        return found

    def after_hits(self, state: State, hits: tuple[Hits, ...]) -> State:
        """Hits that may spare different units: along the order, every unit that one of them can still be given to.

        Like `settle.Settler`, for one state at a time and forces of any size.
        """
        known = self._settled.get((state, hits))
        if known is None:
            known = self._settled[state, hits] = self._give(state, hits)
        return known

    def _give(self, state: State, hits: tuple[Hits, ...]) -> State:
        counts, gone = state
        after = list(counts)
        some_groups = range(1, 1 << len(hits))
        # for each set of groups, the hits that are left for units which nobody else can strike
        left = [0] + [sum(h.count for place, h in enumerate(hits) if some >> place & 1) for some in some_groups]
        for kind, before, length in self._runs:
            able = sum(1 << place for place, h in enumerate(hits) if _strikes(h, self.kinds[kind]))
            end = self.full[kind] - gone[kind]
            there = min(end, before + length) - max(end - counts[kind], before)
            sets = [some for some in some_groups if some & able == able] if able else []
            lost = min((there, *(left[some] for some in sets))) if sets else 0
            if lost > 0:
                after[kind] -= lost
                for some in sets:
                    left[some] -= lost
        return tuple(after), gone

    def struck_by(self, hit: Hits) -> int:
        """The kinds that a hit can strike, as bits."""
        return sum(1 << place for place, kind in enumerate(self.kinds) if _strikes(hit, kind))

    def find(self, state: State) -> int:
        """The state's number; a new one gets the next."""
        number = self.index.get(state)
        if number is None:
            number = self.index[state] = len(self.states)
            self.states.append(state)
            self._left |= any(state[1])
        return number

    def forget(self) -> None:
        """Drop all states."""
        self.states.clear()
        self.index.clear()
        self._counts = self._counts[:0]

    def after_hit(self, state: State, aim: Aim) -> State:
        """The first unit of the order that the hit can strike is lost; a hit that strikes nothing changes nothing."""
        known = self._after.setdefault(aim, {})
        found = known.get(state)
        if found is None:
            struck = [k for k, kind in enumerate(self.kinds) if kind.domain in aim]
            found = known[state] = self.lose_first(state, struck)
        return found

    def lose_first(self, state: State, struck: Sequence[int]) -> State:
        """The first unit of the order among these kinds is lost, if there is one."""
        counts, gone = state
        best = -1
        soonest = 0
        for kind in struck:
            left = counts[kind]
            if left:
                place = self._places[kind][self.full[kind] - left - gone[kind]]
                if best < 0 or place < soonest:
                    best, soonest = kind, place
        if best < 0:
            return state
        return (*counts[:best], counts[best] - 1, *counts[best + 1 :]), gone

    def lose_one(self, state: State, order: Sequence[int]) -> State:
        """A unit of the first of these kinds is lost that has one."""
        counts, gone = state
        victim = next((k for k in order if counts[k]), None)
        if victim is None:
            return state
        return (*counts[:victim], counts[victim] - 1, *counts[victim + 1 :]), gone

    def past_guns(self, before: State, after: State) -> State:
        """The state after AA fire took planes, without the troops that were aboard."""
        counts = list(after[0])
        for plane, kind in enumerate(self.kinds):
            for unit, number in kind.aboard:
                troops = next(
                    k for k, t in enumerate(self.kinds) if t.jumps and (t.power, t.unit) == (kind.power, unit)
                )
                counts[troops] -= (before[0][plane] - after[0][plane]) * number
        return tuple(counts), after[1]

    def after_leaving(self, state: State, who: Callable[[int], bool]) -> State:
        """All units of the kinds chosen leave the battle."""
        counts, gone = state
        return (
            tuple(0 if who(k) else n for k, n in enumerate(counts)),
            tuple(g + n if who(k) else g for k, (n, g) in enumerate(zip(counts, gone, strict=True))),
        )

    def leavers(self) -> Callable[[int], bool]:
        return lambda kind: self.kinds[kind].leaves

    def planes(self) -> Callable[[int], bool]:
        return lambda kind: self.kinds[kind].domain == "air"

    def not_landed(self) -> Callable[[int], bool]:
        return lambda kind: not self.kinds[kind].landed

    def explore(
        self, aims: Iterable[Aim], exits: Iterable[Callable[[int], bool]], limit: int, starts: Iterable[State] = ()
    ) -> bool:
        """Find every state that can come up, and number them anew by strength. False if there are more than `limit`."""
        ways = [
            (self._after.setdefault(aim, {}), [k for k, kind in enumerate(self.kinds) if kind.domain in aim])
            for aim in aims
        ]

        def steps(state: State) -> Iterator[State]:
            for known, struck in ways:
                known[state] = after = self.lose_first(state, struck)
                yield after
            for who in leaving:
                yield self.after_leaving(state, who)

        leaving = list(exits)
        return self.spread(steps, limit, starts)

    def spread(self, steps: Callable[[State], Iterable[State]], limit: int, starts: Iterable[State] = ()) -> bool:
        """The same, with steps of any kind that lead to weaker states."""
        for state in starts:
            self.find(state)
        for state in self.states:  # grows while it is gone through
            for after in steps(state):
                self.find(after)
            if len(self.states) > limit:
                return False
        self.states.sort(key=lambda s: (-sum(s[0]), s))
        self._counts = self._counts[:0]
        self.index = {state: number for number, state in enumerate(self.states)}
        return True

    # ------------------------------------------------------------ arrays over all states found so far

    def __len__(self) -> int:
        return len(self.states)

    def counts(self) -> Ints:
        """A row a state: units that fight, by kind."""
        if len(self._counts) != len(self.states):
            self._counts = np.array([s[0] for s in self.states], dtype=np.intp).reshape(len(self), len(self.kinds))
        return self._counts

    def gone(self) -> Ints:
        if not self._left:
            return np.zeros_like(self.counts())
        return np.array([s[1] for s in self.states], dtype=np.intp).reshape(len(self), len(self.kinds))

    def sums(self, wanted: Callable[[Kind], bool]) -> Ints:
        """Units that fight and are `wanted`, by state."""
        mask = np.array([wanted(k) for k in self.kinds], dtype=np.intp)
        total: Ints = self.counts() @ mask
        return total

    def hit_map(self, aim: Aim) -> Ints:
        """State -> state after one hit."""
        known, index = self._after.get(aim, {}), self.index
        return np.array([index[known[s] if s in known else self.after_hit(s, aim)] for s in self.states], dtype=np.intp)


def whole(force: Force) -> State:
    """The state in which nobody has been lost."""
    return force.counts, (0,) * len(force.counts)


def strength(world: World, known: Knowing, force: Force, stack: Stack) -> State:
    """The numbers of the force's kinds in a part of it; among equals, the first listed are the ones missing."""
    missing: dict[tuple[PowerId, UnitId, tuple[MarkId, ...], bool], int] = {}
    for kind, n in zip(force.kinds, force.counts, strict=True):
        key = (kind.power, kind.unit, kind.marks, kind.shield)
        missing[key] = missing.get(key, 0) + n
    turned = _turned_back(force, stack)
    for piece, number in stack.items():
        n = number
        marks = turned.get((piece.power, piece.type))
        if marks is not None:
            some = min(n, missing[piece.power, piece.type, marks, False])
            missing[piece.power, piece.type, marks, False] -= some
            n -= some
            if not n:
                continue
        missing[piece.power, piece.type, piece.marks, False] -= n
        if (more := endurance(world, known, piece) - 1) > 0:
            missing[piece.power, piece.type, piece.marks, True] -= number * more
    counts = []
    for kind, n in zip(force.kinds, force.counts, strict=True):
        key = (kind.power, kind.unit, kind.marks, kind.shield)
        gone = min(n, missing[key])
        missing[key] -= gone
        counts.append(n - gone)
    return tuple(counts), (0,) * len(counts)


def _turned_back(force: Force, stack: Stack) -> dict[tuple[PowerId, UnitId], tuple[MarkId, ...]]:
    """Guns without a tank to fire at have lost the mark with which they began the battle: those that had one."""
    served = {(k.power, k.unit): k.marks for k in force.kinds if k.prey}
    return {gun: marks for gun, marks in served.items() if Piece(*gun, marks=marks) not in stack} if served else {}


def _strikes(hit: Hits, kind: Kind) -> bool:
    if hit.strikes and kind.unit not in hit.strikes and kind.domain not in hit.strikes:
        return False
    return kind.unit not in hit.spared and kind.domain not in hit.spared


def paths(one_hit: Ints, states: Ints) -> tuple[Ints, Ints]:
    """A row a state: the states after 0, 1, 2... hits; and how many of them there are before hits change nothing."""
    ways = states[None, :]
    jump = one_hit  # as many hits as there are ways
    while (one_hit[ways[-1]] != ways[-1]).any():
        ways = np.concatenate((ways, jump[ways]))
        jump = jump[jump]
    lengths = (ways != ways[-1]).sum(axis=0) + 1
    return ways[: int(lengths.max())].T, lengths


def entries(one_hit: Ints, most: int) -> Ints:
    """Where a kernel's entry (from state, to state) stands in a row of `hits.table` with at most `most` hits."""
    size = len(one_hit)
    places = np.full((size, size), most + 1, dtype=np.intp)  # the zero
    rows = np.arange(size)
    now = rows.copy()
    for hits in range(most + 1):
        final = one_hit[now] == now
        places[rows, now] = np.where(final, most + 2 + hits, hits)
        rows, now = rows[~final], one_hit[now[~final]]
        if not len(rows):
            break
    return places
