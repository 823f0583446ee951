"""Games of editions from outside on the server: brought, kept, played by bots, shown, exported."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from server_help import get, order, problem
from starlette.testclient import TestClient

from sandtable import Game
from sandtable.notation import format_order
from sandtable.world import library
from support.play import play_on
from support.scratch import FOLDER

Start = Callable[..., TestClient]


@pytest.fixture
def text() -> str:
    game = Game.new(edition=FOLDER, options={"guns": True}, seed=9)
    play_on(game, random.Random(2), 25)
    return game.to_text()


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The library as in a server that has just been started."""

    def forget() -> None:
        monkeypatch.setattr(library, "_met", type(library._met)())

    return forget


def brought(client: TestClient, text: str, **fields: object) -> str:
    answer = client.post("/api/games/import", json={"text": text, **fields})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_game_is_brought_played_and_exported(client: TestClient, text: str, forgotten: Callable[[], None]) -> None:
    forgotten()
    game = brought(client, text)
    local = Game.from_text(text)
    legal = format_order(local.legal.sample(random.Random(0)))
    order(client, game, legal)
    local.play(legal)
    assert client.get(f"/api/games/{game}").json()["digest"] == local.state.digest()
    again = Game.from_text(get(client, game, "export")["text"])
    assert again.state == local.state
    copy = client.post(f"/api/games/{game}/copy", params={"at": 3}).json()
    assert copy["orders"] == 3


def test_it_is_kept(start: Start, text: str, forgotten: Callable[[], None]) -> None:
    with start() as client:
        game = brought(client, text)
        before = client.get(f"/api/games/{game}").json()["digest"]
    forgotten()
    with start() as client:
        assert client.get("/api/games").json()[0]["id"] == game
        assert client.get(f"/api/games/{game}").json()["digest"] == before
        world = get(client, game, "world")
        assert "artillery" in {unit["id"] for unit in world["units"]}


def test_its_board_is_drawn(client: TestClient, text: str) -> None:
    game = brought(client, text)
    world = get(client, game, "world")
    assert world["board"].startswith("plain@")
    asset = client.get(f"/api/maps/{world['board']}")
    assert asset.status_code == 200
    assert set(asset.json()["spaces"]) == {space["id"] for space in world["spaces"]}
    problem(client.get("/api/maps/plain@" + "0" * 32), 404, "not-found")


def test_its_world_is_told(client: TestClient, text: str) -> None:
    brought(client, text)
    name = library.scenario_in(FOLDER)
    world = client.get(f"/api/scenarios/{name}/world", params={"dear_units": "two"})
    assert world.status_code == 200, world.text
    assert next(u["cost"] for u in world.json()["units"] if u["id"] == "infantry") == 5
    problem(client.get("/api/scenarios/scratch@" + "0" * 32 + "/world"), 404, "not-found")


def test_a_new_game_of_it(client: TestClient, text: str) -> None:
    brought(client, text)
    answer = client.post("/api/games", json={"scenario": library.scenario_in(FOLDER), "options": {"bold": True}})
    assert answer.status_code == 201, answer.text
    assert answer.json()["options"]["bold"] is True


def test_bots_think_about_it(client: TestClient, text: str) -> None:
    """The bots' process has never seen the folder."""
    seats = [
        {"name": "East", "powers": ["red", "orange"], "player": "3star"},
        {"name": "West", "powers": ["blue", "green"]},
    ]
    game = brought(client, Game.new(edition=FOLDER, seed=1).to_text(), seats=seats)
    client.post(f"/api/games/{game}/bots", json={"running": True})
    end = time.monotonic() + 60
    while time.monotonic() < end:
        state = get(client, game, "state")
        if state["decision"] is not None and state["decision"]["power"] in ("blue", "green"):
            break
        time.sleep(0.1)
    assert client.get(f"/api/games/{game}").json()["orders"] >= 3


@pytest.mark.parametrize("harm", ["edition: AAAA", "edition: !"])
def test_damaged_editions_are_told(client: TestClient, text: str, harm: str) -> None:
    lines = text.split("\n")
    place = next(i for i, line in enumerate(lines) if line.startswith("edition: "))
    lines[place] = harm
    before = len(client.get("/api/games").json())
    problem(client.post("/api/games/import", json={"text": "\n".join(lines)}), 422, "save")
    assert len(client.get("/api/games").json()) == before
