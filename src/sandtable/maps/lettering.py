"""The map's own fonts: small subsets with a free licence (see fonts/OFL.txt), the same in every renderer.

Text has to be measured before it is placed, without a font library. The few tables that hold advance widths are
simple enough to read here, so the measures can never drift from the font files.
"""

from __future__ import annotations

import base64
import struct
from functools import cache
from importlib import resources

import msgspec


class Face(msgspec.Struct, frozen=True):
    """One font file and how a style sheet asks for it."""

    file: str
    family: str
    weight: int
    italic: bool = False


LAND = Face("eb-garamond-600.ttf", "EB Garamond", 600)
SEA = Face("eb-garamond-500-italic.ttf", "EB Garamond", 500, italic=True)
NUMBER = Face("barlow-semi-condensed-700.ttf", "Barlow Semi Condensed", 700)
FACES = (LAND, SEA, NUMBER)

SERIF_STACK = "'EB Garamond',Garamond,Georgia,'Times New Roman',serif"
NUMBER_STACK = "'Barlow Semi Condensed','Arial Narrow',Arial,sans-serif"

_FALLBACK_WIDTH = 0.6
"""Width in ems of a character that the subset does not have, generous so that nothing overlaps."""


@cache
def data(face: Face) -> bytes:
    return resources.files("sandtable.maps").joinpath("fonts", face.file).read_bytes()


def width(text: str, face: Face, size: float, spacing: float = 0.0) -> float:
    """How wide a line of text is; `spacing` is the letter-spacing in ems."""
    advances = _advances(face)
    return size * sum(advances.get(ord(letter), _FALLBACK_WIDTH) + spacing for letter in text)


def style_sheet() -> str:
    """The fonts as @font-face rules with the data inside, so that a picture is complete in one file."""
    rules = []
    for face in FACES:
        content = base64.b64encode(data(face)).decode("ascii")
        style = "italic" if face.italic else "normal"
        rules.append(
            f"@font-face{{font-family:'{face.family}';font-weight:{face.weight};font-style:{style};"
            f"src:url(data:font/ttf;base64,{content}) format('truetype')}}"
        )
    return "\n".join(rules)


@cache
def _advances(face: Face) -> dict[int, float]:
    """Advance width in ems by code point."""
    content = data(face)
    tables = _tables(content)
    units_per_em = _u16(content, tables["head"] + 18)
    metric_count = _u16(content, tables["hhea"] + 34)
    metrics = tables["hmtx"]

    def advance(glyph: int) -> float:
        return _u16(content, metrics + 4 * min(glyph, metric_count - 1)) / units_per_em

    return {code: advance(glyph) for code, glyph in _characters(content, tables["cmap"]).items()}


def _tables(content: bytes) -> dict[str, int]:
    """Offset of every table by tag."""
    count = _u16(content, 4)
    found = {}
    for i in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sIII", content, 12 + 16 * i)
        found[tag.decode("ascii")] = offset
    return found


def _characters(content: bytes, cmap: int) -> dict[int, int]:
    """Code point to glyph number, from the Unicode subtable of format 4 that every such font has."""
    for i in range(_u16(content, cmap + 2)):
        platform, _, offset = struct.unpack_from(">HHI", content, cmap + 4 + 8 * i)
        if platform in (0, 3) and _u16(content, cmap + offset) == 4:
            return _segments(content, cmap + offset)
    raise ValueError("font without a character map of format 4")


def _segments(content: bytes, start: int) -> dict[int, int]:
    double = _u16(content, start + 6)
    ends, starts = start + 14, start + 16 + double
    deltas, ranges = starts + double, starts + 2 * double
    glyphs = {}
    for at in range(0, double, 2):
        first, last = _u16(content, starts + at), _u16(content, ends + at)
        delta, shift = _u16(content, deltas + at), _u16(content, ranges + at)
        for code in range(first, last + 1):
            if code == 0xFFFF:
                continue
            glyph = code if shift == 0 else _u16(content, ranges + at + shift + 2 * (code - first))
            if shift == 0 or glyph:
                glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs


def _u16(content: bytes, at: int) -> int:
    value: int = struct.unpack_from(">H", content, at)[0]
    return value
