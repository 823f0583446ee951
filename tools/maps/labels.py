"""Names: how a name breaks into lines, how large it is, and where it stands together with badge and emblem."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from tools.maps.board import Space

LINE = 1.15  # line height in ems
_LAND_LETTER, _SEA_LETTER, _DIGIT = 0.68, 0.52, 0.56  # mean letter widths in ems: capitals, italics, figures


def title(space: Space) -> str:
    """The name as it is lettered: numbered zones by their number, named ones without the word zone."""
    if space.kind == "land":
        return space.name
    if number := re.fullmatch(r"Sea Zone (\d+)", space.name):
        return number[1]
    name = space.name.removesuffix(" Zone")
    if re.search(r"Gulf|Ocean|Pacific|Atlantic", name):
        name = name.removesuffix(" Sea")
    return name


@cache
def line_breaks(text: str) -> tuple[tuple[str, ...], ...]:
    """Sensible ways to set a name: for every number of lines the most even one."""
    words = re.findall(r"[^\s/-]+[-/]?\s*", text)
    result = []
    for lines in range(1, min(len(words), 4) + 1):
        options = []
        for cuts in combinations(range(1, len(words)), lines - 1):
            edges = (0, *cuts, len(words))
            options.append(tuple("".join(words[a:b]).strip() for a, b in pairwise(edges)))
        result.append(min(options, key=lambda option: max(map(len, option))))
    return tuple(result)


def text_size(lines: tuple[str, ...], kind: str, size: float) -> tuple[float, float]:
    """Width and height of lettering of the given size (em) in map units."""
    letter = _LAND_LETTER if kind == "land" else _DIGIT if lines[0].isdigit() else _SEA_LETTER
    return max(map(len, lines)) * letter * size + 0.3 * size, len(lines) * LINE * size


@dataclass(frozen=True)
class Block:
    """A name with its badge and emblem, as one box. Offsets are from the box's centre."""

    width: float
    height: float
    lines: tuple[str, ...]
    size: float
    text: tuple[float, float, float, float]  # dx, dy, width, height
    badge: tuple[float, float, float] | None  # dx, dy, radius
    emblem: tuple[float, float, float] | None


def blocks(space: Space, size: float) -> list[Block]:
    """All layouts of a name at one size: the marks below the name, or beside it."""
    marks: list[tuple[str, float]] = []
    if space.mark:
        marks.append(("emblem", min(max(0.75 * size, 4.5), 8.0)))
    if space.kind == "land" and space.value:
        marks.append(("badge", min(max(0.55 * size, 4.0), 6.0)))
    result = []
    for lines in line_breaks(title(space)):
        wide, high = text_size(lines, space.kind, size)
        if not marks:
            result.append(Block(wide, high, lines, size, (0, 0, wide, high), None, None))
            continue
        row_wide = sum(2 * r for _, r in marks) + 2 * (len(marks) - 1)
        row_high = 2 * max(r for _, r in marks)
        for beside in (False, True):
            width = wide + 2 + row_wide if beside else max(wide, row_wide)
            height = max(high, row_high) if beside else high + 1 + row_high
            x = -width / 2 + wide + 2 if beside else -row_wide / 2
            y = 0.0 if beside else height / 2 - row_high / 2
            text = ((-width + wide) / 2, 0.0, wide, high) if beside else (0.0, (high - height) / 2, wide, high)
            spots = {}
            for mark, radius in marks:
                spots[mark] = (x + radius, y, radius)
                x += 2 * radius + 2
            result.append(Block(width, height, lines, size, text, spots.get("badge"), spots.get("emblem")))
    return result


def fits(free: NDArray[np.bool_], width: float, height: float) -> NDArray[np.bool_]:
    """Pixels on which a box of this size can be centred without leaving the free area."""
    half_w, half_h = int(np.ceil(width / 2)) + 1, int(np.ceil(height / 2)) + 1
    rows, columns = free.shape
    result = np.zeros(free.shape, bool)
    if rows <= 2 * half_h + 1 or columns <= 2 * half_w + 1:
        return result
    total = np.pad(np.cumsum(np.cumsum(~free, axis=0, dtype=np.int32), axis=1, dtype=np.int32), ((1, 0), (1, 0)))
    h, w = 2 * half_h + 1, 2 * half_w + 1
    blocked = total[h:, w:] - total[:-h, w:] - total[h:, :-w] + total[:-h, :-w]
    result[half_h : half_h + blocked.shape[0], half_w : half_w + blocked.shape[1]] = blocked == 0
    return result
