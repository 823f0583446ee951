"""How names are written: in which form, in how many lines, how large."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandtable.maps import lettering
from sandtable.maps.asset import MapAsset
from sandtable.maps.position import Position

LAND_SPACING = 0.06
SEA_SPACING = 0.04
"""Letter-spacing of names in ems."""
LINE_HEIGHT = 1.0


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
