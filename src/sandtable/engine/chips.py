"""How a crowded stack looks on a table: chips under one piece (CL-SET-14)."""

from __future__ import annotations

from typing import NamedTuple


class Chips(NamedTuple):
    """A stack as it lies there: red chips are five units each, white ones one, and a piece tops them."""

    red: int
    white: int
    pieces: int


def chips(units: int) -> Chips:
    """The fewest chips for so many units of one kind.

    >>> chips(7)
    Chips(red=1, white=1, pieces=1)
    """
    if units < 0:
        raise ValueError(f"a stack cannot have {units} units")
    if not units:
        return Chips(0, 0, 0)
    red, white = divmod(units - 1, 5)
    return Chips(red, white, 1)
