"""Odds of intricate sea battles: step by step through a round, from every pair of states that comes up.

Where submarines hide, strike first or dive only while nobody hunts them, and transports live as long as their escort,
neither side's fire can be worked out without looking at the other. So this solver walks the steps themselves and asks
the engine's own functions who strikes first, what a hit spares and which hits can be given to whom. What one round does
to a pair of states is worked out once; battles have few pairs, since losses follow an order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import msgspec
import numpy as np

from sandtable.engine.battle.fire import spared
from sandtable.engine.battle.forces import is_hunted, strikers
from sandtable.engine.state import Hits, Piece
from sandtable.odds.endings import BROKEN_OFF, FIGHTING, OVER
from sandtable.odds.exact import ROUNDS_REST, Outcome, Start
from sandtable.odds.front import Front, State
from sandtable.odds.hits import Floats, Ints, volley
from sandtable.odds.model import BattleModel, Role, Side
from sandtable.odds.plan import Plan

Pair = tuple[State, State]
"""The attacker's state and the defender's."""

Spot = tuple[State, State, State]
"""Inside a round: attackers, defenders who still fire, defenders who are not casualties."""

End = tuple[int, Pair]
"""How a round ends (`odds.endings`), and with what."""

TINY = 1e-16  # chances below this are not followed
MOST_ROUNDS = 5_000


class _Row(msgspec.Struct):
    """Where one round leads from a pair: numbers of pairs and of ends, with their chances."""

    pairs: Ints
    onward: Floats
    ends: Ints
    over: Floats


class Walk:
    def __init__(self, model: BattleModel, plan: Plan, start: Start) -> None:
        self.model = model
        self.plan = plan
        self.start = start
        self.world = model.world
        self.attack = Front(model.attack)
        self.defense = Front(model.defense)
        self.steps = tuple(model.roles(False))
        self.pairs: list[Pair] = []
        self.ends: list[End] = []
        self._numbers: dict[Pair | End, int] = {}
        self._rows: dict[tuple[int, bool], _Row] = {}
        self._hope: dict[Pair, float] = {}
        self.fire = cache(self._fire)
        self.hurts = cache(self._hurts)
        self.ended: list[float] = []

    # ------------------------------------------------------------ who fires at whom

    def pieces(self, front: Front, state: State) -> dict[Piece, int]:
        """The units of a state as the engine knows them."""
        found: dict[Piece, int] = {}
        for kind, n in zip(front.kinds, state[0], strict=True):
            if n and not kind.shield:
                piece = Piece(kind.power, kind.unit)
                found[piece] = found.get(piece, 0) + n
        return found

    def _fire(self, side: Side, state: State, enemy: State, struck: State, early: bool) -> list[tuple[State, float]]:
        """What the fire of one side leaves of the `struck`: the first shots of a round (`early`), or the other fire.

        `enemy` is who stands on the other side now, casualties that still fire included.
        """
        other = self.defense if side == "attack" else self.attack
        found: dict[State, float] = {}
        for hits, chance in self._shots(side, state, enemy, early):
            left = other.after_hits(self.world, struck, hits)
            found[left] = found.get(left, 0.0) + chance
        return list(found.items())

    def _shots(self, side: Side, state: State, enemy: State, early: bool) -> Iterator[tuple[tuple[Hits, ...], float]]:
        """What this side may hit with, and the chances."""
        front, other = (self.attack, self.defense) if side == "attack" else (self.defense, self.attack)
        force, victims = self.pieces(front, state), self.pieces(other, enemy)
        first = strikers(self.world, side, force, victims)
        groups: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for kind, n in zip(front.kinds, state[0], strict=True):
            if n and kind.value > 0 and (Piece(kind.power, kind.unit) in first) == early:
                safe = spared(self.world, self.world.units[kind.unit], force)
                if any(v.type not in safe and self.world.units[v.type].domain not in safe for v in victims):
                    groups.setdefault(safe, []).append((n * kind.dice, kind.value))
        lines = [volley(shooters, self.model.dice_sides).tolist() for shooters in groups.values()]
        for counts in product(*(range(len(line)) for line in lines)):
            chance = 1.0
            for line, n in zip(lines, counts, strict=True):
                chance *= line[n]
            if chance > TINY:
                yield tuple(Hits(n, safe) for safe, n in zip(groups, counts, strict=True) if n), chance

    def can_hurt(self, side: Side, state: State, enemy: State, last: bool | None = None) -> bool:
        """Somebody of this side could hit one of the enemy's units, or of those that are (not) the `last` to be hit."""
        return self.hurts(side, tuple(map(bool, state[0])), tuple(map(bool, enemy[0])), last)

    def _hurts(self, side: Side, present: tuple[bool, ...], enemy: tuple[bool, ...], last: bool | None) -> bool:
        front, other = (self.attack, self.defense) if side == "attack" else (self.defense, self.attack)
        units = self.world.units
        here = [k for k, there in zip(front.kinds, present, strict=True) if there and not k.shield]
        force = {Piece(k.power, k.unit): 1 for k in here}
        victims = {k.unit for k, there in zip(other.kinds, enemy, strict=True) if there and last in (None, k.last)}
        for kind in here:
            if kind.value > 0:
                safe = spared(self.world, units[kind.unit], force)
                if any(v not in safe and units[v].domain not in safe for v in victims):
                    return True
        return False

    # ------------------------------------------------------------ the steps of a round

    def outcomes(self, spot: Spot, roles: Iterable[Role], rounds: int) -> dict[End, float]:
        """Where a round, or what is left of it, leads from here."""
        now: dict[Spot, float] = {spot: 1.0}
        done: dict[End, float] = {}
        for role in roles:
            after: dict[Spot, float] = {}
            for place, chance in now.items():
                for fate, there, share in self._step(role, place, rounds):
                    if fate == FIGHTING:
                        after[there] = after.get(there, 0.0) + chance * share
                    else:
                        end = (fate, (there[0], there[2]))
                        done[end] = done.get(end, 0.0) + chance * share
            now = after
        for (attack, _, alive), chance in now.items():
            end = (FIGHTING, (attack, alive))
            done[end] = done.get(end, 0.0) + chance
        return done

    def _step(self, role: Role, spot: Spot, rounds: int) -> Iterator[tuple[int, Spot, float]]:
        attack, firing, alive = spot
        match role:
            case "strike" | "doom":
                for left, chance in self.fire("attack", attack, firing, alive, role == "strike"):
                    yield FIGHTING, (attack, firing, left), chance
            case "strike-back" | "reply":
                for left, chance in self.fire("defense", firing, attack, attack, role == "strike-back"):
                    yield FIGHTING, (left, firing, alive), chance
            case "struck" | "clear":
                yield FIGHTING, (attack, alive, alive), 1.0
            case "defenceless":
                left = self._without_prey(attack, alive)
                yield FIGHTING, (attack, left, left), 1.0
            case "submarines":
                attack, alive = self._dive(attack, alive)
                yield FIGHTING, (attack, alive, alive), 1.0
            case "alone":
                yield self._alone(attack, alive)
            case "end":
                over = not any(attack[0]) or not any(alive[0])
                over = over or not (self.can_hurt("attack", attack, alive) or self.can_hurt("defense", alive, attack))
                yield (OVER if over else FIGHTING), spot, 1.0
            case "retreat":
                yield (BROKEN_OFF if self._breaks_off(attack, alive, rounds) else FIGHTING), spot, 1.0
            case _:
                yield FIGHTING, spot, 1.0

    def _without_prey(self, attack: State, alive: State) -> State:
        """Transports without protection are lost (`engine.battle.steps.defenceless_transports`)."""
        units = self.world.units
        kinds = self.defense.kinds
        company = [k.unit for k, n in zip(kinds, alive[0], strict=True) if n and not units[k.unit].chosen_last]
        if any(not units[u].hides_from for u in company):
            return alive
        if self.can_hurt("attack", attack, alive, last=False) or not self.can_hurt("attack", attack, alive, last=True):
            return alive
        return tuple(0 if units[k.unit].chosen_last else n for k, n in zip(kinds, alive[0], strict=True)), alive[1]

    def _dive(self, attack: State, alive: State) -> Pair:
        """Submarines leave where the plan says so and nobody hunts them; the attacker's decide first."""
        if self.plan.attacker_submarines == "leave":
            enemies = self.pieces(self.defense, alive)
            attack = self.attack.after_leaving(attack, lambda k: self._may_leave(self.attack, k, enemies))
        if self.plan.defender_submarines == "leave" and any(attack[0]):
            hunters = self.pieces(self.attack, attack)
            alive = self.defense.after_leaving(alive, lambda k: self._may_leave(self.defense, k, hunters))
        return attack, alive

    def _may_leave(self, front: Front, kind: int, enemies: dict[Piece, int]) -> bool:
        return front.kinds[kind].leaves and not is_hunted(self.world, front.kinds[kind].unit, enemies)

    def _alone(self, attack: State, alive: State) -> tuple[int, Spot, float]:
        """Attacking transports without an escort flee or go down (`engine.battle.steps.lone_transports`)."""
        units = self.world.units
        kinds = self.attack.kinds
        force = [k.unit for k, n in zip(kinds, attack[0], strict=True) if n]
        lonely = bool(force) and any(alive[0]) and all(units[u].chosen_last for u in force)
        if not lonely or not self.can_hurt("defense", alive, attack):
            return FIGHTING, (attack, alive, alive), 1.0
        if self.model.can_retreat:
            return BROKEN_OFF, (attack, alive, alive), 1.0
        return OVER, (((0,) * len(kinds), attack[1]), alive, alive), 1.0

    def _breaks_off(self, attack: State, alive: State, rounds: int) -> bool:
        planes = sum(n for k, n in zip(self.attack.kinds, attack[0], strict=True) if k.domain == "air")
        total = sum(n for k, n in zip(self.attack.kinds, attack[0], strict=True) if not k.shield)
        if not self.model.can_retreat and planes < total:
            return False
        wish = self.plan.retreat
        return (
            total < wish.units
            or (wish.only_planes and 0 < planes == total)
            or (wish.rounds is not None and rounds >= wish.rounds)
            or (wish.odds > 0 and self.hope((attack, alive)) < wish.odds)
        )

    # ------------------------------------------------------------ whole battles

    def hope(self, pair: Pair) -> float:
        """The attacker's chance to win from here when nobody breaks off. Losses lead one way, so this ends."""
        if pair not in self._hope:
            attack, defense = pair
            quiet = [r for r in self.steps if r != "retreat"]
            won, stay = 0.0, 0.0
            for (fate, after), chance in self.outcomes((attack, defense, defense), quiet, 1).items():
                if fate == FIGHTING and after == pair:
                    stay += chance
                elif fate == FIGHTING:
                    won += chance * self.hope(after)
                elif fate == OVER and any(after[0][0]) and not any(after[1][0]):
                    won += chance
            self._hope[pair] = won / (1.0 - stay) if stay < 1.0 else 0.0
        return self._hope[pair]

    def _row(self, outcomes: dict[End, float]) -> _Row:
        onward, over = [], []
        for end, chance in outcomes.items():
            if end[0] == FIGHTING:
                onward.append((self._number(end[1], self.pairs), chance))
            else:
                over.append((self._number(end, self.ends), chance))
        return _Row(
            np.array([n for n, _ in onward], dtype=np.intp),
            np.array([p for _, p in onward]),
            np.array([n for n, _ in over], dtype=np.intp),
            np.array([p for _, p in over]),
        )

    def _number(self, thing: Any, known: list[Any]) -> int:
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(known)
            known.append(thing)
        return number

    def _whole_round(self, number: int, rounds: int) -> _Row:
        """A round from a pair; which round it is matters only to the plan."""
        limit = self.plan.retreat.rounds
        late = limit is not None and rounds >= limit
        if (number, late) not in self._rows:
            attack, defense = self.pairs[number]
            self._rows[number, late] = self._row(self.outcomes((attack, defense, defense), self.steps, rounds))
        return self._rows[number, late]

    def solve(self) -> Outcome:
        """All the odds, round by round until next to nothing goes on."""
        return self._run(lambda row, share: (row.onward * share, row.over * share), 1.0)

    def simulate(self, runs: int, seed: int) -> Outcome:
        """So many battles played with dice: where each goes on is drawn instead of worked out."""
        random = np.random.default_rng(seed)

        def draw(row: _Row, number: float) -> tuple[Floats, Floats]:
            chances = np.concatenate((row.onward, row.over))
            drawn = random.multinomial(round(number), chances / chances.sum()).astype(np.float64)
            return drawn[: len(row.onward)], drawn[len(row.onward) :]

        return msgspec.structs.replace(self._run(draw, float(runs)), runs=runs)

    def _run(self, split: Callable[[_Row, float], tuple[Floats, Floats]], whole: float) -> Outcome:
        start = self.start
        number = start.rounds
        self.ended = [0.0] * (number - 1)
        mean = 0.0
        ends = np.zeros(0)
        rows = [(self._row(self.outcomes((start.attack, start.firing, start.defense), start.roles, number)), whole)]
        while rows:
            flow, over = np.zeros(len(self.pairs)), np.zeros(len(self.ends))
            over[: len(ends)] = ends
            before = float(over.sum())
            for row, share in rows:
                onward, done = split(row, share)
                flow[row.pairs] += onward
                over[row.ends] += done
            ends = over
            now = (float(ends.sum()) - before) / whole
            self.ended.append(now)
            mean += now * (number - start.rounds + 1)
            number += 1
            going = np.flatnonzero(flow > TINY * whole).tolist()
            if float(flow.sum()) < ROUNDS_REST * whole or number > MOST_ROUNDS:
                break
            rows = [(self._whole_round(pair, number), float(flow[pair])) for pair in going]
        return self._outcome(ends / whole, mean)

    def _outcome(self, ends: Floats, mean: float) -> Outcome:
        places = [(self.attack.find(a), self.defense.find(d)) for _, (a, d) in self.ends]
        over = np.zeros((len(self.attack), len(self.defense)))
        broken = np.zeros_like(over)
        for (fate, _), place, share in zip(self.ends, places, ends.tolist(), strict=True):
            (broken if fate == BROKEN_OFF else over)[place] += share
        return Outcome(self.attack, self.defense, over, broken, mean, max(0.0, 1.0 - float(ends.sum())))

    def rounds(self) -> list[float]:
        """The chance that the battle ends with round 1, 2, 3..."""
        return list(self.ended)
