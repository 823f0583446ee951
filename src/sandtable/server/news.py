"""What other server processes on the same PostgreSQL have done. Each hears it at once and reads what has changed.

They also tell each other who is connected to which of them, so that everybody at a table sees who is there, and nobody
who is there gets an e-mail. Who was connected to a process that was killed is gone after some seconds without a sign of
life of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets

from sqlalchemy.exc import SQLAlchemyError

from sandtable.server.errors import logger
from sandtable.server.hub import ALIVE
from sandtable.server.rooms import Lobby
from sandtable.server.storage.connection import CHANNEL, Database
from sandtable.server.tables import Seating

AGAIN = 1.0  # seconds before a lost connection is tried again


class News:
    def __init__(self, database: Database, lobby: Lobby, seating: Seating) -> None:
        self._database = database
        self._lobby = lobby
        self._seating = seating
        self.ready = asyncio.Event()
        self._sender = secrets.token_hex(4)

    async def listen(self) -> None:
        """For ever. After a lost connection all open games are read again: nobody knows what was missed."""
        import psycopg

        url = self._database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        missed = False
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._database.sender = self._sender
                    self.ready.set()
                    await self._database.say("who")
                    await self._tell_all()
                    if missed:
                        await self._catch_up()
                    async for notice in connection.notifies():
                        await self._heard(notice.payload)
            except (psycopg.Error, SQLAlchemyError, OSError) as error:
                logger.warning("the other server processes cannot be heard: %s", error)
                self.ready.set()
                missed = True
                await asyncio.sleep(AGAIN)

    async def _catch_up(self) -> None:
        for room in self._lobby.rooms:
            await room.catch_up()

    async def _heard(self, payload: str) -> None:
        sender, _, news = payload.partition(" ")
        if sender == self._sender:
            return
        hub = self._seating.hub
        try:
            match news.split():
                case ["game", game, number]:
                    room = self._lobby.get(game)
                    if room is not None and room.journal.version < int(number):
                        await room.catch_up()
                case ["table", table]:
                    await self._seating.course.heard(table)
                case ["chat", table, number]:
                    await self._seating.company.heard_chat(table, int(number))
                case ["here", table, *people]:
                    if hub.heard(sender, table, people):
                        await self._seating.company.show(table)
                case ["alive"]:
                    hub.is_alive(sender)
                case ["who"]:
                    await self._tell_all()
                case ["gone"]:
                    await self._gone(sender)
        except Exception as error:  # one game's trouble must not make this process deaf
            logger.warning("news that could not be followed (%s): %s %s", news, type(error).__name__, error)

    # ------------------------------------------------------------ who is there

    async def tell(self, table: str) -> None:
        """Tell the others who is connected to this process."""
        with contextlib.suppress(SQLAlchemyError, OSError):  # they ask when they can hear again
            await self._database.say(" ".join(["here", table, *self._seating.hub.here(table)]))

    async def _tell_all(self) -> None:
        for table in self._seating.hub.tables:
            await self.tell(table)

    async def _gone(self, process: str) -> None:
        for table in self._seating.hub.forget(process):
            await self._seating.company.show(table)

    async def live(self) -> None:
        """For ever: give signs of life, and notice who gives none any more."""
        while True:
            await asyncio.sleep(ALIVE)
            with contextlib.suppress(SQLAlchemyError, OSError):
                await self._database.say("alive")
                for process in self._seating.hub.silent():
                    await self._gone(process)

    async def part(self) -> None:
        """This process stops."""
        with contextlib.suppress(SQLAlchemyError, OSError):
            await self._database.say("gone")
