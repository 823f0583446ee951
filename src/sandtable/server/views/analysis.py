"""The analysis of a game, as the page shows it."""

from __future__ import annotations

from pydantic import Field

from sandtable.archive.statistics import Luck
from sandtable.play.analysis import Analysis, BattleTale
from sandtable.server.views.base import Model, UnitCount
from sandtable.server.views.history import LuckView


class MomentView(Model):
    at: int
    round: int
    power: str = Field(description="whose turn is over; empty for the beginning")
    chance: float = Field(description="of the first side")


class TurnView(Model):
    at: int
    round: int
    power: str
    before: float
    after: float


class TaleView(Model):
    """A battle: what it promised before a die fell, and what it brought."""

    at: int
    round: int
    space: str
    kind: str
    attacker: str
    defenders: list[str]
    attack: list[UnitCount]
    defense: list[UnitCount]
    win: float | None = Field(description="the attacker's chance; None where it was not worked out")
    promised: float | None = Field(description="IPC in the attacker's favour, on average, land included")
    gained: float = Field(description="and what it was in the end")
    result: str
    taken: bool
    attack_luck: LuckView
    defense_luck: LuckView
    luck: float = Field(description="hits in the attacker's favour beyond what could be expected")


class AnalysisView(Model):
    sides: list[str] = Field(description="chances are those of the first")
    winner: str | None
    moments: list[MomentView]
    turning: list[TurnView] = Field(description="turns after which the war looked different, the largest change first")
    battles: list[TaleView]
    best: list[int] = Field(description="battles by their place in the list, whose odds promised most")
    worst: list[int]
    luck: dict[str, LuckView]


def analysis_view(found: Analysis) -> AnalysisView:
    return AnalysisView(
        sides=list(found.sides),
        winner=found.winner,
        moments=[MomentView(at=m.at, round=m.round, power=m.power, chance=round(m.chance, 4)) for m in found.moments],
        turning=[
            TurnView(at=t.at, round=t.round, power=t.power, before=t.before, after=t.after) for t in found.turning
        ],
        battles=[tale_view(tale) for tale in found.battles],
        best=list(found.best),
        worst=list(found.worst),
        luck={power: luck_view(luck) for power, luck in found.luck.items()},
    )


def tale_view(tale: BattleTale) -> TaleView:
    return TaleView(
        at=tale.at,
        round=tale.round,
        space=tale.space,
        kind=tale.kind,
        attacker=tale.attacker,
        defenders=list(tale.defenders),
        attack=[UnitCount(unit=unit, count=n) for unit, n in tale.attack],
        defense=[UnitCount(unit=unit, count=n) for unit, n in tale.defense],
        win=tale.win,
        promised=tale.promised,
        gained=tale.gained,
        result=tale.result,
        taken=tale.taken,
        attack_luck=luck_view(tale.attack_luck),
        defense_luck=luck_view(tale.defense_luck),
        luck=round(tale.luck, 3),
    )


def luck_view(luck: Luck) -> LuckView:
    return LuckView(dice=luck.dice, hits=luck.hits, expected=round(luck.expected, 4))
