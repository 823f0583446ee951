"""A map for a board that nobody has drawn: every space a tile, every border a line between two tiles.

Tiles stand where the spaces lie on the globe, or, if the board does not say that, so that neighbours come near each
other. It is no beauty, but it tells the truth: two spaces touch if and only if a line joins them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np

from sandtable.maps.asset import Label, Link, MapAsset, Mark, Point, Slot, Space

WIDTH, HEIGHT = 176.0, 140.0  # of a tile, in map units
GAP = 64.0  # between tiles
MARGIN = 40.0
ROUND = 14.0  # how far a corner is cut
SCALE = 0.1
STEPS = 220  # of the search for a layout
SMALL, PASSES = 24, 4  # boards of so few spaces are tidied up, so often
CROSSED = 4.0  # what a line across another tile costs, in tiles

Cell = tuple[int, int]
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Tile(NamedTuple):
    """What the map has to know of a space."""

    id: str
    name: str
    sea: bool
    value: int = 0
    marked: bool = False  # a capital or victory city
    lat: float = 0.0
    lon: float = 0.0


class Canal(NamedTuple):
    a: str
    b: str
    name: str


def plain_map(
    board: str, tiles: Sequence[Tile], borders: Sequence[tuple[str, str]], canals: Sequence[Canal] = ()
) -> MapAsset:
    """The map. The same board always gives the same one."""
    cells = _cells(tiles, borders)
    columns = max(column for column, _ in cells.values()) + 1
    rows = max(row for _, row in cells.values()) + 1
    centre = {
        name: (
            MARGIN + WIDTH / 2 + column * (WIDTH + GAP),
            MARGIN + HEIGHT / 2 + row * (HEIGHT + GAP),
        )
        for name, (column, row) in cells.items()
    }
    arcs = [_outline(*centre[tile.id]) for tile in tiles]
    return MapAsset(
        board=board,
        format=1,
        width=2 * MARGIN + columns * WIDTH + (columns - 1) * GAP,
        height=2 * MARGIN + rows * HEIGHT + (rows - 1) * GAP,
        scale=SCALE,
        arcs=arcs,
        spaces={tile.id: _space(tile, index, *centre[tile.id]) for index, tile in enumerate(tiles)},
        coast=[index for index, tile in enumerate(tiles) if not tile.sea],
        borders_sea=[index for index, tile in enumerate(tiles) if tile.sea],
        rivers=[_way(centre[a], centre[b]) for a, b in borders],
        links=[
            Link(a=canal.a, b=canal.b, kind="canal", name=canal.name, at=[_middle(centre[canal.a], centre[canal.b])])
            for canal in canals
        ],
    )


def _space(tile: Tile, arc: int, x: float, y: float) -> Space:
    """Name on top, two rows of pieces below it, marks at the bottom."""
    return Space(
        kind="sea" if tile.sea else "land",
        rings=[[[arc]]],
        anchor=Point(x, y),
        label=Label(x, y - 51, WIDTH - 24, 24, size=13.0, lines=[tile.name]),
        badge=Mark(x - 70, y + 54, 8) if tile.value else None,
        emblem=Mark(x + 70, y + 54, 8) if tile.marked else None,
        slots=[Slot(x + dx, y + dy, 14) for dy in (-20, 16) for dx in (-64, -32, 0, 32, 64)],
    )


def _outline(x: float, y: float) -> list[int]:
    """A tile with round corners as one closed arc: first point, then steps."""
    left, right, top, bottom = x - WIDTH / 2, x + WIDTH / 2, y - HEIGHT / 2, y + HEIGHT / 2
    points = [(x, top)]
    for (cx, cy), (before, after) in (
        ((right, top), ((-1, 0), (0, 1))),
        ((right, bottom), ((0, -1), (-1, 0))),
        ((left, bottom), ((1, 0), (0, -1))),
        ((left, top), ((0, 1), (1, 0))),
    ):
        points += [
            (cx + before[0] * ROUND, cy + before[1] * ROUND),
            (cx, cy),
            (cx + after[0] * ROUND, cy + after[1] * ROUND),
        ]
    return _coded([*points, (x, top)])


def _way(a: tuple[float, float], b: tuple[float, float]) -> list[int]:
    """The line between two tiles, from rim to rim."""
    return _coded([_rim(a, b), _rim(b, a)])


def _rim(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """Where the line from the middle of tile `a` to `b` leaves it."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    reach = min(WIDTH / 2 / abs(dx) if dx else np.inf, HEIGHT / 2 / abs(dy) if dy else np.inf)
    return a[0] + dx * float(reach), a[1] + dy * float(reach)


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _coded(points: Sequence[tuple[float, float]]) -> list[int]:
    """A line as whole numbers: its first point, then steps."""
    whole = [(round(x / SCALE), round(y / SCALE)) for x, y in points]
    found = list(whole[0])
    for (xa, ya), (xb, yb) in pairwise(whole):
        found += [xb - xa, yb - ya]
    return found


# ---------------------------------------------------------------- where the tiles stand


def _cells(tiles: Sequence[Tile], borders: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """A column and row for every tile, no two alike."""
    places = np.array([(tile.lon, -tile.lat) for tile in tiles])
    on_the_globe = len({tuple(place) for place in places.tolist()}) == len(tiles)
    if not on_the_globe:
        places = _near_neighbours(tiles, borders)
    count = len(tiles)
    columns = max(1, int(np.ceil(np.sqrt(count * 1.9))))
    rows = max(1, int(np.ceil(count * 1.3 / columns)))
    low, high = places.min(axis=0), places.max(axis=0)
    spread = np.where(high > low, high - low, 1.0)
    wanted = (places - low) / spread * (columns - 1, rows - 1)
    free = {(column, row) for column in range(columns) for row in range(rows)}
    found: dict[str, tuple[int, int]] = {}
    middle = np.array([(columns - 1) / 2, (rows - 1) / 2])
    order = sorted(range(count), key=lambda i: (float(((wanted[i] - middle) ** 2).sum()), i))
    for index in order:
        x, y = wanted[index]
        cell = min(free, key=lambda c: ((c[0] - x) ** 2 + (c[1] - y) ** 2, c))
        free.remove(cell)
        found[tiles[index].id] = cell
    if count <= SMALL and not on_the_globe:
        _improve(found, free, borders)
    return _tightened(found)


def _improve(cells: dict[str, Cell], free: set[Cell], borders: Sequence[tuple[str, str]]) -> None:
    """Exchange what stands in two cells as long as that makes lines shorter or takes them off other tiles."""
    tenants: dict[Cell, str | None] = {**{cell: name for name, cell in cells.items()}, **dict.fromkeys(free)}

    def exchange(one: Cell, other: Cell) -> None:
        tenants[one], tenants[other] = tenants[other], tenants[one]
        cells.update({name: cell for cell in (one, other) if (name := tenants[cell]) is not None})

    def cost() -> float:
        taken = set(cells.values())
        return sum(_length(cells[a], cells[b], taken) for a, b in borders)

    best = cost()
    for _ in range(PASSES):
        before = best
        for one, other in combinations(sorted(tenants), 2):
            exchange(one, other)
            now = cost()
            if now < best - 1e-9:
                best = now
            else:
                exchange(one, other)
        if best == before:
            return


def _length(a: Cell, b: Cell, taken: set[Cell]) -> float:
    """The length of a line, and more for every tile that it crosses."""
    (xa, ya), (xb, yb) = a, b
    steps = 2 * max(abs(xb - xa), abs(yb - ya))
    on_the_way = {(round(xa + (xb - xa) * i / steps), round(ya + (yb - ya) * i / steps)) for i in range(1, steps)}
    crossed = sum(cell in taken for cell in on_the_way if cell not in (a, b))
    return float(np.hypot(xb - xa, yb - ya)) + CROSSED * crossed


def _tightened(cells: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Without columns and rows in which nothing stands."""
    columns = {c: i for i, c in enumerate(sorted({column for column, _ in cells.values()}))}
    rows = {r: i for i, r in enumerate(sorted({row for _, row in cells.values()}))}
    return {name: (columns[column], rows[row]) for name, (column, row) in cells.items()}


def _near_neighbours(tiles: Sequence[Tile], borders: Sequence[tuple[str, str]]) -> Array:
    """Points that push each other away while borders pull them together, until they hardly move."""
    count = len(tiles)
    number = {tile.id: index for index, tile in enumerate(tiles)}
    turn = np.arange(count) * 2.399963  # a sunflower: no two alike, and no chance in it
    places = np.stack((np.cos(turn), np.sin(turn)), axis=1) * np.sqrt(np.arange(1, count + 1))[:, None]
    ends = np.array([(number[a], number[b]) for a, b in borders], dtype=int).reshape(-1, 2)
    ideal = 1.6
    for step in range(STEPS):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.sqrt((apart**2).sum(axis=2)) + 1e-9
        push = (apart / distance[:, :, None] * (ideal**2 / distance)[:, :, None]).sum(axis=1)
        along = places[ends[:, 0]] - places[ends[:, 1]]
        pull = along * (np.sqrt((along**2).sum(axis=1)) / ideal)[:, None]
        np.add.at(push, ends[:, 0], -pull)
        np.add.at(push, ends[:, 1], pull)
        length = np.sqrt((push**2).sum(axis=1))[:, None] + 1e-9
        heat = ideal * np.sqrt(count) * 0.3 * (1 - step / STEPS)
        places = places + push / length * np.minimum(length, heat)
    return places
