"""In which order a side loses its units.

By default the cheapest go first, the weaker of two equally dear ones before the stronger; cargo counts. A list of one's
own may name units ("infantry") or so many of them ("3 infantry"); what it does not name follows in the default order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.odds.model import Kind, OddsError


def default_rank(kind: Kind) -> tuple[int, int]:
    """Cheap before dear, weak before strong; equals in the order in which the force lists them."""
    return (kind.worth, kind.value * kind.dice)


def loss_order(
    kinds: Sequence[Kind],
    counts: Sequence[int],
    wanted: Sequence[str] = (),
    *,
    keep_land: int = 0,
    find: Callable[[str], str] = str,
) -> tuple[int, ...]:
    """Single units, first lost first, as indices into `kinds`. `find` turns a word into a unit's id."""
    left = list(counts)
    usual = sorted(range(len(kinds)), key=lambda k: (default_rank(kinds[k]), k))
    order: list[int] = []
    for entry in wanted:
        number, unit = _read(entry, find)
        mine = [k for k in usual if kinds[k].unit == unit]
        room = sum(left[k] for k in mine)
        for k in mine:
            some = min(left[k], room if number is None else number)
            order += [k] * some
            left[k] -= some
            if number is not None:
                number -= some
    for k in usual:
        order += [k] * left[k]
    return _keeping(kinds, order, keep_land)


def _read(entry: str, find: Callable[[str], str]) -> tuple[int | None, str]:
    head, _, rest = entry.strip().partition(" ")
    if head.isdigit() and rest:
        return int(head), find(rest)
    if not head:
        raise OddsError("An order of losses is a list of units, for example `infantry, 2 armor, fighter`.")
    return None, find(entry)


def _keeping(kinds: Sequence[Kind], order: list[int], number: int) -> tuple[int, ...]:
    """The same order, with the last `number` units that can take land moved to its end."""
    if number < 0:
        raise OddsError(f"So many land units cannot be kept: {number}.")
    kept: list[int] = []
    for place in range(len(order) - 1, -1, -1):
        if len(kept) < number and kinds[order[place]].captures:
            kept.insert(0, order.pop(place))
    return (*order, *kept)
