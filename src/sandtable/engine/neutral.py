"""Neutral land: violating it for a fee, and joining those whose side it leans to.

What land leans to is a trait of the board (`leaning: pro-axis`, `pro-allies`, `strict`), its army another one; a board
without them has neutrals that are all alike.
"""

from __future__ import annotations

from sandtable.engine.events import Captured, Change, LeaningChanged, NeutralJoined, NeutralViolated
from sandtable.engine.relations import leaning
from sandtable.engine.run import Run
from sandtable.engine.state import Piece
from sandtable.world.model import PowerId, SpaceId


def violate(run: Run, power: PowerId, space: SpaceId) -> None:
    """Pay for entering or overflying; the affordable fee was checked with the move (CL-NEU-02, CL-NEU-03).

    Where strict neutrals stand together, the others lean away from the violator from now on (G40-NEU-19).
    """
    world = run.world
    fee = world.rules.neutral_fee or 0
    strict = leaning(world, run.state, space) == STRICT
    run.emit(NeutralViolated(power, space, fee))
    run.pay(power, -fee, "neutral", space)
    if strict and world.rules.strict_neutrals_turn:
        others = tuple(s for s in world.spaces if s != space and leaning(world, run.state, s) == STRICT)
        against = next((side for side in world.sides if side != world.side_of(power)), None)
        if others and against is not None:
            run.emit(LeaningChanged(others, f"pro-{against}"))


STRICT = "strict"


def overfly(run: Run, power: PowerId, space: SpaceId) -> None:
    """Planes that only pass over take the land all the same (CL-NEU-03)."""
    violate(run, power, space)
    run.emit(Captured(space, power, power, None, "neutral"))


def join(run: Run, power: PowerId, space: SpaceId) -> None:
    """Land that leans to the power's side becomes its own, with its army, which moves from the next turn on."""
    army: dict[str, int] = run.world.spaces[space].traits.get("army") or {}
    units = tuple((Piece(power, unit, done=True), n) for unit, n in army.items())
    run.emit(NeutralJoined(power, space, units, (Change(space, plus=units),) if units else ()))
