"""Damage markers on facilities: how many there are, how many there can be, and what they do to a complex."""

from __future__ import annotations

from sandtable.engine.events import Damaged
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Stack, State
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def damage_of(world: World, state: State, space: SpaceId) -> int:
    """Markers on the complex there."""
    return sum(n for unit, n in state.damage.get(space, {}).items() if world.units[unit].complex)


def complex_in(world: World, state: State, space: SpaceId) -> UnitId | None:
    return next((piece.type for piece in state.at(space) if type_of(world, state, piece).complex), None)


def most_damage(world: World, space: SpaceId, unit: UnitId) -> int:
    """No facility takes more markers than this (AN-SBR-05, AN-TEC-04, G40-SBR-07)."""
    own: int | None = world.units[unit].traits.get("most_damage")
    return world.spaces[space].ipc * world.rules.damage_per_value if own is None else own


def hurt(run: Run, attacker: PowerId, space: SpaceId, rolled: int, unit: UnitId | None = None) -> None:
    """Bombs or a rocket hit a facility there, the complex if none is named; what is beyond its limit is lost."""
    unit = unit or complex_in(run.world, run.state, space)
    if unit is None:
        return
    room = most_damage(run.world, space, unit) - run.state.damage.get(space, {}).get(unit, 0)
    run.emit(Damaged(attacker, space, unit, max(0, min(rolled, room)), rolled))


def hits_on_ships(world: World, stack: Stack) -> dict[UnitId, int]:
    """Damage of ships that take more than one hit, by type."""
    found: dict[UnitId, int] = {}
    for piece, n in stack.items():
        if piece.hits:
            found[piece.type] = found.get(piece.type, 0) + piece.hits * n
    return {unit: found[unit] for unit in world.units if unit in found}
