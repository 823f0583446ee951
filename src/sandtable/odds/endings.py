"""What comes after the fire of a round: the battle is over, submarines leave, the attacker breaks off, or it goes on.

Works on arrays of state numbers, so that a whole grid is judged at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sandtable.odds.front import Front
from sandtable.odds.hits import Floats, Ints
from sandtable.odds.intentions import Intentions
from sandtable.odds.model import DOMAINS, Act, BattleModel

Bools = NDArray[np.bool_]

FIGHTING, OVER, BROKEN_OFF, CLEARED = 0, 1, 2, 3
"""How a pair of states goes on: another round, decided, the attacker has left, or won against who cannot fight on."""

_BITS = {domain: 1 << place for place, domain in enumerate(DOMAINS)}


class Endings:
    """`judge` settles the end of a round for pairs of states; `over` tells where nobody can fight on."""

    def __init__(self, model: BattleModel, intentions: Intentions, attack: Front, defense: Front) -> None:
        self.model = model
        self.intentions = intentions
        self.attack = attack
        self.defense = defense
        self.hopeless: Bools | None = None  # pairs where the attacker's odds are below the least that is wanted
        self.refresh()

    def refresh(self) -> None:
        """Measure all states anew; call it after new ones were found."""
        a, d = self.attack, self.defense
        self.d_total = d.sums(lambda k: not k.shield)
        units = [k if not k.shield else None for k in a.kinds]
        flags = [
            (
                k is not None,
                k is not None and k.domain == "air",
                k is not None and k.landed and k.domain != "air",
                k is not None and k.captures,
            )
            for k in units
        ]
        self.a_total, self.a_air, self.a_landed, self.a_takers = (a.counts() @ np.array(flags, dtype=np.intp)).T
        self._a_present, self._d_present = _present(a), _present(d)
        self._a_strikes, self._d_strikes = _strikes(a), _strikes(d)

    def over(self, ai: Ints, di: Ints) -> Bools:
        """A force has nobody left, or nobody could ever hit anybody."""
        empty = (self.a_total[ai] == 0) | (self.d_total[di] == 0)
        hurts = (self._a_strikes[ai] & self._d_present[di]) | (self._d_strikes[di] & self._a_present[ai])
        result: Bools = empty | (hurts == 0)
        return result

    def win_grid(self) -> Floats:
        """1 where the battle is over and won by the attacker, 0 elsewhere."""
        won: Floats = ((self.a_total[:, None] > 0) & (self.d_total[None, :] == 0)).astype(np.float64)
        return won

    def judge(self, ai: Ints, di: Ints, acts: Sequence[Act], rounds: int) -> tuple[Ints, Ints, Ints]:
        """(how it goes on, attacker's state, defender's state) for every pair, after so many rounds."""
        fate = np.zeros(len(ai), dtype=np.intp)
        ai, di = ai.copy(), di.copy()
        for act in acts:
            going = fate == FIGHTING
            if act == "end":
                fate[going & self.over(ai, di)] = OVER
            elif act == "submarines":
                if self.intentions.attacker_submarines == "leave":
                    ai[going] = self._leave(self.attack, ai[going], self.attack.leavers())
                if self.intentions.defender_submarines == "leave":
                    di[going] = self._leave(self.defense, di[going], self.defense.leavers())
            elif act == "retreat":
                self._retreat(fate, ai, di, rounds)
        return fate, ai, di

    def _leave(self, front: Front, states: Ints, who: Callable[[int], bool]) -> Ints:
        """The states after these kinds have left; states not met before are measured at once."""
        known = len(front)
        different, place = np.unique(states, return_inverse=True)
        after = np.array([front.find(front.after_leaving(front.states[s], who)) for s in different], dtype=np.intp)
        if len(front) > known:
            self.refresh()
        return after[place] if len(states) else states

    def _retreat(self, fate: Ints, ai: Ints, di: Ints, rounds: int) -> None:
        wish = self._wishes(ai, di, rounds) & (fate == FIGHTING)
        if not wish.any():
            return
        landed = self.a_landed[ai] > 0
        air = self.a_air[ai] > 0
        only_air = air & (self.a_air[ai] == self.a_total[ai])
        fate[wish & ~landed & (only_air | self.model.can_retreat)] = BROKEN_OFF
        if self.model.overland_may_leave:
            others = self.a_total[ai] - self.a_landed[ai]
            off = wish & landed & (others > 0) & (self.model.can_retreat | (others == self.a_air[ai]))
            ai[off] = self._leave(self.attack, ai[off], self.attack.not_landed())
        elif self.model.planes_may_leave:
            off = wish & landed & air
            ai[off] = self._leave(self.attack, ai[off], self.attack.planes())

    def _wishes(self, ai: Ints, di: Ints, rounds: int) -> Bools:
        retreat = self.intentions.retreat
        wish: Bools = self.a_total[ai] < retreat.units
        if self.model.takes_land:
            wish |= self.a_takers[ai] < retreat.land_units
        if retreat.only_planes:
            wish |= (self.a_air[ai] > 0) & (self.a_air[ai] == self.a_total[ai])
        if retreat.rounds is not None and rounds >= retreat.rounds:
            wish |= True
        if self.hopeless is not None:
            wish |= self.hopeless[ai, di]
        return wish


def _present(front: Front) -> Ints:
    """Domains of the units that fight, as bits."""
    return _union(front, [_BITS[k.domain] for k in front.kinds])


def _strikes(front: Front) -> Ints:
    """Domains that somebody who fights could hit, as bits."""
    return _union(front, [sum(_BITS[d] for d in k.aim) if k.value > 0 and k.dice > 0 else 0 for k in front.kinds])


def _union(front: Front, bits: list[int]) -> Ints:
    """The bits of all kinds that a state still has."""
    there = np.where(front.counts() > 0, np.array(bits, dtype=np.intp), 0)
    union: Ints = np.bitwise_or.reduce(there, axis=1)
    return union
