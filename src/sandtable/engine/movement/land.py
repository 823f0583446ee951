"""Movement of land units over land."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec

from sandtable.engine import access
from sandtable.engine.facts import (
    all_such,
    can_be_fought,
    has_enemy_gun,
    is_enemy_land,
    is_neutral,
    is_occupied,
    listed,
    name,
    no_border,
    spare_money,
    taken_this_turn,
    type_of,
)
from sandtable.engine.relations import leans_to
from sandtable.engine.special import liberation, lines, underground
from sandtable.engine.state import ABSENT, Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitType, World

Ground = Literal["friendly", "empty", "guns", "battle", "neutral", "leaning", "barred"]
"""What land is to a mover: own side's · enemy-controlled without units · with guns or complexes only · defended ·
neutral · neutral and ready to join · closed to this power."""

LAND_REASONS = {  # why a unit may not go on from a territory, or not end its move there
    "leaning-land-in-combat-move": "{place} leans to your side: the {unit} can enter it in the non-combat move.",
    "stops-in-neutral": "The {unit} must stop in neutral {place}.",
    "enemy-units-stop-land-unit": "Enemy units in {place} stop the {unit}.",
    "enemy-units-stop-land-unit-in-noncombat": "Enemy units in {place} stop the {unit}.",
    "enemy-land-in-noncombat": "{place} is enemy-controlled.",
    "underground-stops-land-unit": "People resist you in {place}: the {unit} has to stop there.",
    "line-stops-land-unit": "A line of fortifications bars the way into {place}: the {unit} has to stop there.",
    "gun-never-attacks": "The {unit} never attacks: it does not go to {place} in the combat move.",
    "blitz-by-other-unit": "Only {blitzers} can go on through empty {place}.",
    "friendly-land-in-combat-move": "{place} is friendly: the {unit} can go there in the non-combat move.",
    "neutral-land-too-dear": "Entering neutral {place} costs {fee}, and there is too little money.",
    "neutral-land-in-noncombat": "{place} is neutral: no combat in the non-combat move.",
    "unfriendly-land-in-noncombat": "{place} is not friendly: no combat in the non-combat move.",
    "enemy-units-in-noncombat": "{place} is not friendly: no combat in the non-combat move.",
    "gun-to-neutral-land": "{place} is neutral: no combat in the non-combat move.",
    "gun-to-unfriendly-land": "{place} is not friendly: no combat in the non-combat move.",
    "gun-to-enemy-units": "{place} is not friendly: no combat in the non-combat move.",
}
NONCOMBAT_REASONS = {  # of not ending there: can the unit attack, and whose ground is it
    (True, "neutral"): "neutral-land-in-noncombat",
    (True, "empty"): "unfriendly-land-in-noncombat",
    (True, "guns"): "enemy-units-in-noncombat",
    (True, "battle"): "enemy-units-in-noncombat",
    (False, "neutral"): "gun-to-neutral-land",
    (False, "empty"): "gun-to-unfriendly-land",
    (False, "guns"): "gun-to-enemy-units",
    (False, "battle"): "gun-to-enemy-units",
}
CLOSED = "closed"  # for reasons of `access`


class Entry(NamedTuple):
    """What entering a territory means for a unit on its way; an empty reason is none."""

    stop: str  # why it may not end its move there
    on: str  # why it may not go on from there
    blitzed: bool  # it has taken empty enemy land by then


def ground(world: World, state: State, power: PowerId, space: SpaceId) -> Ground:
    if access.is_closed(world, state, power, space):
        return "barred"
    if is_neutral(world, state, space) and not is_enemy_land(world, state, power, space):
        return "leaning" if leans_to(world, state, power, space) else "neutral"
    if is_enemy_land(world, state, power, space):
        if access.may_not_attack(world, state, power, space):
            return "barred"
        if not is_occupied(world, state, power, space):
            waits = world.rules.capitals_taken_in_combat and world.spaces[space].capital_of is not None
            return "guns" if waits else "empty"
        if can_be_fought(world, state, power, space) or _own_planes_over(world, state, power, space):
            return "battle"
        return "guns"
    if not can_be_fought(world, state, power, space):
        return "friendly"
    return "barred" if access.ally_in_the_way(world, state, power, space) is not None else "battle"


def blitzed_through(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Empty enemy land, or land that was so before this turn's moves."""
    return ground(world, state, power, space) == "empty" or taken_this_turn(world, state, power, space)


def falls(world: World, state: State, power: PowerId, space: SpaceId, where: Ground) -> bool:
    """Such land is taken as soon as a unit that can take it gets there."""
    if lines.may_appear(world, state, power, space) or liberation.awaits(world, state, space):
        return False
    return where in ("empty", "neutral") or (where == "guns" and not world.rules.guns_taken_in_combat)


def _own_planes_over(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Planes sent against a lone gun: it fires at them before anybody takes the land (CL-AA-01)."""
    return any(
        p.power == power and p.mark not in ABSENT and world.units[p.type].domain == "air" for p in state.at(space)
    ) and has_enemy_gun(world, state, power, space)


def check_free(world: World, state: State, piece: Piece, combat: bool) -> UnitType:
    """Refuse a land unit that cannot move at all in this phase."""
    kind = type_of(world, state, piece)
    if kind.move == 0:
        raise Refusal("unit-never-moves", f"{all_such(kind)} never move.")
    if combat and not kind.attacks and not kind.moves_early:
        raise Refusal("gun-never-attacks", f"{all_such(kind)} never attack; they move in the non-combat move.")
    if piece.done:
        landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
        if landed:
            reason = "landed-already" if kind.attacks else "gun-landed-already"
        elif piece.mark == "flown":
            reason = "flown-already"
        else:
            reason = "moved-already" if kind.attacks else "gun-moved-already"
        text = f"This {kind.name} has already moved, landed or fought this turn."
        raise Refusal(reason, text, rules=kind.cite(reason))
    return kind


def enter(
    world: World,
    state: State,
    power: PowerId,
    kind: UnitType,
    space: SpaceId,
    combat: bool,
    blitzed: bool,
    start: SpaceId,
) -> Entry:
    """One step of the way, from `start`: every rule about where land units of this kind may go and stay."""
    entry = _enter(world, state, power, kind, space, combat, blitzed)
    if not entry.on and world.undergrounds and underground.blocks(world, state, power, space):
        return entry._replace(on="underground-stops-land-unit")
    if not entry.on and combat and lines.bars(world, state, power, start, space):
        return entry._replace(on="line-stops-land-unit")
    return entry


def _enter(
    world: World, state: State, power: PowerId, kind: UnitType, space: SpaceId, combat: bool, blitzed: bool
) -> Entry:
    where = ground(world, state, power, space)
    if where == "barred":
        return Entry(CLOSED, CLOSED, blitzed)
    if where == "friendly":
        if combat and taken_this_turn(world, state, power, space):  # moves are made together: it is hostile for all
            return Entry("", "" if kind.blitz else "blitz-by-other-unit", True)
        free = not combat or blitzed or kind.moves_early
        return Entry("" if free else "friendly-land-in-combat-move", "", blitzed)
    if where == "leaning":
        if combat:
            return Entry("leaning-land-in-combat-move", "stops-in-neutral", blitzed)
        return Entry("" if kind.captures else "gun-to-neutral-land", "stops-in-neutral", blitzed)
    if not combat:
        stop = NONCOMBAT_REASONS[kind.attacks, where]
        if where == "neutral":
            return Entry(stop, "stops-in-neutral", blitzed)
        return Entry(
            stop,
            "enemy-land-in-noncombat" if where == "empty" else "enemy-units-stop-land-unit-in-noncombat",
            blitzed,
        )
    if not kind.attacks:  # on the tow of somebody who passes there, or not at all
        return Entry("gun-never-attacks", "" if where == "empty" and kind.blitz else "gun-never-attacks", True)
    if where == "neutral":
        paid = spare_money(world, state, power) >= world.rules.neutral_fee
        return Entry("" if paid else "neutral-land-too-dear", "stops-in-neutral", blitzed)
    if where == "empty":
        return Entry("", "" if kind.blitz else "blitz-by-other-unit", True)
    return Entry("", "enemy-units-stop-land-unit", blitzed)


def _refusal(world: World, state: State, power: PowerId, kind: UnitType, space: SpaceId, reason: str) -> Refusal:
    if reason == CLOSED:
        return access.refusal(world, state, power, space)
    text = LAND_REASONS[reason].format(
        unit=kind.name,
        place=name(world, space),
        fee=world.rules.neutral_fee,
        blitzers=listed([u.plural for u in world.units.values() if u.blitz]),
    )
    return Refusal(reason, text, (space,))


def _leaves(world: World, state: State, piece: Piece, start: SpaceId, combat: bool) -> bool:
    """Among former allies it may go to friendly land before it comes to a fight (MX20-05)."""
    return combat and not piece.origin and access.is_beset(world, state, piece.power, start)


def reach(world: World, state: State, piece: Piece, start: SpaceId, combat: bool) -> dict[SpaceId, tuple[SpaceId, ...]]:
    """Land that the piece may move to now, each with the route it would take.

    A route over friendly land is preferred to one that takes empty enemy land on the way.
    """
    try:
        kind = check_free(world, state, piece, combat)
    except Refusal:
        return {}
    power = piece.power
    found: dict[SpaceId, tuple[SpaceId, ...]] = {}
    # (space, has blitzed) -> route; a blitz makes friendly land a legal end of a combat move
    leaves = _leaves(world, state, piece, start, combat)
    before = (combat and piece.used > 0) or leaves
    seen: set[tuple[SpaceId, bool]] = {(start, before)}
    layer: list[tuple[tuple[SpaceId, ...], bool]] = [((start,), before)]
    for _ in range(kind.move - piece.used):
        following: list[tuple[tuple[SpaceId, ...], bool]] = []
        for route, blitzed in sorted(layer, key=lambda item: item[1]):
            for space in world.land[route[-1]]:
                stop, on, now = enter(world, state, power, kind, space, combat, blitzed, route[-1])
                if not stop and space not in found and (space != start or (blitzed and not leaves)):
                    found[space] = (*route, space)
                if not on and (space, now) not in seen:
                    seen.add((space, now))
                    following.append(((*route, space), now))
        layer = following
    return found


def is_open_neighbour(
    world: World, state: State, piece: Piece, kind: UnitType, ends: tuple[SpaceId, ...], combat: bool
) -> bool:
    """Most moves go to the territory next door: the straight way, which `reach` would find too, is open."""
    start, end = ends
    if end not in world.land[start] or piece.used >= kind.move:
        return False
    before = (combat and piece.used > 0) or _leaves(world, state, piece, start, combat)
    return not enter(world, state, piece.power, kind, end, combat, before, start).stop


def check(
    world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool, leader: UnitType | None = None
) -> None:
    """Refuse a route that the piece may not walk; a `leader` takes it along as far and as freely as it goes itself."""
    kind = check_free(world, state, piece, combat)
    if leader is not None:
        kind = msgspec.structs.replace(kind, move=leader.move, blitz=leader.blitz)
    unit = kind.name
    for a, b in pairwise(route):
        if b not in world.neighbours[a]:
            raise no_border(world, a, b, "no-border-for-land-unit")
        if not world.spaces[b].is_land:
            raise Refusal(
                "boarding-ends-overland-move",
                f"The {unit} cannot board in {name(world, b)} after moving overland: boarding is a unit's whole move.",
                (b,),
            )
    if len(route) - 1 > kind.move - piece.used:
        left = kind.move - piece.used
        reason = "too-far-for-slow-unit" if kind.move == 1 else "too-far-for-fast-unit"
        raise Refusal(
            reason,
            f"The {unit} can move {left} more territor{'y' if left == 1 else 'ies'} this turn, "
            f"and {name(world, route[-1])} is {len(route) - 1} away.",
            (route[-1],),
            rules=kind.cite(reason),
        )
    blitzed = (combat and piece.used > 0) or _leaves(world, state, piece, route[0], combat)
    for place, space in enumerate(route[1:], 2):
        stop, on, blitzed = enter(world, state, piece.power, kind, space, combat, blitzed, route[place - 2])
        if why := stop if place == len(route) else on:
            raise _refusal(world, state, piece.power, kind, space, why)
