"""What all events have in common: records of changes, and the few ways in which a state is changed."""

from __future__ import annotations

import msgspec

from sandtable.engine.state import State, Units, add, take
from sandtable.world.model import SpaceId


class Change(msgspec.Struct, frozen=True):
    """Units that leave (`minus`) and come to (`plus`) a space. A piece whose condition changes does both."""

    space: SpaceId
    minus: Units = ()
    plus: Units = ()


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of all events."""


def replace(state: State, **fields: object) -> State:
    return msgspec.structs.replace(state, **fields)


def apply_changes(state: State, changes: tuple[Change, ...]) -> State:
    units = dict(state.units)
    for change in changes:
        stack = add(take(units.get(change.space, {}), change.minus), change.plus)
        if stack:
            units[change.space] = stack
        else:
            units.pop(change.space, None)
    return replace(state, units=units)


def with_spent(state: State, right: str) -> State:
    return replace(state, spent={**state.spent, right: state.spent.get(right, 0) + 1})
