"""Reading and writing games. Every method is one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from sandtable.errors import DataError, SandtableError
from sandtable.server.storage.tables import ChangeRow, GameRow
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


class Store:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._session: async_sessionmaker[AsyncSession] = async_sessionmaker(engine, expire_on_commit=False)

    async def close(self) -> None:
        await self._engine.dispose()

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
            async with self._session.begin() as session:
                session.add(row)
                await session.flush()
                session.add_all([_row(header.id, step) for step in steps])
        except SQLAlchemyError as error:
            raise StorageError(f"The game could not be stored: {error.__class__.__name__}.") from error

    async def append(self, game: str, step: Step, summary: Summary) -> None:
        """Write one change and the summary after it; when this returns, the disk has both."""
        try:
            async with self._session.begin() as session:
                session.add(_row(game, step))
                await session.execute(
                    update(GameRow).where(GameRow.id == game).values(updated=step.made, **_fields(summary))
                )
        except IntegrityError as error:
            raise Overtaken("Another server has changed this game, or deleted it.") from error
        except SQLAlchemyError as error:
            raise StorageError(f"The order could not be stored: {error.__class__.__name__}.") from error

    async def rename(self, game: str, name: str) -> None:
        async with self._session.begin() as session:
            await session.execute(update(GameRow).where(GameRow.id == game).values(name=name))

    async def delete(self, game: str) -> bool:
        """True if there was such a game."""
        async with self._session.begin() as session:
            await session.execute(delete(ChangeRow).where(ChangeRow.game == game))
            found = await session.execute(delete(GameRow).where(GameRow.id == game).returning(GameRow.id))
            return found.first() is not None

    async def games(self) -> list[Listed]:
        """All games, the latest first."""
        async with self._session() as session:
            rows = (await session.scalars(select(GameRow).order_by(GameRow.updated.desc(), GameRow.id))).all()
        return [_listed(row) for row in rows]

    async def listed(self, game: str) -> Listed | None:
        async with self._session() as session:
            row = await session.get(GameRow, game)
        return None if row is None else _listed(row)

    async def read(self, game: str) -> tuple[Header, list[Step], str] | None:
        """Header, changes and the digest of the last state; None if there is no such game. Raises UnreadableError."""
        query = select(ChangeRow).where(ChangeRow.game == game).order_by(ChangeRow.number)
        try:
            async with self._session() as session:
                row = await session.get(GameRow, game)
                if row is None:
                    return None
                steps = (await session.scalars(query)).all()
        except SQLAlchemyError as error:
            raise StorageError(f"The game could not be read: {error.__class__.__name__}.") from error
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


def _row(game: str, step: Step) -> ChangeRow:
    return ChangeRow(
        game=game,
        number=step.number,
        kind=step.kind,
        power=step.power,
        seat=step.seat,
        by=step.by,
        text=step.text,
        faces=_numbers(step.faces),
        digest=step.digest,
        made=step.made,
    )


def _step(row: ChangeRow) -> Step:
    return Step(
        number=row.number,
        kind=row.kind,
        power=row.power,
        seat=row.seat,
        by=row.by,
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
