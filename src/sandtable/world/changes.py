"""Changing some fields of a frozen record by data: `{attack: 3}` sets, `{cost_change: -1}` adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from sandtable.world.fields import explain, known_ones

T = TypeVar("T", bound=msgspec.Struct)

RELATIVE = "_change"
_NOT_CHANGEABLE = ("id", "name", "plural", "domain")


@cache
def field_types(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Field name -> type. Cached, since working out annotations takes a while."""
    return {field.name: field.type for field in msgspec.structs.fields(kind)}


def apply(record: T, changes: Mapping[str, Any]) -> T:
    """A copy of `record` with `changes` made. They must have passed `problems`."""
    if not changes:
        return record
    types = field_types(type(record))
    values: dict[str, Any] = {}
    for key, value in changes.items():
        name = key.removesuffix(RELATIVE)
        if key in types:
            values[key] = msgspec.convert(value, types[key])
        elif (before := values.get(name, getattr(record, name))) is not None:
            values[name] = before + value  # what cannot be bought does not become cheaper
    return msgspec.structs.replace(record, **values)


def problems(kind: type[msgspec.Struct], changes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with `changes` to a `kind`: pairs of field and reason."""
    types = {name: t for name, t in field_types(kind).items() if name not in _NOT_CHANGEABLE}
    for key, value in changes.items():
        name = key.removesuffix(RELATIVE)
        if key in types:
            try:
                msgspec.convert(value, types[key])
            except msgspec.ValidationError as error:
                where, what = explain(error)
                yield key + where, what
        elif key != name and name in types:
            if not isinstance(value, int) or isinstance(value, bool):
                yield key, f"expected a number to add, got {value!r}"
            elif types[name] not in (int, int | None):
                yield key, f"{name} is not a number"
        else:
            yield key, known_ones("field", key, list(types))
