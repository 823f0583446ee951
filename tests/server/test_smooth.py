"""Nobody waits for somebody else's work: pauses of the collector, readers who have missed much, bots that think."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from typing import cast

import pytest
from server_help import order
from starlette.testclient import TestClient
from starlette.websockets import WebSocket

from sandtable.server.people import LOCAL
from sandtable.server.rooms import Subscriber
from sandtable.server.routes import live

LOOK = """
import gc
from sandtable.server import smooth
kept = [[number] for number in range(100_000)]
smooth.set_aside()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
assert len(gc.get_objects()) < 1_000, len(gc.get_objects())
assert gc.get_threshold()[2] >= 1_000_000
"""


def test_what_lives_long_is_looked_at_once() -> None:
    subprocess.run([sys.executable, "-c", LOOK], check=True, timeout=60)


def test_a_game_leaves_memory_without_the_collector(client: TestClient, new_game: Callable[..., str]) -> None:
    """What was set aside is not looked at any more: a game must not hang on itself."""
    game = new_game()
    order(client, game, "buy 1 infantry")
    with client.websocket_connect(f"ws://127.0.0.1/api/games/{game}/live") as socket:
        socket.receive_json()
    lobby = client.app.state.lobby  # type: ignore[attr-defined]
    gc.collect()
    gc.disable()
    try:
        room = lobby.get(game)
        gone = weakref.ref(room), weakref.ref(room.journal)
        room.close()
        del room
        client.get("/api/about")  # the loop has come round
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()


def test_games_that_nobody_plays_leave_memory(start: Callable[..., TestClient]) -> None:
    with start(idle=0.4) as client:
        lobby = client.app.state.lobby  # type: ignore[attr-defined]
        games = [client.post("/api/games", json={"seed": 3}).json()["id"] for _ in range(3)]
        left, watched, stopped = games
        order(client, left, "buy 1 infantry")
        client.post(f"/api/games/{stopped}/bots", json={"running": False})
        with client.websocket_connect(f"ws://127.0.0.1/api/games/{watched}/live") as socket:
            socket.receive_json()
            deadline = time.monotonic() + 10
            while lobby.get(left) is not None:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert lobby.get(watched) is not None
            assert lobby.get(stopped) is not None, "else the computer would play on by itself"
        assert client.get(f"/api/games/{left}/state").json()["version"] == 1


class Quick:
    """A socket that takes everything at once."""

    def __init__(self, client: TestClient) -> None:
        self.app = client.app
        self.rounds = 0
        self.sent: list[tuple[int, int]] = []  # in which round of the loop, which number

    async def send_text(self, text: str) -> None:
        self.sent.append((self.rounds, json.loads(text)["number"]))

    def tick(self) -> None:
        self.rounds += 1
        if len(self.sent) < 12:
            asyncio.get_running_loop().call_soon(self.tick)


def test_a_reader_who_has_missed_much_lets_others_in(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game()
    for _ in range(6):
        order(client, game, "buy 1 infantry")
        client.post(f"/api/games/{game}/undo", json={})
    quick = Quick(client)

    async def read() -> None:
        room = client.app.state.lobby.get(game)  # type: ignore[attr-defined]
        quick.tick()
        sending = live._send(cast("WebSocket", quick), room, Subscriber(1, "", 0), LOCAL, 60)
        task = asyncio.create_task(sending)
        while len(quick.sent) < 12:
            await asyncio.sleep(0)
        task.cancel()

    assert client.portal is not None
    client.portal.call(read)
    assert [number for _, number in quick.sent] == list(range(1, 13))
    assert len({rounds for rounds, _ in quick.sent[:11]}) == 11, "several changes in one round of the loop"


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there are no priorities here")
def test_bots_think_with_less_priority() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sandtable.server.bots.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5)
    finally:
        process.kill()
        process.communicate()
