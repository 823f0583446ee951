"""A position on a map as one SVG picture."""

from __future__ import annotations

from functools import lru_cache
from xml.sax.saxutils import escape

from sandtable.errors import SandtableError
from sandtable.maps import lettering, marks
from sandtable.maps.asset import MapAsset
from sandtable.maps.ground import Ground
from sandtable.maps.layout import Layout, Options
from sandtable.maps.palette import PALETTES, Palette
from sandtable.maps.paths import Paths
from sandtable.maps.placing import lay_out
from sandtable.maps.position import Position
from sandtable.maps.roll import centred, gathered
from sandtable.maps.sheet import Sheet
from sandtable.maps.svg import number
from sandtable.maps.terrain import Terrain
from sandtable.maps.view import Crop, View, crop_box


def draw_svg(
    asset: MapAsset,
    position: Position,
    *,
    palette: str = "default",
    width: int = 2400,
    names: bool = True,
    values: bool = True,
    units: bool = True,
    crop: Crop = None,
    centre: str | None = None,
    title: str | None = None,
    embed_fonts: bool = True,
) -> str:
    """Draw the board with owners, income values, names and pieces.

    `crop` is None for the whole board, ids of the spaces to show, or a box (left, top, right, bottom) in map units.
    `centre` is a space that a round world is turned to; spaces on both sides of its edge are brought together.
    Without `embed_fonts` the file is 75 kB smaller and relies on the fonts of whoever looks at it.
    The same arguments always give the same text.
    """
    colours = _palette(palette).with_tones_for({p: position.colours.get(p, "") for p in position.powers})
    asset = _turned(asset, crop, centre)
    sheet, view, paths = _prepare(asset, position, colours, width, crop, title, units)
    ground = _ground(_Key(asset))
    layout = lay_out(asset, ground, view, position, Options(names, values, units))
    terrain = Terrain(asset, paths, view, colours, position)
    height = sheet.height(view.window)
    fonts = lettering.style_sheet() if embed_fonts else ""
    caption = title or f"Map of the {asset.board} board"
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {number(height)}" width="{width}" '
            f'height="{number(height)}" role="img">',
            f"<title>{escape(caption)}</title><desc>{escape(describe(asset, position))}</desc>",
            f"<style>{fonts}{marks.style(colours)}{sheet.style()}</style>",
            f"<defs>{terrain.definitions()}{marks.definitions(position)}{sheet.definitions()}</defs>",
            terrain.sea(),
            sheet.compass(view, ground, layout),
            terrain.land(),
            marks.draw(layout, asset, view, colours, position),
            sheet.frame(view),
            sheet.edges(view, paths),
            sheet.legend(view.window),
            "</svg>\n",
        )
    )


def layout_of(
    asset: MapAsset,
    position: Position,
    *,
    width: int = 2400,
    names: bool = True,
    values: bool = True,
    units: bool = True,
    crop: Crop = None,
    centre: str | None = None,
    title: str | None = None,
) -> Layout:
    """The places that `draw_svg` gives to everything, for checks and for other front ends."""
    asset = _turned(asset, crop, centre)
    _, view, _ = _prepare(asset, position, PALETTES["default"], width, crop, title, units)
    return lay_out(asset, _ground(_Key(asset)), view, position, Options(names, values, units))


def describe(asset: MapAsset, position: Position) -> str:
    """The picture in a sentence or two, for readers who cannot see it."""
    held: dict[str, int] = {}
    for name, owner in position.owner.items():
        if owner and name in asset.spaces:
            held[owner] = held.get(owner, 0) + 1
    parts = [f"{position.powers[power]} holds {held.get(power, 0)}" for power in position.powers]
    units = sum(stack.count for stacks in position.units.values() for stack in stacks)
    land = sum(not space.is_sea for space in asset.spaces.values())
    text = f"{land} land spaces and {len(asset.spaces) - land} sea zones, {units} units."
    return f"{text} Land spaces: {', '.join(parts)}." if parts else text


def _palette(name: str) -> Palette:
    if name not in PALETTES:
        raise SandtableError(f"there is no palette {name!r}; choose one of {', '.join(PALETTES)}")
    return PALETTES[name]


def _prepare(
    asset: MapAsset,
    position: Position,
    palette: Palette,
    width: int,
    crop: Crop,
    title: str | None,
    units: bool,
) -> tuple[Sheet, View, Paths]:
    if width < 200:
        raise SandtableError(f"a map {width} pixels wide shows nothing; 200 is the least")
    paths = _paths(_Key(asset))
    box = crop_box(asset, paths, crop)
    sheet = Sheet(asset, palette, position, width, cropped=crop is not None, title=title, units=units)
    view = View(box, (width - 2 * sheet.side) / box.width, sheet.side, sheet.top)
    return sheet, view, paths


class _Key:
    """An asset as a cache key: by identity, since an asset never changes."""

    def __init__(self, asset: MapAsset) -> None:
        self.asset = asset

    def __hash__(self) -> int:
        return id(self.asset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.asset is self.asset


def _turned(asset: MapAsset, crop: Crop, centre: str | None) -> MapAsset:
    names = tuple(sorted({name for name in crop if isinstance(name, str)})) if crop else ()
    return _rolled(_Key(asset), names, centre) if names or centre else asset


@lru_cache(maxsize=8)
def _rolled(key: _Key, names: tuple[str, ...], centre: str | None) -> MapAsset:
    return centred(key.asset, centre) if centre else gathered(key.asset, names)


@lru_cache(maxsize=4)
def _paths(key: _Key) -> Paths:
    return Paths(key.asset)


@lru_cache(maxsize=4)
def _ground(key: _Key) -> Ground:
    return Ground(key.asset, _paths(key))
