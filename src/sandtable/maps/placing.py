"""Where names, badges and pieces stand, so that nothing covers anything else.

The asset proposes a place for everything. The proposals become boxes in pixels for one zoom and one position, and where
a box would cover another the nearest free place is taken. Land comes before sea, and small spaces before large ones,
because they have the least choice.
"""

from __future__ import annotations

from sandtable.maps.asset import MapAsset
from sandtable.maps.badges import place_badge
from sandtable.maps.callouts import place_callout
from sandtable.maps.ground import Ground
from sandtable.maps.layout import Layout, Options
from sandtable.maps.names import place_name
from sandtable.maps.pieces import place_pieces
from sandtable.maps.position import Position
from sandtable.maps.table import Table
from sandtable.maps.view import View


def lay_out(asset: MapAsset, ground: Ground, view: View, position: Position, options: Options) -> Layout:
    """Place everything: callouts, land names and badges, land pieces, then what stands at sea."""
    table = Table(asset, ground, view, position, options)
    tiny = [name for name in table.by_area if asset.spaces[name].callout is not None]
    called_out = {name for name in tiny if place_callout(table, name)}
    rest = [name for name in table.by_area if name not in called_out]
    land = [name for name in rest if not asset.spaces[name].is_sea]
    sea = [name for name in rest if asset.spaces[name].is_sea]
    for place in (place_name, place_badge, place_pieces):
        for name in land:
            place(table, name)
    for place in (place_name, place_pieces):
        for name in sea:
            place(table, name)
    return table.layout
