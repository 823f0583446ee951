"""What one force fires in a step of a sea battle of 1940, and what becomes of those it fires at.

Hits are counted by what they can strike: a salvo is a table with an axis for each group of them, and one for hits whose
victims the shooters pick. Pairings, numbers and dice are asked from the engine (`arms`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from sandtable.engine.state import Role
from sandtable.odds.arms import Arms, Shots
from sandtable.odds.fleets import Fleet, Fleets
from sandtable.odds.front import Front, State
from sandtable.odds.hits import Floats, Ints, binomial
from sandtable.odds.known import dearest
from sandtable.odds.model import Act

UNLIKELY = 1e-17  # chances of hits that are left out
LARGEST_SALVO = 400_000  # combinations of hits


class TooManyError(Exception):
    """There are too many combinations of hits to keep a table of them."""


class Salvo(msgspec.Struct, frozen=True):
    """The hits of one state: the groups by the kinds they can strike (bits), and the chances of all numbers of them."""

    groups: tuple[int, ...]
    picks: int  # what picked victims may be; 0: nobody picks
    chances: Floats  # an axis a group, then one for picked victims


class Salvos:
    """The fire of both fleets in the first round of a battle, or in one of the others."""

    def __init__(self, fleets: Fleets, arms: Arms, *, first: bool) -> None:
        self.model = fleets.model
        self.fleets: dict[Role, Fleet] = {"attack": fleets.attack, "defense": fleets.defense}
        self.arms = arms
        self.first = first
        self._salvos: dict[tuple[Role, State, int, tuple[Act, ...]], Salvo] = {}
        self._boxes: dict[tuple[Role, tuple[int, ...], int, int], Ints] = {}
        self._picker = {role: Picker(fleet.front, dearest(self.model, role)) for role, fleet in self.fleets.items()}

    # ------------------------------------------------------------ hits

    def salvo(self, role: Role, state: int, kinds: int, acts: tuple[Act, ...]) -> Salvo:
        """What these kinds of a state fire in such a step."""
        fleet = self.fleets[role]
        key = (role, fleet.front.states[state], kinds, acts)
        found = self._salvos.get(key)
        if found is None:
            found = self._salvos[key] = self._load(role, state, kinds, acts)
        return found

    def _load(self, role: Role, state: int, kinds: int, acts: tuple[Act, ...]) -> Salvo:
        fleet, sides = self.fleets[role], self.model.dice_sides
        counts, aims = fleet.front.states[state][0], fleet.aims[state].tolist()
        there = {p: k for k, p in enumerate(self.arms.pieces[role]) if counts[k] and not fleet.front.kinds[k].shield}
        plain: dict[int, Floats] = {}
        several: list[tuple[int, list[tuple[int, float]]]] = []  # dice, and what one of them may score
        picks = 0

        def most(mask: int) -> int:
            return sum(n for k, n in enumerate(fleet.enemy.counts) if mask >> k & 1)

        def add(mask: int, hits: Floats) -> None:
            plain[mask] = _capped(np.convolve(plain[mask], hits) if mask in plain else hits, most(mask))

        for piece, n, strength in self.arms.armed(role, counts, None, acts, first=self.first):
            place = there[piece]
            mask, unit = aims[place], fleet.types[place]
            if not strength.fires or not mask or not kinds >> place & 1:
                continue
            shots = Shots(frozenset(), strength.value, n * strength.dice, strength.dice, strength.best, strength.picks)
            number, pick, hit = shots.chances(sides)
            again = min(unit.again, strength.value) / sides if role == "attack" else 0.0
            outcomes = [(mask, hit), (PICKED, pick)] if pick else [(mask, hit)]
            for prey, more in unit.sharper.items():
                if alone := fleet.bits_of(prey) & mask:
                    outcomes.append((alone, min(more, sides - strength.value) / sides))
            if again:
                add(mask, _rolled_again(number, hit, again, most(mask)))
            elif len(outcomes) > 1:
                picks |= mask if pick else 0
                several.append((number, outcomes))
            elif strength.best:
                add(mask, _several(number, hit))
            else:
                add(mask, binomial(number, strength.value, sides))
        for _, outcomes in several:
            for mask, _ in outcomes:
                if mask != PICKED:
                    plain.setdefault(mask, np.ones(1))
        groups = tuple(sorted(plain))
        joint = np.ones(1)
        for mask in groups:
            joint = np.multiply.outer(joint, plain[mask])
        joint = np.moveaxis(joint, 0, -1)
        axes = {mask: axis for axis, mask in enumerate(groups)} | {PICKED: len(groups)}
        limits = [*map(most, groups), most(picks)]
        for number, outcomes in several:
            for _ in range(number):
                joint = _one_more(joint, [(axes[mask], chance) for mask, chance in outcomes], limits)
        if joint.size > LARGEST_SALVO:
            raise TooManyError
        return Salvo(groups, picks, joint)

    # ------------------------------------------------------------ and their victims

    def struck(self, role: Role, state: int, kinds: int, acts: tuple[Act, ...], victim: int) -> tuple[Ints, Floats]:
        """States to which this fire may bring those it is aimed at, with their chances."""
        salvo = self.salvo(role, state, kinds, acts)
        if salvo.chances.size == 1:
            return np.array([victim], dtype=np.intp), np.ones(1)
        other: Role = "defense" if role == "attack" else "attack"
        after = self._after(other, salvo, victim)
        chances: Floats = np.bincount(after.reshape(-1), salvo.chances.reshape(-1)).astype(np.float64, copy=False)
        states = (chances > UNLIKELY).nonzero()[0]
        return states, chances[states]

    def _after(self, role: Role, salvo: Salvo, victim: int) -> Ints:
        """The victim's states after all numbers of hits. Those of many salvos are alike, so the largest is kept."""
        key = (role, salvo.groups, salvo.picks, victim)
        wanted = salvo.chances.shape
        found = self._boxes.get(key)
        if found is None or any(n > had for n, had in zip(wanted, found.shape, strict=True)):
            shape = wanted if found is None else tuple(map(max, wanted, found.shape))
            if math.prod(shape) > LARGEST_SALVO:
                raise TooManyError
            *hits, picked = np.indices(shape).reshape(len(shape), -1)
            found = self._boxes[key] = self.after(role, victim, hits, salvo.groups, picked, salvo.picks).reshape(shape)
        return found[tuple(map(slice, wanted))]

    def after(
        self, role: Role, victim: int, hits: Sequence[Ints], groups: Sequence[int], picked: Ints, picks: int
    ) -> Ints:
        """The states of this force after so many hits of each group, the picked victims taken first."""
        states = np.full(len(picked), victim)
        if picked.any():
            states = self._picker[role].pick(states, hits, groups, picked, picks)
        return self.fleets[role].settler.after(states, hits, groups) if groups else states


PICKED = -1
"""Stands for hits whose victims the shooters pick."""


def _capped(hits: Floats, most: int) -> Floats:
    """Hits beyond the most that can be given to anybody are wasted."""
    if len(hits) <= most + 1:
        return hits
    result = hits[: most + 1].copy()
    result[-1] += hits[most + 1 :].sum()
    return result


def _several(number: int, chance: float) -> Floats:
    hits = np.ones(1)
    for _ in range(number):
        hits = np.convolve(hits, (1 - chance, chance))
    return hits


def _rolled_again(number: int, hit: float, again: float, most: int) -> Floats:
    """Dice of which each low face, a hit, is followed by one more."""
    ends = np.array([1 - hit, hit - again])  # a die that is the last one
    one = np.zeros(most + 1)
    for further in range(most + 1):
        for score, chance in enumerate(ends.tolist()):
            one[min(further + score, most)] += again**further * chance
    one[-1] += again ** (most + 1)
    hits = np.ones(1)
    for _ in range(number):
        hits = _capped(np.convolve(hits, one), most)
    return hits


def _one_more(joint: Floats, outcomes: list[tuple[int, float]], limits: list[int]) -> Floats:
    """The table with one more die, which scores on one of these axes or misses."""
    shape = list(joint.shape)
    for axis, _ in outcomes:
        shape[axis] = min(shape[axis] + 1, limits[axis] + 1)
    grown = np.zeros(shape)
    missed = 1 - sum(chance for _, chance in outcomes)
    grown[tuple(slice(0, n) for n in joint.shape)] = missed * joint
    for axis, chance in outcomes:
        for begin in range(joint.shape[axis]):
            source = [slice(0, n) for n in joint.shape]
            target = list(source)
            source[axis] = slice(begin, begin + 1)
            end = min(begin + 1, limits[axis])
            target[axis] = slice(end, end + 1)
            grown[tuple(target)] += chance * joint[tuple(source)]
    return grown


class Picker:
    """Victims that the enemy picks: the dearest, as long as no hit is wasted by it."""

    def __init__(self, front: Front, order: Sequence[int]) -> None:
        self.front = front
        twins = {(k.power, k.unit, k.marks): place for place, k in enumerate(front.kinds) if k.shield}
        self._order: list[tuple[int, int]] = []  # the kind, and that of the hits that such a unit outlives
        for k in order:
            kind = front.kinds[k]
            self._order.append((k, twins.get((kind.power, kind.unit, kind.marks), -1)))

    def pick(self, states: Ints, hits: Sequence[Ints], groups: Sequence[int], picked: Ints, picks: int) -> Ints:
        """The states without the victims picked; `hits` of the other groups are still to be given."""
        left = picked.copy()
        while (left > 0).any():
            for state in np.unique(states[left > 0]).tolist():
                here = np.flatnonzero((states == state) & (left > 0))
                open_hits = [n[here] for n in hits]
                states[here] = self._without_one(state, open_hits, groups, left[here], picks)
            left = np.maximum(left - 1, 0)
        return states

    def _without_one(self, state: int, hits: list[Ints], groups: Sequence[int], left: Ints, picks: int) -> Ints:
        counts, gone = self.front.states[state]
        before = _matched(counts, [*hits, left], [*groups, picks])
        result = np.full(len(left), state)
        waiting = np.ones(len(left), dtype=np.bool_)
        for k, shield in self._order:
            victim = k if shield < 0 or counts[k] > counts[shield] else shield  # one that is damaged goes down
            if not picks >> k & 1 or not counts[victim]:
                continue
            after = (*counts[:victim], counts[victim] - 1, *counts[victim + 1 :])
            fits = waiting & (_matched(after, [*hits, left - 1], [*groups, picks]) >= before - 1)
            if fits.any():
                result[fits] = self.front.find((after, gone))
                waiting &= ~fits
            if not waiting.any():
                break
        return result


def _matched(counts: Sequence[int], hits: Sequence[Ints], groups: Sequence[int]) -> Ints:
    """How many of these hits find a victim (the least cover of a matching: some groups' hits, the others' victims)."""
    best: Ints | None = None
    for some in range(1 << len(groups)):
        reach = 0
        for place, group in enumerate(groups):
            if some >> place & 1:
                reach |= group
        room = sum(n for k, n in enumerate(counts) if reach >> k & 1)
        others = sum(n for place, n in enumerate(hits) if not some >> place & 1)
        total = np.asarray(others + room)
        best = total if best is None else np.minimum(best, total)
    assert best is not None
    return np.broadcast_to(best, hits[0].shape)
