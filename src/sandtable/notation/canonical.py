"""One form for orders that mean the same, so that a game reads the same before and after it was saved."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from sandtable.world.model import UnitId, World


def canonical(world: World, order: AnyOrder) -> AnyOrder:
    """The order as it would be read from its text: what a ship carries stands in the edition's order, each kind once,
    and marks by the alphabet.

    Units outside a ship keep their order, which is the player's.
    """
    units: tuple[UnitSpec, ...] = getattr(order, "units", ())
    if any(spec.cargo or spec.marks for spec in units):
        order = replace(order, units=tuple(_spec(world, spec) for spec in units))
    if isinstance(order, Move) and order.ship is not None:
        order = replace(order, ship=_spec(world, order.ship))
    return order


def _spec(world: World, spec: UnitSpec) -> UnitSpec:
    cargo = stowed(world, spec.cargo) if spec.cargo else spec.cargo
    return replace(spec, cargo=cargo, marks=tuple(sorted(set(spec.marks))) if spec.marks else spec.marks)


def stowed(world: World, load: tuple[tuple[UnitId, int], ...]) -> tuple[tuple[UnitId, int], ...]:
    """A load in the edition's order, each kind once; kinds that the edition does not have come last."""
    aboard: dict[UnitId, int] = {}
    for unit, number in load:
        aboard[unit] = aboard.get(unit, 0) + number
    return tuple((unit, aboard[unit]) for unit in dict.fromkeys((*world.units, *aboard)) if aboard.get(unit))
