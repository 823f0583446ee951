"""Sea battles in which it matters who is there: submarines that hide, strike first or dive, transports with an escort.

What the rules say is asked from the engine's own functions, once for each mix of kinds that can be present; the answers
are kept as bits (one a kind), so that arrays of states can be judged together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from sandtable.engine.battle.fire import spared
from sandtable.engine.battle.forces import is_hunted, strikers
from sandtable.engine.battle.steps.spent import carries_on
from sandtable.engine.facts import Known
from sandtable.engine.state import Piece, Role
from sandtable.odds.endings import BROKEN_OFF, CLEARED, FIGHTING, OVER, Bools
from sandtable.odds.front import Front, State
from sandtable.odds.hits import Ints
from sandtable.odds.intentions import Intentions
from sandtable.odds.model import Act, BattleModel, Kind
from sandtable.odds.settle import Settler
from sandtable.world.model import UnitId, UnitType


def bits(types: Sequence[UnitType], wanted: Callable[[UnitType], bool]) -> int:
    """The kinds whose units are wanted."""
    return sum(1 << place for place, unit in enumerate(types) if wanted(unit))


def _piece(kind: Kind) -> Piece:
    return Piece(kind.power, kind.unit, marks=kind.marks)


class Fleet:
    """One force: its states, what its units can strike, and what hits do to them.

    A `tired` one has fought its first round: who strikes once has done so.
    """

    def __init__(self, model: BattleModel, role: Role, *, tired: bool = False) -> None:
        self.model = model
        self.role = role
        self.force, self.enemy = (model.attack, model.defense) if role == "attack" else (model.defense, model.attack)
        self.front = Front(self.force)
        self.types = [kind.type_in(model.world) for kind in self.force.kinds]
        self._armed = [
            kind.value > 0 and kind.dice > 0 and not (tired and unit.strikes_once)
            for kind, unit in zip(self.force.kinds, self.types, strict=True)
        ]
        self.settler = Settler(self.force, self.front)
        self._aims: dict[int, list[int]] = {}
        self._early: dict[int, int] = {}
        self._known = Known(model.techs)
        self.refresh()

    def explore(self, groups: Sequence[int], dives: bool, limit: int, starts: Sequence[State]) -> bool:
        """Find every state that hits of these groups, escapes and losses without a hit lead to."""
        front = self.front
        kinds = range(len(front.kinds))
        struck = [[k for k in kinds if group >> k & 1] for group in groups]
        boats = {k.unit for k in front.kinds if k.leaves} if dives else set()
        hidden = self.role == "defense"
        alone = [u.chosen_last or (hidden and (bool(u.hides_from) or u.strikes_once)) for u in self.types]

        def steps(state: State) -> Iterator[State]:
            for some in struck:
                yield front.lose_first(state, some)
            for boat in boats:
                yield front.after_leaving(state, [k.unit == boat for k in front.kinds].__getitem__)
            counts, gone = state
            if all(alone[k] for k in kinds if counts[k]):  # transports without an escort
                yield tuple(0 if front.kinds[k].last else counts[k] for k in kinds), gone

        found = front.spread(steps, limit, starts) and self.settler.possible
        if found:
            self.refresh()
        return found

    def begin(self, states: Iterable[State]) -> None:
        """Know these states and no others."""
        self.front.forget()
        for state in states:
            self.front.find(state)

    def refresh(self) -> None:
        """Measure all states anew; call it after new ones were found."""
        counts = self.front.counts()
        self.present: Ints = (counts > 0) @ (1 << np.arange(len(self.front.kinds)))
        self.total = self.front.sums(lambda k: not k.shield)
        self.planes = self.front.sums(lambda k: k.domain == "air" and not k.shield)
        mixes, which = np.unique(self.present, return_inverse=True)
        self.aims: Ints = np.array([self.aims_of(mix) for mix in mixes.tolist()], dtype=np.intp)[which.reshape(-1)]
        self.strikes: Ints = np.bitwise_or.reduce(self.aims, axis=1)
        again = [place for place, unit in enumerate(self.types) if not unit.strikes_once]
        self.strikes_again: Ints = np.bitwise_or.reduce(self.aims[:, again], axis=1)  # after the first round

    def aims_of(self, mix: int) -> list[int]:
        """By kind, the enemy's kinds that its hits can take in this company; 0 for those not there or unarmed."""
        known = self._aims.get(mix)
        if known is None:
            world = self.model.world
            comrades = {_piece(k): 1 for place, k in enumerate(self.front.kinds) if mix >> place & 1}
            known = []
            for place in range(len(self.front.kinds)):
                aim = 0
                if mix >> place & 1 and self._armed[place]:
                    safe = spared(world, self._known, self.types[place], comrades)
                    for bit, victim in enumerate(self.enemy.kinds):
                        aim |= (victim.unit not in safe and victim.domain not in safe) << bit
                known.append(aim)
            self._aims[mix] = known
        return known

    def bits_of(self, unit: UnitId) -> int:
        """The enemy's kinds of this unit."""
        return sum(1 << place for place, kind in enumerate(self.enemy.kinds) if kind.unit == unit)

    def early(self, enemy_mix: int) -> int:
        """The kinds that fire before the others against such enemies."""
        known = self._early.get(enemy_mix)
        if known is None:
            kinds = [k for k in self.front.kinds if not k.shield]
            force = {_piece(k): 1 for k in kinds}
            first = strikers(self.model.world, self._known, self.role, force, self._enemies(enemy_mix))
            units = {p.type for p in first}
            known = self._early[enemy_mix] = bits(self.types, lambda unit: unit.id in units)
        return known

    def _enemies(self, mix: int) -> dict[Piece, int]:
        return {_piece(k): 1 for place, k in enumerate(self.enemy.kinds) if mix >> place & 1}

    def divers(self, enemy_mixes: Ints) -> Ints:
        """By mix of enemies, the kinds that may leave because nobody hunts them."""
        world = self.model.world
        mixes, which = np.unique(enemy_mixes, return_inverse=True)
        found = [
            sum(
                1 << place
                for place, kind in enumerate(self.front.kinds)
                if kind.leaves and not is_hunted(world, self._known, kind.unit, self._enemies(mix))
            )
            for mix in mixes.tolist()
        ]
        result: Ints = np.array(found, dtype=np.intp)[which.reshape(-1)]
        return result

    def without(self, states: Ints, kinds: Ints, *, lost: bool) -> Ints:
        """The states after these kinds (bits, by state) are lost or have left the battle."""
        cases, which = np.unique(np.stack((states, kinds), axis=1), axis=0, return_inverse=True)
        after = []
        for state, some in cases.tolist():
            (counts, gone), who = self.front.states[state], [bool(some >> k & 1) for k in range(len(self.front.kinds))]
            left = tuple(0 if out else n for out, n in zip(who, counts, strict=True)), gone
            after.append(self.front.find(left if lost else self.front.after_leaving((counts, gone), who.__getitem__)))
        if len(self.front) != len(self.present):
            self.refresh()
        result: Ints = np.array(after, dtype=np.intp)[which.reshape(-1)]
        return result

    def groups(self) -> list[int]:
        """All that a hit of this force may be able to take, as bits of the enemy's kinds."""
        mixes = [int(self.present[0])]
        for hider in self.model.world.hiders:  # with and without those who uncover it
            hunters = bits(self.types, lambda unit, hider=hider: hider in unit.hunts)  # type: ignore[misc]
            mixes += [mix & ~hunters for mix in mixes]
        return sorted({aim for mix in mixes for aim in self.aims_of(mix) if aim})


class Fleets:
    """Both sides, and what comes after their fire."""

    def __init__(self, model: BattleModel, intentions: Intentions, *, tired: bool = False) -> None:
        self.model = model
        self.intentions = intentions
        self.attack = Fleet(model, "attack", tired=tired)
        self.defense = Fleet(model, "defense", tired=tired)
        self._a_last = bits(self.attack.types, lambda unit: unit.chosen_last)
        self._d_prey = bits(self.defense.types, lambda unit: unit.chosen_last and not unit.defense)
        self._d_seen = bits(self.defense.types, lambda unit: not unit.hides_from) & ~self._d_prey
        self._d_once = bits(self.defense.types, lambda unit: unit.strikes_once)
        self._go_on = [bits(fleet.types, carries_on) for fleet in (self.attack, self.defense)]
        self.hopeless: Bools | None = None  # pairs where the attacker's odds are below the least that is wanted

    def judge(self, ai: Ints, di: Ints, acts: Sequence[Act], rounds: int) -> tuple[Ints, Ints, Ints]:
        """(how it goes on, attacker's state, defender's state) for every pair, after so many rounds."""
        fate = np.full(len(ai), FIGHTING, dtype=np.intp)
        hopes = self.intentions.retreat.odds > 0
        ai, di = ai.copy(), di.copy()
        for act in acts:
            going = np.flatnonzero(fate == FIGHTING)
            if not len(going):
                break
            a, d = ai[going], di[going]
            if act == "end":
                fate[going[self._over(a, d)]] = OVER
            elif act in ("defenceless", "struck-alone", "left-alone"):
                di[going] = self._without_prey(a, d, act)
            elif act == "alone":
                lonely = going[self._alone(a, d)]
                if self.model.can_retreat:
                    fate[lonely] = BROKEN_OFF
                    fate[going[self._idle(a, d) & (self._breaks_off(a, d, rounds) | hopes)]] = BROKEN_OFF
                else:
                    fate[lonely] = OVER
                    ai[lonely] = self.attack.without(ai[lonely], self.attack.present[ai[lonely]], lost=True)
            elif act == "submarines":
                ai[going], di[going] = self._dive(a, d)
            elif act == "spent":
                attack, defense = self._go_on
                fate[going[self.defense.present[d] & defense == 0]] = CLEARED
                fate[going[self.attack.present[a] & attack == 0]] = OVER
                hurts = self.attack.strikes_again[a] & self.defense.present[d]
                hurts |= self.defense.strikes_again[d] & self.attack.present[a]
                fate[going[(hurts == 0) & (fate[going] == FIGHTING)]] = OVER
            elif act == "retreat":
                fate[going[self._breaks_off(a, d, rounds)]] = BROKEN_OFF
        return fate, ai, di

    def _over(self, a: Ints, d: Ints) -> Bools:
        attack, defense = self.attack, self.defense
        hurts = (attack.strikes[a] & defense.present[d]) | (defense.strikes[d] & attack.present[a])
        result: Bools = (attack.present[a] == 0) | (defense.present[d] == 0) | (hurts == 0)
        return result

    def _without_prey(self, a: Ints, d: Ints, act: Act) -> Ints:
        """Transports without protection are lost (`engine.battle.steps.defenceless_transports`)."""
        present = self.defense.present[d]
        strikes = self.attack.strikes_again[a] if act == "left-alone" else self.attack.strikes[a]
        guards = ~self._d_prey & (~self._d_once if act == "left-alone" else -1)
        prey = (present & self._d_seen & guards == 0) & (strikes & present & guards == 0)
        prey &= strikes & present & self._d_prey != 0
        if act == "defenceless":
            prey &= self.defense.strikes[d] & self.attack.present[a] & ~self._a_last == 0
        after = d.copy()
        if prey.any():
            after[prey] = self.defense.without(d[prey], np.full(int(prey.sum()), self._d_prey), lost=True)
        return after

    def _alone(self, a: Ints, d: Ints) -> Bools:
        """Attacking transports without an escort flee or go down (`engine.battle.steps.lone_transports`)."""
        present = self.attack.present[a]
        threatened = self.defense.strikes[d] & present != 0
        result: Bools = (present != 0) & (present & ~self._a_last == 0) & threatened
        return result

    def _idle(self, a: Ints, d: Ints) -> Bools:
        """Transports alone that nobody threatens, and that can do nothing: they may go as well."""
        present = self.attack.present[a]
        lonely = (present != 0) & (present & ~self._a_last == 0) & (self.defense.present[d] != 0)
        hurts = (self.defense.strikes[d] & present) | (self.attack.strikes[a] & self.defense.present[d])
        result: Bools = lonely & (hurts == 0)
        return result

    def _dive(self, a: Ints, d: Ints) -> tuple[Ints, Ints]:
        """Submarines leave where that is intended and nobody hunts them; the attacker's decide first."""
        if self.intentions.attacker_submarines == "leave":
            a = self.attack.without(a, self.attack.divers(self.defense.present[d]), lost=False)
        if self.intentions.defender_submarines == "leave":
            divers = self.defense.divers(self.attack.present[a])
            d = self.defense.without(d, np.where(self.attack.present[a] != 0, divers, 0), lost=False)
        return a, d

    def _breaks_off(self, a: Ints, d: Ints, rounds: int) -> Bools:
        wish = self.intentions.retreat
        total, planes = self.attack.total[a], self.attack.planes[a]
        breaks: Bools = total < wish.units
        if wish.only_planes:
            breaks |= (planes > 0) & (planes == total)
        if wish.rounds is not None and rounds >= wish.rounds:
            breaks |= True
        if self.hopeless is not None:
            breaks |= self.hopeless[a, d]
        if not self.model.can_retreat:
            breaks &= planes >= total
        return breaks
