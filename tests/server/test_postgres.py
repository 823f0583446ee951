"""PostgreSQL: the same server, several processes of it, and a database that goes away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from people_help import game_of, guest
from server_help import HERE, get, order, problem
from starlette.testclient import TestClient
from tools.postgres import Postgres, binaries, temporary
from websockets.sync.client import connect

from sandtable.server import Settings, create_app

TOOLS = binaries()
pytest.importorskip("psycopg", reason="PostgreSQL was not tested: psycopg is not installed")
pytestmark = pytest.mark.skipif(TOOLS is None, reason="PostgreSQL was not tested: it is not installed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with temporary() as running:
        yield running


def server(url: str, tmp_path: Path, **fields: Any) -> TestClient:
    settings = Settings(data_dir=tmp_path, database_url=url, heartbeat=5, **fields)
    return TestClient(create_app(settings), base_url=HERE)


def test_games_are_kept(cluster: Postgres, tmp_path: Path) -> None:
    url = cluster.new_database("kept")
    with server(url, tmp_path) as client:
        game = client.post("/api/games", json={"seed": 3}).json()["id"]
        order(client, game, "buy 1 infantry")
        before = get(client, game, "state")
        client.post("/api/training/lessons/basics", json={})
    with server(url, tmp_path) as client:
        assert get(client, game, "state") == before
        assert [each["id"] for each in client.get("/api/games").json()][-1] == game
        assert client.delete(f"/api/games/{game}").status_code == 204
    assert not list(tmp_path.glob("*.sqlite*"))


def test_the_migrations_make_the_tables_of_the_code(cluster: Postgres, tmp_path: Path) -> None:
    import asyncio

    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from sandtable.server.storage.database import open_database
    from sandtable.server.storage.tables import Base

    async def look() -> list[object]:
        url = cluster.new_database("migrated")
        engines = await asyncio.gather(*(open_database(url) for _ in range(3)))  # three processes start at once
        async with engines[0].connect() as connection:
            found = await connection.run_sync(
                lambda each: list(compare_metadata(MigrationContext.configure(each), Base.metadata))
            )
        for engine in engines:
            await engine.dispose()
        return found

    assert asyncio.run(look()) == []


def test_people_at_two_processes_sit_at_one_table(cluster: Postgres, tmp_path: Path) -> None:
    url = cluster.new_database("two")
    with server(url, tmp_path, people=True) as one, server(url, tmp_path, people=True) as other:
        ann, bob = guest(one, "Ann"), guest(other, "Bob")
        game = game_of(ann, bob)
        with bob.live(f"/games/{game}/live?since=0") as live, bob.live(f"/tables/{game}/live") as table:
            assert live.receive_json()["type"] == "hello"
            ann.order(game, "buy 1 infantry")
            while (message := live.receive_json())["type"] != "order":
                assert message["type"] in ("presence", "heartbeat")
            assert (message["number"], message["person"]) == (1, ann.id)
            ann.post(f"/tables/{game}/chat", 201, text="Do you hear me?")
            while (said := table.receive_json())["type"] != "chat":
                assert said["type"] in ("table", "heartbeat")
            assert said["message"]["text"] == "Do you hear me?"
        assert bob.get(f"/games/{game}/state")["pool"] == {"infantry": 1}
        ann.post(f"/tables/{game}/eject", person=bob.id)
        deadline = time.monotonic() + 10
        while bob.http.get(f"/api/games/{game}/state").status_code != 404:
            assert time.monotonic() < deadline


def test_who_is_there_is_known_at_every_process(cluster: Postgres, tmp_path: Path) -> None:
    url = cluster.new_database("there")
    with server(url, tmp_path, people=True) as one:
        ann = guest(one, "Ann")
        table = ann.post("/tables", 201)["id"]
        link = ann.get(f"/tables/{table}")["join_link"]
        with ann.live(f"/tables/{table}/live"), server(url, tmp_path, people=True) as other:
            bob = guest(other, "Bob")
            bob.post(f"/links/{link}")

            def there() -> set[str]:
                return {each["name"] for each in bob.get(f"/tables/{table}")["members"] if each["present"]}

            soon(lambda: there() == {"Ann"}, "who was there before the second process started")
            with bob.live(f"/tables/{table}/live") as socket:
                here = ann.get(f"/tables/{table}")["members"]
                soon(lambda: there() == {"Ann", "Bob"}, "who has come")
                soon(lambda: all(each["present"] for each in ann.get(f"/tables/{table}")["members"]), str(here))
                with ann.live(f"/tables/{table}/live"):
                    pass  # a second window is closed: she is still there
                time.sleep(0.2)
                assert there() == {"Ann", "Bob"}
                assert socket.receive_json()["type"] == "table"
            soon(lambda: there() == {"Ann"}, "who has gone")
            hub = other.app.state.seating.hub  # type: ignore[attr-defined]
            for each in hub._elsewhere.values():  # the first process is silent, as if it had been killed
                each.until = 0
            assert other.portal is not None
            for process in hub.silent():
                other.portal.call(hub.forget, process)
            assert there() == set()


def soon(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def test_two_processes_never_write_the_same_number(cluster: Postgres, tmp_path: Path) -> None:
    """Both are given orders for the same game as fast as they can: every order is there once, in one order."""
    url = cluster.new_database("race")
    with server(url, tmp_path) as one, server(url, tmp_path) as other:
        game = one.post("/api/games", json={"seed": 3}).json()["id"]
        get(other, game, "state")
        done: list[int] = []

        def pour(client: TestClient) -> None:
            for _ in range(25):
                answer = client.post(f"/api/games/{game}/orders", json={"order": "buy 1 infantry"})
                if answer.status_code == 200:
                    done.append(answer.json()["number"])
                    client.post(f"/api/games/{game}/undo", json={})
                else:
                    assert answer.json()["error"]["kind"] in ("stale", "refused"), answer.text

        threads = [threading.Thread(target=pour, args=(client,)) for client in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(done) == len(set(done))
        assert done
        assert get(one, game, "state")["version"] >= max(done)
        assert get(one, game, "state")["version"] == get(other, game, "state")["version"]


class Running:
    def __init__(self, url: str, folder: Path) -> None:
        environment = {**os.environ, "SANDTABLE_DATABASE_URL": url, "SANDTABLE_DATA_DIR": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sandtable", "serve", "--port", "0"],
            stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1]
        self.http = httpx2.Client(base_url=self.url, timeout=30)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.http.close()


def test_one_of_two_processes_is_killed(cluster: Postgres, tmp_path: Path) -> None:
    """No acknowledged order is lost, and the game goes on at the other process."""
    url = cluster.new_database("killed")
    running = [Running(url, tmp_path), Running(url, tmp_path)]
    try:
        first, second = running
        person = first.http.post("/api/people/guest", json={"name": "Ann"})
        assert person.status_code == 201
        cookie = {"cookie": "; ".join(f"{k}={v}" for k, v in first.http.cookies.items())}
        game = first.http.post("/api/games", json={}).json()["id"]
        confirmed = 0

        def pour() -> None:
            nonlocal confirmed
            try:
                while True:
                    for path, body in (("orders", {"order": "buy 1 infantry"}), ("undo", {})):
                        confirmed = first.http.post(f"/api/games/{game}/{path}", json=body).json()["number"]
            except httpx2.HTTPError:
                return

        thread = threading.Thread(target=pour)
        thread.start()
        address = second.url.replace("http", "ws", 1).rstrip("/")
        with connect(f"{address}/api/games/{game}/live?since=0", additional_headers=cookie, max_size=None) as live:
            while json.loads(live.recv(timeout=30)).get("number", 0) < 8:
                pass
            first.kill()
            thread.join(30)
        deadline = time.monotonic() + 20
        while second.http.get(f"/api/games/{game}/state", headers=cookie).json()["version"] < confirmed:
            seen = second.http.get(f"/api/games/{game}/state", headers=cookie).json()["version"]
            assert time.monotonic() < deadline, f"of {confirmed} orders that were confirmed there are {seen}"
            time.sleep(0.2)
        assert second.http.get(f"/api/games/{game}/state", headers=cookie).json()["version"] <= confirmed + 1
        answer = second.http.post(f"/api/games/{game}/orders", json={"order": "end"}, headers=cookie)
        assert answer.status_code == 200, answer.text
    finally:
        for each in running:
            if each.process.poll() is None:
                each.kill()


def test_a_database_that_goes_away(cluster: Postgres, tmp_path: Path) -> None:
    """Whoever is connected is thrown out: a sentence, nothing lost, and the next order goes through."""
    import psycopg

    url = cluster.new_database("away")
    with server(url, tmp_path) as client:
        game = client.post("/api/games", json={"seed": 3}).json()["id"]
        order(client, game, "buy 1 infantry")
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as admin:
            admin.execute("ALTER DATABASE away ALLOW_CONNECTIONS false")
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'away'")
            error = problem(client.post(f"/api/games/{game}/orders", json={"order": "buy 1 armor"}), 503, "storage")
            assert "OperationalError" not in error["message"]
            admin.execute("ALTER DATABASE away ALLOW_CONNECTIONS true")
        assert get(client, game, "state")["version"] == 1
        order(client, game, "buy 1 armor")
