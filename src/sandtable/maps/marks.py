"""Names, badges, pieces and canals as SVG, at the places that the layout found."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from sandtable.maps import lettering, symbols
from sandtable.maps.asset import MapAsset
from sandtable.maps.layout import Badge, Layout, Leader, Name, Piece
from sandtable.maps.naming import LAND_SPACING, LINE_HEIGHT, SEA_SPACING
from sandtable.maps.palette import Palette
from sandtable.maps.position import Position
from sandtable.maps.svg import move, points, tag, text
from sandtable.maps.view import Box, View

CAP_HEIGHT = 0.65
X_HEIGHT = 0.42
"""Heights of capitals and of small letters in ems: names are centred on what is seen of them."""
DIGIT_HEIGHT = 0.7
BADGE_STEP = 2.16
"""Distance of the marks of a badge in radii."""


def style(palette: Palette) -> str:
    """Classes: n land name, s sea name, c city, v number."""
    serif, upright, slanted = lettering.SERIF_STACK, "font-weight:600", "font-weight:500;font-style:italic"
    return (
        "text{text-anchor:middle}"
        f".n{{font-family:{serif};{upright};letter-spacing:{LAND_SPACING}em;fill:{palette.land_text}}}"
        f".s{{font-family:{serif};{slanted};letter-spacing:{SEA_SPACING}em;fill:{palette.sea_text}}}"
        f".c{{font-family:{serif};{slanted};fill:{palette.land_text}}}"
        f".v{{font-family:{lettering.NUMBER_STACK};font-weight:700}}"
    )


def definitions(position: Position) -> str:
    """The silhouettes and emblems that this position uses, once each."""
    stacks = [stack for group in position.units.values() for stack in group]
    powers = {stack.power for stack in stacks} | set(position.powers) | set(position.capitals.values())
    powers |= {owner for owner in position.owner.values() if owner}
    units = {stack.unit for stack in stacks}
    out = [tag("g", symbols.unit(unit), id=f"unit-{unit}") for unit in sorted(units)]
    out += [tag("g", symbols.emblem(power), id=f"emblem-{power}") for power in sorted(powers)]
    return "".join(out)


def draw(layout: Layout, asset: MapAsset, view: View, palette: Palette, position: Position) -> str:
    """Everything that stands on the map, quiet things first."""
    marks = Marks(palette, view.size)
    out = [marks.canals(asset, view)]
    out += [marks.leader(leader) for leader in layout.leaders]
    out += [marks.panel(frame.box) for frame in layout.frames]
    out += [marks.name(name) for name in sorted(layout.names, key=lambda name: not name.sea)]
    out += [marks.badge(badge) for badge in layout.badges]
    out += [marks.piece(piece, position) for piece in layout.pieces]
    return "".join(out)


class Marks:
    """Single marks in one palette; `size` is how large a mark of one pixel is drawn."""

    def __init__(self, palette: Palette, size: float) -> None:
        self.palette = palette
        self.size = size

    def name(self, name: Name) -> str:
        spacing, height = (SEA_SPACING, X_HEIGHT) if name.sea else (LAND_SPACING, CAP_HEIGHT)
        step = LINE_HEIGHT * name.size
        top = name.y - step * (len(name.lines) - 1) / 2 + height / 2 * name.size
        x = name.x + spacing * name.size / 2  # the last letter's spacing is not seen
        lines = "".join(tag("tspan", escape(line), x=x, y=top + i * step) for i, line in enumerate(name.lines))
        palette = self.palette
        return tag(
            "text",
            lines,
            class_="s" if name.sea else "n",
            font_size=name.size,
            transform=f"rotate({name.angle:g} {name.x:.2f} {name.y:.2f})" if name.angle else None,
            **halo(palette.sea if name.sea else palette.halo, name.size, 0.5 if name.sea else 0.42),
        )

    def badge(self, badge: Badge) -> str:
        """Emblem, value and city mark side by side, the city's name below."""
        radius = badge.radius
        shown = []
        if badge.emblem and badge.owner:
            shown.append("emblem")
        if badge.value is not None:
            shown.append("value")
        if badge.mark:
            shown.append(badge.mark)
        x = badge.x - BADGE_STEP * radius * (len(shown) - 1) / 2
        out = []
        for part in shown:
            if part == "emblem":
                out.append(self.emblem(badge.owner or "", x, badge.y, radius))
            elif part == "value":
                out.append(self.value(badge.owner, badge.value or 0, x, badge.y, radius))
            else:
                out.append(self.city(part, x, badge.y, radius))
            x += BADGE_STEP * radius
        if badge.city_size:
            size = badge.city_size
            y = badge.y + BADGE_STEP / 2 * radius + size * 0.72
            out.append(text(badge.city, badge.x, y, size, "c", **halo(self.palette.halo, size, 0.5)))
        return "".join(out)

    def value(self, owner: str | None, amount: int, x: float, y: float, radius: float) -> str:
        """An income value on the owner's colour."""
        palette = self.palette
        size = radius * (1.62 if amount < 10 else 1.34)
        disc = tag(
            "circle",
            cx=x,
            cy=y,
            r=radius * 0.93,
            fill=palette.tone(owner).shade,
            stroke=palette.halo,
            stroke_width=radius * 0.15,
        )
        return disc + text(str(amount), x, y + size * DIGIT_HEIGHT / 2, size, "v", fill=palette.badge_text)

    def city(self, kind: str, x: float, y: float, radius: float) -> str:
        """A star in a ring for a capital, a dot in a ring for another victory city, as atlases have it."""
        palette = self.palette
        ink = palette.land_text
        ring = tag("circle", cx=x, cy=y, r=radius * 0.86, fill=palette.halo, stroke=ink, stroke_width=radius * 0.17)
        if kind == "capital":
            return ring + tag("path", d=star(x, y, radius * 0.74), fill=ink)
        return ring + tag("circle", cx=x, cy=y, r=radius * 0.36, fill=ink)

    def emblem(self, power: str, x: float, y: float, radius: float) -> str:
        return tag("use", href=f"#emblem-{power}", transform=move(x, y, radius / symbols.EMBLEM_RADIUS))

    def unit(self, unit: str, x: float, y: float, width: float, colour: str) -> str:
        """A silhouette centred on a point, with an outline that lifts it off any ground."""
        scale = width / symbols.UNIT_WIDTH
        return tag(
            "use",
            href=f"#unit-{unit}",
            transform=move(x - width / 2, y - symbols.UNIT_HEIGHT * scale / 2, scale),
            fill=colour,
            stroke=self.palette.halo,
            stroke_width=5.5,
            stroke_linejoin="round",
            paint_order="stroke",
        )

    def piece(self, piece: Piece, position: Position) -> str:
        """A stack: silhouette, how many, and whose it is unless the land says so already."""
        palette, width, stack = self.palette, piece.width, piece.stack
        power = position.powers.get(stack.power, stack.power)
        unit = position.unit_names.get(stack.unit, stack.unit)
        out = [tag("title", escape(f"{power}: {stack.count} {unit}"))]
        out.append(
            self.unit(stack.unit, piece.x, piece.y - width * 0.05, width * 0.92, palette.tone(stack.power).piece)
        )
        left, right, low = piece.x - width * 0.37, piece.x + width * 0.37, piece.y + width * 0.24
        if piece.foreign:
            out.append(self.emblem(stack.power, left, low, width * 0.165))
        if stack.count > 1:
            out.append(self.chip(str(stack.count), right, low, width, palette.chip))
        if stack.damaged:
            out.append(self.chip(f"-{stack.damaged}", right, piece.y - width * 0.25, width, palette.damage))
        if piece.more:
            out.append(self.chip(f"+{piece.more}", piece.x, low + width * 0.02, width, palette.sea_text))
        return tag("g", "".join(out))

    def chip(self, words: str, x: float, y: float, width: float, colour: str) -> str:
        """A number on a pill, for a piece of this width."""
        radius = width * 0.168
        half = radius * (1.0, 1.24, 1.6)[min(len(words), 3) - 1]
        size = radius * 1.62
        pill = tag(
            "rect",
            x=x - half,
            y=y - radius,
            width=2 * half,
            height=2 * radius,
            rx=radius,
            fill=colour,
            stroke=self.palette.halo,
            stroke_width=radius * 0.22,
        )
        return pill + text(words, x, y + size * DIGIT_HEIGHT / 2, size, "v", fill=self.palette.chip_text)

    def leader(self, leader: Leader) -> str:
        thin = 0.9 * max(self.size, 0.6)
        (x1, y1), (x2, y2) = leader.start, leader.end
        palette = self.palette
        glow = tag(
            "line",
            x1=x1,
            y1=y1,
            x2=x2,
            y2=y2,
            stroke=palette.halo,
            stroke_opacity=".7",
            stroke_width=2.6 * thin,
        )
        line = tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=palette.coast, stroke_width=thin)
        return glow + line + tag("circle", cx=x2, cy=y2, r=1.7 * thin, fill=palette.coast)

    def panel(self, box: Box) -> str:
        """The ground of a callout."""
        return tag(
            "rect",
            x=box.x0,
            y=box.y0,
            width=box.width,
            height=box.height,
            rx=2.5 * self.size,
            fill=self.palette.halo,
            fill_opacity=".68",
            stroke=self.palette.coast,
            stroke_opacity=".75",
            stroke_width=0.7 * self.size,
        )

    def canals(self, asset: MapAsset, view: View) -> str:
        """A lock across the strip of land, pointing from one zone to the other."""
        out = []
        for link in asset.links:
            if link.kind in ("canal", "strait") and link.at:
                a, b = asset.spaces[link.a].anchor, asset.spaces[link.b].anchor
                turn = math.degrees(math.atan2(b.y - a.y, b.x - a.x))
                place = move(*view.pixel(*link.at[0]), max(self.size, 0.6), turn)
                out.append(tag("g", tag("title", escape(link.name or "canal")) + self.canal(), transform=place))
        return "".join(out)

    def canal(self) -> str:
        """The sign of a canal around the origin."""
        bank, water = self.palette.coast, self.palette.shallows
        return (
            tag("path", d="M-9 0H9", stroke=bank, stroke_width=5.4)
            + tag("path", d="M-9.6 0H9.6", stroke=water, stroke_width=3.2)
            + tag("path", d="M-9.4 -4.4V4.4M9.4 -4.4V4.4", stroke=bank, stroke_width=1.5)
        )


def halo(colour: str, size: float, strength: float) -> dict[str, str | float]:
    """Attributes that put a soft rim of the ground's colour round letters."""
    return {
        "stroke": colour,
        "stroke_opacity": strength,
        "stroke_width": size * 0.2,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }


def star(x: float, y: float, radius: float) -> str:
    """A five-pointed star as path data."""
    corners = []
    for i in range(10):
        reach = radius if i % 2 == 0 else radius * 0.42
        turn = math.pi * i / 5
        corners.append((x + reach * math.sin(turn), y - reach * math.cos(turn)))
    return points(corners)
