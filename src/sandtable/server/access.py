"""Who is asking, and what that person may do here.

On a server for one machine everybody who reaches it sits at the same table and may do everything. Where people are
known, routes get games, tables and people through here and nowhere else: to see a game one has to be at its table, and
for whoever is not there, there is no such game.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from sandtable.server.errors import ApiError, not_found
from sandtable.server.people import LOCAL, Person
from sandtable.server.quotas import Limits
from sandtable.server.rooms import Lobby, Room
from sandtable.server.settings import Settings
from sandtable.server.storage.people import People
from sandtable.server.storage.tablestore import Table, TableStore

COOKIE = "sandtable"
SECURE_COOKIE = "__Host-sandtable"  # a browser takes it over TLS only, and from this host only


# Whatever a route asks for is given by coroutines: a plain function would be run in a thread, each time anew.


async def the_settings(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


async def the_lobby(connection: HTTPConnection) -> Lobby:
    lobby: Lobby = connection.app.state.lobby
    return lobby


async def the_people(connection: HTTPConnection) -> People:
    people: People = connection.app.state.people
    return people


async def the_tables(connection: HTTPConnection) -> TableStore:
    tables: TableStore = connection.app.state.tables
    return tables


async def the_limits(connection: HTTPConnection) -> Limits:
    limits: Limits = connection.app.state.limits
    return limits


GameId = Annotated[str, Path(max_length=60, description="the game")]
InLobby = Annotated[Lobby, Depends(the_lobby)]
OfSettings = Annotated[Settings, Depends(the_settings)]
AmongPeople = Annotated[People, Depends(the_people)]
AmongTables = Annotated[TableStore, Depends(the_tables)]
WithLimits = Annotated[Limits, Depends(the_limits)]


def cookie_name(settings: Settings) -> str:
    return SECURE_COOKIE if settings.is_https else COOKIE


def secret_of(connection: HTTPConnection) -> str:
    """The secret that a browser or a program has sent along."""
    header = connection.headers.get("authorization", "")
    if header[:7].lower() == "bearer ":
        return header[7:].strip()[:200]
    return connection.cookies.get(cookie_name(connection.app.state.settings), "")[:200]


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client is not None else ""


async def whoever(connection: HTTPConnection) -> Person | None:
    """Who is asking, if that is known."""
    if not connection.app.state.settings.people:
        return LOCAL
    secret = secret_of(connection)
    return await connection.app.state.people.whose(secret) if secret else None


async def somebody(connection: HTTPConnection) -> Person:
    """Who is asking. Raises ApiError if that is not known, or if it is too often."""
    person = await whoever(connection)
    limits: Limits = connection.app.state.limits
    if person is None:
        limits.check("strangers", address_of(connection))
        raise ApiError(401, "sign-in", "Say who you are first: a name is enough.")
    if not person.is_local:
        limits.check("requests", person.id)
    return person


Anybody = Annotated[Person | None, Depends(whoever)]
Somebody = Annotated[Person, Depends(somebody)]


async def an_admin(person: Somebody) -> Person:
    if not person.is_admin:
        raise ApiError(403, "forbidden", "Only an administrator may do that.")
    return person


Admin = Annotated[Person, Depends(an_admin)]


async def seen_by(person: Person, game: str, tables: TableStore) -> Table | None:
    """The table of a game, None on a server for one machine. Raises ApiError if it is not this person's business."""
    if person.is_local:
        return None
    table = await tables.find(game)
    if table is None and person.is_admin:
        return None  # a game from before there were people
    if table is None or not table.role(person):
        raise not_found(f"There is no game {game[:60]!r}.")
    return table


async def the_room(game: GameId, lobby: InLobby, person: Somebody, tables: AmongTables) -> AsyncIterator[Room]:
    """The room of a game that this person may look at."""
    await seen_by(person, game, tables)
    room = await lobby.open(game)
    with room.in_use():
        yield room


async def the_hosted(game: GameId, person: Somebody, tables: AmongTables) -> str:
    """The id of a game whose host this person is."""
    table = await seen_by(person, game, tables)
    if table is not None and table.role(person) != "host" and not person.is_admin:
        raise ApiError(403, "forbidden", "Only the host may do that.")
    return game


InRoom = Annotated[Room, Depends(the_room)]
Hosted = Annotated[str, Depends(the_hosted)]


async def the_table(table: Annotated[str, Path(max_length=60)], person: Somebody, tables: AmongTables) -> Table:
    """A table at which this person is."""
    if person.is_local:
        raise ApiError(403, "forbidden", "This server is for one machine: `sandtable serve` is for several people.")
    found = await tables.find(table)
    if found is None or not found.role(person):
        raise not_found(f"There is no table {table[:60]!r}.")
    return found


async def the_own_table(found: Annotated[Table, Depends(the_table)], person: Somebody) -> Table:
    """A table whose host this person is."""
    if found.role(person) != "host" and not person.is_admin:
        raise ApiError(403, "forbidden", "Only the host may do that.")
    return found


AtTable = Annotated[Table, Depends(the_table)]
AtOwnTable = Annotated[Table, Depends(the_own_table)]
