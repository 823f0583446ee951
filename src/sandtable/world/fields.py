"""Turning plain data into typed records, noting every problem instead of stopping at the first one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

_PATH = re.compile(r" - at (?:key in )?`\$?(?P<path>[^`]*)`$")


class Report:
    """The problems found so far, each as `file: field: what is wrong`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def add(self, file: str, field: str, what: str) -> None:
        self.problems.append(f"{file}: {field}: {what}" if field else f"{file}: {what}")


def join(*parts: object) -> str:
    """`join("a", "", 3)` is `a.3`: the way to a field."""
    return ".".join(str(part) for part in parts if part != "")


def known_ones(what: str, wrong: object, known: Collection[str]) -> str:
    """`unknown unit 'armour' (did you mean 'armor'?)`, or the known ones if nothing is close."""
    close = difflib.get_close_matches(str(wrong), list(known), n=1)
    if close:
        return f"unknown {what} {wrong!r} (did you mean {close[0]!r}?)"
    if len(known) > 60:
        return f"unknown {what} {wrong!r}"
    return f"unknown {what} {wrong!r} (known: {', '.join(known) or 'none'})"


def mapping(raw: object, file: str, field: str, report: Report) -> dict[str, Any]:
    """`raw` if it is a mapping with text keys, else nothing and a problem noted."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        report.add(file, field, f"expected a mapping, got {_kind(raw)}")
        return {}
    texts = {}
    for key, value in raw.items():
        if isinstance(key, str):
            texts[key] = value
        else:
            report.add(file, field, f"the key {key!r} is not a text; put it in quotes")
    return texts


def build(kind: type[T], raw: object, file: str, field: str, report: Report, /, **given: object) -> T:
    """A `kind` made from `raw` and `given`; what is wrong with it is noted and left blank.

    Each field is converted by itself, so that a record with three mistakes gives three problems, and the
    record can still be held against others to find theirs. Fields in `given` come from elsewhere (a key,
    another file) and may not stand in `raw`.
    """
    if not isinstance(raw, dict):
        report.add(file, field, f"expected a mapping, got {_kind(raw)}")
        return kind(**{**{name: _blank(t) for name, (t, required) in _fields(kind).items() if required}, **given})
    types = _fields(kind)
    if raw.keys() <= types.keys() and not raw.keys() & given.keys():
        try:
            return msgspec.convert({**raw, **given}, kind)
        except msgspec.ValidationError:
            pass  # field by field, then, for all that is wrong
    own = [name for name in types if name not in given]
    values = dict(given)
    for key, value in raw.items():
        if key not in own:
            report.add(file, join(field, key), known_ones("field", key, own))
            continue
        try:
            values[key] = msgspec.convert(value, types[key][0])
        except msgspec.ValidationError as error:
            where, what = explain(error)
            report.add(file, join(field, key) + where, what)
    for name in own:
        if types[name][1] and name not in values:
            values[name] = _blank(types[name][0])
            if name not in raw:
                report.add(file, join(field, name), "is missing")
    return kind(**values)


@cache
def _fields(kind: type[msgspec.Struct]) -> Mapping[str, tuple[Any, bool]]:
    """Field -> type and whether it must be given. Cached, since working out annotations takes a while."""
    return {field.name: (field.type, field.required) for field in msgspec.structs.fields(kind)}


def _blank(kind: Any) -> Any:
    """Something of a type that says nothing; a stand-in for what a file gets wrong."""
    empties: tuple[object, ...] = (None, "", 0, False, (), {})
    for empty in empties:
        try:
            return msgspec.convert(empty, kind)
        except msgspec.ValidationError:
            continue
    return get_args(kind)[0]  # a Literal


def convert(kind: Any, raw: object, file: str, field: str, report: Report) -> Any:
    """`raw` as a `kind` (any type that msgspec knows), or None and a problem noted."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        where, what = explain(error)
        report.add(file, field + where, what)
        return None


def explain(error: msgspec.ValidationError) -> tuple[str, str]:
    """Where below the converted value, and what is wrong, in plain words."""
    text = str(error)
    found = _PATH.search(text)
    where = found["path"] if found else ""
    what = text[: found.start()] if found else text
    what = what.replace("`", "").replace("null", "nothing")
    return where, what[:1].lower() + what[1:]


def _kind(raw: object) -> str:
    names = {
        list: "a list",
        str: "a text",
        int: "a number",
        float: "a number",
        bool: "true or false",
        type(None): "nothing",
    }
    return names.get(type(raw), type(raw).__name__)
