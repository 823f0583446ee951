"""How everything that is stored reaches the database: readers beside each other, writers one after the other.

SQLite lets one write at a time. Left to themselves, writers try again after random pauses, and some of them wait for
seconds; here they stand in a queue. PostgreSQL needs no queue. What is written there is also told to the other server
processes, in the same transaction, so that nobody hears of something that was not kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker

from sandtable.server.storage.database import open_database, plain_engine

CHANNEL = "sandtable"


class Database:
    """An open database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.is_postgres = engine.dialect.name == "postgresql"
        self.sender = ""  # marks what this process tells the others; nothing is told as long as it is empty
        self._session: async_sessionmaker[AsyncSession] = async_sessionmaker(engine, expire_on_commit=False)
        self._queue = asyncio.Lock()
        self.plain = None if self.is_postgres else plain_engine(engine.url)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="orders")

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

    async def write_orders(self, work: Callable[[Connection], None], before: Callable[[], None], news: str) -> None:
        """The same for orders, which come often: all of the work in one go, in a thread of its own for SQLite.

        `before` is called when it is their turn.
        """
        if self.plain is None:
            before()
            async with self.engine.begin() as connection:
                await connection.run_sync(work)
                if news:
                    await self.tell(connection, news)
            return
        plain = self.plain

        def write() -> None:
            with plain.begin() as connection:
                work(connection)

        async with self._queue:
            before()
            await asyncio.get_running_loop().run_in_executor(self._thread, write)

    async def tell(self, writer: AsyncConnection | AsyncSession, news: str) -> None:
        """Let the other processes know once this is committed."""
        if self.is_postgres and self.sender:
            message = {"channel": CHANNEL, "news": f"{self.sender} {news}"}
            await writer.execute(text("SELECT pg_notify(:channel, :news)"), message)

    async def say(self, news: str) -> None:
        """Tell the other processes something that is not kept."""
        async with self.engine.begin() as connection:
            await self.tell(connection, news)

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown)
        if self.plain is not None:
            self.plain.dispose()
        await self.engine.dispose()
