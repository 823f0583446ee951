"""What comes of each answer to a question between the moves and the battles, or in the middle of them: played out.

The engine plays everything that follows until the phase is over, each time with other dice, everybody answering as
somebody does who does not want to think. Every answer is tried with the same dice, so that they can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import msgspec

from sandtable.engine.events import AnyEvent, Captured, Damaged, Lost
from sandtable.engine.facts import phase_name
from sandtable.engine.legal import Legal
from sandtable.engine.relations import enemies
from sandtable.engine.state import State
from sandtable.notation.orders import AnyOrder, Fight
from sandtable.odds.played import QuickDice
from sandtable.world.model import PowerId, SpaceId, World

RUNS = 200
SECONDS = 3.0
MOST_ANSWERS = 400  # in one run; a phase that lasts longer is left as it is


class Outlook(msgspec.Struct, frozen=True):
    """What an answer brings, on average over so many runs."""

    order: AnyOrder
    runs: int
    lost: float  # IPC of units that the asked power and its friends lose
    killed: float  # IPC of units that their enemies lose
    damage: float  # to facilities of theirs
    falls: dict[SpaceId, float]  # the chance that land changes hands


def outlooks(
    world: World,
    state: State,
    power: PowerId,
    answers: Sequence[AnyOrder],
    *,
    first: SpaceId | None = None,
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> list[Outlook]:
    """Each answer of the asked power with what comes of it; those that are refused are left out.

    Battles in `first` are fought before others. At least one run of each is played, whatever time it takes.
    """
    hostile = enemies(world, state, power)
    sums = [_Sum(order) for order in answers if order in Legal(world, state)]
    until = None if seconds is None else time.monotonic() + seconds
    for number in range(runs):
        for each in sums:
            events = _play(world, state, each.order, f"{seed} {number}", first)
            each.add(world, hostile, events)
        if until is not None and time.monotonic() > until:
            break
    return [each.outlook() for each in sums]


def _play(world: World, state: State, order: AnyOrder, seed: str, first: SpaceId | None) -> list[AnyEvent]:
    dice = QuickDice(seed)
    phase = (state.round, state.turn, phase_name(world, state))
    events: list[AnyEvent] = []
    answer: AnyOrder = order
    for _ in range(MOST_ANSWERS):
        state, more = Legal(world, state).try_out(answer, dice)
        events += more
        if state.over or (state.round, state.turn, phase_name(world, state)) != phase:
            break
        answer = _next(Legal(world, state), first)
    return events


def _next(legal: Legal, first: SpaceId | None) -> AnyOrder:
    question = legal.decision
    if first is not None and question is not None and question.kind == "battle" and first in question.places:
        return Fight(first)
    return legal.default()


class _Sum:
    def __init__(self, order: AnyOrder) -> None:
        self.order = order
        self.runs = 0
        self.lost = self.killed = self.damage = 0
        self.falls: dict[SpaceId, int] = {}

    def add(self, world: World, hostile: Iterable[PowerId], events: Sequence[AnyEvent]) -> None:
        self.runs += 1
        taken: set[SpaceId] = set()
        for event in events:
            match event:
                case Lost(units=units):
                    for piece, n in units:
                        worth = n * sum(world.units[p.type].cost or 0 for p in (piece, *piece.cargo))
                        if piece.power in hostile:
                            self.killed += worth
                        else:
                            self.lost += worth
                case Damaged(power=attacker, points=points) if attacker in hostile:
                    self.damage += points
                case Captured(space=space, by=captor) if captor in hostile:
                    taken.add(space)
                case _:
                    pass
        for space in taken:
            self.falls[space] = self.falls.get(space, 0) + 1

    def outlook(self) -> Outlook:
        n = max(1, self.runs)
        falls = {space: times / n for space, times in self.falls.items()}
        return Outlook(self.order, self.runs, self.lost / n, self.killed / n, self.damage / n, falls)
