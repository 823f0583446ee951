"""Picking the pieces that an order means, where pieces of a kind differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from sandtable.engine.facts import (
    name,
    type_of,
)
from sandtable.engine.movement import cargo
from sandtable.engine.state import Piece, State, Units, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, SpaceId, World

Check = Callable[[Piece], None]


def pick(
    world: World,
    state: State,
    power: PowerId,
    space: SpaceId,
    spec: UnitSpec,
    check: Check,
    prefer: Callable[[Piece], tuple[Any, ...]] = piece_key,
) -> Units:
    """So many pieces of the kind that pass the check; refused with the reason of the best that did not.

    `prefer` orders the pieces, and no two alike.
    """
    left = spec.count
    chosen: list[tuple[Piece, int]] = []
    refused: Refusal | None = None
    told = (True, 0)
    present = 0
    wanted = None if spec.cargo is None else Counter(dict(spec.cargo))
    here = {p: n for p, n in state.at(space).items() if p.power == power and p.type == spec.type}
    candidates = list(here.items())
    if len(candidates) > 1:
        candidates.sort(key=lambda item: (len(item[0].marks), prefer(item[0])))
        if spec.marks is None:
            candidates = least_marked(world, state, candidates, spec.count)
    for piece, n in candidates:
        if wanted is not None and +cargo.cargo_types(piece) != +wanted:
            continue
        if spec.marks is not None and set(spec.marks) != set(piece.marks):
            continue
        present += n
        if not left:
            continue
        try:
            check(piece)
        except Refusal as refusal:
            if refused is None or (piece.done, piece.used) < told:  # the freshest piece has the most telling reason
                refused, told = refusal, (piece.done, piece.used)
            continue
        some = min(left, n)
        chosen.append((piece, some))
        left -= some
    if not left:
        return tuple(chosen)
    if refused is not None and present >= spec.count:
        raise refused
    adjective = world.powers[power].adjective
    unit = world.units[spec.type]
    has = f"only {present}" if present else "no"
    pool_hint = " Units bought this turn wait until they are placed." if state.pool.get(spec.type) else ""
    others = {p.power for p in state.at(space) if p.type == spec.type and p.power != power}
    if pool_hint:
        reason = "new-units-wait-beside-others" if others else "new-units-wait"
    else:
        reason = "units-there-are-of-others" if others else "too-few-units-there"
    raise Refusal(
        reason,
        f"There {'is' if present < 2 else 'are'} {has} {adjective} {unit.name if present < 2 else unit.plural} "
        f"in {name(world, space)}.{pool_hint}",
        (space,),
    )


def least_marked(
    world: World, state: State, pieces: list[tuple[Piece, int]], number: int = 1
) -> list[tuple[Piece, int]]:
    """Those of the pieces that so many without a word about marks can mean: the least marked that can still move."""
    if not any(piece.marks for piece, _ in pieces):
        return pieces
    able = [(len(p.marks), n) for p, n in pieces if not p.done and type_of(world, state, p).move > p.used]
    most = -1
    for marks, n in sorted(able):
        if number > 0:
            most = marks
        number -= n
    return pieces if number > 0 else [(p, n) for p, n in pieces if len(p.marks) <= most]


def least_left(piece: Piece) -> tuple[Any, ...]:
    """Use up the pieces that have moved furthest first."""
    return (-piece.used, piece_key(piece))
