"""Rockets: one attack a turn on an enemy complex within range of a gun (CL-TEC-14 to CL-TEC-16).

The rules name no moment for it; it belongs with the raids. It may be fired whenever its power has to answer something
in its combat phase, and until the gun moves in the non-combat move. Only a turn without any battle asks for it.
"""

from __future__ import annotations

from sandtable.engine.events import RocketFired, Rolled
from sandtable.engine.facts import NOTHING, enemies_in, name, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation.orders import Rocket
from sandtable.world.model import PowerId, SpaceId, World
from sandtable.world.profiles import profile


def available(world: World, state: State, power: PowerId) -> bool:
    """The power may still fire a rocket at something this turn."""
    known = profile(world, power, state.techs.get(power, NOTHING)).values()
    return not state.rocket and any(unit.rocket_range for unit in known) and bool(launches(world, state, power))


def launches(world: World, state: State, power: PowerId) -> list[tuple[SpaceId, SpaceId]]:
    """Every gun with the complexes that it can reach."""
    found = []
    for space, reach in guns(world, state, power).items():
        for target, distance in _distances(world, space, reach).items():
            if distance and _has_enemy_complex(world, state, power, target):
                found.append((space, target))
    return found


def guns(world: World, state: State, power: PowerId) -> dict[SpaceId, int]:
    return {
        space: max(type_of(world, state, p).rocket_range for p in stack if p.power == power)
        for space, stack in state.units.items()
        if any(p.power == power and not p.used and type_of(world, state, p).rocket_range for p in stack)
        and world.spaces[space].is_land
    }


def _has_enemy_complex(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    return any(world.units[p.type].factory for p, _ in enemies_in(world, state, power, space))


def _distances(world: World, start: SpaceId, limit: int) -> dict[SpaceId, int]:
    """Spaces of either kind count alike, and neutral land is no obstacle (CL-TEC-16)."""
    found = {start: 0}
    layer = [start]
    for distance in range(1, limit + 1):
        following = []
        for here in layer:
            for space in world.air[here]:
                if space not in found:
                    found[space] = distance
                    following.append(space)
        layer = following
    return found


def fire(run: Run, order: Rocket) -> None:
    world, state, power = run.world, run.state, run.power
    if state.rocket:
        raise Refusal("CL-TEC-15", "Only one rocket attack can be made in a turn.", (order.gun,))
    reach = guns(world, state, power).get(order.gun)
    if reach is None:
        raise Refusal(
            ("CL-TEC-14", "CL-TEC-10"),
            f"No gun of yours in {name(world, order.gun)} can fire rockets.",
            (order.gun,),
        )
    if not _has_enemy_complex(world, state, power, order.target):
        raise Refusal("CL-TEC-14", f"There is no enemy complex in {name(world, order.target)}.", (order.target,))
    if order.target not in _distances(world, order.gun, reach):
        raise Refusal(
            "CL-TEC-16",
            f"{name(world, order.target)} is more than {reach} spaces from {name(world, order.gun)}.",
            (order.gun, order.target),
        )
    run.emit(RocketFired(power, order.gun, order.target))
    faces = run.roll(1)
    gun = next(p for p in state.at(order.gun) if p.power == power and type_of(world, state, p).rocket_range)
    run.emit(Rolled("rocket", power, faces, order.target, 0, ((power, gun.type, 1),), sum(faces)))
    run.pay(state.owners[order.target], -sum(faces), "rocket", order.target)
