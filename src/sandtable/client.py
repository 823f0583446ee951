"""A small client for programs that play: a token, a seat, and an answer whenever that seat is asked.

    from sandtable.client import Client

    client = Client("https://table.example", token="…")
    game = client.join("https://table.example/join/…")
    client.play(game, lambda question, state: question.get("suggestion") or "end")

The protocol is that of the page (docs/reference/server-api.md); nothing here is needed to speak it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from sandtable.errors import SandtableError

Answer = Callable[[dict[str, Any], dict[str, Any]], str | None]
"""Gives an order for a question and the state in which it is asked; None leaves it to somebody else."""

LONGEST_WAIT = 10.0  # seconds between two tries to reach the server


class Refused(SandtableError):
    """The server did not do what was asked. `kind` is for programs, the text for people."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


class Client:
    """One person at one server."""

    def __init__(self, url: str, token: str | None = None, timeout: float = 30.0) -> None:
        import httpx2

        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.url = url.rstrip("/")
        self._http = httpx2.Client(base_url=self.url, headers=headers, timeout=timeout)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ asking

    def call(self, method: str, path: str, **fields: Any) -> Any:
        """Any request of the API. Raises Refused."""
        answer = self._http.request(method, f"/api{path}", **fields)
        if answer.status_code >= 400:
            try:
                error = answer.json()["error"]
                raise Refused(answer.status_code, str(error["kind"]), str(error["message"]))
            except (ValueError, KeyError, TypeError):
                raise Refused(answer.status_code, "internal", f"The server answered {answer.status_code}.") from None
        return answer.json() if answer.content else None

    def guest(self, name: str) -> dict[str, Any]:
        """Be somebody, without a token."""
        found: dict[str, Any] = self.call("POST", "/people/guest", json={"name": name})
        return found

    @property
    def me(self) -> dict[str, Any]:
        found: dict[str, Any] = self.call("GET", "/me")
        return found

    def join(self, link: str) -> str:
        """Come to a table by its link; the id of table and game."""
        return str(self.call("POST", f"/links/{link.rstrip('/').rpartition('/')[2]}")["id"])

    def state(self, game: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("GET", f"/games/{game}/state")
        return found

    def order(self, game: str, text: str, version: int | None = None) -> dict[str, Any]:
        found: dict[str, Any] = self.call("POST", f"/games/{game}/orders", json={"order": text, "version": version})
        return found

    # ------------------------------------------------------------ listening

    def live(self, game: str, since: int | None = None) -> Iterator[dict[str, Any]]:
        """Messages of a game, for ever: after a lost connection it goes on where it was."""
        import json

        from websockets.exceptions import ConnectionClosed, InvalidStatus
        from websockets.sync.client import connect

        number, wait = since, 0.2
        while True:
            query = "" if number is None else f"?since={number}"
            address = f"{self.url.replace('http', 'ws', 1)}/api/games/{game}/live{query}"
            try:
                with connect(address, additional_headers=self._headers(), max_size=None) as socket:
                    wait = 0.2
                    for text in socket:
                        message = json.loads(text)
                        if message["type"] == "error":
                            raise Refused(400, message["error"]["kind"], message["error"]["message"])
                        if (message["type"] not in ("hello", "heartbeat") and "number" in message) or (
                            message["type"] == "hello" and number is None
                        ):
                            number = message["number"]
                        yield message
            except (ConnectionClosed, InvalidStatus, OSError):
                pass
            time.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    def _headers(self) -> dict[str, str]:
        token = self._http.headers.get("authorization")
        if token is not None:
            return {"authorization": token}
        return {"cookie": "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())}

    # ------------------------------------------------------------ playing

    def play(self, game: str, answer: Answer, *, orders: int | None = None) -> int:
        """Answer whenever one is asked, until the game is over or so many orders are given; how many were given."""
        me, given = str(self.me["id"]), 0
        for message in self.live(game):
            while (state := self._asked(game, me, message)) is not None:
                text = answer(state["decision"], state)
                if text is None:
                    break
                try:
                    self.order(game, text, state["version"])
                    given += 1
                except Refused as refused:
                    if refused.kind not in ("stale", "not-your-seat"):
                        raise
                if orders is not None and given >= orders:
                    return given
            if message.get("state", {}).get("over") or (message["type"] == "hello" and self.state(game)["over"]):
                return given
        return given

    def _asked(self, game: str, me: str, message: dict[str, Any]) -> dict[str, Any] | None:
        """The state, if it is this person who has to answer now."""
        if message["type"] in ("heartbeat", "presence", "thinking"):
            return None
        state = self.state(game)
        question = state.get("decision")
        if question is None:
            return None
        seat = next((each for each in state["seats"] if each["name"] == question["seat"]), None)
        return state if seat is not None and seat.get("person") == me and seat["player"] == "human" else None
