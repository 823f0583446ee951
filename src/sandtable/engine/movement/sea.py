"""Movement of ships."""

from __future__ import annotations

from itertools import pairwise

from sandtable.engine import access
from sandtable.engine.facts import canal_closed, is_closed_sea, name, no_border, type_of
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitType, World


def check_free(world: World, state: State, piece: Piece, start: SpaceId, combat: bool) -> UnitType:
    """Refuse a ship that cannot sail at all in this phase."""
    kind = type_of(world, state, piece)
    ship = kind.name
    if piece.mark == "unloaded":
        raise Refusal(
            "ship-has-unloaded",
            f"This {ship} has put units ashore and cannot move any more this turn.",
        )
    if piece.done:
        raise Refusal(
            "ship-has-moved-or-fought",
            f"This {ship} moved or fought in the combat move and stays where it is.",
        )
    if combat and piece.origin and is_closed_sea(world, state, piece.power, kind, start):
        raise Refusal(
            "ship-has-to-fight",
            f"Enemy units in {name(world, start)} stop the {ship}: it has to fight there.",
        )
    return kind


def reach(world: World, state: State, piece: Piece, start: SpaceId, combat: bool) -> dict[SpaceId, tuple[SpaceId, ...]]:
    """Sea zones that the ship may move to now, each with a shortest route."""
    try:
        kind = check_free(world, state, piece, start, combat)
    except Refusal:
        return {}
    found: dict[SpaceId, tuple[SpaceId, ...]] = {}
    layer: list[tuple[SpaceId, ...]] = [(start,)]
    for _ in range(kind.move - piece.used):
        following: list[tuple[SpaceId, ...]] = []
        for route in layer:
            here = route[-1]
            for zone in world.sea[here]:
                if zone == start or zone in found or canal_closed(world, state, piece.power, here, zone, piece.type):
                    continue
                hostile = is_closed_sea(world, state, piece.power, kind, zone)
                if hostile and not combat:
                    continue
                found[zone] = (*route, zone)
                if not hostile:
                    following.append(found[zone])
        layer = following
    return found


def check(world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool) -> None:
    """Refuse a route that the ship may not sail."""
    kind = check_free(world, state, piece, route[0], combat)
    ship = kind.name
    for a, b in pairwise(route):
        if world.spaces[b].is_land:
            raise Refusal("ship-on-land", f"A {ship} never enters land such as {name(world, b)}.", (b,))
        if b not in world.neighbours[a]:
            raise no_border(world, a, b, "no-border-for-ship")
        if access.is_closed(world, state, piece.power, b):
            raise access.refusal(world, state, piece.power, b)
        if canal_closed(world, state, piece.power, a, b, piece.type):
            canal = world.canals[a, b]
            raise Refusal(
                "canal-closed",
                f"The {canal.name} is closed: {name(world, canal.banks[0])}"
                + (f" and {name(world, canal.banks[1])} were" if len(canal.banks) > 1 else " was")
                + " not in friendly hands when the turn began.",
                canal.banks,
                rules=canal.rules,
            )
    left = kind.move - piece.used
    if len(route) - 1 > left:
        raise Refusal(
            "too-far-for-ship",
            f"The {ship} can move {left} more sea zone{'' if left == 1 else 's'} this turn, "
            f"and {name(world, route[-1])} is {len(route) - 1} away.",
            (route[-1],),
        )
    for zone in route[1:-1]:
        if is_closed_sea(world, state, piece.power, kind, zone):
            if kind.slips or kind.first_shot:
                reason = "enemy-units-stop-submarine" if combat else "enemy-units-stop-submarine-in-noncombat"
            else:
                reason = "enemy-units-stop-ship" if combat else "enemy-units-stop-ship-in-noncombat"
            raise Refusal(reason, f"Enemy units in {name(world, zone)} stop the {ship}.", (zone,))
    if not combat and is_closed_sea(world, state, piece.power, kind, route[-1]):
        raise Refusal(
            "submarine-among-enemies-in-noncombat" if kind.slips else "ship-among-enemies-in-noncombat",
            f"Enemy units are in {name(world, route[-1])}: no combat in the non-combat move.",
            (route[-1],),
        )


def is_escorted(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """The power has a unit in the zone that can attack there, or its transports may go without one."""
    if not world.rules.transports_need_escort:
        return True
    return any(p.power == power and type_of(world, state, p).attack for p in state.at(zone))


def check_escort(world: World, state: State, power: PowerId, zone: SpaceId) -> None:
    """Refuse transports that sail into a hostile zone alone; `state` is the one after their move."""
    if not is_escorted(world, state, power, zone):
        raise Refusal(
            "transports-without-escort",
            f"Enemy warships are in {name(world, zone)}: transports enter only with, or after, units that can attack.",
            (zone,),
        )
