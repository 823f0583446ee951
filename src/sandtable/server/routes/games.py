"""Making, listing, copying, importing and exporting games."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from sandtable.archive import record, saves
from sandtable.engine.game import check_playable, check_seats
from sandtable.errors import DataError, SandtableError
from sandtable.server.access import GameId, InLobby, InRoom
from sandtable.server.bots import registry
from sandtable.server.bots.registry import HUMAN
from sandtable.server.bring import journal_of, new_id
from sandtable.server.errors import not_found
from sandtable.server.journal import Journal, copied
from sandtable.server.rooms import Lobby, Room
from sandtable.server.routes.answers import answer
from sandtable.server.storage.store import Header, Seat
from sandtable.server.views.catalogue import WorldView, world_view
from sandtable.server.views.changes import ChangeView, change_view
from sandtable.server.views.games import (
    BotsBody,
    Exported,
    GameSummary,
    GameView,
    ImportBody,
    Into,
    NewGame,
    Rename,
    SeatBody,
    SeatChange,
    game_view,
    summary_view,
)
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import World

router = APIRouter(prefix="/api/games", tags=["games"])


@router.post("", status_code=201, operation_id="createGame")
async def create_game(body: NewGame, lobby: InLobby) -> GameView:
    """A new game."""
    check_edits(body.edits)
    world = compile_world(body.scenario, body.options, parse_edits(body.edits))
    check_playable(world)
    header = Header(
        id=new_id(),
        name=body.name or world.scenario_name,
        scenario=world.scenario,
        options=dict(world.options),
        edits=body.edits,
        seats=seats_from(world, body.seats),
        seed=secrets.token_hex(8) if body.seed is None else body.seed,
    )
    return await _view(lobby, await lobby.create(Journal(header)))


@router.get("", operation_id="listGames")
async def list_games(lobby: InLobby) -> list[GameSummary]:
    """All games, the one that was played last first."""
    return [summary_view(listed, lobby.damaged.get(listed.id, "")) for listed in await lobby.store.games()]


@router.post("/import", status_code=201, operation_id="importGame")
async def import_game(body: ImportBody, lobby: InLobby) -> GameView:
    """A game from the text of a save, as a new one."""
    game = await asyncio.to_thread(saves.from_text, body.text)
    seats = None if body.seats is None else seats_from(game.world, body.seats)
    journal = await asyncio.to_thread(journal_of, game, body.name, seats)
    return await _view(lobby, await lobby.create(journal))


@router.get("/{game}", operation_id="getGame")
async def get_game(room: InRoom, lobby: InLobby) -> GameView:
    """How a game was set up, and where it stands."""
    return await _view(lobby, room)


@router.get("/{game}/world", operation_id="getGameWorld")
async def get_game_world(room: InRoom) -> WorldView:
    """What never changes in this game, with its options and edits."""
    return world_view(room.journal.game.world)


@router.patch("/{game}", operation_id="renameGame")
async def rename_game(body: Rename, room: InRoom, lobby: InLobby) -> GameView:
    """Give a game another name."""
    await lobby.rename(room.id, body.name)
    return await _view(lobby, room)


@router.delete("/{game}", status_code=204, operation_id="deleteGame")
async def delete_game(game: GameId, lobby: InLobby) -> None:
    """Remove a game for good, also a damaged one."""
    if not await lobby.delete(game):
        raise not_found(f"There is no game {game!r}.")


@router.post("/{game}/copy", status_code=201, operation_id="copyGame")
async def copy_game(
    room: InRoom,
    lobby: InLobby,
    at: Annotated[int | None, Query(description="orders that are kept; all of them, if nothing is said")] = None,
    into: Annotated[Into, Query(description="a game of its own, or the same one gone back")] = "new",
    version: int | None = None,
) -> GameView:
    """Go on from a point of the time machine, in a new game or in this one."""
    if into == "same":
        async with room.reading() as journal:
            place = journal.place if at is None else at
        await room.rewind(place, version)
        return await _view(lobby, room)
    async with room.reading() as journal:
        place = journal.place if at is None else at
        state = journal.state_at(place)
        old = journal.header
        header = Header(
            id=new_id(),
            name=f"{old.name}, round {state.round}"[:100],
            scenario=old.scenario,
            options=old.options,
            edits=old.edits,
            seats=journal.seats,
            seed=old.seed,
            start=old.start,
            opening=old.opening,
        )
        copy = copied(header, journal.game.entries[:place])
    return await _view(lobby, await lobby.create(copy))


@router.get("/{game}/export", operation_id="exportGame")
async def export_game(room: InRoom) -> Exported:
    """The game as the text of a save, which the command line and every other server reads."""
    async with room.reading() as journal:
        text = journal.game.to_text()
        name = journal.header.name
    file = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "game"
    return Exported(name=name, file=f"{file}.sandtable", text=text)


@router.post("/{game}/seats/{seat}", operation_id="changeSeat", response_model=ChangeView)
async def change_seat(seat: str, body: SeatChange, room: InRoom) -> Response:
    """Take a seat over from a bot, or give it to one."""
    change = await room.sit(seat, body.player, body.style, body.version)
    return answer(change_view(room.journal, change))


@router.post("/{game}/bots", operation_id="runBots")
async def run_bots(body: BotsBody, room: InRoom, lobby: InLobby) -> GameView:
    """Stop the bots of a game, or let them go on."""
    await room.run_bots(body.running)
    return await _view(lobby, room)


async def _view(lobby: Lobby, room: Room) -> GameView:
    listed = await lobby.store.listed(room.id)
    if listed is None:
        raise not_found("The game has just been deleted.")
    async with room.reading() as journal:
        return game_view(journal, listed, bots_running=room.bots_running)


def check_edits(edits: dict[str, Any]) -> None:
    """Edits that can be written down and played: plain data with numbers that are not absurd."""
    try:
        plain = json.dumps(edits, ensure_ascii=False)
        plain.encode()
        record.data(plain)
    except (ValueError, RecursionError) as error:
        raise DataError([f"edits: {error}"]) from None


def seats_from(world: World, bodies: list[SeatBody] | None) -> tuple[Seat, ...]:
    """Seats as asked for, checked by the engine; by default every power has its own."""
    if bodies is None:
        return tuple(Seat(name=name, powers=powers) for name, powers in check_seats(world, None).items())
    names = [body.name for body in bodies]
    if len(set(names)) != len(names):
        raise SandtableError("Two seats cannot have the same name.")
    check_seats(world, {body.name: tuple(body.powers) for body in bodies})
    for body in bodies:
        if body.player != HUMAN:
            bot = registry.find(body.player)
            if body.style and body.style not in bot.styles:
                raise SandtableError(f"{body.player} has no style {body.style!r}.")
    return tuple(
        Seat(name=body.name, powers=tuple(body.powers), player=body.player, style=body.style) for body in bodies
    )
