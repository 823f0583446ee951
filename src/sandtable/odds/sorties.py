"""Exact odds of sea battles of 1940: planes strike once, submarines strike and dive, then ships fight it out.

The first round is followed act by act (`outset`). From then on nobody hides, and every hit takes the next unit of the
order, so a state is what is left on the surface. How many boats have dived is carried along, as one of many cases of
the same fight. Losses lead one way, so the attackers' states are dealt with from the strongest down.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from sandtable.odds.arms import Arms
from sandtable.odds.endings import BROKEN_OFF, CLEARED, FIGHTING, OVER
from sandtable.odds.exact import LARGEST_FRONT, ROUNDS_REST, Outcome, Start
from sandtable.odds.fleets import Fleet, Fleets
from sandtable.odds.front import Counts, Front, State
from sandtable.odds.hits import Floats, Ints, distributions, with_tails
from sandtable.odds.intentions import Intentions
from sandtable.odds.known import SEA_HEAD, SEA_TAIL
from sandtable.odds.linear import product
from sandtable.odds.model import Act, BattleModel
from sandtable.odds.outset import Outset
from sandtable.odds.replies import Fire, Replies
from sandtable.odds.salvos import TooManyError

TINY = 1e-15  # flow that is left out
LARGEST_GRID = 60_000  # pairs of states
LARGEST_FLOW = 8_000_000  # the same, times the cases
SMALL = 100  # defenders' states for which equations are solved at once; more are iterated

Case = tuple[Counts, Counts]
"""Units of both sides that have left the battle."""


class Closing(msgspec.Struct, frozen=True):
    """How a round ends in every cell: its fate, and the states without transports that are lost for want of company."""

    fate: Ints
    a_after: Ints
    d_after: Ints


class Sorties:
    def __init__(self, model: BattleModel, intentions: Intentions, start: Start) -> None:
        self.model = model
        self.intentions = intentions
        self.start = start
        self.arms = Arms(model)
        self.opening = Fleets(model, intentions, tired=start.rounds > 1)
        self.later = Fleets(model, intentions, tired=True)
        self.attack, self.defense = self.later.attack, self.later.defense
        self.possible = self._open() and self._explore()

    # ------------------------------------------------------------ states

    def _open(self) -> bool:
        """Fight what is left of this round. False: there is too much of it."""
        start, wish = self.start, self.intentions
        forces = (
            (self.opening.attack, self.opening.defense, [start.attack], wish.attacker_submarines),
            (self.opening.defense, self.opening.attack, [start.firing, start.defense], wish.defender_submarines),
        )
        for fleet, other, starts, boats in forces:
            planes = sum(1 << k for k, kind in enumerate(fleet.front.kinds) if kind.domain == "air")
            divers = sum(1 << k for k, unit in enumerate(fleet.types) if unit.dives)
            groups = {*other.groups(), planes, divers} - {0}
            if not fleet.explore(sorted(groups), boats == "leave", LARGEST_FRONT, starts):
                return False
        try:
            self.outset = Outset(self.model, self.opening, self.arms, start)
        except TooManyError:
            return False
        return True

    def _explore(self) -> bool:
        """What goes on, by cells and cases, and all states that it may come to."""
        attackers, defenders, chances = self.outset.rest
        self.cases: list[Case] = []
        if not len(chances):
            return True
        parts = []
        for fleet, opening, states in (
            (self.attack, self.opening.attack, attackers),
            (self.defense, self.opening.defense, defenders),
        ):
            different, place = np.unique(states, return_inverse=True)
            met = [opening.front.states[state] for state in different.tolist()]
            if any(n and unit.dives for counts, _ in met for n, unit in zip(counts, fleet.types, strict=True)):
                return False  # boats have stayed
            cores: list[State] = [(counts, (0,) * len(counts)) for counts, _ in met]
            fleet.begin(cores)
            if not fleet.explore([(1 << len(fleet.types)) - 1], False, LARGEST_FRONT, ()):
                return False
            gone = list(dict.fromkeys(left for _, left in met))
            which = np.array([gone.index(left) for _, left in met])[place.reshape(-1)]
            parts.append((np.array([fleet.front.index[core] for core in cores])[place.reshape(-1)], gone, which))
        (a, a_gone, a_case), (d, d_gone, d_case) = parts
        pairs, case = np.unique(a_case * len(d_gone) + d_case, return_inverse=True)
        self.cases = [(a_gone[pair // len(d_gone)], d_gone[pair % len(d_gone)]) for pair in pairs.tolist()]
        self.head = self._close(SEA_HEAD)
        self.closing = self._close([act for act in SEA_TAIL if act != "retreat"])
        cells = self.head.fate.size
        if cells > LARGEST_GRID or cells * len(self.cases) > LARGEST_FLOW:
            return False
        self.first = np.zeros((*self.head.fate.shape, len(self.cases)))
        np.add.at(self.first, (a, d, case.reshape(-1)), chances)
        if self.intentions != Intentions():
            if self.intentions.retreat.odds > 0:
                self.later.hopeless = self._chances() < self.intentions.retreat.odds
            self.closing = self._close(SEA_TAIL)
        return True

    def _close(self, acts: Sequence[Act], rounds: int = 0) -> Closing:
        """What these acts do with every cell after so many rounds."""
        rows, columns = len(self.attack.front), len(self.defense.front)
        ai, di = np.divmod(np.arange(rows * columns), columns)
        fate, a_after, d_after = (array.reshape(rows, columns) for array in self.later.judge(ai, di, acts, rounds))
        more = len(self.attack.front) - rows, len(self.defense.front) - columns
        return self._close(acts, rounds) if any(more) else Closing(fate, a_after, d_after)

    # ------------------------------------------------------------ fire

    @cached_property
    def _doom(self) -> Fire:
        return Fire(self._hits(self.attack), _one_hit(self.defense.front))

    @cached_property
    def _reply(self) -> Replies:
        fire = Fire(self._hits(self.defense), _one_hit(self.attack.front))
        return Replies([fire], lambda: fire.table)

    def _hits(self, fleet: Fleet) -> Floats:
        """Chances by state and number of hits, as the engine arms the fleet after the first round."""
        sides = self.model.dice_sides
        dice = np.zeros((len(fleet.front), sides + 1), dtype=np.intp)
        nobody = (0,) * len(fleet.enemy.counts)
        for row, (counts, _) in enumerate(fleet.front.states):
            for shots in self.arms.fire(fleet.role, counts, nobody, first=False):
                dice[row, min(shots.value, sides)] += shots.dice
        return with_tails(distributions(dice, [(1, value) for value in range(sides + 1)], sides))

    def _kernel(self, a: int, low: int) -> Floats:
        """What the fire of attackers `a` does, from and to the defenders' states from `low` on."""
        kernel: Floats = self._doom.table[a].take(self._doom.places[low:, low:])
        return kernel

    # ------------------------------------------------------------ the flow

    def solve(self) -> Outcome:
        """All the odds."""
        ends = Ends(self.model)
        fleets = self.opening.attack, self.opening.defense
        for ended in self.outset.ended:
            ends.add(fleets, ended.attack, ended.defense, ended.fate, ended.chances)
        return ends.outcome(1.0 + (self._fight_on(ends) if self.cases else 0.0))

    def _fight_on(self, ends: Ends) -> float:
        """All rounds after this one; gives how many begin on average."""
        flow, begun = self._begin_next(self.first, ends)
        number, limit = self.start.rounds, self.intentions.retreat.rounds or 0
        while number < limit and flow.any():
            number += 1
            begun += float(flow.sum())
            flow = self._taken(ends, self._closing_of(number), self._one_round(flow))
        begun += self._fight_out(flow)
        self._taken(ends, self.closing, flow)
        return begun

    def _begin_next(self, flow: Floats, ends: Ends | None) -> tuple[Floats, float]:
        """Who does not break off now fights the next round, if anybody can; and how much is over at its beginning."""
        flow = self._taken(ends, self._close(["retreat"], self.start.rounds), flow)
        after = self._taken(ends, self.head, flow)
        return after, float(flow.sum() - after.sum())

    def _closing_of(self, number: int) -> Closing:
        """The end of this round; it differs only where the number of rounds that is wanted is reached."""
        limit = self.intentions.retreat.rounds
        return self.closing if limit is None or number < limit else self._close(SEA_TAIL, number)

    def _taken(self, ends: Ends | None, closing: Closing, flow: Floats) -> Floats:
        """The flow that goes on; all other is an end."""
        going = closing.fate == FIGHTING
        if ends is not None:
            cells = (~going & flow.any(axis=2)).nonzero()
            fleets = self.attack, self.defense
            for case, gone in enumerate(self.cases):
                chances = flow[(*cells, case)]
                ends.add(fleets, closing.a_after[cells], closing.d_after[cells], closing.fate[cells], chances, gone)
        return np.where(going[:, :, None], flow, 0.0)

    def _fight_out(self, flow: Floats) -> float:
        """Fight all rounds of all cells, from the attackers' strongest state down; gives how many rounds that are."""
        fought = 0.0
        for a in range(len(flow)):
            stays = self.closing.fate[a] == FIGHTING
            inflow = np.where(stays[:, None], flow[a], 0.0)
            busy = (inflow.max(axis=1) >= TINY).nonzero()[0]
            if not len(busy):
                continue
            low = int(busy[0])
            kernel = self._kernel(a, low)
            states, chances = self._reply.chances(a, low, flow.shape[1])
            visits = _visits(chances[0][:, None] * kernel * stays[low:], inflow[low:])
            fought += float(visits.sum())
            spread = _spread(kernel, chances, visits)
            spread[0, stays[low:]] = 0.0  # counted among the visits
            flow[a, low:][stays[low:]] = 0.0
            flow[states, low:] += spread
        return fought

    def _one_round(self, flow: Floats) -> Floats:
        """The flow after one more round."""
        after = np.zeros_like(flow)
        for a in (flow.max(axis=(1, 2)) >= TINY).nonzero()[0].tolist():
            low = int((flow[a].max(axis=1) > 0).argmax())
            states, chances = self._reply.chances(a, low, flow.shape[1])
            after[states, low:] += _spread(self._kernel(a, low), chances, flow[a, low:])
        return after

    def rounds(self) -> list[float]:
        """The chance that the battle ends with round 1, 2, 3...; the last entry holds the few that last longer."""
        number = self.start.rounds
        ended = [0.0] * (number - 1) + [float(sum(end.chances.sum() for end in self.outset.ended))]
        if not self.cases:
            return ended
        flow = self.first.sum(axis=2, keepdims=True)  # who has left changes nothing
        rest, late = self._begin_next(flow, None)
        ended[-1] += float(flow.sum() - rest.sum()) - late
        flow = rest
        while (left := float(flow.sum())) >= ROUNDS_REST or late:
            number += 1
            flow = self._taken(None, self._closing_of(number), self._one_round(flow))
            ended.append(late + left - float(flow.sum()))
            late = 0.0
        ended[-1] += left
        return ended

    # ------------------------------------------------------------ when to give up

    def _chances(self) -> Floats:
        """The attacker's chance to win from the beginning of a round when nobody breaks off, for every cell."""
        going = self.closing.fate == FIGHTING
        a_left, d_left = self.attack.total[self.closing.a_after] > 0, self.defense.total[self.closing.d_after] > 0
        won = (self.closing.fate == CLEARED) | ((self.closing.fate == OVER) & a_left & ~d_left)
        value = np.where(going, 0.0, won)
        for a in range(len(value) - 1, -1, -1):
            stays = going[a]
            if not stays.any():
                continue
            kernel = self._kernel(a, 0)
            states, chances = self._reply.chances(a, 0, value.shape[1])
            ahead = product(value[states], kernel.T)  # what is not known yet of this row counts nothing
            known = (chances * ahead).sum(axis=0)
            system = np.eye(len(stays)) - chances[0][:, None] * kernel * stays
            value[a, stays] = np.linalg.solve(system[np.ix_(stays, stays)], known[stays])
        return np.where(going, value, 0.0)


def _one_hit(front: Front) -> Ints:
    """The state after a hit, which strikes whoever comes first in the order."""
    everybody = range(len(front.kinds))
    return np.array([front.index[front.lose_first(state, everybody)] for state in front.states], dtype=np.intp)


def _visits(returns: Floats, inflow: Floats) -> Floats:
    """How often cells of a row are met (rows, by case), those to which a round returns included."""
    if len(returns) <= SMALL:
        return np.linalg.solve(np.eye(len(returns)) - returns.T, inflow).astype(np.float64, copy=False)
    # hits lead on only: what comes back to itself is divided out, the rest dies away
    same = returns.diagonal()
    scale = (1.0 / (1.0 - same))[:, None]
    step = inflow * scale
    visits = step.copy()
    while float(step.max()) >= TINY:
        step = (product(returns.T, step) - step * same[:, None]) * scale
        visits += step
    return visits


def _spread(kernel: Floats, chances: Floats, visits: Floats) -> Floats:
    """Where so many rounds lead: by number of the attackers' states, defenders' state and case."""
    hits, size = chances.shape
    handed = (chances[:, None, :] * visits.T).reshape(-1, size)
    spread: Floats = product(handed, kernel).reshape(hits, -1, size).transpose(0, 2, 1)
    return spread


class Ends:
    """All ends of the battle, put together."""

    def __init__(self, model: BattleModel) -> None:
        self.attack, self.defense = Front(model.attack), Front(model.defense)
        self._rows: list[Ints] = []
        self._columns: list[Ints] = []
        self._results: list[Ints] = []
        self._chances: list[Floats] = []

    def add(
        self, fleets: tuple[Fleet, Fleet], a: Ints, d: Ints, fate: Ints, chances: Floats, gone: Case | None = None
    ) -> None:
        """Battles that came to these states, of which somebody had left before."""
        if not len(a):
            return
        attack, defense = fleets
        a_left, d_left = attack.total[a] > 0, defense.total[d] > 0
        won = (fate == CLEARED) | ((fate == OVER) & a_left & ~d_left)
        lost = (fate == OVER) & ~a_left & d_left
        self._rows.append(_renumbered(self.attack, attack.front, a, gone and gone[0]))
        self._columns.append(_renumbered(self.defense, defense.front, d, gone and gone[1]))
        self._results.append(np.select((won, lost, fate == BROKEN_OFF), (WON, LOST, LEFT), DRAWN))
        self._chances.append(chances)

    def outcome(self, mean: float) -> Outcome:
        grids = np.zeros((4, len(self.attack), len(self.defense)))
        cells = tuple(np.concatenate(part) for part in (self._results, self._rows, self._columns))
        np.add.at(grids, cells, np.concatenate(self._chances))
        over = grids[WON] + grids[LOST] + grids[DRAWN]
        neglected = max(0.0, 1.0 - float(grids.sum()))
        return Outcome(self.attack, self.defense, over, grids[LEFT], mean, neglected, grids[WON], grids[LOST])


WON, LOST, DRAWN, LEFT = range(4)


def _renumbered(front: Front, of: Front, states: Ints, gone: Counts | None) -> Ints:
    """The numbers that states of one front have in another."""
    different, place = np.unique(states, return_inverse=True)
    found = [of.states[state] for state in different.tolist()]
    numbers = [front.find(state if gone is None else (state[0], gone)) for state in found]
    return np.array(numbers, dtype=np.intp)[place.reshape(-1)]
