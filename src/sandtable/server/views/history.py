"""How the game went: the log, the numbers, the newspaper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from sandtable.archive.log import LogLine, sentence
from sandtable.archive.statistics import PowerStatistics, RoundStatistics
from sandtable.engine import events as e
from sandtable.server.views.base import Model
from sandtable.world.model import World


class LogLineView(Model):
    """One order and what came of it. `at` is where the time machine shows it."""

    at: int
    round: int
    turn: str
    phase: str
    power: str
    order: str
    sentences: list[str]
    dice: list[int]
    throws: list[list[int]]
    battle: str | None = Field(default=None, description="where there was fighting, if there was")
    ended: bool = Field(default=False, description="a battle was over with it")
    outcome: str | None = Field(default=None, description="how that battle went: who won it, or what was taken")


class LogView(Model):
    orders: int
    lines: list[LogLineView]


class LuckView(Model):
    dice: int
    hits: int
    expected: float


class PowerNumbers(Model):
    production: int
    treasury: int
    unit_value: int
    units: dict[str, int]
    luck: LuckView
    battles_won: int
    battles_lost: int
    battles_drawn: int
    units_lost: int
    money_lost: int
    damage: int = Field(description="on its complexes")
    cities: int = Field(description="victory cities that it controls")
    technologies: int
    bonus: int = Field(description="money for objectives and war bonds this round")
    objectives: int = Field(description="objectives that paid this round")


class RoundNumbers(Model):
    round: int
    powers: dict[str, PowerNumbers]


class StatisticsView(Model):
    start: dict[str, PowerNumbers]
    rounds: list[RoundNumbers]


class Headline(Model):
    kind: str
    headline: str
    body: str
    space: str | None = None
    power: str | None = None
    at: int
    weight: int


class TurnSummary(Model):
    """A turn as text."""

    round: int
    turn: str
    at: int = Field(description="the place of the time machine where it ends")
    text: str


class Newspaper(Model):
    """What a round brought, the most important first."""

    round: int
    complete: bool
    headlines: list[Headline]


def log_line(world: World, line: LogLine, events: Sequence[e.AnyEvent] = ()) -> LogLineView:
    fights = [x for x in events if isinstance(x, e.CasualtiesChosen | e.BattleEnded | e.Rolled) and x.space]
    ended = any(isinstance(x, e.BattleEnded) for x in fights)
    ends = [x for x in events if isinstance(x, e.BattleEnded | e.Captured)] if ended else []
    told = [words for words in (sentence(world, x) for x in ends) if words]
    return LogLineView(
        at=line.place,
        round=line.round,
        turn=line.turn,
        phase=line.phase,
        power=line.power,
        order=line.order,
        sentences=list(line.sentences),
        dice=list(line.dice),
        throws=[list(throw) for throw in line.throws],
        battle=fights[0].space if fights else None,
        ended=ended,
        outcome=told[-1] if told else None,
    )


def round_numbers(row: RoundStatistics) -> RoundNumbers:
    return RoundNumbers(round=row.round, powers=power_numbers(row.powers))


def power_numbers(powers: Mapping[str, PowerStatistics]) -> dict[str, PowerNumbers]:
    return {power: _numbers(numbers) for power, numbers in powers.items()}


def _numbers(numbers: PowerStatistics) -> PowerNumbers:
    luck = numbers.luck
    return PowerNumbers(
        production=numbers.production,
        treasury=numbers.treasury,
        unit_value=numbers.unit_value,
        units=dict(numbers.units),
        luck=LuckView(dice=luck.dice, hits=luck.hits, expected=round(luck.expected, 4)),
        battles_won=numbers.battles_won,
        battles_lost=numbers.battles_lost,
        battles_drawn=numbers.battles_drawn,
        units_lost=numbers.units_lost,
        money_lost=numbers.money_lost,
        damage=numbers.damage,
        cities=numbers.cities,
        technologies=numbers.technologies,
        bonus=numbers.bonus,
        objectives=numbers.objectives,
    )
