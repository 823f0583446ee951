"""What ships may be moved for before combat: to fight, to land troops or support a landing, to leave a hostile zone.

Other moves wait for the non-combat move, where the edition wants it so (AN-CMV-08). A move's purpose may come to light
only with later ones, so it is enough that there could be one.
"""

from __future__ import annotations

from sandtable.engine.bases import steps_left
from sandtable.engine.facts import active, has_enemies, is_closed_sea, type_of
from sandtable.engine.movement import land, sea
from sandtable.engine.recent import remembered
from sandtable.engine.state import Piece, State
from sandtable.world.model import PowerId, SpaceId, World


def has_purpose(world: World, state: State, piece: Piece, route: tuple[SpaceId, ...]) -> bool:
    if not world.rules.combat_moves_need_purpose:
        return True
    power, kind = piece.power, type_of(world, state, piece)
    if is_closed_sea(world, state, power, kind, route[0]):
        return True
    if kind.deck and _planes_out(world, state, power):
        return True  # it may have to be there for them
    landings = assault_zones(world, state, power)

    def calls(zone: SpaceId) -> bool:
        return zone in landings or has_enemies(world, state, power, zone)

    if calls(route[-1]):
        return True
    zones = seen = {route[-1]}
    for left in range(steps_left(world, state, piece, route[0]) - len(route), -1, -1):
        following = set()
        for here in zones:
            for there in world.sea[here]:
                found = there not in seen and calls(there)
                if (found or (left and there not in seen)) and not sea.enter(
                    world, state, power, kind, here, there, True
                ).stop:
                    if found:
                        return True
                    following.add(there)
        seen = seen | following
        zones = following
    return False


def _planes_out(world: World, state: State, power: PowerId) -> bool:
    return any(
        p.power == power and p.origin and type_of(world, state, p).domain == "air"
        for stack in state.units.values()
        for p in stack
    )


@remembered
def assault_zones(world: World, state: State, power: PowerId) -> frozenset[SpaceId]:
    """Zones from which the power's troops could still go ashore against somebody this turn."""
    assert power == active(world, state)
    found: set[SpaceId] = set()
    for zone, stack in state.units.items():
        for ship in stack:
            if ship.power != power or not type_of(world, state, ship).loads or ship.done:
                continue
            zones = {zone} if ship.mark else {zone, *sea.reach(world, state, ship, zone, True)}
            aboard = any(p.power == power for p in ship.cargo) or ship.mark == "unloaded"
            if aboard or any(_has_troops(world, state, power, s) for z in zones for s in world.land[z]):
                found |= {z for z in zones if any(_can_be_taken(world, state, power, s) for s in world.land[z])}
    return frozenset(found)


def _has_troops(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    return any(
        p.power == power
        and not p.used
        and not p.done
        and (k := type_of(world, state, p)).domain == "land"
        and k.attacks
        for p in state.at(space)
    )


def _can_be_taken(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    return land.ground(world, state, power, space) in ("empty", "guns", "battle", "neutral")
