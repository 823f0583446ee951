"""Places for names: the asset's own, or the nearest free one."""

from __future__ import annotations

import math

from sandtable.maps import lettering
from sandtable.maps.ground import NOBODY
from sandtable.maps.layout import Name
from sandtable.maps.naming import LAND_SPACING, LINE_HEIGHT, SEA_SPACING, fit
from sandtable.maps.table import Table, edge_towards, spiral
from sandtable.maps.view import Box

SMALLEST_NAME = 5.0


def place_name(table: Table, name: str) -> None:
    """Write a space's name as large as its room allows, smaller where it would cover something."""
    if not table.options.names:
        return
    space, view = table.asset.spaces[name], table.view
    label = space.label
    face, spacing = (lettering.SEA, SEA_SPACING) if space.is_sea else (lettering.LAND, LAND_SPACING)
    root = math.sqrt(table.ground.area[name])
    largest = min(max(8 + root / 26, 10), 16) if space.is_sea else min(max(7.5 + root / 17, 9.5), 17.5)
    largest *= view.size
    if space.is_sea and view.zoom > 1:
        largest *= view.zoom**-0.2  # the sea stays quiet
    lines, size = fit(table.text(name), face, spacing, label.width * view.zoom, label.height * view.zoom, largest)
    size = max(size, min(SMALLEST_NAME, 7 * view.size))
    x, y = view.pixel(label.x, label.y)
    cut_off = not view.window.contains(Box.around(x, y, 0, 0))
    if cut_off:
        x, y = table.anchor(space)
    for shrink in (1.0, 0.86, 0.74):
        width = max(lettering.width(line, face, size * shrink, spacing) for line in lines)
        height = size * shrink * (LINE_HEIGHT * (len(lines) - 1) + 0.92)
        if label.angle:
            turned = math.radians(label.angle)
            width, height = (
                abs(width * math.cos(turned)) + abs(height * math.sin(turned)),
                abs(width * math.sin(turned)) + abs(height * math.cos(turned)),
            )
        if cut_off and space.callout is None:
            place = table.near((x, y), width + 2, height, {table.ground.number[name]})
        else:
            place = _free_place(table, name, x, y, width + 2, height)
        if place is not None:
            box = Box.around(*place, width + 2, height)
            table.layout.names.append(Name(name, lines, *place, size * shrink, space.is_sea, box, angle=label.angle))
            table.taken.add(box)
            _lead(table, name, box)
            return


def _lead(table: Table, name: str, box: Box) -> None:
    """A line from a name in the open to the edge of its place, unless one sees where it belongs."""
    own = table.ground.number[name]
    if own in table.ground.under(table.units(box).grown(9), 9):
        return
    anchor = table.anchor(table.asset.spaces[name])
    start = edge_towards(box, anchor)
    length = max(math.dist(start, anchor), 1.0)
    for at in range(0, int(length), 2):
        share = at / length
        end = start[0] + (anchor[0] - start[0]) * share, start[1] + (anchor[1] - start[1]) * share
        if table.ground.at(*table.view.unit(*end)) == own:
            share = min((at + 5 * table.view.size) / length, 1.0)
            end = start[0] + (anchor[0] - start[0]) * share, start[1] + (anchor[1] - start[1]) * share
            table.draw_leader(name, start, end)
            return


def _free_place(table: Table, name: str, x: float, y: float, width: float, height: float) -> tuple[float, float] | None:
    """The asset's place if it is free, else the nearest one that covers no land of others."""
    if table.taken.is_free(Box.around(x, y, width, height)):
        return x, y
    own = table.ground.number[name]
    allowed = {own, NOBODY} | (set() if own in table.ground.sea else table.ground.sea)
    step = max(height * 0.3, 3.0)
    for dx, dy in spiral(10):
        box = Box.around(x + dx * step * 1.6, y + dy * step, width, height)
        if table.fits(box, allowed):
            return box.centre
    return None
