"""The database: opened, brought up to date, and set so that a committed order survives whatever happens next.

SQLite in a file is what one computer needs. PostgreSQL, by its URL, is for several server processes on one database:
what one of them writes, the others hear of (`news.py`).
"""

from __future__ import annotations

import sqlite3
from importlib.util import find_spec
from pathlib import Path

import aiosqlite  # noqa: F401 (SQLAlchemy asks for it when a database is opened, too late to say what is missing)
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from sandtable.errors import SandtableError

MIGRATING = 0x5A9D7AB1E  # the advisory lock of whoever migrates: two processes that start together do it once
POOL = 10  # connections to PostgreSQL that are kept; as many more may be opened


class DatabaseDamaged(SandtableError):
    """The place of the games cannot be used."""


async def open_database(place: Path | str) -> AsyncEngine:
    """The database in this file or at this URL, made or migrated. Raises DatabaseDamaged and leaves all as it was."""
    if isinstance(place, str):
        return await _migrated(_connect(_url(place)), f"The database {_shown(place)}", "")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseDamaged(f"{place.parent} cannot hold games: {error.strerror or error}.") from None
    return await _migrated(_connect(_sqlite(place)), str(place), " Move it away, and a new one will be made.")


def _url(text: str) -> URL:
    try:
        url = make_url(text)
    except ArgumentError:
        raise DatabaseDamaged("The database's address is no URL; for example postgresql://user@host/name.") from None
    if url.get_backend_name() == "sqlite":
        return _sqlite(Path(url.database or ""))
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise DatabaseDamaged(f"Games are kept in SQLite or PostgreSQL, not in {url.get_backend_name()}.")
    if find_spec("psycopg") is None:
        raise DatabaseDamaged("PostgreSQL needs a package more: pip install 'sandtable[postgres]'.")
    return url.set(drivername="postgresql+psycopg")


def _sqlite(file: Path) -> URL:
    return URL.create("sqlite+aiosqlite", database=str(file))


def _shown(text: str) -> str:
    try:
        return make_url(text).render_as_string(hide_password=True)
    except ArgumentError:
        return "at that address"


def _connect(url: URL) -> AsyncEngine:
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url)
        event.listen(engine.sync_engine, "connect", _prepare)
        return engine
    return create_async_engine(url, pool_size=POOL, max_overflow=POOL, pool_pre_ping=True)


def plain_engine(url: URL) -> Engine:
    """The same SQLite file without coroutines, for whoever has a thread of his own: a fraction of the work."""
    engine = create_engine(url.set(drivername="sqlite+pysqlite"))
    event.listen(engine, "connect", _prepare)
    return engine


async def _migrated(engine: AsyncEngine, what: str, advice: str) -> AsyncEngine:
    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
    except OperationalError as error:
        await engine.dispose()
        raise DatabaseDamaged(f"{what} cannot be opened: {_first_line(error.orig)}.") from None
    except DatabaseError as error:
        await engine.dispose()
        raise DatabaseDamaged(f"{what} is damaged, or none of ours: {_first_line(error.orig)}.{advice}") from None
    except SandtableError:
        await engine.dispose()
        raise
    return engine


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or ["it does not answer"])[0].rstrip(".")


def _prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Write ahead, and wait until the disk has it: an order that was answered is there after a power cut, too."""
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest form."""
    from alembic.script import ScriptDirectory

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    config = configuration()
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    unknown = set(_revisions(connection)) - known
    if unknown:
        raise DatabaseDamaged("The games were kept by a newer version of Sandtable: this one cannot read them.")
    command.upgrade(config, "head")


def _revisions(connection: Connection) -> tuple[str, ...]:
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_heads()


def configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", "sandtable.server.storage:migrations")
    return config


def why(error: BaseException) -> str:
    """What went wrong with the database, in words."""
    cause: BaseException | None = getattr(error, "orig", None) or error
    told = str(cause).lower()
    if "disk is full" in told or "no space left" in told or "could not extend file" in told:
        return "the disk is full; make room, and try again"
    if "locked" in told and isinstance(cause, sqlite3.Error):
        return "the database is busy; try again in a second"
    if "readonly" in told or "read-only" in told:
        return "the database cannot be written to"
    if "disk i/o error" in told:
        return "the disk does not take it"
    if isinstance(error, OperationalError):
        return "the database does not answer; try again in a second"
    return f"the database refused it ({type(error).__name__})"
