"""The likely state of things when a plan's battles have been fought: what plans are compared by."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.bots.attack import Strike
from sandtable.engine.battle.opening import declared
from sandtable.engine.facts import capital_lost, phase_index
from sandtable.engine.relations import friends
from sandtable.engine.state import Piece, Stack, State, in_order
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def after_battles(world: World, state: State, power: PowerId, strikes: Sequence[Strike]) -> State:
    """The board at the beginning of the non-combat move, every battle won with the survivors to be expected."""
    units: dict[SpaceId, Stack] = dict(state.units)
    owners = dict(state.owners)
    treasury = dict(state.treasury)
    ours = friends(world, state, power)
    for strike in strikes:
        space = strike.target
        stack = dict(units.get(space, {}))
        for zone in declared(state, power).get(space, ()):
            _step_ashore(units, stack, zone, space, power)
        left = _survivors(world, stack, power, strike)
        foes = {p: n for p, n in stack.items() if p.power not in ours and not world.units[p.type].casualty}
        allies = {p: n for p, n in stack.items() if p.power in ours and p.power != power}
        units[space] = {**allies, **foes, **left}
        if world.spaces[space].is_land and any(world.units[p.type].captures for p in left):
            previous = owners.get(space)
            owner = _new_owner(world, state, space, power)
            owners[space] = owner
            units[space] = {
                (msgspec.structs.replace(p, power=owner) if world.units[p.type].captured else p): n
                for p, n in units[space].items()
            }
            if previous is not None and world.spaces[space].capital_of == previous and previous not in ours:
                treasury[power] += treasury[previous]
                treasury[previous] = 0
    phase = phase_index(world, power, "noncombat-move")
    return msgspec.structs.replace(
        state, units={s: k for s, k in units.items() if k}, owners=owners, treasury=treasury, phase=phase, battle=None
    )


def _step_ashore(
    units: dict[SpaceId, Stack], stack: dict[Piece, int], zone: SpaceId, shore: SpaceId, power: PowerId
) -> None:
    """Troops aboard ships that fight for the zone go ashore."""
    fleet: dict[Piece, int] = {}
    for ship, n in dict(units.get(zone, {})).items():
        landing = [c for c in ship.cargo if c.target == shore and c.power == power]
        for c in landing:
            piece = Piece(power, c.type, used=1, origin=zone, done=True)
            stack[piece] = stack.get(piece, 0) + n
        rest = (
            msgspec.structs.replace(ship, cargo=tuple(c for c in ship.cargo if c not in landing)) if landing else ship
        )
        fleet[rest] = fleet.get(rest, 0) + n
    units[zone] = fleet


def _survivors(world: World, stack: dict[Piece, int], power: PowerId, strike: Strike) -> dict[Piece, int]:
    """Own pieces that are left; those without a battle stay as they are."""
    mine = {p: n for p, n in stack.items() if p.power == power}
    if not strike.look.survivors:
        return mine
    room: dict[UnitId, int] = dict(strike.look.survivors)
    sent = strike.force()
    left: dict[Piece, int] = {}
    for piece, n in in_order(mine):
        kind = world.units[piece.type]
        fought = kind.casualty and piece.type in sent  # transports that bring troops behind the battle do not
        some = min(n, room.get(piece.type, 0)) if fought else n
        if some:
            after = piece if kind.domain == "air" else msgspec.structs.replace(piece, done=True)
            left[after] = left.get(after, 0) + some
            room[piece.type] = room.get(piece.type, 0) - some
    return left


def _new_owner(world: World, state: State, space: SpaceId, power: PowerId) -> PowerId:
    original = world.spaces[space].original
    if original is None or original == power or original not in friends(world, state, power):
        return power
    if world.powers[original].capital == space:
        return original
    return power if capital_lost(world, state, original) else original
