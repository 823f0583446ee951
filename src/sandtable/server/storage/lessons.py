"""What is kept about Basic Training: which texts of a lesson's game were read, and which lessons are done."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from sandtable.server.storage.store import StorageError, now
from sandtable.server.storage.tables import DoneRow, ReadRow


class Reading(msgspec.Struct, frozen=True):
    """The game in which a lesson was last taken, and how many of its steps were read there."""

    game: str
    read: int


class Lessons:
    def __init__(self, engine: AsyncEngine) -> None:
        self._session: async_sessionmaker[AsyncSession] = async_sessionmaker(engine, expire_on_commit=False)

    async def games(self) -> dict[str, Reading]:
        """The latest game of every lesson."""
        async with self._session() as session:
            rows = (await session.scalars(select(ReadRow).order_by(ReadRow.begun))).all()
        return {row.lesson: Reading(row.game, row.read) for row in rows}

    async def read(self, game: str) -> int:
        async with self._session() as session:
            row = await session.get(ReadRow, game)
        return 0 if row is None else row.read

    async def done(self) -> dict[str, datetime]:
        async with self._session() as session:
            return {row.lesson: row.at for row in (await session.scalars(select(DoneRow))).all()}

    async def note(self, lesson: str, game: str, read: int, *, done: bool = False) -> None:
        """Keep that so many steps were read, and whether that was the last of them."""
        row = {"game": game, "lesson": lesson, "read": read, "begun": now()}
        try:
            async with self._session.begin() as session:
                statement = insert(ReadRow).values(row)
                await session.execute(statement.on_conflict_do_update(index_elements=["game"], set_={"read": read}))
                if done:
                    await session.execute(insert(DoneRow).values(lesson=lesson, at=now()).on_conflict_do_nothing())
        except SQLAlchemyError as error:
            raise StorageError(f"The lesson could not be stored: {error.__class__.__name__}.") from error
