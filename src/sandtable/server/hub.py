"""Tables as they change: who is there, what the host sets up, chat and offers, sent to whoever is at the table.

These messages have no numbers. A page that was away reads the table and the chat once more, and has all of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from sandtable.server.views.base import Model

ALIVE = 15.0  # seconds between two signs of life of a server process; without three of them its people are gone
BEHIND = 200  # messages that may wait for a slow reader; then its connection is closed, and it comes back


class Listener:
    def __init__(self, person: str) -> None:
        self.person = person
        self.queue: asyncio.Queue[Model | None] = asyncio.Queue(BEHIND)

    def put(self, message: Model | None) -> None:
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)


class Elsewhere:
    """Who is connected to another server process on the same database."""

    def __init__(self) -> None:
        self.until = 0.0
        self.tables: dict[str, frozenset[str]] = {}
        self.renew()

    def renew(self) -> None:
        self.until = time.monotonic() + 3 * ALIVE


class Hub:
    def __init__(self) -> None:
        self._tables: dict[str, set[Listener]] = {}
        self._elsewhere: dict[str, Elsewhere] = {}  # by process

    def join(self, table: str, person: str) -> Listener:
        listener = Listener(person)
        self._tables.setdefault(table, set()).add(listener)
        return listener

    def leave(self, table: str, listener: Listener) -> None:
        found = self._tables.get(table)
        if found is not None:
            found.discard(listener)
            if not found:
                del self._tables[table]

    def present(self, table: str) -> list[str]:
        """The people who are connected, here or elsewhere."""
        others = (people for each in self._elsewhere.values() for people in each.tables.get(table, ()))
        return sorted({*self.here(table), *others})

    def here(self, table: str) -> list[str]:
        """Those who are connected to this process."""
        return sorted({listener.person for listener in self._tables.get(table, ())})

    @property
    def tables(self) -> list[str]:
        return list(self._tables)

    def heard(self, process: str, table: str, people: Iterable[str]) -> bool:
        """Another process tells who is connected to it. Whether that changes who is there."""
        before = self.present(table)
        found = self._elsewhere.setdefault(process, Elsewhere())
        found.renew()
        found.tables[table] = frozenset(people)
        if not found.tables[table]:
            del found.tables[table]
        return self.present(table) != before

    def is_alive(self, process: str) -> None:
        if process in self._elsewhere:
            self._elsewhere[process].renew()

    def forget(self, process: str) -> list[str]:
        """A process has stopped. The tables at which somebody may be missing now."""
        found = self._elsewhere.pop(process, None)
        return list(found.tables) if found is not None else []

    def silent(self) -> list[str]:
        """Processes of which nothing was heard for too long."""
        return [process for process, each in self._elsewhere.items() if each.until < time.monotonic()]

    def listeners(self, table: str) -> list[Listener]:
        return list(self._tables.get(table, ()))

    def send(self, table: str, message: Model, to: tuple[str, ...] = ()) -> None:
        """To all at the table, or to some of them."""
        for listener in self._tables.get(table, ()):
            if not to or listener.person in to:
                listener.put(message)

    def close(self) -> None:
        for listeners in self._tables.values():
            for listener in listeners:
                listener.put(None)
