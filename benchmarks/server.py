"""What a server for several people holds: many games, many sockets, an order every few seconds in each game.

    python -m benchmarks.server --games 100 --sockets 5 --seconds 30

It starts a server of its own in a temporary folder (with --postgres on a PostgreSQL started for it), talks to it over
loopback from this process, and stops by itself. With `--thinkers` five-star computers think in so many of the games all
the while. In the end it says which budgets were held.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
import websockets
from tools.postgres import temporary

ORDER, STALL, MEMORY = 250.0, 100.0, 3.0  # budgets: milliseconds, milliseconds, megabytes
SCENARIO = "classic-1942"


async def tokens(settings: Any, number: int) -> list[str]:
    """People with a token each, made before the server starts."""
    from sandtable.server.storage.connection import Database
    from sandtable.server.storage.people import People

    database = await Database.open(settings.database)
    people = People(database)
    found = [await people.sign_in(await people.add(f"Player {each}"), "token") for each in range(number)]
    await database.close()
    return found


class Game:
    """A game with its host and those who look on."""

    def __init__(self, http: httpx2.AsyncClient, url: str, token: str) -> None:
        self.http = http
        self.headers = {"authorization": f"Bearer {token}"}
        self.url = url
        self.id = ""
        self.sent: dict[int, float] = {}
        self.orders: list[float] = []
        self.heard: list[float] = []
        self.failed: list[str] = []

    async def begin(self, thinks: bool) -> None:
        seats = None
        if thinks:  # the computer is asked first, and the person only looks on
            seats = [
                {"name": "Computer", "powers": ["ussr", "germany", "japan", "usa"], "player": "5star"},
                {"name": "Person", "powers": ["uk"]},
            ]
        body = {"scenario": SCENARIO, **({"seats": seats} if seats else {})}
        answer = await self.http.post("/api/games", json=body, headers=self.headers)
        answer.raise_for_status()
        self.id = answer.json()["id"]

    async def listen(self, wait: float, until: float) -> None:
        await asyncio.sleep(wait)
        address = f"{self.url.replace('http', 'ws', 1)}/api/games/{self.id}/live?since=0"
        async with websockets.connect(address, additional_headers=self.headers, max_size=None) as socket:
            while (left := until - time.monotonic()) > 0:
                try:
                    message = json.loads(await asyncio.wait_for(socket.recv(), left))
                except TimeoutError:
                    return
                began = self.sent.get(message.get("number", -1))
                if began is not None and message["type"] in ("order", "undo"):
                    self.heard.append(time.monotonic() - began)

    async def play(self, every: float, start: float, until: float) -> None:
        await asyncio.sleep(max(0.0, start - time.monotonic()))
        number = 0
        while time.monotonic() < until:
            began = time.monotonic()
            number += 1
            self.sent[number] = began
            path, body = ("orders", {"order": "buy 1 infantry"}) if number % 2 else ("undo", {})
            answer = await self.http.post(f"/api/games/{self.id}/{path}", json=body, headers=self.headers)
            self.orders.append(time.monotonic() - began)
            if answer.status_code != 200:
                self.failed.append(answer.text[:200])
            await asyncio.sleep(max(0.0, every - (time.monotonic() - began)))


async def pulse(http: httpx2.AsyncClient, until: float, found: list[float]) -> None:
    """How long the simplest question takes: what stalls the loop, stalls this."""
    while time.monotonic() < until:
        began = time.monotonic()
        await http.get("/api/about")
        found.append(time.monotonic() - began)
        await asyncio.sleep(0.05)


async def progress(games: list[Game], until: float, every: float = 10.0) -> None:
    """A word about how it goes, every few seconds."""
    while (left := until - time.monotonic()) > 0:
        await asyncio.sleep(min(every, left))
        given = sum(len(game.orders) for game in games)
        wrong = sum(len(game.failed) for game in games)
        print(f"{given} orders, {wrong} failed; {max(0.0, until - time.monotonic()):.0f} s left", flush=True)


def memory(pid: int) -> float:
    """Megabytes that a process has."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else 0.0


async def measure(chosen: argparse.Namespace) -> bool:
    from sandtable.server.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), database_url=chosen.database)
        made = await tokens(settings, chosen.games)
        environment = {
            **os.environ,
            "SANDTABLE_DATA_DIR": folder,
            "SANDTABLE_DATABASE_URL": chosen.database,
            "SANDTABLE_RATE": "1000000",
            "SANDTABLE_CONNECTIONS_EACH": "100000",
        }
        server = subprocess.Popen(
            [sys.executable, "-m", "sandtable", "serve", "--port", "0"],
            stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1].rstrip("/")
            empty = memory(server.pid)
            limits = httpx2.Limits(max_connections=None)
            async with httpx2.AsyncClient(base_url=url, timeout=60, limits=limits) as http:
                games = [Game(http, url, token) for token in made]
                for each, game in enumerate(games):
                    await game.begin(each < chosen.thinkers)
                number = chosen.games * chosen.sockets
                coming = number / 100  # seconds in which all connect, one after the other
                start = time.monotonic() + 2 + coming
                until = start + chosen.seconds
                pulses: list[float] = []
                await asyncio.gather(
                    pulse(http, until, pulses),
                    progress(games, until),
                    *(games[each % len(games)].listen(each / 100, until) for each in range(number)),
                    *(
                        game.play(chosen.every, start + chosen.every * each / len(games), until)
                        for each, game in enumerate(games)
                        if each >= chosen.thinkers
                    ),
                )
            grown = (memory(server.pid) - empty) / chosen.games
        finally:
            server.terminate()
            server.wait(20)
    orders = [each for game in games for each in game.orders]
    heard = [each for game in games for each in game.heard]
    failed = [each for game in games for each in game.failed]
    what = f"{chosen.games} games, {chosen.games * chosen.sockets} sockets, an order every {chosen.every:g} s in each"
    print(f"{what}, {chosen.thinkers} five-star computers thinking, {chosen.database or 'SQLite'}")
    print(f"  orders {len(orders)}, failed {len(failed)} {failed[:1]}")
    rows = (("an order", orders), ("until others hear of it", heard), ("the simplest question", pulses))
    shares = {"median": 0.5, "p95": 0.95, "p99": 0.99, "longest": 1.0}
    for name, values in rows:
        told = ", ".join(f"{title} {percentile(values, share):.0f}" for title, share in shares.items())
        print(f"  {name} (ms): {told}")
    print(f"  memory of a live game: {grown:.2f} MB; load average {os.getloadavg()[0]:.1f}")
    budgets = {
        f"p99 of an order under {ORDER:g} ms": percentile(orders, 0.99) < ORDER,
        f"no stall over {STALL:g} ms (the longest of the simplest question)": percentile(pulses, 1.0) < STALL,
        f"under {MEMORY:g} MB a game": grown < MEMORY,
        "no order failed": not failed,
    }
    for what, held in budgets.items():
        print(f"  {what}: {'held' if held else 'MISSED'}")
    return all(budgets.values())


def main() -> None:
    parser = argparse.ArgumentParser(description="Load a server on this machine, and tell how it takes it.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--sockets", type=int, default=5, help="in each game")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=2, help="seconds between two orders of a game")
    parser.add_argument("--thinkers", type=int, default=0, help="games in which a five-star computer thinks")
    parser.add_argument("--database", default="", help="postgresql://…; a file in a temporary folder without it")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own, started for it")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if chosen.postgres:
            chosen.database = stack.enter_context(temporary(careful=True)).new_database("load")
        sys.exit(0 if asyncio.run(measure(chosen)) else 1)


if __name__ == "__main__":
    main()
