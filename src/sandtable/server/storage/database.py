"""The database file: opened, brought up to date, and set so that a committed order survives whatever happens next."""

from __future__ import annotations

from pathlib import Path

import aiosqlite  # noqa: F401 (SQLAlchemy asks for it when a database is opened, too late to say what is missing)
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from sandtable.errors import SandtableError


class DatabaseDamaged(SandtableError):
    """The file with the games cannot be used."""


async def open_database(file: Path) -> AsyncEngine:
    """The database in this file, made or migrated as needed. Raises DatabaseDamaged; the file is then left alone."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseDamaged(f"{file.parent} cannot hold games: {error.strerror or error}.") from None
    engine = create_async_engine(f"sqlite+aiosqlite:///{file}")
    event.listen(engine.sync_engine, "connect", _prepare)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
    except OperationalError as error:
        await engine.dispose()
        raise DatabaseDamaged(f"{file} cannot be opened: {error.orig}.") from None
    except DatabaseError as error:
        await engine.dispose()
        raise DatabaseDamaged(
            f"{file} is damaged, or no file of ours: {error.orig}. Move it away, and a new one will be made."
        ) from None
    except SandtableError:
        await engine.dispose()
        raise
    return engine


def _prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Write ahead, and wait until the disk has it: an order that was answered is there after a power cut, too."""
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest form."""
    from alembic.script import ScriptDirectory

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
