"""Answers to any question as a form: what has to be chosen to give them, so that a page can answer what it has no
picture for. The form follows from the order itself: whatever fields it has are what must be filled in."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from sandtable.engine.decision import Decision
from sandtable.notation.orders import AnyOrder, Order
from sandtable.server.views.base import Model

FieldKind = Literal["units", "place", "count", "power", "other"]

NOT_ASKED = frozenset({"undo", "end", "surrender"})
"""Words that have buttons of their own, or none."""


class FormField(Model):
    """One part of an order, by its name in the order as an object."""

    name: str
    kind: FieldKind
    optional: bool


class AnswerForm(Model):
    """An order that answers the question, with the parts that must be chosen."""

    word: str
    label: str
    fields: list[FormField]


def forms(found: Decision) -> list[AnswerForm]:
    """One form for each word that answers the question."""
    made = []
    for word in found.answers:
        kind = ORDERS.get(word)
        if kind is not None and word not in NOT_ASKED:
            fields = [_field(field) for field in msgspec.structs.fields(kind)]
            label = word.replace("-", " ").capitalize()
            made.append(AnswerForm(word=word, label=label, fields=[f for f in fields if f.kind != "other"]))
    return made


ORDERS: dict[str, type[Order]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyOrder)}


def _field(field: msgspec.structs.FieldInfo) -> FormField:
    optional = not field.required
    text = str(field.type)
    kind: FieldKind = "other"
    if "UnitSpec" in text:
        kind = "units" if "tuple" in text else "other"
    elif "int" in text.replace("print", "") and "str" not in text:
        kind = "count"
    elif field.name == "power":
        kind = "power"
    elif "str" in text and field.name not in ("technology", "facility", "role", "unit"):
        kind = "place" if "tuple" not in text else "other"
    return FormField(name=field.name, kind=kind, optional=optional)
