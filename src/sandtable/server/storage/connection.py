"""How everything that is stored reaches the database: readers beside each other, writers one after the other.

SQLite lets one write at a time. Left to themselves, writers try again after random pauses, and some of them wait for
seconds; here they stand in a queue. PostgreSQL needs no queue. What is written there is also told to the other server
processes, in the same transaction, so that nobody hears of something that was not kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker

from sandtable.server.storage.database import open_database

CHANNEL = "sandtable"


class Database:
    """An open database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.is_postgres = engine.dialect.name == "postgresql"
        self.sender = ""  # marks what this process tells the others; nothing is told as long as it is empty
        self._session: async_sessionmaker[AsyncSession] = async_sessionmaker(engine, expire_on_commit=False)
        self._queue = asyncio.Lock()

    @classmethod
    async def open(cls, place: Path | str) -> Database:
        """Raises DatabaseDamaged."""
        return cls(await open_database(place))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        async with self._session() as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A session that is committed at the end, or not at all."""
        async with nullcontext() if self.is_postgres else self._queue, self._session.begin() as session:
            yield session

    @asynccontextmanager
    async def writing_fast(self) -> AsyncIterator[AsyncConnection]:
        """The same without the objects of a session: orders come this way."""
        async with nullcontext() if self.is_postgres else self._queue, self.engine.begin() as connection:
            yield connection

    async def tell(self, writer: AsyncConnection | AsyncSession, news: str) -> None:
        """Let the other processes know once this is committed."""
        if self.is_postgres and self.sender:
            message = {"channel": CHANNEL, "news": f"{self.sender} {news}"}
            await writer.execute(text("SELECT pg_notify(:channel, :news)"), message)

    async def close(self) -> None:
        await self.engine.dispose()
