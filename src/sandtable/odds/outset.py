"""The first round of a sea battle of 1940, or what is left of a round, act by act.

It begins in one state, so a list of spots is enough until all fire: attackers, defenders who still fire, defenders who
are not casualties. What the two forces do to each other then is independent, spot by spot, and put together at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from sandtable.engine.battle.steps.submarines_dive import TURNS, is_prey, parting_shots
from sandtable.engine.state import Piece, Role
from sandtable.odds.arms import Arms
from sandtable.odds.endings import FIGHTING
from sandtable.odds.exact import Start
from sandtable.odds.fleets import Fleet, Fleets
from sandtable.odds.front import Counts
from sandtable.odds.hits import Floats, Ints, volley
from sandtable.odds.linear import product
from sandtable.odds.model import Act, BattleModel
from sandtable.odds.salvos import Salvos

TINY = 1e-15  # chances of a spot that are left out
FIRST: dict[Role, tuple[Act, ...]] = {"attack": ("strike",), "defense": ("strike-back",)}
ALL: dict[Role, tuple[Act, ...]] = {"attack": ("doom", "surprise"), "defense": ("reply",)}

Spot = tuple[int, int, int]
Spots = dict[Spot, float]


class Ended(msgspec.Struct, frozen=True):
    """Battles that are decided in this round: states by number, and how they ended (`endings`)."""

    attack: Ints
    defense: Ints
    fate: Ints
    chances: Floats


class Outset:
    """Fights the acts of the start; `ended` and `rest` tell what came of it, a retreat at its end apart."""

    def __init__(self, model: BattleModel, fleets: Fleets, arms: Arms, start: Start) -> None:
        self.model, self.fleets, self.arms = model, fleets, arms
        self.attack, self.defense = fleets.attack, fleets.defense
        self.start = start
        self.salvos = Salvos(fleets, arms, first=start.rounds == 1)
        self.ended: list[Ended] = []
        self.rest = self._fight()

    def _fight(self) -> tuple[Ints, Ints, Floats]:
        """Attackers, defenders and chances of all that goes on after the round."""
        start = self.start
        find_a, find_d = self.attack.front.index, self.defense.front.index
        spots: Spots = {(find_a[start.attack], find_d[start.firing], find_d[start.defense]): 1.0}
        acts = list(start.acts)
        while acts and acts[0] not in ("doom", "surprise", "reply", "dive"):
            spots = self._step(acts.pop(0), spots)
        if acts and acts[0] != "dive":
            grid = self._exchange(spots, acts)
        else:
            grid = np.zeros((len(self.attack.front), len(self.defense.front)))
            for (a, _, d), chance in spots.items():
                grid[a, d] += chance
        for act in acts:
            if act == "dive":
                grid = self._dive(grid)
        attackers, defenders = np.nonzero(grid > TINY)
        left = [act for act in acts if act in JUDGED]
        return self._judge(attackers, defenders, grid[attackers, defenders], left)

    def _judge(self, a: Ints, d: Ints, chances: Floats, acts: Sequence[Act]) -> tuple[Ints, Ints, Floats]:
        fate, a, d = self.fleets.judge(a, d, acts, self.start.rounds)
        over = fate != FIGHTING
        self.ended.append(Ended(a[over], d[over], fate[over], chances[over]))
        return a[~over], d[~over], chances[~over]

    def _step(self, act: Act, spots: Spots) -> Spots:
        after: Spots = {}
        for spot, chance in spots.items():
            for there, share in self._ways(act, spot, chance):
                after[there] = after.get(there, 0.0) + chance * share
        return {spot: chance for spot, chance in after.items() if chance > TINY}

    def _ways(self, act: Act, spot: Spot, chance: float) -> Iterator[tuple[Spot, float]]:
        a, firing, d = spot
        if act == "aa":
            yield from (((down, firing, d), share) for down, share in self._shot_down(a))
        elif act == "strike":
            early = self.attack.early(int(self.defense.present[firing]))
            for state, share in self._hit("attack", a, early, FIRST, d):
                yield (a, firing, state), share
        elif act == "strike-back":
            early = self.defense.early(int(self.attack.present[a]))
            for state, share in self._hit("defense", firing, early, FIRST, a):
                yield (state, firing, d), share
        elif act in ("struck", "clear"):
            yield (a, d, d), 1.0
        elif act in JUDGED or act == "submarines":
            left = self._judge(np.array([a]), np.array([d]), np.array([chance]), [act])
            for a_after, d_after in zip(left[0].tolist(), left[1].tolist(), strict=True):
                yield (a_after, firing if d_after == d else d_after, d_after), 1.0
        else:
            yield spot, 1.0

    def _hit(
        self, role: Role, state: int, kinds: int, acts: dict[Role, tuple[Act, ...]], victim: int
    ) -> list[tuple[int, float]]:
        states, chances = self.salvos.struck(role, state, kinds, acts[role], victim)
        self._renew()
        return list(zip(states.tolist(), chances.tolist(), strict=True))

    def _renew(self) -> None:
        """States that were met for the first time are measured."""
        for fleet in (self.attack, self.defense):
            if len(fleet.present) != len(fleet.front):
                fleet.refresh()

    def _shot_down(self, a: int) -> Iterator[tuple[int, float]]:
        """Ships fire at planes, which go down before anything else happens."""
        front = self.attack.front
        planes = [k for k, kind in enumerate(front.kinds) if kind.domain == "air"]
        hits = volley([(dice, value) for value, dice in self.model.ack], self.model.dice_sides).tolist()
        state = front.states[a]
        for chance in hits:
            yield front.index[state], chance
            state = front.lose_first(state, planes)

    # ------------------------------------------------------------ all fire

    def _exchange(self, spots: Spots, acts: list[Act]) -> Floats:
        """Chances by attackers and defenders once both have fired; `acts` then begin behind the reply."""
        act = acts.pop(0)
        meetings: dict[tuple[int, int], list[tuple[Ints, Floats]]] = {}  # who fires, and what will be left of them
        for (a, firing, d), chance in spots.items():
            left = np.array([d]), np.ones(1)
            if act != "reply":
                early = self.attack.early(int(self.defense.present[firing]))
                left = self.salvos.struck("attack", a, ~early, ALL["attack"], d)
            meetings.setdefault((a, firing), []).append((left[0], chance * left[1]))
        self._renew()
        if act == "surprise":
            meetings = self._surprised(meetings)
        if act != "reply":
            acts.pop(0)  # it is given now
        replies = []
        for a, firing in meetings:
            early = self.defense.early(int(self.attack.present[a]))
            replies.append(self.salvos.struck("defense", firing, ~early, ALL["defense"], a))
        self._renew()
        after = np.zeros((len(meetings), len(self.attack.front)))
        left_of = np.zeros((len(meetings), len(self.defense.front)))
        for row, (found, (states, chances)) in enumerate(zip(meetings.values(), replies, strict=True)):
            after[row, states] = chances
            for defenders, shares in found:
                left_of[row, defenders] += shares
        return product(after.T, left_of)

    def _surprised(
        self, meetings: dict[tuple[int, int], list[tuple[Ints, Floats]]]
    ) -> dict[tuple[int, int], list[tuple[Ints, Floats]]]:
        """Who has been hit is gone before the reply."""
        left: dict[int, Floats] = {}
        for (a, _), found in meetings.items():
            total = left.setdefault(a, np.zeros(len(self.defense.front)))
            for defenders, shares in found:
                total[defenders] += shares
        return {
            (a, d): [(np.array([d]), total[d : d + 1])]
            for a, total in left.items()
            for d in (total > TINY).nonzero()[0].tolist()
        }

    # ------------------------------------------------------------ submarines dive

    def _dive(self, grid: Floats) -> Floats:
        """Destroyers fire once more; then all boats are gone but those with unarmed prey."""
        for hunting, _ in TURNS:
            grid = self._parting(grid, hunting) if hunting == "attack" else self._parting(grid.T, hunting).T
        for _, diving in TURNS:
            grid = self._submerge(grid, diving) if diving == "attack" else self._submerge(grid.T, diving).T
        return grid

    def _boats(self, fleet: Fleet) -> list[int]:
        return [k for k, unit in enumerate(fleet.types) if unit.dives]

    def _parting(self, grid: Floats, role: Role) -> Floats:
        """Shots of this force (rows) at the boats of the other."""
        hunting, diving = (self.attack, self.defense) if role == "attack" else (self.defense, self.attack)
        boats = self._boats(diving)
        rows = np.flatnonzero(grid.any(axis=1))
        if not boats or not len(rows):
            return grid
        mixes = diving.present & sum(1 << k for k in boats)
        able = {k for k, unit in enumerate(hunting.types) if unit.hunts or unit.modifiers}
        result = grid.copy()
        for mix in np.unique(mixes[grid.any(axis=0)]).tolist():
            if not mix:
                continue
            columns = np.flatnonzero(mixes == mix)
            kinds = [k for k in boats if mix >> k & 1]
            ways = [columns]  # the states after no hit, one, two...
            targets = {Piece(diving.front.kinds[k].power, diving.front.kinds[k].unit): 1 for k in kinds}
            alike: dict[Counts, list[int]] = {}  # who counts for these shots, and the states that have so many of them
            for row in rows.tolist():
                counts = hunting.front.states[row][0]
                alike.setdefault(tuple(n if k in able else 0 for k, n in enumerate(counts)), []).append(row)
            for counts, some in alike.items():
                dice = self._parting_dice(role, counts, targets)
                hits = volley([(n, value) for value, n in dice], self.model.dice_sides)
                if len(hits) == 1:
                    continue
                some_rows = np.array(some)[:, None]
                flow = grid[some_rows, columns]
                result[some_rows, columns] = 0.0
                for number, chance in enumerate(hits.tolist()):
                    while len(ways) <= number:
                        ways.append(self._fewer(diving, ways[-1], kinds))
                    if len(diving.front) > result.shape[1]:
                        result = np.pad(result, ((0, 0), (0, len(diving.front) - result.shape[1])))
                    np.add.at(result, (some_rows, ways[number]), chance * flow)
        self._renew()
        return result

    @staticmethod
    def _fewer(fleet: Fleet, states: Ints, kinds: list[int]) -> Ints:
        front = fleet.front
        return np.array([front.find(front.lose_first(front.states[s], kinds)) for s in states.tolist()], dtype=np.intp)

    def _parting_dice(self, role: Role, counts: Counts, boats: dict[Piece, int]) -> tuple[tuple[int, int], ...]:
        armed = self.arms.armed(role, counts, None, ("dive",), first=True)
        shots = parting_shots(self.model.world, self.arms.known, armed, boats)
        return tuple(sorted((value, sum(s.dice for s in shooters)) for value, shooters in shots.items()))

    def _are_prey(self, role: Role, mix: int) -> bool:
        """Nobody is left of this force but those for whose sake boats stay: that hangs on the kinds."""
        counts = tuple(mix >> k & 1 for k in range(len(self.salvos.fleets[role].types)))
        armed = self.arms.armed(role, counts, None, ("dive",), first=True)
        return is_prey(self.model.world, self.arms.known, armed)

    def _submerge(self, grid: Floats, role: Role) -> Floats:
        """The boats of this force (rows) leave, unless its enemies are their prey."""
        diving, other = (self.attack, self.defense) if role == "attack" else (self.defense, self.attack)
        boats = self._boats(diving)
        rows = np.flatnonzero(grid.any(axis=1))
        if not boats or not len(rows):
            return grid
        mixes, place = np.unique(other.present, return_inverse=True)
        stay = np.array([self._are_prey(other.role, mix) for mix in mixes.tolist()])[place.reshape(-1)]
        after = diving.without(rows, np.full(len(rows), sum(1 << k for k in boats)), lost=False)
        result = np.zeros((len(diving.front), grid.shape[1]))
        result[: len(grid), stay] = grid[:, stay]
        np.add.at(result, after, np.where(stay, 0.0, grid[rows]))
        return result


JUDGED: frozenset[Act] = frozenset(("end", "defenceless", "struck-alone", "left-alone", "alone", "spent"))
"""Acts that hang on who is left, and on nobody's dice. A retreat is for whoever knows what comes after the round."""
