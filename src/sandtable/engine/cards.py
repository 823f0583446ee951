"""The event card of the round: drawn when the round begins, and binding for everybody until it is over.

G40-EVT-01 to G40-EVT-04. What a card can do is told by `world.cards`.
"""

from __future__ import annotations

from sandtable.engine.events import EventDrawn, Rolled
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation.orders import AnyOrder, Move
from sandtable.world.cards import EventCard
from sandtable.world.model import UnitId, World


def card(world: World, state: State) -> EventCard | None:
    """The card that lies on the table."""
    if not state.event:
        return None
    return next(c for c in world.cards if c.id == state.event)


def draw(run: Run) -> None:
    """One card of those that were not drawn since the deck was last shuffled."""
    world = run.world
    if not world.cards:
        return
    left = [c for c in world.cards if c.id not in run.state.drawn] or list(world.cards)
    place = 1
    if len(left) > 1:
        power = world.order[0]
        (place,) = run.roll(1, lambda faces: Rolled("event", power, faces), sides=len(left))
    run.emit(EventDrawn(left[place - 1].id, len(left) == len(world.cards)))


def forbids(world: World, state: State, order: AnyOrder) -> bool:
    """The card on the table rules such orders out."""
    return forbids_word(world, state, word(order))


def forbids_word(world: World, state: State, what: str) -> bool:
    found = card(world, state)
    return found is not None and what in found.forbids


def word(order: AnyOrder) -> str:
    """What a card calls such an order."""
    if isinstance(order, Move):
        return order.role or "move"
    return str(type(order).__struct_config__.tag)


def check(run: Run, order: AnyOrder) -> None:
    """Refuse an order that the card of the round rules out."""
    found = card(run.world, run.state)
    if found is not None and word(order) in found.forbids:
        raise Refusal("event-forbids-that", f"The event card “{found.name}” rules that out for this round.")


def price(world: World, state: State, unit: UnitId, cost: int) -> int:
    """What a unit costs in this round."""
    found = card(world, state)
    if found is None or not found.prices:
        return cost
    return max(1, cost + found.prices.get(unit, 0) + found.prices.get("*", 0))


def research_cost(world: World, state: State) -> int:
    """What a die of research costs in this round."""
    found = card(world, state)
    return world.rules.research_cost if found is None else max(0, world.rules.research_cost + found.research_cost)


def income(world: World, state: State) -> int:
    """What every power collects more in this round, or less."""
    found = card(world, state)
    return 0 if found is None else found.income
