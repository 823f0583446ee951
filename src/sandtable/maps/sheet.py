"""What surrounds the map: frame with grid letters, neighbours across the edge, legend and compass."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise

import msgspec

from sandtable.maps import lettering, symbols
from sandtable.maps.asset import MapAsset
from sandtable.maps.ground import Ground
from sandtable.maps.layout import UNIT_ORDER, Layout
from sandtable.maps.marks import Marks
from sandtable.maps.naming import written_name
from sandtable.maps.palette import Palette
from sandtable.maps.paths import Paths
from sandtable.maps.position import IMPASSABLE, Position
from sandtable.maps.svg import move, number, points, tag, text
from sandtable.maps.terrain import GRID, grid_lines, ground_patterns, pattern_of
from sandtable.maps.view import Box, View

STRIP = 17.0
"""Width of a strip of lettering in the margin, in pixels of a sheet 2400 wide."""
BAND = 6.0
ROW = 36.0
RIM = 8.0

OWNERS = {
    "neutral": "Neutral",
    "strict-neutral": "Strict neutral",
    "pro-axis": "Pro-Axis neutral",
    "pro-allies": "Pro-Allies neutral",
    IMPASSABLE: "Impassable",
}


class Entry(msgspec.Struct, frozen=True):
    """One item of the legend: `draw` is SVG with its left middle at the origin."""

    width: float
    draw: str


class Sheet:
    def __init__(
        self,
        asset: MapAsset,
        palette: Palette,
        position: Position,
        width: float,
        *,
        cropped: bool,
        title: str | None,
        units: bool,
    ) -> None:
        self.asset = asset
        self.palette = palette
        self.position = position
        self.width = width
        self.cropped = cropped
        self.title = title
        self.units = units
        self.scale = min(max(width / 2400, 0.5), 2.0)
        self.marks = Marks(palette, self.scale)
        self.wrapping = asset.wraps and not cropped
        self.rows = self._rows()

    # ---- measures

    @property
    def side(self) -> float:
        """Margin left and right of the map."""
        return (STRIP * (2 if self.wrapping else 1) + BAND + RIM) * self.scale

    @property
    def top(self) -> float:
        return (STRIP + BAND + RIM) * self.scale

    @property
    def legend_height(self) -> float:
        return (len(self.rows) * ROW + 10) * self.scale if self.rows else 0.0

    def height(self, window: Box) -> float:
        return window.y1 + self.top + self.legend_height

    def style(self) -> str:
        """Classes: k grid letter, m name in the margin, t title, w word of the legend."""
        serif = f"font-family:{lettering.SERIF_STACK};fill:{self.palette.ink}"
        return (
            f".k{{{serif};font-weight:600}}"
            f".m{{{serif};font-weight:500;font-style:italic;letter-spacing:.03em}}"
            f".t{{{serif};font-weight:600;letter-spacing:.1em;text-anchor:start}}"
            f".w{{{serif};font-weight:600;letter-spacing:.03em;text-anchor:start}}"
        )

    def definitions(self) -> str:
        """Patterns of the legend, which is not zoomed with the map."""
        return ground_patterns(self.palette, self.scale, "key-")

    # ---- frame

    def frame(self, view: View) -> str:
        """The margin, laid over the map: cheaper for a renderer than a clip and the same to look at."""
        palette, scale, window = self.palette, self.scale, view.window
        inner = Box(
            window.x0 - self.side + (BAND + RIM) * scale,
            window.y0 - STRIP * scale,
            window.x1 + self.side - (BAND + RIM) * scale,
            window.y1 + STRIP * scale,
        )
        outer = inner.grown(BAND * scale)
        far = Box(-10, -10, self.width + 10, self.height(window) + 10)
        return "".join(
            (
                tag("path", d=_outline(far) + _outline(window), fill=palette.paper, fill_rule="evenodd"),
                tag("path", d=_outline(window), fill="none", stroke=palette.ink, stroke_width=2.2 * scale),
                tag("path", d=_outline(inner), fill="none", stroke=palette.ink, stroke_width=0.9 * scale),
                tag("path", d=_outline(outer), fill="none", stroke=palette.ink, stroke_width=1.8 * scale),
                self._band(view, inner, outer),
                self._letters(view, inner),
            )
        )

    def _band(self, view: View, inner: Box, outer: Box) -> str:
        """Alternate dark and light stretches, half a grid square each."""
        middle = BAND * self.scale / 2
        marks = []
        for start, end in _stretches(view.box.x0, view.box.x1):
            a, b = number(view.pixel(start, 0)[0]), number(view.pixel(end, 0)[0])
            marks += [f"M{a} {number(y + middle)}H{b}" for y in (outer.y0, inner.y1)]
        for start, end in _stretches(view.box.y0, view.box.y1):
            a, b = number(view.pixel(0, start)[1]), number(view.pixel(0, end)[1])
            marks += [f"M{number(x + middle)} {a}V{b}" for x in (outer.x0, inner.x1)]
        return tag("path", d="".join(marks), stroke=self.palette.ink, stroke_width=(BAND - 2.6) * self.scale)

    def _letters(self, view: View, inner: Box) -> str:
        """Letters for columns and numbers for rows of the grid."""
        scale, window, box = self.scale, view.window, view.box
        size, half = 11.5 * scale, STRIP * scale / 2
        room = 2.5 * size / view.zoom
        out, ticks = [], []
        for start, end in pairwise([box.x0, *grid_lines(box.x0, box.x1), box.x1]):
            if end - start > room:
                letter = _letter(int((start + end) / 2 // GRID))
                x = view.pixel((start + end) / 2, 0)[0]
                out += [text(letter, x, y + size * 0.33, size, "k") for y in (window.y0 - half, window.y1 + half)]
        for start, end in pairwise([box.y0, *grid_lines(box.y0, box.y1), box.y1]):
            if end - start > room:
                row = str(int((start + end) / 2 // GRID) + 1)
                y = view.pixel(0, (start + end) / 2)[1] + size * 0.33
                out += [text(row, x, y, size, "k") for x in (inner.x0 + half, inner.x1 - half)]
        reach = STRIP * scale
        for x in grid_lines(box.x0, box.x1):
            px = view.pixel(x, 0)[0]
            ticks += [f"M{number(px)} {number(y)}v{number(reach)}" for y in (inner.y0, window.y1)]
        for y in grid_lines(box.y0, box.y1):
            py = view.pixel(0, y)[1]
            ticks += [f"M{number(x)} {number(py)}h{number(reach)}" for x in (inner.x0, inner.x1 - reach)]
        lines = tag("path", d="".join(ticks), stroke=self.palette.ink, stroke_width=0.8 * scale)
        return lines + "".join(out)

    def edges(self, view: View, paths: Paths) -> str:
        """The zones that lie across the left and right edge, named in the margin beside the map."""
        if not self.wrapping:
            return ""
        scale, window = self.scale, view.window
        pen: dict[str, str | float] = {
            "stroke": self.palette.ink,
            "stroke_opacity": 0.6,
            "stroke_width": 0.8 * scale,
        }
        out = []
        for edge, x, side in ((self.asset.width, window.x0, -1), (0.0, window.x1, 1)):
            for name, start, end in _touching(self.asset, paths, edge):
                y0, y1 = view.pixel(0, start)[1], view.pixel(0, end)[1]
                for y in (y0, y1):
                    if window.y0 + 1 < y < window.y1 - 1:
                        reach = number(side * STRIP * scale)
                        out.append(tag("path", d=f"M{number(x)} {number(y)}h{reach}", **pen))
                words = written_name(self.asset, self.position, name)
                width = lettering.width(words, lettering.SEA, 1, 0.03)
                size = min(11.0 * scale, (y1 - y0 - 6 * scale) / width)
                if size >= 6 * scale:
                    place = move(x + side * STRIP * scale / 2, (y0 + y1) / 2, turn=90 * side)
                    out.append(text(words, 0, size * 0.3, size, "m", transform=place))
        return "".join(out)

    # ---- legend

    def legend(self, window: Box) -> str:
        scale = self.scale
        y = window.y1 + self.top + (2 + ROW / 2) * scale
        out = []
        for row in self.rows:
            used = sum(entry.width for entry in row)
            gap = min((window.width - used) / max(len(row) - 1, 1), 34 * scale)
            x = window.x0 + (window.width - used - gap * (len(row) - 1)) / 2
            for entry in row:
                out.append(tag("g", entry.draw, transform=move(x, y)))
                x += entry.width + gap
            y += ROW * scale
        return "".join(out)

    def _rows(self) -> list[list[Entry]]:
        """Title and powers, then units and signs, each broken into as many rows as they need."""
        powers = [self._power(power, name) for power, name in self._owners().items()]
        first = [self._title(self.title), *powers] if self.title else powers
        second = [*(self._units() if self.units else []), *self._signs()]
        room, gap = self.width - 2 * self.side, 14 * self.scale
        rows: list[list[Entry]] = []
        for block in (first, second):
            used = math.inf
            for entry in block:
                if used + gap + entry.width > room:
                    rows.append([])
                    used = -gap
                rows[-1].append(entry)
                used += gap + entry.width
        return rows

    def _owners(self) -> dict[str, str]:
        """The powers, and whoever else holds land without being a player."""
        others = {owner for owner in self.position.owner.values() if owner} - set(OWNERS)
        return self.position.powers | {
            owner: owner.replace("-", " ").title() for owner in sorted(others - set(self.position.powers))
        }

    def _title(self, title: str) -> Entry:
        size = 25 * self.scale
        words = title.upper()
        width = lettering.width(words, lettering.LAND, size, 0.1)
        return Entry(width + 16 * self.scale, text(words, 0, size * 0.33, size, "t"))

    def _word(self, drawn: str, start: float, words: str, size: float) -> Entry:
        """A sign with a word after it."""
        width = lettering.width(words, lettering.LAND, size, 0.03)
        return Entry(start + width, drawn + text(words, start, size * 0.32, size, "w"))

    def _swatch(self, owner: str, width: float, height: float) -> str:
        palette = self.palette
        box = {"width": width, "height": height, "y": -height / 2, "rx": 2 * self.scale}
        drawn = tag(
            "rect",
            fill=palette.tone(owner).fill,
            stroke=palette.coast,
            stroke_width=1.1 * self.scale,
            **box,
        )
        hatched = pattern_of(owner, palette)
        return drawn + tag("rect", fill=f"url(#key-{hatched})", **box) if hatched else drawn

    def _power(self, power: str, name: str) -> Entry:
        scale, position = self.scale, self.position
        income = sum(position.ipc.get(space, 0) for space, owner in position.owner.items() if owner == power)
        drawn = (
            self._swatch(power, 46 * scale, 22 * scale)
            + self.marks.emblem(power, 13 * scale, 0, 9 * scale)
            + self.marks.value(power, income, 33.5 * scale, 0, 8.6 * scale)
        )
        return self._word(drawn, 54 * scale, name, 16 * scale)

    def _units(self) -> list[Entry]:
        used = {stack.unit for stacks in self.position.units.values() for stack in stacks if stack.count}
        order = {unit: i for i, unit in enumerate(UNIT_ORDER)}
        width = 30 * self.scale
        factor = width / symbols.UNIT_WIDTH
        entries = []
        for unit in sorted(used, key=lambda name: (order.get(name, 99), name)):
            name = self.position.unit_names.get(unit, unit.replace("-", " "))
            name = name[:1].upper() + name[1:]
            place = move(0, -symbols.UNIT_HEIGHT * factor / 2, factor)
            drawn = tag("use", href=f"#unit-{unit}", fill=self.palette.ink, transform=place)
            entries.append(self._word(drawn, width + 5 * self.scale, name, 13 * self.scale))
        return entries

    def _signs(self) -> list[Entry]:
        """Marks that this position uses and that may need a word."""
        scale, position = self.scale, self.position
        radius = 8 * scale
        signs = []
        if position.capitals:
            signs.append((self.marks.city("capital", radius, 0, radius), 2 * radius, "Capital"))
        if set(position.cities) - set(position.capitals):
            signs.append((self.marks.city("city", radius, 0, radius), 2 * radius, "Victory city"))
        owners = {
            position.owner.get(name) or "neutral" for name, space in self.asset.spaces.items() if not space.is_sea
        }
        for owner, words in OWNERS.items():
            if owner in owners:
                signs.append((self._swatch(owner, 26 * scale, 15 * scale), 26 * scale, words))
        passages = {link.kind for link in self.asset.links} & {"canal", "strait"}
        if passages:
            canal = tag("g", self.marks.canal(), transform=move(11 * scale, 0, scale))
            signs.append((canal, 22 * scale, " or ".join(sorted(passages)).capitalize()))
        return [self._word(drawn, width + 5 * scale, words, 13 * scale) for drawn, width, words in signs]

    # ---- compass

    def compass(self, view: View, ground: Ground, layout: Layout) -> str:
        """A small rose on open water, where nothing else stands; none if there is no such place."""
        radius = 44 * self.scale
        place = None if self.cropped else self._open_water(view, ground, layout, radius * 1.35)
        if place is None:
            return ""
        ink = self.palette.sea_text
        halves: tuple[list[str], list[str]] = ([], [])
        for i in range(8):
            turn = math.pi * i / 4
            tip = _polar(radius if i % 2 == 0 else radius * 0.62, turn)
            for half, side in zip(halves, (-1, 1), strict=True):
                half.append(points([(0, 0), tip, _polar(radius * 0.17, turn + side * math.pi / 8)]))
        thin = 0.6 * self.scale
        size = 13 * self.scale
        drawn = (
            tag("circle", r=radius * 0.74, fill="none", stroke=ink, stroke_width=thin * 1.4),
            tag("circle", r=radius * 0.68, fill="none", stroke=ink, stroke_width=thin),
            tag("path", d="".join(halves[0]), fill=ink),
            tag("path", d="".join(halves[1]), fill=self.palette.shallows, stroke=ink, stroke_width=thin),
            text("N", 0, -radius - size * 0.3, size, "s"),
        )
        return tag("g", "".join(drawn), transform=move(*place), opacity=".62")

    def _open_water(self, view: View, ground: Ground, layout: Layout, reach: float) -> tuple[float, float] | None:
        """Few zones under it, low on the sheet and to the left."""
        taken = [box for _, box in layout.boxes()] + [frame.box for frame in layout.frames]
        window = view.window.grown(-reach * 0.3)
        step = reach / 2
        columns, rows = int(window.width / step), int(window.height / step)
        best: tuple[float, tuple[float, float]] | None = None
        for i in range(columns):
            for j in range(rows // 2, rows):
                box = Box.around(window.x0 + i * step, window.y0 + j * step, 2 * reach, 2 * reach)
                if not window.contains(box) or any(box.overlaps(other) for other in taken):
                    continue
                under = ground.under(Box(*view.unit(box.x0, box.y0), *view.unit(box.x1, box.y1)), 5)
                cost = 10 * len(under) - j / rows + 0.5 * i / columns
                if under <= ground.sea and (best is None or cost < best[0]):
                    best = cost, box.centre
        return best[1] if best else None


def _outline(box: Box) -> str:
    return points([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])


def _polar(reach: float, turn: float) -> tuple[float, float]:
    return reach * math.sin(turn), -reach * math.cos(turn)


def _stretches(start: float, end: float) -> list[tuple[float, float]]:
    """Every second half square between two map coordinates."""
    half = GRID / 2
    return [
        (max(i * half, start), min((i + 1) * half, end))
        for i in range(int(start // half), int(end // half) + 1)
        if i % 2 == 0 and i * half < end
    ]


def _letter(index: int) -> str:
    """A to Z, then AA and on."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _touching(asset: MapAsset, paths: Paths, edge: float) -> list[tuple[str, float, float]]:
    """The sea zones along the left or right edge with the stretch that each has, from top to bottom."""
    found: dict[str, list[float]] = defaultdict(list)
    for name, space in asset.spaces.items():
        if not space.is_sea:
            continue
        for polygon in space.rings:
            ring = paths.ring_points(polygon[0])
            for (xa, ya), (xb, yb) in pairwise([*ring, ring[0]]):
                if abs(xa - edge) < 0.01 and abs(xb - edge) < 0.01:
                    found[name] += [ya, yb]
    return sorted(((name, min(ys), max(ys)) for name, ys in found.items()), key=lambda item: item[1])
