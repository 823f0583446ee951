"""Telling people who are not there: one message for all that waits, by the ways they chose, and never at night."""

from __future__ import annotations

import json
import re
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from people_help import Player, game_of, guest
from server_help import problem
from starlette.testclient import TestClient

from sandtable.server.storage.people import QuietHours

Start = Callable[..., TestClient]


@pytest.fixture
def posted() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """An address on this machine, and what was posted to it."""
    found: list[dict[str, str]] = []

    class Box(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Box)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook", found
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def mailed() -> Iterator[tuple[str, list[str]]]:
    """A mail server that takes everything, and what it took."""
    found: list[str] = []

    class Box(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 here\r\n")
            body: list[str] | None = None
            for raw in self.rfile:
                line = raw.decode().rstrip("\r\n")
                if body is not None:
                    if line == ".":
                        found.append("\n".join(body))
                        body = None
                        self.wfile.write(b"250 kept\r\n")
                    else:
                        body.append(line)
                elif line.upper() == "DATA":
                    body = []
                    self.wfile.write(b"354 go on\r\n")
                elif line.upper() == "QUIT":
                    self.wfile.write(b"221 bye\r\n")
                    return
                else:
                    self.wfile.write(b"250 yes\r\n")

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Box)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"smtp://127.0.0.1:{server.server_address[1]}", found
    server.shutdown()
    thread.join()
    server.server_close()


def eventually(test: Callable[[], bool], seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if test():
            return True
        time.sleep(0.05)
    return False


def test_one_post_for_all_that_waits(start: Start, posted: tuple[str, list[dict[str, str]]]) -> None:
    address, found = posted
    with start(people=True, private_webhooks=True, bundle=0.5, public_url="http://127.0.0.1") as client:
        ann, bob = guest(client, "Ann"), guest(client, "Bob")
        bob.call("PATCH", "/me", json={"webhook": address})
        games = [game_of(ann, bob, name=f"Game {number}") for number in (1, 2)]
        for game in games:
            while ann.get(f"/games/{game}/state")["turn"] == "ussr":
                ann.order(game, "end")
        assert eventually(lambda: len(found) == 1)
        assert found[0]["content"].startswith("**2 games wait for you**")
        assert "Game 1: you are asked as Germany. http://127.0.0.1/game/" in found[0]["text"]
        time.sleep(0.8)
        assert len(found) == 1


def test_who_is_there_or_wants_silence_is_left_alone(start: Start, posted: tuple[str, list[dict[str, str]]]) -> None:
    address, found = posted
    with start(people=True, private_webhooks=True, bundle=0.1) as client:
        ann, bob = guest(client, "Ann"), guest(client, "Bob")
        bob.call("PATCH", "/me", json={"webhook": address})
        game, quiet = game_of(ann, bob), game_of(ann, bob)
        bob.call("PATCH", f"/tables/{quiet}/me", json={"quiet": True})
        with bob.live(f"/tables/{game}/live") as socket:
            socket.receive_json()
            for each in (game, quiet):
                while ann.get(f"/games/{each}/state")["turn"] == "ussr":
                    ann.order(each, "end")
            time.sleep(1)
        assert found == []


def test_quiet_hours() -> None:
    def at(hour: int) -> datetime:
        return datetime(2026, 1, 1, hour, 30, tzinfo=UTC)

    night = QuietHours(start=22, end=7)
    assert [hour for hour in range(24) if night.hold(at(hour))] == [0, 1, 2, 3, 4, 5, 6, 22, 23]
    noon = QuietHours(start=12, end=14, zone=120)  # two hours east
    assert [hour for hour in range(24) if noon.hold(at(hour))] == [10, 11]


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/hook", "https://127.0.0.1/hook", "https://localhost/x", "https://10.0.0.1/", "https://[::1]/",
        "ftp://example.org", "https://user@127.0.0.1/", "nonsense", "https://", "https://169.254.169.254/latest",
    ],
)  # fmt: skip
def test_the_server_does_not_talk_to_its_own_network(start: Start, address: str) -> None:
    with start(people=True) as client:
        problem(guest(client, "Eve").http.patch("/api/me", json={"webhook": address}), 422, "validation")


def test_a_new_password_by_mail(start: Start, mailed: tuple[str, list[str]]) -> None:
    url, found = mailed
    with start(people=True, smtp_url=url, mail_from="table@example.org", public_url="http://127.0.0.1") as client:
        ann = Player(client, "")
        ann.post("/people/account", 201, name="Ann", password="first password", email="ann@example.org")
        stranger = Player(client, "")
        stranger.post("/people/recover", 204, email="nobody@example.org")  # the same answer
        assert found == []
        stranger.post("/people/recover", 204, email="ANN@example.org")
        assert len(found) == 1
        secret = re.search(r"/recover/([\w-]+)", found[0].replace("=\n", ""))
        assert secret is not None
        stranger.post("/people/recovered", 403, secret="wrong", password="second password")
        stranger.post("/people/recovered", secret=secret[1], password="second password")
        assert stranger.get("/me")["name"] == "Ann"
        ann.get("/me", 401)
        stranger.post("/people/recovered", 403, secret=secret[1], password="third password")  # once
        # the secret of a recovery opens nothing else
        stranger.post("/people/recover", 204, email="ann@example.org")
        again = re.search(r"/recover/([\w-]+)", found[1].replace("=\n", ""))
        assert again is not None
        answer = Player(client, "").http.get("/api/me", headers={"authorization": f"Bearer {again[1]}"})
        problem(answer, 401, "sign-in")


def test_without_a_mail_server(start: Start) -> None:
    with start(people=True) as client:
        problem(client.post("/api/people/recover", json={"email": "a@b.cd"}), 403, "forbidden")


def test_notifications_of_browsers_need_a_key(start: Start) -> None:
    subscription = {"endpoint": "https://push.example.org/1", "keys": {"p256dh": "x", "auth": "y"}}
    with start(people=True) as client:
        ann = guest(client, "Ann")
        assert ann.get("/server")["push_key"] is None
        ann.post("/me/push", 403, subscription=subscription)


def test_the_key_for_browsers() -> None:
    pytest.importorskip("pywebpush")
    from py_vapid import Vapid, b64urlencode

    from sandtable.server.notifying import public_key

    vapid = Vapid()
    vapid.generate_keys()
    private = b64urlencode(vapid.private_key.private_numbers().private_value.to_bytes(32, "big"))
    assert len(public_key(private)) == 87
    assert public_key("") == ""
