"""The combat move at its best: several plans made, played through and compared (five stars), or one (three and four).

A plan is judged by what is left when its battles have gone as expected, the non-combat move has been made and the new
units stand on the board: the evaluation then counts what the enemy's replies would cost. The budget is a number of
plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sandtable.bots.aftermath import after_battles
from sandtable.bots.attack import Attack, Mind, Strike, Survey
from sandtable.bots.evaluation import chances, evaluate, peril, standing
from sandtable.bots.front import prize
from sandtable.bots.mobilize import plan_places
from sandtable.bots.noncombat import Noncombat
from sandtable.bots.plan import Step
from sandtable.bots.raids import plan_raids
from sandtable.bots.reply import after_replies
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight, value_of
from sandtable.bots.style import Style
from sandtable.engine.facts import phase_index
from sandtable.engine.state import State
from sandtable.notation.orders import AnyOrder
from sandtable.world.model import PowerId, SpaceId

TRUST = 0.8  # how much the enemy's answer played out counts beside the estimate
OUR_MOVE = 0.3  # of what our attacks would win after the enemy's answer: it is our turn then
FEARS = (1.0, 0.6)  # degrees of caution in the non-combat move


class Candidate(msgspec.Struct):
    """One way to spend the combat move."""

    mind: Mind
    strikes: list[Strike]
    steps: list[Step]
    score: float = 0.0
    doubt: float = 0.0  # what may go wrong in battles that are reckoned as won
    peril: float = 0.0  # the capital's danger when the turn is over
    final: State | None = None  # when the turn is over

    @property
    def orders(self) -> tuple[AnyOrder, ...]:
        return tuple(order for step in self.steps for order in step.orders)


def best_quiet_moves(scratch: Scratch, power: PowerId, style: Style) -> list[Step]:
    """The non-combat move: made with different degrees of caution and compared (five stars), or once."""
    if style.plans <= 1:
        return Noncombat(scratch, power, style).plan()
    sight = Sight(scratch.world, scratch.state, power)
    best: tuple[float, Scratch, list[Step]] | None = None
    for fear in FEARS:
        trial = Scratch(scratch.world, scratch.state)
        planner = Noncombat(trial, power, style, sight, fear)
        steps = planner.plan()
        placing = msgspec.structs.replace(trial.state, phase=phase_index(scratch.world, power, "mobilize"))
        final = Scratch(scratch.world, placing)
        plan_places(final, power, style, planner.sight)
        later = Sight(scratch.world, final.state, power, sight)
        score = evaluate(later, style) - peril(later, style)
        if best is None or score > best[0] + 1e-6:
            best = (score, trial, steps)
    assert best is not None
    scratch.play_all(best[1].done)
    return best[2]


def best_attack(scratch: Scratch, power: PowerId, style: Style) -> list[Step]:
    """The steps of the best plan, played on the scratch paper, and raids by bombers that it leaves at home."""
    if style.plans <= 1:
        sight = Sight(scratch.world, scratch.state, power)
        steps = [step for _, step in Attack(sight, Mind(style=style)).plan(scratch)]
    else:
        search = Search(scratch, power, style)
        sight = search.sight
        best = search.best()
        scratch.play_all(best.orders)
        steps = best.steps
    return [*steps, *plan_raids(scratch, sight)]


class Search:
    def __init__(self, scratch: Scratch, power: PowerId, style: Style) -> None:
        self.world = scratch.world
        self.state = scratch.state
        self.power = power
        self.style = style
        self.sight = Sight(self.world, self.state, power)
        self.left = style.plans
        self.survey = Survey(self.sight, scratch, style)
        self._looks: dict[PowerId, Sight] = {}
        self._known: dict[tuple[AnyOrder, ...], Candidate] = {}

    def best(self) -> Candidate:
        """Make the usual plan and its alternatives, see whether one is better without one of its attacks, and let the
        enemy answer the best few."""
        best: Candidate | None = None
        for mind in self._minds():
            found = self._try(mind)
            if found is not None and (best is None or found.score > best.score + 1e-6):
                best = found
            if self.left <= 0:
                break
        assert best is not None
        while self.left > 0:
            better = self._without_one(best)
            if better is None:
                break
            best = better
        finalists = sorted(self._known.values(), key=lambda c: -c.score)[: self.style.replies]
        if len(finalists) < 2:
            return best
        for candidate in finalists:
            candidate.score = (1 - TRUST) * candidate.score + TRUST * self._answered(candidate)
        return max(finalists, key=lambda c: c.score)

    def _answered(self, candidate: Candidate) -> float:
        """The plan's worth after the enemies' attacks have been played out."""
        assert candidate.final is not None
        state, doubt = after_replies(self.world, candidate.final, self.power, self.style, self._looks)
        sight = Sight(self.world, state, self.power, self.sight)
        return (
            standing(sight, self.style)
            + OUR_MOVE * chances(sight, self.style)
            + doubt
            - candidate.doubt
            - candidate.peril
        )

    def _without_one(self, best: Candidate) -> Candidate | None:
        for strike in sorted(best.strikes, key=lambda s: s.gain):
            if self.left <= 0:
                return None
            mind = msgspec.structs.replace(best.mind, barred=best.mind.barred | {strike.target})
            found = self._try(mind)
            if found is not None and found.score > best.score + 1e-6:
                return found
        return None

    def _minds(self) -> Iterator[Mind]:
        usual = Mind(style=self.style)
        yield usual
        yield msgspec.structs.replace(usual, thrift=5.0, odds_shift=0.15)
        yield msgspec.structs.replace(usual, foresight=0.35)
        yield msgspec.structs.replace(usual, odds_shift=-0.07, greed_shift=-2.0)
        yield msgspec.structs.replace(usual, odds_shift=0.15, greed_shift=1.5)
        yield msgspec.structs.replace(usual, keep_reserve=False)
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
        worth = {s: prize(self.sight, s, 0.5, self.style.future) for s in land}
        return sorted((s for s in land if worth[s] > 30), key=lambda s: (-worth[s], s))[:2]

    def _try(self, mind: Mind) -> Candidate | None:
        """Make a plan and judge it; None if the same plan has been judged before."""
        scratch = Scratch(self.world, self.state)
        made = Attack(self.sight, mind, self.survey).plan(scratch)
        candidate = Candidate(mind, [s for s, _ in made], [t for _, t in made])
        if candidate.orders in self._known:
            return None
        self.left -= 1
        self._known[candidate.orders] = candidate
        candidate.score = self._judge(scratch.state, candidate)
        return candidate

    def _judge(self, state: State, candidate: Candidate) -> float:
        """The plan played through with every battle as it goes on average, less what may be missed of its prizes."""
        world = self.world
        for strike in candidate.strikes:
            land = world.spaces[strike.target].is_land
            chance = strike.look.take if land and strike.look.take else strike.look.win
            stake = prize(self.sight, strike.target, strike.hold, self.style.future) if land else 0.0
            candidate.doubt += (1.0 - chance) * stake
            candidate.doubt += max(
                0.0, value_of(self.sight, self.sight.theirs(strike.target)) - strike.look.defender_loss
            )
        after = after_battles(world, state, self.power, candidate.strikes)
        return self._play_through(after, candidate) - candidate.doubt

    def _play_through(self, state: State, candidate: Candidate) -> float:
        """The worth of the position when the turn has been finished from here."""
        world, power = self.world, self.power
        scratch = Scratch(world, state)
        quiet = Noncombat(scratch, power, self.style, self.sight)
        quiet.plan()
        placing = msgspec.structs.replace(scratch.state, phase=phase_index(world, power, "mobilize"))
        final = Scratch(world, placing)
        plan_places(final, power, self.style, quiet.sight)
        candidate.final = final.state
        later = Sight(world, final.state, power, self.sight)
        candidate.peril = peril(later, self.style)
        return evaluate(later, self.style) - candidate.peril
