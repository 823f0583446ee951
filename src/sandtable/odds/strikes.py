"""Exact odds of land battles whose first round is unlike the others: planes that strike once, guns, bulwarks, coasts.

The first round begins in one state, so it is followed act by act. From then on planes only look on, and the battle is
a flow like others (`exact`): the attackers' fire hangs on the guns that the defenders have left, and while a bulwark
stands some hits take a victim of its choice. Where both forces lose along lines, `worn` fights it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

import msgspec
import numpy as np

from sandtable.engine.state import Role
from sandtable.odds.arms import Arms, Shots
from sandtable.odds.endings import Bools, Endings
from sandtable.odds.exact import LARGEST_FRONT, LARGEST_GRID, ROUNDS_REST, Exact, Outcome, Start
from sandtable.odds.front import Counts, Front, State, entries, paths
from sandtable.odds.hits import Floats, Ints, distributions, volley, with_tails
from sandtable.odds.intentions import Intentions
from sandtable.odds.known import dearest, goes_on
from sandtable.odds.model import PLANES, BattleModel
from sandtable.odds.replies import Fire, Replies, further
from sandtable.odds.worn import WornLines

FEW_PICKS, MORE_PICKS = 3, 8  # victims of a bulwark's choice that are followed up at first
NEGLIGIBLE = 5e-10  # chance of more of them


class Opening(msgspec.Struct, frozen=True):
    """The first round, or what is left of it, up to the defenders' reply: one way that it may have gone."""

    chance: float
    attack: dict[State, float]  # who is under fire then
    firing: State  # the defenders who reply
    defense: dict[State, float]  # the defenders who will be left


class Strikes(Exact):
    def __init__(self, model: BattleModel, intentions: Intentions, start: Start) -> None:
        self.arms = Arms(model)
        overwhelmed = sum(model.attack.counts) > 5 * sum(
            n for kind, n in zip(model.defense.kinds, model.defense.counts, strict=True) if kind.bulwark
        )
        self.most_picks = FEW_PICKS if overwhelmed else MORE_PICKS
        super().__init__(model, intentions, start)

    # ------------------------------------------------------------ states

    def _explore(self) -> bool:
        self._any_a = list(range(len(self.attack.kinds)))
        self._any_d = list(range(len(self.defense.kinds)))
        self.openings = list(self._open())
        reply = self.arms.aims["defense"].values()
        self._narrow = sorted({aim for aim in reply if aim and len(aim) < len(self._any_a)}, key=len)
        starts = [state for opening in self.openings for state in opening.attack]
        defenders = [state for opening in self.openings for state in (opening.firing, *opening.defense)]
        exits = []
        if any(k.landed for k in self.attack.kinds) and self.intentions.retreat != Intentions().retreat:
            exits = [self.attack.not_landed() if self.model.overland_may_leave else self.attack.planes()]
        picked = dict.fromkeys((*starts, self.start.attack), 0)
        picks = any(kind.bulwark for kind in self.defense.kinds)

        def attacked(state: State) -> Iterator[State]:
            depth = picked.setdefault(state, 0)
            ways = [self._hit(state), *(self.attack.lose_first(state, sorted(aim)) for aim in self._narrow)]
            ways += [self.attack.after_leaving(state, who) for who in exits]
            for after in ways:
                picked[after] = min(depth, picked.get(after, depth))
                yield after
            if picks and depth < self.most_picks:
                after = self._pick(self.attack, "attack", state)
                picked[after] = min(depth + 1, picked.get(after, depth + 1))
                yield after

        return (
            self.attack.spread(attacked, LARGEST_FRONT, starts)
            and self.defense.spread(
                lambda state: [self.defense.lose_first(state, self._any_d)], LARGEST_FRONT, defenders
            )
            and len(self.attack) * len(self.defense) <= LARGEST_GRID
        )

    def _hit(self, state: State) -> State:
        return self.attack.lose_first(state, self._any_a)

    def _pick(self, front: Front, role: Role, state: State) -> State:
        """The state without the unit that the enemy picks."""
        return front.lose_one(state, self._dearest[role])

    @cached_property
    def _dearest(self) -> dict[Role, list[int]]:
        return {role: dearest(self.model, role) for role in self.arms.forces}

    # ------------------------------------------------------------ the first round

    def _open(self) -> Iterator[Opening]:
        start = self.start
        first = start.rounds == 1
        acts = start.acts
        if "overrun" in acts and not self._is_held(start.firing[0]):
            acts = ()
        ways: list[tuple[float, State, dict[State, float]]] = [(1.0, start.shooting or start.attack, {start.attack: 1})]
        field: dict[tuple[State, State], float] = {(start.firing, start.defense): 1.0}
        results: list[tuple[float, dict[State, float], dict[tuple[State, State], float]]] | None = None
        for act in acts:
            if act == "flak":
                ways = [(share, who, _spread(alive, self._shot_down)) for share, who, alive in ways]
            elif act == "support":
                field = _spread(field, self._bombarded)
            elif act == "coast":
                ways = [way for each in ways for way in self._sunk(*each)]
            elif act == "struck":
                field = _spread(field, lambda pair: [((pair[1], pair[1]), 1.0)])
            elif act in ("doom", "surprise"):
                results = []
                for share, who, alive in ways:
                    fired = _spread(field, lambda pair, who=who: self._fired(who, *pair, first=first))  # type: ignore[misc]
                    if act == "surprise":
                        fired = _spread(fired, lambda pair: [((pair[1], pair[1]), 1.0)])
                    results.append((share, alive, fired))
        for share, alive, fired in results or [(share, alive, field) for share, _, alive in ways]:
            by_shooter: dict[State, dict[State, float]] = {}
            for (firing, left), chance in fired.items():
                by_shooter.setdefault(firing, {})[left] = chance
            for firing, defense in by_shooter.items():
                yield Opening(share, alive, firing, defense)

    def _is_held(self, counts: Counts) -> bool:
        """Somebody defends who holds the land."""
        return any(n and k.type_in(self.model.world).guards for n, k in zip(counts, self.defense.kinds, strict=True))

    def _shot_down(self, attack: State) -> Iterable[tuple[State, float]]:
        planes = sum(n for n, kind in zip(attack[0], self.attack.kinds, strict=True) if kind.domain == "air")
        hits = volley([(dice, value) for value, dice in self.model.flak], self.model.dice_sides).tolist()
        states = [attack]
        for _ in range(planes):
            states.append(self.attack.after_hit(states[-1], PLANES))
        return [(states[min(n, planes)], chance) for n, chance in enumerate(hits)]

    def _bombarded(self, pair: tuple[State, State]) -> Iterable[tuple[tuple[State, State], float]]:
        """Those who are hit fire once more, but not a bulwark that falls."""
        firing, alive = pair
        hits = volley([(dice, value) for value, dice in self.model.support], self.model.dice_sides).tolist()
        for chance in hits:
            standing = tuple(
                after if kind.bulwark else before
                for kind, before, after in zip(self.defense.kinds, firing[0], alive[0], strict=True)
            )
            yield ((standing, firing[1]), alive), chance
            alive = self.defense.lose_first(alive, self._any_d)

    def _sunk(
        self, share: float, who: State, alive: dict[State, float]
    ) -> Iterator[tuple[float, State, dict[State, float]]]:
        """Troops drown with their transports."""

        def without(state: State, lost: Counts) -> State:
            return tuple(n - m for n, m in zip(state[0], lost, strict=True)), state[1]

        for chance, lost in self.model.coast or ((1.0, (0,) * len(who[0])),):
            yield share * chance, without(who, lost), {without(state, lost): p for state, p in alive.items()}

    def _fired(
        self, who: State, firing: State, alive: State, *, first: bool
    ) -> Iterable[tuple[tuple[State, State], float]]:
        """The attackers' fire at defenders `alive`; bulwarks take what they can, hits with a picked victim last."""
        joint = _joint(self.arms.fire("attack", who[0], firing[0], first=first), self.model.dice_sides)
        walls = [k for k, kind in enumerate(self.defense.kinds) if kind.bulwark]
        room = sum(alive[0][k] for k in walls)
        bare: State = tuple(0 if k in walls else n for k, n in enumerate(alive[0])), alive[1]
        ways: list[list[State]] = []
        for _ in range(joint.shape[1]):
            row = [bare]
            for _ in range(joint.shape[0] - 1):
                row.append(self.defense.lose_first(row[-1], self._any_d))
            ways.append(row)
            bare = self._pick(self.defense, "defense", bare)
        for hits, picks in zip(*(axis.tolist() for axis in joint.nonzero()), strict=True):
            rest = max(0, room - hits)
            counts, gone = ways[max(0, picks - rest)][max(0, hits - room)]
            standing = max(0, rest - picks)
            if walls and standing:
                counts = (*counts[: walls[0]], standing, *counts[walls[0] + 1 :])
            yield (firing, (counts, gone)), float(joint[hits, picks])

    def _opening(self) -> tuple[Floats, Floats, int]:
        start = self.start
        flow, broken = np.zeros((self.rows, self.columns)), np.zeros((self.rows, self.columns))
        spread = np.zeros((self.rows, self.columns))
        for opening in self.openings:
            left = np.zeros(self.columns)
            for state, chance in opening.defense.items():
                left[self.defense.index[state]] += chance
            reply = "reply" in start.acts and ("overrun" not in start.acts or self._is_held(start.firing[0]))
            under_fire = self._answered(opening) if reply else self._unanswered(opening)
            spread += opening.chance * np.outer(under_fire, left)
        tail = tuple(act for act in self._tails if "reply" in start.acts or act in start.acts)
        self._hand_on(np.arange(self.rows), 0, spread, flow, broken, self._closing(start.rounds, tail))
        return flow, broken, start.rounds

    def _unanswered(self, opening: Opening) -> Floats:
        under_fire = np.zeros(self.rows)
        for state, chance in opening.attack.items():
            under_fire[self.attack.index[state]] += chance
        return under_fire

    def _answered(self, opening: Opening) -> Floats:
        """The attackers after the defenders' reply."""
        shots = self.arms.fire("defense", opening.firing[0], self.start.attack[0], first=self.start.rounds == 1)
        now = self._unanswered(opening)
        for aim in self._narrow:
            hits = _joint([s for s in shots if s.aim == aim], self.model.dice_sides)[:, 0]
            now = self._struck(now, self._narrow_maps[aim], hits)
        joint = _joint([s for s in shots if s.aim not in self._narrow and s.aim], self.model.dice_sides)
        after = np.zeros(self.rows)
        for picks in range(joint.shape[1]):
            if picks:
                moved = np.zeros(self.rows + 1)
                np.add.at(moved, self._pick_map, now)
                now = moved[:-1]
            after += self._struck(now, self._one_hit, joint[:, picks])
        return after

    @staticmethod
    def _struck(flow: Floats, one_hit: Ints, hits: Floats) -> Floats:
        """Chances by state after so many hits."""
        after = np.zeros_like(flow)
        now = np.arange(len(flow))
        for chance in hits.tolist():
            np.add.at(after, now, flow * chance)
            now = one_hit[now]
        return after

    # ------------------------------------------------------------ all other rounds

    def _prepare(self) -> None:
        self.rows, self.columns = len(self.attack), len(self.defense)
        index = self.attack.index
        self._one_hit: Ints = np.array([index[self._hit(s)] for s in self.attack.states], dtype=np.intp)
        self._narrow_maps: dict[frozenset[int], Ints] = {
            aim: np.array([index[self.attack.lose_first(s, sorted(aim))] for s in self.attack.states], dtype=np.intp)
            for aim in self._narrow
        }
        self._pick_map: Ints = np.array(
            [index.get(self._pick(self.attack, "attack", s), -1) for s in self.attack.states], dtype=np.intp
        )
        self.first = []
        self.doom = [self._attack_fire()]
        self.reply: PickingReplies = self._all_reply()
        self.endings: StrikeEndings = StrikeEndings(self.model, self.intentions, self.attack, self.defense)
        self.is_over: Bools = self.endings.over(np.arange(self.rows)[:, None], np.arange(self.columns)[None, :])
        self._tails = ("end", "retreat")
        self._closings = {}
        if self.intentions.retreat.odds > 0:
            chances = self.chances()
            self.endings.hopeless = (chances < self.intentions.retreat.odds) & ~self.is_over
            self._closings.clear()

    def _attack_fire(self) -> ByCompany:
        """The attackers' fire by what hinders them: one table beside the other."""
        index = self.defense.index
        one_hit = np.array([index[self.defense.lose_first(s, self._any_d)] for s in self.defense.states], dtype=np.intp)
        hinderers = self.arms.hinderers["defense"]
        company = [tuple(counts[k] for k in hinderers) for counts, _ in self.defense.states]
        kinds = {some: place for place, some in enumerate(dict.fromkeys(company))}
        examples = {some: counts for some, (counts, _) in zip(company, self.defense.states, strict=True)}
        alike: dict[Counts, int] = {}  # states of the attackers that fire alike
        rows = [alike.setdefault(self.arms.at_work("attack", counts), len(alike)) for counts, _ in self.attack.states]
        sides = self.model.dice_sides
        dice = np.zeros((len(kinds), len(alike), sides + 1), dtype=np.intp)
        for some, place in kinds.items():
            for counts, row in alike.items():
                for shots in self.arms.fire("attack", counts, examples[some], first=False):
                    dice[place, row, min(shots.value, sides)] += shots.dice
        hits = distributions(dice.reshape(-1, sides + 1), [(1, value) for value in range(sides + 1)], sides)
        tables = with_tails(hits).reshape(len(kinds), len(alike), -1)[:, rows]
        return ByCompany(tables, one_hit, np.array([kinds[some] for some in company], dtype=np.intp))

    def _all_reply(self) -> PickingReplies:
        sides = self.model.dice_sides
        enemies = self.start.attack[0]
        shots = [self.arms.fire("defense", counts, enemies, first=False) for counts, _ in self.defense.states]

        def plain(aims: Iterable[frozenset[int]]) -> Floats:
            wanted = set(aims)
            dice = np.zeros((self.columns, sides + 1), dtype=np.intp)
            for row, fired in enumerate(shots):
                for some in fired:
                    if some.aim in wanted and not some.picks:
                        dice[row, min(some.value, sides)] += some.dice
            return distributions(dice, [(1, value) for value in range(sides + 1)], sides)

        wide = {some.aim for fired in shots for some in fired if some.aim} - set(self._narrow)
        others = plain(wide)
        hits = np.zeros((self.columns, others.shape[1] + 1))
        hits[:, :-1] = others
        picked = np.zeros_like(hits)
        for row, fired in enumerate(shots):
            for some in fired:
                if some.picks:  # one die, which picks a victim, hits or misses
                    _, pick, hit = some.chances(sides)
                    picked[row, :-1] = pick * others[row]
                    hits[row, :-1] = (1 - pick - hit) * others[row]
                    hits[row, 1:] += hit * others[row]
        sparing = [Fire(with_tails(plain([aim])), self._narrow_maps[aim]) for aim in self._narrow]
        return PickingReplies(
            sparing, Fire(with_tails(hits), self._one_hit), Fire(with_tails(picked), self._one_hit), self._pick_map
        )

    @cached_property
    def _unhurt(self) -> Floats:
        result = np.ones((self.rows, self.columns))
        for fire in self.reply.fires:
            result[fire.paths[1] > 1] *= fire.table[:, 0]
        return result

    def _all_replies(self) -> Floats | None:
        return None

    @property
    def _all_rounds_alike(self) -> bool:
        return False

    # ------------------------------------------------------------ along lines

    @cached_property
    def lines(self) -> list[tuple[Ints, WornLines]] | None:  # type: ignore[override]
        """For each line of the defenders its states, and how it is fought. None: they do not lose along lines."""
        if self._narrow or int((self.endings.a_total == 0).sum()) != 1:
            return None
        doom = self.doom[0]
        assert isinstance(doom, ByCompany)
        head = np.ones(self.columns, dtype=np.bool_)
        head[doom.one_hit] = False
        ways, lengths = paths(doom.one_hit, head.nonzero()[0])
        goes_on = self.endings.d_holds
        found = []
        for way, length in zip(ways, lengths.tolist(), strict=True):
            states = way[:length]
            if length < 2:
                continue
            end = int(goes_on[states].sum())
            if not goes_on[states[:end]].all():
                return None
            dice, rough = self._dice_of(states)
            if rough is None:
                return None
            plain, picked = self.reply.fires[-1].table[states], self.reply.picked.table[states]
            found.append(
                (
                    states,
                    WornLines(
                        self._one_hit,
                        list(doom.tables),
                        doom.company[states].tolist(),
                        plain,
                        picked,
                        dice,
                        over=~self.endings.a_holds,
                        pick=self._pick_map,
                        end=end,
                        rough=min(rough, end),
                    ),
                )
            )
        return found

    def _dice_of(self, states: Ints) -> tuple[list[list[float]], int | None]:
        """The dice that each state has more than the next; and where that begins to be so. None: nowhere for good."""
        sides = self.model.dice_sides
        numbers = np.zeros((len(states), sides + 1), dtype=np.intp)
        rough = 0
        for row, state in enumerate(states.tolist()):
            counts = self.defense.states[state][0]
            for shots in self.arms.fire("defense", counts, self.start.attack[0], first=False):
                numbers[row, min(shots.value, sides)] += shots.dice
                if shots.picks:
                    rough = row + 1
        lost = numbers[:-1] - numbers[1:]
        worse = np.flatnonzero((lost < 0).any(axis=1))
        if len(worse) and int(worse[-1]) >= rough:
            return [], None
        dice = [[value / sides for value in range(sides + 1) for _ in range(row[value])] for row in lost.tolist()]
        return dice, rough

    def solve(self) -> Outcome:
        found = super().solve()
        while found.neglected > NEGLIGIBLE and self.most_picks < sum(self.start.attack[0]):
            self.most_picks *= 4
            again = Strikes.__new__(Strikes)
            again.arms, again.most_picks = self.arms, self.most_picks
            Exact.__init__(again, self.model, self.intentions, self.start)
            if not again.possible:
                break
            found = again.solve()
            self.__dict__.update(again.__dict__)
        return found

    def _along_lines(self, lines: list[tuple[Ints, WornLines]], flow: Floats) -> float:  # type: ignore[override]
        """Fight out what goes on, line by line of the defenders."""
        going = np.where(self.is_over, 0.0, flow)
        flow *= self.is_over
        fought = 0.0
        for states, line in lines:
            some = going[:, states]
            going[:, states] = 0.0  # where lines meet, one has it all
            if some.any():
                ends, rounds = line.fight(some)
                flow[:, states] += ends
                fought += rounds
        return fought

    def rounds(self) -> list[float]:
        lines = self.lines
        if lines is None or not self._closing(self.start.rounds + 1).plain:
            return super().rounds()
        flow, _, number = self._opening()
        ended = [0.0] * (number - 1)
        before, rest = 1.0, float(flow[~self.is_over].sum())
        going = np.where(self.is_over, 0.0, flow)
        laid = []
        for states, line in lines:
            laid.append(line.laid_out(going[:, states]))
            going[:, states] = 0.0
        while True:
            ended.append(before - rest)
            if rest < ROUNDS_REST:
                ended[-1] += rest
                return ended
            before = rest
            laid = [line.one_round(one) for (_, line), one in zip(lines, laid, strict=True)]
            rest = sum(line.share(one) for (_, line), one in zip(lines, laid, strict=True))

    # ------------------------------------------------------------ the end

    def _outcome(self, flow: Floats, broken: Floats, mean: float) -> Outcome:
        over = np.where(self.is_over, flow, 0.0)
        neglected = max(0.0, 1.0 - float(over.sum() + broken.sum()))
        over, broken = self._overrun(over, broken)
        endings = StrikeEndings(self.model, self.intentions, self.attack, self.defense)
        won, lost = (np.where(cells, over, 0.0) for cells in (endings.won(), endings.lost()))
        return Outcome(self.attack, self.defense, over, broken, mean, neglected, won, lost)

    def _overrun(self, over: Floats, broken: Floats) -> tuple[Floats, Floats]:
        """Guns that hold nothing are lost with the land, where somebody takes it."""
        world = self.model.world
        guns = [bool(kind.prey) or not kind.type_in(world).guards for kind in self.defense.kinds]
        takers = self.endings.a_takers > 0
        held = self.defense.counts()[:, guns].sum(axis=1) > 0
        won = self.endings.won()
        for d in held.nonzero()[0].tolist():
            taken = takers & won[:, d] & (over[:, d] > 0)
            if not taken.any():
                continue
            counts, gone = self.defense.states[d]
            left = self.defense.find((tuple(0 if gun else n for gun, n in zip(guns, counts, strict=True)), gone))
            if left >= over.shape[1]:
                over, broken = (np.pad(grid, ((0, 0), (0, left + 1 - grid.shape[1]))) for grid in (over, broken))
            over[taken, left] += over[taken, d]
            over[taken, d] = 0.0
        return over, broken


Spot = TypeVar("Spot")


def _spread(ways: dict[Spot, float], onward: Callable[[Spot], Iterable[tuple[Spot, float]]]) -> dict[Spot, float]:
    """Where all these lead, and with what chances."""
    found: dict[Spot, float] = {}
    for spot, chance in ways.items():
        for after, share in onward(spot):
            found[after] = found.get(after, 0.0) + chance * share
    return found


class StrikeEndings(Endings):
    """Who is left may have nothing to fight with: planes that have struck, guns that hold nothing."""

    def refresh(self) -> None:
        super().refresh()
        world = self.model.world
        d_kinds = self.defense.kinds
        self.d_total = self.defense.counts().sum(axis=1)
        self.a_holds: Bools = self.attack.sums(lambda k: goes_on(world, k)) > 0
        self.d_holds: Bools = self.defense.sums(lambda k: goes_on(world, k)) > 0
        # guns that serve against tanks hold the land as long as there are any
        turned = [k for k, kind in enumerate(d_kinds) if kind.prey]
        prey = {unit for k in turned for unit in d_kinds[k].prey}
        self._hunted: Bools = self.attack.sums(lambda k: k.unit in prey) > 0
        self._serving: Bools = self.defense.counts()[:, turned].sum(axis=1) > 0 if turned else self.d_holds
        rest = [goes_on(world, kind) and not kind.prey for kind in d_kinds]
        self._alone: Bools = self._serving & (self.defense.counts()[:, rest].sum(axis=1) == 0)
        self._turns = bool(turned)

    def _held(self, ai: Ints, di: Ints) -> Bools:
        held: Bools = self.d_holds[di]
        if self._turns:
            held = held & (self._hunted[ai] | ~self._alone[di])
        return held

    def over(self, ai: Ints, di: Ints) -> Bools:
        result: Bools = ~(self.a_holds[ai] & self._held(ai, di))
        return result

    def _grid(self) -> tuple[Ints, Ints]:
        return np.arange(len(self.attack))[:, None], np.arange(len(self.defense))[None, :]

    def won(self) -> Bools:
        ai, di = self._grid()
        beaten = (self.a_total[ai] > 0) & (self.d_total[di] == 0)
        result: Bools = beaten | (self.a_holds[ai] & ~self._held(ai, di))
        return result

    def lost(self) -> Bools:
        ai, di = self._grid()
        result: Bools = (self.a_total[ai] == 0) & (self.d_total[di] > 0)
        return result

    def win_grid(self) -> Floats:
        return self.won().astype(np.float64)


class ByCompany(Fire):
    """A volley whose hits also hang on the state of those it is aimed at: a table for each company they may have."""

    def __init__(self, tables: Floats, one_hit: Ints, company: Ints) -> None:
        super().__init__(tables[0], one_hit)
        self.tables, self.company = tables, company
        self.width = tables.shape[2]
        self.table = np.concatenate(list(tables), axis=1)

    @cached_property
    def places(self) -> Ints:
        places: Ints = entries(self.one_hit, self.most) + self.company[:, None] * self.width
        return places


class PickingReplies(Replies):
    """The defenders' fire: hits that are for some units only, a victim of their choice perhaps, and all other hits."""

    def __init__(self, sparing: list[Fire], plain: Fire, picked: Fire, pick: Ints) -> None:
        super().__init__([*sparing, plain], lambda: plain.table)
        self.picked = picked
        self._picks: Bools = picked.table[:, 0] > 0
        self._pick = pick

    def chances(self, a: int, low: int, high: int, flow: float = 1.0) -> tuple[Ints, Floats]:
        """As `replies.Replies.chances`."""
        worth = 1e-15 / flow
        states, chances = np.array([a], dtype=np.intp), np.ones((1, high - low))
        for fire in self.fires[:-1]:
            states, chances = further(fire, states, chances, low, high, worth)
        after, reached = further(self.fires[-1], states, chances, low, high, worth)
        to = self._pick[states]
        known = to >= 0
        if not self._picks[low:high].any() or not known.any():
            return after, reached
        picked, more = further(self.picked, to[known], chances[known], low, high, worth)
        targets, place = np.unique(np.concatenate((after, picked)), return_inverse=True)
        place = place.reshape(-1)
        total = np.zeros((len(targets), high - low))
        total[place[: len(after)]] = reached  # no state comes twice in either list
        total[place[len(after) :]] += more
        return targets, total


def _joint(shots: Iterable[Shots], sides: int) -> Floats:
    """The chances of so many hits (rows) and picked victims (columns)."""
    joint = np.ones((1, 1))
    for some in shots:
        number, pick, hit = some.chances(sides)
        for _ in range(number):
            grown = np.zeros((joint.shape[0] + 1, joint.shape[1] + (pick > 0)))
            grown[:-1, : joint.shape[1]] = (1 - pick - hit) * joint
            grown[1:, : joint.shape[1]] += hit * joint
            if pick > 0:
                grown[:-1, 1:] += pick * joint
            joint = grown
    return joint
