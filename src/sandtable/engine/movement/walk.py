"""Moves over land."""

from __future__ import annotations

import msgspec

from sandtable.engine.capture import capture
from sandtable.engine.events import Change, Moved
from sandtable.engine.facts import can_be_fought, no_border, type_of
from sandtable.engine.movement import land, ride
from sandtable.engine.movement.pieces import least_left, pick
from sandtable.engine.movement.ways import shortest
from sandtable.engine.neutral import violate
from sandtable.engine.run import Run
from sandtable.engine.special import underground
from sandtable.engine.state import Piece, State, Units
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import SpaceId, World


def walk(run: Run, order: Move, specs: list[UnitSpec], combat: bool) -> None:
    world, state, power = run.world, run.state, run.power
    start = order.route[0]
    groups: dict[tuple[SpaceId, ...], list[tuple[Piece, int]]] = {}
    rides = ride.Rides(world, state, power)
    for spec in rides.leaders_first(specs):
        routes: dict[Piece, tuple[SpaceId, ...]] = {}

        def check(piece: Piece, routes: dict[Piece, tuple[SpaceId, ...]] = routes) -> None:
            try:
                routes[piece] = land_route(world, state, piece, order.route, combat)
            except Refusal as refusal:
                routes[piece] = rides.route(piece, combat, refusal)

        for piece, n in pick(world, state, power, start, spec, check, least_left):
            groups.setdefault(routes[piece], []).append((piece, n))
            rides.seat(piece, n, routes[piece])
    for route, units in groups.items():
        _advance(run, route, tuple(units))


def land_route(
    world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool
) -> tuple[SpaceId, ...]:
    """The route that is meant, checked: as given, or a legal one where only the ends are named."""
    if len(route) == 2:
        kind = land.check_free(world, state, piece, combat)
        if land.is_open_neighbour(world, state, piece, kind, route, combat):
            return route
        found = land.reach(world, state, piece, route[0], combat).get(route[1])
        if found is not None:
            return found
        if any(set(route) == set(gap.between) for gap in world.gaps):
            raise no_border(world, *route, "no-border-after-all")
        if route[1] not in world.neighbours[route[0]]:
            way = shortest(world, route[0], route[1], "land")
            if way is None:
                raise no_border(world, *route, "no-way-over-land")
            route = way
    land.check(world, state, piece, route, combat)
    return route


def _advance(run: Run, route: tuple[SpaceId, ...], units: Units) -> None:
    """Walk along, taking empty enemy land on the way and at the end."""
    world, power = run.world, run.power
    end = route[-1]
    where = land.ground(world, run.state, power, end)
    taken = [s for s in route[1:-1] if land.ground(world, run.state, power, s) == "empty"]
    stops = where in ("guns", "battle", "neutral", "leaning") or underground.blocks(world, run.state, power, end)
    after = tuple(
        (
            msgspec.structs.replace(p, used=p.used + len(route) - 1, origin=route[-2], done=stops or p.done),
            n,
        )
        for p, n in units
    )
    changes = (Change(route[0], minus=units), Change(end, plus=after))
    run.emit(Moved(power, route, changes, units, len(route) - 1))
    for space in taken:
        capture(run, space, power)
    if where == "neutral":
        violate(run, power, end)
    takes = any(type_of(world, run.state, p).captures for p, _ in units)
    opposed = where == "neutral" and can_be_fought(world, run.state, power, end)
    if land.falls(world, run.state, power, end, where) and takes and not opposed:
        capture(run, end, power)
