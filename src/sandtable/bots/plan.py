"""A plan: the orders of a phase with the reasons for them, readable by the people at the table."""

from __future__ import annotations

import msgspec

from sandtable.engine.state import State
from sandtable.errors import one_stop
from sandtable.notation import format_order
from sandtable.notation.orders import AnyOrder
from sandtable.world.model import PowerId, SpaceId


class Step(msgspec.Struct, frozen=True):
    """Some orders that serve one end, and why."""

    reason: str
    orders: tuple[AnyOrder, ...] = ()
    space: SpaceId = ""
    gain: float | None = None  # I.P.C. to be expected
    odds: float | None = None  # of winning, for an attack


class Plan(msgspec.Struct, frozen=True):
    """What a power means to do in one phase."""

    power: PowerId
    phase: str
    title: str  # what players call the phase
    bot: str
    steps: tuple[Step, ...] = ()
    aim: str = ""  # where it all leads in the turns to come
    state: State | None = None  # as it will be when all orders have been carried out and no gun has hit

    @property
    def orders(self) -> tuple[AnyOrder, ...]:
        return tuple(order for step in self.steps for order in step.orders)

    def explain(self) -> str:
        """The plan in words: one line a step, its orders below."""
        lines = [f"{self.bot} for {self.power}, {self.title.lower()}:"]
        if self.aim:
            lines.append(f"  {self.aim}")
        for step in self.steps:
            figures = []
            if step.odds is not None:
                figures.append(f"{step.odds:.0%} to win")
            if step.gain is not None:
                figures.append(f"{step.gain:+.1f} IPC expected")
            lines.append(f"- {one_stop(step.reason)}" + (f" ({', '.join(figures)})" if figures else ""))
            lines += [f"    {format_order(order)}" for order in step.orders]
        if not self.steps:
            lines.append("- Nothing promises a gain: stay as we are.")
        return "\n".join(lines)
