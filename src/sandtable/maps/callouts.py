"""Panels for places that are too small for their own name and pieces."""

from __future__ import annotations

import math

import msgspec

from sandtable.maps import lettering
from sandtable.maps.badges import badge_of, put_badge
from sandtable.maps.layout import BADGE, PIECE, PIECE_BOX, Badge, Frame, Name
from sandtable.maps.naming import LAND_SPACING, LINE_HEIGHT, SEA_SPACING, fit
from sandtable.maps.pieces import stand
from sandtable.maps.table import Table, edge_towards
from sandtable.maps.view import Box


class Panel(msgspec.Struct, frozen=True):
    """Measures of a callout's panel in pixels."""

    width: float
    height: float
    pad: float
    lines: tuple[str, ...]
    letters: float
    name_width: float
    name_height: float
    badge: Badge | None
    badge_width: float
    piece: float
    columns: int
    shown: int


def place_callout(table: Table, name: str) -> bool:
    """Name, badge and pieces of a tiny place in a panel beside it, no larger than they need.

    False if a crop cuts the panel's room off; the place is then treated like any other.
    """
    space = table.asset.spaces[name]
    callout = space.callout
    assert callout is not None
    x0, y0 = table.view.pixel(callout.x, callout.y)
    room = Box(x0, y0, x0 + callout.w * table.view.zoom, y0 + callout.h * table.view.zoom)
    if not table.view.window.contains(room):
        return False
    plan = _plan(table, name, room)
    if plan is None:
        return False
    width, height = plan.width, plan.height
    anchor = table.anchor(space)
    # inside the room that is kept free, as close to the place as it can stand
    x = min(max(anchor[0], room.x0 + width / 2), room.x1 - width / 2)
    y = min(max(anchor[1], room.y0 + height / 2), room.y1 - height / 2)
    panel = Box.around(x, y, width, height)
    _fill(table, name, panel, plan)
    table.layout.frames.append(Frame(name, panel))
    table.taken.add(panel)
    table.draw_leader(name, edge_towards(panel, anchor), anchor)
    return True


def _plan(table: Table, name: str, room: Box) -> Panel | None:
    """The largest lettering and pieces with which everything fits into the room, or as many as do."""
    total = len(table.stacks(name))
    for shown in sorted({total, *(n for n in (12, 8, 6, 4, 3, 2, 1, 0) if n < total)}, reverse=True):
        for shrink in (1.0, 0.92, 0.85, 0.78, 0.7, 0.62, 0.55, 0.48, 0.4):
            plan = _measure(table, name, room.width, shown, shrink)
            if plan.width <= room.width and plan.height <= room.height:
                return plan
    return None


def _measure(table: Table, name: str, room: float, shown: int, shrink: float) -> Panel:
    """Measures of a panel with so many pieces at a relative size, in a room so wide."""
    sea = table.asset.spaces[name].is_sea
    face, spacing = (lettering.SEA, SEA_SPACING) if sea else (lettering.LAND, LAND_SPACING)
    size = table.view.size * shrink
    pad = 2.4 * size
    legible = table.view.size * max(shrink, 0.7)  # pieces give way before the name does
    badge = badge_of(table, name, BADGE * legible * 0.84) if table.options.values and not sea else None
    lines: tuple[str, ...] = ()
    letters = 9.6 * legible
    if table.options.names:
        lines, letters = fit(table.text(name), face, spacing, room - 2 * pad, 2.01 * letters, letters)
    name_width = max((lettering.width(line, face, letters, spacing) for line in lines), default=0.0)
    name_height = letters * LINE_HEIGHT * len(lines) + (pad * 0.3 if lines else 0.0)
    badge_width = badge.box.width + pad if badge is not None else 0.0
    badge_height = badge.box.height if badge is not None else 0.0
    piece = PIECE * size
    across, down = piece * PIECE_BOX[0], piece * PIECE_BOX[1]
    columns = max(min(shown, int((room - 2 * pad - badge_width) / across)), 1) if shown else 0
    rows = math.ceil(shown / columns) if columns else 0
    width = max(name_width, badge_width + columns * across) + 2 * pad
    height = name_height + max(badge_height, rows * down) + 2 * pad
    return Panel(width, height, pad, lines, letters, name_width, name_height, badge, badge_width, piece, columns, shown)


def _fill(table: Table, name: str, panel: Box, plan: Panel) -> None:
    x = panel.centre[0]
    top = panel.y0 + plan.pad
    if plan.lines:
        height = plan.letters * LINE_HEIGHT * len(plan.lines)
        box = Box(x - plan.name_width / 2, top, x + plan.name_width / 2, top + height)
        sea = table.asset.spaces[name].is_sea
        table.layout.names.append(Name(name, plan.lines, *box.centre, plan.letters, sea, box))
        top += plan.name_height
    stacks = table.stacks(name) if plan.shown else []
    across, down = plan.piece * PIECE_BOX[0], plan.piece * PIECE_BOX[1]
    middle = (top + panel.y1 - plan.pad) / 2
    left = x - (plan.badge_width + plan.columns * across) / 2
    if plan.badge is not None:
        gap = plan.pad if stacks else 0.0
        left += 0 if stacks else plan.pad / 2
        put_badge(table, plan.badge, left + (plan.badge_width - plan.pad) / 2, middle)
        left += plan.badge.box.width + gap
    if stacks:
        rows = math.ceil(plan.shown / plan.columns)
        places = [
            (left + (i % plan.columns + 0.5) * across, middle + (i // plan.columns - (rows - 1) / 2) * down)
            for i in range(plan.shown)
        ]
        stand(table, name, stacks, plan.piece * 0.985, places)
