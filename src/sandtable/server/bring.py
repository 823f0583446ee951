"""Games from elsewhere: a saved file, the command line. They become games of the server with its own storage."""

from __future__ import annotations

import secrets

from sandtable.archive.game import SavedGame
from sandtable.play.seating import sitting_bot
from sandtable.server.journal import Journal, copied, header_of
from sandtable.server.settings import Settings
from sandtable.server.storage.connection import Database
from sandtable.server.storage.store import Seat, Store


def new_id() -> str:
    return secrets.token_hex(6)


def seats_of(game: SavedGame) -> tuple[Seat, ...]:
    """The seats of a game from elsewhere, with the bots that sit in them by name."""
    found = []
    for name, powers in game.seats.items():
        player, _, style = (sitting_bot(name) or "human").partition("-")
        found.append(Seat(name=name, powers=powers, player=player, style=style))
    return tuple(found)


def journal_of(game: SavedGame, name: str | None = None, seats: tuple[Seat, ...] | None = None) -> Journal:
    """The game as it stands, as a new game of the server."""
    title = (name or game.world.scenario_name)[:100]
    header = header_of(game, game_id=new_id(), name=title, seats=seats_of(game) if seats is None else seats)
    return copied(header, game.entries[: game.cursor])


async def bring(settings: Settings, game: SavedGame, name: str | None = None) -> str:
    """Store a game before the server starts, and give its id."""
    journal = journal_of(game, name)
    store = Store(await Database.open(settings.database))
    try:
        await store.create(journal.header, [journal.step(change) for change in journal.changes], journal.summary())
    finally:
        await store.close()
    return journal.header.id


async def latest(settings: Settings) -> str | None:
    """The game that was played last and is not over."""
    store = Store(await Database.open(settings.database))
    try:
        games = await store.games(limit=100)
    finally:
        await store.close()
    return next((game.id for game in games if game.summary is not None and not game.summary.over), None)
