"""Which of several pieces an answer means that names them by kind."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.facts import means
from sandtable.engine.state import Piece, Stack, Units, piece_key, units_of
from sandtable.notation.orders import UnitSpec


def named(free: Stack, specs: Iterable[UnitSpec]) -> tuple[Units, UnitSpec | None]:
    """The pieces that are meant, the least marked first; and what of the words found too few, if anything did."""
    left = dict(free)
    chosen: dict[Piece, int] = {}
    for spec in specs:
        wanted = spec.count
        for piece in sorted((p for p in left if means(spec, p)), key=lambda p: (len(p.marks), piece_key(p))):
            some = min(left[piece], wanted)
            if some:
                chosen[piece] = chosen.get(piece, 0) + some
                left[piece] -= some
                wanted -= some
        if wanted:
            return (), spec
    return units_of(chosen), None


def first_of(units: Iterable[tuple[Piece, int]], number: int) -> Units:
    """So many of the units, in their order."""
    found = []
    for piece, n in units:
        some = min(n, number)
        number -= some
        if some:
            found.append((piece, some))
    return tuple(found)
