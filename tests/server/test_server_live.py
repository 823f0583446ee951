"""Live connections: numbers, resuming, heartbeats, presence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from server_help import ATTACK, get, live, order, orders
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

NewGame = Callable[..., str]


def changes(socket: Any, number: int) -> list[dict[str, Any]]:
    """The next so many numbered messages."""
    found: list[dict[str, Any]] = []
    while len(found) < number:
        message = socket.receive_json()
        if "number" in message and message["type"] not in ("hello", "heartbeat", "reset"):
            found.append(message)
    return found


def test_orders_are_told_as_they_happen(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    with live(client, game, "name=Ann") as socket:
        hello = socket.receive_json()
        assert (hello["type"], hello["number"]) == ("hello", 0)
        assert hello["viewers"] == [{"id": hello["viewer"], "name": "Ann"}]
        answers = [order(client, game, text) for text in ATTACK]
        assert changes(socket, len(ATTACK)) == answers
        fight = answers[-1]
        assert fight["dice"]
        assert fight["state"]["decision"]["power"] == "germany"
        assert any("dice" in sentence for sentence in fight["sentences"])


def test_resume_from_any_number(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    everything = [order(client, game, text) for text in ("buy 1 infantry", "buy 1 armor")]
    everything.append(client.post(f"/api/games/{game}/undo").json())
    everything.append(client.post(f"/api/games/{game}/redo").json())
    everything.append(client.post(f"/api/games/{game}/seats/Germany", json={"player": "random"}).json())
    everything.append(order(client, game, "buy 2 infantry"))
    client.post(f"/api/games/{game}/copy", params={"at": 1, "into": "same"})
    everything.append(order(client, game, "end"))
    for since in range(9):
        with live(client, game, f"since={since}") as socket:
            assert socket.receive_json()["number"] == 8
            told = changes(socket, 8 - since)
            assert [m["number"] for m in told] == list(range(since + 1, 9))
            for message in told:
                if message["number"] < 7:
                    assert _plain(message) == _plain(everything[message["number"] - 1])
    with live(client, game, "since=6") as socket:
        socket.receive_json()
        rewind, last = changes(socket, 2)
        assert rewind["type"] == "rewind"
        assert rewind["state"]["at"] == 1
        assert last["order"] == "end"


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """What a message tells about its own moment; whether something can be undone is only known of the present."""
    state = {k: v for k, v in message["state"].items() if k not in ("can_undo", "can_redo", "orders", "seats")}
    return {**message, "state": state}


def test_a_lost_connection_misses_nothing(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    seen = 0
    told: list[str] = []
    for text in ATTACK:
        with live(client, game, f"since={seen}") as socket:
            socket.receive_json()
            order(client, game, text)
            (message,) = changes(socket, 1)
            seen = message["number"]
            told.append(message["order"])
        get(client, game, "state")
    assert told == list(ATTACK)


def test_resume_after_a_restart(start: Callable[..., TestClient]) -> None:
    """The numbers are in storage: orders, what was taken back, everything."""
    with start() as client:
        game = client.post("/api/games", json={"seed": 3}).json()["id"]
        sent = [order(client, game, text) for text in ("buy 1 infantry", "buy 1 armor")]
        sent.append(client.post(f"/api/games/{game}/undo").json())
        sent.extend(order(client, game, text) for text in ("end", *ATTACK[2:]))
    with start() as client, live(client, game, "since=1") as socket:
        assert socket.receive_json()["number"] == len(sent)
        told = changes(socket, len(sent) - 1)
    assert [_plain(m) for m in told] == [_plain(m) for m in sent[1:]]


def test_a_number_from_the_future_is_reset(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    order(client, game, "end")
    with live(client, game, "since=40") as socket:
        assert socket.receive_json()["type"] == "hello"
        assert socket.receive_json() == {"type": "reset", "number": 1}
        order(client, game, "end")
        assert changes(socket, 1)[0]["number"] == 2


def test_two_viewers_hear_of_each_other(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    with live(client, game, "name=Ann") as ann:
        ann.receive_json()
        assert [v["name"] for v in ann.receive_json()["viewers"]] == ["Ann"]
        with live(client, game, "name=Bob") as bob:
            assert [v["name"] for v in bob.receive_json()["viewers"]] == ["Ann", "Bob"]
            assert [v["name"] for v in ann.receive_json()["viewers"]] == ["Ann", "Bob"]
            bob.send_json({"type": "name", "name": "Robert"})
            assert [v["name"] for v in ann.receive_json()["viewers"]] == ["Ann", "Robert"]
            order(client, game, "buy 1 infantry")
            assert changes(ann, 1) == changes(bob, 1)
        assert [v["name"] for v in ann.receive_json()["viewers"]] == ["Ann"]


def test_heartbeats_when_nothing_happens(start: Callable[..., TestClient]) -> None:
    with start(heartbeat=0.1) as client:
        game = client.post("/api/games", json={}).json()["id"]
        with live(client, game) as socket:
            assert socket.receive_json()["heartbeat"] == 0.1
            kinds = [socket.receive_json()["type"] for _ in range(4)]
            assert kinds == ["presence", "heartbeat", "heartbeat", "heartbeat"]


def test_a_ping_is_answered(client: TestClient, new_game: NewGame) -> None:
    with live(client, new_game()) as socket:
        socket.receive_json()
        socket.receive_json()
        socket.send_json({"type": "ping"})
        assert socket.receive_json() == {"type": "heartbeat", "number": 0}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"type": "order"}', '{"type": 1}', '{"type": "name"}', "[" * 5000, "x" * 20_000, '"\\ud800"'],
)
def test_messages_that_make_no_sense_are_answered(client: TestClient, new_game: NewGame, text: str) -> None:
    with live(client, new_game()) as socket:
        socket.receive_json()
        socket.receive_json()
        socket.send_text(text)
        answer = socket.receive_json()
        assert answer["type"] == "error"
        assert answer["error"]["message"]
        socket.send_json({"type": "ping"})  # and the connection lives
        assert socket.receive_json()["type"] == "heartbeat"


def test_bytes_are_no_messages(client: TestClient, new_game: NewGame) -> None:
    with live(client, new_game()) as socket:
        socket.receive_json()
        socket.receive_json()
        socket.send_bytes(b"\xff\xfe")
        assert socket.receive_json()["type"] == "error"


@pytest.mark.parametrize("query", ["since=x", "since=-1", "since=1.5", "since=99999999999", "since="])
def test_wrong_numbers(client: TestClient, new_game: NewGame, query: str) -> None:
    with live(client, new_game(), f"{query}") as socket:
        assert socket.receive_json()["error"]["kind"] == "validation"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4400


def test_no_game_no_connection(client: TestClient) -> None:
    with live(client, "nothing") as socket:
        assert socket.receive_json()["error"]["kind"] == "not-found"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4404


def test_a_deleted_game_says_goodbye(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    with live(client, game) as socket:
        socket.receive_json()
        socket.receive_json()
        client.delete(f"/api/games/{game}")
        assert socket.receive_json() == {"type": "deleted"}
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4410


def test_every_message_is_in_the_schema(client: TestClient) -> None:
    schema = client.get("/api/openapi.json").json()["components"]["schemas"]
    kinds = set(schema["LiveMessage"]["discriminator"]["mapping"])
    assert {"order", "undo", "redo", "rewind", "seat", "hello", "reset", "heartbeat", "presence"} <= kinds
    assert {"thinking", "trouble", "deleted", "error"} <= kinds


def test_orders_are_not_given_here(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end")
    with live(client, game) as socket:
        socket.receive_json()
        socket.receive_json()
        socket.send_json({"type": "order", "order": "end"})
        assert socket.receive_json()["type"] == "error"
    assert get(client, game, "state")["version"] == 1
