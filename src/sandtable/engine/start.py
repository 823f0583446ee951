"""The position at the beginning of a game."""

from __future__ import annotations

from sandtable.engine.movement.cargo import fits
from sandtable.engine.state import Piece, State, add, load
from sandtable.world.model import World


def starting_state(world: World) -> State:
    """The scenario's set-up, before the first turn begins."""
    units: dict[str, dict[Piece, int]] = {}
    for power, places in world.setup.units.items():
        for space, pieces in places.items():
            stack = units.setdefault(space, {})
            aboard = [] if world.spaces[space].is_land else _cargo(world, pieces)
            for unit, n in pieces.items():
                if world.spaces[space].is_land or world.units[unit].domain != "land":
                    units[space] = stack = add(stack, ((Piece(power, unit), n),))
            for unit in aboard:
                units[space] = stack = _embark(world, stack, power, unit)
    owners = {s.id: s.owner for s in world.spaces.values() if s.owner is not None}
    return State(
        round=1,
        turn=0,
        phase=0,
        units=units,
        owners=owners,
        start_owners=owners,
        treasury={p.id: p.treasury for p in world.powers.values()},
        techs={p: frozenset() for p in world.powers},
    )


def _cargo(world: World, pieces: object) -> list[str]:
    assert isinstance(pieces, dict) or hasattr(pieces, "items")
    found: list[str] = []
    for unit, n in pieces.items():
        if world.units[unit].domain == "land":
            found.extend([unit] * n)
    return found


def _embark(world: World, stack: dict[Piece, int], power: str, unit: str) -> dict[Piece, int]:
    from collections import Counter

    for transport in sorted(stack, key=lambda p: -len(p.cargo)):
        load_types = Counter(c.type for c in transport.cargo)
        load_types[unit] += 1
        if transport.power == power and fits(world.units[transport.type].loads, load_types):
            fuller = load(transport, (*transport.cargo, Piece(power, unit)))
            left = {p: n - (p == transport) for p, n in stack.items()}
            return add({}, ((p, n) for p, n in add(left, ((fuller, 1),)).items() if n))
    raise AssertionError(f"no room aboard for {unit}")
