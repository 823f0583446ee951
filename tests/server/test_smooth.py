"""Nobody waits for somebody else's work: pauses of the collector, readers who have missed much, bots that think."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from server_help import order
from starlette.testclient import TestClient

from sandtable.server.rooms import Room

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
    with client.websocket_connect(f"ws://127.0.0.1/api/games/{game}/live") as live:
        live.receive_json()
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


def test_a_reader_who_has_missed_much_lets_others_in(
    client: TestClient, new_game: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game()
    for _ in range(6):
        order(client, game, "buy 1 infantry")
        client.post(f"/api/games/{game}/undo", json={})
    rounds: list[int] = []
    now = 0
    text_of = Room.text_of

    def count() -> None:
        nonlocal now
        now += 1
        asyncio.get_running_loop().call_soon(count)

    def noted(self: Room, *given: Any) -> str:
        if not rounds:
            count()
        rounds.append(now)
        return text_of(self, *given)

    monkeypatch.setattr(Room, "text_of", noted)
    with client.websocket_connect(f"ws://127.0.0.1/api/games/{game}/live?since=0") as live:
        numbers = []
        while len(numbers) < 12:
            message = live.receive_json()
            if message["type"] in ("order", "undo"):
                numbers.append(message["number"])
    assert numbers == list(range(1, 13))
    assert len(set(rounds[:11])) == 11, "several changes were written out in one round of the loop"


@pytest.mark.skipif(not hasattr(os, "nice"), reason="there are no priorities here")
def test_bots_think_with_less_priority() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sandtable.server.bots.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert os.getpriority(os.PRIO_PROCESS, process.pid) >= min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
    finally:
        process.kill()
        process.communicate()
