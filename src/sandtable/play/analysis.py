"""How a game was won: the chances of the sides over time, the luck in every battle, and what was decided well or badly.

What somebody decides is judged by what it promised before a die fell: the exact odds of the battle that was begun. What
came of it is luck, and is told apart. The chance to win is an estimate: the balance of units, land, money and capitals
as the computer players weigh it, against that of the set-up, with which both sides are said to be even. Whoever has
just moved is always ahead of itself, so the balance is that of a whole round of turns.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import msgspec

from sandtable.archive.statistics import Luck, shots
from sandtable.bots.evaluation import standing
from sandtable.bots.sight import Sight
from sandtable.bots.style import style
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.events import AnyEvent, BattleEnded, BattleOpened, Lost, Rolled, TurnBegan, Won, fold
from sandtable.engine.facts import active, type_of
from sandtable.engine.game import Game
from sandtable.engine.start import starting_state
from sandtable.engine.state import Stack, State, with_cargo
from sandtable.errors import SandtableError
from sandtable.odds import odds_of_battle
from sandtable.world.model import PowerId, SideId, SpaceId, UnitId, World
from sandtable.world.profiles import profile

PATIENCE = 6.0  # seconds of odds; battles after that are told without them
EASY = 0.6  # of all production: how much of a lead makes a won game likely
LAND = 2.0  # rounds of income that a taken territory is worth in a decision
FEW = 3  # best and worst decisions, and turning points
SLIGHT = 0.02  # a change of chance that is no turning point


class Moment(msgspec.Struct, frozen=True):
    """The chance of the first side when a turn is over."""

    at: int  # after so many orders
    round: int
    power: PowerId  # whose turn it was; empty for the beginning
    chance: float


class BattleTale(msgspec.Struct, frozen=True, kw_only=True):
    """A battle: what it promised, what it brought, and how the dice fell."""

    at: int  # the order that opened it
    round: int
    space: SpaceId
    kind: str
    attacker: PowerId
    defenders: tuple[PowerId, ...]
    attack: tuple[tuple[UnitId, int], ...]
    defense: tuple[tuple[UnitId, int], ...]
    win: float | None  # the attacker's chance; None if nobody had the time to work it out
    promised: float | None  # I.P.C. that the defenders lose more than the attackers, on average, land included
    gained: float  # ... and what it was in the end
    result: str
    taken: bool  # the land was taken in it
    attack_luck: Luck
    defense_luck: Luck

    @property
    def luck(self) -> float:
        """Hits that the attacker's side was ahead of what it could expect, the defender's shortfall included."""
        return self.attack_luck.surplus - self.defense_luck.surplus


class Turn(msgspec.Struct, frozen=True):
    """A turn after which the war looked different."""

    at: int
    round: int
    power: PowerId
    before: float
    after: float


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    sides: tuple[SideId, ...]  # chances are those of the first one
    winner: SideId | None
    moments: tuple[Moment, ...]
    turning: tuple[Turn, ...]  # the largest change first
    battles: tuple[BattleTale, ...]
    best: tuple[int, ...]  # battles by their place in the list: what promised most
    worst: tuple[int, ...]  # ... and what promised least, or harm
    luck: dict[PowerId, Luck]


class _Open:
    """A battle while it is fought."""

    def __init__(self, at: int, world: World, state: State, event: BattleOpened) -> None:
        battle = event.battle
        self.at, self.state, self.battle = at, state, battle
        self.attack, self.defense = attackers(world, state, battle), defenders(world, state, battle)
        self.lost: dict[SideId, float] = {}
        self.shots: dict[bool, list[Luck]] = {True: [], False: []}


def analyse(game: Game, clock: Callable[[], float] = time.monotonic) -> Analysis:
    """The whole game up to the point that is shown."""
    world = game.world
    deadline = clock() + PATIENCE
    moments = [Moment(0, game.start.round, "", _chance(world, _lead(world, game.start) / len(world.order)))]
    leads = [0.0] * (len(world.order) - 1) + [_lead(world, game.start)]

    def look(at: int, state: State) -> None:
        leads.append(_lead(world, state))
        of_a_round = sum(leads[-len(world.order) :]) / len(world.order)
        moments.append(Moment(at, state.round, active(world, state), _chance(world, of_a_round)))

    tales: list[BattleTale] = []
    luck: dict[PowerId, list[Luck]] = {power: [] for power in world.powers}
    open_battle: _Open | None = None
    winner: SideId | None = None
    state = game.start
    for at, event in _events(game):
        if isinstance(event, TurnBegan) and at:
            look(at, state)
        if isinstance(event, Won):
            winner = event.side
        before, state = state, fold(world, state, event)
        for power, shot in shots(world, event) if isinstance(event, Rolled) else ():
            luck[power].append(shot)
            if open_battle is not None:
                ours = world.side_of(power) == world.side_of(open_battle.battle.attacker)
                open_battle.shots[ours].append(shot)
        if isinstance(event, BattleOpened):
            of = world.battles[event.battle.kind]
            open_battle = _Open(at, world, state, event) if of.captures or of.clears else None
        elif open_battle is not None:
            open_battle = _followed(world, before, open_battle, event, tales, in_time=clock() < deadline)
    if game.cursor and moments[-1].at != game.cursor:
        look(game.cursor, state)
    if winner is not None:
        moments[-1] = msgspec.structs.replace(moments[-1], chance=float(winner == world.sides[0]))
    rated = sorted((i for i, tale in enumerate(tales) if tale.promised is not None), key=lambda i: -_promise(tales[i]))
    return Analysis(
        sides=tuple(world.sides),
        winner=winner,
        moments=tuple(moments),
        turning=_turning(moments),
        battles=tuple(tales),
        best=tuple(i for i in rated[:FEW] if _promise(tales[i]) > 0),
        worst=tuple(i for i in rated[::-1][:FEW] if i not in rated[:FEW] or _promise(tales[i]) < 0),
        luck={power: _together(found) for power, found in luck.items()},
    )


def _events(game: Game) -> Iterator[tuple[int, AnyEvent]]:
    """Everything that happened, with the number of the order."""
    for event in game.opening.events:
        yield 0, event
    for at, entry in enumerate(game.entries[: game.cursor], 1):
        for event in entry.events:
            yield at, event


def _followed(
    world: World, before: State, fought: _Open, event: AnyEvent, tales: list[BattleTale], *, in_time: bool
) -> _Open | None:
    """Count what an event does to the open battle; when it ends, it is told."""
    space = fought.battle.space
    match event:
        case Lost(units=units) if event.space == space:
            for piece, n in with_cargo(dict(units)):
                side = world.side_of(piece.power)
                fought.lost[side] = fought.lost.get(side, 0.0) + n * _price(world, piece.power, piece.type)
        case BattleEnded() if event.space == space:
            about_land = world.battles[fought.battle.kind].captures
            taken = event.result == "attacker" and about_land and _can_hold(world, before, fought)
            tales.append(_tale(world, fought, event, taken=taken, in_time=in_time))
            return None
        case _:
            pass
    return fought


def _can_hold(world: World, state: State, fought: _Open) -> bool:
    side = world.side_of(fought.battle.attacker)
    return any(
        type_of(world, state, piece).captures and world.side_of(piece.power) == side
        for piece in state.at(fought.battle.space)
    )


def _tale(world: World, fought: _Open, ended: BattleEnded, *, taken: bool, in_time: bool) -> BattleTale:
    battle = fought.battle
    side = world.side_of(battle.attacker)
    about_land = world.battles[battle.kind].captures
    stake = LAND * world.spaces[battle.space].ipc if about_land else 0.0
    win = promised = None
    if in_time:
        try:
            odds = odds_of_battle(world, fought.state, battle.space)
        except SandtableError:
            pass  # nothing to be fought for
        else:
            held = odds.take_and_hold(1) if about_land else 0.0
            win, promised = odds.win, odds.swing + held * stake
    own = fought.lost.get(side, 0.0)
    theirs = sum(value for other, value in fought.lost.items() if other != side)
    return BattleTale(
        at=fought.at,
        round=fought.state.round,
        space=battle.space,
        kind=battle.kind,
        attacker=battle.attacker,
        defenders=tuple(dict.fromkeys(piece.power for piece in fought.defense)),
        attack=_counted(world, fought.attack),
        defense=_counted(world, fought.defense),
        win=win,
        promised=promised,
        gained=theirs - own + (stake if taken else 0.0),
        result=ended.result,
        taken=taken,
        attack_luck=_together(fought.shots[True]),
        defense_luck=_together(fought.shots[False]),
    )


def _promise(tale: BattleTale) -> float:
    return tale.promised or 0.0


def _counted(world: World, stack: Stack) -> tuple[tuple[UnitId, int], ...]:
    found: dict[UnitId, int] = {}
    for piece, n in stack.items():
        found[piece.type] = found.get(piece.type, 0) + n
    return tuple((unit, found[unit]) for unit in world.units if unit in found)


def _price(world: World, power: PowerId, unit: UnitId) -> int:
    kind = profile(world, power)[unit]
    return 0 if kind.domain == "facility" or kind.cost is None else kind.cost


def _together(found: list[Luck]) -> Luck:
    return Luck(sum(x.dice for x in found), sum(x.hits for x in found), sum(x.expected for x in found))


def _chance(world: World, lead: float) -> float:
    """The first side's chance to win with a lead of so many I.P.C."""
    scale = EASY * sum(space.ipc for space in world.spaces.values())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, lead / max(1.0, scale)))))


def _lead(world: World, state: State) -> float:
    return _balance(world, state) - _balance(world, starting_state(world))


def _balance(world: World, state: State) -> float:
    first = next(power for power in world.order if world.side_of(power) == world.sides[0])
    return standing(Sight(world, state, first), style(3))


def _turning(moments: list[Moment]) -> tuple[Turn, ...]:
    steps = [
        Turn(now.at, now.round, now.power, before.chance, now.chance)
        for before, now in pairwise(moments)
        if abs(now.chance - before.chance) >= SLIGHT
    ]
    return tuple(sorted(steps, key=lambda step: -abs(step.after - step.before))[:FEW])
