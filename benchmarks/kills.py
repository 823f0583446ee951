"""kill -9 in the middle of play, again and again: no order that was answered may be lost, no game may be stuck.

    python -m benchmarks.kills --times 1000 [--postgres]

With PostgreSQL, which is started for it from the system's package, two processes serve the game at once, and both are
killed. Everything happens on loopback and in a temporary folder, and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx2
from tools.postgres import temporary

EVERY = 25  # kills in one game; then a word about how it goes


class Process:
    """A server, and what it has confirmed."""

    def __init__(self, environment: dict[str, str], token: str) -> None:
        self.environment = environment
        self.headers = {"authorization": f"Bearer {token}"}
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sandtable", "serve", "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        url = self.process.stdout.readline().split()[-1]
        self.http = httpx2.Client(base_url=url, timeout=300, headers=self.headers)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.http.close()


def pour(process: Process, game: str, confirmed: list[int]) -> None:
    """Orders and undo, as fast as they are answered, until the server is gone."""
    try:
        while True:
            answer = process.http.post(f"/api/games/{game}/orders", json={"order": "buy 1 infantry"})
            if answer.status_code == 200:
                confirmed.append(answer.json()["number"])
            answer = process.http.post(f"/api/games/{game}/undo", json={})
            if answer.status_code == 200:
                confirmed.append(answer.json()["number"])
    except (httpx2.HTTPError, RuntimeError):
        return


def version(process: Process, game: str) -> int:
    answer = process.http.get(f"/api/games/{game}/state")
    answer.raise_for_status()
    return int(answer.json()["version"])


def goes_on(process: Process, game: str) -> bool:
    """Whether the game takes an order, and takes it back."""
    answers = [
        process.http.post(f"/api/games/{game}/{path}", json=body)
        for path, body in (("orders", {"order": "buy 1 infantry"}), ("undo", {}), ("undo", {}))
    ]
    return any(answer.status_code == 200 for answer in answers)


async def token(database: str, folder: Path) -> str:
    from sandtable.server.settings import Settings
    from sandtable.server.storage.connection import Database
    from sandtable.server.storage.people import People

    opened = await Database.open(Settings(data_dir=folder, database_url=database).database)
    people = People(opened)
    found = await people.sign_in(await people.add("Killer"), "token")
    await opened.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a server in the middle of play, and see what is lost.")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own, started for it")
    parser.add_argument("--database", default="", help="on the PostgreSQL at this address")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if chosen.postgres:
            chosen.database = stack.enter_context(temporary(careful=True)).new_database("kills")
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sys.exit(0 if run(chosen.times, chosen.seed, chosen.database, folder) else 1)


def run(times: int, seed: int, database: str, folder: Path) -> bool:
    """Kill it so often. Whether nothing was lost, and no game stuck."""
    chance = random.Random(seed)
    key = asyncio.run(token(database, folder))
    environment = {
        **os.environ,
        "SANDTABLE_DATA_DIR": str(folder),
        "SANDTABLE_DATABASE_URL": database,
        "SANDTABLE_RATE": "100000000",
        "SANDTABLE_TABLES_EACH": "100000",
    }
    processes = [Process(environment, key) for _ in range(2 if database else 1)]
    games: dict[str, list[int]] = {}  # with the numbers of all changes that were confirmed
    lost = stuck = 0
    game, began = "", time.monotonic()

    def compare(game: str, number: int) -> int:
        highest = max(games[game], default=0)
        found = {version(each, game) for each in processes}
        if min(found) >= highest and len(found) == 1 and len(set(games[game])) == len(games[game]):
            return 0
        print(f"kill {number}: change {highest} of {game} was confirmed, {sorted(found)} are there", flush=True)
        return 1

    try:
        for number in range(1, times + 1):
            if number % EVERY == 1:
                game = processes[0].http.post("/api/games", json={}).json()["id"]
                games[game] = []
            threads = [threading.Thread(target=pour, args=(each, game, games[game])) for each in processes]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.05, 0.6))
            for each in processes:
                each.kill()
            for thread in threads:
                thread.join(60)
            for each in processes:
                each.start()
            lost += compare(game, number)
            stuck += not goes_on(processes[-1], game)
            if number % EVERY == 0 or number == times:
                left = (time.monotonic() - began) / number * (times - number) / 60
                confirmed = sum(map(len, games.values()))
                print(
                    f"{number} of {times} kills, {confirmed} orders confirmed, {lost} times lost, {stuck} times stuck; "
                    f"{left:.0f} minutes left",
                    flush=True,
                )
        for earlier in games:  # nothing of them has gone meanwhile
            lost += compare(earlier, times)
    finally:
        for process in processes:
            if process.process.poll() is None:
                process.kill()
    where = "PostgreSQL, two processes" if database else "SQLite"
    confirmed = sum(map(len, games.values()))
    print(
        f"{times} kills ({where}) in {(time.monotonic() - began) / 60:.0f} minutes, {confirmed} orders confirmed: "
        f"{lost} times something was lost, {stuck} times a game was stuck"
    )
    return not lost and not stuck and bool(confirmed)


if __name__ == "__main__":
    main()
