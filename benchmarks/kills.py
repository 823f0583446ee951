"""kill -9 in the middle of play, again and again: no order that was answered may be lost, no game may be stuck.

    python -m benchmarks.kills --times 1000 [--database postgresql://…]

With PostgreSQL two processes serve the game at once, and both are killed. Everything happens on loopback and in a
temporary folder, and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx2


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
        self.http = httpx2.Client(base_url=url, timeout=30, headers=self.headers)

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
    parser.add_argument("--database", default="")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        key = asyncio.run(token(chosen.database, Path(folder)))
        environment = {**os.environ, "SANDTABLE_DATA_DIR": folder, "SANDTABLE_DATABASE_URL": chosen.database}
        environment["SANDTABLE_RATE"] = "100000000"
        processes = [Process(environment, key) for _ in range(2 if chosen.database else 1)]
        confirmed: list[int] = []
        lost = 0
        try:
            game = processes[0].http.post("/api/games", json={}).json()["id"]
            for number in range(chosen.times):
                threads = [threading.Thread(target=pour, args=(each, game, confirmed)) for each in processes]
                for thread in threads:
                    thread.start()
                time.sleep(chance.uniform(0.05, 0.6))
                for each in processes:
                    each.kill()
                for thread in threads:
                    thread.join(60)
                for each in processes:
                    each.start()
                highest = max(confirmed, default=0)
                now = version(processes[0], game)
                if now < highest:
                    lost += 1
                    print(f"kill {number + 1}: {highest} orders were confirmed, {now} are there")
        finally:
            for each in processes:
                if each.process.poll() is None:
                    each.kill()
    where = "PostgreSQL, two processes" if chosen.database else "SQLite"
    print(f"{chosen.times} kills ({where}), {len(confirmed)} orders confirmed, {lost} times something was lost")
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
