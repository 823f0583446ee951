"""Reading and writing games. Every method is one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from sandtable.errors import DataError, SandtableError
from sandtable.server.storage.connection import Database
from sandtable.server.storage.database import why
from sandtable.server.storage.tables import ChangeRow, GameRow, MemberRow, PersonRow, TableRow
from sandtable.world.library import ensure, packed_for


class StorageError(SandtableError):
    """Nothing was written."""


class Overtaken(StorageError):
    """Another server has written to the same game in the meantime."""


class UnreadableError(SandtableError):
    """A stored game whose own data cannot be read."""


class Seat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place at the table: its name, the powers it plays, and who answers for them."""

    name: str
    powers: tuple[str, ...]
    player: str = "human"  # or a bot's name
    style: str = ""
    person: str = ""  # the id of the person who sits here, where people are known
    wards: tuple[str, ...] = ()  # powers without a seat of their own, for which this one answers; only in summaries

    def is_asked(self, person: str, power: str | None) -> bool:
        """Whether somebody sits here and has to answer for a power."""
        return self.person == person and self.player == "human" and power in (*self.powers, *self.wards)


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """How a game was set up."""

    id: str
    name: str
    scenario: str
    options: Mapping[str, bool | int | str]
    edits: Mapping[str, Any]
    seats: tuple[Seat, ...]  # before the first change
    seed: int | str
    start: Mapping[str, Any] | None = None
    opening: tuple[int, ...] = ()
    created: datetime = msgspec.field(default_factory=lambda: now())


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One change as it is stored."""

    number: int
    kind: str
    power: str
    seat: str
    by: str
    person: str = ""
    text: str = ""
    faces: tuple[int, ...] = ()
    digest: str = ""
    made: datetime = msgspec.field(default_factory=lambda: now())


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game stands."""

    seats: tuple[Seat, ...]
    version: int
    orders: int
    round: int
    turn: str
    phase: str
    answers: str | None
    over: bool
    winner: str | None
    digest: str


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list of games."""

    id: str
    name: str
    scenario: str
    created: datetime
    updated: datetime
    summary: Summary | None  # None: unreadable
    problem: str = ""


def now() -> datetime:
    return datetime.now(UTC)


_ADD = insert(ChangeRow)
_SUMMARY: dict[str, Any] = {name: bindparam(f"new_{name}") for name in (*Summary.__struct_fields__, "updated")}
_MOVE_ON = (
    update(GameRow).where(GameRow.id == bindparam("game"), GameRow.version == bindparam("expected")).values(_SUMMARY)
)


class _Order:
    """A change on its way to the disk."""

    def __init__(self, values: dict[str, Any], moved: dict[str, Any], written: asyncio.Future[None]) -> None:
        self.values = values
        self.moved = moved
        self.written = written

    def done(self, error: Exception | None = None) -> None:
        if self.written.done():
            return
        if error is None:
            self.written.set_result(None)
        else:
            self.written.set_exception(error)


class Store:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._waiting: list[_Order] = []
        self._writer: asyncio.Task[None] | None = None

    async def close(self) -> None:
        await self.database.close()

    async def create(self, header: Header, steps: Sequence[Step], summary: Summary) -> None:
        row = GameRow(
            id=header.id,
            name=header.name,
            scenario=header.scenario,
            options=_json(header.options),
            edits=_json(header.edits),
            first_seats=_json(header.seats),
            seed=_json(header.seed),
            start=None if header.start is None else _json(header.start),
            opening=_numbers(header.opening),
            edition=packed_for(header.scenario) or None,
            created=header.created,
            updated=header.created,
            **_fields(summary),
        )
        try:
            async with self.database.writing() as session:
                session.add(row)
                await session.flush()
                if steps:
                    await session.execute(_ADD, [_values(header.id, step) for step in steps])
        except SQLAlchemyError as error:
            raise StorageError(f"The game could not be stored: {why(error)}.") from error

    async def append(self, game: str, step: Step, summary: Summary) -> None:
        """Write one change and the summary after it; when this returns, the disk has both.

        What comes while the disk is busy is written together with what else came meanwhile: the disk is asked once for
        all of them. PostgreSQL does that by itself.
        """
        fields = {f"new_{name}": value for name, value in _fields(summary).items()}
        moved = {"game": game, "expected": step.number - 1, "new_updated": step.made, **fields}
        order = _Order(_values(game, step), moved, asyncio.get_running_loop().create_future())
        if self.database.is_postgres:
            await self._write([order], f"game {game} {step.number}")
            return
        self._waiting.append(order)
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_all())
        await order.written

    async def _write_all(self) -> None:
        """As long as something waits."""
        try:
            while self._waiting:
                batch: list[_Order] = []
                try:
                    await self._write(batch)
                except Exception as error:  # one of them does not fit, or none can be written: each learns its own fate
                    await self._one_by_one(batch, error)
                else:
                    for order in batch:
                        order.done()
        finally:
            self._writer = None

    async def _one_by_one(self, batch: list[_Order], error: Exception) -> None:
        if not batch:  # the database could not even be reached
            batch, self._waiting = self._waiting, []
            for order in batch:
                order.done(error)
            return
        for order in batch:
            try:
                await self._write([order])
            except Exception as fate:
                order.done(fate)
            else:
                order.done()

    async def _write(self, batch: list[_Order], news: str = "") -> None:
        """Write these, or, if none are named, all that wait when it is their turn. Raises StorageError."""

        def take() -> None:
            if not batch:
                batch.extend(self._waiting)
                self._waiting = []

        def write(connection: Connection) -> None:
            connection.execute(_ADD, [order.values for order in batch])
            moved = connection.execute(_MOVE_ON, [order.moved for order in batch])
            if moved.rowcount != len(batch):
                raise Overtaken("Another server has changed this game, or deleted it.")

        try:
            await self.database.write_orders(write, take, news)
        except IntegrityError as error:
            raise Overtaken("Another server has changed this game, or deleted it.") from error
        except SQLAlchemyError as error:
            raise StorageError(f"The order could not be stored: {why(error)}.") from error

    async def rename(self, game: str, name: str) -> None:
        async with self.database.writing() as session:
            await session.execute(update(GameRow).where(GameRow.id == game).values(name=name))

    async def delete(self, game: str) -> bool:
        """True if there was such a game."""
        async with self.database.writing() as session:
            await session.execute(delete(ChangeRow).where(ChangeRow.game == game))
            found = await session.execute(delete(GameRow).where(GameRow.id == game).returning(GameRow.id))
            return found.first() is not None

    async def games(self, limit: int | None = None, skip: int = 0, person: str | None = None) -> list[Listed]:
        """Games, the latest first: so many after the first `skip`; only those at whose table a person sits."""
        query = select(GameRow).order_by(GameRow.updated.desc(), GameRow.id).limit(limit).offset(skip)
        if person is not None:
            query = query.join(MemberRow, MemberRow.table == GameRow.id).where(
                MemberRow.person == person, MemberRow.role != "ejected"
            )
        async with self.database.reading() as session:
            rows = (await session.scalars(query)).all()
        return [_listed(row) for row in rows]

    async def statistics(self) -> dict[str, int]:
        """How much there is of what."""
        async with self.database.reading() as session:
            counts = {
                "games": await session.scalar(select(func.count()).select_from(GameRow)),
                "finished": await session.scalar(select(func.count()).select_from(GameRow).where(GameRow.over)),
                "changes": await session.scalar(select(func.count()).select_from(ChangeRow)),
                "tables": await session.scalar(select(func.count()).select_from(TableRow)),
                "people": await session.scalar(select(func.count()).select_from(PersonRow)),
                "accounts": await session.scalar(
                    select(func.count()).select_from(PersonRow).where(PersonRow.login.is_not(None))
                ),
            }
        return {name: number or 0 for name, number in counts.items()}

    async def listed(self, game: str) -> Listed | None:
        async with self.database.reading() as session:
            row = await session.get(GameRow, game)
        return None if row is None else _listed(row)

    async def since(self, game: str, number: int) -> list[Step]:
        """The changes after a number, which another process has made."""
        query = select(ChangeRow).where(ChangeRow.game == game, ChangeRow.number > number).order_by(ChangeRow.number)
        async with self.database.reading() as session:
            return [_step(row) for row in (await session.scalars(query)).all()]

    async def read(self, game: str) -> tuple[Header, list[Step], str] | None:
        """Header, changes and the digest of the last state; None if there is no such game. Raises UnreadableError."""
        query = select(ChangeRow).where(ChangeRow.game == game).order_by(ChangeRow.number)
        try:
            async with self.database.reading() as session:
                row = await session.get(GameRow, game)
                if row is None:
                    return None
                # not what another process adds between the two questions: summary and last change belong together
                steps = (await session.scalars(query.where(ChangeRow.number <= row.version))).all()
        except SQLAlchemyError as error:
            raise StorageError(f"The game could not be read: {why(error)}.") from error
        try:
            return _header(row), [_step(step) for step in steps], row.digest
        except (ValueError, TypeError, msgspec.MsgspecError, DataError) as error:
            raise UnreadableError(f"What is stored about the game cannot be read: {error}.") from None


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _numbers(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _faces(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _fields(summary: Summary) -> dict[str, Any]:
    fields = {name: getattr(summary, name) for name in summary.__struct_fields__}
    fields["seats"] = _json(summary.seats)
    return fields


def _values(game: str, step: Step) -> dict[str, Any]:
    fields = {name: getattr(step, name) for name in step.__struct_fields__}
    return {**fields, "game": game, "faces": _numbers(step.faces)}


def _step(row: ChangeRow) -> Step:
    return Step(
        number=row.number,
        kind=row.kind,
        power=row.power,
        seat=row.seat,
        by=row.by,
        person=row.person,
        text=row.text,
        faces=_faces(row.faces),
        digest=row.digest,
        made=row.made,
    )


def _header(row: GameRow) -> Header:
    if row.edition is not None:
        ensure(row.scenario, row.edition)
    return Header(
        id=row.id,
        name=row.name,
        scenario=row.scenario,
        options=msgspec.json.decode(row.options, type=dict[str, bool | int | str]),
        edits=msgspec.json.decode(row.edits, type=dict[str, Any]),
        seats=msgspec.json.decode(row.first_seats, type=tuple[Seat, ...]),
        seed=msgspec.json.decode(row.seed, type=int | str),
        start=None if row.start is None else msgspec.json.decode(row.start, type=dict[str, Any]),
        opening=_faces(row.opening),
        created=row.created,
    )


def _listed(row: GameRow) -> Listed:
    try:
        summary = Summary(
            seats=msgspec.json.decode(row.seats, type=tuple[Seat, ...]),
            version=row.version,
            orders=row.orders,
            round=row.round,
            turn=row.turn,
            phase=row.phase,
            answers=row.answers,
            over=row.over,
            winner=row.winner,
            digest=row.digest,
        )
    except (ValueError, msgspec.MsgspecError) as error:
        summary, problem = None, f"What is stored about the game cannot be read: {error}."
    else:
        problem = ""
    return Listed(
        id=row.id,
        name=row.name,
        scenario=row.scenario,
        created=row.created,
        updated=row.updated,
        summary=summary,
        problem=problem,
    )
