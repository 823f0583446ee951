"""Damage markers on facilities: how many there are, how many there can be, and what they do to a complex."""

from __future__ import annotations

from sandtable.engine.events import Damaged
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def damage_of(world: World, state: State, space: SpaceId) -> int:
    """Markers on the complex there."""
    return sum(n for unit, n in state.damage.get(space, {}).items() if world.units[unit].factory)


def complex_in(world: World, state: State, space: SpaceId) -> UnitId | None:
    return next((piece.type for piece in state.at(space) if type_of(world, state, piece).factory), None)


def most_damage(world: World, space: SpaceId) -> int:
    """No complex takes more markers than this (AN-SBR-05, AN-TEC-04)."""
    return world.spaces[space].ipc * world.rules.damage_per_value


def hurt(run: Run, attacker: PowerId, space: SpaceId, rolled: int) -> None:
    """Bombs or a rocket hit the complex there; what is beyond its limit is lost."""
    unit = complex_in(run.world, run.state, space)
    if unit is None:
        return
    room = most_damage(run.world, space) - damage_of(run.world, run.state, space)
    run.emit(Damaged(attacker, space, unit, max(0, min(rolled, room)), rolled))
