"""Whoever means harm, or sends nonsense, gets an envelope; the server goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from server_help import HERE, LIVE, get, live, order, problem
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from sandtable.server import Settings, create_app
from sandtable.server.guard import Guard

NewGame = Callable[..., str]


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8765", "localhost:8765", "LOCALHOST", "[::1]:8765", "localhost."]
)
def test_names_of_this_machine(client: TestClient, host: str) -> None:
    assert client.get("/api/bots", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil", "", "192.168.0.7", "[::1", "a@b@c"],
)  # fmt: skip
def test_other_names_are_refused(client: TestClient, new_game: NewGame, host: str) -> None:
    """DNS rebinding: a foreign name that points to this machine."""
    problem(client.get("/api/games", headers={"host": host}), 403, "forbidden")
    with pytest.raises(WebSocketDisconnect) as closed, live(client, new_game(), host=host):
        pass
    assert closed.value.code == 1008


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("hosts", "welcome"),
    [
        (("127.0.0.1",), True),
        (("127.0.0.1", "evil.example"), False),
        (("evil.example", "127.0.0.1"), False),
        (("127.0.0.1", "localhost"), False),
        (("127.0.0.1", "127.0.0.1"), False),
        ((), False),
    ],
)
async def test_there_is_one_host_and_no_second(kind: str, hosts: tuple[str, ...], welcome: bool) -> None:
    """Two of them are read in different ways by different programs: one that is ours must not hide another."""
    entered: list[str] = []
    sent: list[Message] = []

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        entered.append(scope["type"])

    async def receive() -> Message:
        return {"type": "http.request", "body": b""} if kind == "http" else {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", host.encode()) for host in hosts]
    await Guard(inside, Settings())({"type": kind, "method": "GET", "path": "/", "headers": headers}, receive, send)
    assert entered == ([kind] if welcome else [])
    if not welcome:
        first = sent[0]
        assert first.get("status", first.get("code")) == (403 if kind == "http" else 1008)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://localhost", ""])
def test_pages_of_other_sites_are_refused(client: TestClient, new_game: NewGame, origin: str) -> None:
    game = new_game()
    headers = {"origin": origin}
    problem(client.post("/api/games", json={}, headers=headers), 403, "forbidden")
    problem(client.delete(f"/api/games/{game}", headers=headers), 403, "forbidden")
    problem(client.get("/api/games", headers=headers), 403, "forbidden")
    with pytest.raises(WebSocketDisconnect) as closed, live(client, game, origin=origin):
        pass
    assert closed.value.code == 1008
    order(client, game, "end")


def test_requests_that_a_browser_marks_as_foreign(client: TestClient) -> None:
    answer = client.post("/api/games", json={}, headers={"sec-fetch-site": "cross-site"})
    problem(answer, 403, "forbidden")
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code != 403  # a link to the page is fine


def test_the_own_page_may_talk(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    assert client.post("/api/games", json={}, headers={"origin": HERE}).status_code == 201
    with live(client, game, origin=HERE) as socket:
        assert socket.receive_json()["type"] == "hello"


def test_pages_that_were_allowed(start: Callable[..., TestClient]) -> None:
    with start(origins=("http://localhost:5173",), names=("table.example",)) as client:
        answer = client.post(
            "/api/games", json={}, headers={"origin": "http://localhost:5173", "host": "table.example"}
        )
        assert answer.status_code == 201


def test_a_server_for_others_takes_addresses_but_no_strange_names() -> None:
    open_to_all = Guard(create_app(), Settings(host="0.0.0.0"))
    assert open_to_all._is_ours("192.168.0.7:8765")
    assert open_to_all._is_ours("localhost")
    assert not open_to_all._is_ours("evil.example")
    local = Guard(create_app(), Settings())
    assert not local._is_ours("192.168.0.7")


def test_bodies_that_are_too_large(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    problem(client.post("/api/games", content=b"x" * 1_000_001), 413, "too-large")
    problem(client.post("/api/games/import", content=b"x" * 16_000_001), 413, "too-large")
    for length in ("99999999999999", "-1", "ten", "1e9"):
        problem(client.post("/api/games", content=b"{}", headers={"content-length": length}), 413, "too-large")

    def parts() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 50_000

    problem(client.post(f"/api/games/{game}/orders", content=parts()), 413, "too-large")  # of unknown length
    order(client, game, "end")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"null", b"[]", b'"text"', b"\xff\xfe\x00", b'{"order": "\xff"}', b'{"order": "\\ud800"}',
        b'{"order": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", b'{"order": ' + b"9" * 5000 + b"}",
        b'{"order": NaN}', b'{"order": "end", "version": "0"}', b'{"order": "end", "version": 1.0}',
        b'{"order": "end", "version": true}', b'{"order": "end", "extra": 1}', b'{"order": null}',
        b'{"order": {"order": "battle", "space": "\\ud800"}}', b'{"order": {"order": "buy", "units": {"a": "b"}}}',
        b'{"order": "' + b"buy 1 infantry, " * 1000 + b'"}',
    ],
)  # fmt: skip
def test_nonsense_for_orders(client: TestClient, new_game: NewGame, body: bytes) -> None:
    game = new_game()
    answer = client.post(f"/api/games/{game}/orders", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["error"]["kind"] in ("validation", "notation")
    assert get(client, game, "state")["version"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {"name": "\ud800"}, {"seats": [{"name": "\ud800", "powers": ["uk"]}]}, {"options": {"\ud800": True}},
        {"options": {"second_edition": "\ud800"}}, {"edits": {"\ud800": 1}}, {"edits": {"units": {"\ud800": {}}}},
        {"edits": {"setup": [{"power": "uk", "unit": "infantry", "count": 10**25, "space": "india"}]}},
        {"edits": {"setup": [{"power": "uk", "unit": "infantry", "count": 10**15, "space": "india"}] * 50}},
        {"edits": {"victory": {"rounds": 2**80}}}, {"scenario": "../../etc/passwd"}, {"scenario": "\x00"},
        {"seed": "\ud800"},
    ],
)  # fmt: skip
def test_nonsense_for_new_games(client: TestClient, body: dict[str, object]) -> None:
    import json

    raw = json.dumps(body).encode()
    answer = client.post("/api/games", content=raw, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500, answer.text[:300]
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/..%2f..%2fetc%2fpasswd", "/api/games/%2e%2e%2f%2e%2e/state", "/api/games/%00",
        "/api/games/" + "x" * 5000,
        "/api/nothing", "/api/", "/api/games/%ff%fe", "/api/rules/" + "%2e" * 300, "/api/scenarios/%00/world",
    ],
)  # fmt: skip
def test_tricks_with_paths(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 422), answer.text[:200]
    assert answer.json()["error"]["message"]


def test_methods_that_do_not_exist(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    problem(client.put(f"/api/games/{game}"), 405, "not-allowed")
    problem(client.get(f"/api/games/{game}/orders"), 404, "not-found")
    problem(client.post("/api/scenarios"), 405, "not-allowed")


def test_forms_are_no_orders(client: TestClient, new_game: NewGame) -> None:
    """What a page elsewhere could send without being asked for permission."""
    game = new_game()
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = client.post(f"/api/games/{game}/orders", content=b'{"order": "end"}', headers={"content-type": kind})
        problem(answer, 422, "validation")


def test_a_mistake_of_ours_is_an_envelope(data_dir: object, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    from pathlib import Path

    from sandtable.server.routes import play

    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(play, "state_view", broken)
    app = create_app(Settings(data_dir=Path(str(tmp_path))))
    with TestClient(app, base_url=HERE, raise_server_exceptions=False) as client:
        game = client.post("/api/games", json={}).json()["id"]
        error = problem(client.get(f"/api/games/{game}/state"), 500, "internal")
        assert "secret" not in error["message"]
        assert client.get(f"/api/games/{game}").status_code == 200


def test_answers_carry_protective_headers(client: TestClient) -> None:
    headers = client.get("/api/bots").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers


def test_a_websocket_elsewhere_is_refused(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{LIVE}/api/elsewhere"):
        pass
