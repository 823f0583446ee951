"""Helpers for tests with several people at one server."""

from __future__ import annotations

from typing import Any

from server_help import HERE
from starlette.testclient import TestClient


class Player:
    """A browser of its own at a shared server."""

    def __init__(self, server: TestClient, name: str) -> None:
        self.http = TestClient(server.app, base_url=HERE)
        self.http.portal = server.portal  # the same running app, other cookies
        self.name = name
        self.id = ""

    def call(self, method: str, path: str, status: int = 200, **fields: Any) -> Any:
        answer = self.http.request(method, f"/api{path}", **fields)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    def get(self, path: str, status: int = 200, **params: Any) -> Any:
        return self.call("GET", path, status, params=params)

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        return self.call("POST", path, status, json=body)

    def order(self, game: str, text: str, status: int = 200) -> Any:
        return self.post(f"/games/{game}/orders", status, order=text)

    def live(self, path: str) -> Any:
        return self.http.websocket_connect(f"ws://127.0.0.1/api{path}")


def guest(server: TestClient, name: str) -> Player:
    player = Player(server, name)
    player.id = player.post("/people/guest", 201, name=name)["id"]
    return player


AXIS, ALLIES = ("germany", "japan"), ("ussr", "uk", "usa")


def table_of(host: Player, *others: Player, **fields: Any) -> dict[str, Any]:
    """A table with its host and those who come by its link."""
    table: dict[str, Any] = host.post("/tables", 201, **fields)
    for other in others:
        other.post(f"/links/{table['join_link']}")
    found: dict[str, Any] = host.get(f"/tables/{table['id']}")
    return found


def game_of(allies: Player, axis: Player, **fields: Any) -> str:
    """A game that has begun: one plays the Allies and is host, the other the Axis."""
    table = table_of(allies, axis, **fields)
    given = {power: {"person": allies.id} for power in ALLIES} | {power: {"person": axis.id} for power in AXIS}
    allies.post(f"/tables/{table['id']}/assign", given=given)
    allies.post(f"/tables/{table['id']}/begin")
    return str(table["id"])
