"""Movement of planes: range, routes, what they fly over and where they may end."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import pairwise

from sandtable.engine import access
from sandtable.engine.facts import (
    can_be_fought,
    deck_space,
    drops,
    friendly_at_start,
    has_enemy_gun,
    is_aloof,
    is_enemy_land,
    is_friendly,
    is_occupied,
    lands_on_decks,
    name,
    neutral_land,
    no_border,
    taken_this_turn,
    type_of,
)
from sandtable.engine.movement import roles
from sandtable.engine.neutral import army_of
from sandtable.engine.relations import enemies, friends, leans_to
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitType, World

Routes = dict[SpaceId, tuple[SpaceId, ...]]


def check_free(world: World, state: State, piece: Piece, combat: bool) -> UnitType:
    """Refuse a plane that cannot fly at all in this phase."""
    kind = type_of(world, state, piece)
    if piece.done and piece.mark == "flown":
        raise Refusal("plane-has-unloaded", f"This {kind.name} has landed with troops and cannot fly on this turn.")
    if piece.done:
        raise Refusal("plane-was-carried", f"This {kind.name} was carried by its carrier and cannot fly this turn.")
    if combat and world.rules.interdiction and world.rules.interdiction in piece.marks:
        raise Refusal("plane-is-tired", f"This {kind.name} attacked ships and makes no combat move this turn.")
    if combat and piece.origin:
        raise Refusal(
            "plane-is-attacking-already",
            f"This {kind.name} is on its way to a battle already.",
        )
    return kind


def distances(
    world: World, state: State, power: PowerId, start: SpaceId, limit: int, *, over_neutrals: bool
) -> dict[SpaceId, int]:
    """Spaces within the limit by air, with their distance."""
    found = {start: 0}
    sky = world.sky(power)
    closed = access.closed_land(world, state, power)
    barred = closed if over_neutrals else closed | neutral_land(world, state)
    layer = [start]
    for distance in range(1, limit + 1):
        following = []
        for here in layer:
            for space in sky[here]:
                if space not in found and space not in barred:
                    found[space] = distance
                    following.append(space)
        layer = following
    return found


def gun_sites(world: World, state: State, power: PowerId) -> set[SpaceId]:
    """Every territory with an enemy gun."""
    hostile = enemies(world, state, power)
    return {
        space
        for space, stack in state.units.items()
        for piece in stack
        if piece.power in hostile and type_of(world, state, piece).anti_air and world.spaces[space].is_land
    }


def no_fly(world: World, state: State, power: PowerId) -> frozenset[SpaceId]:
    """Land that the power's planes may not enter, apart from what its skies leave out anyway (`World.sky`)."""
    closed = access.closed_land(world, state, power)
    return closed | neutral_land(world, state) if world.rules.neutrals == "closed" else closed


def route_table(
    world: World, power: PowerId, start: SpaceId, limit: int, avoid: Container[SpaceId], closed: Iterable[SpaceId] = ()
) -> Routes:
    """A shortest route to every space in range that passes over nothing to be avoided; its end may be such a space.

    What is `closed` is not even an end.
    """
    routes: Routes = {start: (start,), **dict.fromkeys(closed, ())}
    sky = world.sky(power)
    layer = [start]
    for _ in range(limit):
        following = []
        for here in layer:
            route = routes[here]
            for space in sky[here]:
                if space not in routes:
                    routes[space] = (*route, space)
                    if space not in avoid:
                        following.append(space)
        layer = following
    return {space: route for space, route in routes.items() if route}


def route_tables(
    world: World, state: State, piece: Piece, start: SpaceId, combat: bool, role: str | None = None
) -> list[Routes]:
    """Routes to everything in range, best first: past no gun and no neutral, then with ever more trouble."""
    left = roles.range_left(world, state, piece, start, role)
    neutrals = neutral_land(world, state)
    closed = no_fly(world, state, piece.power) - {start}
    if not combat:
        return [route_table(world, piece.power, start, left, neutrals, closed)]
    drop = drops(world, state, piece.power) if piece.cargo else None
    if drop is not None and not drop.passes:
        neutrals |= {s for s in state.owners if is_enemy_land(world, state, piece.power, s)}
    guns = gun_sites(world, state, piece.power) if world.rules.overflight_fire else set()
    troubles: list[Container[SpaceId]] = [neutrals | guns, neutrals]
    if world.rules.neutrals == "fee":
        troubles += [guns, ()]
    return [route_table(world, piece.power, start, left, avoid, closed) for avoid in troubles]


def routes_to(tables: list[Routes], end: SpaceId) -> list[tuple[SpaceId, ...]]:
    """The different routes to one space, best first: a way past no gun and no neutral, even if it is longer."""
    return list(dict.fromkeys(table[end] for table in tables if end in table))


def affordable(world: World, state: State, ways: list[tuple[SpaceId, ...]], money: int) -> list[tuple[SpaceId, ...]]:
    """The routes whose neutrals this much money can pay for."""
    fee = world.rules.neutral_fee
    return [w for w in ways if len(neutrals_on_route(world, state, w)) * fee <= money]


def check(world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool, role: str | None) -> None:
    """Refuse a flight for its range, its route or its end; landing places are judged by `landing`."""
    kind = check_free(world, state, piece, combat)
    plane = kind.name
    for a, b in pairwise(route):
        if b not in world.neighbours[a]:
            raise no_border(world, a, b, "no-border-for-plane")
        if access.is_closed(world, state, piece.power, b):
            raise access.refusal(world, state, piece.power, b)
    left = roles.range_left(world, state, piece, route[0], role)
    if len(route) - 1 > left:
        reason = "too-far-for-plane" if combat else "too-far-for-plane-in-noncombat"
        raise Refusal(
            "too-far-for-kamikaze" if role == roles.KAMIKAZE else reason,
            f"The {plane} can fly {left} more space{'' if left == 1 else 's'} this turn, "
            f"and {name(world, route[-1])} is {len(route) - 1} away.",
            (route[-1],),
        )
    end = route[-1]
    if combat:
        if world.rules.neutrals == "armies":
            _check_neutrals(world, state, route)
        if piece.cargo:
            _check_drop(world, state, piece, plane, route)
            return
        _check_target(world, state, piece, kind, (route[0], end), role)
        return
    for space in route[1:]:
        if is_aloof(world, state, space):
            raise Refusal(
                "neutral-overflight-in-noncombat",
                f"Planes may not enter neutral {name(world, space)} in the non-combat move.",
                (space,),
            )
    _check_rest(world, state, piece, kind, end)


def _check_neutrals(world: World, state: State, route: tuple[SpaceId, ...]) -> None:
    """No plane passes over neutral land; what it attacks is its goal (G40-NEU-06, G40-NEU-12)."""
    for space in route[1:-1]:
        if is_aloof(world, state, space):
            text = f"Planes do not fly over neutral {name(world, space)}, unless they attack it."
            raise Refusal("plane-passes-neutral", text, (space,))


def _check_drop(world: World, state: State, piece: Piece, plane: str, route: tuple[SpaceId, ...]) -> None:
    """Troops aboard leave the plane over enemy land, mostly over the first that it enters (AN-TEC-08, MX09-21)."""
    if access.may_not_attack(world, state, piece.power, route[-1]):
        raise access.refusal(world, state, piece.power, route[-1])
    drop = drops(world, state, piece.power)
    for space in route[1:-1] if drop is None or not drop.passes else ():
        if is_enemy_land(world, state, piece.power, space):
            raise Refusal(
                "drop-at-first-hostile-territory",
                f"The {plane} has to drop its troops in hostile {name(world, space)} already.",
                (space,),
            )
    if not is_enemy_land(world, state, piece.power, route[-1]):
        raise Refusal(
            "drop-outside-hostile-territory",
            "Troops can be dropped into hostile territories only, not there.",
            (route[-1],),
        )


def _check_target(
    world: World, state: State, piece: Piece, kind: UnitType, ends: tuple[SpaceId, SpaceId], role: str | None
) -> None:
    plane, end = kind.name, ends[1]
    if access.may_not_attack(world, state, piece.power, end):
        raise access.refusal(world, state, piece.power, end)
    if role is None and is_refuge(world, state, piece, *ends):
        return
    if is_aloof(world, state, end) and leans_to(world, state, piece.power, end):
        text = f"{name(world, end)} leans to your side: it is not attacked."
        raise Refusal("leaning-land-in-combat-move", text, (end,))
    if is_aloof(world, state, end) and not (world.rules.neutrals == "armies" and army_of(world, end)):
        raise Refusal(
            "plane-over-neutral",
            f"A {plane} cannot stop in neutral {name(world, end)}: nothing is there.",
            (end,),
        )
    if role is not None:
        roles.check(world, state, piece.power, kind, end, role)
        return
    if not is_air_target(world, state, piece.power, end):
        if taken_this_turn(world, state, piece.power, end):
            raise Refusal(
                "nothing-left-to-attack",
                f"{name(world, end)} was just taken: there is nothing left for a {plane} to attack.",
                (end,),
            )
        if world.spaces[end].is_land and not is_enemy_land(world, state, piece.power, end):
            raise Refusal(
                "friendly-land-for-plane",
                f"{name(world, end)} is friendly: the {plane} can fly there in the non-combat move.",
                (end,),
            )
        raise Refusal(
            "nothing-to-attack",
            f"There is nothing in {name(world, end)} for a {plane} to attack.",
            (end,),
        )


def is_refuge(world: World, state: State, piece: Piece, start: SpaceId, end: SpaceId) -> bool:
    """A plane among former allies may go there before it comes to a fight (MX20-05)."""
    if piece.origin or not access.is_beset(world, state, piece.power, start):
        return False
    if world.spaces[end].is_land:
        return friendly_at_start(world, state, piece.power, end)
    decks = deck_space(world, state, state.at(end), friends(world, state, piece.power))
    return bool(decks.get(piece.type)) and not is_occupied(world, state, piece.power, end)


def may_cover(world: World, state: State, power: PowerId, end: SpaceId) -> bool:
    """Planes may go to a zone from which the power lands troops, in case enemies scramble there (G40-AMP-02)."""
    return (
        world.rules.sorties
        and world.spaces[end].is_sea
        and any(c.target and c.power == power for ship in state.at(end) for c in ship.cargo)
    )


def is_air_target(world: World, state: State, power: PowerId, end: SpaceId) -> bool:
    """Planes can attack units there; a gun alone can be flown at as well, though only it will fire (CL-AA-01)."""
    if access.may_not_attack(world, state, power, end):
        return False
    if can_be_fought(world, state, power, end) or has_enemy_gun(world, state, power, end):
        return True
    if may_cover(world, state, power, end):
        return True
    if world.rules.neutrals != "armies" or not is_aloof(world, state, end) or leans_to(world, state, power, end):
        return False
    return bool(army_of(world, end))


def _check_rest(world: World, state: State, piece: Piece, kind: UnitType, end: SpaceId) -> None:
    plane = kind.name
    if piece.cargo and not friendly_at_start(world, state, piece.power, end):
        text = f"Troops are flown only to land where the {plane} may land: friendly since the turn began."
        raise Refusal("airlift-without-landing-place", text, (end,))
    if world.spaces[end].is_land:
        if not friendly_at_start(world, state, piece.power, end):
            if is_friendly(world, state, piece.power, end):
                raise Refusal(
                    "landing-in-captured-land",
                    f"{name(world, end)} was taken this turn: no plane may land there yet.",
                    (end,),
                )
            raise Refusal(
                "landing-in-unfriendly-land",
                f"{name(world, end)} is not friendly: a {plane} cannot land there.",
                (end,),
            )
        return
    if not lands_on_decks(world, piece.type):
        raise Refusal(
            "plane-never-lands-on-carriers",
            f"A {plane} cannot land on a carrier.",
            (end,),
        )


def guns_on_route(world: World, state: State, power: PowerId, route: tuple[SpaceId, ...]) -> tuple[SpaceId, ...]:
    """Territories that are flown over and whose gun fires at the planes (CL-AA-05)."""
    if not world.rules.overflight_fire:
        return ()
    return tuple(s for s in route[1:-1] if has_enemy_gun(world, state, power, s))


def neutrals_on_route(world: World, state: State, route: tuple[SpaceId, ...]) -> tuple[SpaceId, ...]:
    """Neutral land whose air space is violated, each once (CL-NEU-03, CL-NEU-05)."""
    return tuple(dict.fromkeys(s for s in route[1:-1] if is_aloof(world, state, s)))


def spread(
    start: Iterable[SpaceId], graph: Mapping[SpaceId, tuple[SpaceId, ...]], barred: Container[SpaceId]
) -> dict[SpaceId, int]:
    """Steps from the nearest of some spaces; what is barred can be reached but not passed."""
    layer = list(start)
    found = dict.fromkeys(layer, 0)
    distance = 0
    while layer:
        distance += 1
        following = []
        for here in layer:
            for space in graph[here]:
                if space not in found:
                    found[space] = distance
                    if space not in barred:
                        following.append(space)
        layer = following
    return found
