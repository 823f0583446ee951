"""kill -9: a real server, killed in a battle and in the middle of answering, loses nothing that it confirmed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from server_help import ATTACK
from websockets.sync.client import connect


class Running:
    """A server in a process of its own."""

    def __init__(self, data_dir: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sandtable.server", "--port", "0", "--no-browser", "--data-dir", str(data_dir)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Sandtable is at http://127.0.0.1:"), line
        self.client = httpx2.Client(base_url=line.split()[-1], timeout=30)

    def call(self, method: str, path: str, **fields: Any) -> Any:
        answer = self.client.request(method, f"/api/games{path}", **fields)
        answer.raise_for_status()
        return answer.json()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.end()
        return self.process.returncode

    def end(self) -> None:
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.client.close()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[list[Running]]:
    """Starts the first; whatever is still running at the end is killed."""
    found = [Running(tmp_path)]
    yield found
    for server in found:
        if server.process.poll() is None:
            server.kill()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_in_the_middle_of_a_battle(servers: list[Running], tmp_path: Path) -> None:
    (first,) = servers
    game = first.call("POST", "", json={"seed": 3})["id"]
    for text in ATTACK:
        first.call("POST", f"/{game}/orders", json={"order": text})
    before = first.call("GET", f"/{game}/state")
    assert before["battle"]["space"] == "finland-norway"
    first.kill()
    second = Running(tmp_path)
    servers.append(second)
    assert second.call("GET", f"/{game}/state") == before
    address = str(second.client.base_url).replace("http", "ws", 1).rstrip("/")
    with connect(f"{address}/api/games/{game}/live?since=4", max_size=None) as live:  # the page comes back, too
        told = [json.loads(live.recv(timeout=20)) for _ in range(3)]
    assert [message["number"] for message in told] == [6, 5, 6]
    assert told[2]["order"] == ATTACK[5]
    after = second.call("POST", f"/{game}/orders", json={"order": "casualties 2 infantry", "version": 6})
    assert after["number"] == 7
    assert second.stop() == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_while_orders_pour_in(servers: list[Running], tmp_path: Path) -> None:
    """At most the order that was being sent is lost, and never half of one."""
    (first,) = servers
    game = first.call("POST", "", json={"seed": 3})["id"]
    confirmed: list[int] = []

    def pour() -> None:
        try:
            for _ in range(10_000):
                confirmed.append(first.call("POST", f"/{game}/orders", json={"order": "buy 1 infantry"})["number"])
                confirmed.append(first.call("POST", f"/{game}/undo", json={})["number"])
        except httpx2.HTTPError:
            return

    thread = threading.Thread(target=pour)
    thread.start()
    while len(confirmed) < 7:
        time.sleep(0.005)
    os.kill(first.process.pid, signal.SIGKILL)
    thread.join(20)
    first.end()
    second = Running(tmp_path)
    servers.append(second)
    state = second.call("GET", f"/{game}/state")
    assert state["version"] in (confirmed[-1], confirmed[-1] + 1)
    assert state["pool"] == ({"infantry": 1} if state["version"] % 2 else {})
    listed = second.call("GET", "")
    assert [(each["version"], each["damaged"]) for each in listed] == [(state["version"], None)]
