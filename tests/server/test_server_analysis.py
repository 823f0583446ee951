"""The analysis of a game over HTTP."""

from __future__ import annotations

from starlette.testclient import TestClient

from sandtable.server.routes import analysis


def attacked(client: TestClient) -> str:
    game = client.post("/api/games", json={"seed": 3, "name": "Karelia & <co>"}).json()["id"]
    orders = ("end", "end", "move 3 infantry, 1 armor: karelia-ssr -> finland-norway", "end")
    for order in orders:
        assert client.post(f"/api/games/{game}/orders", json={"order": order}).status_code < 400
    return str(game)


def test_analysis_of_a_game(client: TestClient) -> None:
    game = attacked(client)
    found = client.get(f"/api/games/{game}/analysis").json()
    assert found["sides"] == ["allies", "axis"]
    assert found["moments"][0]["chance"] == 0.5
    assert found["luck"]["ussr"]["dice"] >= 0


def test_it_is_worked_out_once_for_each_version(client: TestClient) -> None:
    game = attacked(client)
    client.get(f"/api/games/{game}/analysis")
    before = [key for key in analysis._kept if key[0] == game]
    client.get(f"/api/games/{game}/analysis")
    assert [key for key in analysis._kept if key[0] == game] == before
    assert len(before) == 1
    assert len(analysis._kept) <= analysis.KEPT


def test_a_file_to_keep(client: TestClient) -> None:
    game = attacked(client)
    answer = client.get(f"/api/games/{game}/analysis.html")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "Karelia &amp; &lt;co&gt;" in answer.text
    assert "<svg" in answer.text
    assert "http" not in answer.text.replace("http-equiv", ""), "it needs nothing else"
