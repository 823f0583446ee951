"""Judging conditions: whether one holds, what is missing in words, and how far it is in numbers.

Everybody who asks for a condition asks here: victory, objectives, politics, events. What conditions can say is in
`sandtable.world.conditions`; how each predicate is judged in `predicates`; what they ask about the past in `history`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.engine.conditions.predicates import JUDGES, Judge, capitals
from sandtable.engine.conditions.viewpoint import Measure, Viewpoint
from sandtable.engine.facts import listed
from sandtable.engine.state import State
from sandtable.world import conditions as c
from sandtable.world.conditions import Condition, Who
from sandtable.world.model import SpaceId, World


def holds(world: World, state: State, condition: Condition, who: Who = "") -> bool:
    """The condition holds in this position. `who` is what `self` stands for in it."""
    return _met(Viewpoint(world, state, who), condition)


def lacking(world: World, state: State, condition: Condition, who: Who = "") -> list[str]:
    """What is missing, one part of a sentence for each thing; nothing if the condition holds."""
    asked = Viewpoint(world, state, who)
    parts = condition.of if isinstance(condition, c.All) else (condition,)
    return [_missing(asked, part) for part in parts if not _met(asked, part)]


def progress(world: World, state: State, condition: Condition, who: Who = "") -> Measure:
    """How near it is, in numbers that may be shown side by side."""
    return _measure(Viewpoint(world, state, who), condition)


def counted(world: World, state: State, condition: Condition, who: Who = "") -> int:
    """How many there are of what the condition counts, also beyond what it needs."""
    return _measure(Viewpoint(world, state, who), condition).have


def achieved(world: World, state: State, condition: Condition, who: Who = "") -> str:
    """What has been done, in a sentence, where the condition holds."""
    asked = Viewpoint(world, state, who)
    sentence = listed(list(_achieved(asked, condition))) or _described(asked, condition)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def described(world: World, condition: Condition, who: Who = "") -> str:
    """The condition itself in words, whatever the position is: `the Axis control Egypt and Gibraltar`."""
    return _described(Viewpoint(world, _NOWHERE, who), condition)


def capitals_meant(world: World, condition: c.HoldsCapitals, who: Who = "") -> tuple[SpaceId, ...]:
    """The capitals that such a condition is about."""
    return capitals(Viewpoint(world, _NOWHERE, who), condition)


_NOWHERE = State(0, 0, 0, {}, {}, {}, {}, {})


def _judge(condition: Condition) -> Judge[Any]:
    return JUDGES[type(condition)]


# ---------------------------------------------------------------- combinations


def _met(asked: Viewpoint, condition: Condition) -> bool:
    if isinstance(condition, c.All):
        return all(_met(asked, part) for part in condition.of)
    if isinstance(condition, c.AnyOf):
        return any(_met(asked, part) for part in condition.of)
    if isinstance(condition, c.AtLeast):
        return sum(_met(asked, part) for part in condition.of) >= condition.at_least
    if isinstance(condition, c.Not):
        return not _met(asked, condition.what)
    return _judge(condition).measure(asked, condition).met


def _measure(asked: Viewpoint, condition: Condition) -> Measure:
    """All parts count together, of several ways the nearest, and nothing counts for more than is needed of it."""
    if isinstance(condition, c.Not):
        return Measure(int(_met(asked, condition)), 1)
    if not isinstance(condition, c.All | c.AnyOf | c.AtLeast):
        return _judge(condition).measure(asked, condition)
    parts = [_measure(asked, part) for part in condition.of]
    if not isinstance(condition, c.All):
        parts.sort(key=lambda m: (min(m.have, m.need) - m.need, m.need))
        wanted = 1 if isinstance(condition, c.AnyOf) else condition.at_least
        parts = parts[len(parts) - wanted :]
    return Measure(sum(min(m.have, m.need) for m in parts), sum(m.need for m in parts))


def _missing(asked: Viewpoint, condition: Condition) -> str:
    if isinstance(condition, c.All):
        return listed([_missing(asked, part) for part in condition.of if not _met(asked, part)])
    if isinstance(condition, c.AnyOf):
        return listed([_missing(asked, part) for part in condition.of], "or")
    if isinstance(condition, c.AtLeast):
        open_ones = [part for part in condition.of if not _met(asked, part)]
        short = condition.at_least - (len(condition.of) - len(open_ones))
        words = listed([_missing(asked, part) for part in open_ones], "or")
        return words if short == 1 else f"{short} of these: {words}"
    if isinstance(condition, c.Not):
        return f"an end to this: {_described(asked, condition.what)}"
    return _judge(condition).missing(asked, condition)


def _described(asked: Viewpoint, condition: Condition) -> str:
    if isinstance(condition, c.All):
        return listed([_described(asked, part) for part in condition.of]) or "nothing more is needed"
    if isinstance(condition, c.AnyOf):
        return "either " + listed([_described(asked, part) for part in condition.of], "or")
    if isinstance(condition, c.AtLeast):
        return f"at least {condition.at_least} of these: " + "; ".join(_described(asked, p) for p in condition.of)
    if isinstance(condition, c.Not):
        return f"not so: {_described(asked, condition.what)}"
    return _judge(condition).described(asked, condition)


def _achieved(asked: Viewpoint, condition: Condition) -> Iterator[str]:
    if isinstance(condition, c.All | c.AnyOf | c.AtLeast):
        met = [part for part in condition.of if _met(asked, part)]
        for part in met[:1] if isinstance(condition, c.AnyOf) else met:
            yield from _achieved(asked, part)
    elif isinstance(condition, c.Not):
        yield _described(asked, condition)
    else:
        yield _judge(condition).achieved(asked, condition)


class _Ever:
    def measure(self, asked: Viewpoint, condition: c.Ever) -> Measure:
        return Measure(int(condition.milestone in asked.state.history), 1)

    def missing(self, asked: Viewpoint, condition: c.Ever) -> str:
        return f"that once {self._so(asked, condition)}"

    def described(self, asked: Viewpoint, condition: c.Ever) -> str:
        return f"once it was so that {self._so(asked, condition)}"

    achieved = described

    @staticmethod
    def _so(asked: Viewpoint, condition: c.Ever) -> str:
        return _described(asked, asked.world.milestones[condition.milestone])


JUDGES[c.Ever] = _Ever()
