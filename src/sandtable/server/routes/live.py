"""Live connections: numbered changes as they happen, and from any earlier number on after a lost connection."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from fastapi import APIRouter, WebSocket
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocketDisconnect

from sandtable.server.access import seen_by, somebody
from sandtable.server.errors import ApiError, ErrorBody, as_api_error
from sandtable.server.people import Person
from sandtable.server.rooms import Lobby, Room, Subscriber
from sandtable.server.views.base import Model
from sandtable.server.views.changes import Heartbeat, Hello, LiveError, Reset, as_json, seats_of

router = APIRouter(tags=["live"])

GONE = 4404  # close codes: no such game
OVER = 4410  # the game was deleted, or has to be opened again
BAD = 4400  # wrong parameters
AWAY = 4403  # sign in first
SLOW = 4429  # too many connections: wait
LATER = 1013  # the database does not answer: try again
CODES = {"not-found": GONE, "sign-in": AWAY, "slow-down": SLOW, "storage": LATER}
LONGEST = 10_000  # characters of a message from a client


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    pass


class Name(msgspec.Struct, frozen=True, tag="name"):
    name: str


Incoming = Ping | Name


@router.websocket("/api/games/{game}/live")
async def live(socket: WebSocket, game: str) -> None:
    """`?since=N` sends every change after number N first; without it, only what happens from now on."""
    lobby: Lobby = socket.app.state.lobby
    await socket.accept()
    with contextlib.ExitStack() as held:
        try:
            since = _number(socket.query_params.get("since"))
            person = await somebody(socket)
            held.enter_context(socket.app.state.limits.socket(person.id))
            await seen_by(person, game, socket.app.state.tables)
            room = await lobby.open(game)
        except (ApiError, SQLAlchemyError) as error:
            told = as_api_error(error)
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
                await _say(socket, LiveError(error=told.body))
                await socket.close(CODES.get(told.body.kind, BAD))
            return
        await _follow(socket, room, person, since)


async def _follow(socket: WebSocket, room: Room, person: Person, since: int | None) -> None:
    """Tell somebody what happens in a game, until one of both goes."""
    heartbeat: float = socket.app.state.settings.heartbeat
    name = socket.query_params.get("name", "")[:60] if person.is_local else person.name
    with room.in_use():
        async with room.reading_all() as journal:
            version = journal.version
            start = version if since is None or since > version else since
            subscriber = room.join(name, start, person.id)
    tasks: list[asyncio.Task[None]] = []
    try:
        await _greet(socket, room, subscriber, since, heartbeat)
        tasks = [
            asyncio.create_task(_send(socket, room, subscriber, person, heartbeat)),
            asyncio.create_task(_receive(socket, room, subscriber, person)),
        ]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # the other side is gone; it will come back with `since`
    finally:
        room.leave(subscriber)
        for task in tasks:
            task.cancel()
            task.add_done_callback(_seen)


def _seen(task: asyncio.Task[None]) -> None:
    """How the other half of a connection ended is of no interest."""
    if not task.cancelled():
        task.exception()


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ApiError(422, "validation", "`since` is the number of the last change that was seen.")
    return int(text)


async def _greet(socket: WebSocket, room: Room, subscriber: Subscriber, since: int | None, heartbeat: float) -> None:
    version = room.journal.version
    await _say(
        socket,
        Hello(
            number=version,
            viewer=subscriber.viewer,
            heartbeat=heartbeat,
            viewers=room.viewers(),
            seats=seats_of(room.journal),
            thinking=room.thinking,
            trouble=room.trouble,
        ),
    )
    if since is not None and since > version:
        await _say(socket, Reset(number=version))


async def _send(socket: WebSocket, room: Room, subscriber: Subscriber, person: Person, heartbeat: float) -> None:
    """Whatever the other side has not got yet, for ever. A slow reader only falls behind: nothing piles up here."""
    lobby: Lobby = socket.app.state.lobby
    while True:
        subscriber.wake.clear()
        while True:
            missed = room.journal.version - subscriber.number > 1
            async with lobby.catching_up if missed else contextlib.nullcontext():
                async with room.reading_all() as journal:
                    pending = subscriber.number < journal.version
                    text = room.text_of(person, subscriber.number + 1) if pending else ""
                if missed:
                    await asyncio.sleep(0)  # many who have missed much do not keep those waiting who give orders
            if not pending:
                break
            await socket.send_text(text)
            subscriber.number += 1
        while subscriber.waiting:
            await _say(socket, subscriber.waiting.popleft())
        if subscriber.closed:
            await socket.close(OVER)
            return
        if subscriber.wake.is_set():
            continue
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(heartbeat):
                await subscriber.wake.wait()
            continue
        await _say(socket, Heartbeat(number=room.journal.version))


async def _receive(socket: WebSocket, room: Room, subscriber: Subscriber, person: Person) -> None:
    """Signs of life and names. Orders are given over HTTP, where they get an answer of their own."""
    while True:
        raw = await socket.receive()
        if raw["type"] == "websocket.disconnect":
            return
        try:
            socket.app.state.limits.check("messages", person.id)
        except ApiError as error:
            await _say(socket, LiveError(error=error.body))
            await socket.close(SLOW)
            return
        text = raw.get("text") or ""
        try:
            message = msgspec.json.decode(text[:LONGEST], type=Incoming)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            body = ErrorBody(kind="validation", message='Messages are {"type": "ping"} or {"type": "name", "name": …}.')
            await _say(socket, LiveError(error=body))
            continue
        match message:
            case Ping():
                await _say(socket, Heartbeat(number=room.journal.version))
            case Name(name=name):
                if not subscriber.person:  # where people are known, names are not chosen here
                    room.rename(subscriber, name[:60])


async def _say(socket: WebSocket, message: Model) -> None:
    await socket.send_text(as_json(message))
