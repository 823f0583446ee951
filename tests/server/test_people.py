"""Who somebody is, and that nobody else can do what is his to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from people_help import Player, game_of, guest, table_of
from server_help import problem
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from sandtable.server import quotas

Start = Callable[..., TestClient]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("people")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[TestClient]:
    from server_help import HERE

    from sandtable.server import Settings, create_app

    app = create_app(Settings(data_dir=folder, people=True, heartbeat=5))
    app.state.limits.enabled = False  # what they are is tested on its own
    with TestClient(app, base_url=HERE) as running:
        yield running


def test_a_local_server_knows_nobody_and_asks_nobody(client: TestClient) -> None:
    assert client.get("/api/server").json() == {
        "people": False, "registration": "open", "mail": False, "push_key": None, "public_url": None,
        "ladder": False, "neighbours": False, "me": None,
    }  # fmt: skip
    problem(client.post("/api/people/guest", json={"name": "Ann"}), 403, "forbidden")
    problem(client.get("/api/me"), 403, "forbidden")
    problem(client.post("/api/tables", json={}), 403, "forbidden")
    assert client.get("/api/tables").json() == []


def test_a_name_is_enough(server: TestClient) -> None:
    stranger = Player(server, "")
    for method, path in (("GET", "/games"), ("POST", "/games"), ("GET", "/tables"), ("GET", "/me")):
        answer = stranger.http.request(method, f"/api{path}", json={} if method == "POST" else None)
        problem(answer, 401, "sign-in")
    ann = guest(server, "  Ann   Lee ")
    assert ann.get("/me")["name"] == "Ann Lee"
    assert ann.get("/server")["me"]["name"] == "Ann Lee"
    cookie = next(c for c in ann.http.cookies.jar if c.name == "sandtable")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "lax"
    ann.post("/people/guest", 409, name="Other")
    ann.post("/people/sign-out", 204)
    ann.get("/me", 401)


@pytest.mark.parametrize("name", ["", " ", "\u200b", "x" * 41, "a\nb\x00"])
def test_names_that_are_none(server: TestClient, name: str) -> None:
    Player(server, "").post("/people/guest", 422, name=name)


def test_an_account_keeps_the_seats_of_the_guest(server: TestClient, folder: Path) -> None:
    ann = guest(server, "Ann")
    table = table_of(ann)
    ann.post("/people/account", 422, name="Anna", password="short")
    ann.post("/people/account", 201, name="Anna", password="a long password", email="anna@example.org")
    ann.post("/people/account", 409, name="Another", password="a long password")
    assert ann.get(f"/tables/{table['id']}")["role"] == "host"
    other = Player(server, "")
    other.post("/people/sign-in", 403, name="Anna", password="wrong")
    other.post("/people/sign-in", 403, name="Nobody at all", password="a long password")
    other.post("/people/sign-in", name="anna", password="a long password")  # neither case matters
    assert other.get("/me")["email"] == "anna@example.org"
    Player(server, "").post("/people/account", 409, name="ANNA", password="a long password")
    raw = (folder / "games.sqlite").read_bytes() + (folder / "games.sqlite-wal").read_bytes()
    assert b"a long password" not in raw
    kept = sqlite3.connect(folder / "games.sqlite").execute("SELECT password FROM people WHERE login='anna'").fetchone()
    assert kept[0].startswith("$argon2id$")


def test_another_password_signs_everybody_out(server: TestClient) -> None:
    bob, other = Player(server, ""), Player(server, "")
    bob.post("/people/account", 201, name="Bob", password="first password")
    other.post("/people/sign-in", name="Bob", password="first password")
    bob.post("/me/password", 403, old="wrong one", new="second password")
    bob.post("/me/password", 204, old="first password", new="second password")
    bob.get("/me")
    other.get("/me", 401)
    other.post("/people/sign-in", 403, name="Bob", password="first password")
    other.post("/people/sign-in", name="Bob", password="second password")
    sessions = bob.get("/me/sessions")
    assert len(sessions) == 2
    bob.call("DELETE", f"/me/sessions/{sessions[-1]['id']}", 204)
    other.get("/me", 401)


def test_a_program_has_a_token(server: TestClient) -> None:
    cleo = guest(server, "Cleo")
    token = cleo.post("/me/tokens", 201, label="my bot")["token"]
    program = Player(server, "")
    answer = program.http.get("/api/me", headers={"authorization": f"Bearer {token}"})
    assert answer.json()["name"] == "Cleo"
    (session,) = [each for each in cleo.get("/me/sessions") if each["kind"] == "token"]
    cleo.call("DELETE", f"/me/sessions/{session['id']}", 204)
    problem(program.http.get("/api/me", headers={"authorization": f"Bearer {token}"}), 401, "sign-in")


def test_export_and_deletion(server: TestClient) -> None:
    dora, emil = guest(server, "Dora"), guest(server, "Emil")
    game = game_of(dora, emil)
    emil.post(f"/tables/{game}/chat", 201, text="my secret plan")
    kept = emil.get("/me/export")
    assert kept["profile"]["person"]["name"] == "Emil"
    assert [each["text"] for each in kept["chat"]] == ["my secret plan"]
    emil.post("/me/delete", 204)
    emil.get("/me", 401)
    assert dora.get(f"/tables/{game}/chat")["messages"] == []
    assert [member["name"] for member in dora.get(f"/tables/{game}")["members"]] == ["Dora"]
    seats = {seat["name"]: seat.get("person") for seat in dora.get(f"/games/{game}")["seats"]}
    assert seats == {"Dora": dora.id, "Emil": None}  # and the game goes on


ROUTES = [
    ("GET", ""), ("GET", "/world"), ("GET", "/state"), ("GET", "/log"), ("GET", "/statistics"), ("GET", "/newspaper"),
    ("GET", "/timeline"), ("GET", "/export"), ("GET", "/progress"), ("GET", "/moves"), ("GET", "/legal/turn"),
    ("GET", "/legal/targets"), ("GET", "/legal/purchase"), ("GET", "/legal/why?order=end"), ("GET", "/odds/pending"),
    ("GET", "/odds?space=germany"), ("GET", "/plan"), ("GET", "/analysis"), ("GET", "/analysis.html"),
    ("PATCH", ""), ("DELETE", ""), ("POST", "/copy"), ("POST", "/orders"), ("POST", "/undo"), ("POST", "/redo"),
    ("POST", "/seats/Ann"), ("POST", "/bots"),
]  # fmt: skip
BODIES = {"/orders": {"order": "end"}, "/bots": {"running": False}, "/seats/Ann": {"player": "random"}}


def test_for_a_stranger_there_is_no_such_game(server: TestClient) -> None:
    """Not even whether it exists: the answers are those for a game that does not."""
    ann, bob, eve = (guest(server, name) for name in ("Ann", "Bob", "Eve"))
    game = game_of(ann, bob)
    version = ann.get(f"/games/{game}/state")["version"]
    for method, path in ROUTES:
        body = BODIES.get(path, {"name": "Mine"} if method == "PATCH" else {} if method == "POST" else None)
        answers = [eve.http.request(method, f"/api/games/{each}{path}", json=body) for each in (game, "000000000000")]
        assert [answer.status_code for answer in answers] == [404, 404], (method, path, answers[0].text)
        assert answers[0].text.replace(game, "") == answers[1].text.replace("000000000000", "")
    for path in ("", "/chat"):
        eve.get(f"/tables/{game}{path}", 404)
    for path in ("begin", "reset", "leave", "links", "join"):
        eve.post(f"/tables/{game}/{path}", 404)
    for path in (f"/games/{game}/live", f"/tables/{game}/live"):
        with eve.live(path) as socket:
            assert socket.receive_json()["error"]["kind"] == "not-found"
            with pytest.raises(WebSocketDisconnect):
                socket.receive_json()
    assert eve.get("/games") == []
    assert [each["id"] for each in ann.get("/games")].count(game) == 1
    assert ann.get(f"/games/{game}/state")["version"] == version


def test_one_answers_for_ones_own_seat_only(server: TestClient) -> None:
    ann, bob = guest(server, "Ann"), guest(server, "Bob")
    game = game_of(ann, bob)
    watcher = guest(server, "Wil")
    watcher.post(f"/links/{ann.get(f'/tables/{game}')['watch_link']}")
    watcher.get(f"/games/{game}/state")
    for wrong in (bob, watcher):
        error = problem(wrong.http.post(f"/api/games/{game}/orders", json={"order": "end"}), 409, "not-your-seat")
        assert error["message"] == "U.S.S.R. is played by Ann."
    ann.order(game, "buy 1 infantry")
    for wrong in (bob, watcher):
        problem(wrong.http.post(f"/api/games/{game}/undo"), 409, "not-your-seat")
    ann.post(f"/games/{game}/undo")
    for wrong in (bob, watcher):
        problem(wrong.http.post(f"/api/games/{game}/redo"), 409, "not-your-seat")
        problem(wrong.http.post(f"/api/games/{game}/seats/Ann", json={"player": "random"}), 403, "forbidden")
        problem(wrong.http.post(f"/api/games/{game}/bots", json={"running": False}), 403, "forbidden")
        problem(wrong.http.patch(f"/api/games/{game}", json={"name": "Mine"}), 403, "forbidden")
        problem(wrong.http.delete(f"/api/games/{game}"), 403, "forbidden")
        wrong.post(f"/tables/{game}/pause", 403, paused=True)
    problem(ann.http.post(f"/api/games/{game}/seats/Bob", json={"player": "random"}), 409, "taken")
    changes = ann.post(f"/games/{game}/redo")
    assert changes["person"] == ann.id  # the record names the person
    problem(watcher.http.post(f"/api/games/{game}/copy?into=same&at=0"), 409, "consent")
    assert ann.get(f"/tables/{game}")["join_link"]
    assert watcher.get(f"/tables/{game}")["join_link"] is None


def test_the_seed_is_secret_until_the_end(server: TestClient) -> None:
    ann, bob = guest(server, "Ann"), guest(server, "Bob")
    table = table_of(ann, bob)
    commitment = table["commitment"]
    bob.post(f"/tables/{table['id']}/dice", text="heads or tails")
    given = {p: {"person": ann.id} for p in ("ussr", "uk", "usa")} | {
        p: {"person": bob.id} for p in ("germany", "japan")
    }
    ann.post(f"/tables/{table['id']}/assign", given=given)
    ann.post(f"/tables/{table['id']}/begin")
    bob.post(f"/tables/{table['id']}/dice", 409, text="too late")
    game = table["id"]
    sealed = f"sealed:{commitment}:Bob=heads~20~or~20~tails"
    assert ann.get(f"/games/{game}")["seed"] == sealed
    assert sealed in ann.get(f"/games/{game}/export")["text"]
    copy = bob.post(f"/games/{game}/copy", 201)
    assert copy["seed"].startswith("sealed:")
    assert commitment not in copy["seed"]  # other dice
    assert {seat.get("person") for seat in copy["seats"]} == {bob.id}
    text = ann.get(f"/games/{game}/export")["text"]
    imported = bob.post("/games/import", 201, text=text)
    assert commitment not in imported["seed"]
    ann.post("/games", 422, seed=3)  # dice that one could know beforehand
    ann.post(f"/tables/{game}/offers", 201, kind="draw")
    (offer,) = bob.get(f"/tables/{game}")["offers"]
    bob.post(f"/tables/{game}/offers/{offer['id']}", yes=True)
    opened = ann.get(f"/games/{game}/export")["text"]
    assert "dice:" in opened
    assert sealed not in opened


def test_two_who_answer_at_once(server: TestClient) -> None:
    ann, bob = guest(server, "Ann"), guest(server, "Bob")
    game = game_of(ann, bob)
    first = ann.post(f"/games/{game}/orders", order="buy 1 infantry", version=0)
    assert first["number"] == 1
    error = problem(ann.http.post(f"/api/games/{game}/orders", json={"order": "end", "version": 0}), 409, "stale")
    assert "moved on" in error["message"]


def test_lists_have_pages(server: TestClient) -> None:
    ann = guest(server, "Ann")
    made = [ann.post("/games", 201)["id"] for _ in range(5)]
    assert [each["id"] for each in ann.get("/games", limit=2, skip=1)] == made[::-1][1:3]
    ann.get("/games", 422, limit=0)


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time passes for who counts requests, however busy the machine is."""
    monkeypatch.setattr(quotas, "time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.mark.usefixtures("still")
def test_too_much_at_once(start: Start) -> None:
    with start(people=True, rate=60) as client:
        for _ in range(20):
            assert client.post("/api/people/sign-in", json={"name": "x", "password": "y" * 8}).status_code in (403, 429)
        problem(client.post("/api/people/sign-in", json={"name": "x", "password": "y" * 8}), 429, "slow-down")
        ann = guest(client, "Ann")
        answers = [ann.http.get("/api/games").status_code for _ in range(80)]
        assert answers[0] == 200
        assert answers[-1] == 429
        assert client.get("/api/about").status_code == 200


def test_a_closed_server(start: Start) -> None:
    with start(people=True, registration="closed") as client:
        stranger = Player(client, "")
        stranger.post("/people/guest", 403, name="Ann")
        stranger.post("/people/account", 403, name="Ann", password="a long password")
        stranger.post("/people/guest", 403, name="Ann", link="nonsense")


def test_what_is_over_stays_over(server: TestClient) -> None:
    """Its dice are known then: nobody goes back and plays on with them."""
    ann, bob = guest(server, "Ann"), guest(server, "Bob")
    game = game_of(ann, bob)
    ann.order(game, "surrender")
    assert ann.get(f"/games/{game}/state")["over"] is True
    assert ann.get(f"/games/{game}")["seed"].startswith("dice:")
    problem(ann.http.post(f"/api/games/{game}/undo"), 409, "forbidden")
    problem(ann.http.post(f"/api/games/{game}/copy?into=same&at=0"), 409, "forbidden")


@pytest.mark.usefixtures("still")
def test_an_address_asks_too_much(start: Start) -> None:
    """Also for what anybody may see."""
    with start(people=True, rate=10) as client:
        answers = [client.get("/api/about").status_code for _ in range(80)]
        assert answers[0] == 200
        assert answers[-1] == 429
