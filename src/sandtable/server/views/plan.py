"""Plans of computer players, readable by the people at the table."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from sandtable.engine.decision import Decision
from sandtable.server.bots.registry import Bot
from sandtable.server.bots.worker import Reason
from sandtable.server.views.base import Model


class PlanStep(Model):
    why: str
    orders: list[str]
    space: str | None = None
    gain: float | None = Field(None, description="IPC to be expected")
    odds: float | None = Field(None, description="of winning, for an attack")


class PlanView(Model):
    bot: str
    title: str
    power: str
    kind: str = Field(description="the question that the plan answers")
    own: bool = Field(description="whoever plays this power follows it; otherwise it is advice")
    steps: list[PlanStep]


def plan_view(bot: Bot, question: Decision, reasons: Sequence[Reason], *, own: bool) -> PlanView:
    return PlanView(
        bot=bot.name,
        title=bot.title,
        power=question.power,
        kind=question.kind,
        own=own,
        steps=[
            PlanStep(
                why=reason.why,
                orders=list(reason.orders),
                space=reason.space or None,
                gain=reason.gain,
                odds=reason.odds,
            )
            for reason in reasons
        ],
    )
