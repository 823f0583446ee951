"""What a calculation tells: chances, survivors, losses, rounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec
import numpy as np

from sandtable.engine.facts import settle_on
from sandtable.engine.state import Role
from sandtable.odds.confidence import wilson
from sandtable.odds.exact import Outcome
from sandtable.odds.front import Front, State
from sandtable.odds.hits import Floats, Ints
from sandtable.odds.model import BattleModel, Force, Kind
from sandtable.world.model import UnitId

Result = Literal["win", "draw", "loss", "retreat"]
Source = Literal["exact", "played out"]
Units = Mapping[UnitId, int]


class Survivors(msgspec.Struct, frozen=True):
    """One possible end of the battle: its chance, how it ended, and who is left on both sides, by unit type."""

    chance: float
    result: Result
    attackers: Units
    defenders: Units


class Odds(ABC):
    """The odds of a battle.

    win: no defender fights on, and attackers do · loss: the other way round · draw: nobody is left, or nobody can hit
    anybody · retreat: the attacker broke off. The four add up to 1 (short of `neglected`, less than a billionth).

    `method` tells where the figures come from: exact, or played out `runs` times by the engine, `why` being the reason.
    Then the chance to win lies in `interval` with 95 % confidence.
    """

    method: Source
    runs = 0  # battles played
    why = ""
    neglected = 0.0
    win: float
    draw: float
    loss: float
    retreat: float
    mean_rounds: float  # from where the battle stands

    def __init__(self, model: BattleModel) -> None:
        self.model = model

    @property
    def exact(self) -> bool:
        return self.method == "exact"

    @property
    def interval(self) -> tuple[float, float]:
        """Where the chance to win lies."""
        return (self.win, self.win) if self.exact else wilson(self.win * self.runs, self.runs)

    @property
    def forces(self) -> tuple[dict[UnitId, int], dict[UnitId, int]]:
        """Who fights, by type."""
        return self.model.attack.by_type(), self.model.defense.by_type()

    def __repr__(self) -> str:
        return f"Odds(win={self.win:.4f}, draw={self.draw:.4f}, loss={self.loss:.4f}, retreat={self.retreat:.4f})"

    @property
    @abstractmethod
    def cells(self) -> int:
        """Different ends that the battle can come to, as far as is known."""

    @abstractmethod
    def survivors(self, at_least: float = 0.0, most: int | None = None) -> list[Survivors]:
        """The full joint distribution of who is left, most likely first.

        Ends less likely than `at_least` are left out, and all but the `most` likely ones.
        """

    @abstractmethod
    def left(self, role: Role) -> list[float]:
        """The chance that 0, 1, 2... units of this force are left."""

    @abstractmethod
    def take_and_hold(self, number: int = 1) -> float:
        """The chance to win with at least `number` units that can take land still fighting."""

    @property
    @abstractmethod
    def rounds(self) -> tuple[float, ...]:
        """The chance that the battle ends with round 1, 2, 3..."""

    @property
    @abstractmethod
    def losses_by_type(self) -> tuple[dict[UnitId, float], dict[UnitId, float]]:
        """Units that the attacker and the defender lose on average, by type."""

    @property
    @abstractmethod
    def expected_losses(self) -> tuple[float, float]:
        """I.P.C. that the attacker and the defender lose on average."""

    @property
    def swing(self) -> float:
        """What the battle is worth to the attacker: the defender's losses less its own, in I.P.C."""
        attack, defense = self.expected_losses
        return defense - attack

    def to_json(self, ends: int = 50) -> dict[str, Any]:
        """Plain data for files and the browser: all figures, and the `ends` most likely ends."""
        attack, defense = self.expected_losses
        a_lost, d_lost = self.losses_by_type
        return {
            "kind": self.model.kind,
            "method": self.method,
            "exact": self.exact,
            "runs": self.runs,
            "interval": list(self.interval),
            "why": self.why,
            "attackers": self.forces[0],
            "defenders": self.forces[1],
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            "retreat": self.retreat,
            "take_and_hold": self.take_and_hold(1),
            "mean_rounds": self.mean_rounds,
            "rounds": list(self.rounds),
            "expected_losses": {"attackers": attack, "defenders": defense},
            "losses_by_type": {"attackers": a_lost, "defenders": d_lost},
            "swing": self.swing,
            "attackers_left": self.left("attack"),
            "defenders_left": self.left("defense"),
            "survivors": [msgspec.to_builtins(end) for end in self.survivors(most=ends)],
        }


class Ending(msgspec.Struct, frozen=True):
    """How one battle went that was played out."""

    result: Result
    attackers: tuple[tuple[UnitId, int], ...]  # left
    defenders: tuple[tuple[UnitId, int], ...]
    takers: int  # attackers left in the space that can take land, when they have won
    rounds: int
    attacker_loss: int  # I.P.C.
    defender_loss: int


class PlayedOdds(Odds):
    """Odds counted from battles that the engine has played."""

    method: Source = "played out"

    def __init__(self, model: BattleModel, endings: Counter[Ending], first_round: int, why: str) -> None:
        super().__init__(model)
        self.endings = endings
        self.why = why
        self.runs = endings.total()
        self.win, self.draw, self.loss, self.retreat = (
            self._share(lambda end, result=result: end.result == result)  # type: ignore[misc]
            for result in ("win", "draw", "loss", "retreat")
        )
        self.mean_rounds = self._mean(lambda end: end.rounds) - first_round + 1

    def _share(self, wanted: Callable[[Ending], bool]) -> float:
        return sum(n for end, n in self.endings.items() if wanted(end)) / self.runs

    def _mean(self, figure: Callable[[Ending], float]) -> float:
        return sum(n * figure(end) for end, n in self.endings.items()) / self.runs

    @property
    def cells(self) -> int:
        return len(self.endings)

    def survivors(self, at_least: float = 0.0, most: int | None = None) -> list[Survivors]:
        seen: Counter[tuple[Result, tuple[tuple[UnitId, int], ...], tuple[tuple[UnitId, int], ...]]] = Counter()
        for end, n in self.endings.items():
            seen[end.result, end.attackers, end.defenders] += n
        ends = [Survivors(n / self.runs, r, dict(a), dict(d)) for (r, a, d), n in seen.items()]
        return sorted((end for end in ends if end.chance >= at_least), key=lambda end: -end.chance)[:most]

    def left(self, role: Role) -> list[float]:
        counted: Counter[int] = Counter()
        for end, n in self.endings.items():
            counted[sum(k for _, k in (end.attackers if role == "attack" else end.defenders))] += n
        return [counted[number] / self.runs for number in range(max(counted) + 1)]

    def take_and_hold(self, number: int = 1) -> float:
        return self._share(lambda end: end.result == "win" and end.takers >= max(number, 1))

    @cached_property
    def rounds(self) -> tuple[float, ...]:
        counted: Counter[int] = Counter()
        for end, n in self.endings.items():
            counted[end.rounds] += n
        return tuple(counted[number] / self.runs for number in range(1, max(counted) + 1))

    @cached_property
    def losses_by_type(self) -> tuple[dict[UnitId, float], dict[UnitId, float]]:
        attack, defense = ({unit: float(n) for unit, n in force.items()} for force in self.forces)
        for end, n in self.endings.items():
            for lost, left in ((attack, end.attackers), (defense, end.defenders)):
                for unit, number in left:
                    lost[unit] = lost.get(unit, 0.0) - number * n / self.runs
        return attack, defense

    @cached_property
    def expected_losses(self) -> tuple[float, float]:
        return self._mean(lambda end: end.attacker_loss), self._mean(lambda end: end.defender_loss)


class GridOdds(Odds):
    """Exact odds, from the chances of all pairs of states."""

    method: Source = "exact"

    def __init__(self, model: BattleModel, outcome: Outcome, rounds: Callable[[], list[float]]) -> None:
        super().__init__(model)
        self.neglected = outcome.neglected
        self.mean_rounds = outcome.mean_rounds
        self._rounds = rounds
        self._outcome = outcome
        attack, defense = outcome.attack, outcome.defense
        self._a_left = _units_only(attack.kinds, attack.counts() + attack.gone())
        self._d_left = _units_only(defense.kinds, _with_decks(model, defense))
        a_fights, d_fights = attack.counts().sum(axis=1) > 0, defense.counts().sum(axis=1) > 0
        over = outcome.over
        self._takers = attack.sums(lambda k: k.captures)
        if outcome.won is None or outcome.lost is None:
            resisted, beaten = over[:, d_fights].sum(axis=1), over[:, ~d_fights].sum(axis=1)
            self.win = float(beaten[a_fights].sum())
            self.loss = float(resisted[~a_fights].sum())
            self.draw = float(beaten[~a_fights].sum() + resisted[a_fights].sum())
        else:
            self.win, self.loss = float(outcome.won.sum()), float(outcome.lost.sum())
            self.draw = max(0.0, float(over.sum()) - self.win - self.loss)
        self.retreat = float(outcome.broken_off.sum())
        self._a_fights, self._d_fights = a_fights, d_fights

    @property
    def _won(self) -> Floats:
        """The chances of ends in which the attackers have won."""
        won = self._outcome.won
        return np.where(np.outer(self._a_fights, ~self._d_fights), self._outcome.over, 0.0) if won is None else won

    @property
    def _defeated(self) -> Floats:
        """Of those in which they have lost."""
        lost = self._outcome.lost
        return np.where(np.outer(~self._a_fights, self._d_fights), self._outcome.over, 0.0) if lost is None else lost

    @property
    def cells(self) -> int:
        """Pairs of states that the battle can come to."""
        return int(self._outcome.over.size)

    # ------------------------------------------------------------ ends of the battle

    @property
    def _lost_when_stuck(self) -> bool:
        """Attackers are lost where nobody can hit anybody; who has nothing left to fight with goes home."""
        return self._outcome.won is None and self.model.world.battles[self.model.kind].stalemate == "lost"

    @cached_property
    def _given_up(self) -> Floats:
        """Chances by attacker's state that a stalemate on land ends the battle: then the attackers are lost."""
        if not self._lost_when_stuck:
            return np.zeros(len(self._a_fights))
        both = np.outer(self._a_fights, self._d_fights)
        given_up: Floats = np.where(both, self._outcome.over, 0.0).sum(axis=1)
        return given_up

    def _chances(self, role: Role) -> Floats:
        """The chance of each state of this force at the end."""
        total = self._outcome.over + self._outcome.broken_off
        chances: Floats = total.sum(axis=1 if role == "attack" else 0)
        return chances

    def survivors(self, at_least: float = 0.0, most: int | None = None) -> list[Survivors]:
        over, a_fights = self._outcome.over, self._a_fights
        given_up = a_fights if self._lost_when_stuck else np.zeros_like(a_fights)
        kept, won, lost = self._a_left, self._won, self._defeated
        without = np.where(given_up[:, None], _units_only(self.model.attack.kinds, self._outcome.attack.gone()), kept)
        parts: list[tuple[Result, Floats, Ints]] = [
            ("win", won, kept),
            ("loss", lost, kept),
            ("draw", np.maximum(over - won - lost, 0.0), without),
            ("retreat", self._outcome.broken_off, kept),
        ]
        ends = [
            Survivors(chance, result, attackers, defenders)
            for result, grid, left in parts
            for chance, attackers, defenders in self._likeliest(grid, left, most)
            if chance >= at_least
        ]
        return sorted(ends, key=lambda end: -end.chance)[:most]

    def _likeliest(self, grid: Floats, left: Ints, most: int | None) -> Iterator[tuple[float, Units, Units]]:
        """Cells of the grid by who is left of both forces, states with equal survivors taken together."""
        a, d = np.nonzero(grid)
        if not len(a):
            return
        a_types, rows, a_group = _grouped(self.model.attack.kinds, left)
        d_types, columns, d_group = _grouped(self.model.defense.kinds, self._d_left)
        chances = np.bincount(a_group[a] * len(columns) + d_group[d], weights=grid[a, d])
        cells = np.flatnonzero(chances)
        if most is not None and len(cells) > most:
            cells = cells[np.argpartition(chances[cells], -most)[-most:]]
        for cell in cells.tolist():
            row, column = divmod(cell, len(columns))
            yield (
                float(chances[cell]),
                {unit: n for unit, n in zip(a_types, rows[row], strict=True) if n},
                {unit: n for unit, n in zip(d_types, columns[column], strict=True) if n},
            )

    def left(self, role: Role) -> list[float]:
        table = self._a_left if role == "attack" else self._d_left
        return _histogram(table.sum(axis=1), self._chances(role))

    def take_and_hold(self, number: int = 1) -> float:
        enough = self._takers >= max(number, 1)
        if self._outcome.won is None:
            return float(self._outcome.over[np.ix_(enough, ~self._d_fights)].sum())
        return float(self._outcome.won[enough].sum())

    @cached_property
    def rounds(self) -> tuple[float, ...]:
        """The chance that the battle ends with round 1, 2, 3... (worked out when it is asked for)."""
        return tuple(self._rounds())

    # ------------------------------------------------------------ losses

    @cached_property
    def _lost(self) -> tuple[Floats, Floats]:
        """Units that the attacker and the defender lose on average, by kind."""
        attack = self._mean_lost(self.model.attack, self._a_left, self._chances("attack"))
        if self._lost_when_stuck and self.draw:
            units = _units_only(self.model.attack.kinds, self._outcome.attack.counts())
            attack = attack + self._given_up @ units
        return attack, self._mean_lost(self.model.defense, self._d_left, self._chances("defense"))

    @cached_property
    def losses_by_type(self) -> tuple[dict[UnitId, float], dict[UnitId, float]]:
        attack, defense = self._lost
        return _sum_types(self.model.attack.kinds, attack), _sum_types(self.model.defense.kinds, defense)

    @staticmethod
    def _mean_lost(force: Force, left: Ints, chances: Floats) -> Floats:
        lost: Floats = chances @ (_units_only(force.kinds, np.array(force.counts)) - left)
        return lost

    @cached_property
    def expected_losses(self) -> tuple[float, float]:
        attack, defense = (lost.tolist() for lost in self._lost)
        return (
            sum(n * kind.worth for n, kind in zip(attack, self.model.attack.kinds, strict=True)),
            sum(n * kind.worth for n, kind in zip(defense, self.model.defense.kinds, strict=True)),
        )


def _units_only(kinds: Sequence[Kind], left: Ints) -> Ints:
    """Hits that a ship can still take are no units, and no hit takes a bulwark off the board."""
    if not any(k.shield or k.bulwark for k in kinds):
        return left
    result: Ints = left * np.array([not k.shield for k in kinds], dtype=np.intp)
    result[..., [k.bulwark for k in kinds]] = 1
    return result


def _histogram(numbers: Ints, chances: Floats) -> list[float]:
    return [float(p) for p in np.bincount(numbers, weights=chances)]


def _grouped(kinds: Sequence[Kind], left: Ints) -> tuple[list[UnitId], list[list[int]], Ints]:
    """The unit types, each different number of survivors of them, and which of these a state belongs to."""
    types = list(dict.fromkeys(kind.unit for kind in kinds))
    totals = np.zeros((len(left), len(types)), dtype=np.intp)
    for place, kind in enumerate(kinds):
        totals[:, types.index(kind.unit)] += left[:, place]
    rows, group = np.unique(totals, axis=0, return_inverse=True)
    return types, rows.tolist(), group.reshape(-1)


def _sum_types(kinds: Sequence[Kind], numbers: Floats) -> dict[UnitId, float]:
    totals: dict[UnitId, float] = {}
    for kind, n in zip(kinds, numbers.tolist(), strict=True):
        totals[kind.unit] = totals.get(kind.unit, 0.0) + n
    return totals


def _with_decks(model: BattleModel, front: Front) -> Ints:
    """Who is left of the defenders once planes without a deck have gone down, as after a sea battle in the game."""
    left = front.counts() + front.gone()
    if not model.has_decks or model.shelter or not any(k.domain == "air" for k in front.kinds):
        return left
    whole = [_undamaged(model, front.kinds, k) for k in range(len(front.kinds))]
    return np.array([_landed(front.kinds, whole, state) for state in front.states], dtype=np.intp)


def _undamaged(model: BattleModel, kinds: Sequence[Kind], k: int) -> int:
    """Which kind counts the carriers of kind `k` that can take planes: itself, or the hits that they still outlive."""
    kind = kinds[k]
    if kind.shield or not kind.type_in(model.world).deck_fails:
        return k
    name = (kind.power, kind.unit, kind.marks)
    return next(
        (s for s, other in enumerate(kinds) if other.shield and (other.power, other.unit, other.marks) == name), -1
    )


def _landed(kinds: Sequence[Kind], whole: Sequence[int], state: State) -> list[int]:
    left = [n + g for n, g in zip(*state, strict=True)]
    room: dict[UnitId, int] = {}
    owners = set()
    for k, kind in enumerate(kinds):
        if kind.deck and left[k]:
            owners.add(kind.power)
            for plane, places in kind.deck:
                room[plane] = room.get(plane, 0) + (places * left[whole[k]] if whole[k] >= 0 else 0)
    planes = [k for k in range(len(kinds)) if kinds[k].domain == "air"]
    for k in sorted(planes, key=lambda k: (kinds[k].power not in owners, kinds[k].power, kinds[k].unit)):
        left[k] = settle_on(room, kinds[k].unit, left[k])
    return left
