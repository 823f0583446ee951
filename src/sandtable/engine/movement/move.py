"""Carrying out a move order: pick the pieces, find the route, check it, and let it happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.engine.capture import capture
from sandtable.engine.events import BattleOpened, Change, Moved
from sandtable.engine.facts import (
    amount,
    deck_space,
    friendly_at_start,
    is_hostile_sea,
    is_occupied,
    name,
    no_border,
    phase_name,
    spare_money,
    type_of,
)
from sandtable.engine.movement import air, cargo, land, landing, paradrop, ride, sea
from sandtable.engine.neutral import overfly, violate
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, State, Units, add, in_order, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World

Check = Callable[[Piece], None]

MOST_TRIES = 8  # different pieces of a kind in one place are few; this only bounds the odd case


def carry_out(run: Run, order: Move) -> None:
    """Move the units of the order, or refuse it whole."""
    world = run.world
    combat = phase_name(world, run.state) == "combat-move"
    start = order.route[0]
    _check_words(world, run.power, order)
    by_domain: dict[str, list[UnitSpec]] = {"land": [], "sea": [], "air": []}
    for spec in order.units:
        domain = world.units[spec.type].domain
        if domain == "facility":
            raise Refusal(
                "facility-never-moves",
                f"A {world.units[spec.type].name} never moves.",
                (start,),
            )
        by_domain[domain].append(spec)
    if order.role is not None and not combat:
        raise Refusal(
            "role-in-noncombat",
            "Raids and drops are flown in the combat move.",
            (order.route[-1],),
        )
    if combat and paradrop.is_meant(order, by_domain):
        paradrop.load(run, order, by_domain)
    elif order.role is not None and (by_domain["land"] or by_domain["sea"]):
        raise Refusal("role-for-planes-only", f"Only planes can be sent as {order.role!r}.")
    if not _watch_planes(world, by_domain):
        _attempt(run, order, by_domain, combat, None, None)
        return
    before = landing.homeless(world, run.state, run.power)
    start_state, told = run.state, len(run.events)
    refused: Refusal | None = None
    for favourite in _favourites(run, order):
        try:
            _attempt(
                run, order, {domain: list(specs) for domain, specs in by_domain.items()}, combat, before, favourite
            )
            return
        except Refusal as refusal:
            refused = refused or refusal
            run.state = start_state
            del run.events[told:]
    assert refused is not None
    raise refused


def _favourites(run: Run, order: Move) -> list[Piece | None]:
    """Which piece to take first, where pieces of a kind differ: whether all planes can land may hang on it."""
    kinds = {spec.type for spec in order.units}
    here = in_order(run.state.at(order.route[0]))
    pieces = [p for p, _ in here if p.power == run.power and p.type in kinds]
    return [None, *pieces[:MOST_TRIES]] if len(pieces) > len(kinds) else [None]


def _attempt(
    run: Run,
    order: Move,
    by_domain: dict[str, list[UnitSpec]],
    combat: bool,
    before: int | None,
    favourite: Piece | None,
) -> None:
    """Try the move; `before` is how many planes had no place to land until now (None: it cannot matter)."""
    world = run.world
    start, end = order.route[0], order.route[-1]
    if by_domain["sea"]:
        _sail(run, order, by_domain, combat, favourite)
    if by_domain["air"]:
        _fly(run, order, by_domain["air"], combat, before, favourite)
    elif before is not None and landing.homeless(world, run.state, run.power) > before:
        raise Refusal(
            "move-strands-planes",
            f"If this moves to {name(world, end)}, a plane of yours has no place to land.",
            (end,),
        )
    if by_domain["land"] and not by_domain["sea"]:
        if world.spaces[start].is_sea:
            _ashore(run, order, by_domain["land"], combat)
        elif world.spaces[order.route[1]].is_sea:
            _board(run, order, by_domain["land"], combat)
        else:
            _walk(run, order, by_domain["land"], combat)
    _check_limits(world, run.state, run.power, end, {spec.type for spec in order.units})


def _check_words(world: World, power: PowerId, order: Move) -> None:
    if len(order.route) < 2:
        raise Refusal("move-without-destination", "A move needs a start and a destination.")
    for spec in order.units:
        if spec.power is not None and spec.power != power:
            owner = world.powers[spec.power].name
            raise Refusal(
                "units-of-another-power",
                f"Units of {owner} move on that power's own turn only.",
            )
        if spec.count < 1:
            raise Refusal("move-without-units", "A move needs at least one unit.")
    if order.ship is not None and not (
        world.units[order.ship.type].loads
        and all(world.units[spec.type].domain == "land" for spec in order.units)
        and any(world.spaces[space].is_sea for space in order.route[:2])
    ):
        raise Refusal("ship-named-in-vain", "Only land units that board or leave a transport go `by` one.")


def _watch_planes(world: World, by_domain: dict[str, list[UnitSpec]]) -> bool:
    """Only planes and carriers can change who finds a place to land."""
    return bool(by_domain["air"]) or any(world.units[s.type].deck for s in by_domain["sea"])


# ---------------------------------------------------------------- picking pieces


def pick(
    world: World,
    state: State,
    power: PowerId,
    space: SpaceId,
    spec: UnitSpec,
    check: Check,
    prefer: Callable[[Piece], tuple[Any, ...]] = piece_key,
) -> Units:
    """So many pieces of the kind that pass the check; refused with the reason of the best that did not."""
    left = spec.count
    chosen: list[tuple[Piece, int]] = []
    refused: Refusal | None = None
    told = (True, 0)
    present = 0
    wanted = None if spec.cargo is None else Counter(dict(spec.cargo))
    here = {p: n for p, n in state.at(space).items() if p.power == power and p.type == spec.type}
    for piece, n in sorted(in_order(here), key=lambda item: prefer(item[0])):
        if wanted is not None and +cargo.cargo_types(piece) != +wanted:
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


def least_left(piece: Piece) -> tuple[Any, ...]:
    """Use up the pieces that have moved furthest first."""
    return (-piece.used, piece_key(piece))


# ---------------------------------------------------------------- land


def _walk(run: Run, order: Move, specs: list[UnitSpec], combat: bool) -> None:
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
        found = land.reach(world, state, piece, route[0], combat).get(route[1])
        if found is not None:
            return found
        land.check_free(world, state, piece, combat)
        if any(set(route) == set(gap.between) for gap in world.gaps):
            raise no_border(world, *route, "no-border-after-all")
        if route[1] not in world.neighbours[route[0]]:
            way = _shortest(world, route[0], route[1], "land")
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
    stops = where in ("guns", "battle", "neutral")
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
    if land.falls(world, where) and any(world.units[p.type].captures for p, _ in units):
        capture(run, end, power)


def _shortest(world: World, start: SpaceId, end: SpaceId, kind: str) -> tuple[SpaceId, ...] | None:
    """A shortest way over spaces of the kind, whoever holds them: for explaining why it is barred."""
    graph = {"land": world.land, "sea": world.sea, "air": world.air}[kind]
    routes: dict[SpaceId, tuple[SpaceId, ...]] = {start: (start,)}
    layer = [start]
    while layer:
        following = []
        for here in layer:
            for space in graph[here]:
                if space not in routes:
                    routes[space] = (*routes[here], space)
                    if space == end:
                        return routes[space]
                    following.append(space)
        layer = following
    return None


# ---------------------------------------------------------------- transports


def _board(run: Run, order: Move, specs: list[UnitSpec], combat: bool) -> None:
    """Land units board; a longer route takes them on across the sea and ashore in one go."""
    world, power = run.world, run.power
    start, zone = order.route[:2]
    units: list[tuple[Piece, int]] = []
    for spec in specs:
        state = run.state

        def check(piece: Piece, state: State = state) -> None:
            cargo.check_boarding(world, state, piece, start, zone, combat)

        units.extend(pick(world, state, power, start, spec, check, least_left))
    rest = order.route[1:]
    shore = rest[-1] if world.spaces[rest[-1]].is_land else None
    lane = rest[:-1] if shore else rest
    taken = cargo.board(run, start, zone, tuple(units), combat, len(lane) - 1, order.ship)
    if len(rest) == 1:
        return
    if len(lane) > 1:
        ships = Counter(taken)
        for ship in ships:
            if ship.power != power:
                raise Refusal("allied-transport-waits", "An ally's transport moves on its owner's turn only.", (zone,))
            sea.check(world, run.state, ship, lane, combat)
        taken = [p for p, n in _voyage(run, lane, tuple(ships.items())) for _ in range(n)]
    if shore:
        wanted = [(s.type, s.count) for s in specs]
        cargo.go_ashore(run, lane[-1], shore, wanted, combat, only=taken)


def _ashore(run: Run, order: Move, specs: list[UnitSpec], combat: bool) -> None:
    world, state, power = run.world, run.state, run.power
    zone, shore = order.route[0], order.route[-1]
    if world.spaces[shore].is_sea:
        raise Refusal(
            "land-units-alone-at-sea", "Land units at sea move with their transport: name the transport.", (zone,)
        )
    if len(order.route) != 2:
        raise Refusal("ashore-is-whole-move", "Going ashore is a unit's whole move.", (shore,))
    for spec in specs:
        if cargo.aboard(state, power, zone)[spec.type] < spec.count:
            there = cargo.aboard(state, power, zone)[spec.type]
            others = [p for t in state.at(zone) for p in t.cargo if p.type == spec.type and p.power != power]
            if others and not there:
                raise Refusal(
                    "allied-cargo-waits",
                    f"An ally's {world.units[spec.type].name} goes ashore on its owner's turn only.",
                )
            raise Refusal(
                "not-aboard",
                f"{amount(world, spec.type, there) if there else 'Nothing of that kind'} "
                f"is aboard in {name(world, zone)}, not {spec.count}.",
                (zone,),
            )
    only = None if order.ship is None else [cargo.named_ship(world, state, power, zone, order.ship)]
    if only and any(cargo.cargo_types(only[0])[spec.type] < spec.count for spec in specs):
        raise Refusal("not-aboard-that-ship", "That transport does not carry them.", (zone,))
    cargo.go_ashore(run, zone, shore, [(s.type, s.count) for s in specs], combat, only)


# ---------------------------------------------------------------- ships


def _sail(run: Run, order: Move, by_domain: dict[str, list[UnitSpec]], combat: bool, favourite: Piece | None) -> None:
    world, state, power = run.world, run.state, run.power
    start, end = order.route[0], order.route[-1]
    for space in order.route:
        if world.spaces[space].is_land:
            raise Refusal("ship-on-land", f"Ships never enter land such as {name(world, space)}.", (space,))
    named = Counter({s.type: 0 for s in by_domain["land"]})
    for spec in by_domain["land"]:
        named[spec.type] += spec.count
    groups: dict[tuple[SpaceId, ...], list[tuple[Piece, int]]] = {}
    for spec in by_domain["sea"]:
        routes: dict[Piece, tuple[SpaceId, ...]] = {}

        def check(piece: Piece, routes: dict[Piece, tuple[SpaceId, ...]] = routes) -> None:
            routes[piece] = sea_route(world, state, piece, order.route, combat)

        if +named and world.units[spec.type].loads:
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
    riders = list(by_domain["air"])
    by_domain["air"] = []
    hostile = is_hostile_sea(world, state, power, end)
    for route, units in groups.items():
        aboard = _riders(run, route, tuple(units), riders)
        _voyage(run, route, tuple(units), aboard, flying=hostile)
    if combat and hostile:
        sea.check_escort(world, run.state, power, end)
    if riders:
        by_domain["air"] = riders  # planes that no deck takes along fly on their own


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
        route = _shortest(world, route[0], route[1], "sea") or route
    sea.check(world, state, piece, route, combat)
    return route


def _voyage(run: Run, route: tuple[SpaceId, ...], ships: Units, riders: Units = (), *, flying: bool = False) -> Units:
    """Ships sail with their cargo; fighters aboard are carried, or take off when it goes into battle."""
    power = run.power
    distance = len(route) - 1
    after: list[tuple[Piece, int]] = [
        (msgspec.structs.replace(p, used=p.used + distance, origin=route[-2]), n) for p, n in ships
    ]
    sailed = tuple(after)
    for plane, n in riders:
        if plane.power != power:
            after.append((plane, n))
        elif flying or not run.world.rules.fighters_carried:
            over = route[-2] if flying else ""
            after.append((msgspec.structs.replace(plane, used=plane.used + distance, origin=over), n))
        else:
            after.append((msgspec.structs.replace(plane, done=True), n))
    left = (*ships, *riders)
    run.emit(Moved(power, route, (Change(route[0], left), Change(route[-1], (), tuple(after))), left, distance))
    return sailed


def _riders(run: Run, route: tuple[SpaceId, ...], ships: Units, named: list[UnitSpec]) -> Units:
    """Fighters that go along on the departing decks: those named, and those that would have none left."""
    world, state, power = run.world, run.state, run.power
    ours = friends(world, state, power)
    here = state.at(route[0])
    room = deck_space(world, dict(ships), ours)
    if not room:
        return ()
    staying = add({}, ((p, n - dict(ships).get(p, 0)) for p, n in here.items()))
    left_room = deck_space(world, staying, ours)
    chosen: list[tuple[Piece, int]] = []
    for plane in room:
        idle = [
            (p, n) for p, n in in_order(here) if p.type == plane and p.power in ours and not p.origin and not p.used
        ]
        idle.sort(key=lambda item: item[0].power != power)
        wanted = 0
        for spec in list(named):
            if spec.type == plane:
                wanted += spec.count
                named.remove(spec)
        homeless = sum(n for _, n in idle) - left_room.get(plane, 0)
        if wanted > room[plane]:
            raise Refusal(
                "decks-too-small",
                f"The carriers have room for {amount(world, plane, room[plane])} only.",
                (route[0],),
            )
        own = sum(n for p, n in idle if p.power == power)
        if wanted > own:
            raise Refusal(
                "guests-cannot-go-along",
                f"Only {own} of your planes in {name(world, route[0])} can go along.",
                (route[0],),
            )
        going = min(room[plane], max(wanted, homeless))
        for piece, n in idle:
            some = min(going, n)
            if some > 0:
                chosen.append((piece, some))
                going -= some
    return tuple(chosen)


# ---------------------------------------------------------------- planes


def _fly(
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
            flights.setdefault(_best_way(run, ways[piece], piece), []).append((piece, n))
    for route, units in flights.items():
        _flight(run, route, tuple(units), order.role)
    settled = run.state
    no_deck = False
    if not combat and world.spaces[end].is_sea:
        settled = _at_rest(world, run.state, power, end)
        no_deck = not any(end in deck.zones for deck in landing.Landings(world, run.state, power).decks)
    if no_deck or landing.homeless(world, settled, power) > before:
        raise _no_landing(world, run.state, power, end, combat, flights)
    for route, units in flights.items():
        _meet_trouble(run, route, tuple(units), order.role, combat)


def _at_rest(world: World, state: State, power: PowerId, zone: SpaceId) -> State:
    """The state as if the planes over the zone flew no further: a deck has to be for them there (CL-AIR-02)."""
    stack: dict[Piece, int] = {}
    for piece, n in state.at(zone).items():
        stays = piece.power == power and world.units[piece.type].domain == "air"
        stack = add(stack, ((msgspec.structs.replace(piece, done=True) if stays else piece, n),))
    return msgspec.structs.replace(state, units={**state.units, zone: stack})


def flight_routes(world: World, state: State, piece: Piece, order: Move, combat: bool) -> list[tuple[SpaceId, ...]]:
    """Routes that the plane may take, best first."""
    role = None if order.role == paradrop.ROLE else order.role  # laden planes are known by their load
    if len(order.route) > 2 or order.route[0] == order.route[-1]:
        routes = [order.route]
    else:
        air.check_free(world, state, piece, combat)
        routes = air.routes_to(air.route_tables(world, state, piece, order.route[0], combat), order.route[1])
        if not routes:
            routes = [_shortest(world, order.route[0], order.route[1], "air") or order.route]
            if not combat and len(routes[0]) - 1 <= type_of(world, state, piece).move - piece.used:
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
    left = type_of(world, state, piece).move - piece.used
    possible = air.affordable(world, state, ways, spare_money(world, state, piece.power))
    for way in possible:
        if near.get(way[-1], 99) <= left - (len(way) - 1):
            return way
    return min(possible or ways, key=len)


def _flight(run: Run, route: tuple[SpaceId, ...], units: Units, role: str | None) -> None:
    power = run.power
    combat = phase_name(run.world, run.state) == "combat-move"
    distance = len(route) - 1
    after = tuple(
        (
            msgspec.structs.replace(
                p,
                used=p.used + distance,
                origin=route[-2] if combat else "",
                mark="raid" if role == "raid" else p.mark,
            ),
            n,
        )
        for p, n in units
    )
    run.emit(Moved(power, route, (Change(route[0], units), Change(route[-1], (), after)), units, distance))


def _meet_trouble(run: Run, route: tuple[SpaceId, ...], units: Units, role: str | None, combat: bool) -> None:
    """Violated neutrals are paid for and guns on the way fire, as the planes pass (CL-NEU-03, CL-AA-05)."""
    if not combat:
        return
    world, power = run.world, run.power
    neutrals = air.neutrals_on_route(world, run.state, route)
    fee = (world.rules.neutral_fee or 0) * len(neutrals)
    if fee > spare_money(world, run.state, power):
        raise Refusal(
            "overflight-too-dear",
            f"Flying over {len(neutrals)} neutral countries costs {fee}: too much.",
            neutrals,
        )
    for space in neutrals:
        overfly(run, power, space)
    guns = air.guns_on_route(world, run.state, power, route)
    if guns:
        distance = len(route) - 1
        group = {
            msgspec.structs.replace(
                p, used=p.used + distance, origin=route[-2], mark="raid" if role == "raid" else p.mark
            ): n
            for p, n in units
        }
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
    words = " and ".join(amount(world, p.type, n) for p, n in planes)
    if combat:
        return Refusal(
            "no-landing-after-attack",
            f"After an attack on {name(world, end)} there would be no place in range to land {words}.",
            (end,),
        )
    if world.spaces[end].is_sea:
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


# ---------------------------------------------------------------- limits


def _check_limits(world: World, state: State, power: PowerId, end: SpaceId, moved: set[UnitId]) -> None:
    check_stack_limit(world, state, end)
    for unit, stacks in world.rules.pieces.items():
        if unit not in moved:
            continue
        places = sum(1 for stack in state.units.values() if any(p.power == power and p.type == unit for p in stack))
        if places > stacks:
            raise Refusal(
                "too-few-pieces-for-stack",
                f"There are pieces for {stacks} stacks of {world.units[unit].plural} only.",
                (end,),
            )


def check_stack_limit(world: World, state: State, space: SpaceId) -> None:
    """At most so many guns or complexes in a territory (CL-AA-06, CL-PRD-05)."""
    if not world.spaces[space].is_land:
        return
    totals: Counter[UnitId] = Counter()
    for piece, n in state.at(space).items():
        totals[piece.type] += n
    for unit, n in totals.items():
        limit = world.units[unit].limit
        if limit is not None and n > limit:
            reason = "too-many-complexes" if world.units[unit].factory else "too-many-guns"
            raise Refusal(reason, f"{name(world, space)} can hold {amount(world, unit, limit)} only.", (space,))
