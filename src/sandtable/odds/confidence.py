"""How far a rate that was counted may be from the true one."""

from __future__ import annotations

import math


def wilson(score: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which the true rate lies with 95 % confidence, for this score in so many games.

    >>> low, high = wilson(70, 100)
    >>> f"{low:.3f} {high:.3f}"
    '0.604 0.781'
    """
    if games <= 0:
        return 0.0, 1.0
    rate = score / games
    denominator = 1 + z * z / games
    centre = (rate + z * z / (2 * games)) / denominator
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / denominator
    return max(0.0, centre - half), min(1.0, centre + half)
