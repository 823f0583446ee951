"""The combat move at its best: several plans made, played through and compared (five stars), or one (three and four).

A plan is judged by what is left when its battles have gone as expected, the non-combat move has been made and the new
units stand on the board: the evaluation then counts what the enemy's replies would cost. The budget is a number of
plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sandtable.bots.aftermath import after_battles
from sandtable.bots.attack import Attack, Mind, Strike
from sandtable.bots.evaluation import evaluate, peril
from sandtable.bots.fleets import plan_fleets
from sandtable.bots.front import WAR, future, prize, wins_now
from sandtable.bots.mobilize import plan_places
from sandtable.bots.noncombat import Noncombat
from sandtable.bots.plan import Step
from sandtable.bots.raids import plan_raids
from sandtable.bots.sacrifice import with_sacrifices
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight, value_of, with_wars_to_come
from sandtable.bots.style import Style
from sandtable.bots.survey import Survey
from sandtable.bots.together import together
from sandtable.engine.facts import phase_index
from sandtable.engine.relations import enemies
from sandtable.engine.state import State
from sandtable.notation.orders import AnyOrder
from sandtable.world.model import PowerId, SpaceId

FEARS = (1.0, 0.6)  # degrees of caution in the non-combat move
BOARD = 160  # spaces of a board for which the budget is meant: on a larger one each plan costs more
FEWEST = 12  # plans on the largest board


class Candidate(msgspec.Struct):
    """One way to spend the combat move."""

    mind: Mind
    strikes: list[Strike]
    steps: list[Step]
    score: float = 0.0

    @property
    def orders(self) -> tuple[AnyOrder, ...]:
        return tuple(order for step in self.steps for order in step.orders)


def best_quiet_moves(scratch: Scratch, power: PowerId, style: Style) -> list[Step]:
    """The non-combat move: made with different degrees of caution and compared (five stars), or once.

    One of them keeps the roads to the capital closed: what enemies can reach is looked at before own moves open any.
    """
    sight = with_wars_to_come(scratch.world, scratch.state, power)
    if style.plans <= 1:
        return Noncombat(scratch, power, style, sight).plan()
    best: tuple[float, Scratch, list[Step]] | None = None
    cautions = [(fear, frozenset[SpaceId]()) for fear in FEARS]
    if posts := _roads(sight):
        cautions.append((FEARS[0], posts))
    for fear, posts in cautions:
        trial = Scratch(scratch.world, scratch.state)
        planner = Noncombat(trial, power, style, sight, fear, posts)
        steps = planner.plan()
        score = _when_over(planner, sight)
        if best is None or score > best[0] + 1e-6:
            best = (score, trial, steps)
    assert best is not None
    scratch.play_all(best[1].done)
    return best[2]


def _roads(sight: Sight) -> frozenset[SpaceId]:
    """Land of our side beside the capital through which enemy armor could drive if nobody stood there."""
    world, capital = sight.world, sight.capital
    if capital is None or not sight.is_mine(capital):
        return frozenset()
    return frozenset(
        s
        for s in world.land[capital]
        if sight.is_ours(s)
        and any(
            sight.kind(enemy, r.unit).blitz and s in world.land[r.start]
            for enemy in sight.enemies
            for r in sight.threats(enemy).get(s, ())
        )
    )


def _when_over(quiet: Noncombat, before: Sight) -> float:
    """The worth of the position when the quiet moves have been made and the new units stand on the board."""
    world, power, style = quiet.world, quiet.power, quiet.style
    final = Scratch(world, msgspec.structs.replace(quiet.scratch.state, phase=phase_index(world, power, "mobilize")))
    plan_places(final, power, style, quiet.sight)
    later = Sight(world, final.state, power, before)
    return evaluate(later, style) - peril(later, style)


def best_attack(scratch: Scratch, power: PowerId, style: Style) -> list[Step]:
    """The steps of the best plan, played on the scratch paper, and raids by bombers that it leaves at home."""
    if not enemies(scratch.world, scratch.state, power):
        return []
    start = scratch.state
    if style.plans <= 1:
        sight = Sight(scratch.world, scratch.state, power)
        _, steps = Attack(sight, Mind(style=style)).plan(scratch)
    else:
        search = Search(scratch, power, style)
        sight = search.sight
        best = search.best()
        scratch.play_all(best.orders)
        steps = best.steps
    steps = with_sacrifices(scratch, start, steps, sight, style)
    return [*steps, *plan_fleets(scratch, sight, style), *plan_raids(scratch, sight, style.raids)]


def plain_minds(style: Style) -> tuple[Mind, Mind]:
    """The usual plan, with and without a reserve for the capital: attackers may cover it just as well."""
    return Mind(style=style), Mind(style=style, keep_reserve=False)


class Search:
    def __init__(self, scratch: Scratch, power: PowerId, style: Style) -> None:
        self.world = scratch.world
        self.state = scratch.state
        self.power = power
        self.style = style
        self.sight = Sight(self.world, self.state, power)
        self.is_large = len(self.world.spaces) > BOARD
        self.left = max(min(FEWEST, style.plans), style.plans * BOARD // max(BOARD, len(self.world.spaces)))
        self.survey = Survey(self.sight, scratch, style)
        self._tried: set[Mind] = set()
        self._known: dict[tuple[AnyOrder, ...], Candidate] = {}

    def best(self) -> Candidate:
        """Make the usual plan and its alternatives, see whether one is better without one of its attacks, and leave
        the usual one only for a clear gain: the best of many guesses is mostly a lucky guess."""
        for mind in self._minds():
            self._try(mind)
            if self.left <= 0:
                break
        plain = [c for c in self._known.values() if c.mind in plain_minds(self.style)]
        usual = max(plain, key=lambda c: c.score)
        best = max(self._known.values(), key=lambda c: c.score)
        while self.left > 0 and (better := self._better_than(best)) is not None:
            best = better
        return best if best.score > usual.score + self.style.margin else usual

    def _better_than(self, best: Candidate) -> Candidate | None:
        """A plan like this one that is better: with or without the reserve, bolder, or without one of its attacks."""
        mind = best.mind
        others = [
            msgspec.structs.replace(mind, keep_reserve=not mind.keep_reserve),
            msgspec.structs.replace(mind, odds_shift=mind.odds_shift - 0.07, greed_shift=mind.greed_shift - 1.0),
        ]
        for strike in sorted(best.strikes, key=lambda s: s.gain):
            others.append(msgspec.structs.replace(mind, barred=mind.barred | {strike.target}))
        for other in others:
            if self.left <= 0:
                return None
            found = self._try(other)
            if found is not None and found.score > best.score + 1e-6:
                return found
        return None

    def _minds(self) -> Iterator[Mind]:
        usual = Mind(style=self.style)
        yield from plain_minds(self.style)
        yield msgspec.structs.replace(usual, thrift=5.0, odds_shift=0.15)
        yield msgspec.structs.replace(usual, foresight=0.5)
        yield msgspec.structs.replace(usual, odds_shift=-0.07, greed_shift=-2.0)
        yield msgspec.structs.replace(usual, odds_shift=0.15, greed_shift=1.5)
        for target in self._great_prizes():
            yield msgspec.structs.replace(usual, first=target, keep_reserve=False, odds_shift=-0.1)
        yield msgspec.structs.replace(usual, barred=frozenset(self.world.spaces))

    def _great_prizes(self) -> Sequence[SpaceId]:
        """Land in reach whose capture would be worth a special effort."""
        reach = self.survey.by_target
        land = [
            s
            for s in self.world.spaces
            if self.sight.is_theirs(s) and (s in reach or any(z in reach for z in self.world.sea[s]))
        ]
        worth = {s: prize(self.sight, s, 0.5, future(self.sight, self.style)) for s in land}
        return sorted((s for s in land if worth[s] > 30), key=lambda s: (-worth[s], s))[:2]

    def _try(self, mind: Mind) -> Candidate | None:
        """Make a plan and judge it; None if the same plan has been judged before."""
        if mind in self._tried:
            return None
        self._tried.add(mind)
        scratch = Scratch(self.world, self.state)
        candidate = Candidate(mind, *Attack(self.sight, mind, self.survey).plan(scratch))
        if candidate.orders in self._known:
            return None
        self.left -= 1
        self._known[candidate.orders] = candidate
        candidate.score = self._judge(scratch.state, candidate.strikes)
        return candidate

    def _judge(self, state: State, strikes: Sequence[Strike]) -> float:
        """The plan played through with every battle as it goes on average, less what may go wrong in them."""
        doubt = 0.0
        for strike in strikes:
            land = self.world.spaces[strike.target].is_land
            chance = strike.look.take if land and strike.look.take else strike.look.win
            stake = prize(self.sight, strike.target, strike.hold, future(self.sight, self.style)) if land else 0.0
            beaten = value_of(self.sight, self.sight.theirs(strike.target)) - value_of(self.sight, strike.look.escaped)
            missed = max(0.0, beaten - strike.look.defender_loss)
            taken = together(self.sight, strike.target, strike.look)[0] if land and self.style.joint else 0.0
            if taken > chance:  # partners will see to the rest
                chance, missed = taken, missed * (1.0 - taken)
            doubt += (1.0 - chance) * stake + self.sight.rate * missed
        scratch = Scratch(self.world, after_battles(self.world, state, self.power, strikes))
        quiet = Noncombat(scratch, self.power, self.style, self.sight)
        quiet.plan(hastily=self.is_large)
        won = (
            WAR if any(wins_now(self.sight, s.target) for s in strikes) else 0.0
        )  # what is left then tells nothing of it
        return _when_over(quiet, self.sight) + won - doubt
