"""People and their sessions, kept."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from sandtable.server.errors import ApiError
from sandtable.server.people import Person, check_email, clean_name, digest_of, login_of, new_secret
from sandtable.server.storage.connection import Database
from sandtable.server.storage.store import now
from sandtable.server.storage.tables import ChatRow, MemberRow, PersonRow, RatingRow, SessionRow, TableRow

GUEST_DAYS = 90  # of not coming back after which a guest's browser is forgotten
BROWSER_DAYS = 30
RECOVERY_HOURS = 2
REMEMBERED = 20.0  # seconds in which a session is believed without asking the database again
MOST = 10_000  # sessions remembered


class QuietHours(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """From one hour to another nobody is disturbed. Hours are those of a time zone, minutes east of Greenwich."""

    start: int
    end: int
    zone: int = 0

    def hold(self, at: datetime) -> bool:
        hour = (at + timedelta(minutes=self.zone)).hour
        return self.start <= hour < self.end if self.start <= self.end else hour >= self.start or hour < self.end


class PersonSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How somebody wants to be told that a game waits."""

    email: bool = False
    webhook: str = ""
    push: tuple[dict[str, Any], ...] = ()  # subscriptions of browsers
    quiet: QuietHours | None = None


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept about a person but the password."""

    person: Person
    email: str | None
    blocked: bool
    settings: PersonSettings
    created: datetime
    seen: datetime


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """A session as its owner sees it."""

    id: str
    kind: str
    label: str
    created: datetime
    expires: datetime


class People:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[str, tuple[float, Person]] = OrderedDict()

    # ------------------------------------------------------------ making and finding

    async def add(
        self, name: str, *, password: str | None = None, email: str | None = None, admin: bool = False
    ) -> Person:
        """Somebody new: with the hash of a password an account. Raises ApiError if the name is taken."""
        shown = clean_name(name)
        row = PersonRow(
            id=secrets.token_hex(8),
            name=shown,
            login=None if password is None else login_of(shown),
            password=password,
            email=None if not email else check_email(email),
            admin=admin,
            blocked=False,
            settings="{}",
            created=now(),
            seen=now(),
        )
        try:
            async with self._database.writing() as session:
                session.add(row)
        except IntegrityError:
            raise ApiError(409, "taken", f"Somebody else is called {shown}.") from None
        return _person(row)

    async def make_account(self, person: Person, name: str, password: str, email: str | None) -> Person:
        """A guest gets a password and keeps all seats."""
        shown = clean_name(name)
        values = {"name": shown, "login": login_of(shown), "password": password}
        try:
            await self._update(person.id, **values, **({"email": check_email(email)} if email else {}))
        except IntegrityError:
            raise ApiError(409, "taken", f"Somebody else is called {shown}.") from None
        return msgspec.structs.replace(person, name=shown, is_account=True)

    async def account(self, name: str) -> tuple[Profile, str | None] | None:
        """An account by its name, with the hash of its password."""
        async with self._database.reading() as session:
            row = (await session.scalars(select(PersonRow).where(PersonRow.login == login_of(name)))).first()
        return None if row is None else (_profile(row), row.password)

    async def by_email(self, email: str) -> list[Profile]:
        query = select(PersonRow).where(func.lower(PersonRow.email) == email.lower(), PersonRow.login.is_not(None))
        async with self._database.reading() as session:
            return [_profile(row) for row in (await session.scalars(query)).all()]

    async def profile(self, person: str) -> Profile | None:
        async with self._database.reading() as session:
            row = await session.get(PersonRow, person)
        return None if row is None else _profile(row)

    async def everybody(self, limit: int = 1000) -> list[Profile]:
        query = select(PersonRow).order_by(PersonRow.login.is_(None), PersonRow.name).limit(limit)
        async with self._database.reading() as session:
            return [_profile(row) for row in (await session.scalars(query)).all()]

    async def password_of(self, person: str) -> str | None:
        async with self._database.reading() as session:
            row = await session.get(PersonRow, person)
        return None if row is None else row.password

    # ------------------------------------------------------------ changing

    async def rename(self, person: Person, name: str) -> Person:
        shown = clean_name(name)
        try:
            await self._update(person.id, name=shown, **({"login": login_of(shown)} if person.is_account else {}))
        except IntegrityError:
            raise ApiError(409, "taken", f"Somebody else is called {shown}.") from None
        return msgspec.structs.replace(person, name=shown)

    async def set_password(self, person: str, password: str) -> None:
        """All browsers and programs have to sign in again."""
        await self._update(person, password=password)
        await self.sign_out_everywhere(person)

    async def set_email(self, person: str, email: str) -> None:
        await self._update(person, email=check_email(email) if email else None)

    async def set_settings(self, person: str, settings: PersonSettings) -> None:
        await self._update(person, settings=msgspec.json.encode(settings).decode())

    async def set_rights(self, person: str, *, admin: bool | None = None, blocked: bool | None = None) -> None:
        values = {name: value for name, value in (("admin", admin), ("blocked", blocked)) if value is not None}
        await self._update(person, **values)
        if blocked:
            await self.sign_out_everywhere(person)

    async def _update(self, person: str, **values: Any) -> None:
        async with self._database.writing() as session:
            await session.execute(update(PersonRow).where(PersonRow.id == person).values(**values))
        self._forget(person)

    async def remove(self, person: str) -> None:
        """Forget somebody: name, address, sessions, seats at tables, what was said. Orders stay without a name."""
        async with self._database.writing() as session:
            await session.execute(delete(ChatRow).where(ChatRow.person == person))
            for table in (SessionRow, MemberRow, RatingRow):
                await session.execute(delete(table).where(table.person == person))
            await session.execute(delete(PersonRow).where(PersonRow.id == person))
        self._forget(person)

    async def export(self, person: str) -> dict[str, Any]:
        """All that is kept about somebody, as plain data."""
        found = await self.profile(person)
        if found is None:
            return {}
        async with self._database.reading() as session:
            said = (await session.scalars(select(ChatRow).where(ChatRow.person == person).order_by(ChatRow.id))).all()
            seats = (
                await session.execute(
                    select(TableRow.id, TableRow.name, MemberRow.role, MemberRow.joined)
                    .join(MemberRow, MemberRow.table == TableRow.id)
                    .where(MemberRow.person == person)
                )
            ).all()
        return {
            "profile": msgspec.to_builtins(found),
            "sessions": [msgspec.to_builtins(each) for each in await self.sessions(person)],
            "tables": [{"id": i, "name": n, "role": r, "joined": j.isoformat()} for i, n, r, j in seats],
            "chat": [{"table": row.table, "text": row.text, "made": row.made.isoformat()} for row in said],
        }

    # ------------------------------------------------------------ sessions

    async def sign_in(self, person: Person, kind: str = "browser", label: str = "", days: float | None = None) -> str:
        """A new secret by which somebody is known from now on."""
        secret = new_secret()
        lasts = timedelta(days=days or (BROWSER_DAYS if person.is_account else GUEST_DAYS))
        row = SessionRow(
            id=digest_of(secret), person=person.id, kind=kind, label=label[:200], created=now(), expires=now() + lasts
        )
        async with self._database.writing() as session:
            session.add(row)
            await session.execute(update(PersonRow).where(PersonRow.id == person.id).values(seen=now()))
        return secret

    async def whose(self, secret: str, kinds: tuple[str, ...] = ("browser", "token")) -> Person | None:
        """Who has this secret. Believed for some seconds without asking again."""
        key = digest_of(secret)
        known = self._known.get(key)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        query = (
            select(PersonRow, SessionRow.kind)
            .join(SessionRow, SessionRow.person == PersonRow.id)
            .where(SessionRow.id == key, SessionRow.expires > now(), PersonRow.blocked.is_(False))
        )
        async with self._database.reading() as session:
            found = (await session.execute(query)).first()
        if found is None or found[1] not in kinds:
            self._known.pop(key, None)
            return None
        person = _person(found[0])
        if found[1] != "recovery":
            self._known[key] = (time.monotonic() + REMEMBERED, person)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
        return person

    async def sign_out(self, secret: str) -> None:
        self._known.pop(digest_of(secret), None)
        async with self._database.writing() as session:
            await session.execute(delete(SessionRow).where(SessionRow.id == digest_of(secret)))

    async def sign_out_everywhere(self, person: str) -> None:
        async with self._database.writing() as session:
            await session.execute(delete(SessionRow).where(SessionRow.person == person))
        self._forget(person)

    async def sessions(self, person: str) -> list[Signed]:
        query = select(SessionRow).where(SessionRow.person == person).order_by(SessionRow.created)
        async with self._database.reading() as session:
            return [
                Signed(id=row.id[:16], kind=row.kind, label=row.label, created=row.created, expires=row.expires)
                for row in (await session.scalars(query)).all()
            ]

    async def end_session(self, person: str, start: str) -> bool:
        """End one of somebody's own sessions, named by the beginning of its digest."""
        async with self._database.writing() as session:
            own = SessionRow.person == person, SessionRow.id.startswith(start, autoescape=True)
            gone = (await session.scalars(delete(SessionRow).where(*own).returning(SessionRow.id))).all()
        self._forget(person)
        return bool(gone)

    async def tidy(self) -> None:
        """Forget sessions that are over, and guests who have none and sit nowhere."""
        async with self._database.writing() as session:
            await session.execute(delete(SessionRow).where(SessionRow.expires < now()))
            await session.execute(
                delete(PersonRow).where(
                    PersonRow.login.is_(None),
                    PersonRow.created < now() - timedelta(days=1),
                    ~or_(
                        select(SessionRow.id).where(SessionRow.person == PersonRow.id).exists(),
                        select(MemberRow.table).where(MemberRow.person == PersonRow.id).exists(),
                    ),
                )
            )

    def _forget(self, person: str) -> None:
        for key in [key for key, (_, known) in self._known.items() if known.id == person]:
            del self._known[key]


def _person(row: PersonRow) -> Person:
    return Person(id=row.id, name=row.name, is_account=row.login is not None, is_admin=row.admin)


def _profile(row: PersonRow) -> Profile:
    return Profile(
        person=_person(row),
        email=row.email,
        blocked=row.blocked,
        settings=msgspec.json.decode(row.settings, type=PersonSettings),
        created=row.created,
        seen=row.seen,
    )
