"""How many planes find a deck: a flow of planes to decks, over the places where carriers can be sent.

Each deck takes so many planes and has options, one for each zone where its carrier can end the turn: the groups of
planes that could use it there. Without options this is a plain flow. With them, a flow in which every carrier is in all
its zones at once gives a bound; mostly it can be carried out as it stands, because no deck takes planes that only
different zones would bring together. Where one does, its options are tried one after the other. The answer is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

Group = int  # place in the list of groups of planes


class Deck(NamedTuple):
    room: int
    options: tuple[frozenset[Group], ...]  # none of them part of another one


def deck(room: int, options: Iterable[frozenset[Group]]) -> Deck | None:
    """A deck with the options that matter; None if it is of no use to anybody."""
    different = sorted(set(options), key=lambda o: (-len(o), sorted(o)))
    best = [o for i, o in enumerate(different) if o and not any(o < other for other in different[:i])]
    return Deck(room, tuple(best)) if best and room > 0 else None


def most_housed(groups: Sequence[int], decks: Sequence[Deck]) -> int:
    """The greatest number of planes that find a deck, over all ways to send the carriers; `groups` are their sizes."""
    total, loads = _flow(groups, [(d.room, frozenset().union(*d.options)) for d in decks])
    best = 0
    for place, (there, load) in enumerate(zip(decks, loads, strict=True)):
        if not any(load <= option for option in there.options):  # planes that only different zones bring together
            for option in there.options:
                sent = [*decks[:place], Deck(there.room, (option,)), *decks[place + 1 :]]
                best = max(best, most_housed(groups, sent))
                if best == total:
                    break
            return best
    return total


def _flow(groups: Sequence[int], decks: Sequence[tuple[int, frozenset[Group]]]) -> tuple[int, list[set[Group]]]:
    """The greatest flow of planes to decks, and which groups each deck serves in it."""
    left = list(groups)
    free = [room for room, _ in decks]
    aboard: list[dict[Group, int]] = [{} for _ in decks]
    users = [[d for d, (_, able) in enumerate(decks) if g in able] for g in range(len(groups))]
    for group in range(len(groups)):
        while left[group]:
            sent = _augment(group, left[group], free, aboard, users)
            if not sent:
                break
            left[group] -= sent
    return sum(groups) - sum(left), [{g for g, n in load.items() if n} for load in aboard]


def _augment(group: Group, wanted: int, free: list[int], aboard: list[dict[Group, int]], users: list[list[int]]) -> int:
    """Find room for some planes of the group, moving others to decks of theirs if need be; how many found it."""
    came: dict[int, tuple[int | None, Group]] = dict.fromkeys(users[group], (None, group))
    queue = list(came)
    for deck_ in queue:  # breadth first, over decks
        if free[deck_]:
            way = [deck_]
            while (before := came[way[-1]][0]) is not None:
                way.append(before)
            way.reverse()
            number = min([wanted, free[deck_], *(aboard[d][came[e][1]] for d, e in pairwise(way))])
            for d in way:
                before, moved = came[d]
                aboard[d][moved] = aboard[d].get(moved, 0) + number
                if before is not None:
                    aboard[before][moved] -= number
            free[deck_] -= number
            return number
        for other, n in aboard[deck_].items():
            if n:
                for there in users[other]:
                    if there not in came:
                        came[there] = (deck_, other)
                        queue.append(there)
    return 0
