"""Battles played with dice, for the few that have more states than can be enumerated. The result says that it is so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandtable.odds.endings import BROKEN_OFF, FIGHTING, Endings
from sandtable.odds.exact import Outcome, Start
from sandtable.odds.front import Front
from sandtable.odds.hits import Ints
from sandtable.odds.model import ANYTHING, PLANES, Aim, BattleModel, OddsError, plain_roles
from sandtable.odds.plan import Plan
from sandtable.odds.volleys import Volley, attack_fire, first_shots, present, reply_fire, strengths

RUNS = 20_000


class Simulation:
    """Many battles side by side: arrays of states, one entry a battle."""

    def __init__(self, model: BattleModel, plan: Plan, start: Start, *, runs: int = RUNS, seed: int = 0) -> None:
        if plan.retreat.odds > 0:
            raise OddsError("A retreat by odds needs exact odds, and this battle has too many states for them.")
        self.model = model
        self.start = start
        self.runs = runs
        self.random = np.random.default_rng(seed)
        self.attack = Front(model.attack)
        self.defense = Front(model.defense)
        self._next: dict[tuple[bool, Aim], dict[int, int]] = {}
        self.endings = Endings(model, plan, self.attack, self.defense)

    def _lose(self, front: Front, states: Ints, hits: Ints, aim: Aim) -> Ints:
        """Take the hits one by one; what a hit does to a state is worked out when it is first met."""
        steps = self._next.setdefault((front is self.attack, aim), {})
        states = states.copy()
        for number in range(1, int(hits.max(initial=0)) + 1):
            struck = hits >= number
            different, place = np.unique(states[struck], return_inverse=True)
            after = np.empty(len(different), dtype=np.intp)
            for i, state in enumerate(different.tolist()):
                if state not in steps:
                    steps[state] = front.find(front.after_hit(front.states[state], aim))
                after[i] = steps[state]
            states[struck] = after[place]
        return states

    def _hits(self, front: Front, states: Ints, volley: Volley) -> Ints:
        counts, groups = strengths(front.kinds, front.counts()[states], volley.kinds)
        total = np.zeros(len(states), dtype=np.intp)
        for place, (dice, value) in enumerate(groups):
            chance = min(value, self.model.dice_sides) / self.model.dice_sides
            total += self.random.binomial(counts[:, place] * dice, chance)
        return total

    def _shot_down(self, states: Ints) -> Ints:
        """Antiaircraft fire that has a die for every plane."""
        chance = self.model.aa / self.model.dice_sides
        counts = self.attack.counts()[states]
        for k, kind in enumerate(self.attack.kinds):
            if kind.domain == "air":
                counts[:, k] -= self.random.binomial(counts[:, k], chance)
        left = [
            self.attack.find((tuple(row), self.attack.states[s][1]))
            for row, s in zip(counts.tolist(), states.tolist(), strict=True)
        ]
        return np.array(left, dtype=np.intp)

    def run(self) -> tuple[Outcome, Callable[[], list[float]]]:
        model, start = self.model, self.start
        a = np.full(self.runs, self.attack.find(start.attack), dtype=np.intp)
        firing = np.full(self.runs, self.defense.find(start.firing), dtype=np.intp)
        d = np.full(self.runs, self.defense.find(start.defense), dtype=np.intp)
        fate = np.zeros(self.runs, dtype=np.intp)
        last = np.zeros(self.runs, dtype=np.intp)
        number, roles, column = start.rounds, start.roles, start.column
        going = np.arange(self.runs)
        while len(going):
            a_now, f_now, d_now = a[going], firing[going], d[going]
            for place, role in enumerate(roles):
                above = column if place == 0 else -1
                if role == "aa" and model.aa and model.aa_each:
                    a_now = self._shot_down(a_now)
                elif role == "aa" and model.aa:
                    planes = self.attack.sums(lambda k: k.domain == "air")[a_now]
                    hits = self.random.binomial(planes, model.aa / model.dice_sides)
                    a_now = self._lose(self.attack, a_now, hits, present(PLANES, model.attack))
                elif role == "first":
                    for volley in first_shots(model, above):
                        hits = self._hits(self.attack, a_now, volley)
                        f_now = d_now = self._lose(self.defense, d_now, hits, volley.aim)
                elif role == "support":
                    for value, dice in model.support:
                        hits = self.random.binomial(dice, value / model.dice_sides, len(going))
                        d_now = self._lose(self.defense, d_now, hits, present(ANYTHING, model.defense))
                elif role == "doom":
                    for volley in attack_fire(model, above):
                        d_now = self._lose(self.defense, d_now, self._hits(self.attack, a_now, volley), volley.aim)
                elif role == "reply":
                    for volley in reply_fire(model, above):
                        a_now = self._lose(self.attack, a_now, self._hits(self.defense, f_now, volley), volley.aim)
            self.endings.refresh()
            tail = [r for r in plain_roles(roles) if r in ("end", "submarines", "retreat")]
            now, a_now, d_now = self.endings.judge(a_now, d_now, tail, number)
            a[going], firing[going], d[going], fate[going], last[going] = a_now, d_now, d_now, now, number
            going = going[now == FIGHTING]
            number, roles, column = number + 1, tuple(model.roles(False)), -1
        over = np.zeros((len(self.attack), len(self.defense)))
        broken = np.zeros_like(over)
        left = fate == BROKEN_OFF
        np.add.at(over, (a[~left], d[~left]), 1.0 / self.runs)
        np.add.at(broken, (a[left], d[left]), 1.0 / self.runs)
        ended = np.bincount(last, minlength=2)[1:] / self.runs
        mean = float(last.mean()) - start.rounds + 1
        return Outcome(self.attack, self.defense, over, broken, mean, 0.0, self.runs), lambda: ended.tolist()
