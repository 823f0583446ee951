"""Where a unit can go now: what a map highlights and a bot looks at."""

from __future__ import annotations

from sandtable.engine.dice import ScriptedDice
from sandtable.engine.facts import (
    active,
    can_be_fought,
    enemies_in,
    friendly_at_start,
    is_neutral,
    phase_name,
    type_of,
)
from sandtable.engine.movement import air, cargo, land, landing, sea
from sandtable.engine.movement.move import carry_out
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import SpaceId, UnitId, World

Routes = dict[SpaceId, tuple[SpaceId, ...]]


def destinations(world: World, state: State, space: SpaceId, unit: UnitId, role: str | None = None) -> Routes:
    """Every space to which one such unit of the active power may be moved from here, with the route it would take."""
    phase = phase_name(world, state)
    if phase not in ("combat-move", "noncombat-move") or state.battle is not None:
        return {}
    combat = phase == "combat-move"
    power = active(world, state)
    domain = world.units[unit].domain
    if domain == "facility":
        return {}
    if domain == "land" and world.spaces[space].is_sea:
        return _shores(world, state, space, unit, combat)
    found: Routes = {}
    for piece in state.at(space):
        if piece.power != power or piece.type != unit:
            continue
        if domain == "land":
            found |= _by_land(world, state, space, piece, combat)
        elif domain == "sea":
            found |= _by_sea(world, state, space, piece, combat)
        else:
            found |= _by_air(world, state, space, piece, combat, role)
    return {s: found[s] for s in world.spaces if s in found}


def accepts(world: World, state: State, order: Move) -> bool:
    """The move would be carried out."""
    return refusal(world, state, order) is None


def refusal(world: World, state: State, order: Move) -> Refusal | None:
    """Why the move would not be carried out."""
    try:
        carry_out(Run(world, state, ScriptedDice(())), order)
    except Refusal as error:
        return error
    return None


def _one(piece: Piece, route: tuple[SpaceId, ...], role: str | None = None) -> Move:
    return Move((UnitSpec(piece.type),), route, role)


def _by_land(world: World, state: State, space: SpaceId, piece: Piece, combat: bool) -> Routes:
    found = land.reach(world, state, piece, space, combat)
    limit = world.units[piece.type].limit
    if limit is not None:
        found = {
            s: route
            for s, route in found.items()
            if sum(n for p, n in state.at(s).items() if p.type == piece.type) < limit
        }
    for zone in world.sea[space]:
        try:
            cargo.check_boarding(world, state, piece, space, zone, combat)
        except Refusal:
            continue
        found[zone] = (space, zone)
    return found


def _by_sea(world: World, state: State, space: SpaceId, piece: Piece, combat: bool) -> Routes:
    found = sea.reach(world, state, piece, space, combat)
    if world.units[piece.type].deck or world.rules.pieces:
        found = {s: route for s, route in found.items() if accepts(world, state, _one(piece, route))}
    return found


def _shores(world: World, state: State, zone: SpaceId, unit: UnitId, combat: bool) -> Routes:
    power = active(world, state)
    if not cargo.aboard(state, power, zone)[unit]:
        return {}
    return {
        shore: (zone, shore)
        for shore in world.land[zone]
        if accepts(world, state, Move((UnitSpec(unit),), (zone, shore)))
    }


def _by_air(world: World, state: State, space: SpaceId, piece: Piece, combat: bool, role: str | None) -> Routes:
    try:
        kind = air.check_free(world, state, piece, combat)
    except Refusal:
        return {}
    left = kind.move - piece.used
    side = world.side_of(piece.power)
    near = landing.distance_to_land(world, state, side)
    found: Routes = {}
    within = air.distances(world, state, space, left, over_neutrals=combat)
    for end, distance in within.items():
        if end == space:
            continue
        if combat:
            if not _is_target(world, state, piece, end, role):
                continue
            routes = air.routes_to(world, state, piece, space, end, combat)
            clean = routes and not any(is_neutral(world, state, s) for s in routes[0][1:])
            if clean and near.get(end, 99) <= left - (len(routes[0]) - 1):
                found[end] = routes[0]
                continue
        elif world.spaces[end].is_land:
            if friendly_at_start(world, state, side, end):
                found[end] = (space, end)
            continue
        elif not _could_have_deck(world, state, piece, end):
            continue
        if accepts(world, state, _one(piece, (space, end), role)):
            found[end] = (space, end)
        del distance
    return found


def _is_target(world: World, state: State, piece: Piece, end: SpaceId, role: str | None) -> bool:
    if role == "raid":
        return any(world.units[p.type].factory for p, _ in enemies_in(world, state, piece.power, end))
    return can_be_fought(world, state, piece.power, end)


def _could_have_deck(world: World, state: State, piece: Piece, zone: SpaceId) -> bool:
    """A carrier is in the zone or near enough to come."""
    if not any(piece.type in ship.deck for ship in world.units.values()):
        return False
    return any(zone == place or zone in (zones or ()) for place, _, zones in landing.decks(world, state, piece.power))


def movable(world: World, state: State) -> list[tuple[SpaceId, UnitId]]:
    """Stacks of the active power that might still move, in board order."""
    power = active(world, state)
    combat = phase_name(world, state) == "combat-move"
    found: list[tuple[SpaceId, UnitId]] = []
    for space in world.spaces:
        kinds: set[UnitId] = set()
        for piece in state.at(space):
            kinds.update(c.type for c in piece.cargo if c.power == power and not c.target)
            if piece.power != power or piece.done or world.units[piece.type].domain == "facility":
                continue
            kind = type_of(world, state, piece)
            if kind.move > piece.used and (kind.attacks or not combat):
                kinds.add(piece.type)
        found.extend((space, unit) for unit in world.units if unit in kinds)
    return found
