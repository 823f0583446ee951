"""The Pacific Theater and World Domination on the server: made, dealt, looked at and played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

POWERS = ("ussr", "germany", "uk", "japan", "usa")


@pytest.mark.rule("MX20-02")
def test_countries_are_dealt(client: TestClient, new_game: Callable[..., str]) -> None:
    seats = [{"name": name, "powers": [power]} for name, power in zip("ABCDE", POWERS, strict=True)]
    dealt: list[dict[str, Any]] = []
    for seed in range(6):
        game = new_game(scenario="world-domination", seats=seats, seed=seed)
        found = client.get(f"/api/games/{game}").json()["seats"]
        dealt.append({seat["name"]: tuple(seat["powers"]) for seat in found})
    assert all(sorted(each) == list("ABCDE") for each in dealt)
    assert all(sorted(p for powers in each.values() for p in powers) == sorted(POWERS) for each in dealt)
    assert len({each["A"] for each in dealt}) > 1


@pytest.mark.rule("MX20-01")
def test_four_cannot_play_world_domination(client: TestClient) -> None:
    seats = [
        {"name": "A", "powers": ["ussr", "uk"]},
        *({"name": p, "powers": [p]} for p in ("germany", "japan", "usa")),
    ]
    answer = client.post("/api/games", json={"scenario": "world-domination", "seats": seats})
    assert answer.status_code == 422
    assert "MX20-01" in answer.text


@pytest.mark.parametrize("scenario", ["pacific-theater", "world-domination"])
def test_both_are_offered_and_can_be_looked_at(client: TestClient, new_game: Callable[..., str], scenario: str) -> None:
    offered = {s["id"]: s for s in client.get("/api/scenarios").json()}
    assert offered[scenario]["playable"]
    game = new_game(scenario=scenario)
    view = client.get(f"/api/games/{game}").json()
    assert view["scenario"] == scenario
    world = client.get(f"/api/scenarios/{scenario}/world").json()
    assert {p["id"] for p in world["powers"]} == ({"japan", "uk", "usa"} if scenario[0] == "p" else set(POWERS))
