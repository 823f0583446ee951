"""Orders of a phase that no picture of it has a place for, as buttons: a complex moved, a secret service at work."""

from __future__ import annotations

from itertools import islice

from pydantic import Field

from sandtable.engine.decision import Decision
from sandtable.engine.legal import Legal
from sandtable.engine.questions import KINDS
from sandtable.engine.questions.phase import PhaseKind
from sandtable.notation import format_order
from sandtable.notation.orders import AnyOrder, Move, Relocate, Reveal, Sabotage
from sandtable.server.views.base import Model
from sandtable.world.model import World

MOST = 400


class Special(Model):
    """One such order."""

    order: str
    group: str = Field(description="orders of a group differ in their last part only")
    label: str = Field(description="what makes it different from others of its group")
    place: str | None = Field(description="the space that it is about")


def special_views(legal: Legal, found: Decision) -> list[Special]:
    """All of them; moves are left out, since units are picked up and sent in a role."""
    kind = KINDS[found.kind]
    if not isinstance(kind, PhaseKind):
        return []
    orders = (order for order in kind.special_orders(legal, found) if not isinstance(order, Move))
    return [_special(legal.world, order) for order in islice(orders, MOST) if order in legal]


def _special(world: World, order: AnyOrder) -> Special:
    text = format_order(order)
    match order:
        case Relocate(unit=unit, start=start, end=end):
            group = f"Move the {world.units[unit].name} of {world.spaces[start].name} to"
            return Special(order=text, group=group, label=world.spaces[end].name, place=end)
        case Reveal(power=power):
            return Special(order=text, group="Uncover a project of", label=world.powers[power].name, place=None)
        case Sabotage(power=power, technology=technology):
            group = f"Sabotage research of {world.powers[power].name}"
            return Special(order=text, group=group, label=world.technologies[technology].name, place=None)
        case _:
            return Special(order=text, group="Other orders", label=text, place=None)
