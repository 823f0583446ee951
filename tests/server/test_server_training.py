"""Basic Training over HTTP: lessons begin, hold wrong orders back, survive a restart, and are marked when done."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from server_help import get, order, problem
from starlette.testclient import TestClient

from sandtable.training import lessons


def begin(client: TestClient, lesson: str, again: bool = False) -> str:
    answer = client.post(f"/api/training/lessons/{lesson}", json={"again": again})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["game"])


def coach(client: TestClient, game: str) -> dict[str, Any]:
    answer = client.get(f"/api/training/games/{game}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def read_on(client: TestClient, game: str, step: int) -> dict[str, Any]:
    answer = client.post(f"/api/training/games/{game}/next", json={"step": step})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def wait_for_you(client: TestClient, game: str) -> None:
    """Until the instructor has answered."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        question = get(client, game, "state").get("decision")
        if question is None or question["player"] == "human":
            return
        time.sleep(0.05)
    raise AssertionError("the instructor does not answer")


def listed(client: TestClient) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in client.get("/api/training").json()["lessons"]}


@pytest.mark.rule("PC-TUT-01")
def test_lessons_are_listed_with_a_page_of_strategy(client: TestClient) -> None:
    found = client.get("/api/training").json()
    assert [each["id"] for each in found["lessons"]] == list(lessons())
    assert all(each["text"] and each["title"] for each in found["strategy"])
    assert len(found["strategy"]) >= 6


@pytest.mark.parametrize("name", list(lessons()))
def test_every_lesson_can_be_shown_from_beginning_to_end(client: TestClient, name: str) -> None:
    game = begin(client, name, again=True)
    for _ in range(100):
        wait_for_you(client, game)
        now = coach(client, game)
        if now["finished"]:
            break
        if now["task"]:
            assert client.post(f"/api/training/games/{game}/show").status_code == 200
        else:
            read_on(client, game, now["step"])
    assert coach(client, game)["finished"]
    assert listed(client)[name]["done"]


def test_a_wrong_order_gets_the_hint_and_changes_nothing(client: TestClient) -> None:
    game = begin(client, "the-turn", again=True)
    before = get(client, game, "state")
    error = problem(client.post(f"/api/games/{game}/orders", json={"order": "buy 1 armor"}), 409, "lesson")
    assert "Just press Done" in error["message"]
    assert get(client, game, "state") == before
    error = problem(client.post(f"/api/games/{game}/orders", json={"order": "buy 9 bomber"}), 422, "refused")
    assert error["rules"]


def test_after_the_last_task_everything_is_free(client: TestClient) -> None:
    game = begin(client, "blitz-and-retreat", again=True)
    for step in lessons()["blitz-and-retreat"].steps:
        for text in step.solution:
            order(client, game, text)
    order(client, game, "move 1 infantry: germany -> eastern-europe")


def test_begun_lessons_go_on_and_begin_anew(client: TestClient) -> None:
    game = begin(client, "sea-and-air", again=True)
    assert read_on(client, game, 0)["step"] == 1
    assert begin(client, "sea-and-air") == game
    assert coach(client, game)["step"] == 1
    other = begin(client, "sea-and-air", again=True)
    assert other != game
    assert coach(client, other)["step"] == 0
    problem(client.get(f"/api/games/{game}"), 404, "not-found")


def test_next_is_for_texts_and_counts_once(client: TestClient) -> None:
    game = begin(client, "the-turn", again=True)
    assert read_on(client, game, 0)["step"] == 1
    assert read_on(client, game, 0)["step"] == 1
    assert read_on(client, game, 1)["step"] == 2
    assert read_on(client, game, 2)["step"] == 2  # a task
    problem(client.post(f"/api/training/games/{game}/next", json={"step": -1}), 422, "validation")


def test_progress_survives_a_restart(start: Callable[..., TestClient]) -> None:
    with start() as client:
        game = begin(client, "the-turn")
        read_on(client, game, 0)
        read_on(client, game, 1)
        order(client, game, "end")
        at = coach(client, game)
    with start() as client:
        assert coach(client, game) == at
        assert listed(client)["the-turn"]["game"] == game


def test_marks_outlive_their_game(start: Callable[..., TestClient]) -> None:
    with start() as client:
        game = begin(client, "under-attack")
        while not coach(client, game)["finished"]:
            wait_for_you(client, game)
            now = coach(client, game)
            if now["task"]:
                client.post(f"/api/training/games/{game}/show")
            else:
                read_on(client, game, now["step"])
        assert client.delete(f"/api/games/{game}").status_code == 204
        assert listed(client)["under-attack"] == {**listed(client)["under-attack"], "done": True, "game": None}


def test_other_games_are_no_lessons(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game()
    problem(client.get(f"/api/training/games/{game}"), 404, "not-found")
    problem(client.post("/api/training/lessons/knitting", json={}), 404, "not-found")
    assert "instructor" not in {bot["name"] for bot in client.get("/api/bots").json()}
