"""What is aboard transports, and what has room there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sandtable.engine.facts import (
    Knowing,
    type_of,
)
from sandtable.engine.relations import allied
from sandtable.engine.state import Piece, Stack, State, in_order
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def fits(loads: Iterable[Mapping[UnitId, int]], cargo: Counter[UnitId]) -> bool:
    """Whether the cargo is a part of one of the full loads (CL-TRP-01)."""
    return any(all(cargo[u] <= full.get(u, 0) for u in cargo) for full in loads)


def cargo_types(transport: Piece) -> Counter[UnitId]:
    return Counter(p.type for p in transport.cargo)


def has_room(world: World, state: Knowing, transport: Piece, unit: UnitId) -> bool:
    cargo = cargo_types(transport)
    cargo[unit] += 1
    return fits(type_of(world, state, transport).loads, cargo)


def can_load(world: World, state: State, power: PowerId, transport: Piece) -> bool:
    """An own transport that has not unloaded or finished, or one of an ally (CL-TRP-15)."""
    if not type_of(world, state, transport).loads or not allied(world, state, power, transport.power):
        return False
    return transport.power != power or (not transport.done and not transport.mark)


def aboard(state: State, power: PowerId, zone: SpaceId) -> Counter[UnitId]:
    """The power's land units aboard ships in the zone that have not declared a landing."""
    total: Counter[UnitId] = Counter()
    for transport, n in state.at(zone).items():
        for piece in transport.cargo:
            if piece.power == power and not piece.target:
                total[piece.type] += n
    return total


def named_transports(stack: Stack, power: PowerId, unit: UnitId, cargo: Counter[UnitId], n: int) -> list[Piece] | None:
    """Transports of this type whose cargo together is exactly what was named; None if there are none."""
    ships = [(t, k) for t, k in in_order(stack) if t.power == power and t.type == unit]
    ships.sort(key=lambda item: -len(item[0].cargo))

    def choose(place: int, left: Counter[UnitId], wanted: int) -> list[Piece] | None:
        if not wanted or place == len(ships):
            return None if wanted or +left else []
        ship, number = ships[place]
        for some in range(min(number, wanted), -1, -1):
            loaded = Counter({u: k * some for u, k in cargo_types(ship).items()})
            if loaded <= left:
                rest = choose(place + 1, left - loaded, wanted - some)
                if rest is not None:
                    return [ship] * some + rest
        return None

    return choose(0, Counter(cargo), n)
