"""Tables as they change: who is there, what the host sets up, chat and offers, sent to whoever is at the table.

These messages have no numbers. A page that was away reads the table and the chat once more, and has all of it.
"""

from __future__ import annotations

import asyncio

from sandtable.server.views.base import Model

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


class Hub:
    def __init__(self) -> None:
        self._tables: dict[str, set[Listener]] = {}

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
        """The people who are connected."""
        return sorted({listener.person for listener in self._tables.get(table, ())})

    def is_watched(self, table: str) -> bool:
        return table in self._tables

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
