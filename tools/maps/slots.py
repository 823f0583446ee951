"""Slots: the places where stacks stand without covering the name, the badge, the emblem or each other.

Every space is furnished on a raster of one pixel per map unit, cut from its final outline. A land that has no room for
its name gets the name on the water beside it; one that has no room for its stacks gets a callout: a box nearby, tied to
it by a line, that holds the name and the stacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage

from tools.maps import labels, raster
from tools.maps.board import Board, Space
from tools.maps.compile import Map, kinds, outline
from tools.maps.labels import Block

Mask = NDArray[np.bool_]

NEEDED = {"land": 4, "sea": 6}
WANTED = {"land": 10, "sea": 12}
RADII = {"land": (12.0, 10.5, 9.0, 8.0, 7.0, 6.2, 5.5), "sea": (14.0, 12.0, 10.5, 9.0, 8.0, 7.0, 6.0, 5.0)}
SIZES = {"land": (15.0, 13.0, 11.5, 10.0, 8.8, 7.8, 7.0, 6.2, 5.5), "sea": (14.0, 12.5, 11.0, 9.8, 8.6, 7.6, 6.8)}
CALLOUT_RADIUS, CALLOUT_SIZE = 7.5, 7.0
MARGIN = 1.3  # kept clear inside every outline and around everything placed
_PAD = 2
_BESIDE = 22.0  # a name stands beside its land only if it is this close; farther off it needs a leader


@dataclass
class Table:
    """The map while it is being furnished."""

    board: Board
    owner: NDArray[np.int32]  # label number + 1 on every pixel
    taken: Mask
    land: Mask
    placed: dict[str, dict[str, Any]]
    number: dict[str, int]  # a space's number in `owner`
    shapes: dict[int, shapely.MultiPolygon]  # by number


def furnish(result: Map) -> dict[str, dict[str, Any]]:
    """Label, badge, emblem, slots, anchor and, where needed, callout of every space."""
    board = result.board
    shape = (round(board.height), round(board.width))
    items = [
        (number + 1, shapely.Polygon(outline(result.arcs, polygon[0]), [outline(result.arcs, h) for h in polygon[1:]]))
        for number, polygons in result.polygons.items()
        for polygon in polygons
    ]
    # Painting thickens an area by half a pixel, so paint on thirds of a unit and look at the middle ones.
    owner = raster.draw((3 * shape[0], 3 * shape[1]), 3.0, items)[1::3, 1::3].copy()
    solid = np.array([False, *(kind == "land" for kind in kinds(board))])
    number = {name: i + 1 for i, name in enumerate(result.names)}
    shapes = {n: shapely.MultiPolygon([polygon for m, polygon in items if m == n]) for n in {n for n, _ in items}}
    for shape_ in shapes.values():
        shapely.prepare(shape_)
    table = Table(board, owner, np.zeros(shape, bool), solid[owner], {}, number, shapes)
    outside: list[tuple[str, dict[str, Any]]] = []
    area = np.bincount(owner.ravel(), minlength=len(number) + 1)
    for name in sorted(board.lands, key=lambda n: (area[number[n]], n)):
        space = board.spaces[name]
        window, mask = _window(table, number[name])
        table.placed[name] = {"anchor": _anchor(table, space, number[name], window, mask)}
        if not _inside(table, space, window, mask):
            outside.append((name, table.placed[name]))
    for name, _ in outside:
        space = board.spaces[name]
        window, mask = _window(table, number[name])
        if not _name_beside(table, space, window, mask):
            _callout(table, space)
    for name in sorted(board.seas, key=lambda n: (area[number[n]], n)):
        space = board.spaces[name]
        window, mask = _window(table, number[name])
        table.placed[name] = {"anchor": _anchor(table, space, number[name], window, mask)}
        if not _inside(table, space, window, mask):
            _callout(table, space)
    return table.placed


def _window(table: Table, number: int) -> tuple[tuple[slice, slice], Mask]:
    """A space's pixels, with the margin along its outline left out; the window has a rim of nothing."""
    mask = table.owner == number
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    inside = np.pad(mask[window], _PAD)
    return window, ndimage.distance_transform_edt(inside)[_PAD:-_PAD, _PAD:-_PAD] > MARGIN


def _clear(table: Table, window: tuple[slice, slice], mask: Mask) -> Mask:
    return mask & ~table.taken[window]


def _depth(free: Mask) -> NDArray[np.float64]:
    """Distance of every pixel centre to the nearest thing in the way."""
    return ndimage.distance_transform_edt(np.pad(free, _PAD))[_PAD:-_PAD, _PAD:-_PAD] - 0.5


def _anchor(table: Table, space: Space, number: int, window: tuple[slice, slice], mask: Mask) -> dict[str, float]:
    """The board's reference point where it lies well inside; else the middle of the space."""
    x, y = table.board.projection.point((space.lat, space.lon))
    row, column = int(y), int(x)
    depth = _depth(mask)
    r, c = row - window[0].start, column - window[1].start
    if 0 <= r < mask.shape[0] and 0 <= c < mask.shape[1] and depth[r, c] > 0.5:
        return {"x": round(x, 1), "y": round(y, 1)}
    r, c = np.unravel_index(int(depth.argmax()), depth.shape)
    return {"x": float(c + window[1].start + 0.5), "y": float(r + window[0].start + 0.5)}


def _best_place(allowed: Mask, depth: NDArray[np.float64], middle: tuple[float, float]) -> tuple[int, int] | None:
    """Of the allowed centres one that is central and has room around it."""
    rows, columns = np.nonzero(allowed)
    if not len(rows):
        return None
    away = np.hypot(rows - middle[0], columns - middle[1])
    score = np.minimum(depth[rows, columns], 30) - 0.35 * away
    best = int(score.argmax())
    return int(rows[best]), int(columns[best])


def _pack(free: Mask, radius: float, middle: tuple[float, float], wanted: int) -> list[tuple[int, int]]:
    """Centres of discs of this radius, near the middle first, none touching another."""
    rows, columns = np.nonzero(_depth(free) >= radius)
    if not len(rows):
        return []
    order = np.argsort(np.hypot(rows - middle[0], (columns - middle[1]) * 0.8), kind="stable")
    rows, columns = rows[order], columns[order]
    result: list[tuple[int, int]] = []
    open_ = np.ones(len(rows), bool)
    gap = (2 * radius + 0.6) ** 2
    while len(result) < wanted and open_.any():
        i = int(open_.argmax())
        result.append((int(rows[i]), int(columns[i])))
        open_ &= (rows - rows[i]) ** 2 + (columns - columns[i]) ** 2 >= gap
    return result


def _exact(
    table: Table, space: Space, window: tuple[slice, slice], spots: list[tuple[int, int]], radius: float
) -> list[tuple[int, int]]:
    """The spots whose discs lie inside the true outline: a spit of land can be thinner than a pixel."""
    centres = [shapely.Point(c + window[1].start + 0.5, r + window[0].start + 0.5) for r, c in spots]
    edge = table.shapes[table.number[space.id]].boundary
    return [spot for spot, centre in zip(spots, centres, strict=True) if edge.distance(centre) > radius]


def _largest_part(mask: Mask) -> tuple[float, float]:
    parts, count = ndimage.label(mask)
    if count == 0:
        return mask.shape[0] / 2, mask.shape[1] / 2
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    row, column = ndimage.center_of_mass(parts == sizes.argmax())
    return float(row), float(column)


def _box(table: Table, x: float, y: float, width: float, height: float) -> None:
    y0, y1 = max(int(y - height / 2 - MARGIN), 0), int(np.ceil(y + height / 2 + MARGIN))
    x0, x1 = max(int(x - width / 2 - MARGIN), 0), int(np.ceil(x + width / 2 + MARGIN))
    table.taken[y0:y1, x0:x1] = True


def _disc(table: Table, x: float, y: float, radius: float) -> None:
    reach = int(radius + 2)
    y0, x0 = max(int(y) - reach, 0), max(int(x) - reach, 0)
    part = table.taken[y0 : int(y) + reach + 1, x0 : int(x) + reach + 1]
    rows, columns = np.ogrid[0 : part.shape[0], 0 : part.shape[1]]
    part |= (rows + y0 + 0.5 - y) ** 2 + (columns + x0 + 0.5 - x) ** 2 <= (radius + 0.5) ** 2


def _write_block(entry: dict[str, Any], block: Block, x: float, y: float) -> None:
    dx, dy, width, height = block.text
    entry["label"] = {
        "x": round(x + dx, 1),
        "y": round(y + dy, 1),
        "angle": 0,
        "width": round(width, 1),
        "height": round(height, 1),
        "size": block.size,
        "lines": list(block.lines),
    }
    for key, mark in (("badge", block.badge), ("emblem", block.emblem)):
        if mark is not None:
            entry[key] = {"x": round(x + mark[0], 1), "y": round(y + mark[1], 1), "r": round(mark[2], 1)}


def _write_slots(table: Table, space: Space, window: tuple[slice, slice], spots: list[Any], radius: float) -> None:
    slots = []
    for row, column in spots:
        x, y = column + window[1].start + 0.5, row + window[0].start + 0.5
        slots.append({"x": x, "y": y, "r": radius})
        _disc(table, x, y, radius)
    table.placed[space.id]["slots"] = slots


def _inside(table: Table, space: Space, window: tuple[slice, slice], mask: Mask) -> bool:
    """Name, marks and stacks all inside the space."""
    free = _clear(table, window, mask)
    middle = _largest_part(free)
    room = _depth(free)
    largest = 0.11 * float(np.sqrt(free.sum()))
    sizes = [s for s in SIZES[space.kind] if s <= max(largest, SIZES[space.kind][-1])]
    needed, wanted = NEEDED[space.kind], WANTED[space.kind]
    choices = sorted(
        ((size, radius) for size in sizes for radius in RADII[space.kind]),
        key=lambda c: -(min(c[0], 12) / 12 + c[1] / 12),
    )
    spots_for: dict[tuple[float, Block], Any] = {}
    for size, radius in choices:
        if (np.pi * radius**2) * needed > free.sum():
            continue
        for block in labels.blocks(space, size):
            key = (size, block)
            if key not in spots_for:
                spots_for[key] = _best_place(labels.fits(free, block.width, block.height), room, middle)
            spot = spots_for[key]
            if spot is None:
                continue
            rest = free.copy()
            h, w = int(block.height / 2 + 2), int(block.width / 2 + 2)
            rest[max(spot[0] - h, 0) : spot[0] + h + 1, max(spot[1] - w, 0) : spot[1] + w + 1] = False
            found = _pack(rest, radius, spot, wanted)
            if len(found) < needed:
                continue
            found = _exact(table, space, window, found, radius)
            x, y = spot[1] + window[1].start + 0.5, spot[0] + window[0].start + 0.5
            box = shapely.box(x - block.width / 2, y - block.height / 2, x + block.width / 2, y + block.height / 2)
            if len(found) < needed or not table.shapes[table.number[space.id]].contains(box):
                continue
            _write_block(table.placed[space.id], block, x, y)
            _box(table, x, y, block.width, block.height)
            _write_slots(table, space, window, found, radius)
            return True
    return False


def _near_free(
    table: Table, space: Space, width: float, height: float, water_only: bool
) -> tuple[float, int, int] | None:
    """The nearest centre for a box in open water (or anywhere free), and how far it is from the space's outline."""
    anchor = table.placed[space.id]["anchor"]
    reach = 190 if water_only else 300
    y0, x0 = max(int(anchor["y"]) - reach, 0), max(int(anchor["x"]) - reach, 0)
    window = (slice(y0, int(anchor["y"]) + reach), slice(x0, int(anchor["x"]) + reach))
    free = ~table.taken[window] & (table.owner[window] > 0)
    if water_only:
        free &= ~ndimage.binary_dilation(table.land[window], iterations=2)
    # A box that lies in one zone next to the space is easier on the eye than one across a border.
    beside = [other for pair in table.board.pairs if space.id in pair for other in pair - {space.id}]
    room = np.zeros(free.shape, bool)
    for other in sorted(beside):
        if table.board.spaces[other].kind == "sea":
            room |= labels.fits(free & (table.owner[window] == table.number[other]), width, height)
    if not room.any():
        room = labels.fits(free, width, height)
    rows, columns = np.nonzero(room)
    if not len(rows):
        return None
    own = table.owner[window] == table.number[space.id]
    outline = ndimage.distance_transform_edt(~own)[rows, columns]
    middle = np.hypot(rows + y0 - anchor["y"], columns + x0 - anchor["x"])
    best = int((outline + 0.15 * middle).argmin())
    return float(outline[best]), int(rows[best]) + y0, int(columns[best]) + x0


def _name_beside(table: Table, space: Space, window: tuple[slice, slice], mask: Mask) -> bool:
    """Stacks inside, the name with its marks on the water beside it."""
    free = _clear(table, window, mask)
    middle = _largest_part(free)
    for radius in RADII["land"]:
        found = _exact(table, space, window, _pack(free, radius, middle, WANTED["land"]), radius)
        if len(found) < NEEDED["land"]:
            continue
        best = None
        for size in (CALLOUT_SIZE, 6.2):
            for block in labels.blocks(space, size):
                spot = _near_free(table, space, block.width + 2, block.height + 2, True)
                if spot is not None:
                    gap = spot[0] - min(block.width, block.height) / 2
                    if best is None or gap < best[0]:
                        best = (gap, block, spot[1:])
            if best is not None:
                break
        if best is None or best[0] > _BESIDE:
            return False
        _, block, spot = best
        _write_slots(table, space, window, found, radius)
        _write_block(table.placed[space.id], block, spot[1] + 0.5, spot[0] + 0.5)
        table.placed[space.id]["label"]["outside"] = True
        _box(table, spot[1] + 0.5, spot[0] + 0.5, block.width, block.height)
        return True
    return False


def _callout(table: Table, space: Space) -> None:
    """A box nearby with the name and the stacks."""
    needed = NEEDED[space.kind]
    best: Any = None
    for radius in (CALLOUT_RADIUS, 6.0, 5.0):
        for block in labels.blocks(space, CALLOUT_SIZE):
            for columns in (needed, needed // 2):
                rows = needed // columns
                pitch = 2 * radius + 1
                width = max(block.width, columns * pitch) + 5
                height = block.height + rows * pitch + 5
                for water_only in (True, False):
                    spot = _near_free(table, space, width + 2, height + 2, water_only)
                    if spot is None:
                        continue
                    away = spot[0] + 0.15 * width * height**0.5 + (0 if water_only else 60)
                    if best is None or away < best[0]:
                        best = (away, block, radius, columns, rows, width, height, spot[1:])
        if best is not None:
            break
    if best is None:
        raise RuntimeError(f"no room for a callout of {space.id}")
    _, block, radius, columns, rows, width, height, spot = best
    x, y = spot[1] + 0.5, spot[0] + 0.5
    entry = table.placed[space.id]
    entry["callout"] = {
        "x": round(x - width / 2, 1),
        "y": round(y - height / 2, 1),
        "w": round(width, 1),
        "h": round(height, 1),
    }
    _write_block(entry, block, x, y - height / 2 + 2 + block.height / 2)
    pitch = 2 * radius + 1
    top = y + height / 2 - 2 - rows * pitch + pitch / 2
    entry["slots"] = [
        {"x": round(x + (c - (columns - 1) / 2) * pitch, 1), "y": round(top + r * pitch, 1), "r": radius}
        for r in range(rows)
        for c in range(columns)
    ]
    _box(table, x, y, width, height)
