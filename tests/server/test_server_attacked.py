"""What brought an earlier server to its knees: each of these took seconds, memory or an order from others."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from people_help import guest
from server_help import get, live, order, problem
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from sandtable.server.calculator import Calculator
from sandtable.server.errors import ApiError

Start = Callable[..., TestClient]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A real server: what is tested here happens before any application sees a request."""
    folder = tmp_path_factory.mktemp("attacked")
    script = (
        "from sandtable.server import protocol, serve, Settings\n"
        "protocol.CarefulProtocol.head_time = 1.0\n"
        "protocol.CarefulProtocol.read_time = 1.0\n"
        f"serve(port=0, open_browser=False, settings=Settings(data_dir={str(folder)!r} and "
        f"__import__('pathlib').Path({str(folder)!r}), connections_each=30))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    yield int(line.rstrip("/\n").rpartition(":")[2])
    process.kill()
    process.wait(20)
    process.stdout.close()


def talk(port: int, *parts: bytes, wait: float = 10) -> bytes:
    """What the server says before it ends the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        answer = b""
        try:
            for part in parts:
                connection.sendall(part)
                time.sleep(0.05)  # so that it comes in pieces
            while piece := connection.recv(65536):
                answer += piece
        except (ConnectionError, BrokenPipeError):
            pass
        return answer


def test_a_header_that_never_ends(port: int) -> None:
    many = b"".join(b"X-%d: 1\r\n" % number for number in range(5000))
    answers = [
        talk(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"a" * 40_000),
        talk(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", many),
        talk(port, b"GET /", b"a" * 40_000),
    ]
    assert any(b"431" in answer for answer in answers)
    for answer in answers:  # where more was on its way, the answer may be lost with the connection
        assert not answer or b"431" in answer


def test_a_request_that_never_comes(port: int) -> None:
    begun = time.monotonic()
    assert b"408" in talk(port, b"GET / HTTP/1.1\r\nHost: 127.")
    assert b"408" in talk(port)
    assert time.monotonic() - begun < 8


def test_one_address_with_all_the_connections(port: int) -> None:
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(29)]
    time.sleep(0.2)
    answers = []
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as more:
            more.sendall(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            answers.append(more.recv(100))
    for connection in held:
        connection.close()
    assert any(b"200" in answer for answer in answers)  # closed ones are not counted
    time.sleep(0.3)
    good = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    assert b"200" in talk(port, good)
    many = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    time.sleep(0.3)
    assert b"503" in talk(port, good, wait=3)
    for connection in many:
        connection.close()


def test_requests_one_after_the_other_and_kept_alive(port: int) -> None:
    one = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    last = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    assert talk(port, one, one, last).count(b"200 OK") == 3
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(one)
        time.sleep(1.5)  # longer than a header may take: nothing has been begun
        connection.sendall(last)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        assert answer.count(b"200 OK") == 2


def test_a_crowd_is_told_once(client: TestClient, new_game: Callable[..., str]) -> None:
    """Who looks on is told in one message after a while, and the list has an end."""
    from contextlib import ExitStack

    from sandtable.server.rooms import NAMED

    game = new_game()
    with live(client, game, "name=first") as first, ExitStack() as stack:
        for number in range(NAMED + 10):
            stack.enter_context(live(client, game, f"name=n{number}"))
        told = 0
        while True:
            message = first.receive_json()
            if message["type"] == "presence":
                told += 1
                assert len(message["viewers"]) <= NAMED
                if message["total"] == NAMED + 11:
                    break
        assert told < 20


def test_games_that_do_not_exist_leave_nothing_behind(client: TestClient) -> None:
    lobby = client.app.state.lobby  # type: ignore[attr-defined]
    for number in range(50):
        problem(client.get(f"/api/games/nothing-{number}/state"), 404, "not-found")
    assert lobby._opening == {}


def test_more_games_than_fit_into_memory(start: Start) -> None:
    """An order never finds its game closed between looking it up and carrying it out."""
    with start(loaded_games=1) as client:
        games = [client.post("/api/games", json={"seed": 3}).json()["id"] for _ in range(6)]
        wrong: list[str] = []

        def pour(game: str) -> None:
            for _ in range(4):
                for path, body in (("orders", {"order": "buy 1 infantry"}), ("undo", {})):
                    answer = client.post(f"/api/games/{game}/{path}", json=body)
                    if answer.status_code != 200:
                        wrong.append(answer.text)

        threads = [threading.Thread(target=pour, args=(game,)) for game in games]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert wrong == []
        assert all(get(client, game, "state")["version"] == 8 for game in games)


def test_the_calculator_is_fair_and_forgets_who_has_gone() -> None:
    async def run() -> list[str]:
        calculator = Calculator()
        go = threading.Event()
        done: list[str] = []

        def question(name: str) -> Callable[[], None]:
            return lambda: done.append(name)

        first = asyncio.create_task(calculator.work(lambda: go.wait(20), "ann"))
        await asyncio.sleep(0)
        greedy = [asyncio.create_task(calculator.work(question(f"ann {n}"), "ann")) for n in range(10)]
        await asyncio.sleep(0)
        modest = asyncio.create_task(calculator.work(question("bob"), "bob"))
        await asyncio.sleep(0)
        for task in greedy[5:]:
            task.cancel()
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, modest, *greedy[:5])
        calculator.close()
        return done

    done = asyncio.run(run())
    assert done.index("bob") <= 1  # not behind all that somebody else wants to know
    assert [name for name in done if name != "bob"] == [f"ann {n}" for n in range(5)]


def test_whoever_has_gone_gets_no_answer() -> None:
    class Gone:
        async def is_disconnected(self) -> bool:
            return True

    async def run() -> None:
        calculator = Calculator()
        go = threading.Event()
        busy = asyncio.create_task(calculator.work(lambda: go.wait(20), "ann"))
        await asyncio.sleep(0)
        ran: list[int] = []
        with pytest.raises(ApiError):
            await calculator.work(lambda: ran.append(1), "bob", Gone())  # type: ignore[arg-type]
        go.set()
        await busy
        await calculator.work(lambda: None, "ann")
        calculator.close()
        assert ran == []

    asyncio.run(run())


def test_a_full_disk_is_a_sentence(start: Start, data_dir: Path) -> None:
    """SQLite is told that it may not grow; what it says then is what it says when the disk is full."""
    with start() as client:
        game = client.post("/api/games", json={"seed": 3}).json()["id"]
        database = client.app.state.lobby.store.database  # type: ignore[attr-defined]
        from sqlalchemy import event

        def shrink(connection: object, *_: object) -> None:
            cursor = connection.cursor()  # type: ignore[attr-defined]
            cursor.execute("PRAGMA max_page_count=1")
            cursor.close()

        for engine in (database.engine.sync_engine, database.plain):
            event.listen(engine, "checkout", shrink)
        answer = None
        for _ in range(60):
            answer = client.post(f"/api/games/{game}/orders", json={"order": "buy 1 infantry"})
            if answer.status_code != 200:
                break
            client.post(f"/api/games/{game}/undo", json={})
        error = problem(answer, 503, "storage")
        assert "the disk is full" in error["message"]

        def grow(connection: object, *_: object) -> None:
            cursor = connection.cursor()  # type: ignore[attr-defined]
            cursor.execute("PRAGMA max_page_count=1000000")
            cursor.close()

        for engine in (database.engine.sync_engine, database.plain):
            event.remove(engine, "checkout", shrink)
            event.listen(engine, "checkout", grow)
        version = get(client, game, "state")["version"]
        order(client, game, "end", version)  # and nothing was lost


def test_a_server_for_others_warns() -> None:
    from sandtable.server import Settings
    from sandtable.server.run import address_shown, warnings

    assert warnings(Settings()) == []
    assert "delete every game" in warnings(Settings(host="0.0.0.0"))[0]
    assert "TLS" in warnings(Settings(host="0.0.0.0", people=True))[0]
    assert warnings(Settings(host="0.0.0.0", people=True, public_url="https://table.example")) == []
    assert address_shown(Settings(public_url="https://table.example"), 80) == "https://table.example/"
    assert "0.0.0.0" not in address_shown(Settings(host="0.0.0.0"), 8765)
    assert address_shown(Settings(host="::1"), 1) == "http://[::1]:1/"


def test_settings_come_from_the_environment() -> None:
    from sandtable.errors import SandtableError
    from sandtable.server.settings import Settings, from_environment

    found = from_environment(
        Settings(),
        {"SANDTABLE_NAMES": "a.example, b.example", "SANDTABLE_PEOPLE": "yes", "SANDTABLE_RATE": "60", "OTHER": "x"},
    )
    assert (found.names, found.people, found.rate) == (("a.example", "b.example"), True, 60)
    with pytest.raises(SandtableError, match="SANDTABLE_RATE"):
        from_environment(Settings(), {"SANDTABLE_RATE": "many"})


def test_a_reader_who_does_not_read(port: int) -> None:
    """Many questions, and none of the answers is taken: the connection ends, and what waited for it is forgotten."""
    asked = 400
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = b"GET /api/scenarios/classic-1942 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        connection.sendall(request * asked)
        time.sleep(4)
        answer = b""
        try:
            while piece := connection.recv(1 << 20):
                answer += piece
        except ConnectionError:
            pass
    assert answer.count(b"HTTP/1.1 200") < asked, "it was ended before all was sent"


def test_sockets_of_one_person(start: Start) -> None:
    with start(people=True, sockets_each=2) as server:
        ann = guest(server, "Ann")
        game = ann.post("/games", 201)["id"]
        with ann.live(f"/games/{game}/live") as one, ann.live(f"/tables/{game}/live") as two:
            assert one.receive_json()["type"] == "hello"
            assert two.receive_json()["type"] == "table"
            with ann.live(f"/games/{game}/live") as third:
                assert third.receive_json()["error"]["kind"] == "slow-down"
            with ann.live(f"/tables/{game}/live") as fourth:
                assert fourth.receive_json()["error"]["kind"] == "slow-down"
        with ann.live(f"/games/{game}/live") as again:
            assert again.receive_json()["type"] == "hello"


def test_a_flood_of_messages_ends_the_connection(start: Start) -> None:
    with start(people=True) as server:
        ann = guest(server, "Ann")
        game = ann.post("/games", 201)["id"]
        with ann.live(f"/games/{game}/live") as one:
            for _ in range(700):
                one.send_text('{"type": "ping"}')
            kinds = []
            while "error" not in kinds:
                kinds.append(one.receive_json()["type"])
            assert len(kinds) < 690
            with pytest.raises(WebSocketDisconnect):
                one.receive_json()


@pytest.mark.parametrize("place", ["games", "tables"])
def test_a_socket_while_the_database_is_away(start: Start, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence, and a code with which the page tries again."""
    with start(people=True) as server:
        ann = guest(server, "Ann")
        game = ann.post("/games", 201)["id"]

        async def gone(*_: object) -> None:
            raise OperationalError("SELECT", {}, Exception("connection refused"))

        monkeypatch.setattr(server.app.state.people, "whose", gone)
        with ann.live(f"/{place}/{game}/live") as one:
            assert "does not answer" in one.receive_json()["error"]["message"]
            with pytest.raises(WebSocketDisconnect) as ended:
                one.receive_json()
        assert ended.value.code == 1013


@pytest.mark.parametrize(("proxies", "refused"), [("", True), ("127.0.0.1", False), ("*", False)])
def test_all_who_come_by_a_proxy_are_not_one_address(tmp_path: Path, proxies: str, refused: bool) -> None:
    script = "import sys; from pathlib import Path; from sandtable.server import serve, Settings\n"
    script += "serve(port=0, open_browser=False, settings=Settings(data_dir=Path(sys.argv[1]), connections_each=3,"
    script += " proxies=sys.argv[2]))"
    command = [sys.executable, "-c", script, str(tmp_path), proxies]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(6)]
        time.sleep(0.2)
        good = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        assert (b"503" in talk(port, good, wait=5)) == refused
        for connection in held:
            connection.close()
    finally:
        process.kill()
        process.communicate()
