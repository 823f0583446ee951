"""`sandtable serve` and `sandtable admin`: a server for several people, and what its keeper does."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sandtable.cli.arguments import UsageError
from sandtable.server import NEEDED

if TYPE_CHECKING:
    from sandtable.server.settings import Settings
    from sandtable.server.storage.connection import Database
    from sandtable.server.storage.people import People, Profile

T = TypeVar("T")


def settings_from(
    database: str | None, *, data_dir: Path | None = None, environment: dict[str, str] | None = None
) -> Settings:
    """Settings of the environment, and on top of them what was said on the command line."""
    try:
        from sandtable.server.settings import Settings, from_environment
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise UsageError("The server needs a few packages more: pip install 'sandtable[server]'.") from None
    workers = max(1, (os.cpu_count() or 2) - 1)
    base = Settings(people=True, bot_workers=workers, calculators=workers, loaded_games=400)
    chosen = from_environment(base, environment)
    if data_dir is not None:
        chosen = replace(chosen, data_dir=data_dir)
    if database:
        chosen = replace(chosen, database_url=database)
    return chosen


def serve(
    *,
    host: str | None,
    port: int | None,
    database: str | None,
    data_dir: Path | None,
    public_url: str | None,
    names: list[str],
    origins: list[str],
    proxies: str | None,
    closed: bool,
    announce: bool,
) -> None:
    """Run a server for several people until it is interrupted."""
    from sandtable.server.run import PORT
    from sandtable.server.run import serve as run

    chosen = settings_from(database, data_dir=data_dir)
    if public_url is not None:
        chosen = replace(chosen, public_url=public_url.rstrip("/"))
    if chosen.public_url and not chosen.public_url.startswith(("http://", "https://")):
        raise UsageError("The public address begins with http:// or https://.")
    chosen = replace(
        chosen,
        names=(*chosen.names, *names),
        origins=(*chosen.origins, *origins),
        proxies=proxies if proxies is not None else chosen.proxies,
        registration="closed" if closed else chosen.registration,
        announce=announce or chosen.announce,
    )
    wanted = port if port is not None else int(os.environ.get("SANDTABLE_PORT", PORT))
    run(host or chosen.host, wanted, open_browser=False, settings=chosen)


def _with_people(settings: Settings, work: Callable[[People, Database], Awaitable[T]]) -> T:
    async def run() -> T:
        from sandtable.server.storage.connection import Database
        from sandtable.server.storage.people import People

        database = await Database.open(settings.database)
        try:
            return await work(People(database), database)
        finally:
            await database.close()

    return asyncio.run(run())


async def _account(people: People, name: str) -> Profile:
    found = await people.account(name)
    if found is None:
        raise UsageError(f"There is no account {name!r}.")
    return found[0]


def users(settings: Settings) -> list[str]:
    """A line for everybody."""

    async def work(people: People, _: Database) -> list[str]:
        lines = []
        for each in await people.everybody():
            marks = [
                "account" if each.person.is_account else "guest",
                *(["admin"] if each.person.is_admin else []),
                *(["blocked"] if each.blocked else []),
            ]
            lines.append(f"{each.person.id}  {each.person.name}  {', '.join(marks)}  seen {each.seen:%Y-%m-%d}")
        return lines

    return _with_people(settings, work)


def add_user(settings: Settings, name: str, *, admin: bool, password: str | None) -> str:
    """A new account; its password."""

    async def work(people: People, _: Database) -> str:
        from sandtable.server.people import Passwords

        chosen = password or secrets.token_urlsafe(12)
        await people.add(name, password=await Passwords().hash(chosen), admin=admin)
        return chosen

    return _guarded(lambda: _with_people(settings, work))


def set_password(settings: Settings, name: str, password: str | None) -> str:
    async def work(people: People, _: Database) -> str:
        from sandtable.server.people import Passwords

        profile = await _account(people, name)
        chosen = password or secrets.token_urlsafe(12)
        await people.set_password(profile.person.id, await Passwords().hash(chosen))
        return chosen

    return _guarded(lambda: _with_people(settings, work))


def change_user(settings: Settings, name: str, *, admin: bool | None = None, blocked: bool | None = None) -> None:
    async def work(people: People, _: Database) -> None:
        profile = await _account(people, name)
        await people.set_rights(profile.person.id, admin=admin, blocked=blocked)

    _with_people(settings, work)


def remove_user(settings: Settings, name: str) -> None:
    async def work(people: People, _: Database) -> None:
        await people.remove((await _account(people, name)).person.id)

    _with_people(settings, work)


def reports(settings: Settings) -> list[str]:
    """Messages that were reported."""

    async def work(people: People, database: Database) -> list[str]:
        from sandtable.server.storage.tablestore import TableStore

        lines = []
        for each in await TableStore(database).reports():
            who = await people.profile(each.person)
            name = who.person.name if who is not None else "somebody"
            lines.append(f"{each.id}  {each.made:%Y-%m-%d %H:%M}  table {each.table}  {name}: {each.text}")
        return lines

    return _with_people(settings, work)


def remove_message(settings: Settings, number: int) -> None:
    async def work(_: People, database: Database) -> None:
        from sandtable.server.storage.tablestore import TableStore

        await TableStore(database).unsay(number)

    _with_people(settings, work)


def statistics(settings: Settings) -> dict[str, int]:
    async def work(_: People, database: Database) -> dict[str, int]:
        from sandtable.server.storage.store import Store

        return await Store(database).statistics()

    return _with_people(settings, work)


def backup(settings: Settings, file: Path) -> None:
    """A copy of everything, made while the server runs."""
    if file.exists():
        raise UsageError(f"{file} exists already.")
    place = settings.database
    if isinstance(place, Path):
        if not place.exists():
            raise UsageError(f"There is no database {place}.")
        source, target = sqlite3.connect(place), sqlite3.connect(file)
        with source, target:
            source.backup(target)
        source.close()
        target.close()
        return
    program = shutil.which("pg_dump")
    if program is None:
        raise UsageError("A backup of PostgreSQL needs its program pg_dump.")
    done = subprocess.run(  # noqa: S603
        [program, "--format=custom", f"--file={file}", "--dbname", str(place)], capture_output=True, text=True
    )
    if done.returncode:
        raise UsageError(f"pg_dump failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else '?'}")


def _guarded(work: Callable[[], T]) -> T:
    """What the server would answer to a browser is a sentence here, too."""
    from sandtable.server.errors import ApiError

    try:
        return work()
    except ApiError as error:
        raise UsageError(str(error)) from None
