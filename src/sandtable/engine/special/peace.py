"""Powers at peace move as many units in a turn as a die says (G40-SPC-26)."""

from __future__ import annotations

from sandtable.engine.events import MovesAllowed, Rolled
from sandtable.engine.facts import type_of
from sandtable.engine.movement.aloft import unhoused
from sandtable.engine.movement.landing import Flight
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
    return moved(world, state, piece.power) + weight + _kept_for_others(world, state, piece, space) <= state.moves


def _waiting(world: World, state: State, power: PowerId) -> list[Flight]:
    """Planes that a carrier has left without a deck: they have to follow it, and count with it."""
    return [flight for flight in unhoused(world, state, power) if not flight[1].used]


def _kept_for_others(world: World, state: State, piece: Piece, space: SpaceId) -> int:
    """Moves that planes without a deck need; another carrier may come to take them up."""
    kind = type_of(world, state, piece)
    if kind.deck:
        return 0
    waiting = _waiting(world, state, piece.power)
    goes_itself = kind.domain == "air" and any(zone == space for zone, _, _ in waiting)
    return sum(n for _, _, n in waiting) - goes_itself


def check_moves(run: Run) -> None:
    """Refuse a move that is one too many."""
    allowed = run.state.moves
    if allowed is None:
        return
    have = moved(run.world, run.state, run.power)
    left = sum(n for _, _, n in _waiting(run.world, run.state, run.power))
    if have + left > allowed:
        name = run.world.powers[run.power].name
        text = f"{name} is at peace: {allowed} of its units may move this turn, not {have + left}"
        raise Refusal("peace-moves", f"{text} with the planes left behind." if left else f"{text}.")
