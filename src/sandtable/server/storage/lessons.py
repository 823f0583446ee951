"""What is kept about Basic Training: which texts of a lesson's game were read, and which lessons are done."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from sandtable.server.storage.connection import Database
from sandtable.server.storage.database import why
from sandtable.server.storage.store import StorageError, now
from sandtable.server.storage.tables import DoneRow, ReadRow


class Reading(msgspec.Struct, frozen=True):
    """The game in which a lesson was last taken, and how many of its steps were read there."""

    game: str
    read: int


class Lessons:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def games(self) -> dict[str, Reading]:
        """The latest game of every lesson."""
        async with self._database.reading() as session:
            rows = (await session.scalars(select(ReadRow).order_by(ReadRow.begun))).all()
        return {row.lesson: Reading(row.game, row.read) for row in rows}

    async def read(self, game: str) -> int:
        async with self._database.reading() as session:
            row = await session.get(ReadRow, game)
        return 0 if row is None else row.read

    async def done(self) -> dict[str, datetime]:
        async with self._database.reading() as session:
            return {row.lesson: row.at for row in (await session.scalars(select(DoneRow))).all()}

    async def note(self, lesson: str, game: str, read: int, *, done: bool = False) -> None:
        """Keep that so many steps were read, and whether that was the last of them."""
        try:
            async with self._database.writing() as session:
                row = await session.get(ReadRow, game)
                if row is None:
                    session.add(ReadRow(game=game, lesson=lesson, read=read, begun=now()))
                else:
                    row.read = read
                if done and await session.get(DoneRow, lesson) is None:
                    session.add(DoneRow(lesson=lesson, at=now()))
        except SQLAlchemyError as error:
            raise StorageError(f"The lesson could not be stored: {why(error)}.") from error
