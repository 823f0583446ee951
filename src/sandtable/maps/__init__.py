"""The boards as maps, and pictures of positions on them.

from sandtable import maps
svg = maps.draw_svg(maps.load("classic"), position)
picture = maps.png(svg, 2400)
"""

from __future__ import annotations

from sandtable.maps.asset import MapAsset, boards, load
from sandtable.maps.draw import draw_svg, layout_of
from sandtable.maps.palette import PALETTES
from sandtable.maps.plain import plain_map
from sandtable.maps.position import Position, Stack
from sandtable.maps.raster import png

__all__ = ["PALETTES", "MapAsset", "Position", "Stack", "boards", "draw_svg", "layout_of", "load", "plain_map", "png"]
