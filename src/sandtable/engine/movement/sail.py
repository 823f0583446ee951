"""Moves of ships, with what they carry."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from sandtable.engine import task_forces
from sandtable.engine.bases import lift
from sandtable.engine.events import Change, Moved
from sandtable.engine.facts import is_hostile_sea, name, phase_name, type_of, unit_type
from sandtable.engine.movement import cargo, castaways, sea
from sandtable.engine.movement.pieces import pick
from sandtable.engine.movement.purpose import has_purpose
from sandtable.engine.movement.riders import caught_aboard, going_along
from sandtable.engine.movement.ways import shortest
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, Units, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import SpaceId, World

Voyages = list[tuple[tuple[SpaceId, ...], Units]]
"""Ships as they are at the end of the ways that they took."""


def sail(run: Run, order: Move, by_domain: dict[str, list[UnitSpec]], combat: bool, favourite: Piece | None) -> Voyages:
    world, state, power = run.world, run.state, run.power
    start, end = order.route[0], order.route[-1]
    for space in order.route:
        if world.spaces[space].is_land:
            raise Refusal(
                "ship-on-land",
                f"Ships never enter land such as {name(world, space)}; troops go ashore from the zones on a coast.",
                (space,),
            )
    named = Counter({s.type: 0 for s in by_domain["land"]})
    for spec in by_domain["land"]:
        named[spec.type] += spec.count
    groups: dict[tuple[SpaceId, ...], list[tuple[Piece, int]]] = {}
    for spec in by_domain["sea"]:
        routes: dict[Piece, tuple[SpaceId, ...]] = {}

        def check(piece: Piece, routes: dict[Piece, tuple[SpaceId, ...]] = routes) -> None:
            routes[piece] = sea_route(world, state, piece, order.route, combat)
            if combat:
                check_purpose(world, state, routes[piece], ((piece, 1),))

        if +named and unit_type(world, state, power, spec.type).loads:
            ships = cargo.named_transports(state.at(start), power, spec.type, named, spec.count)
            if ships is None:
                raise Refusal(
                    "cargo-not-as-named",
                    f"No transports in {name(world, start)} carry exactly what is named.",
                    (start,),
                )
            for ship in ships:
                check(ship)
            named.clear()
            chosen: Units = tuple(Counter(ships).items())
        else:
            chosen = pick(world, state, power, start, spec, check, lambda p: (p != favourite, _fullest_first(p)))
        for piece, n in chosen:
            groups.setdefault(routes[piece], []).append((piece, n))
    if +named:
        raise Refusal("cargo-without-ship", "Land units at sea move aboard transports: name the transports.", (start,))
    hostile = is_hostile_sea(world, state, power, end)
    sailed: Voyages = []
    for route, boarded in groups.items():
        units = [(castaways.leave_behind(run, start, ship, n), n) for ship, n in boarded]
        # what is named and finds no deck to ride on is left to fly on its own
        aboard = going_along(run, route, tuple(units), by_domain["air"])
        stuck = caught_aboard(run, start, tuple(units))
        there = voyage(run, route, tuple(units), aboard, stuck, flying=hostile)
        sailed.append((route, there))
        if order.role is not None:
            task_forces.join(run, end, there, task_forces.check_role(world, run.state, power, end, order.role))
    if combat and hostile:
        sea.check_escort(world, run.state, power, end)
    return sailed


def home_of(run: Run, piece: Piece, start: SpaceId) -> SpaceId:
    """The zone where a carrier, or a plane that takes off at sea, began the turn, where task forces ask for it."""
    world = run.world
    if not world.rules.task_forces or phase_name(world, run.state) != "combat-move" or not world.spaces[start].is_sea:
        return piece.home
    kind = type_of(world, run.state, piece)
    return piece.home or (start if kind.deck or kind.domain == "air" else "")


def check_purpose(world: World, state: State, route: tuple[SpaceId, ...], ships: Units) -> None:
    for ship, _ in ships:
        if not has_purpose(world, state, ship, route):
            kind, end = type_of(world, state, ship).name, name(world, route[-1])
            text = f"The {kind} would neither fight nor help a landing in {end}: it can sail there after the battles."
            raise Refusal("ship-without-purpose", text, (route[-1],))


def _fullest_first(piece: Piece) -> tuple[Any, ...]:
    return (-len(piece.cargo), piece.used, piece_key(piece))


def sea_route(
    world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool
) -> tuple[SpaceId, ...]:
    if len(route) == 2:
        found = sea.reach(world, state, piece, route[0], combat).get(route[1])
        if found is not None:
            return found
        sea.check_free(world, state, piece, route[0], combat)
        route = shortest(world, route[0], route[1], "sea") or route
    sea.check(world, state, piece, route, combat)
    return route


def _sailed(run: Run, ship: Piece, route: tuple[SpaceId, ...]) -> Piece:
    used, home = ship.used + len(route) - 1, home_of(run, ship, route[0])
    lifted = lift(run.world, run.state, ship, route[0])
    return msgspec.structs.replace(ship, used=used, origin=route[-2], lift=lifted, home=home)


def voyage(
    run: Run,
    route: tuple[SpaceId, ...],
    ships: Units,
    riders: Units = (),
    stuck: Units = (),
    *,
    flying: bool = False,
) -> Units:
    """Ships sail with their cargo; fighters aboard are carried, or take off when it goes into battle.

    Those that are `stuck` aboard damaged carriers are cargo as well.
    """
    power = run.power
    distance = len(route) - 1
    ships_before, riders_before = ships, riders
    if run.world.rules.task_forces:  # whoever leaves a zone leaves its fleet
        ships, riders = _unassigned(ships), _unassigned(riders)
    after: list[tuple[Piece, int]] = [(_sailed(run, p, route), n) for p, n in ships]
    sailed = tuple(after)
    for plane, n in riders:
        if plane.power != power:
            after.append((plane, n))
        elif flying or not run.world.rules.fighters_carried:
            over = route[-2] if flying else ""
            start = route[0] if flying and not plane.used else ""  # from where it may still be sent elsewhere
            used = plane.used + distance
            home = home_of(run, plane, route[0])
            flown = msgspec.structs.replace(plane, used=used, origin=over, done=False, mark="", target=start, home=home)
            after.append((flown, n))
        else:
            carried = msgspec.structs.replace(plane, used=plane.used + distance, done=True, mark="carried")
            after.append((carried, n))
    after += stuck
    left = (*ships_before, *riders_before, *stuck)
    run.emit(Moved(power, route, (Change(route[0], left), Change(route[-1], (), tuple(after))), left, distance))
    return sailed


def _unassigned(units: Units) -> Units:
    return tuple((msgspec.structs.replace(p, fleet="") if p.fleet else p, n) for p, n in units)
