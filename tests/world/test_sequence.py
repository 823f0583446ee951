"""Lists with places: whatever options do to them, a place that the edition has can be named."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.world.model import ListEdit
from sandtable.world.sequence import Sequence, names_put

A, B, C = ("a", "b", "c")


def after(*edits: dict[str, Any], names: tuple[str, ...] = (A, B, C)) -> tuple[str, ...]:
    sequence = Sequence(names)
    for edit in edits:
        assert sequence.edit(ListEdit(**edit)) == ""
    return sequence.names()


@pytest.mark.parametrize(
    ("edits", "names"),
    [
        ([{"put": "x", "before": "b"}], "axbc"),
        ([{"put": ("x", "y"), "after": "b"}], "abxyc"),
        ([{"put": "x", "instead_of": "b"}], "axc"),
        ([{"put": ("x", "b"), "instead_of": "b"}], "axbc"),
        ([{"remove": "b"}], "ac"),
        ([{"put": "x", "at": "start"}, {"put": "y", "at": "end"}], "xabcy"),
        ([{"move": "c", "before": "a"}], "cab"),
        ([{"move": "a", "at": "end"}], "bca"),
        ([{"move": "a", "instead_of": "c"}], "ba"),
        # the place of what was taken out or replaced is still there
        ([{"remove": "b"}, {"put": "x", "after": "b"}], "axc"),
        ([{"put": "x", "after": "b"}, {"remove": "b"}], "axc"),
        ([{"put": "x", "instead_of": "b"}, {"put": "y", "before": "b"}], "ayxc"),
        ([{"remove": "b"}, {"put": "x", "instead_of": "b"}], "axc"),
        # several options at one place: in the order of the options
        ([{"put": "x", "after": "b"}, {"put": "y", "after": "b"}], "abxyc"),
        ([{"put": "x", "before": "b"}, {"put": "y", "before": "b"}], "axybc"),
        ([{"put": "x", "instead_of": "b"}, {"put": "y", "instead_of": "b"}], "ayc"),
        # what hangs on a place goes with it
        ([{"put": "x", "after": "b"}, {"move": "b", "before": "a"}], "bxac"),
        ([{"move": "b", "before": "a"}, {"put": "x", "after": "b"}], "bxac"),
        # what an option brought is a place, too, even after something else stands instead
        ([{"put": "x", "after": "b"}, {"put": "y", "after": "x"}], "abxyc"),
        ([{"put": "x", "instead_of": "b"}, {"put": "y", "after": "x"}, {"put": "z", "instead_of": "b"}], "ayzc"),
    ],
)
def test_edits(edits: list[dict[str, Any]], names: str) -> None:
    assert "".join(after(*edits)) == names


def test_several_of_a_name() -> None:
    names = ("a", "end", "b", "end", "c")
    assert after({"put": "x", "after": "end 2"}, names=names) == ("a", "end", "b", "end", "x", "c")
    assert after({"remove": "end 1"}, names=names) == ("a", "b", "end", "c")
    assert after({"remove": "every end"}, names=names) == ("a", "b", "c")
    assert after({"put": "x", "before": "every end"}, names=names) == ("a", "x", "end", "b", "x", "end", "c")
    # a second one from an option does not make the edition's own ambiguous
    assert after({"put": "a", "after": "c"}, {"remove": "a"}, names=("a", "c")) == ("c", "a")


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        ({"put": "x"}, "exactly one of before, after"),
        ({"put": "x", "before": "a", "after": "b"}, "exactly one of before, after"),
        ({"before": "a"}, "one of put and move"),
        ({"put": "x", "move": "a", "before": "b"}, "one of put and move"),
        ({"remove": "a", "put": "x"}, "what is removed"),
        ({"put": "x", "after": "ende"}, "unknown anchor 'ende' (did you mean 'end'?)"),
        ({"put": "x", "after": "end"}, "end stands there 2 times: say which one (end 1 to end 2), or `every end`"),
        ({"put": "x", "after": "end 3"}, "end stands there 2 times, so there is no 'end 3'"),
        ({"move": "a", "after": "every end"}, "a can go to one place only"),
        ({"move": "every end", "after": "a"}, "'every end' is more than one"),
        ({"move": "a", "after": "a"}, "hangs on itself"),
    ],
)
def test_wrong_edits_change_nothing(edit: dict[str, Any], problem: str) -> None:
    sequence = Sequence(("a", "end", "b", "end"))
    assert problem in sequence.edit(ListEdit(**edit))
    assert sequence.names() == ("a", "end", "b", "end")


EDITS = st.one_of(
    *(
        st.builds(
            lambda put, where, how=how: ListEdit(**{"put": put, how: where}),
            st.sampled_from("xyz"),
            st.sampled_from("abcde"),
        )
        for how in ("before", "after", "instead_of")
    ),
    st.builds(lambda where: ListEdit(remove=where), st.sampled_from("abcde")),
)


@given(st.lists(EDITS, max_size=6), st.randoms(use_true_random=False))
def test_nothing_vanishes(edits: list[ListEdit], rng: random.Random) -> None:
    """Every edit applies, in any order, and what is put before or after something stays whatever becomes of that."""
    order = list(permutations(edits))[:24]
    for some in (edits, rng.choice(order)):
        sequence = Sequence("abcde")
        for edit in some:
            assert sequence.edit(edit) == ""
        names = sequence.names()
        lasting = [name for edit in some if edit.before or edit.after for name in names_put(edit)]
        for name in lasting:
            assert names.count(name) >= lasting.count(name)
        touched = {edit.instead_of or edit.remove for edit in some}
        assert [n for n in names if n in "abcde"] == [n for n in "abcde" if n not in touched]
