"""Battles played with dice, for the few that have more states than can be enumerated. The result says that it is so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandtable.odds.endings import BROKEN_OFF, FIGHTING, Endings
from sandtable.odds.exact import Outcome, Start
from sandtable.odds.fleets import Fleet, Fleets
from sandtable.odds.front import Front
from sandtable.odds.hits import Ints
from sandtable.odds.intentions import Intentions
from sandtable.odds.model import ANYTHING, PLANES, Act, Aim, BattleModel, OddsError, plain_acts
from sandtable.odds.volleys import Volley, attack_fire, first_shots, present, reply_fire, strengths

RUNS = 20_000

Judged = tuple[Ints, Ints, Ints]
"""How battles go on, and the states of both sides."""


class Simulation:
    """Many battles side by side: arrays of states, one entry a battle."""

    attack: Front
    defense: Front

    def __init__(
        self, model: BattleModel, intentions: Intentions, start: Start, *, runs: int = RUNS, seed: int = 0
    ) -> None:
        if intentions.retreat.odds > 0:
            raise OddsError("A retreat by odds needs exact odds, and this battle has too many states for them.")
        self.model = model
        self.start = start
        self.runs = runs
        self.random = np.random.default_rng(seed)
        self._prepare(intentions)

    def _prepare(self, intentions: Intentions) -> None:
        self.attack = Front(self.model.attack)
        self.defense = Front(self.model.defense)
        self._next: dict[tuple[bool, Aim], dict[int, int]] = {}
        self.endings = Endings(self.model, intentions, self.attack, self.defense)

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
        return self._past_guns(states, np.array(left, dtype=np.intp))

    def _past_guns(self, before: Ints, after: Ints) -> Ints:
        """The states without troops that went down with their planes."""
        if not any(kind.aboard for kind in self.attack.kinds):
            return after
        cases, place = np.unique(np.stack((before, after), axis=1), axis=0, return_inverse=True)
        states = self.attack.states
        left = [self.attack.find(self.attack.past_guns(states[b], states[a])) for b, a in cases.tolist()]
        return np.array(left, dtype=np.intp)[place.reshape(-1)]

    def _round(self, a: Ints, firing: Ints, d: Ints, acts: tuple[Act, ...], column: int, number: int) -> Judged:
        """One round, or what is left of it."""
        model = self.model
        for place, act in enumerate(acts):
            above = column if place == 0 else -1
            if act == "aa" and model.aa and model.aa_each:
                a = self._shot_down(a)
            elif act == "aa" and model.aa:
                planes = self.attack.sums(lambda k: k.domain == "air")[a]
                hits = self.random.binomial(planes, model.aa / model.dice_sides)
                a = self._past_guns(a, self._lose(self.attack, a, hits, present(PLANES, model.attack)))
            elif act == "first":
                for volley in first_shots(model, above):
                    hits = self._hits(self.attack, a, volley)
                    firing = d = self._lose(self.defense, d, hits, volley.aim)
            elif act == "support":
                for value, dice in model.support:
                    hits = self.random.binomial(dice, value / model.dice_sides, len(d))
                    d = self._lose(self.defense, d, hits, present(ANYTHING, model.defense))
            elif act == "doom":
                for volley in attack_fire(model, above):
                    d = self._lose(self.defense, d, self._hits(self.attack, a, volley), volley.aim)
            elif act == "reply":
                for volley in reply_fire(model, above):
                    a = self._lose(self.attack, a, self._hits(self.defense, firing, volley), volley.aim)
        self.endings.refresh()
        tail = [r for r in plain_acts(acts) if r in ("end", "submarines", "retreat")]
        return self.endings.judge(a, d, tail, number)

    def run(self) -> tuple[Outcome, Callable[[], list[float]]]:
        model, start = self.model, self.start
        a = np.full(self.runs, self.attack.find(start.attack), dtype=np.intp)
        firing = np.full(self.runs, self.defense.find(start.firing), dtype=np.intp)
        d = np.full(self.runs, self.defense.find(start.defense), dtype=np.intp)
        fate = np.zeros(self.runs, dtype=np.intp)
        last = np.zeros(self.runs, dtype=np.intp)
        number, acts, column = start.rounds, start.acts, start.column
        going = np.arange(self.runs)
        while len(going):
            now, a_now, d_now = self._round(a[going], firing[going], d[going], acts, column, number)
            a[going], firing[going], d[going], fate[going], last[going] = a_now, d_now, d_now, now, number
            going = going[now == FIGHTING]
            number, acts, column = number + 1, tuple(model.acts(False)), -1
        over = np.zeros((len(self.attack), len(self.defense)))
        broken = np.zeros_like(over)
        left = fate == BROKEN_OFF
        np.add.at(over, (a[~left], d[~left]), 1.0 / self.runs)
        np.add.at(broken, (a[left], d[left]), 1.0 / self.runs)
        ended = np.bincount(last, minlength=2)[1:] / self.runs
        mean = float(last.mean()) - start.rounds + 1
        return Outcome(self.attack, self.defense, over, broken, mean, 0.0, self.runs), lambda: ended.tolist()


class FleetSimulation(Simulation):
    """The same for sea battles in which each force's fire hangs on who is left on the other."""

    def _prepare(self, intentions: Intentions) -> None:
        self.fleets = Fleets(self.model, intentions)
        self.attack, self.defense = self.fleets.attack.front, self.fleets.defense.front

    def _struck(self, shooters: Fleet, states: Ints, enemies: Ints, victims: Fleet, struck: Ints, first: bool) -> Ints:
        """What one force's fire leaves of the other: its first strikes, or the rest."""
        shooters.refresh()
        victims.refresh()
        mixes, which = np.unique(victims.present[enemies], return_inverse=True)
        early = np.array([shooters.early(mix) for mix in mixes.tolist()], dtype=np.intp)[which.reshape(-1)]
        counts, aims = shooters.front.counts()[states], shooters.aims[states]
        hits: dict[int, Ints] = {}
        for k, kind in enumerate(shooters.front.kinds):
            firing = (early >> k & 1 == first) & (aims[:, k] != 0)
            chance = min(kind.value, self.model.dice_sides) / self.model.dice_sides
            scored = self.random.binomial(np.where(firing, counts[:, k] * kind.dice, 0), chance)
            for aim in np.unique(aims[firing, k]).tolist():
                hits[aim] = hits.get(aim, 0) + np.where(aims[:, k] == aim, scored, 0)
        if not hits:
            return struck
        return victims.settler.after(struck, list(hits.values()), list(hits))

    def _round(self, a: Ints, firing: Ints, d: Ints, acts: tuple[Act, ...], column: int, number: int) -> Judged:
        attack, defense = self.fleets.attack, self.fleets.defense
        going = np.arange(len(a))
        fate = np.full(len(a), FIGHTING, dtype=np.intp)
        a, firing, d = a.copy(), firing.copy(), d.copy()
        for act in acts:
            going = going[fate[going] == FIGHTING]
            a_now, f_now, d_now = a[going], firing[going], d[going]
            if act in ("strike", "doom"):
                d[going] = self._struck(attack, a_now, f_now, defense, d_now, act == "strike")
            elif act in ("strike-back", "reply"):
                a[going] = self._struck(defense, f_now, a_now, attack, a_now, act == "strike-back")
            elif act in ("struck", "clear"):
                firing[going] = d_now
            else:
                attack.refresh()
                defense.refresh()
                fate[going], a[going], after = self.fleets.judge(a_now, d_now, [act], number)
                firing[going] = np.where(after == d_now, f_now, after)
                d[going] = after
        return fate, a, d
