"""Places for badges: beside the name, on the land's own ground if there is room."""

from __future__ import annotations

import msgspec

from sandtable.maps import lettering
from sandtable.maps.asset import Space
from sandtable.maps.ground import NOBODY
from sandtable.maps.layout import BADGE, Badge
from sandtable.maps.position import IMPASSABLE, NEUTRAL
from sandtable.maps.table import Table
from sandtable.maps.view import Box


def place_badge(table: Table, name: str) -> None:
    """Place a land's badge, smaller if there is little room."""
    if not table.options.values:
        return
    space, view = table.asset.spaces[name], table.view
    radius = BADGE * view.size
    label_size = next((item.size for item in table.layout.names if item.space == name), radius)
    radius = min(radius, max(radius * 0.68, label_size * 0.72))
    for shrink in (1.0, 0.88, 0.76, 0.66):
        badge = badge_of(table, name, radius * shrink)
        if badge is None:
            return
        place = _place_of(table, name, space, badge)
        if place is not None:
            put_badge(table, badge, *place)
            return


def badge_of(table: Table, name: str, radius: float) -> Badge | None:
    """The badge without a place, centred on the origin; None if the land has nothing to show."""
    position = table.position
    owner = position.owner.get(name)
    value = position.ipc.get(name, 0) or None
    has_emblem = bool(owner) and owner not in NEUTRAL and owner != IMPASSABLE
    mark = "capital" if name in position.capitals else "city" if name in position.cities else ""
    count = int(has_emblem) + int(value is not None) + int(bool(mark))
    if not count:
        return None
    width = 2.16 * radius * count
    city = position.cities.get(name, "")
    city_size = max(radius * 1.05, 4.5) if city and table.options.names else 0.0
    height = 2.16 * radius
    if city_size:
        width = max(width, lettering.width(city, lettering.SEA, city_size, 0.02))
        height += city_size * 1.15
    return Badge(
        name,
        owner,
        value,
        mark,
        radius,
        0,
        0,
        Box.around(0, 0, width, height),
        has_emblem,
        city,
        city_size,
    )


def _place_of(table: Table, name: str, space: Space, badge: Badge) -> tuple[float, float] | None:
    width, height = badge.box.width, badge.box.height
    own = table.ground.number[name]
    candidates = []
    points = [point for point in (space.badge, space.emblem) if point is not None]
    if points:
        mean = sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points)
        candidates.append(table.view.pixel(*mean))
    label = next((item.box for item in table.layout.names if item.space == name), None)
    if label is not None:
        x, y = label.centre
        gap = 0.6
        candidates += [
            (x, label.y1 + gap + height / 2),
            (x, label.y0 - gap - height / 2),
            (label.x1 + gap + width / 2, y),
            (label.x0 - gap - width / 2, y),
        ]
    for strict in (True, False):
        for x, y in candidates:
            box = Box.around(x, y, width, height)
            under = table.ground.under(table.units(box))
            if table.taken.is_free(box) and (not strict or under == {own}):
                return x, y
        if strict and table.ground.area[name] > 900:
            place = table.near(candidates[0] if candidates else table.anchor(space), width, height, {own})
            if place is not None:
                return place
    return table.near(table.anchor(space), width, height, {own, NOBODY} | table.ground.sea)


def put_badge(table: Table, badge: Badge, x: float, y: float) -> None:
    """Add a badge with the middle of its box at (x, y)."""
    width, height = badge.box.width, badge.box.height
    placed = msgspec.structs.replace(badge, x=x, y=y - badge.city_size * 1.15 / 2, box=Box.around(x, y, width, height))
    table.layout.badges.append(placed)
    table.taken.add(placed.box)
