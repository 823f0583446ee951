"""Flights: to battle, to a raid, and home."""

from __future__ import annotations

import msgspec

from sandtable.engine.bases import lift, steps_left
from sandtable.engine.battle.overhead import record
from sandtable.engine.events import BattleOpened, Change, Moved
from sandtable.engine.facts import (
    describe,
    friendly_at_start,
    is_aloof,
    is_occupied,
    name,
    phase_name,
    spare_money,
    trapped,
    type_of,
)
from sandtable.engine.movement import air, landing, paradrop, roles
from sandtable.engine.movement.pieces import least_left, pick
from sandtable.engine.movement.ways import shortest
from sandtable.engine.neutral import overfly, violate
from sandtable.engine.relations import friends, is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, State, Units, add
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, SpaceId, World


def fly(
    run: Run, order: Move, specs: list[UnitSpec], combat: bool, before: int | None, favourite: Piece | None
) -> None:
    world, state, power = run.world, run.state, run.power
    start, end = order.route[0], order.route[-1]
    before = before or 0
    flights: dict[tuple[SpaceId, ...], list[tuple[Piece, int]]] = {}
    for spec in specs:
        ways: dict[Piece, list[tuple[SpaceId, ...]]] = {}

        def check(piece: Piece, ways: dict[Piece, list[tuple[SpaceId, ...]]] = ways) -> None:
            ways[piece] = flight_routes(world, state, piece, order, combat)

        for piece, n in pick(world, state, power, start, spec, check, lambda p: (p != favourite, least_left(p))):
            caught = dict(trapped(world, state, start, state.at(start))).get(piece, 0) if not piece.origin else 0
            if n > state.at(start)[piece] - caught:
                text = f"{name(world, start)}: planes aboard a damaged carrier can neither take off nor fight."
                raise Refusal("plane-is-trapped", text, (start,))
            flights.setdefault(_best_way(run, ways[piece], piece), []).append((piece, n))
    for route, units in flights.items():
        _flight(run, route, tuple(units), order)
    settled = run.state
    no_deck = False
    if not combat and world.spaces[end].is_sea:
        settled = _at_rest(world, run.state, power, end)
        decks = landing.Landings(world, run.state, power).decks
        no_deck = not any(end in deck.zones for deck in decks)
        if world.rules.decks_first:
            no_deck = landing.free_decks(world, run.state, power, decks, end) < 0
    if no_deck or landing.homeless(world, settled, power) > before:
        raise _no_landing(world, run.state, power, end, combat, flights)
    for route, units in flights.items():
        _meet_trouble(run, route, tuple(units), order, combat)
    if not combat:
        paradrop.set_down(run, end)


def _at_rest(world: World, state: State, power: PowerId, zone: SpaceId) -> State:
    """The state as if the planes over the zone flew no further: a deck has to be for them there (CL-AIR-02)."""
    stack: dict[Piece, int] = {}
    for piece, n in state.at(zone).items():
        stays = piece.power == power and world.units[piece.type].domain == "air"
        stack = add(stack, ((msgspec.structs.replace(piece, done=True) if stays else piece, n),))
    return msgspec.structs.replace(state, units={**state.units, zone: stack})


def flight_routes(world: World, state: State, piece: Piece, order: Move, combat: bool) -> list[tuple[SpaceId, ...]]:
    """Routes that the plane may take, best first."""
    role = None if order.role in paradrop.BY_PLANE else order.role  # laden planes are known by their load
    if len(order.route) > 2 or order.route[0] == order.route[-1]:
        routes = [order.route]
    else:
        air.check_free(world, state, piece, combat)
        routes = air.routes_to(air.route_tables(world, state, piece, order.route[0], combat, role), order.route[1])
        if not routes:
            routes = [shortest(world, order.route[0], order.route[1], "air") or order.route]
            if not combat and len(routes[0]) - 1 <= steps_left(world, state, piece, order.route[0]):
                air.check(world, state, piece, routes[0], combat, role)
    if order.route[0] == order.route[-1] and len(order.route) == 2:
        raise Refusal("plane-stays-where-it-is", f"The plane is in {name(world, order.route[0])} already.")
    for route in routes:
        air.check(world, state, piece, route, combat, role)
    return routes


def _best_way(run: Run, ways: list[tuple[SpaceId, ...]], piece: Piece) -> tuple[SpaceId, ...]:
    """The first route that still leaves a landing place in range, and that can be paid for."""
    world, state = run.world, run.state
    if len(ways) == 1:
        return ways[0]
    near = landing.distance_to_land(world, state, piece.power)
    left = steps_left(world, state, piece, ways[0][0])
    possible = air.affordable(world, state, ways, spare_money(world, state, piece.power))
    for way in possible:
        if near.get(way[-1], 99) <= left - (len(way) - 1):
            return way
    return min(possible or ways, key=len)


def _flight(run: Run, route: tuple[SpaceId, ...], units: Units, order: Move) -> None:
    combat = phase_name(run.world, run.state) == "combat-move"
    after = tuple((_flown(run, p, route, order, combat), n) for p, n in units)
    run.emit(Moved(run.power, route, (Change(route[0], units), Change(route[-1], (), after)), units, len(route) - 1))


def _flown(run: Run, piece: Piece, route: tuple[SpaceId, ...], order: Move, combat: bool) -> Piece:
    """The plane at the end of the route."""
    origin = route[-2] if combat else ""
    world = run.world
    deck = route[0] if combat and world.rules.task_forces and world.spaces[route[0]].is_sea else ""
    used, home = piece.used + len(route) - 1, piece.home or deck
    lifted = lift(world, run.state, piece, route[0])
    there = msgspec.structs.replace(piece, used=used, lift=lifted, origin=origin, target="", home=home, fleet="")
    if combat and order.role == roles.RAID and world.rules.raid_targets == "facilities":
        kind = type_of(world, run.state, piece)
        aim = roles.aim(world, run.state, piece.power, kind, route[-1], order.facility)
        there = msgspec.structs.replace(there, target=aim)
    return roles.sent(world, there, order.role) if combat else there


def _meet_trouble(run: Run, route: tuple[SpaceId, ...], units: Units, order: Move, combat: bool) -> None:
    """Violated neutrals are paid for and guns on the way fire, as the planes pass (CL-NEU-03, CL-AA-05)."""
    if not combat:
        return
    world, power = run.world, run.power
    neutrals = air.neutrals_on_route(world, run.state, route)
    fee = world.rules.neutral_fee * len(neutrals)
    if fee > spare_money(world, run.state, power):
        raise Refusal(
            "overflight-too-dear",
            f"Flying over {len(neutrals)} neutral countries costs {fee}: too much.",
            neutrals,
        )
    for space in neutrals:
        overfly(run, power, space)
    if is_aloof(world, run.state, route[-1]):
        violate(run, power, route[-1])
    if world.rules.sorties:
        record(run, route, tuple((_flown(run, p, route, order, combat), n) for p, n in units))
        return
    guns = air.guns_on_route(world, run.state, power, route)
    if guns:
        group = add({}, ((_flown(run, p, route, order, combat), n) for p, n in units))
        battle = Battle(route[-1], "overflight", power, group=group, queue=guns)
        run.emit(BattleOpened(battle))


def _no_landing(
    world: World,
    state: State,
    power: PowerId,
    end: SpaceId,
    combat: bool,
    flights: dict[tuple[SpaceId, ...], list[tuple[Piece, int]]],
) -> Refusal:
    planes = [(p, n) for units in flights.values() for p, n in units]
    words = describe(world, tuple(planes))
    if combat:
        return Refusal(
            "no-landing-after-attack",
            f"After an attack on {name(world, end)} there would be no place in range to land {words}.",
            (end,),
        )
    if world.spaces[end].is_sea:
        host = _neutral_host(world, state, power, end)
        if host is not None:
            text = f"{world.powers[host].name} is at war with nobody: decks are shared only by powers at war."
            return Refusal("deck-of-neutral-power", text, (end,))
        return Refusal(
            "no-free-deck",
            f"No carrier has or can bring a free deck to {name(world, end)} for {words}.",
            (end,),
        )
    if friendly_at_start(world, state, power, end) and not is_occupied(world, state, power, end):
        return Refusal(
            "landing-strands-another-plane", f"Landing {words} there would leave another plane without a place.", (end,)
        )
    return Refusal("plane-cannot-land-there", f"{words} cannot land in {name(world, end)}.", (end,))


def _neutral_host(world: World, state: State, power: PowerId, zone: SpaceId) -> PowerId | None:
    """Who is at peace, where only that closes a deck of the side there: the guest or else the host (G40-POL-54)."""
    ours = friends(world, state, power)
    for ship in state.at(zone):
        if ship.power not in ours and world.same_side(ship.power, power) and type_of(world, state, ship).deck:
            return power if is_neutral_power(world, state, power) else ship.power
    return None
