"""What opponents mean to do, asked over HTTP."""

from __future__ import annotations

from collections.abc import Callable

from server_help import get, orders, problem
from starlette.testclient import TestClient

SEATS = [
    {"name": "You", "powers": ["ussr", "uk", "usa"]},
    {"name": "Axis", "powers": ["germany", "japan"], "player": "3star", "style": "bold"},
]


def test_advice_for_a_person(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game()
    orders(client, game, "end")
    plan = get(client, game, "plan")
    assert (plan["bot"], plan["power"], plan["kind"], plan["own"]) == ("5star", "ussr", "purchase", False)
    assert any(order.startswith("buy ") for step in plan["steps"] for order in step["orders"])
    assert all(step["why"] for step in plan["steps"])
    orders(client, game, "end")
    attack = get(client, game, "plan", bot="3star")
    assert attack["bot"] == "3star"
    assert any(step["odds"] is not None for step in attack["steps"])


def test_an_opponent_explains_what_it_did(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game(seats=SEATS)
    client.post(f"/api/games/{game}/bots", json={"running": False})
    orders(client, game, *["end"] * 5)
    before = get(client, game, "state")
    assert before["decision"]["power"] == "germany"
    plan = get(client, game, "plan")
    assert (plan["bot"], plan["power"], plan["own"]) == ("3star", "germany", True)
    client.post(f"/api/games/{game}/bots", json={"running": True})
    played = []
    while not played:
        log = get(client, game, "log")["lines"]
        played = [line["order"] for line in log if line["turn"] == "germany" and line["order"].startswith("buy ")]
    client.post(f"/api/games/{game}/bots", json={"running": False})
    then = get(client, game, "timeline")["marks"]
    place = next(mark["at"] for mark in then if mark["turn"] == "germany" and mark["phase"] == "purchase")
    told = get(client, game, "plan", at=place)
    assert [order for step in told["steps"] for order in step["orders"]] == played


def test_plans_that_there_are_not(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game()
    problem(client.get(f"/api/games/{game}/plan", params={"bot": "random"}), 422, "data")
    problem(client.get(f"/api/games/{game}/plan", params={"bot": "napoleon"}), 422, "data")
    problem(client.get(f"/api/games/{game}/plan", params={"bot": "5star", "style": "sulky"}), 422, "data")
    problem(client.get(f"/api/games/{game}/plan", params={"at": 7}), 422, "data")
