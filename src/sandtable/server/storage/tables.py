"""The tables. A change of them is a migration in `migrations/versions`; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import DateTime, Float, ForeignKey, Index, MetaData, Text, TypeDecorator
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
    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
        }
    )
    type_annotation_map = {str: Text(), datetime: Moment(), float: Float()}


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
    person: Mapped[str] = mapped_column(server_default="")  # the id of the person who did it, where people are known
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


class PersonRow(Base):
    """Somebody who plays: a guest with nothing but a name, or an account."""

    __tablename__ = "people"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]  # as others see it
    login: Mapped[str | None] = mapped_column(unique=True)  # the name in small letters; None: a guest
    password: Mapped[str | None]  # argon2id
    email: Mapped[str | None]
    admin: Mapped[bool]
    blocked: Mapped[bool]
    settings: Mapped[str]  # JSON: notifications, quiet hours
    created: Mapped[datetime]
    seen: Mapped[datetime]


class SessionRow(Base):
    """A browser that is signed in, or the token of a program. Only a digest of the secret is kept."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(primary_key=True)  # sha256 of the secret
    person: Mapped[str] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str]  # browser, token, recovery
    label: Mapped[str]
    created: Mapped[datetime]
    expires: Mapped[datetime]


class TableRow(Base):
    """A game that people have in common: from the set-up screen to its end. Its game has the same id."""

    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    host: Mapped[str]  # a person's id
    visibility: Mapped[str]  # public: in the list of everybody; link: for those who have the link
    stage: Mapped[str]  # setup, playing, over
    data: Mapped[str]  # JSON: set-up, dice, clocks
    join_link: Mapped[str] = mapped_column(unique=True)
    watch_link: Mapped[str] = mapped_column(unique=True)
    revision: Mapped[int]
    due: Mapped[datetime | None] = mapped_column(index=True)  # when the time of whoever has to answer is up
    created: Mapped[datetime]
    updated: Mapped[datetime]


class MemberRow(Base):
    """Somebody at a table."""

    __tablename__ = "members"

    table: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    person: Mapped[str] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str]  # player, spectator, ejected
    settings: Mapped[str]  # JSON: standing orders, notifications, muted people
    joined: Mapped[datetime]

    __table_args__ = (Index("ix_members_person", "person"),)


class ChatRow(Base):
    """A message. `to` is all, allies (of the seats in `audience`), or one person."""

    __tablename__ = "chat"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"))
    person: Mapped[str]
    to: Mapped[str]  # all, allies, person
    audience: Mapped[str]  # JSON: the ids of those who may read it; [] for all
    text: Mapped[str]
    reported: Mapped[str]  # JSON: the ids of those who reported it
    made: Mapped[datetime]

    __table_args__ = (Index("ix_chat_table", "table", "id"),)


class OfferRow(Base):
    """Something that others have to agree to: taking back, a draw, an end."""

    __tablename__ = "offers"

    id: Mapped[str] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str]
    person: Mapped[str]
    data: Mapped[str]  # JSON: what exactly, for which version of the game
    answers: Mapped[str]  # JSON: person -> yes or no; those who are asked and have not answered: null
    state: Mapped[str]  # open, accepted, declined, withdrawn, overtaken
    made: Mapped[datetime]


class RatingRow(Base):
    """How well somebody plays an edition, by the games that were played to their end."""

    __tablename__ = "ratings"

    person: Mapped[str] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), primary_key=True)
    edition: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]
    won: Mapped[int]
    updated: Mapped[datetime]
