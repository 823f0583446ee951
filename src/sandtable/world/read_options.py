"""Options as a data file tells them, turned into records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.world.fields import Report, build, convert, join, mapping
from sandtable.world.model import (
    Added,
    Ban,
    Beside,
    Declaration,
    Mark,
    Objective,
    Option,
    Patch,
    Power,
    Technology,
    UnitType,
    Value,
    Victory,
)
from sandtable.world.options import option_text
from sandtable.world.read_goals import (
    read_ban,
    read_conditions,
    read_declaration,
    read_milestones,
    read_objective,
    read_victory,
)

RECORDS: dict[str, type[Any]] = {
    "units": UnitType,
    "technologies": Technology,
    "marks": Mark,
    "powers": Power,
    "objectives": Objective,
    "victory": Victory,
    "declarations": Declaration,
    "bans": Ban,
}
"""Sections to which an option can add records."""

GOALS: dict[type[Any], Callable[..., Any]] = {
    Objective: read_objective,
    Victory: read_victory,
    Declaration: read_declaration,
    Ban: read_ban,
}

TIES = ("requires", "excludes", "implies", "idles")
"""What a plain switch may say beside its effects instead of under its value `true`."""


def read_option(key: str, raw: object, file: str, field: str, report: Report) -> Option:
    entry = mapping(raw, file, field, report)
    effects: dict[str, Any] = {}
    for value, changes in (entry.pop("effects", None) or {}).items():
        text = option_text(value)
        effects[text] = mapping(changes, file, join(field, "effects", text), report)
    for tie in TIES:
        if tie not in entry:
            continue
        held = entry.pop(tie)
        if entry.get("choices"):
            report.add(file, join(field, tie), "stands under the value to which it belongs")
        elif tie in effects.setdefault("true", {}):
            report.add(file, join(field, tie), "stands under the value `true`, too")
        else:
            effects["true"][tie] = held
    patches = {
        text: read_patch(changes, file, join(field, "effects", text), report) for text, changes in effects.items()
    }
    return build(Option, entry, file, field, report, key=key, effects=patches)


def read_patch(raw: object, file: str, field: str, report: Report) -> Patch:
    changes = mapping(raw, file, field, report)
    given: dict[str, Any] = {}
    for section, kind in RECORDS.items():
        name = f"add_{section}"
        if name in changes:
            given[name] = _added(changes.pop(name), kind, file, join(field, name), report)
    for name in ("requires", "excludes"):
        if name in changes:
            given[name] = _values(changes.pop(name), file, join(field, name), report)
    if isinstance(changes.get("implies"), list):  # of switches that are then on
        changes["implies"] = dict.fromkeys(changes["implies"], True)
    for section in ("objectives", "victory", "declarations", "bans"):
        for name, fields in mapping(changes.get(section), file, join(field, section), report).items():
            if isinstance(fields, dict):
                fields.update(read_conditions(fields, file, join(field, section, name), report))
    if "add_milestones" in changes:
        where = join(field, "add_milestones")
        given["add_milestones"] = read_milestones(changes.pop("add_milestones"), file, where, report)
    if "beside" in changes:
        given["beside"] = _beside(changes.pop("beside"), file, join(field, "beside"), report)
    return build(Patch, changes, file, field, report, **given)


def _added(raw: object, kind: type[Any], file: str, field: str, report: Report) -> dict[str, Added]:
    found = {}
    for name, entry in mapping(raw, file, field, report).items():
        where = join(field, name)
        fields = mapping(entry, file, where, report)
        places = {
            side: convert(str, fields.pop(side), file, join(where, side), report)
            for side in ("before", "after")
            if side in fields
        }
        if len(places) > 1:
            report.add(file, where, "stands before or after another one, not both")
            places.popitem()
        read = GOALS.get(kind)
        record = (
            build(kind, fields, file, where, report, id=name)
            if read is None
            else read(name, fields, file, where, report)
        )
        found[name] = Added(record=record, **places)
    return found


def _values(raw: object, file: str, field: str, report: Report) -> dict[str, tuple[Value, ...]]:
    """`[a, b]` are switches that are on; a mapping gives each option's value, or several."""
    if isinstance(raw, list):
        raw = dict.fromkeys((str(key) for key in raw), True)
    found = {}
    for key, value in mapping(raw, file, field, report).items():
        values = convert(
            tuple[Value, ...], value if isinstance(value, list) else [value], file, join(field, key), report
        )
        found[key] = values or ()
    return found


def _beside(raw: object, file: str, field: str, report: Report) -> tuple[Beside, ...]:
    found = []
    for index, entry in enumerate(convert(list[Any], raw, file, field, report) or []):
        where = join(field, index)
        changes = mapping(entry, file, where, report)
        values = _values(changes.pop("with", None), file, join(where, "with"), report)
        if not values:
            report.add(file, join(where, "with"), "names the other options and their values")
        patch = read_patch(changes, file, where, report)
        for name in (*TIES, "options", "beside"):
            if getattr(patch, name):
                report.add(file, join(where, name), "belongs to the value itself")
        found.append(Beside(values=values, patch=patch))
    return tuple(found)
