"""Where a unit can go now: what a map highlights and a bot looks at."""

from __future__ import annotations

import msgspec

from sandtable.engine import access, cards
from sandtable.engine.bases import lift, steps_left
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.facts import (
    NOTHING,
    active,
    friendly_at_start,
    is_enemy_land,
    is_hostile_sea,
    lands_on_decks,
    phase_name,
    spare_money,
    trapped,
    type_of,
)
from sandtable.engine.movement import air, boarding, cargo, land, landing, paradrop, roles, sea, sharing
from sandtable.engine.movement.move import carry_out
from sandtable.engine.movement.pieces import least_marked
from sandtable.engine.movement.purpose import has_purpose
from sandtable.engine.relations import is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.special import peace
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import MarkId, SpaceId, UnitId, World
from sandtable.world.profiles import profile

Routes = dict[SpaceId, tuple[SpaceId, ...]]


def destinations(
    world: World,
    state: State,
    space: SpaceId,
    unit: UnitId,
    role: str | None = None,
    marks: tuple[MarkId, ...] | None = None,
) -> Routes:
    """Every space to which one such unit of the active power may be moved from here, with the route it would take.

    Without a word about `marks` one of the least marked is meant.
    """
    phase = phase_name(world, state)
    if phase not in ("combat-move", "noncombat-move") or state.battle is not None:
        return {}
    combat = phase == "combat-move"
    if role is not None and ((role == paradrop.AIRLIFT) == combat or cards.forbids_word(world, state, role)):
        return {}
    power = active(world, state)
    if combat and world.rules.peace_without_combat and is_neutral_power(world, state, power):
        return {}
    domain = world.units[unit].domain
    if domain == "facility":
        return {}
    if domain == "land" and world.spaces[space].is_sea:
        return _shores(world, state, space, unit, combat)
    found: Routes = {}
    here = [(p, n) for p, n in state.at(space).items() if p.power == power and p.type == unit]
    if marks is not None:
        here = [(p, n) for p, n in here if set(p.marks) == set(marks)]
    elif len(here) > 1:
        here = least_marked(world, state, here)
    for piece, _ in here:
        if not peace.may_move(world, state, piece, space):
            continue
        if domain == "land":
            found |= _by_land(world, state, space, piece, combat)
        elif domain == "sea":
            found |= _by_sea(world, state, space, piece, combat)
        else:
            found |= _by_air(world, state, space, piece, combat, role)
    if state.refused:
        found = {
            s: way for s, way in found.items() if not sharing.is_refused(state, Move((UnitSpec(unit),), way, role))
        }
    return {s: found[s] for s in sorted(found, key=world.space_ranks.__getitem__)}


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
    limit = type_of(world, state, piece).limit
    if limit is not None:
        found = {
            s: route
            for s, route in found.items()
            if sum(n for p, n in state.at(s).items() if p.type == piece.type) < limit
        }
    for zone in world.sea[space]:
        try:
            boarding.check_boarding(world, state, piece, space, zone, combat)
        except Refusal:
            continue
        found[zone] = (space, zone)
    return found


def _by_sea(world: World, state: State, space: SpaceId, piece: Piece, combat: bool) -> Routes:
    found = sea.reach(world, state, piece, space, combat)
    if combat:
        found = {s: route for s, route in found.items() if has_purpose(world, state, piece, route)}
    if combat and not type_of(world, state, piece).attack:
        found = {
            s: route
            for s, route in found.items()
            if not is_hostile_sea(world, state, piece.power, s) or sea.is_escorted(world, state, piece.power, s)
        }
    if world.rules.pieces or (type_of(world, state, piece).deck and _planes_rely_on_decks(world, state, space)):
        found = {s: route for s, route in found.items() if accepts(world, state, _one(piece, route))}
    return found


def has_to_land(world: World, state: State) -> SpaceId | None:
    """A zone with troops that boarded in this combat move and could still go ashore somewhere (G40-TRN-06)."""
    power = active(world, state)
    for zone, stack in state.units.items():
        for ship in stack:
            fresh = {c.type for c in ship.cargo if c.power == power and c.used and not c.target}
            if ship.power == power and fresh and _can_land(world, state, zone, ship, fresh):
                return zone
    return None


def _can_land(world: World, state: State, zone: SpaceId, ship: Piece, troops: set[UnitId]) -> bool:
    """They can go ashore from here, or their ship can take them to where they can."""
    if any(_shores(world, state, zone, unit, True) for unit in troops):
        return True
    if ship.mark == "unloaded":
        return False
    for end, route in sea.reach(world, state, ship, zone, True).items():
        coast = [s for s in world.land[end] if land.ground(world, state, ship.power, s) not in ("friendly", "barred")]
        if coast:
            run = Run(world, state, ScriptedDice(()))
            try:
                carry_out(run, Move((UnitSpec(ship.type),), route))
            except Refusal:
                continue
            if any(_shores(world, run.state, end, unit, True) for unit in troops):
                return True
    return False


def _planes_rely_on_decks(world: World, state: State, zone: SpaceId) -> bool:
    """A plane that would not ride along cannot reach land, so that the carriers here may be its only hope.

    So it may be where few units may move, too (`special.peace`).
    """
    if state.moves is not None:
        return True
    power = active(world, state)
    others = [(s, p, n) for s, p, n in landing.airborne(world, state, power) if s != zone or p.used or p.origin]
    return bool(others) and landing.Landings(world, state, power).anyone_needy(others)


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
        air.check_free(world, state, piece, combat)
    except Refusal:
        return {}
    if dict(trapped(world, state, space, state.at(space))).get(piece, 0) >= state.at(space)[piece]:
        return {}
    if role in paradrop.BY_PLANE:
        if not paradrop.riders(world, state, piece.power, space, piece.type, role) or piece.used or piece.mark:
            return {}
        tables = air.route_tables(world, state, paradrop.aboard(world, state, piece, role), space, combat)
    else:
        tables = air.route_tables(world, state, piece, space, combat, role)
    if not combat:
        found = _rests_by_air(world, state, space, piece, tables[0])
        return found if role is None else {end: way for end, way in found.items() if world.spaces[end].is_land}
    if role == roles.KAMIKAZE:
        return _last_flights(world, state, space, piece, tables)
    return _attacks_by_air(world, state, space, piece, tables, role)


def _last_flights(world: World, state: State, space: SpaceId, piece: Piece, tables: list[Routes]) -> Routes:
    """Targets of a plane that never lands."""
    money = spare_money(world, state, piece.power)
    found: Routes = {}
    for end in tables[-1]:
        if end != space and _is_target(world, state, piece, space, end, roles.KAMIKAZE):
            ways = air.affordable(world, state, air.routes_to(tables, end), money)
            if ways:
                found[end] = ways[0]
    return found


def _attacks_by_air(
    world: World, state: State, space: SpaceId, piece: Piece, tables: list[Routes], role: str | None
) -> Routes:
    """Targets after which the plane, and every other one, still finds a place to land."""
    left = steps_left(world, state, piece, space)
    places = landing.Landings(world, state, piece.power)
    planes = _without(landing.airborne(world, state, piece.power), space, piece)
    on_decks = lands_on_decks(world, piece.type)
    money = spare_money(world, state, piece.power)
    before: int | None = None
    spare: set[SpaceId] = set()
    found: Routes = {}
    for end in tables[-1]:
        if end == space or not _is_target(world, state, piece, space, end, role):
            continue
        ways = air.affordable(world, state, air.routes_to(tables, end), money)
        safe = [way for way in ways if places.land.get(end, 99) <= left - (len(way) - 1)]
        if safe:
            found[end] = safe[0]
        elif ways and on_decks and places.decks:
            way = min(ways, key=len)
            if before is None:
                before = landing.homeless(world, state, piece.power)
                spare = places.spare_zones(planes, piece.type, before)
            if not spare.isdisjoint(places.reach(end, left - (len(way) - 1))):
                found[end] = way
                continue
            then = places.if_cleared(end) if world.spaces[end].is_sea else places
            flown = msgspec.structs.replace(
                piece, used=piece.used + len(way) - 1, lift=lift(world, state, piece, space)
            )
            if then.homeless([*planes, (end, flown, 1)]) <= before:
                found[end] = way
    return found


def _rests_by_air(world: World, state: State, space: SpaceId, piece: Piece, table: Routes) -> Routes:
    """Land that may be landed on, and zones where a deck is or can come."""
    found = {
        end: way
        for end, way in table.items()
        if end != space and world.spaces[end].is_land and friendly_at_start(world, state, piece.power, end)
    }
    if not lands_on_decks(world, piece.type):
        return found
    places = landing.Landings(world, state, piece.power)
    zones = {zone for deck in places.decks for zone in deck.zones}
    if world.rules.decks_first:
        zones = {z for z in zones if landing.free_decks(world, state, piece.power, places.decks, z) > 0}
    everyone = landing.airborne(world, state, piece.power)
    before = places.homeless(everyone)
    others = _without(everyone, space, piece)
    over = {s for s, _, _ in others}
    spare = places.spare_zones(others, piece.type, before)
    for end in zones & table.keys() - {space}:
        if end in spare and end not in over:
            found[end] = table[end]
            continue
        settled = [(s, msgspec.structs.replace(p, done=True) if s == end else p, n) for s, p, n in others]
        if places.homeless([*settled, (end, msgspec.structs.replace(piece, done=True), 1)]) <= before:
            found[end] = table[end]
    return found


def _without(planes: list[landing.Flight], space: SpaceId, piece: Piece) -> list[landing.Flight]:
    """The planes less one of this kind, if it is among them."""
    return [(s, p, n - 1 if (s, p) == (space, piece) else n) for s, p, n in planes if (s, p, n) != (space, piece, 1)]


def _is_target(world: World, state: State, piece: Piece, start: SpaceId, end: SpaceId, role: str | None) -> bool:
    if access.may_not_attack(world, state, piece.power, end):
        return False
    if state.stances is not None and role is None and air.is_refuge(world, state, piece, start, end):
        return True
    if role == paradrop.ROLE:
        return is_enemy_land(world, state, piece.power, end)
    if role is not None:
        return roles.is_target(world, state, piece.power, type_of(world, state, piece), end, role)
    return air.is_air_target(world, state, piece.power, end)


def movable(world: World, state: State) -> list[tuple[SpaceId, UnitId]]:
    """Stacks of the active power that might still move, in board order."""
    power = active(world, state)
    combat = phase_name(world, state) == "combat-move"
    values = profile(world, power, state.techs.get(power, NOTHING))
    steps = {unit: kind.move for unit, kind in values.items() if kind.attacks or not combat}
    there: dict[SpaceId, set[UnitId]] = {}
    for space, stack in state.units.items():
        for piece in stack:
            for aboard in piece.cargo:
                if aboard.power == power and not aboard.target:
                    there.setdefault(space, set()).add(aboard.type)
            if piece.power != power or piece.done or piece.type not in steps:
                continue
            reach = type_of(world, state, piece).move if piece.marks else steps[piece.type]
            if reach + piece.lift > piece.used:
                there.setdefault(space, set()).add(piece.type)
    return [(space, unit) for space in world.spaces if space in there for unit in world.units if unit in there[space]]
