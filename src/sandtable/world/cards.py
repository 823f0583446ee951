"""Event cards: decks of cards of which one is drawn every round, and what a card does while it lies there.

A deck is data (`events.yaml`): decks by name, in each the cards by id. What a card does is told by a few fields, each
of which changes one thing; a card without any is a quiet round.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.world.fields import Report, build, join, known_ones, mapping

FILE = "events.yaml"
SECTION = "decks"
FORBIDDABLE = (
    *("raid", "escort", "sweep", "paradrop", "redeploy", "rail", "surprise", "atomic"),  # roles of moves
    *("research", "train", "reveal", "sabotage", "rocket", "commando", "relocate", "upgrade", "repair"),  # orders
)
MOST_CARDS = 200
MOST_CHANGE = 20


class EventCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One card. It holds for every power's turn of its round."""

    id: str
    name: str
    text: str = ""  # what players read
    forbids: tuple[str, ...] = ()  # roles of moves, and orders by their first word, that nobody may give
    income: int = 0  # what every power collects more, or less
    research_cost: int = 0  # what a die of research costs more, or less
    prices: Mapping[str, int] = {}  # what units cost more, or less; "*" means every kind


Decks = Mapping[str, tuple[EventCard, ...]]


def read_decks(raw: object, units: Mapping[str, object], report: Report) -> Decks:
    """The decks of an edition."""
    found: dict[str, tuple[EventCard, ...]] = {}
    for deck, cards in mapping(raw, FILE, SECTION, report).items():
        section = mapping(cards, FILE, join(SECTION, deck), report)
        if len(section) > MOST_CARDS:
            report.add(FILE, join(SECTION, deck), f"there are more than {MOST_CARDS} cards")
            continue
        found[deck] = tuple(
            _card(name, card, join(SECTION, deck, name), units, report) for name, card in section.items()
        )
    return found


def _card(name: str, raw: object, field: str, units: Mapping[str, object], report: Report) -> EventCard:
    card = build(EventCard, raw, FILE, field, report, id=name)
    for word in card.forbids:
        if word not in FORBIDDABLE:
            report.add(FILE, join(field, "forbids"), known_ones("word for what is forbidden", word, FORBIDDABLE))
    for unit in card.prices:
        if unit != "*" and unit not in units:
            report.add(FILE, join(field, "prices"), known_ones("unit", unit, tuple(units)))
    for what, number in (("income", card.income), ("research_cost", card.research_cost), *card.prices.items()):
        if abs(number) > MOST_CHANGE:
            report.add(FILE, join(field, what), f"cannot be more than {MOST_CHANGE} either way")
    return card
