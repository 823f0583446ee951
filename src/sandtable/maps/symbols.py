"""Unit silhouettes and powers' emblems: our own drawings, one small SVG file each in icons/.

Units stand in a box of 64 by 40: vehicles, guns, ships and works from the side, aircraft from above. Emblems stand in
a square around the origin and differ in outline, not in colour alone, because colour must never be the only sign.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

UNIT_WIDTH, UNIT_HEIGHT = 64, 40
EMBLEM_RADIUS = 57

FALLBACK_UNIT = "infantry"
FALLBACK_EMBLEM = "generic"


@cache
def unit_ids() -> tuple[str, ...]:
    return _names("units")


@cache
def emblem_ids() -> tuple[str, ...]:
    return _names("emblems")


@cache
def unit(name: str) -> str:
    """The shapes of a unit's silhouette, to be filled by whoever uses them."""
    return _shapes("units", name if name in unit_ids() else FALLBACK_UNIT)


@cache
def emblem(power: str) -> str:
    """The coloured shapes of a power's emblem; a power that we have none for gets a plain one."""
    return _shapes("emblems", power if power in emblem_ids() else FALLBACK_EMBLEM)


def _names(folder: str) -> tuple[str, ...]:
    entries = resources.files("sandtable.maps").joinpath("icons", folder).iterdir()
    return tuple(sorted(entry.name.removesuffix(".svg") for entry in entries if entry.name.endswith(".svg")))


def _shapes(folder: str, name: str) -> str:
    """What stands between the svg tags."""
    text = resources.files("sandtable.maps").joinpath("icons", folder, f"{name}.svg").read_text(encoding="utf-8")
    return text[text.index(">") + 1 : text.rindex("</svg>")].strip().replace("\n", "")
