"""Tables, kept: who is there, what the host has set up, what was said, what was offered."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec
from sqlalchemy import delete, func, select, update

from sandtable.server.errors import ApiError
from sandtable.server.people import Person
from sandtable.server.storage.connection import Database
from sandtable.server.storage.store import Overtaken, Seat, now
from sandtable.server.storage.tables import ChatRow, GameRow, MemberRow, OfferRow, PersonRow, TableRow

Visibility = Literal["public", "link"]
Stage = Literal["setup", "playing", "over"]
Role = Literal["player", "spectator", "ejected"]
Connection = Literal["computer", "network", "internet", "mail", "direct"]
Late = Literal["host", "orders", "computer"]
To = Literal["all", "allies", "person"]

MOST_LISTED = 10_000  # tables of one person
REMEMBERED = 5.0  # seconds for which a table is believed to be as it was read; what changes here is known at once


class Clock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How long a player may take, counted while he has to answer: in a turn, or in a round; then the reserve."""

    kind: Literal["none", "turn", "round"] = "none"
    seconds: int = 0
    reserve: int = 0
    vacation: int = 0  # days that each player may take off in a game
    late: Late = "host"  # what happens when the time is up


class Given(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who plays a power."""

    person: str = ""
    player: str = "human"  # or a bot's name
    style: str = ""


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a game ended that was not played to its end."""

    kind: Literal["draw", "surrender", "closed"]
    winner: str = ""  # a side
    by: str = ""


class Stop(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A time in which a clock stands still: for all, when the host pauses; for one person who is away."""

    start: datetime
    end: datetime | None = None
    person: str = ""

    def holds(self, person: str, at: datetime) -> bool:
        return self.person in ("", person) and self.start <= at and (self.end is None or at < self.end)


class TableData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the host sets up, and what the table is like now."""

    scenario: str = "classic-1942"
    options: Mapping[str, bool | int | str] = {}
    edits: Mapping[str, Any] = {}
    given: Mapping[str, Given] = {}  # power -> who plays it
    connection: Connection = "internet"
    clock: Clock = Clock()
    secret: str = ""  # of the dice
    contributions: Mapping[str, str] = {}  # person -> what was added to the dice
    paused: bool = False
    result: Result | None = None
    stops: tuple[Stop, ...] = ()  # times in which clocks stood still
    vacation: Mapping[str, int] = {}  # person -> days taken
    rated: bool = True  # counts for the ladder

    @property
    def most(self) -> int:
        """How many people fit; a direct connection has two ends."""
        return 2 if self.connection == "direct" else 20


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody wants to be answered for him, by kind of question. What is not here is asked."""

    answers: Mapping[str, str] = {}  # kind of question -> manner


class MemberSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    standing: Standing = Standing()
    quiet: bool = False  # no notifications for this game
    muted: tuple[str, ...] = ()  # people


class Member(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    is_account: bool
    role: Role
    settings: MemberSettings
    joined: datetime


class Table(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    host: str
    visibility: Visibility
    stage: Stage
    data: TableData
    join_link: str
    watch_link: str
    revision: int
    due: datetime | None
    created: datetime
    updated: datetime
    members: Mapping[str, Member]

    def role(self, person: Person) -> Literal["host", "admin", "player", "spectator", ""]:
        """What somebody is at this table; nothing, if it is none of his business."""
        if person.id == self.host:
            return "host"
        member = self.members.get(person.id)
        if member is not None and member.role != "ejected":
            return member.role
        return "admin" if person.is_admin else ""

    @property
    def people(self) -> list[Member]:
        """Those who are there."""
        return [member for member in self.members.values() if member.role != "ejected"]

    @property
    def players(self) -> list[Member]:
        return [member for member in self.members.values() if member.role == "player"]

    def name_of(self, person: str) -> str:
        member = self.members.get(person)
        return member.name if member is not None else "somebody who has left"


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was said."""

    id: int
    table: str
    person: str
    to: To
    audience: tuple[str, ...]
    text: str
    reported: tuple[str, ...]
    made: datetime

    def is_for(self, person: str) -> bool:
        return not self.audience or person in self.audience


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    table: str
    kind: str
    person: str
    data: Mapping[str, Any]
    answers: Mapping[str, bool | None]
    state: str
    made: datetime


class TableStore:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, tuple[float, Table]] = {}

    def forget(self, table: str) -> None:
        """Another process has changed it."""
        self._known.pop(table, None)

    # ------------------------------------------------------------ tables

    async def create(
        self,
        table: str,
        host: Person,
        *,
        name: str,
        visibility: Visibility,
        data: TableData,
        stage: Stage = "setup",
    ) -> Table:
        row = TableRow(
            id=table,
            name=name,
            host=host.id,
            visibility=visibility,
            stage=stage,
            data=_json(data),
            join_link=secrets.token_urlsafe(12),
            watch_link=secrets.token_urlsafe(12),
            revision=1,
            due=None,
            created=now(),
            updated=now(),
        )
        async with self._database.writing() as session:
            session.add(row)
            await session.flush()
            session.add(MemberRow(table=table, person=host.id, role="player", settings="{}", joined=now()))
        found = await self.read(table)
        assert found is not None
        return found

    async def find(self, table: str) -> Table | None:
        """A table as it is, or was a moment ago as far as other processes are concerned."""
        known = self._known.get(table)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        return await self.read(table)

    async def read(self, table: str) -> Table | None:
        people = (
            select(MemberRow, PersonRow.name, PersonRow.login)
            .join(PersonRow, PersonRow.id == MemberRow.person)
            .where(MemberRow.table == table)
            .order_by(MemberRow.joined, MemberRow.person)
        )
        async with self._database.reading() as session:
            row = await session.get(TableRow, table)
            if row is None:
                self._known.pop(table, None)
                return None
            members = (await session.execute(people)).all()
        found = Table(
            id=row.id,
            name=row.name,
            host=row.host,
            visibility=row.visibility,  # type: ignore[arg-type]
            stage=row.stage,  # type: ignore[arg-type]
            data=msgspec.json.decode(row.data, type=TableData),
            join_link=row.join_link,
            watch_link=row.watch_link,
            revision=row.revision,
            due=row.due,
            created=row.created,
            updated=row.updated,
            members={
                member.person: Member(
                    id=member.person,
                    name=name,
                    is_account=login is not None,
                    role=member.role,  # type: ignore[arg-type]
                    settings=msgspec.json.decode(member.settings, type=MemberSettings),
                    joined=member.joined,
                )
                for member, name, login in members
            },
        )
        if len(self._known) > 5_000:
            self._known.clear()
        self._known[table] = (time.monotonic() + REMEMBERED, found)
        return found

    async def by_link(self, link: str) -> tuple[str, Role] | None:
        """The table that a link leads to, and as what."""
        query = select(TableRow.id, TableRow.join_link).where(
            (TableRow.join_link == link) | (TableRow.watch_link == link)
        )
        async with self._database.reading() as session:
            row = (await session.execute(query)).first()
        if row is None:
            return None
        return row[0], "player" if row[1] == link else "spectator"

    async def list_public(self, limit: int, skip: int) -> list[str]:
        query = (
            select(TableRow.id)
            .where(TableRow.visibility == "public", TableRow.stage != "over")
            .order_by(TableRow.stage.desc(), TableRow.updated.desc())
            .limit(limit)
            .offset(skip)
        )
        async with self._database.reading() as session:
            return list((await session.scalars(query)).all())

    async def list_own(self, person: str, limit: int, skip: int) -> list[tuple[str, str | None]]:
        """The tables of somebody, with the power that has to answer in the game.

        Those first in which it is his turn, wherever they would stand by their age; then the latest, and those that are
        over at the end.
        """
        query = (
            select(TableRow.id, GameRow.answers, TableRow.stage, GameRow.seats)
            .join(MemberRow, MemberRow.table == TableRow.id)
            .outerjoin(GameRow, GameRow.id == TableRow.id)
            .where(MemberRow.person == person, MemberRow.role != "ejected")
            .order_by(func.coalesce(GameRow.updated, TableRow.updated).desc(), TableRow.id)
            .limit(MOST_LISTED)
        )
        async with self._database.reading() as session:
            rows = (await session.execute(query)).all()
        sorted_rows = sorted(rows, key=lambda row: (not _waits_for(person, row[1], row[2], row[3]), row[2] == "over"))
        return [(row[0], row[1]) for row in sorted_rows[skip : skip + limit]]

    async def number_of(self, person: str) -> int:
        """Tables that somebody hosts and that are not over."""
        query = select(func.count()).select_from(TableRow).where(TableRow.host == person, TableRow.stage != "over")
        async with self._database.reading() as session:
            return await session.scalar(query) or 0

    async def change(self, table: Table, *, data: TableData | None = None, check: bool = True, **values: Any) -> Table:
        """Write something of a table. Raises Overtaken if somebody else was faster."""
        if data is not None:
            values["data"] = _json(data)
        query = update(TableRow).where(TableRow.id == table.id)
        if check:
            query = query.where(TableRow.revision == table.revision)
        async with self._database.writing() as session:
            done = await session.execute(
                query.values(revision=TableRow.revision + 1, updated=now(), **values).returning(TableRow.id)
            )
            missed = done.first() is None
            await self._database.tell(session, f"table {table.id}")
        self.forget(table.id)
        if missed:
            raise Overtaken("The table was changed at the same moment.")
        found = await self.read(table.id)
        if found is None:
            raise ApiError(404, "not-found", "The table is gone.")
        return found

    async def set_due(self, table: str, due: datetime | None) -> None:
        async with self._database.writing() as session:
            await session.execute(update(TableRow).where(TableRow.id == table).values(due=due))
        self.forget(table)

    async def due(self, at: datetime) -> list[str]:
        """Tables where somebody's time is up."""
        async with self._database.reading() as session:
            return list((await session.scalars(select(TableRow.id).where(TableRow.due <= at).limit(100))).all())

    async def delete(self, table: str) -> None:
        async with self._database.writing() as session:
            for kind in (ChatRow, OfferRow, MemberRow):
                await session.execute(delete(kind).where(kind.table == table))
            await session.execute(delete(TableRow).where(TableRow.id == table))
            await self._database.tell(session, f"table {table}")
        self.forget(table)

    # ------------------------------------------------------------ members

    async def set_member(
        self, table: str, person: str, role: Role | None, settings: MemberSettings | None = None
    ) -> None:
        """Somebody comes, becomes something else, or goes (None)."""
        async with self._database.writing() as session:
            row = await session.get(MemberRow, (table, person))
            if role is None:
                if row is not None:
                    await session.delete(row)
            elif row is None:
                session.add(
                    MemberRow(
                        table=table,
                        person=person,
                        role=role,
                        settings=_json(settings or MemberSettings()),
                        joined=now(),
                    )
                )
            else:
                row.role = role
                if settings is not None:
                    row.settings = _json(settings)
            await session.execute(
                update(TableRow).where(TableRow.id == table).values(revision=TableRow.revision + 1, updated=now())
            )
            await self._database.tell(session, f"table {table}")
        self.forget(table)

    # ------------------------------------------------------------ chat

    async def say(self, table: str, person: str, to: To, audience: Sequence[str], text: str) -> Message:
        row = ChatRow(
            table=table, person=person, to=to, audience=_json(list(audience)), text=text, reported="[]", made=now()
        )
        async with self._database.writing() as session:
            session.add(row)
            await session.flush()
            await self._database.tell(session, f"chat {table} {row.id}")
        return _message(row)

    async def message(self, number: int) -> Message | None:
        async with self._database.reading() as session:
            row = await session.get(ChatRow, number)
        return None if row is None else _message(row)

    async def said(self, table: str, person: str, before: int | None, limit: int) -> list[Message]:
        """What somebody may read of a table's chat: so many messages before a number, in the order they were said."""
        readable = (ChatRow.audience == "[]") | ChatRow.audience.contains(f'"{person}"', autoescape=True)
        query = select(ChatRow).where(ChatRow.table == table, readable)
        if before is not None:
            query = query.where(ChatRow.id < before)
        async with self._database.reading() as session:
            rows = (await session.scalars(query.order_by(ChatRow.id.desc()).limit(limit))).all()
        return [_message(row) for row in reversed(rows)]

    async def report(self, number: int, person: str) -> None:
        async with self._database.writing() as session:
            row = await session.get(ChatRow, number)
            if row is not None:
                found = msgspec.json.decode(row.reported, type=list[str])
                if person not in found:
                    row.reported = _json([*found, person])

    async def reports(self) -> list[Message]:
        """What was reported and is still there, the newest first."""
        query = select(ChatRow).where(ChatRow.reported != "[]").order_by(ChatRow.id.desc()).limit(200)
        async with self._database.reading() as session:
            return [_message(row) for row in (await session.scalars(query)).all()]

    async def unsay(self, number: int) -> None:
        async with self._database.writing() as session:
            await session.execute(delete(ChatRow).where(ChatRow.id == number))

    # ------------------------------------------------------------ offers

    async def offer(self, table: str, person: str, kind: str, data: Mapping[str, Any], asked: Sequence[str]) -> Offer:
        row = OfferRow(
            id=secrets.token_hex(8),
            table=table,
            kind=kind,
            person=person,
            data=_json(data),
            answers=_json(dict.fromkeys(asked)),
            state="open",
            made=now(),
        )
        async with self._database.writing() as session:
            session.add(row)
            await self._database.tell(session, f"table {table}")
        return _offer(row)

    async def offers(self, table: str, *, only_open: bool = True) -> list[Offer]:
        query = select(OfferRow).where(OfferRow.table == table).order_by(OfferRow.made.desc()).limit(50)
        if only_open:
            query = query.where(OfferRow.state == "open")
        async with self._database.reading() as session:
            return [_offer(row) for row in (await session.scalars(query)).all()]

    async def answer(self, offer: str, person: str, yes: bool) -> Offer | None:
        """An answer to an open offer. Once all have agreed, or one has not, it is settled, and only once."""
        async with self._database.writing() as session:
            query = select(OfferRow).where(OfferRow.id == offer).with_for_update()
            row = (await session.scalars(query)).first()
            if row is None or row.state != "open":
                return None
            answers = msgspec.json.decode(row.answers, type=dict[str, bool | None])
            if person not in answers:
                return None
            answers[person] = yes
            row.answers = _json(answers)
            if not yes:
                row.state = "declined"
            elif all(answers.values()):
                row.state = "accepted"
            await self._database.tell(session, f"table {row.table}")
        return _offer(row)

    async def settle(self, offer: str, state: str) -> None:
        async with self._database.writing() as session:
            await session.execute(update(OfferRow).where(OfferRow.id == offer).values(state=state))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _message(row: ChatRow) -> Message:
    return Message(
        id=row.id,
        table=row.table,
        person=row.person,
        to=row.to,  # type: ignore[arg-type]
        audience=msgspec.json.decode(row.audience, type=tuple[str, ...]),
        text=row.text,
        reported=msgspec.json.decode(row.reported, type=tuple[str, ...]),
        made=row.made,
    )


def _offer(row: OfferRow) -> Offer:
    return Offer(
        id=row.id,
        table=row.table,
        kind=row.kind,
        person=row.person,
        data=msgspec.json.decode(row.data, type=dict[str, Any]),
        answers=msgspec.json.decode(row.answers, type=dict[str, bool | None]),
        state=row.state,
        made=row.made,
    )


def _waits_for(person: str, answers: str | None, stage: str, seats: str | None) -> bool:
    """Whether somebody has to answer in a game."""
    if answers is None or stage != "playing" or not seats or person not in seats:
        return False
    try:
        found = msgspec.json.decode(seats, type=tuple[Seat, ...])
    except (msgspec.MsgspecError, ValueError):
        return False
    return any(seat.is_asked(person, answers) for seat in found)
