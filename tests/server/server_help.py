"""Helpers for the server's tests."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

HERE = "http://127.0.0.1"
LIVE = "ws://127.0.0.1"

ATTACK = (
    "end",
    "end",
    "move 3 infantry, 1 armor: karelia-ssr -> finland-norway",
    "move 3 infantry: caucasus -> ukraine-ssr",
    "end",
    "battle finland-norway",
)
"""The first orders of a game with seed 3; after them Germany has to name two casualties in Finland."""


def order(client: TestClient, game: str, text: str | dict[str, Any], version: int | None = None) -> dict[str, Any]:
    """Give an order that must be accepted."""
    answer = client.post(f"/api/games/{game}/orders", json={"order": text, "version": version})
    assert answer.status_code == 200, f"{text}: {answer.text}"
    found: dict[str, Any] = answer.json()
    return found


def orders(client: TestClient, game: str, *texts: str) -> dict[str, Any]:
    """Give several; the answer to the last."""
    answers = [order(client, game, text) for text in texts]
    return answers[-1]


def get(client: TestClient, game: str, what: str, **params: Any) -> Any:
    """What a game answers to a question that must be answered."""
    answer = client.get(f"/api/games/{game}/{what}", params=params)
    assert answer.status_code == 200, f"{what}: {answer.text}"
    return answer.json()


def problem(answer: Any, status: int, kind: str) -> dict[str, Any]:
    """The error of an answer that must be one, in the one form that errors have."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:500]}"
    body = answer.json()
    assert set(body) == {"error"}
    error: dict[str, Any] = body["error"]
    assert set(error) == {"kind", "message", "rules", "culprits", "details"}
    assert error["kind"] == kind, error
    assert error["message"]
    return error


def units(state: dict[str, Any], space: str) -> dict[tuple[str, str], int]:
    """Power and unit -> number in a space of a state view."""
    found: dict[tuple[str, str], int] = {}
    for stack in state["spaces"][space]["units"]:
        key = (stack["power"], stack["unit"])
        found[key] = found.get(key, 0) + stack["count"]
    return found


def live(client: TestClient, game: str, query: str = "", **headers: str) -> Any:
    """A live connection; use it as a context."""
    url = f"{LIVE}/api/games/{game}/live" + (f"?{query}" if query else "")
    return client.websocket_connect(url, headers=headers)
