"""Powers at peace move as many units in a turn as a die says (G40-SPC-26)."""

from __future__ import annotations

from sandtable.engine.events import MovesAllowed, Rolled
from sandtable.engine.relations import is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, World


def roll_moves(run: Run) -> None:
    """The die at the beginning of the non-combat move."""
    power = run.power
    if run.world.rules.peace_moves and run.state.moves is None and is_neutral_power(run.world, run.state, power):
        (face,) = run.roll(1, lambda faces: Rolled("moves", power, faces))
        run.emit(MovesAllowed(power, face))


def moved(world: World, state: State, power: PowerId) -> int:
    """Units that have moved this turn: each once, with what ships carry; a ship that only ferries has not moved."""
    total = 0
    for space, stack in state.units.items():
        for piece, n in stack.items():
            sailed = piece.used > 0
            for aboard in piece.cargo:
                if aboard.power == power and (aboard.used or sailed):
                    total += n
            if piece.power != power:
                continue
            landed = bool(piece.origin) and world.spaces[space].is_land
            if sailed or landed or piece.mark == "carried":
                total += n
    return total


def may_move(world: World, state: State, piece: Piece, space: SpaceId) -> bool:
    """The die allows this unit to go, with what it carries; an order takes those first that have not moved."""
    if state.moves is None:
        return True
    fresh = any(p.power == piece.power and p.type == piece.type and not p.used for p in state.at(space))
    weight = 0 if piece.used and not fresh else 1 + sum(c.power == piece.power and not c.used for c in piece.cargo)
    return moved(world, state, piece.power) + weight <= state.moves


def check_moves(run: Run) -> None:
    """Refuse a move that is one too many."""
    allowed = run.state.moves
    if allowed is None:
        return
    have = moved(run.world, run.state, run.power)
    if have > allowed:
        name = run.world.powers[run.power].name
        raise Refusal("peace-moves", f"{name} is at peace: {allowed} of its units may move this turn, not {have}.")
