"""Violating neutral land: the fee, and the marker of the first violator."""

from __future__ import annotations

from sandtable.engine.events import Captured, NeutralViolated
from sandtable.engine.run import Run
from sandtable.world.model import PowerId, SpaceId


def violate(run: Run, power: PowerId, space: SpaceId) -> None:
    """Pay for entering or overflying; the affordable fee was checked with the move (CL-NEU-02, CL-NEU-03)."""
    fee = run.world.rules.neutral_fee or 0
    run.emit(NeutralViolated(power, space, fee))
    run.pay(power, -fee, "neutral", space)


def overfly(run: Run, power: PowerId, space: SpaceId) -> None:
    """Planes that only pass over take the land all the same (CL-NEU-03)."""
    violate(run, power, space)
    run.emit(Captured(space, power, power, None, "neutral"))
