"""Places for pieces: in rows near the name, smaller if there are many, on the water beside a small island.

What still finds no room is counted in a "+n" chip on the last piece.
"""

from __future__ import annotations

import math

from sandtable.maps.asset import Space
from sandtable.maps.ground import NOBODY
from sandtable.maps.layout import PIECE, PIECE_BOX, Leader, Piece
from sandtable.maps.position import Stack
from sandtable.maps.table import Table
from sandtable.maps.view import Box

SMALLEST_PIECE = 12.0

_PLANS = (
    (1.0, True, False),
    (0.86, True, False),
    (0.9, False, False),
    (0.74, True, False),
    (0.74, False, False),
    (0.8, True, True),
    (0.66, True, True),
    (0.62, False, False),
    (0.62, False, True),
    (0.5, False, True),
)
"""How pieces are tried, best first: relative size, as one block or loose, and whether on the water beside."""

_OUTWARD = sorted(
    ((i, j) for i in range(-4, 5) for j in range(-5, 6)),
    key=lambda c: ((1.28 * c[0]) ** 2 + c[1] ** 2, c[1], c[0]),
)
"""Cells of a grid of pieces from the middle outward; a piece is wider than high."""


def place_pieces(table: Table, name: str) -> None:
    """Place the stacks of a space by the first plan that has room for all of them, or for most."""
    stacks = table.stacks(name)
    if not stacks:
        return
    own = table.ground.number[name]
    space = table.asset.spaces[name]
    target = PIECE * table.view.size
    smallest = min(SMALLEST_PIECE, target * 0.8)
    beside = {own, NOBODY} if space.is_sea else {own, NOBODY} | table.ground.sea
    best: tuple[float, list[tuple[float, float]]] = (target, [])
    for factor, tidy, spill in _PLANS:
        width = max(target * factor, smallest)
        allowed = beside if spill else {own}
        places = (_block if tidy else _formation)(table, name, len(stacks), width, allowed)
        if len(places) > len(best[1]):
            best = width, places
        if len(places) == len(stacks):
            break
    width, places = best
    if not places:
        return
    stand(table, name, stacks, width, places)
    if not space.is_sea:
        _lead(table, name, space, places)


def stand(table: Table, name: str, stacks: list[Stack], width: float, places: list[tuple[float, float]]) -> None:
    """Put stacks on their places; the last one counts those that have none."""
    owner = table.position.owner.get(name)
    sea = table.asset.spaces[name].is_sea
    left_over = sum(stack.count for stack in stacks[len(places) :])
    for i, (stack, (x, y)) in enumerate(zip(stacks, places, strict=False)):
        box = Box.around(x, y, width * PIECE_BOX[0], width * PIECE_BOX[1])
        more = left_over if i == len(places) - 1 else 0
        table.layout.pieces.append(Piece(name, stack, x, y, width, box, sea or stack.power != owner, more))
        table.taken.add(box)


def _home(table: Table, name: str) -> tuple[float, float]:
    """Where pieces gather: at the name if it stands on the space's own ground."""
    space = table.asset.spaces[name]
    label = space.label
    if space.callout is None and table.ground.at(label.x, label.y) == table.ground.number[name]:
        return table.view.pixel(label.x, label.y)
    return table.anchor(space)


def _reach(table: Table, name: str, across: float, allowed: set[int]) -> float:
    """On their own ground pieces may stand anywhere; beside it only as far as one sees where they belong."""
    if len(allowed) == 1:
        return math.inf
    return math.sqrt(table.ground.area[name]) * table.view.zoom / 2 + 3 * across


def _block(table: Table, name: str, count: int, width: float, allowed: set[int]) -> list[tuple[float, float]]:
    """Places for all pieces as one neat block of rows, as near to the name as there is room; else none."""
    across, down = width * PIECE_BOX[0] + 1, width * PIECE_BOX[1] + 1
    room = table.ground.area[name] * table.view.zoom**2
    if len(allowed) == 1 and count * across * down > 0.7 * room:
        return []  # cannot fit: spare the search
    home, space = _home(table, name), table.asset.spaces[name]
    reach = _reach(table, name, across, allowed)
    shapes = _shapes(count)
    starts = [home, *(table.view.pixel(slot.x, slot.y) for slot in space.slots[:6])]
    tries = sorted(
        (math.dist((x + i * across / 2, y + j * down / 2), home) + penalty * width, columns, i, j, x, y)
        for x, y in starts
        for i in range(-3, 4)
        for j in range(-3, 4)
        for columns, penalty in shapes
    )
    for cost, columns, i, j, x, y in tries:
        if cost > reach:
            break
        middle = x + i * across / 2, y + j * down / 2
        places = _rows(middle, count, columns, across, down)
        if all(table.fits(box, allowed) for box in (Box.around(*place, across - 1, down - 1) for place in places)):
            return places
    return []


def _formation(table: Table, name: str, count: int, width: float, allowed: set[int]) -> list[tuple[float, float]]:
    """Up to `count` places in rows around the slot that keeps them closest together and to the name."""
    space = table.asset.spaces[name]
    across, down = width * PIECE_BOX[0] + 1, width * PIECE_BOX[1] + 1
    slots = [table.view.pixel(slot.x, slot.y) for slot in space.slots[:12]]
    slots.append(table.anchor(space))
    home = _home(table, name)
    reach = _reach(table, name, across, allowed)
    best: list[tuple[float, float]] = []
    best_cost = math.inf
    for x, y in slots:
        for shift_x, shift_y in ((0.0, 0.0), (across / 2, 0.0), (0.0, down / 2)):
            found = _grid_places(table, (x + shift_x, y + shift_y), count, (across, down), allowed, reach)
            if not found or len(found) < len(best):
                continue
            middle = sum(p[0] for p in found) / len(found), sum(p[1] for p in found) / len(found)
            cost = sum(math.dist(place, middle) for place in found) + 0.2 * math.dist(middle, home)
            if len(found) > len(best) or cost < best_cost:
                best, best_cost = found, cost
    return sorted(best, key=lambda place: (round(place[1]), place[0]))


def _grid_places(
    table: Table,
    origin: tuple[float, float],
    count: int,
    cell: tuple[float, float],
    allowed: set[int],
    reach: float,
) -> list[tuple[float, float]]:
    """Free cells of a grid of pieces, from the origin outward."""
    found: list[tuple[float, float]] = []
    across, down = cell
    for i, j in _OUTWARD:
        if math.hypot(i * across, j * down) > reach:
            continue
        box = Box.around(origin[0] + i * across, origin[1] + j * down, across - 1, down - 1)
        if table.fits(box, allowed):
            found.append(box.centre)
            if len(found) == count:
                break
    return found


def _lead(table: Table, name: str, space: Space, places: list[tuple[float, float]]) -> None:
    """A line to the land if none of its pieces stands on it."""
    own = table.ground.number[name]
    pieces = [piece for piece in table.layout.pieces if piece.space == name]
    if any(own in table.ground.under(table.units(piece.box), 5) for piece in pieces):
        return
    anchor = table.anchor(space)
    nearest = min(places, key=lambda place: math.dist(place, anchor))
    table.layout.leaders.append(Leader(name, nearest, anchor))


def _shapes(count: int) -> list[tuple[int, float]]:
    """Numbers of columns for a block of pieces, each with a penalty for being long or ragged."""
    shapes = []
    for columns in range(1, min(count, 12) + 1):
        rows = math.ceil(count / columns)
        if rows > 6:
            continue
        ragged = columns * rows - count
        if ragged >= columns:
            continue
        shapes.append((columns, 0.45 * abs(columns * 0.9 - rows) + 0.25 * ragged))
    return shapes


def _rows(
    middle: tuple[float, float], count: int, columns: int, across: float, down: float
) -> list[tuple[float, float]]:
    """Centres of pieces in rows around a point; a short last row is centred."""
    rows = math.ceil(count / columns)
    places = []
    for i in range(count):
        row, column = divmod(i, columns)
        in_row = min(columns, count - row * columns)
        places.append((middle[0] + (column - (in_row - 1) / 2) * across, middle[1] + (row - (rows - 1) / 2) * down))
    return places
