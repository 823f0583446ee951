"""In which order a force loses its units.

`weakest`, the default, gives a good chance to win: the lowest number goes first, the cheaper of two equally strong
ones before the dearer. `cheapest` saves money: the price decides, cargo included, then strength. A list of one's own
may name units (`infantry`) or so many of them (`3 infantry`); what it leaves out follows weakest first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.odds.model import Kind, OddsError

Wanted = str | Sequence[str]
"""`weakest`, `cheapest`, or a list: `["infantry", "2 armor"]` or the same as text, `infantry, 2 armor`."""


def _weakest(kind: Kind) -> tuple[int, int]:
    return (kind.value * kind.dice, kind.worth)


def _cheapest(kind: Kind) -> tuple[int, int]:
    return (kind.worth, kind.value * kind.dice)


STYLES: dict[str, Callable[[Kind], tuple[int, int]]] = {"weakest": _weakest, "cheapest": _cheapest}


def loss_order(
    kinds: Sequence[Kind],
    counts: Sequence[int],
    wanted: Wanted = "weakest",
    *,
    keep_land: int = 0,
    find: Callable[[str], str] = str,
) -> tuple[int, ...]:
    """Single units, first lost first, as indices into `kinds`. `find` turns a word into a unit's id.

    Equals go in the order in which the force lists them.
    """
    style = wanted.strip().lower() if isinstance(wanted, str) else ""
    rank = STYLES.get(style, _weakest)
    named = [] if style in STYLES else wanted.split(",") if isinstance(wanted, str) else wanted
    left = [0 if kind.shield or kind.bulwark else n for kind, n in zip(kinds, counts, strict=True)]
    usual = sorted(range(len(kinds)), key=lambda k: (rank(kinds[k]), k))
    order: list[int] = []
    for entry in named:
        number, unit = _read(entry, find)
        for k in usual:
            if kinds[k].unit == unit:
                some = left[k] if number is None else min(left[k], number)
                order += [k] * some
                left[k] -= some
                number = None if number is None else number - some
    for k in usual:
        order += [k] * left[k]
    order.sort(key=lambda k: kinds[k].last)  # transports after all the others, whatever was wanted
    shields = [k for k in usual if kinds[k].shield or kinds[k].bulwark for _ in range(counts[k])]
    return (*shields, *_keeping(kinds, order, keep_land))


def _read(entry: str, find: Callable[[str], str]) -> tuple[int | None, str]:
    head, _, rest = entry.strip().partition(" ")
    if not head:
        raise OddsError(
            "An order of losses is weakest, cheapest or a list of units such as `infantry, 2 armor, fighter`."
        )
    if head.isdigit() and rest:
        return int(head), find(rest)
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
