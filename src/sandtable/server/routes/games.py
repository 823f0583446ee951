"""Making, listing, copying, importing and exporting games."""

from __future__ import annotations

import copy
import json
import re
import secrets
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from sandtable.archive import record, saves
from sandtable.engine.game import check_playable, check_seats, drawn_seats
from sandtable.errors import DataError, SandtableError
from sandtable.play import committed as dice
from sandtable.server import sight
from sandtable.server.access import AmongTables, Hosted, InLobby, InRoom, OfSettings, Somebody, WithLimits
from sandtable.server.bots import registry
from sandtable.server.bots.registry import HUMAN
from sandtable.server.bring import journal_of, new_id
from sandtable.server.calculator import AtCalculator
from sandtable.server.errors import ApiError, not_found
from sandtable.server.journal import Journal, copied
from sandtable.server.people import Person
from sandtable.server.quotas import Limits
from sandtable.server.rooms import Lobby, Room
from sandtable.server.routes.answers import answer
from sandtable.server.settings import Settings
from sandtable.server.storage.store import Header, Seat
from sandtable.server.storage.tablestore import TableData, TableStore
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
async def create_game(
    body: NewGame, lobby: InLobby, person: Somebody, tables: AmongTables, limits: WithLimits, settings: OfSettings
) -> GameView:
    """A new game. Where people are known, it is one's own: all seats of people are played by whoever makes it."""
    await _may_make(person, tables, limits, settings)
    check_edits(body.edits)
    world = compile_world(body.scenario, body.options, parse_edits(body.edits))
    check_playable(world)
    if body.seed is not None and not person.is_local:
        raise ApiError(422, "data", "Here the server draws the dice: a game cannot be given a seed.")
    seed = _seed(person) if body.seed is None else body.seed
    header = Header(
        id=new_id(),
        name=body.name or world.scenario_name,
        scenario=world.scenario,
        options=dict(world.options),
        edits=body.edits,
        seats=_own(dealt(world, seats_from(world, body.seats), seed), person),
        seed=seed,
    )
    room = await lobby.create(Journal(header))
    await _add_table(tables, person, room)
    return await _view(lobby, room, person)


async def _may_make(person: Person, tables: TableStore, limits: Limits, settings: Settings) -> None:
    if person.is_local:
        return
    limits.check("tables", person.id)
    if await tables.number_of(person.id) >= settings.tables_each:
        raise ApiError(409, "forbidden", f"You have {settings.tables_each} games going already. End one of them first.")


def _seed(person: Person) -> str:
    return secrets.token_hex(8) if person.is_local else dice.seed_of(dice.new_secret(), {})


def _own(seats: tuple[Seat, ...], person: Person) -> tuple[Seat, ...]:
    """Seats of people are played by this person; nobody else is known yet."""
    return tuple(msgspec.structs.replace(seat, person=person.id if seat.player == HUMAN else "") for seat in seats)


async def _add_table(tables: TableStore, person: Person, room: Room) -> None:
    """Where people are known, every game has a table; others can be let in there."""
    if person.is_local:
        return
    header = room.journal.header
    found = dice.read(header.seed)
    data = TableData(
        scenario=header.scenario,
        options=header.options,
        edits=header.edits,
        secret=found.secret if found is not None else "",
        connection="computer",
        rated=False,
    )
    await tables.create(room.id, person, name=header.name, visibility="link", data=data, stage="playing")


@router.get("", operation_id="listGames")
async def list_games(
    lobby: InLobby,
    person: Somebody,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> list[GameSummary]:
    """Games, the one that was played last first; where people are known, one's own."""
    games = await lobby.store.games(limit, skip, None if person.is_local else person.id)
    return [summary_view(listed, lobby.damaged.get(listed.id, "")) for listed in games]


@router.post("/import", status_code=201, operation_id="importGame")
async def import_game(
    body: ImportBody,
    lobby: InLobby,
    person: Somebody,
    tables: AmongTables,
    limits: WithLimits,
    settings: OfSettings,
    calculator: AtCalculator,
) -> GameView:
    """A game from the text of a save, as a new one. Where people are known, its coming dice are drawn anew."""
    await _may_make(person, tables, limits, settings)
    limits.check("imports", person.id)

    def read() -> Journal:
        game = saves.from_text(body.text)
        seats = None if body.seats is None else seats_from(game.world, body.seats)
        journal = journal_of(game, body.name, seats)
        if person.is_local:
            return journal
        header = msgspec.structs.replace(journal.header, seats=_own(journal.header.seats, person), seed=_seed(person))
        return copied(header, journal.game.entries)

    room = await lobby.create(await calculator.work(read, person.id))
    await _add_table(tables, person, room)
    return await _view(lobby, room, person)


@router.get("/{game}", operation_id="getGame")
async def get_game(room: InRoom, lobby: InLobby, person: Somebody) -> GameView:
    """How a game was set up, and where it stands."""
    return await _view(lobby, room, person)


@router.get("/{game}/world", operation_id="getGameWorld")
async def get_game_world(room: InRoom) -> WorldView:
    """What never changes in this game, with its options and edits."""
    return world_view(room.journal.game.world)


@router.patch("/{game}", operation_id="renameGame")
async def rename_game(
    body: Rename, game: Hosted, room: InRoom, lobby: InLobby, person: Somebody, tables: AmongTables
) -> GameView:
    """Give a game another name."""
    await lobby.rename(game, body.name)
    table = None if person.is_local else await tables.read(game)
    if table is not None:
        await tables.change(table, name=body.name, check=False)
    return await _view(lobby, room, person)


@router.delete("/{game}", status_code=204, operation_id="deleteGame")
async def delete_game(game: Hosted, lobby: InLobby, person: Somebody, tables: AmongTables) -> None:
    """Remove a game for good, also a damaged one."""
    if not await lobby.delete(game):
        raise not_found(f"There is no game {game!r}.")
    if not person.is_local:
        await tables.delete(game)


@router.post("/{game}/copy", status_code=201, operation_id="copyGame")
async def copy_game(
    room: InRoom,
    lobby: InLobby,
    person: Somebody,
    tables: AmongTables,
    limits: WithLimits,
    settings: OfSettings,
    at: Annotated[int | None, Query(description="orders that are kept; all of them, if nothing is said")] = None,
    into: Annotated[Into, Query(description="a game of its own, or the same one gone back")] = "new",
    version: int | None = None,
) -> GameView:
    """Go on from a point of the time machine, in a new game or in this one.

    Where people are known, a copy is one's own, and its coming dice are others: it tells nothing about the game.
    """
    if into == "same":
        async with room.reading(person) as journal:
            place = journal.place if at is None else at
        await room.rewind(place, version, person)
        return await _view(lobby, room, person)
    await _may_make(person, tables, limits, settings)
    async with room.reading_all():
        journal = _whole(room, person)
        place = journal.place if at is None else at
        state = journal.state_at(place)
        old = journal.header
        header = Header(
            id=new_id(),
            name=f"{old.name}, round {state.round}"[:100],
            scenario=old.scenario,
            options=old.options,
            edits=old.edits,
            seats=journal.seats if person.is_local else _own(journal.seats, person),
            seed=old.seed if person.is_local else _seed(person),
            start=old.start,
            opening=journal.game.opening.faces,
        )
        branch = copied(header, journal.game.entries[:place])
    made = await lobby.create(branch)
    await _add_table(tables, person, made)
    return await _view(lobby, made, person)


@router.get("/{game}/export", operation_id="exportGame")
async def export_game(room: InRoom, person: Somebody, tables: AmongTables) -> Exported:
    """The game as the text of a save, which the command line and every other server reads.

    As long as people play it, the save has the commitment in the place of the seed: its coming dice are others.
    """
    over = await _is_over(room, person, tables)
    async with room.reading_all():
        journal = room.journal if over else _whole(room, person)
        game = copy.copy(journal.game)
        game.seed = dice.shown(game.seed, over=over)
        text = game.to_text()
        name = journal.header.name
    file = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "game"
    return Exported(name=name, file=f"{file}.sandtable", text=text)


def _whole(room: Room, person: Person) -> Journal:
    """A game with all its orders. Raises ApiError if they tell what this person may not know yet."""
    if not room.ended and sight.hides_orders(room.journal, person):
        raise ApiError(409, "forbidden", "Some projects are hidden in this game: it can be copied when it is over.")
    return room.journal


async def _is_over(room: Room, person: Person, tables: TableStore) -> bool:
    """Whether the dice of a game may be known."""
    if person.is_local or room.journal.game.state.over:
        return True
    table = await tables.find(room.id)
    return table is not None and table.stage == "over"


@router.post("/{game}/seats/{seat}", operation_id="changeSeat", response_model=ChangeView)
async def change_seat(seat: str, body: SeatChange, game: Hosted, room: InRoom, person: Somebody) -> Response:
    """Take a seat over from a bot, or give it to one. Where others sit at the table, their seats stay theirs."""
    old = room.journal.seat(seat)
    if not person.is_local and old.person not in ("", person.id):
        raise ApiError(409, "taken", f"{old.name} is played by somebody else.")
    sits = person.id if body.player == HUMAN else ""
    change = await room.sit(seat, body.player, body.style, body.version, person, person=sits)
    journal = room.seen(person)
    return answer(change_view(journal, journal.changes[change.number - 1]))


@router.post("/{game}/bots", operation_id="runBots")
async def run_bots(body: BotsBody, game: Hosted, room: InRoom, lobby: InLobby, person: Somebody) -> GameView:
    """Stop the bots of a game, or let them go on."""
    await room.run_bots(body.running)
    return await _view(lobby, room, person)


@router.post("/{game}/hurry", status_code=204, operation_id="hurryBot", response_class=Response)
async def hurry_bot(game: Hosted, room: InRoom) -> Response:
    """Let the bot that is thinking be quick, until the turn is over."""
    await room.hurry()
    return Response(status_code=204)


async def _view(lobby: Lobby, room: Room, person: Person) -> GameView:
    listed = await lobby.store.listed(room.id)
    if listed is None:
        raise not_found("The game has just been deleted.")
    async with room.reading(person) as journal:
        over = person.is_local or journal.game.state.over
        return game_view(journal, listed, bots_running=room.bots_running, over=over)


def check_edits(edits: dict[str, Any]) -> None:
    """Edits that can be written down and played: plain data with numbers that are not absurd."""
    try:
        plain = json.dumps(edits, ensure_ascii=False)
        plain.encode()
        record.data(plain)
    except (ValueError, RecursionError) as error:
        raise DataError([f"edits: {error}"]) from None


def dealt(world: World, seats: tuple[Seat, ...], seed: int | str) -> tuple[Seat, ...]:
    """The seats with what their players draw, where that is not theirs to choose."""
    if not world.seats.drawn:
        return seats
    drawn = drawn_seats(world, {seat.name: seat.powers for seat in seats}, seed)
    return tuple(
        msgspec.structs.replace(seat, name=name, powers=powers)
        for seat, (name, powers) in zip(seats, drawn.items(), strict=True)
    )


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
