"""Movement of land units over land."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import msgspec

from sandtable.engine import access
from sandtable.engine.facts import (
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
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitType, World

Ground = Literal["friendly", "empty", "guns", "battle", "neutral", "barred"]
"""What land is to a mover: own side's · enemy-controlled without units · with guns or complexes only · defended ·
neutral · closed to this power."""

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


def ground(world: World, state: State, power: PowerId, space: SpaceId) -> Ground:
    if access.is_closed(world, state, power, space):
        return "barred"
    if is_neutral(world, state, space):
        return "neutral"
    if is_enemy_land(world, state, power, space):
        if not is_occupied(world, state, power, space):
            return "empty"
        if can_be_fought(world, state, power, space) or _own_planes_over(world, state, power, space):
            return "battle"
        return "guns"
    return "battle" if can_be_fought(world, state, power, space) else "friendly"


def falls(world: World, where: Ground) -> bool:
    """Such land is taken as soon as a unit that can take it gets there."""
    return where in ("empty", "neutral") or (where == "guns" and not world.rules.guns_taken_in_combat)


def _own_planes_over(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Planes sent against a lone gun: it fires at them before anybody takes the land (CL-AA-01)."""
    return any(
        p.power == power and p.mark != "raid" and world.units[p.type].domain == "air" for p in state.at(space)
    ) and has_enemy_gun(world, state, power, space)


def check_free(world: World, state: State, piece: Piece, combat: bool) -> UnitType:
    """Refuse a land unit that cannot move at all in this phase."""
    kind = type_of(world, state, piece)
    if kind.move == 0:
        raise Refusal("unit-never-moves", f"A {kind.name} never moves.")
    if combat and not kind.attacks:
        raise Refusal("gun-never-attacks", f"A {kind.name} never attacks; it moves in the non-combat move.")
    if piece.done:
        landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
        if landed:
            reason = "landed-already" if kind.attacks else "gun-landed-already"
        else:
            reason = "moved-already" if kind.attacks else "gun-moved-already"
        raise Refusal(reason, f"This {kind.name} has already moved, landed or fought this turn.")
    return kind


def reach(world: World, state: State, piece: Piece, start: SpaceId, combat: bool) -> dict[SpaceId, tuple[SpaceId, ...]]:
    """Land that the piece may move to now, each with the route it would take.

    A route over friendly land is preferred to one that takes empty enemy land on the way.
    """
    try:
        kind = check_free(world, state, piece, combat)
    except Refusal:
        return {}
    power = piece.power
    left = kind.move - piece.used
    found: dict[SpaceId, tuple[SpaceId, ...]] = {}
    # (space, has blitzed) -> route; a blitz makes friendly land a legal end of a combat move
    seen: set[tuple[SpaceId, bool]] = {(start, combat and piece.used > 0)}
    layer: list[tuple[tuple[SpaceId, ...], bool]] = [((start,), combat and piece.used > 0)]
    for _ in range(left):
        following: list[tuple[tuple[SpaceId, ...], bool]] = []
        for route, blitzed in sorted(layer, key=lambda item: item[1]):
            for space in world.land[route[-1]]:
                kind_of_ground = ground(world, state, power, space)
                if not _may_enter(kind_of_ground, combat):
                    continue
                path = (*route, space)
                may_stop = (
                    not combat or kind_of_ground != "friendly" or blitzed or taken_this_turn(world, state, power, space)
                )
                if may_stop and space not in found and (space != start or blitzed):
                    found[space] = path
                goes_on = kind_of_ground == "friendly" or (kind_of_ground == "empty" and kind.blitz)
                now = blitzed or kind_of_ground == "empty"
                if goes_on and (space, now) not in seen:
                    seen.add((space, now))
                    following.append((path, now))
        layer = following
    if any(is_neutral(world, state, s) for s in found) and spare_money(world, state, power) < (
        world.rules.neutral_fee or 0
    ):
        return {space: route for space, route in found.items() if not is_neutral(world, state, space)}
    return found


def _may_enter(kind_of_ground: Ground, combat: bool) -> bool:
    return kind_of_ground != "barred" if combat else kind_of_ground == "friendly"


def check(
    world: World, state: State, piece: Piece, route: tuple[SpaceId, ...], combat: bool, leader: UnitType | None = None
) -> None:
    """Refuse a route that the piece may not walk; a `leader` takes it along as far and as freely as it goes itself."""
    kind = check_free(world, state, piece, combat)
    if leader is not None:
        kind = msgspec.structs.replace(kind, move=leader.move, blitz=leader.blitz)
    unit = kind.name
    power = piece.power
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
        raise Refusal(
            "too-far-for-slow-unit" if kind.move == 1 else "too-far-for-fast-unit",
            f"The {unit} can move {left} more territor{'y' if left == 1 else 'ies'} this turn, "
            f"and {name(world, route[-1])} is {len(route) - 1} away.",
            (route[-1],),
        )
    blitzed = combat and piece.used > 0
    for space in route[1:-1]:
        over = ground(world, state, power, space)
        if over == "neutral":
            raise Refusal("stops-in-neutral", f"The {unit} must stop in neutral {name(world, space)}.", (space,))
        if over == "barred":
            raise access.refusal(world, state, power, space)
        if over in ("battle", "guns"):
            raise Refusal(
                "enemy-units-stop-land-unit" if combat else "enemy-units-stop-land-unit-in-noncombat",
                f"Enemy units in {name(world, space)} stop the {unit}.",
                (space,),
            )
        if over == "empty":
            if not combat:
                raise Refusal(
                    "enemy-land-in-noncombat",
                    f"{name(world, space)} is enemy-controlled.",
                    (space,),
                )
            if not kind.blitz:
                blitzers = listed([u.plural for u in world.units.values() if u.blitz])
                raise Refusal(
                    "blitz-by-other-unit",
                    f"Only {blitzers} can go on through empty {name(world, space)}.",
                    (space,),
                )
            blitzed = True
    _check_end(world, state, power, kind, route[-1], combat, blitzed)


def _check_end(
    world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId, combat: bool, blitzed: bool
) -> None:
    unit = kind.name
    last = ground(world, state, power, end)
    if last == "barred":
        raise access.refusal(world, state, power, end)
    if combat:
        if last == "friendly" and not blitzed and not taken_this_turn(world, state, power, end):
            raise Refusal(
                "friendly-land-in-combat-move",
                f"{name(world, end)} is friendly: the {unit} can go there in the non-combat move.",
                (end,),
            )
        fee = world.rules.neutral_fee or 0
        if last == "neutral" and spare_money(world, state, power) < fee:
            raise Refusal(
                "neutral-land-too-dear",
                f"Entering neutral {name(world, end)} costs {fee}, and there is too little money.",
                (end,),
            )
    elif last != "friendly":
        what = "neutral" if last == "neutral" else "not friendly"
        reason = NONCOMBAT_REASONS[kind.attacks, last]
        raise Refusal(reason, f"{name(world, end)} is {what}: no combat in the non-combat move.", (end,))
