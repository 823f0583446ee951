"""A game's position as the map drawing wants it: plain facts without rules."""

from __future__ import annotations

from sandtable.engine.state import State, with_cargo
from sandtable.maps.position import IMPASSABLE, Position, Stack
from sandtable.world.model import Space, World

LEANINGS = {"strict": "strict-neutral", "pro-axis": "pro-axis", "pro-allies": "pro-allies"}


def position_of(world: World, state: State) -> Position:
    """Who owns what, and every unit on the board; cargo is shown beside its ships."""
    land = [s for s in world.spaces.values() if s.is_land]
    return Position(
        names={s.id: s.name for s in world.spaces.values()},
        owner={s.id: _owner(s, state) for s in land},
        ipc={s.id: s.ipc for s in land if s.ipc},
        capitals={s.id: s.capital_of for s in land if s.capital_of},
        cities={s.id: s.victory_city for s in land if s.victory_city},
        units={space: _stacks(world, state, space) for space in world.spaces if state.at(space)},
        powers={p.id: p.name for p in world.powers.values()},
        unit_names={u.id: u.name for u in world.units.values()},
    )


def _owner(space: Space, state: State) -> str:
    owner = state.owners.get(space.id)
    if owner is not None:
        return owner
    if space.impassable:
        return IMPASSABLE
    return LEANINGS.get(str(space.traits.get("leaning", "")), "neutral")


def _stacks(world: World, state: State, space: str) -> list[Stack]:
    """One stack a power and kind, in the edition's order of units and of play."""
    counts: dict[tuple[str, str], int] = {}
    hurt: dict[tuple[str, str], int] = {}
    for piece, n in with_cargo(state.at(space)):
        kind = (piece.power, piece.type)
        counts[kind] = counts.get(kind, 0) + n
        hurt[kind] = hurt.get(kind, 0) + (n if piece.hits else 0)
    damage = state.damage.get(space, {})
    units, powers = list(world.units), list(world.powers)
    order = sorted(counts, key=lambda kind: (powers.index(kind[0]), units.index(kind[1])))
    return [Stack(power, unit, counts[power, unit], damage.get(unit, hurt[power, unit])) for power, unit in order]
