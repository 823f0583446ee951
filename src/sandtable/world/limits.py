"""How large a position may be that somebody makes up. No game that is played comes near; the rest is mischief.

The rules know no such limits (every edition prints more pieces on demand), so nothing that happens in play is refused
for them: they hold where a position comes in from outside.
"""

from __future__ import annotations

from collections.abc import Mapping

MOST_PIECES = 200  # of a kind that a power has in a space of a set-up
MOST_IN_SPACE = 1_000  # units of all powers
MOST_ON_BOARD = 10_000
MOST_MONEY = 100_000  # IPCs of one power
MOST_TOKENS = 1_000  # researchers of one power
LAST_ROUND = 10_000
MOST_EDITS = 1_000  # lines of a changed set-up


def crowd(units: Mapping[str, int]) -> str | None:
    """What is too much in these numbers of units by space, in a sentence; None if nothing is."""
    for space, number in units.items():
        if number > MOST_IN_SPACE:
            return f"{number:,} units in {space}, where at most {MOST_IN_SPACE:,} can be set up"
    total = sum(units.values())
    if total > MOST_ON_BOARD:
        return f"{total:,} units on the board, where at most {MOST_ON_BOARD:,} can be set up"
    return None
