"""Tables: the lobby, the set-up screen, who is there, chat, offers, and the live connection that tells of it all."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.websockets import WebSocketDisconnect

from sandtable.server.access import (
    AmongTables,
    AtOwnTable,
    AtTable,
    OfSettings,
    Somebody,
    WithLimits,
    somebody,
)
from sandtable.server.errors import ApiError, as_api_error, not_found
from sandtable.server.hub import Hub, Listener
from sandtable.server.ladder import Ladder
from sandtable.server.neighbours import Neighbourhood
from sandtable.server.people import Person
from sandtable.server.routes.games import check_edits
from sandtable.server.storage.tablestore import Clock, Given, Table, TableData, TableStore
from sandtable.server.tables import NOTICE, Seating, WithSeating
from sandtable.server.views.base import Model
from sandtable.server.views.changes import as_json
from sandtable.server.views.tables import (
    AnswerBody,
    AssignBody,
    ChatBody,
    ChatPage,
    ChatView,
    ClockBody,
    ContributionBody,
    LadderLine,
    MemberBody,
    NeighbourView,
    NewTable,
    OfferBody,
    PauseBody,
    PersonBody,
    SeatTakenBody,
    TableBeat,
    TableBody,
    TableChanged,
    TableError,
    TableLine,
    TableView,
    VacationBody,
    chat_view,
)

router = APIRouter(prefix="/api", tags=["tables"])

GONE, AWAY, SLOW, LATER = 4404, 4403, 4429, 1013


Limit = Annotated[int, Query(ge=1, le=200)]
Skip = Annotated[int, Query(ge=0, le=1_000_000)]


def _clock(body: ClockBody) -> Clock:
    if body.kind != "none" and body.seconds + body.reserve < 10:
        raise ApiError(422, "validation", "A clock needs at least ten seconds.")
    return Clock(kind=body.kind, seconds=body.seconds, reserve=body.reserve, vacation=body.vacation, late=body.late)


@router.post("/tables", status_code=201, operation_id="createTable")
async def create_table(
    body: NewTable, person: Somebody, seating: WithSeating, limits: WithLimits, settings: OfSettings
) -> TableView:
    """Host a game: a table with its set-up screen."""
    if not settings.people:
        raise ApiError(403, "forbidden", "This server is for one machine: `sandtable serve` is for several people.")
    limits.check("tables", person.id)
    check_edits(body.edits)
    data = TableData(
        scenario=body.scenario,
        options=body.options,
        edits=body.edits,
        connection=body.connection,
        clock=_clock(body.clock),
    )
    table = await seating.create(person, body.name, body.visibility, data)
    return await seating.company.view(table, person)


@router.get("/tables", operation_id="listTables")
async def list_tables(
    person: Somebody,
    tables: AmongTables,
    seating: WithSeating,
    public: Annotated[bool, Query(description="those that anybody may join or watch, instead of one's own")] = False,
    limit: Limit = 50,
    skip: Skip = 0,
) -> list[TableLine]:
    """One's own tables, those first in which it is one's turn; or public ones."""
    if person.is_local:
        return []
    if public:
        names = await tables.list_public(limit, skip)
    else:
        names = [name for name, _ in await tables.list_own(person.id, limit, skip)]
    lines = [await _line(seating, tables, name, person) for name in names]
    found = [line for line in lines if line is not None]
    return found if public else sorted(found, key=lambda line: (not line.your_turn, line.stage == "over"))


async def _line(seating: Seating, tables: TableStore, name: str, person: Person) -> TableLine | None:
    table = await tables.find(name)
    if table is None:
        return None
    listed = await seating.lobby.store.listed(name) if table.stage != "setup" else None
    summary = listed.summary if listed is not None else None
    mine = False
    if summary is not None and table.stage == "playing":
        mine = any(seat.is_asked(person.id, summary.answers) for seat in summary.seats)
    return TableLine(
        id=table.id,
        name=table.name,
        host=table.name_of(table.host),
        stage=table.stage,
        visibility=table.visibility,
        scenario=table.data.scenario,
        connection=table.data.connection,
        people=[member.name for member in table.players],
        most=table.data.most,
        round=summary.round if summary is not None else 0,
        answers=summary.answers if summary is not None else None,
        your_turn=mine,
        updated=max(table.updated, listed.updated) if listed is not None else table.updated,
    )


@router.post("/links/{link}", operation_id="followLink")
async def follow_link(link: str, person: Somebody, seating: WithSeating, limits: WithLimits) -> TableView:
    """Come to a table by a link: to play, or to look on."""
    limits.check("tables", person.id)
    table = await seating.join(link[:100], person)
    return await seating.company.view(table, person)


@router.post("/tables/{table}/join", operation_id="joinTable")
async def join_table(
    table: str,
    person: Somebody,
    tables: AmongTables,
    seating: WithSeating,
    watch: Annotated[bool, Query(description="only to look on")] = False,
) -> TableView:
    """Come to a public table."""
    found = await tables.find(table[:60])
    if found is None or (found.visibility != "public" and not found.role(person)):
        raise not_found(f"There is no table {table[:60]!r}.")
    entered = await seating.enter(found.id, person, "spectator" if watch else "player")
    return await seating.company.view(entered, person)


@router.get("/tables/{table}", operation_id="getTable")
async def get_table(found: AtTable, person: Somebody, seating: WithSeating) -> TableView:
    """A table: who is there, and what the host has set up."""
    return await seating.company.view(found, person)


@router.patch("/tables/{table}", operation_id="setUpTable")
async def set_up_table(body: TableBody, found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """The host changes name, rules, units or clocks. Everybody sees it."""
    if body.edits is not None:
        check_edits(body.edits)
    changed = await seating.set_up(
        found,
        name=body.name,
        visibility=body.visibility,
        scenario=body.scenario,
        options=body.options,
        edits=body.edits,
        connection=body.connection,
        clock=None if body.clock is None else _clock(body.clock),
        rated=body.rated,
    )
    return await seating.company.view(changed, person)


@router.post("/tables/{table}/reset", operation_id="resetTable")
async def reset_table(found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """All options back to their defaults."""
    return await seating.company.view(await seating.reset(found), person)


@router.post("/tables/{table}/assign", operation_id="assignPowers")
async def assign_powers(body: AssignBody, found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """The host decides who plays what."""
    given = {
        power: Given(person=each.person or "", player=each.player, style=each.style)
        for power, each in body.given.items()
    }
    return await seating.company.view(await seating.assign(found, given), person)


@router.post("/tables/{table}/dice", operation_id="addToDice")
async def add_to_dice(body: ContributionBody, found: AtTable, person: Somebody, seating: WithSeating) -> TableView:
    """Add something of one's own to the dice, before the game begins."""
    return await seating.company.view(await seating.contribute(found, person, body.text), person)


@router.post("/tables/{table}/begin", operation_id="beginGame")
async def begin_game(found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """The game begins for everybody. It has the same id as the table."""
    return await seating.company.view(await seating.begin(found), person)


@router.post("/tables/{table}/eject", operation_id="ejectPerson")
async def eject_person(body: PersonBody, found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """The host removes somebody from the game."""
    return await seating.company.view(await seating.eject(found, body.person), person)


@router.post("/tables/{table}/leave", status_code=204, operation_id="leaveTable", response_class=Response)
async def leave_table(found: AtTable, person: Somebody, seating: WithSeating) -> Response:
    """Go. What one played waits for somebody else."""
    if person.id not in found.members:
        raise ApiError(409, "forbidden", "You are not at this table.")
    await seating.leave(found, person)
    return Response(status_code=204)


@router.delete("/tables/{table}", status_code=204, operation_id="closeTable", response_class=Response)
async def close_table(found: AtOwnTable, seating: WithSeating) -> Response:
    """The host deletes the table, and its game, for good."""
    await seating.close(found)
    return Response(status_code=204)


@router.post("/tables/{table}/links", operation_id="renewLinks")
async def renew_links(found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """Other links; the old ones lead nowhere then."""
    return await seating.company.view(await seating.new_links(found), person)


@router.post("/tables/{table}/seats/{seat}", operation_id="takeSeat")
async def take_seat(
    seat: str, body: SeatTakenBody, found: AtTable, person: Somebody, seating: WithSeating
) -> TableView:
    """Sit down in a free seat or come back to one's own; the host gives free seats to others or to computers."""
    changed = await seating.take_seat(found, person, seat, person=body.person, player=body.player, style=body.style)
    return await seating.company.view(changed, person)


@router.post("/tables/{table}/pause", operation_id="pauseGame")
async def pause_game(body: PauseBody, found: AtOwnTable, person: Somebody, seating: WithSeating) -> TableView:
    """The host stops the game and its clocks, or lets them go on."""
    return await seating.company.view(await seating.course.pause(found, body.paused), person)


@router.post("/tables/{table}/vacation", operation_id="takeVacation")
async def take_vacation(body: VacationBody, found: AtTable, person: Somebody, seating: WithSeating) -> TableView:
    """Be away for some days: one's clock stands still."""
    return await seating.company.view(await seating.course.vacation(found, person, body.days), person)


@router.patch("/tables/{table}/me", operation_id="setMyOrders")
async def set_my_orders(body: MemberBody, found: AtTable, person: Somebody, seating: WithSeating) -> TableView:
    """One's own standing orders, silence, and whom one does not want to hear."""
    changed = await seating.set_own(found, person, answers=body.standing, quiet=body.quiet, muted=body.muted)
    return await seating.company.view(changed, person)


@router.get("/tables/{table}/chat", operation_id="getChat")
async def get_chat(
    found: AtTable, person: Somebody, tables: AmongTables, before: int | None = None, limit: Limit = 100
) -> ChatPage:
    """What was said, as far as one may read it; earlier messages with `before`."""
    said = await tables.said(found.id, person.id, before, limit)
    member = found.members.get(person.id)
    muted = member.settings.muted if member is not None else ()
    return ChatPage(notice=NOTICE, messages=[chat_view(each, found) for each in said if each.person not in muted])


@router.post("/tables/{table}/chat", status_code=201, operation_id="say")
async def say(body: ChatBody, found: AtTable, person: Somebody, seating: WithSeating, limits: WithLimits) -> ChatView:
    """Say something to all, to one's allies, or to one person."""
    limits.check("chat", person.id)
    text = " ".join(body.text.split())
    if not text or not text.isprintable():
        raise ApiError(422, "validation", "A message needs some words that can be printed.")
    return (await seating.company.say(found, person, text, body.to, body.person)).message


@router.post("/tables/{table}/chat/{message}/report", status_code=204, operation_id="report", response_class=Response)
async def report(message: int, found: AtTable, person: Somebody, tables: AmongTables, limits: WithLimits) -> Response:
    """Show a message to the administrator."""
    limits.check("chat", person.id)
    said = await tables.message(message)
    if said is None or said.table != found.id or not said.is_for(person.id):
        raise not_found("There is no such message.")
    await tables.report(message, person.id)
    return Response(status_code=204)


@router.post("/tables/{table}/offers", status_code=201, operation_id="makeOffer")
async def make_offer(
    body: OfferBody, found: AtTable, person: Somebody, seating: WithSeating, limits: WithLimits
) -> TableView:
    """Ask the others to go back, for a draw, to surrender together, or to end the game."""
    limits.check("chat", person.id)
    return await seating.company.view(await seating.offers.make(found, person, body.kind, body.at), person)


@router.post("/tables/{table}/offers/{offer}", operation_id="answerOffer")
async def answer_offer(
    offer: str, body: AnswerBody, found: AtTable, person: Somebody, seating: WithSeating
) -> TableView:
    """Agree, or not. When all have agreed, it is done."""
    return await seating.company.view(await seating.offers.answer(found, person, offer, body.yes), person)


@router.delete("/tables/{table}/offers/{offer}", operation_id="withdrawOffer")
async def withdraw_offer(offer: str, found: AtTable, person: Somebody, seating: WithSeating) -> TableView:
    """Take an offer of one's own back."""
    return await seating.company.view(await seating.offers.withdraw(found, person, offer), person)


@router.get("/neighbours", operation_id="listNeighbours")
async def list_neighbours(connection: HTTPConnection, person: Somebody) -> list[NeighbourView]:
    """Servers on the same network, where this one looks for them."""
    found: Neighbourhood | None = connection.app.state.neighbourhood
    return [] if found is None else [NeighbourView(name=each.name, url=each.url) for each in found.neighbours()]


@router.get("/ladder", operation_id="getLadder")
async def get_ladder(
    connection: HTTPConnection,
    settings: OfSettings,
    edition: Annotated[str | None, Query(max_length=60)] = None,
    limit: Limit = 50,
    skip: Skip = 0,
) -> list[LadderLine]:
    """How well people with accounts play, by edition; nothing where the ladder is switched off."""
    if not settings.people or not settings.ladder:
        return []
    ladder: Ladder = connection.app.state.ladder
    return [
        LadderLine(name=each.name, edition=each.edition, rating=round(each.rating, 2), games=each.games, won=each.won)
        for each in await ladder.standings(edition, limit, skip)
    ]


@router.websocket("/tables/{table}/live")
async def table_live(socket: WebSocket, table: str) -> None:
    """The table whenever it changes, chat as it is said. After a lost connection, read both once more."""
    seating: Seating = socket.app.state.seating
    heartbeat: float = socket.app.state.settings.heartbeat
    await socket.accept()
    with contextlib.ExitStack() as held:
        try:
            person = await somebody(socket)
            held.enter_context(socket.app.state.limits.socket(person.id))
            found = await seating.store.read(table[:60])
            if person.is_local or found is None or not found.role(person):
                raise not_found(f"There is no table {table[:60]!r}.")
        except (ApiError, SQLAlchemyError) as error:
            told = as_api_error(error)
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                await socket.send_text(as_json(TableError(error=told.body)))
                await socket.close({404: GONE, 429: SLOW, 503: LATER}.get(told.status, AWAY))
            return
        await _follow(socket, seating, found, person, heartbeat)


async def _follow(socket: WebSocket, seating: Seating, found: Table, person: Person, heartbeat: float) -> None:
    """Tell somebody what happens at a table, until one of both goes."""
    hub: Hub = seating.hub
    listener = hub.join(found.id, person.id)
    reading: asyncio.Task[None] | None = None
    try:
        await seating.company.came_or_went(found)  # the others see that somebody has come; this is also the greeting
        reading = asyncio.create_task(_read(socket, listener, person))
        await _send(socket, listener, heartbeat)
    except (WebSocketDisconnect, RuntimeError, OSError, SQLAlchemyError):
        pass  # it comes back, and reads the table once more
    finally:
        hub.leave(found.id, listener)
        if reading is not None:
            reading.cancel()
            reading.add_done_callback(lambda task: task.cancelled() or task.exception())
        with contextlib.suppress(ApiError, SQLAlchemyError):
            now_there = await seating.store.find(found.id)
            if now_there is not None:
                await seating.company.came_or_went(now_there)


async def _send(socket: WebSocket, listener: Listener, heartbeat: float) -> None:
    while True:
        message: Model | None
        try:
            async with asyncio.timeout(heartbeat):
                message = await listener.queue.get()
        except TimeoutError:
            message = TableBeat()
        if message is None:
            await socket.close(GONE)
            return
        while isinstance(message, TableChanged) and not listener.queue.empty():
            later = listener.queue.get_nowait()  # of several states of the table only the last is of interest
            if not isinstance(later, TableChanged):
                await socket.send_text(as_json(message))
            message = later
        if message is None:
            await socket.close(GONE)
            return
        await socket.send_text(as_json(message))


async def _read(socket: WebSocket, listener: Listener, person: Person) -> None:
    """Nothing is expected; but only by reading one hears that the other side has gone."""
    with contextlib.suppress(ApiError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            socket.app.state.limits.check("messages", person.id)
    listener.put(None)
