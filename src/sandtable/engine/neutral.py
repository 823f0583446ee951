"""Neutral land: violating it for a fee or against its army, and joining those whose side it leans to.

What land leans to is a trait of the board (`leaning: pro-axis`, `pro-allies`, `strict`), its army another one; a board
without them has neutrals that are all alike. Land that was attacked is on a side from then on, though nobody controls
it: it then leans to that side by its plain name (`allies`), and its army belongs to the power that has no side.
"""

from __future__ import annotations

from sandtable.engine.events import Captured, Change, LeaningChanged, NeutralDefended, NeutralJoined, NeutralViolated
from sandtable.engine.facts import type_of
from sandtable.engine.relations import has_joined, leaning, leans_to
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, State, Units
from sandtable.world.model import PowerId, SideId, SpaceId, UnitId, World

STRICT = "strict"


def violate(run: Run, power: PowerId, space: SpaceId) -> None:
    """Pay for entering or overflying, or meet the army; the affordable fee was checked with the move (CL-NEU-02, 03).

    Where strict neutrals stand together, the others lean away from the violator from now on (G40-NEU-19).
    """
    world = run.world
    fee = world.rules.neutral_fee
    strict = leaning(world, run.state, space) == STRICT
    run.emit(NeutralViolated(power, space, fee))
    run.pay(power, -fee, "neutral", space)
    against = _other_side(world, power)
    if world.rules.neutrals == "armies" and against is not None:
        _take_arms(run, space, against)
    if strict and world.rules.strict_neutrals_turn and against is not None:
        others = tuple(s for s in world.spaces if s != space and _turns(run, power, space, s, against))
        if others:
            run.emit(LeaningChanged(others, f"pro-{against}"))


def _other_side(world: World, power: PowerId) -> SideId | None:
    return next((side for side in world.sides if side != world.side_of(power)), None)


def _take_arms(run: Run, space: SpaceId, side: SideId) -> None:
    """An attacked neutral joins the attacker's enemies at once, and its army takes the field (G40-NEU-02, 13)."""
    run.emit(LeaningChanged((space,), side))
    owner = next(power.id for power in run.world.powers.values() if not power.side)
    units = tuple((Piece(owner, unit), n) for unit, n in army_of(run.world, space).items())
    if units:
        run.emit(NeutralDefended(owner, space, units, (Change(space, plus=units),)))


def army_of(world: World, space: SpaceId) -> dict[UnitId, int]:
    """What stands up for the land when it is neutral no more."""
    army: dict[UnitId, int] = world.spaces[space].traits.get("army") or {}
    return army


def _turns(run: Run, power: PowerId, attacked: SpaceId, space: SpaceId, against: SideId) -> bool:
    """Strict land that leans against the attacker from now on; some of it only if its own kind is attacked by one
    power (Mongolia, G40-POL-58)."""
    world = run.world
    if leaning(world, run.state, space) != STRICT:
        return False
    traits = world.spaces[space].traits
    loyal = traits.get("loyal_to")
    if loyal is None or against == world.side_of(loyal):
        return True
    return bool(power == loyal and world.spaces[attacked].traits.get("loyal_to") == loyal)


def overfly(run: Run, power: PowerId, space: SpaceId) -> None:
    """Planes that only pass over take the land all the same (CL-NEU-03)."""
    violate(run, power, space)
    run.emit(Captured(space, power, power, None, "neutral"))


def join(run: Run, power: PowerId, space: SpaceId) -> None:
    """Land that leans to the power's side becomes its own, with its army, which moves from the next turn on.

    Of land that was attacked in vain the army that is left changes its coat (G40-NEU-17).
    """
    world, stack = run.world, run.state.at(space)
    old: Units = ()
    if has_joined(world, run.state, space):
        old = tuple((p, n) for p, n in stack.items() if not world.powers[p.power].side)
        units = tuple((Piece(power, p.type, done=True), n) for p, n in old)
    else:
        units = tuple((Piece(power, unit, done=True), n) for unit, n in army_of(world, space).items())
    run.emit(NeutralJoined(power, space, units, (Change(space, old, units),) if units else ()))


def settle(run: Run) -> None:
    """Land that the power's troops have entered peacefully is its own when its quiet move is over (G40-NEU-08).

    So is land that it guards (G40-POL-32, G40-POL-39).
    """
    world, power = run.world, run.power
    if not world.joinable:
        return
    guarded = {other.id for other in world.powers.values() if power in other.guards}
    for space, stack in list(run.state.units.items()):
        owner = run.state.owners.get(space)
        if owner is None and leans_to(world, run.state, power, space):
            if _brings_troops(world, run.state, stack, power):
                join(run, power, space)
        elif owner in guarded and _brings_troops(world, run.state, stack, power):
            run.emit(Captured(space, power, power, owner, "occupied"))


def _brings_troops(world: World, state: State, stack: Stack, power: PowerId) -> bool:
    return any(p.power == power and type_of(world, state, p).captures for p in stack)
