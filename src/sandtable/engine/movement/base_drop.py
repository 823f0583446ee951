"""Troops that fly from an air base into an attack of others, without a plane of the game (G40-RES-13, G40-RES-14).

What may fly from where is a fact of the technology (`Technology.airborne`). Until the turn is over they carry a mark,
by which antiaircraft guns know them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from sandtable.engine import access
from sandtable.engine.battle.opening import declared
from sandtable.engine.events import Change, Moved
from sandtable.engine.facts import (
    amount,
    friendly_at_start,
    is_enemy_land,
    is_neutral,
    name,
    no_border,
    phase_name,
    taken_this_turn,
    technologies,
    type_of,
    works,
)
from sandtable.engine.movement.pieces import pick
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, unmoved
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import BaseDrop, MarkId, PowerId, SpaceId, World

MARK: MarkId = "dropped"


def right(world: World, state: State, power: PowerId) -> BaseDrop | None:
    return next((t.airborne for t in technologies(world, state, power) if t.airborne is not None), None)


def is_meant(world: World, state: State, power: PowerId, order: Move) -> bool:
    """A drop without planes, by a power that can do so."""
    return (
        right(world, state, power) is not None
        and all(world.units[spec.type].domain == "land" and not spec.cargo for spec in order.units)
        and not any(t.drops is not None for t in technologies(world, state, power))
    )


def carry_out(run: Run, order: Move) -> None:
    world, state, power = run.world, run.state, run.power
    drop = right(world, state, power)
    assert drop is not None
    start, end = order.route[0], order.route[-1]
    if phase_name(world, state) != "combat-move":
        raise Refusal("role-in-noncombat", "Drops are flown in the combat move.", (end,))
    if not has_base(world, state, power, start, drop):
        text = f"There is no {world.units[drop.base].name} in {name(world, start)} that works for you."
        raise Refusal("no-base-for-drop", text, (start,))
    number = sum(spec.count for spec in order.units)
    left = drop.number - dropped(state, power, start)
    if any(spec.type != drop.unit for spec in order.units) or number > left:
        text = f"From each base {amount(world, drop.unit, drop.number)} can be dropped in a turn, and nothing else."
        raise Refusal("wrong-load-for-drop", text, (start,))
    if not _is_hostile(world, state, power, end):
        text = "Troops can be dropped into hostile territories only, not there."
        raise Refusal("drop-outside-hostile-territory", text, (end,))
    if not is_attacked(world, state, power, end):
        text = f"Troops are dropped only where others of your land units attack: none do in {name(world, end)}."
        raise Refusal("drop-without-attack", text, (end,))
    route = _route(world, state, power, order.route, drop.range)
    for spec in order.units:
        units = pick(world, state, power, start, spec, _check)
        gone = tuple((_flown(world, state, p, start), n) for p, n in units)
        run.emit(Moved(power, route, (Change(start, minus=units), Change(end, plus=gone)), units, len(route) - 1))


def offers(world: World, state: State, power: PowerId) -> Iterator[Move]:
    """Drops of a single unit that may be flown now."""
    drop = right(world, state, power)
    if drop is None or phase_name(world, state) != "combat-move":
        return
    for start, stack in state.units.items():
        if not any(p.power == power and p.type == drop.unit and unmoved(p) for p in stack):
            continue
        if not has_base(world, state, power, start, drop) or dropped(state, power, start) >= drop.number:
            continue
        for end, route in _routes(world, state, power, start, drop.range).items():
            if _is_hostile(world, state, power, end) and is_attacked(world, state, power, end):
                yield Move((UnitSpec(drop.unit),), route, "paradrop")


def has_base(world: World, state: State, power: PowerId, space: SpaceId, drop: BaseDrop) -> bool:
    """A base of the power's side works there."""
    if not friendly_at_start(world, state, power, space):
        return False
    return any(p.type == drop.base and works(state, space, type_of(world, state, p)) for p in state.at(space))


def dropped(state: State, power: PowerId, base: SpaceId) -> int:
    """Troops that have flown from this base in this turn."""
    return sum(
        n
        for stack in state.units.values()
        for p, n in stack.items()
        if p.power == power and p.target == base and MARK in p.marks
    )


def _is_hostile(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Enemy land, or land that was so when the moves began: they are made together."""
    return is_enemy_land(world, state, power, space) or taken_this_turn(world, state, power, space)


def is_attacked(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Land units of the power attack there, overland or from the sea."""
    if space in declared(world, state, power):
        return True
    return any(
        p.power == power and world.units[p.type].domain == "land" and p.origin and MARK not in p.marks
        for p in state.at(space)
    )


def _routes(
    world: World, state: State, power: PowerId, start: SpaceId, limit: int
) -> dict[SpaceId, tuple[SpaceId, ...]]:
    """Where planes of the power could fly from here, within so many spaces."""
    found: dict[SpaceId, tuple[SpaceId, ...]] = {start: (start,)}
    layer = [start]
    for _ in range(limit):
        following = []
        for here in layer:
            for space in world.sky(power)[here]:
                if space not in found and not is_neutral(world, state, space):
                    if access.is_closed(world, state, power, space):
                        continue
                    found[space] = (*found[here], space)
                    following.append(space)
        layer = following
    del found[start]
    return found


def _route(world: World, state: State, power: PowerId, route: tuple[SpaceId, ...], limit: int) -> tuple[SpaceId, ...]:
    """The way that is meant, checked like that of a plane."""
    if len(route) == 2 and route[1] not in world.neighbours[route[0]]:
        found = _routes(world, state, power, route[0], limit).get(route[1])
        if found is not None:
            return found
    else:
        for a, b in pairwise(route):
            if b not in world.neighbours[a]:
                raise no_border(world, a, b, "no-border-for-plane")
            if is_neutral(world, state, b):
                text = f"Troops may not fly over neutral {name(world, b)}."
                raise Refusal("drop-over-neutral", text, (b,))
            if access.is_closed(world, state, power, b):
                raise access.refusal(world, state, power, b)
        if len(route) - 1 <= limit:
            return route
    text = f"{name(world, route[-1])} is more than {limit} spaces from {name(world, route[0])}."
    raise Refusal("too-far-for-drop", text, (route[-1],))


def _flown(world: World, state: State, piece: Piece, base: SpaceId) -> Piece:
    moved = max(1, type_of(world, state, piece).move)
    marks = tuple(sorted({*piece.marks, MARK}))
    return msgspec.structs.replace(piece, used=moved, done=True, target=base, marks=marks)


def _check(piece: Piece) -> None:
    if not unmoved(piece):
        raise Refusal("troops-not-free-for-drop", "Only troops that have not moved this turn can be dropped.")
