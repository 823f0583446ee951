"""Movement of ships."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from sandtable.engine import access
from sandtable.engine.bases import steps_left
from sandtable.engine.facts import all_such, canal_closed, is_closed_sea, name, no_border, type_of
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
    if not combat and piece.origin and is_closed_sea(world, state, piece.power, kind, start):
        reason = "enemy-units-stop-submarine-in-noncombat"  # no other ship could have gone there
        raise Refusal(reason, SEA_REASONS[reason].format(ship=ship, place=name(world, start)), (start,))
    return kind


SEA_REASONS = {  # why a ship may not go on from a zone, or not end its move there
    "enemy-units-stop-ship": "Enemy units in {place} stop the {ship}.",
    "enemy-units-stop-ship-in-noncombat": "Enemy units in {place} stop the {ship}.",
    "enemy-units-stop-submarine": "Enemy units in {place} stop the {ship}.",
    "enemy-units-stop-submarine-in-noncombat": "Enemy units in {place} stop the {ship}.",
    "ship-among-enemies-in-noncombat": "Enemy units are in {place}: no combat in the non-combat move.",
    "submarine-among-enemies-in-noncombat": "Enemy units are in {place}: no combat in the non-combat move.",
}
CLOSED, KEPT_OUT, CANAL = "closed", "kept-out", "canal"  # for reasons that the space or the canal gives


class Entry(NamedTuple):
    """What sailing into a zone means for a ship; an empty reason is none."""

    stop: str  # why it may not end its move there
    on: str  # why it may not go on from there


OPEN = Entry("", "")


def enter(
    world: World, state: State, power: PowerId, kind: UnitType, here: SpaceId, zone: SpaceId, combat: bool
) -> Entry:
    """One step of the way: every rule about where ships of this kind may go and stay."""
    if canal_closed(world, state, power, here, zone, kind.id):
        return Entry(CANAL, CANAL)
    if access.restricted(world, state) and access.is_closed(world, state, power, zone):
        return Entry(CLOSED, CLOSED)
    kept = KEPT_OUT if world.bans and access.no_stay(world, state, power, kind.id, zone) else ""
    if not is_closed_sea(world, state, power, kind, zone):
        return Entry(kept, "") if kept else OPEN
    if combat and access.may_not_attack(world, state, power, zone):
        return Entry(CLOSED, CLOSED)
    boat = bool(kind.slips or kind.first_shot)
    if combat:
        return Entry(kept, "enemy-units-stop-submarine" if boat else "enemy-units-stop-ship")
    if kind.slips and world.rules.boats_rest_anywhere:
        return Entry(kept, "enemy-units-stop-submarine-in-noncombat")
    return Entry(
        "submarine-among-enemies-in-noncombat" if kind.slips else "ship-among-enemies-in-noncombat",
        "enemy-units-stop-submarine-in-noncombat" if boat else "enemy-units-stop-ship-in-noncombat",
    )


def _refusal(
    world: World, state: State, power: PowerId, kind: UnitType, here: SpaceId, zone: SpaceId, reason: str
) -> Refusal:
    if reason == CLOSED:
        return access.refusal(world, state, power, zone)
    if reason == KEPT_OUT:
        ban = access.no_stay(world, state, power, kind.id, zone)
        assert ban is not None
        return access.ban_refusal(world, power, ban, zone)
    if reason == CANAL:
        canal = world.canals[here, zone]
        return Refusal(
            "canal-closed",
            f"The {canal.name} {'are' if canal.name.endswith('s') else 'is'} closed: {name(world, canal.banks[0])}"
            + (f" and {name(world, canal.banks[1])} were" if len(canal.banks) > 1 else " was")
            + " not in friendly hands when the turn began.",
            canal.banks,
            rules=canal.rules,
        )
    return Refusal(reason, SEA_REASONS[reason].format(ship=kind.name, place=name(world, zone)), (zone,))


def reach(world: World, state: State, piece: Piece, start: SpaceId, combat: bool) -> dict[SpaceId, tuple[SpaceId, ...]]:
    """Sea zones that the ship may move to now, each with a shortest route."""
    try:
        kind = check_free(world, state, piece, start, combat)
    except Refusal:
        return {}
    found: dict[SpaceId, tuple[SpaceId, ...]] = {}
    seen = {start}
    layer: list[tuple[SpaceId, ...]] = [(start,)]
    for _ in range(steps_left(world, state, piece, start)):
        following: list[tuple[SpaceId, ...]] = []
        for route in layer:
            for zone in world.sea[route[-1]]:
                if zone in seen:
                    continue
                stop, on = enter(world, state, piece.power, kind, route[-1], zone, combat)
                if stop and on:
                    continue
                seen.add(zone)
                if not stop:
                    found[zone] = (*route, zone)
                if not on:
                    following.append((*route, zone))
        layer = following
    return found


def check(world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool) -> None:
    """Refuse a route that the ship may not sail."""
    kind = check_free(world, state, piece, route[0], combat)
    ship = kind.name
    for a, b in pairwise(route):
        if world.spaces[b].is_land:
            raise Refusal("ship-on-land", f"{all_such(kind)} never enter land such as {name(world, b)}.", (b,))
        if b not in world.neighbours[a]:
            raise no_border(world, a, b, "no-border-for-ship")
    entries = [enter(world, state, piece.power, kind, a, b, combat) for a, b in pairwise(route)]
    for (a, b), entry in zip(pairwise(route), entries, strict=True):
        if entry.on in (CLOSED, CANAL):
            raise _refusal(world, state, piece.power, kind, a, b, entry.on)
        if entry.on:
            break  # it does not get farther than this anyway
    left = steps_left(world, state, piece, route[0])
    if len(route) - 1 > left:
        raise Refusal(
            "too-far-for-ship",
            f"The {ship} can move {left} more sea zone{'' if left == 1 else 's'} this turn, "
            f"and {name(world, route[-1])} is {len(route) - 1} away.",
            (route[-1],),
        )
    for place, (a, b) in enumerate(pairwise(route), 2):
        entry = entries[place - 2]
        if why := entry.stop if place == len(route) else entry.on:
            raise _refusal(world, state, piece.power, kind, a, b, why)


def is_escorted(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """The power has a unit in the zone that can attack there, or its transports may go without one."""
    if not world.rules.transports_need_escort:
        return True
    return any(p.power == power and type_of(world, state, p).attack for p in state.at(zone))


def check_escort(world: World, state: State, power: PowerId, zone: SpaceId) -> None:
    """Refuse transports and the like that sail into a hostile zone alone; `state` is the one after their move."""
    if not is_escorted(world, state, power, zone):
        raise Refusal(
            "transports-without-escort",
            f"Enemy warships are in {name(world, zone)}: who cannot attack enters only with, or after, units that can.",
            (zone,),
        )
