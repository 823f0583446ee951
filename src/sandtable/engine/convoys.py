"""Convoys: enemy ships in certain zones off a power's coast cost it income (G40-INC-07 to G40-INC-12)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.events import Rolled
from sandtable.engine.facts import pays, type_of
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.conditions import WARSHIPS, unit_kinds
from sandtable.world.model import PowerId, SpaceId, UnitId, World

HIGHEST = 3  # a die that shows more does no harm
Raiders = tuple[tuple[PowerId, UnitId, int], ...]  # whose dice, and how many


def disrupt(run: Run) -> None:
    """Roll for the convoys of the power that collects income, zone by zone, and take what they lose."""
    world, power = run.world, run.power
    if not world.powers[power].convoys:
        return
    coasts = at_risk(world, run.state, power)
    values = {land: pays(world, run.state, land) for lands in coasts.values() for land in lands}
    points: dict[SpaceId, int] = {}
    lost = 0
    for zone in coasts:
        if _loss({**points, zone: sum(values.values())}, coasts, values) == lost:
            continue  # it can cost nothing more
        shooters = raiders(world, run.state, power, zone)
        faces = run.roll(
            sum(n for _, _, n in shooters),
            lambda faces, zone=zone, shooters=shooters: Rolled(  # type: ignore[misc]
                "convoy", power, faces, zone, shooters=shooters, hits=harm(faces)
            ),
        )
        points[zone] = harm(faces)
        total = _loss(points, coasts, values)
        run.pay(power, lost - total, "convoy", zone)
        lost = total


def at_risk(world: World, state: State, power: PowerId) -> dict[SpaceId, list[SpaceId]]:
    """Convoy zones where enemy warships lie, in the order of their numbers, each with the power's coasts."""
    if not world.convoys:
        return {}
    hostile = enemies(world, state, power)
    warships = unit_kinds((WARSHIPS,), world.units)
    found = {}
    for zone in world.convoys:
        coast = [land for land in world.land[zone] if state.owners.get(land) == power]
        watched = coast and any(p.power in hostile and p.type in warships for p in state.at(zone))
        if watched and raiders(world, state, power, zone):
            found[zone] = coast
    return found


def raiders(world: World, state: State, power: PowerId, zone: SpaceId) -> Raiders:
    """The enemy units in the zone that roll, in the edition's order."""
    hostile = enemies(world, state, power)
    dice: dict[tuple[PowerId, UnitId], int] = {}
    for piece, n in state.at(zone).items():
        if piece.power in hostile:
            number = type_of(world, state, piece).convoy_dice * n
            if number:
                dice[piece.power, piece.type] = dice.get((piece.power, piece.type), 0) + number
    order = {unit: place for place, unit in enumerate(world.units)}
    return tuple((p, u, dice[p, u]) for p, u in sorted(dice, key=lambda key: (order[key[1]], key[0])))


def harm(faces: tuple[int, ...]) -> int:
    """What such dice cost: high ones do nothing."""
    return sum(face for face in faces if face <= HIGHEST)


def _loss(points: Mapping[SpaceId, int], coasts: Mapping[SpaceId, list[SpaceId]], values: Mapping[SpaceId, int]) -> int:
    """The largest loss that respects the points of every zone and the value of every territory.

    Points are carried over to territories one after the other; where all of a territory is taken, another zone's
    share of it may be moved to a territory that still pays.
    """
    taken: dict[SpaceId, dict[SpaceId, int]] = {land: {} for land in values}

    def room(land: SpaceId) -> int:
        return values[land] - sum(taken[land].values())

    def take(zone: SpaceId, tried: set[SpaceId]) -> bool:
        for land in coasts[zone]:
            if land in tried:
                continue
            tried.add(land)
            if room(land) <= 0:
                other = next((z for z, n in taken[land].items() if n and z != zone and take(z, tried)), None)
                if other is None:
                    continue
                taken[land][other] -= 1
            taken[land][zone] = taken[land].get(zone, 0) + 1
            return True
        return False

    lost = 0
    for zone, number in points.items():
        for _ in range(min(number, sum(values[land] for land in coasts[zone]))):
            if not take(zone, set()):
                break
            lost += 1
    return lost
