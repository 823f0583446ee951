"""Answers to any question as a form: what has to be chosen to give them, so that a page can answer what it has no
picture for. The form follows from the order itself: whatever fields it has are what must be filled in, with what the
engine takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import Literal, get_args

import msgspec

from sandtable.engine.decision import Decision
from sandtable.engine.legal import Legal
from sandtable.notation.orders import AnyOrder, Order
from sandtable.notation.parse import ROLES
from sandtable.server.views.base import Model
from sandtable.world.model import World

FieldKind = Literal["units", "place", "count", "choice", "other"]
Value = bool | int | str

NOT_ASKED = frozenset({"undo", "end", "surrender"})
"""Words that have buttons of their own, or none."""

PICTURED = frozenset({"buy", "move", "place", "repair", "research", "rocket"})
"""Words that the phases have had pictures for since the beginning."""

MOST_TRIED = 400  # ways to fill in a form
MOST_COUNTED = 30


class FormOption(Model):
    """One thing to choose: a power, a facility, a weapon, a space."""

    value: Value
    label: str


class FormField(Model):
    """One part of an order, by its name in the order as an object."""

    name: str
    kind: FieldKind
    optional: bool
    options: list[FormOption] = []
    most: int | None = None


class AnswerForm(Model):
    """An order that answers the question, with the parts that must be chosen."""

    word: str
    label: str
    fields: list[FormField]


def forms(legal: Legal, found: Decision) -> list[AnswerForm]:
    """One form for each word that answers the question; in a phase, for those beyond what every game has."""
    phase = found.kind in legal.world.phases
    made = []
    for word in found.answers:
        kind = ORDERS.get(word)
        if kind is None or word in NOT_ASKED or (phase and word in PICTURED):
            continue
        fields = [_field(legal.world, found, field) for field in _fields_of(kind)]
        if any(field.kind == "other" and not field.optional for field in fields):
            continue
        if phase and any(field.kind == "units" and not field.optional for field in fields):
            continue  # a phase does not say which units are meant: these have pictures of their own
        fillable = [field for field in fields if field.kind != "other"]
        offered = _offered(legal, kind, fillable, phase=phase)
        if offered is not None:
            made.append(AnswerForm(word=word, label=word.replace("-", " ").capitalize(), fields=offered))
    return made


@cache
def _fields_of(kind: type[Order]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


ORDERS: dict[str, type[Order]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyOrder)}


def _field(world: World, found: Decision, field: msgspec.structs.FieldInfo) -> FormField:
    optional = not field.required
    text = str(field.type)
    if "UnitSpec" in text:
        return FormField(name=field.name, kind="units" if "tuple" in text else "other", optional=optional)
    options = _choices(world, found, field.name)
    if options is not None:
        return FormField(name=field.name, kind="choice", optional=optional, options=options)
    if "int" in text and "str" not in text:
        return FormField(name=field.name, kind="count", optional=optional)
    if "str" in text and "tuple" not in text:
        places = [FormOption(value=place, label=world.spaces[place].name) for place in found.places]
        return FormField(name=field.name, kind="place", optional=optional, options=places)
    return FormField(name=field.name, kind="other", optional=optional)


def _choices(world: World, found: Decision, name: str) -> list[FormOption] | None:
    """What a part that is no unit, place or number is chosen among; None: it is one of those."""
    match name:
        case "power":
            return [FormOption(value=p.id, label=p.name) for p in world.powers.values() if p.id != found.power]
        case "technology":
            return [FormOption(value=t.id, label=t.name) for t in world.technologies.values()]
        case "facility" | "unit":
            facilities = (u for u in world.units.values() if u.domain == "facility")
            return [FormOption(value=unit.id, label=unit.name) for unit in facilities]
        case "chart":
            return [FormOption(value=chart, label=f"Chart {chart}") for chart in found.charts]
        case "up":
            return [FormOption(value=True, label="up"), FormOption(value=False, label="as they are")]
        case "role":
            return [FormOption(value=role, label=role) for role in sorted(ROLES)]
    return None


def _offered(legal: Legal, kind: type[Order], fields: list[FormField], *, phase: bool) -> list[FormField] | None:
    """The same parts with what the engine takes, as far as it can be tried out; None if it takes nothing at all."""
    if any(field.kind == "units" for field in fields) or sum(field.kind == "place" for field in fields) > 1:
        return fields
    if not phase and not any(field.kind == "choice" for field in fields):
        return fields
    world = legal.world
    every = [FormOption(value=space.id, label=space.name) for space in world.spaces.values()] if phase else []
    known = [f.model_copy(update={"options": every}) if f.kind == "place" and not f.options else f for f in fields]
    taken: dict[str, dict[Value | None, None]] = {field.name: {} for field in known}
    for values in islice(product(*(list(_values(field)) for field in known)), MOST_TRIED):
        chosen = {field.name: value for field, value in zip(known, values, strict=True) if value is not None}
        order: AnyOrder = msgspec.convert({"order": kind.__struct_config__.tag, **chosen}, AnyOrder)
        if legal.why_not(order) is None:
            for field, value in zip(known, values, strict=True):
                taken[field.name][value] = None
    if known and not all(taken.values()):
        return None if phase else fields
    if not known and phase and legal.why_not(msgspec.convert({"order": kind.__struct_config__.tag}, AnyOrder)):
        return None
    return [
        field.model_copy(
            update={
                "optional": None in taken[field.name],
                "options": [option for option in field.options if option.value in taken[field.name]],
                "most": max((n for n in taken[field.name] if isinstance(n, int)), default=None)
                if field.kind == "count"
                else None,
            }
        )
        for field in known
    ]


def _values(field: FormField) -> Iterator[Value | None]:
    if field.optional:
        yield None
    if field.kind == "count":
        yield from range(1, MOST_COUNTED + 1)
    else:
        yield from (option.value for option in field.options)
