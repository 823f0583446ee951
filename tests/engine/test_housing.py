"""The plan of landings on carriers against trying everything."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.movement.housing import Deck, deck, most_housed


def brute(groups: list[int], decks: list[tuple[int, list[frozenset[int]]]]) -> int:
    """Every way to send the carriers, and every way to share the planes out, one by one."""
    planes = tuple(g for g, n in enumerate(groups) for _ in range(n))
    best = 0
    for sent in product(*(options for _, options in decks)):

        def place(i: int, room: tuple[int, ...], able: tuple[frozenset[int], ...]) -> int:
            if i == len(planes):
                return 0
            found = place(i + 1, room, able)
            for d, users in enumerate(able):
                if room[d] and planes[i] in users:
                    rest = (*room[:d], room[d] - 1, *room[d + 1 :])
                    found = max(found, 1 + place(i + 1, rest, able))
            return found

        best = max(best, place(0, tuple(room for room, _ in decks), sent))
    return best


@st.composite
def fleets(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, list[frozenset[int]]]]]:
    groups = draw(st.lists(st.integers(1, 2), min_size=1, max_size=4))
    users = st.frozensets(st.integers(0, len(groups) - 1))
    decks = draw(st.lists(st.tuples(st.integers(1, 2), st.lists(users, min_size=1, max_size=3)), max_size=3))
    return groups, decks


@settings(max_examples=300, deadline=None)
@given(fleets())
def test_as_many_planes_land_as_by_trying_everything(
    fleet: tuple[list[int], list[tuple[int, list[frozenset[int]]]]],
) -> None:
    groups, decks = fleet
    useful = [d for room, options in decks if (d := deck(room, options)) is not None]
    assert most_housed(groups, useful) == brute(groups, decks)


def test_a_carrier_cannot_be_in_two_zones() -> None:
    """The bound alone would let it take both planes."""
    assert most_housed([1, 1], [Deck(2, (frozenset({0}), frozenset({1})))]) == 1


def test_planes_change_decks_to_make_room() -> None:
    assert most_housed([2, 2], [Deck(2, (frozenset({0, 1}),)), Deck(2, (frozenset({0}),))]) == 4
