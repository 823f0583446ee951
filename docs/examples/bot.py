"""A program that takes a seat: python docs/examples/bot.py URL LINK [TOKEN]

It comes to the table by its link, waits until the host gives it a country and begins, and answers whenever it is
asked: it buys infantry, puts it where it may, and lets everything else take its usual course. A real bot would look
at `state`; `sandtable.bots` shows how far one can go.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from sandtable.client import Client, Refused


def decide(client: Client, game: str, question: dict[str, Any], state: dict[str, Any]) -> str:
    """An order for a question."""
    if question["kind"] == "purchase" and not state["pool"]:
        money = state["powers"][question["power"]]["treasury"]
        return f"buy {money // 3} infantry" if money >= 3 else "end"
    if question["kind"] == "mobilize" and state["pool"].get("infantry"):
        found = client.call("GET", f"/games/{game}/legal/places", params={"unit": "infantry"})
        where = max(found["places"], key=lambda place: place["most"])
        return f"place {min(where['most'], found['pool'])} infantry: {where['space']}"
    if question.get("suggestion"):
        return str(question["suggestion"])
    orders = question.get("orders") or []
    return str(orders[0]) if orders else "end"


def main(url: str, link: str, token: str | None = None) -> None:
    with Client(url, token) as client:
        if token is None:
            client.guest("Example bot")
        game = client.join(link)
        while client.call("GET", f"/tables/{game}")["stage"] == "setup":
            time.sleep(1)
        try:
            given = client.play(game, lambda question, state: decide(client, game, question, state))
            print(f"{given} orders given; the game is over.")
        except Refused as refused:
            print(f"The game goes on without me: {refused}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
