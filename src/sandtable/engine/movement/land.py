"""Movement of land units over land."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import msgspec

from sandtable.engine.facts import (
    barred,
    can_be_fought,
    has_enemy_gun,
    is_enemy_land,
    is_neutral,
    is_occupied,
    listed,
    may_enter,
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


def ground(world: World, state: State, power: PowerId, space: SpaceId) -> Ground:
    if world.spaces[space].impassable or (world.skies and not may_enter(world, power, space)):
        return "barred"
    if is_neutral(world, state, space):
        return "neutral" if world.rules.neutral_fee is not None else "barred"
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
        raise Refusal(("CL-UNT-10" if kind.factory else "CL-MOV-13", "AN-CMV-21"), f"A {kind.name} never moves.")
    if combat and not kind.attacks:
        raise Refusal(
            ("CL-AA-07", "CL-AA-08", "AN-CMV-21", "AN-NCM-13", "AN-AAG-08", "AN-UNI-04"),
            f"A {kind.name} never attacks; it moves in the non-combat move.",
        )
    if piece.done:
        landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
        ashore = ("CL-TRP-09", "CL-TRP-10") if kind.attacks else ("CL-TRP-10", "CL-TRP-09")
        moved = ("CL-NCM-01", "CL-MOV-18", "CL-RET-06", "CL-NEU-04", "CL-MOV-19", "CL-MOV-17", "CL-TRP-09")
        an_ashore = ("AN-AMP-17", "AN-CMV-23", "AN-NCM-01", "AN-CBT-27", "AN-CMV-01", "AN-CMV-34")
        an_moved: tuple[str, ...] = (
            "AN-NCM-01",
            "AN-CBT-27",
            "AN-CMV-03",
            "AN-CMV-05",
            "AN-CMV-01",
            "AN-CMV-34",
            "AN-MOB-12",
        )
        if not kind.attacks:
            an_moved = ("AN-AAG-09", *an_moved)
        raise Refusal(
            (*ashore, *an_ashore) if landed else (*moved, *an_moved),
            f"This {kind.name} has already moved, landed or fought this turn.",
        )
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
            raise no_border(world, a, b, "CL-MOV-13", "CL-MOV-14", "AN-CMV-38")
        if not world.spaces[b].is_land:
            raise Refusal(
                ("CL-TRP-09", "CL-MOV-20", "AN-CMV-23", "AN-CMV-38"),
                f"The {unit} cannot board in {name(world, b)} after moving overland: boarding is a unit's whole move.",
                (b,),
            )
    if len(route) - 1 > kind.move - piece.used:
        left = kind.move - piece.used
        raise Refusal(
            (
                *(
                    ("CL-MOV-13", "CL-AA-08", "CL-MOV-14", "CL-MAP-02")
                    if kind.move == 1
                    else ("CL-MOV-14", "CL-MOV-18")
                ),
                *(
                    ("AN-MAP-02", "AN-TEC-15", "AN-AAG-08")
                    if kind.move == 1
                    else ("AN-MAP-02", "AN-UNI-03", "AN-NCM-03")
                ),
                *("AN-UNI-01", "AN-UNI-02"),
            ),
            f"The {unit} can move {left} more territor{'y' if left == 1 else 'ies'} this turn, "
            f"and {name(world, route[-1])} is {len(route) - 1} away.",
            (route[-1],),
        )
    blitzed = combat and piece.used > 0
    for space in route[1:-1]:
        over = ground(world, state, power, space)
        if over == "neutral":
            raise Refusal(
                ("CL-MOV-19", "CL-NEU-04"), f"The {unit} must stop in neutral {name(world, space)}.", (space,)
            )
        if over == "barred":
            raise barred(world, power, space)
        if over in ("battle", "guns"):
            raise Refusal(
                ("CL-MOV-17", "CL-MOV-04", "AN-CMV-05", "AN-CMV-03")
                if combat
                else ("CL-NCM-02", "CL-NCM-03", "AN-NCM-02", "AN-NCM-03"),
                f"Enemy units in {name(world, space)} stop the {unit}.",
                (space,),
            )
        if over == "empty":
            if not combat:
                raise Refusal(
                    ("CL-NCM-02", "CL-MOV-05", "AN-NCM-02", "AN-NCM-03", "AN-CMV-02"),
                    f"{name(world, space)} is enemy-controlled.",
                    (space,),
                )
            if not kind.blitz:
                blitzers = listed([u.plural for u in world.units.values() if u.blitz])
                raise Refusal(
                    ("CL-MOV-15", "AN-CMV-03", "AN-CMV-04"),
                    f"Only {blitzers} can go on through empty {name(world, space)}.",
                    (space,),
                )
            blitzed = True
    _check_end(world, state, power, kind, route[-1], combat, blitzed)


def _check_end(
    world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId, combat: bool, blitzed: bool
) -> None:
    unit, gun = kind.name, not kind.attacks
    last = ground(world, state, power, end)
    if last == "barred":
        raise barred(world, power, end)
    if combat:
        if last == "friendly" and not blitzed and not taken_this_turn(world, state, power, end):
            raise Refusal(
                ("CL-MOV-06", "CL-MOV-01", "AN-CMV-08", "AN-MAP-10"),
                f"{name(world, end)} is friendly: the {unit} can go there in the non-combat move.",
                (end,),
            )
        fee = world.rules.neutral_fee or 0
        if last == "neutral" and spare_money(world, state, power) < fee:
            raise Refusal(
                "CL-NEU-02",
                f"Entering neutral {name(world, end)} costs {fee}, and there is too little money.",
                (end,),
            )
    elif last != "friendly":
        rules = {
            "neutral": ("CL-NCM-02", "CL-NEU-01"),
            "empty": ("CL-MOV-05", "CL-NCM-02", "CL-TRN-02"),
            "guns": ("CL-NCM-03", "CL-NCM-02", "CL-MOV-05", "CL-TRN-02"),
            "battle": ("CL-NCM-03", "CL-NCM-02", "CL-MOV-05", "CL-TRN-02"),
        }[last]
        if gun:
            rules = (*rules, "CL-AA-07", "CL-AA-08", "AN-AAG-08", "AN-NCM-13")
        rules = (*rules, "AN-NCM-02", "AN-CMV-02", "AN-NCM-03", "AN-TRN-01", "AN-MAP-10")
        what = "neutral" if last == "neutral" else "not friendly"
        raise Refusal(rules, f"{name(world, end)} is {what}: no combat in the non-combat move.", (end,))
