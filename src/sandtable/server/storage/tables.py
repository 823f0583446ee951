"""The tables. A change of them is a migration in `migrations/versions`; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import DateTime, ForeignKey, MetaData, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Moment(TypeDecorator[datetime]):
    """A time in UTC; SQLite forgets the zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention={"pk": "pk_%(table_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s"})
    type_annotation_map = {str: Text(), datetime: Moment()}


class GameRow(Base):
    """How a game was set up, and a summary of where it stands for lists, so that nothing is replayed to list it."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    scenario: Mapped[str]
    options: Mapped[str]  # JSON: every option with its value
    edits: Mapped[str]  # JSON
    seats: Mapped[str]  # JSON: as they are now
    first_seats: Mapped[str]  # JSON: as they were before the first change
    seed: Mapped[str]  # JSON: a number or a text
    start: Mapped[str | None]  # JSON: a position of its own to start from
    opening: Mapped[str]  # dice rolled before the first order
    edition: Mapped[str | None]  # the files of an edition from outside, packed
    created: Mapped[datetime]
    updated: Mapped[datetime]
    # the summary, written together with the newest change
    version: Mapped[int]
    orders: Mapped[int]
    round: Mapped[int]
    turn: Mapped[str]
    phase: Mapped[str]
    answers: Mapped[str | None]  # the power that has to answer
    over: Mapped[bool]
    winner: Mapped[str | None]
    digest: Mapped[str]  # of the state


class ChangeRow(Base):
    """One thing that was done: an order with its dice, something taken back, a seat that changed hands."""

    __tablename__ = "changes"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    power: Mapped[str]
    seat: Mapped[str]
    by: Mapped[str]  # human, or the bot's name
    text: Mapped[str]  # the order; for other kinds what they need, as JSON
    faces: Mapped[str]  # dice, with spaces between them
    digest: Mapped[str]  # of the state after it
    made: Mapped[datetime]


class ReadRow(Base):
    """The game of a lesson, and how many of the lesson's steps have been read there."""

    __tablename__ = "lesson_games"

    game: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    lesson: Mapped[str]
    read: Mapped[int]
    begun: Mapped[datetime]


class DoneRow(Base):
    """A lesson that was taken to its end; it stays when its game is deleted."""

    __tablename__ = "lessons_done"

    lesson: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
