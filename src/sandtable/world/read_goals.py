"""Objectives, ways to win and milestones as data files tell them, turned into records."""

from __future__ import annotations

from typing import Any

from sandtable.world.conditions import All, Condition, Parser, Places
from sandtable.world.fields import Report, build, join, mapping
from sandtable.world.model import ActOfWar, Ban, Declaration, Objective, Victory

CONDITIONS = ("when", "per", "then")
"""Fields that are conditions."""


def read_conditions(fields: dict[str, Any], file: str, field: str, report: Report) -> dict[str, Condition]:
    """The fields that are conditions, taken out of the others."""
    parser = Parser(file, report)
    found = {}
    for name in CONDITIONS:
        if fields.get(name) is not None:
            found[name] = parser.condition(fields.pop(name), join(field, name))
    return found


def read_objective(name: str, raw: object, file: str, field: str, report: Report) -> Objective:
    found: Objective = _read(Objective, name, raw, file, field, report)
    return found


def read_victory(name: str, raw: object, file: str, field: str, report: Report) -> Victory:
    found: Victory = _read(Victory, name, raw, file, field, report)
    return found


def read_declaration(name: str, raw: object, file: str, field: str, report: Report) -> Declaration:
    found: Declaration = _read(Declaration, name, raw, file, field, report, always=True)
    return found


def read_act(name: str, raw: object, file: str, field: str, report: Report) -> ActOfWar:
    fields = mapping(raw, file, field, report)
    fields["places"] = Parser(file, report).places(fields.get("places"), join(field, "places"))
    found: ActOfWar = build(ActOfWar, fields, file, field, report, id=name)
    return found


def read_ban(name: str, raw: object, file: str, field: str, report: Report) -> Ban:
    fields = mapping(raw, file, field, report)
    given = fields.get("places")
    fields["places"] = Places() if given is None else Parser(file, report).places(given, join(field, "places"))
    found: Ban = _read(Ban, name, fields, file, field, report, always=True)
    return found


def _read(
    kind: type[Any], name: str, raw: object, file: str, field: str, report: Report, *, always: bool = False
) -> Any:
    """`always`: without a condition it holds in every position."""
    fields = mapping(raw, file, field, report)
    found = read_conditions(fields, file, field, report)
    if "when" not in found:
        if "when" not in fields and not always:
            report.add(file, join(field, "when"), "is missing")
        fields.pop("when", None)
        found["when"] = All(of=())
    return build(kind, fields, file, field, report, id=name, **found)


def read_milestones(raw: object, file: str, field: str, report: Report) -> dict[str, Condition]:
    parser = Parser(file, report)
    return {
        name: parser.condition(entry, join(field, name)) for name, entry in mapping(raw, file, field, report).items()
    }
