"""Changing some fields of a frozen record by data.

`{attack: 3}` sets a field and `{cost_change: -1}` adds to a number. `{loads_add: [{artillery: 1}]}` appends to a list
or merges into a mapping, and `{hunts_remove: [submarine]}` takes out of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

import msgspec

from sandtable.world.fields import explain, known_ones

T = TypeVar("T", bound=msgspec.Struct)

RELATIVE = "_change"
MORE = "_add"
LESS = "_remove"
FIXED_FOR_UNITS = ("id", "name", "plural", "domain")
SHARED = ("complex", "bulwark", "underground", "hides_from", "facility")
"""What a unit cannot gain or lose by itself: damage, hits and land are kept by kind, whoever owns the units."""


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
        if key in types:
            values[key] = msgspec.convert(value, types[key])
            continue
        name, suffix = split(key)
        before = values.get(name, getattr(record, name))
        if suffix == RELATIVE:
            if before is not None:  # what cannot be bought does not become cheaper
                values[name] = before + value
        elif suffix == MORE:
            more = msgspec.convert(value, types[name])
            values[name] = {**before, **more} if isinstance(more, dict) else (*before, *more)
        elif isinstance(before, dict):
            values[name] = {k: v for k, v in before.items() if k not in value}
        else:
            values[name] = tuple(v for v in before if v not in msgspec.convert(value, types[name]))
    return msgspec.structs.replace(record, **values)


def problems(
    kind: type[msgspec.Struct], changes: Mapping[str, Any], fixed: Collection[str] = FIXED_FOR_UNITS
) -> Iterator[tuple[str, str]]:
    """What is wrong with `changes` to a `kind`: pairs of field and reason. `fixed` fields cannot be changed."""
    types = {name: t for name, t in field_types(kind).items() if name not in fixed}
    for key, value in changes.items():
        name, suffix = split(key)
        if key in types:
            yield from _unfit(key, value, types[key])
        elif not suffix or name not in types:
            yield key, known_ones("field", key, list(types))
        elif suffix == RELATIVE:
            if not isinstance(value, int) or isinstance(value, bool):
                yield key, f"expected a number to add, got {value!r}"
            elif types[name] not in (int, int | None):
                yield key, f"{name} is not a number"
        elif not _is_list(types[name]) and not _is_mapping(types[name]):
            yield key, f"{name} is neither a list nor a mapping"
        else:
            yield from _unfit(key, value, list[str] if suffix == LESS and _is_mapping(types[name]) else types[name])


def split(key: str) -> tuple[str, str]:
    """`loads_add` is `loads` and `_add`."""
    suffix = next((s for s in (RELATIVE, MORE, LESS) if key.endswith(s)), "")
    return key.removesuffix(suffix), suffix


def _unfit(key: str, value: object, kind: Any) -> Iterator[tuple[str, str]]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        where, what = explain(error)
        yield key + where, what


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[-1:] == (...,)


def _is_mapping(kind: Any) -> bool:
    return get_origin(kind) in (Mapping, dict)
