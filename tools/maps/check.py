"""The proof: two spaces share a drawn border if and only if the board says that they are adjacent."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

Pair = frozenset[str]
Segment = tuple[float, float, str]  # from y, to y, space


@dataclass
class Verdict:
    """Drawn adjacency compared with the board's."""

    drawn: dict[Pair, float]  # border length inside the map
    across: dict[Pair, float]  # border length across the left/right edge
    missing: dict[Pair, float]
    false: dict[Pair, float]
    weakest_true: list[tuple[float, Pair]]
    strongest_false: list[tuple[float, Pair]]


def border_lengths(
    arcs: Iterable[tuple[list[tuple[float, float]], str, str]], width: float
) -> tuple[dict[Pair, float], dict[Pair, float]]:
    """Lengths of common borders from arcs (points, space on one side, space on the other; "" for none)."""
    inside: dict[Pair, float] = defaultdict(float)
    left: list[Segment] = []
    right: list[Segment] = []
    for points, one, other in arcs:
        if one and other:
            inside[frozenset((one, other))] += sum(map(math.dist, points, points[1:]))
            continue
        for (x0, y0), (x1, y1) in pairwise(points):
            if x0 == x1 == 0:
                left.append((min(y0, y1), max(y0, y1), one or other))
            elif x0 == x1 == width:
                right.append((min(y0, y1), max(y0, y1), one or other))
    across: dict[Pair, float] = defaultdict(float)
    for y0, y1, one in left:
        for z0, z1, other in right:
            overlap = min(y1, z1) - max(y0, z0)
            if overlap > 0 and one != other:
                across[frozenset((one, other))] += overlap
    return dict(inside), dict(across)


def compare(
    inside: Mapping[Pair, float],
    across: Mapping[Pair, float],
    pairs: set[Pair],
    linked: set[Pair],
    spaces: set[str],
    threshold: float,
) -> Verdict:
    """`linked` pairs are adjacent without a border; everything else must be drawn, and nothing more."""
    lengths: dict[Pair, float] = defaultdict(float)
    for source in (inside, across):
        for pair, length in source.items():
            if pair <= spaces:
                lengths[pair] += length
    missing = {pair: lengths.get(pair, 0.0) for pair in pairs - linked if lengths.get(pair, 0.0) < threshold}
    false = {pair: length for pair, length in lengths.items() if pair not in pairs and length >= threshold}
    false |= {pair: lengths[pair] for pair in linked if lengths.get(pair, 0.0) >= threshold}
    true = sorted(((lengths[pair], pair) for pair in pairs - linked if pair in lengths), key=lambda t: t[0])
    wrong = sorted(((n, pair) for pair, n in lengths.items() if pair not in pairs), key=lambda t: -t[0])
    return Verdict(dict(inside), dict(across), missing, false, true[:12], wrong[:8])
