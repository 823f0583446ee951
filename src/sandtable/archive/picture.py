"""A game's position as the map drawing wants it: plain facts without rules."""

from __future__ import annotations

from functools import lru_cache

from sandtable import maps
from sandtable.engine.state import State, with_cargo
from sandtable.maps.asset import MapAsset
from sandtable.maps.plain import Canal, Tile
from sandtable.maps.position import IMPASSABLE, Position, Stack
from sandtable.world.model import Space, World

LEANINGS = {"strict": "strict-neutral", "pro-axis": "pro-axis", "pro-allies": "pro-allies"}


PLAIN = "plain@"


def map_of(world: World) -> MapAsset:
    """The map of the world's board: a drawn one with just these spaces, else a plain one."""
    drawn = drawn_board(world)
    return maps.load(drawn) if drawn is not None else _plain(_Board(world))


def drawn_board(world: World) -> str | None:
    """The drawn map that shows just the spaces of this world; an edition from outside may be played on one of ours."""
    boards = maps.boards()
    for board in sorted(boards, key=lambda board: board != world.edition):
        if world.bundle is None and board != world.edition:
            continue  # a built-in edition has its own
        if maps.load(board).spaces.keys() == world.spaces.keys():
            return board
    return None


def board_name(world: World) -> str | None:
    """The name under which a server gives the map; None if there is none."""
    drawn = drawn_board(world)
    if drawn is None and world.bundle is not None:
        return f"{PLAIN}{world.bundle.digest}"
    return drawn


class _Board:
    """A world as a cache key: by what its map is made of."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.key = (world.edition, world.bundle, tuple(world.spaces))

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Board) and other.key == self.key


@lru_cache(maxsize=8)
def _plain(board: _Board) -> MapAsset:
    world = board.world
    tiles = [
        Tile(s.id, s.name, s.is_sea, s.ipc, bool(s.capital_of or s.victory_city), s.lat, s.lon)
        for s in world.spaces.values()
    ]
    place = {space: index for index, space in enumerate(world.spaces)}
    borders = [(a, b) for a, others in world.neighbours.items() for b in others if place[a] < place[b]]
    canals = {canal.id: Canal(*canal.between, canal.name) for canal in world.canals.values()}
    return maps.plain_map(world.edition, tiles, borders, tuple(canals.values()))


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
        colours={p.id: p.colour for p in world.powers.values()},
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
