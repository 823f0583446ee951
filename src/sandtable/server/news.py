"""What other server processes on the same PostgreSQL have done. Each hears it at once and reads what has changed."""

from __future__ import annotations

import asyncio
import secrets

from sandtable.server.errors import logger
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
                    if missed:
                        await self._catch_up()
                    async for notice in connection.notifies():
                        await self._heard(notice.payload)
            except (psycopg.Error, OSError) as error:
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
        try:
            match news.split():
                case ["game", game, number]:
                    room = self._lobby.get(game)
                    if room is not None and room.journal.version < int(number):
                        await room.catch_up()
                case ["table", table]:
                    await self._seating.heard(table)
                case ["chat", table, number]:
                    await self._seating.heard_chat(table, int(number))
        except Exception as error:  # one game's trouble must not make this process deaf
            logger.warning("news that could not be followed (%s): %s %s", news, type(error).__name__, error)
