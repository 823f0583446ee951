"""The boards as maps, and pictures of positions on them.

from sandtable import maps
svg = maps.draw_svg(maps.load("classic"), position)
picture = maps.png(svg, 2400)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.maps.asset import MapAsset, boards, load
from sandtable.maps.draw import draw_svg, layout_of
from sandtable.maps.palette import PALETTES
from sandtable.maps.position import Position, Stack
from sandtable.maps.raster import png

if TYPE_CHECKING:
    from sandtable.maps.plain import plain_map

__all__ = ["PALETTES", "MapAsset", "Position", "Stack", "boards", "draw_svg", "layout_of", "load", "plain_map", "png"]


def __getattr__(name: str) -> Any:
    """Drawing a map where there is none needs numpy; whoever builds the package needs only the colours."""
    if name == "plain_map":
        from sandtable.maps.plain import plain_map

        return plain_map
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
