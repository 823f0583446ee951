"""The game as one person may see it. Whatever goes out of a room is made from what is given here.

In most games everybody sees everything, and then this is the journal itself. Where projects are hidden
(`engine.visible`), others get a journal in which states, orders and events have letters in the place of names, in the
past as well as now. When the game is over, nothing is hidden any more.
"""

from __future__ import annotations

from copy import copy

import msgspec

from sandtable.engine.game import Entry
from sandtable.engine.visible import secrets, seen_event, seen_order, seen_state
from sandtable.notation.orders import Research
from sandtable.server.bots.registry import HUMAN
from sandtable.server.journal import Journal, Note
from sandtable.server.people import Person

Eyes = frozenset[str]  # the powers whose secrets somebody knows


def eyes(journal: Journal, who: Person) -> Eyes | None:
    """With whose eyes somebody looks on; None: nothing is hidden from him."""
    world = journal.game.world
    if not world.rules.blind_research or journal.game.state.over:
        return None
    if who.is_local:  # those around one screen hide nothing from each other, but computers do
        seats = {seat.name for seat in journal.seats if seat.player == HUMAN} or {seat.name for seat in journal.seats}
    else:
        seats = {seat.name for seat in journal.seats if seat.person == who.id}
    played = [power for power in world.powers if world.powers[power].played]
    own = frozenset(power for power in played if journal.seat_of(power).name in seats)
    return None if len(own) == len(played) else own


def hides_orders(journal: Journal, who: Person) -> bool:
    """Whether the list of orders, as it is saved, would tell somebody what he may not know."""
    known = eyes(journal, who)
    if known is None or who.is_local:
        return False
    world, state = journal.game.world, journal.game.state
    if secrets(world, state, known):
        return True
    return any(
        isinstance(entry.order, Research)
        and entry.order.technology is not None
        and entry.power not in known
        and (entry.power, entry.order.technology) not in state.revealed
        and entry.order.technology not in state.techs.get(entry.power, ())
        for entry in journal.game.entries
    )


class Sight:
    """A journal through somebody's eyes. What was seen once is kept: the past does not change."""

    def __init__(self, known: Eyes) -> None:
        self.known = known
        self._entries: dict[int, tuple[Entry, Entry]] = {}  # by identity: the real one, and what is seen of it
        self._notes: dict[int, tuple[Note, Note]] = {}

    def of(self, journal: Journal) -> Journal:
        game = copy(journal.game)
        game.opening = self._entry(journal, game.opening)
        game.entries = [self._entry(journal, entry) for entry in game.entries]
        seen = copy(journal)
        seen.game = game
        seen.changes = [self._note(journal, note) for note in journal.changes]
        return seen

    def _entry(self, journal: Journal, entry: Entry) -> Entry:
        found = self._entries.get(id(entry))
        if found is None or found[0] is not entry:
            found = self._entries[id(entry)] = (entry, self._seen_entry(journal, entry))
        return found[1]

    def _seen_entry(self, journal: Journal, entry: Entry) -> Entry:
        world, state = journal.game.world, entry.state
        return Entry(
            entry.power,
            seen_order(world, state, entry.order, entry.power, self.known),
            entry.faces,
            tuple(seen_event(world, state, event, self.known) for event in entry.events),
            seen_state(world, state, self.known),
        )

    def _note(self, journal: Journal, note: Note) -> Note:
        found = self._notes.get(id(note))
        if found is None or found[0] is not note:
            world = journal.game.world
            entry = None if note.entry is None else self._entry(journal, note.entry)
            seen = msgspec.structs.replace(
                note,
                text="" if entry is not None and note.kind in ("order", "undo", "redo") else note.text,
                before=seen_state(world, note.before, self.known),
                state=seen_state(world, note.state, self.known),
                entry=entry,
            )
            found = self._notes[id(note)] = (note, seen)
        return found[1]
