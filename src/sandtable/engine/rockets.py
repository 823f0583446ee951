"""Rockets: attacks on an enemy complex within range of a gun (CL-TEC-14 to CL-TEC-16, AN-TEC-02 to AN-TEC-06).

Classic has one a turn and names no moment for it; it may be fired whenever its power has to answer something in its
combat phase, and until the gun moves in the non-combat move, and only a turn without any battle asks for it. In
Anniversary every territory with a gun has one, and every complex suffers one, before the raids. In Global the guns are
air bases that work, other facilities are targets, too, and nothing flies over neutral land (G40-RES-11, G40-RES-12).
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine import access, cards
from sandtable.engine.damage import hurt
from sandtable.engine.events import RocketFired, Rolled
from sandtable.engine.facts import (
    NOTHING,
    enemies_in,
    is_neutral,
    name,
    neutral_land,
    phase_name,
    taken_this_turn,
    technologies,
    type_of,
    within,
    works,
)
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Rocket
from sandtable.world.model import PowerId, SpaceId, UnitId, World
from sandtable.world.profiles import profile


def available(world: World, state: State, power: PowerId) -> bool:
    """The power may fire a rocket at something now."""
    if state.rocket or not _is_time(world, state) or cards.forbids_word(world, state, "rocket"):
        return False
    known = profile(world, power, state.techs.get(power, NOTHING)).values()
    able = any(unit.rocket_range for unit in known) or any(t.marks_units for t in technologies(world, state, power))
    return able and bool(launches(world, state, power))


def offers(world: World, state: State, power: PowerId) -> tuple[tuple[SpaceId, SpaceId], ...]:
    """Rockets that could be fired now, each as gun and target."""
    return tuple(launches(world, state, power)) if available(world, state, power) else ()


def orders(world: World, state: State, power: PowerId) -> Iterator[Rocket]:
    """The same as orders, which name the facility where there are several."""
    for gun, target in offers(world, state, power):
        there = facilities(world, state, power, target)
        yield from (Rocket(gun, target, unit if len(there) > 1 else None) for unit in there)


def _is_time(world: World, state: State) -> bool:
    if world.rules.rocket_time == "any":
        return True
    return phase_name(world, state) == "combat" and state.battle is None


def launches(world: World, state: State, power: PowerId) -> list[tuple[SpaceId, SpaceId]]:
    """Every gun with the complexes that it can reach; neither may have had its rocket this turn (AN-TEC-03)."""
    found = []
    spent = {gun for gun, _ in state.launched}
    struck = {target for _, target in state.launched} if not world.rules.rockets_share_targets else set()
    for space, reach in guns(world, state, power).items():
        if space in spent:
            continue
        for target, distance in _distances(world, state, space, reach).items():
            if (
                distance
                and target not in struck
                and facilities(world, state, power, target)
                and not _is_safe(world, state, power, target)
            ):
                found.append((space, target))
    return found


def guns(world: World, state: State, power: PowerId) -> dict[SpaceId, int]:
    """Where the power can fire from, and how far. Rockets that come before the battles know no guns taken in them."""
    early = world.rules.rocket_time == "before-raids"
    return {
        space: max(type_of(world, state, p).rocket_range for p in stack if p.power == power)
        for space, stack in state.units.items()
        if any(p.power == power and not p.used and _fires(world, state, space, p) for p in stack)
        and world.spaces[space].is_land
        and not (early and taken_this_turn(world, state, power, space))
    }


def _fires(world: World, state: State, space: SpaceId, piece: Piece) -> bool:
    kind = type_of(world, state, piece)
    return bool(kind.rocket_range) and works(state, space, kind)


def _is_safe(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """A rocket is an attack, and a rule may forbid that; neutral land on its way is another matter."""
    if is_neutral(world, state, space):
        return False
    return access.is_closed(world, state, power, space) or access.may_not_attack(world, state, power, space)


def facilities(world: World, state: State, power: PowerId, space: SpaceId) -> tuple[UnitId, ...]:
    """What rockets of the power could hit there."""
    targets = world.rules.rocket_targets
    found = dict.fromkeys(
        p.type
        for p, _ in enemies_in(world, state, power, space)
        if (p.type in targets if targets else type_of(world, state, p).complex)
    )
    return tuple(found)


def _distances(world: World, state: State, start: SpaceId, limit: int) -> dict[SpaceId, int]:
    """Spaces of either kind count alike; whether neutral land is an obstacle differs (CL-TEC-16, G40-RES-12)."""
    return within(world, start, limit, () if world.rules.rockets_pass_neutrals else neutral_land(world, state))


def fire(run: Run, order: Rocket) -> None:
    world, state, power = run.world, run.state, run.power
    if state.rocket == "fired":
        raise Refusal("one-rocket-a-turn", "Only one rocket attack can be made in a turn.", (order.gun,))
    one_a_target = not world.rules.rockets_share_targets
    if any(order.gun == gun or (one_a_target and order.target == target) for gun, target in state.launched):
        raise Refusal(
            "rocket-fired-or-target-hit",
            "Each turn one gun of a territory fires, and each complex is the target of one rocket.",
            (order.gun, order.target),
        )
    if state.rocket or not _is_time(world, state):
        raise Refusal("rockets-before-battles", "Rockets are fired before the raids and battles of a turn.")
    reach = guns(world, state, power).get(order.gun)
    if reach is None:
        raise Refusal(
            "no-rocket-gun",
            f"No gun of yours in {name(world, order.gun)} can fire rockets.",
            (order.gun,),
        )
    if _is_safe(world, state, power, order.target):
        raise access.refusal(world, state, power, order.target)
    possible = facilities(world, state, power, order.target)
    if not possible or (order.facility is not None and order.facility not in possible):
        what = "facility for a rocket" if world.rules.rocket_targets else "complex"
        raise Refusal(
            "no-complex-for-rocket", f"There is no such enemy {what} in {name(world, order.target)}.", (order.target,)
        )
    if order.facility is None and len(possible) > 1:
        text = "Several facilities are there: say which one the rocket is for."
        raise Refusal("rocket-target-not-said", text, (order.target,))
    if order.target not in _distances(world, state, order.gun, reach):
        raise Refusal(
            "too-far-for-rocket",
            f"{name(world, order.target)} is more than {reach} spaces from {name(world, order.gun)}.",
            (order.gun, order.target),
        )
    run.emit(RocketFired(power, order.gun, order.target))
    gun = next(p for p in state.at(order.gun) if p.power == power and type_of(world, state, p).rocket_range)
    shooters = ((power, gun.type, 1),)
    faces = run.roll(1, lambda faces: Rolled("rocket", power, faces, order.target, 0, shooters, sum(faces)))
    if world.rules.rocket_damage == "markers":
        hurt(run, power, order.target, sum(faces), order.facility or possible[0])
    else:
        run.pay(state.owners[order.target], -sum(faces), "rocket", order.target)
