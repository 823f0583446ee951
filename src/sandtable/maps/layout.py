"""Where names, badges and pieces stand, so that nothing covers anything else.

The asset proposes a place for everything. This module turns the proposals into boxes in pixels for one zoom and one
position, and where a box would cover another it looks for the nearest free place. Pieces of one space stand in rows
around one of the space's slots; if there are too many they get smaller, and what still finds no room is counted in
a "+n" chip. Small islands may put their pieces on the water beside them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

import msgspec

from sandtable.maps import lettering
from sandtable.maps.asset import MapAsset, Space
from sandtable.maps.ground import NOBODY, Ground
from sandtable.maps.position import IMPASSABLE, NEUTRAL, Position, Stack
from sandtable.maps.view import Box, View

LAND_SPACING = 0.06
SEA_SPACING = 0.04
"""Letter-spacing of names in ems."""
LINE_HEIGHT = 1.0
SMALLEST_NAME = 5.0
SMALLEST_PIECE = 12.0
PIECE = 27.0
"""Width of a silhouette in pixels at one pixel a map unit."""
PIECE_BOX = (1.08, 0.84)
"""A piece with its chip and emblem, in widths of the silhouette."""
BADGE = 7.2

UNIT_ORDER = (
    "infantry", "marine", "commando", "partisan", "artillery", "mechanized-infantry", "armor", "aa-gun",
    "fighter", "fighter-bomber", "jet-fighter", "tactical-bomber", "bomber", "heavy-bomber",
    "battleship", "carrier", "light-carrier", "cruiser", "destroyer", "submarine", "transport",
    "major-complex", "industrial-complex", "minor-complex", "fortification", "air-base", "naval-base",
)  # fmt: skip


class Name(msgspec.Struct, frozen=True):
    """A name in one or more lines, centred on (x, y)."""

    space: str
    lines: tuple[str, ...]
    x: float
    y: float
    size: float
    sea: bool
    box: Box
    angle: float = 0.0


class Badge(msgspec.Struct, frozen=True):
    """Emblem, income value and mark of a capital or victory city in a row; marks are centred on (x, y)."""

    space: str
    owner: str | None
    value: int | None
    mark: str
    radius: float
    x: float
    y: float
    box: Box
    emblem: bool
    city: str = ""
    city_size: float = 0.0


class Piece(msgspec.Struct, frozen=True):
    """One stack: a silhouette `width` pixels wide in the middle of its box.

    `more` counts the units of further stacks that found no room.
    """

    space: str
    stack: Stack
    x: float
    y: float
    width: float
    box: Box
    foreign: bool
    more: int = 0


class Leader(msgspec.Struct, frozen=True):
    """A thin line from pieces or a name that stand in the open to their place."""

    space: str
    start: tuple[float, float]
    end: tuple[float, float]


class Frame(msgspec.Struct, frozen=True):
    """The panel of a callout."""

    space: str
    box: Box


class Layout(msgspec.Struct):
    names: list[Name] = msgspec.field(default_factory=list)
    badges: list[Badge] = msgspec.field(default_factory=list)
    pieces: list[Piece] = msgspec.field(default_factory=list)
    leaders: list[Leader] = msgspec.field(default_factory=list)
    frames: list[Frame] = msgspec.field(default_factory=list)

    def boxes(self) -> Iterator[tuple[str, Box]]:
        """Everything that takes room, with the space it belongs to."""
        yield from ((name.space, name.box) for name in self.names)
        yield from ((badge.space, badge.box) for badge in self.badges)
        yield from ((piece.space, piece.box) for piece in self.pieces)


class _Panel(msgspec.Struct, frozen=True):
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


class Options(msgspec.Struct, frozen=True):
    names: bool = True
    values: bool = True
    units: bool = True


class Taken:
    """The boxes that are in use, in a grid of buckets so that a test looks only at its neighbourhood."""

    def __init__(self, window: Box, bucket: float = 80.0) -> None:
        self.window = window
        self._bucket = bucket
        self._boxes: dict[tuple[int, int], list[Box]] = {}

    def _cells(self, box: Box) -> Iterable[tuple[int, int]]:
        size = self._bucket
        for i in range(int(box.x0 // size), int(box.x1 // size) + 1):
            for j in range(int(box.y0 // size), int(box.y1 // size) + 1):
                yield i, j

    def add(self, box: Box) -> None:
        for cell in self._cells(box):
            self._boxes.setdefault(cell, []).append(box)

    def is_free(self, box: Box) -> bool:
        if not self.window.contains(box):
            return False
        x0, y0, x1, y1 = box
        for cell in self._cells(box):
            for other in self._boxes.get(cell, ()):
                if x0 < other.x1 and other.x0 < x1 and y0 < other.y1 and other.y0 < y1:
                    return False
        return True


def lay_out(asset: MapAsset, ground: Ground, view: View, position: Position, options: Options) -> Layout:
    """Place everything: land names and badges, then land pieces, then what stands at sea."""
    return _Layouter(asset, ground, view, position, options).run()


def ordered(stacks: Iterable[Stack], owner: str | None, powers: Iterable[str]) -> list[Stack]:
    """Stacks as they are read: the owner's first, then by power, then by kind; stacks of none are left out."""
    turn = {power: i for i, power in enumerate(powers)}
    kind = {unit: i for i, unit in enumerate(UNIT_ORDER)}
    return sorted(
        (stack for stack in stacks if stack.count > 0),
        key=lambda s: (s.power != owner, turn.get(s.power, 99), s.power, kind.get(s.unit, 99), s.unit),
    )


class _Layouter:
    def __init__(self, asset: MapAsset, ground: Ground, view: View, position: Position, options: Options) -> None:
        self.asset = asset
        self.ground = ground
        self.view = view
        self.position = position
        self.options = options
        self.taken = Taken(view.window)
        self.layout = Layout()
        shown = [name for name in asset.spaces if self._is_shown(asset.spaces[name])]
        self.by_area = sorted(shown, key=lambda name: (ground.area[name], name))

    def run(self) -> Layout:
        land = [name for name in self.by_area if not self.asset.spaces[name].is_sea]
        sea = [name for name in self.by_area if self.asset.spaces[name].is_sea]
        tiny = [name for name in self.by_area if self.asset.spaces[name].callout is not None]
        called_out = {name for name in tiny if self._callout(name)}
        land = [name for name in land if name not in called_out]
        sea = [name for name in sea if name not in called_out]
        for place in (self._name, self._badge, self._pieces):
            for name in land:
                place(name)
        for place in (self._name, self._pieces):
            for name in sea:
                place(name)
        return self.layout

    def _is_shown(self, space: Space) -> bool:
        """A space that a crop shows only a corner of stays bare: its contents would be squeezed into the corner."""
        window = self.view.window
        places = (self.view.pixel(space.label.x, space.label.y), self._anchor(space))
        return any(window.x0 < x < window.x1 and window.y0 < y < window.y1 for x, y in places)

    # ---- names

    def _text(self, name: str) -> str:
        return written_name(self.asset, self.position, name)

    def _name(self, name: str) -> None:
        if not self.options.names:
            return
        space, view = self.asset.spaces[name], self.view
        label = space.label
        face, spacing = (lettering.SEA, SEA_SPACING) if space.is_sea else (lettering.LAND, LAND_SPACING)
        root = math.sqrt(self.ground.area[name])
        largest = min(max(8 + root / 26, 10), 16) if space.is_sea else min(max(7.5 + root / 17, 9.5), 17.5)
        largest *= view.size
        if space.is_sea and view.zoom > 1:
            largest *= view.zoom**-0.2  # the sea stays quiet
        lines, size = fit(self._text(name), face, spacing, label.width * view.zoom, label.height * view.zoom, largest)
        size = max(size, min(SMALLEST_NAME, 7 * view.size))
        x, y = view.pixel(label.x, label.y)
        cut_off = not view.window.contains(Box.around(x, y, 0, 0))
        if cut_off:
            x, y = self._anchor(space)
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
                place = self._near((x, y), width + 2, height, {self.ground.number[name]})
            else:
                place = self._free_text_place(name, x, y, width + 2, height)
            if place is not None:
                box = Box.around(*place, width + 2, height)
                self.layout.names.append(Name(name, lines, *place, size * shrink, space.is_sea, box, angle=label.angle))
                self.taken.add(box)
                self._lead_name(name, box)
                return

    def _lead_name(self, name: str, box: Box) -> None:
        """A line from a name in the open to the edge of its place, unless one sees where it belongs."""
        own = self.ground.number[name]
        if own in self.ground.under(self._units(box).grown(9), 9):
            return
        anchor = self._anchor(self.asset.spaces[name])
        start = _edge_towards(box, anchor)
        length = max(math.dist(start, anchor), 1.0)
        for at in range(0, int(length), 2):
            share = at / length
            end = start[0] + (anchor[0] - start[0]) * share, start[1] + (anchor[1] - start[1]) * share
            if self.ground.at(*self.view.unit(*end)) == own:
                share = min((at + 5 * self.view.size) / length, 1.0)
                end = start[0] + (anchor[0] - start[0]) * share, start[1] + (anchor[1] - start[1]) * share
                self._draw_leader(name, start, end)
                return

    def _draw_leader(self, name: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Add a line and keep its course free."""
        self.layout.leaders.append(Leader(name, start, end))
        steps = max(int(math.dist(start, end) / 4), 1)
        for i in range(steps + 1):
            x = start[0] + (end[0] - start[0]) * i / steps
            y = start[1] + (end[1] - start[1]) * i / steps
            self.taken.add(Box.around(x, y, 3, 3))

    def _free_text_place(
        self, name: str, x: float, y: float, width: float, height: float
    ) -> tuple[float, float] | None:
        """The asset's place if it is free, else the nearest one that covers no land of others."""
        if self.taken.is_free(Box.around(x, y, width, height)):
            return x, y
        own = self.ground.number[name]
        allowed = {own, NOBODY} | (set() if own in self.ground.sea else self.ground.sea)
        step = max(height * 0.3, 3.0)
        for dx, dy in _spiral(10):
            box = Box.around(x + dx * step * 1.6, y + dy * step, width, height)
            if self._fits(box, allowed):
                return box.centre
        return None

    # ---- badges

    def _badge(self, name: str) -> None:
        if not self.options.values:
            return
        space, view = self.asset.spaces[name], self.view
        radius = BADGE * view.size
        label_size = next((item.size for item in self.layout.names if item.space == name), radius)
        radius = min(radius, max(radius * 0.68, label_size * 0.72))
        for shrink in (1.0, 0.88, 0.76, 0.66):
            badge = self._badge_of(name, radius * shrink)
            if badge is None:
                return
            place = self._badge_place(name, space, badge)
            if place is not None:
                self._put_badge(badge, *place)
                return

    def _badge_of(self, name: str, radius: float) -> Badge | None:
        """The badge without a place, centred on the origin; None if the land has nothing to show."""
        position = self.position
        owner = position.owner.get(name)
        value = position.ipc.get(name, 0) or None
        has_emblem = bool(owner) and owner not in NEUTRAL and owner != IMPASSABLE
        mark = "capital" if name in position.capitals else "city" if name in position.cities else ""
        count = int(has_emblem) + int(value is not None) + int(bool(mark))
        if not count:
            return None
        width = 2.16 * radius * count
        city = position.cities.get(name, "")
        city_size = max(radius * 1.05, 4.5) if city and self.options.names else 0.0
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

    def _badge_place(self, name: str, space: Space, badge: Badge) -> tuple[float, float] | None:
        width, height = badge.box.width, badge.box.height
        own = self.ground.number[name]
        candidates = []
        points = [point for point in (space.badge, space.emblem) if point is not None]
        if points:
            mean = sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points)
            candidates.append(self.view.pixel(*mean))
        label = next((item.box for item in self.layout.names if item.space == name), None)
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
                under = self.ground.under(self._units(box))
                if self.taken.is_free(box) and (not strict or under == {own}):
                    return x, y
            if strict and self.ground.area[name] > 900:
                place = self._near(candidates[0] if candidates else self._anchor(space), width, height, {own})
                if place is not None:
                    return place
        return self._near(self._anchor(space), width, height, {own, NOBODY} | self.ground.sea)

    def _near(
        self, start: tuple[float, float], width: float, height: float, allowed: set[int]
    ) -> tuple[float, float] | None:
        step = max(height * 0.3, 3.0)
        for dx, dy in _spiral(11):
            box = Box.around(start[0] + dx * step * 1.3, start[1] + dy * step, width, height)
            if self._fits(box, allowed):
                return box.centre
        return None

    def _put_badge(self, badge: Badge, x: float, y: float) -> None:
        width, height = badge.box.width, badge.box.height
        placed = msgspec.structs.replace(
            badge, x=x, y=y - badge.city_size * 1.15 / 2, box=Box.around(x, y, width, height)
        )
        self.layout.badges.append(placed)
        self.taken.add(placed.box)

    # ---- pieces

    def _stacks(self, name: str) -> list[Stack]:
        if not self.options.units:
            return []
        position = self.position
        return ordered(position.units.get(name, ()), position.owner.get(name), position.powers)

    def _pieces(self, name: str) -> None:
        stacks = self._stacks(name)
        if not stacks:
            return
        own = self.ground.number[name]
        space = self.asset.spaces[name]
        target = PIECE * self.view.size
        smallest = min(SMALLEST_PIECE, target * 0.8)
        beside = {own, NOBODY} if space.is_sea else {own, NOBODY} | self.ground.sea
        best: tuple[float, list[tuple[float, float]]] = (target, [])
        for factor, tidy, spill in _PLANS:
            width = max(target * factor, smallest)
            allowed = beside if spill else {own}
            places = (self._block if tidy else self._formation)(name, len(stacks), width, allowed)
            if len(places) > len(best[1]):
                best = width, places
            if len(places) == len(stacks):
                break
        width, places = best
        if not places:
            return
        self._stand(name, stacks, width, places)
        if not space.is_sea:
            self._lead(name, space, places)

    def _stand(self, name: str, stacks: list[Stack], width: float, places: list[tuple[float, float]]) -> None:
        owner = self.position.owner.get(name)
        sea = self.asset.spaces[name].is_sea
        left_over = sum(stack.count for stack in stacks[len(places) :])
        for i, (stack, (x, y)) in enumerate(zip(stacks, places, strict=False)):
            box = Box.around(x, y, width * PIECE_BOX[0], width * PIECE_BOX[1])
            more = left_over if i == len(places) - 1 else 0
            self.layout.pieces.append(Piece(name, stack, x, y, width, box, sea or stack.power != owner, more))
            self.taken.add(box)

    def _home(self, name: str) -> tuple[float, float]:
        """Where pieces gather: at the name if it stands on the space's own ground."""
        space = self.asset.spaces[name]
        label = space.label
        if space.callout is None and self.ground.at(label.x, label.y) == self.ground.number[name]:
            return self.view.pixel(label.x, label.y)
        return self._anchor(space)

    def _reach(self, name: str, across: float, allowed: set[int]) -> float:
        """On their own ground pieces may stand anywhere; beside it only as far as one sees where they belong."""
        if len(allowed) == 1:
            return math.inf
        return math.sqrt(self.ground.area[name]) * self.view.zoom / 2 + 3 * across

    def _block(self, name: str, count: int, width: float, allowed: set[int]) -> list[tuple[float, float]]:
        """Places for all pieces as one neat block of rows, as near to the name as there is room; else none."""
        across, down = width * PIECE_BOX[0] + 1, width * PIECE_BOX[1] + 1
        home, space = self._home(name), self.asset.spaces[name]
        reach = self._reach(name, across, allowed)
        shapes = _shapes(count)
        starts = [home, *(self.view.pixel(slot.x, slot.y) for slot in space.slots[:6])]
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
            if all(self._fits(box, allowed) for box in (Box.around(*place, across - 1, down - 1) for place in places)):
                return places
        return []

    def _formation(self, name: str, count: int, width: float, allowed: set[int]) -> list[tuple[float, float]]:
        """Up to `count` places in rows around the slot that keeps them closest together and to the name."""
        space = self.asset.spaces[name]
        across, down = width * PIECE_BOX[0] + 1, width * PIECE_BOX[1] + 1
        slots = [self.view.pixel(slot.x, slot.y) for slot in space.slots[:12]]
        slots.append(self._anchor(space))
        home = self._home(name)
        reach = self._reach(name, across, allowed)
        best: list[tuple[float, float]] = []
        best_cost = math.inf
        for x, y in slots:
            for shift_x, shift_y in ((0.0, 0.0), (across / 2, 0.0), (0.0, down / 2)):
                found = self._grid_places((x + shift_x, y + shift_y), count, (across, down), allowed, reach)
                if not found or len(found) < len(best):
                    continue
                middle = sum(p[0] for p in found) / len(found), sum(p[1] for p in found) / len(found)
                cost = sum(math.dist(place, middle) for place in found) + 0.2 * math.dist(middle, home)
                if len(found) > len(best) or cost < best_cost:
                    best, best_cost = found, cost
        return sorted(best, key=lambda place: (round(place[1]), place[0]))

    def _grid_places(
        self,
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
            if self._fits(box, allowed):
                found.append(box.centre)
                if len(found) == count:
                    break
        return found

    def _lead(self, name: str, space: Space, places: list[tuple[float, float]]) -> None:
        """A line to the land if none of its pieces stands on it."""
        own = self.ground.number[name]
        pieces = [piece for piece in self.layout.pieces if piece.space == name]
        if any(own in self.ground.under(self._units(piece.box), 5) for piece in pieces):
            return
        anchor = self._anchor(space)
        nearest = min(places, key=lambda place: math.dist(place, anchor))
        self.layout.leaders.append(Leader(name, nearest, anchor))

    # ---- callouts

    def _callout(self, name: str) -> bool:
        """Name, badge and pieces of a tiny place in a panel beside it, no larger than they need.

        False if a crop cuts the panel's room off; the place is then treated like any other.
        """
        space = self.asset.spaces[name]
        callout = space.callout
        assert callout is not None
        x0, y0 = self.view.pixel(callout.x, callout.y)
        room = Box(x0, y0, x0 + callout.w * self.view.zoom, y0 + callout.h * self.view.zoom)
        if not self.view.window.contains(room):
            return False
        plan = self._panel_plan(name, room)
        if plan is None:
            return False
        width, height = plan.width, plan.height
        anchor = self._anchor(space)
        # inside the room that is kept free, as close to the place as it can stand
        x = min(max(anchor[0], room.x0 + width / 2), room.x1 - width / 2)
        y = min(max(anchor[1], room.y0 + height / 2), room.y1 - height / 2)
        panel = Box.around(x, y, width, height)
        self._fill_panel(name, panel, plan)
        self.layout.frames.append(Frame(name, panel))
        self.taken.add(panel)
        self._draw_leader(name, _edge_towards(panel, anchor), anchor)
        return True

    def _panel_plan(self, name: str, room: Box) -> _Panel | None:
        """The largest lettering and pieces with which everything fits into the room, or as many as do."""
        total = len(self._stacks(name))
        for shown in sorted({total, *(n for n in (12, 8, 6, 4, 3, 2, 1, 0) if n < total)}, reverse=True):
            for shrink in (1.0, 0.92, 0.85, 0.78, 0.7, 0.62, 0.55, 0.48, 0.4):
                plan = self._panel(name, room.width, shown, shrink)
                if plan.width <= room.width and plan.height <= room.height:
                    return plan
        return None

    def _panel(self, name: str, room: float, shown: int, shrink: float) -> _Panel:
        """Measures of a panel with so many pieces at a relative size, in a room so wide."""
        sea = self.asset.spaces[name].is_sea
        face, spacing = (lettering.SEA, SEA_SPACING) if sea else (lettering.LAND, LAND_SPACING)
        size = self.view.size * shrink
        pad = 2.4 * size
        legible = self.view.size * max(shrink, 0.7)  # pieces give way before the name does
        badge = self._badge_of(name, BADGE * legible * 0.84) if self.options.values and not sea else None
        lines: tuple[str, ...] = ()
        letters = 9.6 * legible
        if self.options.names:
            lines, letters = fit(self._text(name), face, spacing, room - 2 * pad, 2.01 * letters, letters)
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
        return _Panel(
            width, height, pad, lines, letters, name_width, name_height, badge, badge_width, piece, columns, shown
        )

    def _fill_panel(self, name: str, panel: Box, plan: _Panel) -> None:
        x = panel.centre[0]
        top = panel.y0 + plan.pad
        if plan.lines:
            height = plan.letters * LINE_HEIGHT * len(plan.lines)
            box = Box(x - plan.name_width / 2, top, x + plan.name_width / 2, top + height)
            sea = self.asset.spaces[name].is_sea
            self.layout.names.append(Name(name, plan.lines, *box.centre, plan.letters, sea, box))
            top += plan.name_height
        stacks = self._stacks(name) if plan.shown else []
        across, down = plan.piece * PIECE_BOX[0], plan.piece * PIECE_BOX[1]
        middle = (top + panel.y1 - plan.pad) / 2
        left = x - (plan.badge_width + plan.columns * across) / 2
        if plan.badge is not None:
            gap = plan.pad if stacks else 0.0
            left += 0 if stacks else plan.pad / 2
            self._put_badge(plan.badge, left + (plan.badge_width - plan.pad) / 2, middle)
            left += plan.badge.box.width + gap
        if stacks:
            rows = math.ceil(plan.shown / plan.columns)
            places = [
                (left + (i % plan.columns + 0.5) * across, middle + (i // plan.columns - (rows - 1) / 2) * down)
                for i in range(plan.shown)
            ]
            self._stand(name, stacks, plan.piece * 0.985, places)

    # ---- helpers

    def _anchor(self, space: Space) -> tuple[float, float]:
        return self.view.pixel(space.anchor.x, space.anchor.y)

    def _fits(self, box: Box, allowed: set[int]) -> bool:
        """Whether a box is free and stands on allowed ground."""
        return self.ground.stands_on(self._units(box), allowed) and self.taken.is_free(box)

    def _units(self, box: Box) -> Box:
        return Box(*self.view.unit(box.x0, box.y0), *self.view.unit(box.x1, box.y1))


def written_name(asset: MapAsset, position: Position, name: str) -> str:
    """A space's name as it stands on the map: capitals on land, the short form at sea."""
    space = asset.spaces[name]
    text = position.names.get(name, name.replace("-", " ").title())
    if not space.is_sea:
        return text.upper()
    proposed = " ".join(space.label.lines)
    return proposed if proposed and text.startswith(proposed) else sea_name(text)


def sea_name(text: str) -> str:
    """The quiet form of a sea zone's name: that it is a sea zone can be seen."""
    for tail in (" Sea Zone", " Zone"):
        if text.endswith(tail) and len(text) > len(tail):
            return text.removesuffix(tail)
    return text.removeprefix("Sea Zone ")


def fit(
    text: str, face: lettering.Face, spacing: float, width: float, height: float, largest: float
) -> tuple[tuple[str, ...], float]:
    """The line breaks that allow the largest text in a box; fewer lines win if they are nearly as large."""
    best: tuple[tuple[str, ...], float] = ((text,), 0.0)
    best_score = -1.0
    for lines in breaks(text):
        unit = max(lettering.width(line, face, 1, spacing) for line in lines)
        size = min(largest, width / unit, height / (LINE_HEIGHT * (len(lines) - 1) + 0.92))
        score = size * (1 - 0.07 * (len(lines) - 1))
        if score > best_score:
            best, best_score = (lines, size), score
    return best


def breaks(text: str, most: int = 3) -> Iterator[tuple[str, ...]]:
    """All ways to break a name at spaces, hyphens and strokes into at most three lines."""
    words = re.split(r"(?<=[-/ ])", text)

    def split(rest: list[str], lines: int) -> Iterator[tuple[str, ...]]:
        yield ("".join(rest).strip(),)
        if lines > 1:
            for i in range(1, len(rest)):
                for tail in split(rest[i:], lines - 1):
                    yield ("".join(rest[:i]).strip(), *tail)

    return split([word for word in words if word], most)


def _spiral(rings: int) -> Iterator[tuple[int, int]]:
    """Grid offsets from near to far."""
    offsets = [(i, j) for i in range(-rings, rings + 1) for j in range(-rings, rings + 1)]
    offsets.sort(key=lambda o: (o[0] ** 2 + o[1] ** 2, o))
    return iter(offsets)


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


_OUTWARD = sorted(
    ((i, j) for i in range(-4, 5) for j in range(-5, 6)),
    key=lambda c: ((1.28 * c[0]) ** 2 + c[1] ** 2, c[1], c[0]),
)
"""Cells of a grid of pieces from the middle outward; a piece is wider than high."""


def _edge_towards(box: Box, target: tuple[float, float]) -> tuple[float, float]:
    """Where the line from the middle of a box to a point outside leaves the box."""
    x, y = box.centre
    dx, dy = target[0] - x, target[1] - y
    reach = max(abs(dx) / (box.width / 2), abs(dy) / (box.height / 2), 1e-9)
    return x + dx / max(reach, 1.0), y + dy / max(reach, 1.0)
