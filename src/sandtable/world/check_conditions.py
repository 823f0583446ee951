"""Do conditions name only what there is?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.world.conditions import (
    DOMAINS,
    SELF,
    SURFACE,
    WARSHIPS,
    All,
    AnyOf,
    AtLeast,
    Chosen,
    Cities,
    Condition,
    Controls,
    Developed,
    Ever,
    Happened,
    HoldsCapitals,
    Leaning,
    Not,
    Places,
    UnitsOf,
    named_actors,
)
from sandtable.world.fields import join
from sandtable.world.options import allowed, is_allowed, wrong_value

if TYPE_CHECKING:
    from sandtable.world.check import Check


def check_condition(check: Check, condition: Condition, file: str, field: str) -> None:
    """Note what a condition names that does not exist, and numbers that can never be reached."""
    for part, where in _parts(condition, field):
        _actors(check, part, file, where)
        places = getattr(part, "places", None)
        if places is not None:
            _places(check, part, places, file, where)
        _numbers(check, part, file, where)
        _names(check, part, file, where)


def _parts(condition: Condition, field: str) -> Iterator[tuple[Condition, str]]:
    """Every predicate with the way to it."""
    if isinstance(condition, All | AnyOf | AtLeast):
        for index, part in enumerate(condition.of):
            yield from _parts(part, join(field, index))
    elif isinstance(condition, Not):
        yield from _parts(condition.what, join(field, "not"))
    else:
        yield condition, field


def _actors(check: Check, part: Condition, file: str, field: str) -> None:
    edition = check.edition
    for name, who in named_actors(part):
        if name == "other_than":
            check.known("power", who, edition.powers, file, join(field, name))
        elif who != SELF:
            check.known("power or side", who, (*edition.powers, *edition.sides, SELF), file, join(field, name))


def _places(check: Check, part: Condition, places: Places, file: str, field: str) -> None:
    kind = "land" if isinstance(part, Controls | Cities | Leaning) else ""
    for space in (*places.spaces, *places.other_than):
        check.space(space, file, field, kind)


def _numbers(check: Check, part: Condition, file: str, field: str) -> None:
    edition, where = check.edition, join(field, "at_least")
    if isinstance(part, Cities):
        named = part.places.spaces or tuple(edition.spaces)
        there = sum(1 for s in named if s in edition.spaces and edition.spaces[s].victory_city)
        if part.at_least > there:
            check.report.add(file, where, f"the board has {there} victory cities, not {part.at_least}")
    elif isinstance(part, HoldsCapitals):
        capitals = [
            p for p in edition.powers.values() if p.capital and (not part.of or {p.id, p.side, SELF} & set(part.of))
        ]
        if part.at_least is not None and not 0 < part.at_least <= len(capitals):
            check.report.add(file, where, f"{part.at_least} of {len(capitals)} capitals make no sense")
    elif isinstance(part, Developed) and part.at_least is not None and part.at_least > len(part.technologies):
        check.report.add(file, where, f"{part.at_least} of {len(part.technologies)} makes no sense")
    number = getattr(part, "number", None)
    if number is not None and number < 1:
        check.report.add(file, field, f"there is no round {number}")


def _names(check: Check, part: Condition, file: str, field: str) -> None:
    edition = check.edition
    if isinstance(part, UnitsOf):
        for kind in part.kinds:
            check.known("kind of unit", kind, (*edition.units, *DOMAINS, WARSHIPS, SURFACE), file, join(field, "kinds"))
    elif isinstance(part, Ever):
        check.known("milestone", part.milestone, edition.milestones, file, join(field, "ever"))
    elif isinstance(part, Developed):
        for technology in part.technologies:
            check.known("technology", technology, edition.technologies, file, join(field, "developed"))
    elif isinstance(part, Happened):
        if not part.powers and part.places == Places():
            check.report.add(file, field, "does not say what")
        if part.powers and part.what != "attacked":
            check.report.add(file, join(field, "powers"), f"nobody has {part.what} a power; name places")
    elif isinstance(part, Chosen):
        options = {option.key: option for option in edition.options}
        if check.known("option", part.key, options, file, join(field, "option")):
            values = allowed(options[part.key])
            if not is_allowed(part.value, values):
                check.report.add(file, join(field, "is"), wrong_value(part.value, values))
