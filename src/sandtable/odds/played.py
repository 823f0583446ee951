"""Battles played out by the engine, many times, where nothing exact can be said: the result tells how often.

Every battle has dice of its own, drawn from the seed and its number, so the same question gets the same answer. Only a
limit of seconds can make a slow machine play fewer of them; what it has played is the same.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from sandtable.engine.battle import adrift, stranded
from sandtable.engine.battle.conduct import conduct
from sandtable.engine.battle.forces import attackers
from sandtable.engine.battle.hits import endurance
from sandtable.engine.battle.muster import Muster
from sandtable.engine.battle.strength import alone
from sandtable.engine.dice import Dice
from sandtable.engine.events import AnyEvent, BattleEnded, Lost, RoundBegan
from sandtable.engine.facts import type_of
from sandtable.engine.questions import answer
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, State
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder
from sandtable.odds.answers import Answers, unforeseen
from sandtable.odds.intentions import NEVER, Intentions
from sandtable.odds.model import BattleModel, price
from sandtable.odds.result import Ending, PlayedOdds, Result
from sandtable.world.model import PowerId, UnitId, World

RUNS = 4_000
SECONDS = 4.0
MOST_ROUNDS = 400  # a battle that lasts longer will not end, and is a draw
TRIALS = 0.3  # share of the runs that are fought to the end first, where a retreat hangs on the odds
ALIKE = 40  # of those, the moments most like the one in question that tell its chance

RESULTS: dict[str, Result] = {
    "attacker": "win",
    "defender": "loss",
    "both-destroyed": "draw",
    "stalemate": "draw",
    "retreat": "retreat",
}
"""How the engine's endings are called here; any other is a draw."""


class QuickDice:
    """Dice for battles that nobody will ever replay."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311 (odds)

    def face(self, index: int, sides: int) -> int:
        return int(self._random() * sides) + 1


class _EndlessError(Exception):
    """The battle goes on and on."""


class _Paper(Run):
    """A run that gives up a battle without end."""

    __slots__ = ()

    def emit(self, event: AnyEvent) -> None:
        super().emit(event)
        if isinstance(event, RoundBegan) and event.round > MOST_ROUNDS:
            raise _EndlessError


def play_out(
    model: BattleModel,
    intentions: Intentions,
    muster: Muster,
    *,
    why: str,
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> PlayedOdds:
    """The odds of a battle as the engine plays it from where it stands."""
    table = Table(model, muster)
    until = None if seconds is None else time.monotonic() + seconds
    chance = None
    if intentions.retreat.odds > 0:
        trial_time = None if seconds is None else time.monotonic() + TRIALS * seconds
        chance = _Memory(table, intentions, max(1, round(TRIALS * runs)), trial_time, seed).chance
    endings = Counter(table.play(Answers(model, intentions, chance), runs, until, str(seed)))
    return PlayedOdds(model, endings, muster.battle.round, why)


def fight(world: World, start: State, dice: Dice, reply: Callable[[Run], AnyOrder]) -> Run:
    """The engine plays the open battle to its end; one without end is left where it is."""
    run = _Paper(world, start, dice)
    here = run.battle
    kinds = kinds_of(world, here.kind)
    try:
        while True:
            conduct(run)
            now = run.state.battle
            if now is None or now.space != here.space or now.kind not in kinds:
                return run
            order = reply(run)
            try:
                answer(run, order)
            except Refusal:
                answer(run, unforeseen(run))
    except _EndlessError:
        return run


def kinds_of(world: World, kind: str) -> tuple[str, ...]:
    """The kinds that a battle has from its first round on: what begins as a surprise goes on as any other."""
    return kind, world.battles[kind].then or kind


class Table:
    """A battle set up to be played again and again."""

    def __init__(self, model: BattleModel, muster: Muster) -> None:
        self.model = model
        self.world = model.world
        self.start: State = muster.state
        self.battle = muster.battle
        self._kinds = kinds_of(self.world, self.battle.kind)
        self.attack, self.defense = model.attack.by_type(), model.defense.by_type()
        self._worth: dict[tuple[PowerId, UnitId], int] = {}

    def play(self, answers: Answers, runs: int, until: float | None, seed: str) -> Iterator[Ending]:
        """So many battles, or as many as there is time for; at least one."""
        for number in range(runs):
            yield self.once(answers, f"{seed}/{number}")
            if until is not None and time.monotonic() >= until:
                return

    def once(self, answers: Answers, seed: str) -> Ending:
        """One battle from where it stands to its end."""
        run = fight(self.world, self.start, QuickDice(seed), answers.to)
        if self.model.has_decks and run.state.battle is None and self.world.rules.stranded_time == "phase":
            stranded.settle(run)  # planes of sunken carriers find a place or are lost
        if run.state.adrift and run.state.battle is None:
            adrift.settle(run)
        return self._ending(run)

    def _ending(self, run: Run) -> Ending:
        """What came of it, read off the events."""
        attack, defense = dict(self.attack), dict(self.defense)
        rounds, result, left = self.battle.round, "", 0
        a_lost = d_lost = 0
        for event in run.events:
            if isinstance(event, Lost) and event.space == self.battle.space:
                for piece, n in event.units:
                    if piece.power == self.battle.attacker:
                        a_lost += n * self._fall(piece, n, attack)
                    elif at_war(self.world, self.start, self.battle.attacker, piece.power):
                        d_lost += n * self._fall(piece, n, defense)
            elif isinstance(event, RoundBegan):
                rounds = event.round
            elif isinstance(event, BattleEnded) and event.space == self.battle.space and event.kind in self._kinds:
                result = event.result
        if result == "attacker":
            left = sum(
                n
                for p, n in attackers(self.world, run.state, self.battle).items()
                if type_of(self.world, run.state, p).captures
            )
        return Ending(
            RESULTS.get(result, "draw"),
            tuple((unit, n) for unit, n in attack.items() if n > 0),
            tuple((unit, n) for unit, n in defense.items() if n > 0),
            left,
            min(rounds, MOST_ROUNDS),
            a_lost,
            d_lost,
        )

    def _fall(self, piece: Piece, n: int, left: dict[UnitId, int]) -> int:
        """Take lost units out of what is left, with those in planes; gives what one is worth, cargo included."""
        if piece.type in left:
            left[piece.type] -= n
        worth = self._price(piece)
        for aboard in piece.cargo:
            worth += self._price(aboard)
            if type_of(self.world, self.start, piece).domain == "air" and aboard.type in left:
                left[aboard.type] -= n
        return worth

    def _price(self, piece: Piece) -> int:
        known = self._worth.get((piece.power, piece.type))
        if known is None:
            known = self._worth[piece.power, piece.type] = price(self.world, piece.power, piece.type)
        return known


class _Memory:
    """How battles went on that were fought to the end: what a position's chance is, told by those most like it."""

    def __init__(self, table: Table, intentions: Intentions, runs: int, until: float | None, seed: int) -> None:
        self.world, self.state = table.world, table.start
        self._moments: list[tuple[tuple[float, float, float, float], bool]] = []
        met: list[tuple[float, float, float, float]] = []

        def watch(attack: Stack, defense: Stack) -> float:
            met.append(self._figure(attack, defense))
            return 1.0  # fight on

        patient = msgspec.structs.replace(intentions, retreat=msgspec.structs.replace(NEVER, odds=0.5))
        answers = Answers(table.model, patient, watch)
        for ending in table.play(answers, runs, until, f"{seed}/trial"):
            self._moments += [(moment, ending.result == "win") for moment in met]
            met.clear()
        self._known: dict[tuple[float, float, float, float], float] = {}

    def _figure(self, attack: Stack, defense: Stack) -> tuple[float, float, float, float]:
        """A position in four numbers: hits that each force can take, and what it hits a round."""
        taken, dealt = [0.0, 0.0], [0.0, 0.0]
        sides = self.world.rules.dice_sides
        for role, stack in enumerate((attack, defense)):
            for piece, n in stack.items():
                own = alone(type_of(self.world, self.state, piece), "defense" if role else "attack")
                taken[role] += n * endurance(self.world, self.state, piece)
                dealt[role] += n * own.value * own.dice / sides
        return taken[0], taken[1], dealt[0], dealt[1]

    def chance(self, attack: Stack, defense: Stack) -> float:
        moment = self._figure(attack, defense)
        known = self._known.get(moment)
        if known is None:

            def far(other: tuple[tuple[float, float, float, float], bool]) -> float:
                return sum((a - b) ** 2 / (1.0 + a) for a, b in zip(moment, other[0], strict=True))

            near = sorted(self._moments, key=far)[:ALIKE]
            known = sum(won for _, won in near) / len(near) if near else 0.5
            self._known[moment] = known
        return known
