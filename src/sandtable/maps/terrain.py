"""Sea, land and borders: the engraved part of the sheet, without any text."""

from __future__ import annotations

from collections import defaultdict

from sandtable.maps.asset import MapAsset
from sandtable.maps.palette import Palette
from sandtable.maps.paths import Paths
from sandtable.maps.position import IMPASSABLE, NEUTRAL, Position
from sandtable.maps.svg import move, number, tag
from sandtable.maps.view import View

WATER_LINES = ((3.0, 0.62), (6.4, 0.48), (10.4, 0.36), (15.2, 0.26), (20.8, 0.17), (27.4, 0.10))
"""Distance from the coast and strength of the engraved lines, in pixels at one pixel a map unit."""
SHALLOWS = ((44, 0.12), (28, 0.14), (14, 0.2))
"""Width and strength of the glow along the coast."""
RIM = ((17, 0.16), (9, 0.2), (3.6, 0.26))
"""Width and strength of the shade along the inside of borders."""
PEN = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}

GRID = 200.0
"""Side of a square of the reference grid in map units."""

PATTERNS = {
    "ussr": "M0 0L8 8M8 0L0 8",
    "germany": "M0 2H8M0 6H8",
    "uk": "M2 0V8M6 0V8",
    "japan": "M3.2 4A.8.8 0 1 0 4.8 4A.8.8 0 1 0 3.2 4",
    "usa": "M0 8L8 0",
    "italy": "M0 0L8 8",
    "china": "M0 4H8M4 0V8",
    "anzac": "M2.6 4H5.4M4 2.6V5.4",
    "france": "M4 0V8",
    "dutch": "M0 4L2 2L4 4L6 6L8 4",
    "mongolia": "M0 4H8",
}
"""A tile of 8 by 8 for every power, for palettes in which fill alone is not enough."""


class Terrain:
    """Draws one view. Everything inside `<g>` of `group()` is in path steps, so line widths go through `pen`."""

    def __init__(self, asset: MapAsset, paths: Paths, view: View, palette: Palette, position: Position) -> None:
        self.asset = asset
        self.paths = paths
        self.view = view
        self.palette = palette
        self.position = position
        # Only what can be seen, with room for the widest stroke: renderers are slow on far-off geometry.
        self.near = view.box.grown(60 / view.zoom * self.line)
        self.coast = paths.lines(asset.coast, self.near)

    def pen(self, pixels: float) -> float:
        """A width in pixels as path steps."""
        return pixels / self.view.zoom / self.paths.step

    @property
    def line(self) -> float:
        """Line widths grow a little when zoomed in, so that the drawing keeps its weight."""
        return float(self.view.zoom**0.4) if self.view.zoom > 1 else max(self.view.zoom, 0.5)

    def group(self, content: str, **attributes: str) -> str:
        """Content in path steps, put in its place."""
        view = self.view
        place = move(
            view.left - view.box.x0 * view.zoom,
            view.top - view.box.y0 * view.zoom,
            view.zoom * self.paths.step,
        )
        return tag("g", content, transform=place, **attributes)

    def owner(self, name: str) -> str | None:
        return self.position.owner.get(name)

    def definitions(self) -> str:
        palette = self.palette
        tile = max(self.view.size, 0.8) / self.view.zoom / self.paths.step
        stops = "".join(
            tag("stop", offset=offset, stop_color=colour)
            for offset, colour in (("0", palette.sea), (".55", palette.sea), ("1", palette.sea_deep))
        )
        ice = tag("path", d="M2 4h9M15 4h5M8 11h10M21 11h4", stroke=palette.ice_line, stroke_width=0.9)
        return "".join(
            (
                tag("radialGradient", stops, id="deep", cx="50%", cy="46%", r="72%"),
                pattern("ice", ice, (26, 14), tile),
                ground_patterns(palette, tile, ""),
                tag("path", id="coast", d=self.coast),
                self._water_line_mask(),
            )
        )

    def _water_line_mask(self) -> str:
        """Lines at equal distance from the coast, without computing them.

        A wide white stroke of the coast with a slightly narrower black one on it leaves two thin lines; from the
        widest to the narrowest that gives all of them, and only those at sea stay visible.
        """
        strokes = []
        thin = 0.75 * self.line
        for distance, strength in reversed(WATER_LINES):
            reach = 2 * distance * self.line
            grey = "#" + f"{round(255 * strength):02x}" * 3
            strokes.append(tag("use", href="#coast", stroke=grey, stroke_width=self.pen(reach + thin)))
            strokes.append(tag("use", href="#coast", stroke="#000", stroke_width=self.pen(reach - thin)))
        return tag(
            "mask",
            self.group("".join(strokes), **PEN),
            id="water-lines",
            mask_units="userSpaceOnUse",
            **self._window(),
        ).replace("mask-units", "maskUnits")

    def _window(self) -> dict[str, float]:
        window = self.view.window
        return {"x": window.x0, "y": window.y0, "width": window.width, "height": window.height}

    def sea(self) -> str:
        """Water with its zones, engraved towards the coast."""
        palette, line, near = self.palette, self.line, self.near
        glow = "".join(
            tag(
                "use",
                href="#coast",
                stroke=palette.shallows,
                stroke_opacity=strength,
                stroke_width=self.pen(reach * line),
            )
            for reach, strength in SHALLOWS
        )
        zones = self.paths.lines(self.asset.borders_sea, near)
        borders = tag(
            "path",
            d=zones,
            stroke=palette.sea_border_shadow,
            stroke_opacity=0.26,
            stroke_width=self.pen(3.6 * line),
        ) + tag("path", d=zones, stroke=palette.sea_border, stroke_opacity=0.9, stroke_width=self.pen(1.4 * line))
        ice = "".join(self.paths.rings(item.rings, near) for item in self.asset.scenery if item.kind == "ice")
        floes = tag("path", d=ice, fill=palette.ice) + tag("path", d=ice, fill="url(#ice)")
        edge = tag(
            "path",
            d=self.paths.lines(self.asset.borders_ice, near),
            fill="none",
            stroke=palette.ice_line,
            stroke_width=self.pen(1.1 * line),
        )
        return "".join(
            (
                tag("rect", fill="url(#deep)", **self._window()),
                self.group(self._zone_tints()),
                self._grid(),
                self.group(glow, **PEN),
                tag("rect", fill=palette.water_line, mask="url(#water-lines)", **self._window()),
                self.group(borders, **PEN),
                self.group(floes + edge),
            )
        )

    def _zone_tints(self) -> str:
        """A faint veil over each zone, different from its neighbours'."""
        beside: dict[str, set[str]] = defaultdict(set)
        for first, second in self._sides(self.asset.borders_sea).values():
            beside[first].add(second)
            beside[second].add(first)
        veil: dict[str, int] = {}
        zones = [name for name, space in self.asset.spaces.items() if space.is_sea]
        for name in sorted(zones, key=lambda zone: (-len(beside[zone]), zone)):
            used = {veil[other] for other in beside[name] if other in veil}
            veil[name] = next(i for i in range(len(used) + 1) if i not in used)
        light, dark = self.palette.sea_tint
        tints = ((light, 0.0), (light, 0.13), (dark, 0.05), (light, 0.06), (dark, 0.025))
        out = []
        for name in zones:
            colour, strength = tints[veil[name] % len(tints)]
            if strength:
                path = self.paths.rings(self.asset.spaces[name].rings, self.near)
                out.append(tag("path", d=path, fill=colour, fill_opacity=strength))
        return "".join(out)

    def _sides(self, arcs: list[int]) -> dict[int, tuple[str, str]]:
        """The two spaces beside each arc, where there are two."""
        wanted = set(arcs)
        found: dict[int, list[str]] = defaultdict(list)
        for name, space in self.asset.spaces.items():
            for polygon in space.rings:
                for ring in polygon:
                    for reference in ring:
                        index = reference if reference >= 0 else ~reference
                        if index in wanted:
                            found[index].append(name)
        return {index: (names[0], names[1]) for index, names in found.items() if len(names) == 2}

    def _grid(self) -> str:
        """The reference grid of a staff map; the frame carries its letters and numbers."""
        view, window = self.view, self.view.window
        lines = []
        for x in grid_lines(view.box.x0, view.box.x1):
            lines.append(f"M{number(view.pixel(x, 0)[0])} {number(window.y0)}V{number(window.y1)}")
        for y in grid_lines(view.box.y0, view.box.y1):
            lines.append(f"M{number(window.x0)} {number(view.pixel(0, y)[1])}H{number(window.x1)}")
        return tag(
            "path",
            d="".join(lines),
            fill="none",
            stroke=self.palette.grid,
            stroke_opacity=0.17,
            stroke_width=0.7 * self.line,
        )

    def land(self) -> str:
        """Land in its owners' colours, darker towards every border, with waters and borders on it."""
        by_owner: dict[str | None, list[str]] = defaultdict(list)
        for name, space in self.asset.spaces.items():
            if not space.is_sea:
                by_owner[self.owner(name)].append(self.paths.rings(space.rings, self.near))
        defined, out = [], []
        for i, (owner, outlines) in enumerate(sorted(by_owner.items(), key=lambda item: str(item[0]))):
            path = "".join(outlines)
            if not path:
                continue
            tone = self.palette.tone(owner)
            shape, clip = f"land-{i}", f"in-{i}"
            defined.append(tag("path", id=shape, d=path) + tag("clipPath", tag("use", href=f"#{shape}"), id=clip))
            out.append(tag("use", href=f"#{shape}", fill=tone.fill))
            hatched = pattern_of(owner, self.palette)
            if hatched:
                out.append(tag("use", href=f"#{shape}", fill=f"url(#{hatched})"))
            rim = "".join(
                tag("use", href=f"#{shape}", stroke_opacity=strength, stroke_width=self.pen(width * self.line))
                for width, strength in RIM
            )
            out.append(tag("g", rim, clip_path=f"url(#{clip})", fill="none", stroke=tone.shade))
        content = (tag("defs", "".join(defined)), self._scenery(), *out, self._waters(), self._borders())
        return self.group("".join(content))

    def _scenery(self) -> str:
        """Land that is no space."""
        palette = self.palette
        out = []
        for item in self.asset.scenery:
            path = self.paths.rings(item.rings, self.near)
            if item.kind == "land":
                out.append(tag("path", d=path, fill=palette.scenery))
            elif item.kind == "impassable":
                out.append(tag("path", d=path, fill=palette.impassable.fill))
                out.append(tag("path", d=path, fill="url(#impassable)"))
        return "".join(out)

    def _waters(self) -> str:
        """Rivers and lakes: they belong to no rule and stay faint."""
        colour, line = self.palette.water_line, self.line
        lakes = "".join(self.paths.rings(item.rings, self.near) for item in self.asset.scenery if item.kind == "lake")
        rivers = tag(
            "path",
            d=self.paths.streams(),
            stroke=colour,
            stroke_opacity=0.34,
            stroke_width=self.pen(0.9 * line),
            **PEN,
        )
        return rivers + tag("path", d=lakes, fill=self.palette.lake, stroke=colour, stroke_width=self.pen(0.8 * line))

    def _borders(self) -> str:
        """Borders within one power's land are fine, borders between owners bold, the coast in between."""
        palette = self.palette
        sides = self._sides(self.asset.borders_land)
        fronts = {i for i, (a, b) in sides.items() if self.owner(a) != self.owner(b)}
        inner = self.paths.lines((i for i in self.asset.borders_land if i not in fronts), self.near)
        outer = self.paths.lines(sorted(fronts), self.near)

        def stroke(path: str, colour: str, strength: float, width: float) -> str:
            return tag(
                "path",
                d=path,
                stroke=colour,
                stroke_opacity=strength,
                stroke_width=self.pen(width * self.line),
            )

        lines = (
            stroke(inner, palette.border_light, 0.5, 2.2),
            stroke(inner, palette.border, 0.85, 0.85),
            stroke(outer, palette.border_light, 0.6, 3.6),
            stroke(outer, palette.border, 1, 1.6),
            tag("use", href="#coast", stroke=palette.coast, stroke_width=self.pen(1.25 * self.line)),
        )
        return tag("g", "".join(lines), **PEN)


def pattern(name: str, content: str, size: tuple[float, float], scale: float, turn: float = 0) -> str:
    """A tile that repeats, `scale` units to a pixel."""
    rotation = f" rotate({number(turn)})" if turn else ""
    transform = f"scale({number(scale, 4)}){rotation}"
    return (
        f'<pattern id="{name}" width="{number(size[0])}" height="{number(size[1])}" patternUnits="userSpaceOnUse" '
        f'patternTransform="{transform}">{content}</pattern>'
    )


def ground_patterns(palette: Palette, scale: float, prefix: str) -> str:
    """Hatching of neutral and impassable land and, if the palette has them, of every power's land."""
    pen: dict[str, str | float] = {"stroke": palette.hatch, "stroke_width": 1.1}
    hatch = tag("path", d="M0 0V7", stroke_opacity=0.42, **pen)
    crossed = tag("path", d="M0 0V6M0 3H6", stroke_opacity=0.8, **pen)
    out = [
        pattern(f"{prefix}neutral", hatch, (7, 7), scale, 45),
        pattern(f"{prefix}impassable", crossed, (6, 6), scale, 45),
    ]
    if palette.patterns:
        for power, tile in PATTERNS.items():
            shade = palette.tone(power).shade
            lines = tag("path", d=tile, fill="none", stroke=shade, stroke_width=0.8, stroke_opacity=0.38)
            out.append(pattern(f"{prefix}of-{power}", lines, (8, 8), scale))
    return "".join(out)


def pattern_of(owner: str | None, palette: Palette) -> str | None:
    """The pattern on an owner's land, if it has one."""
    if owner == IMPASSABLE:
        return "impassable"
    if owner is None or owner in NEUTRAL:
        return "neutral"
    return f"of-{owner}" if palette.patterns and owner in PATTERNS else None


def grid_lines(start: float, end: float) -> list[float]:
    """Grid coordinates strictly between two map coordinates."""
    first = int(start // GRID) + 1
    lines = []
    while first * GRID < end:
        lines.append(first * GRID)
        first += 1
    return lines
