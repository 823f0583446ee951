"""A real server in a process of its own, on a free port, with a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.dice import SeededDice
from sandtable.world.compile import compile_world


class Running:
    """SANDTABLE_PAGE names a built page other than the package's."""

    def __init__(self, data_dir: Path, port: int = 0) -> None:
        page = os.environ.get("SANDTABLE_PAGE")
        command = [sys.executable, "-m", "sandtable.server", "--port", str(port), "--no-browser"]
        command += ["--data-dir", str(data_dir), *(["--page", page] if page else [])]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Sandtable is at http://127.0.0.1:"), line
        self.url = line.split()[-1].rstrip("/")
        self.port = int(self.url.rpartition(":")[2])
        self.client = httpx2.Client(base_url=self.url, timeout=30)

    def call(self, method: str, path: str, **fields: Any) -> Any:
        answer = self.client.request(method, f"/api{path}", **fields)
        assert answer.status_code < 400, answer.text
        return answer.json() if answer.content else None

    def orders(self, game: str, *texts: str) -> None:
        for text in texts:
            self.call("POST", f"/games/{game}/orders", json={"order": text})

    def state(self, game: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("GET", f"/games/{game}/state")
        return found

    def units(self, game: str, space: str) -> dict[tuple[str, str], int]:
        """Power and unit -> number in a space, cargo included."""
        found: dict[tuple[str, str], int] = {}
        for stack in self.state(game)["spaces"][space]["units"]:
            for unit, n in ((stack, 1), *((each, stack["count"]) for each in stack["cargo"])):
                key = (unit["power"], unit["unit"])
                found[key] = found.get(key, 0) + unit["count"] * n
        return found

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def stop(self) -> None:
        self.process.terminate()
        self.end()

    def end(self) -> None:
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.client.close()


PAIR = [{"name": "Player one", "powers": ["ussr", "uk", "usa"]}, {"name": "Player two", "powers": ["germany", "japan"]}]


def position(patch: dict[str, Any], dice: list[int] | None = None, **fields: Any) -> str:
    """A saved game that begins in a position of its own, in the words of case files, with these dice to come."""
    world = compile_world(fields.get("scenario", "classic-1942"), fields.get("options"))
    seed = 0 if dice is None else seed_for(dice)
    return Game(world, seed=seed, start=patched_state(world, patch)).to_text()


def seed_for(faces: list[int]) -> int:
    """A seed whose first dice show these faces."""
    for seed in range(3_000_000):
        dice = SeededDice(seed)
        if all(dice.face(index, 6) == face for index, face in enumerate(faces)):
            return seed
    raise AssertionError(f"no seed rolls {faces}")
