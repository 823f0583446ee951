"""Bots at the table: they answer by themselves, can be stopped, and may fail without harm."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from server_help import ATTACK, HERE, get, live, order, orders, problem
from starlette.testclient import TestClient

from sandtable import Game
from sandtable.server import Settings, create_app
from sandtable.server.bots import registry

ALLIES = ["ussr", "uk", "usa"]
AXIS = ["germany", "japan"]


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server with the odd bots."""
    known = dict(registry.bots)
    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", str(Path(__file__).parent))
    settings = Settings(data_dir=tmp_path_factory.mktemp("bots"), bot_modules=("odd_bots",), bot_timeout=3)
    with TestClient(create_app(settings), base_url=HERE) as running:
        yield running
    patch.undo()
    registry.bots.clear()
    registry.bots.update(known)


def seats(axis: str, allies: str = "human", **fields: str) -> list[dict[str, Any]]:
    return [
        {"name": "Allies", "powers": ALLIES, "player": allies},
        {"name": "Axis", "powers": AXIS, "player": axis, **fields},
    ]


def new(client: TestClient, axis: str, allies: str = "human", seed: int = 3) -> str:
    answer = client.post("/api/games", json={"seed": seed, "seats": seats(axis, allies)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def receive_until(socket: Any, kind: str, most: int = 400) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The next message of this type, and everything before it."""
    before: list[dict[str, Any]] = []
    for _ in range(most):
        message = socket.receive_json()
        if message["type"] == kind:
            return message, before
        before.append(message)
    raise AssertionError(f"no {kind} among {[m['type'] for m in before]}")


def test_a_bot_answers_as_the_defender(busy: TestClient) -> None:
    """Germany's casualties on the Soviet turn are named by the bot, and the game comes back to the person."""
    game = new(busy, "random")
    orders(busy, game, *ATTACK)
    until(lambda: get(busy, game, "state")["decision"]["power"] == "ussr")
    lines = get(busy, game, "log")["lines"]
    assert lines[7]["order"].startswith("casualties")
    assert lines[7]["power"] == "germany"


def test_a_round_of_bots_through_the_server(busy: TestClient) -> None:
    """Bots alone play while somebody looks on, every order is told, and the game is the same on another table."""
    game = new(busy, "random", "random", seed=5)
    assert get(busy, game, "state")["version"] == 0  # nobody looks on
    with live(busy, game, "since=0") as socket:
        seen: list[dict[str, Any]] = []
        while not seen or seen[-1]["state"]["round"] < 2:
            message = socket.receive_json()
            if message["type"] == "order":
                seen.append(message)
    assert [m["number"] for m in seen] == list(range(1, len(seen) + 1))
    assert {m["by"] for m in seen} == {"random"}
    until(lambda: not _thinking(busy, game))
    text = get(busy, game, "export")["text"]
    replayed = Game.from_text(text)
    assert replayed.state.digest() == busy.get(f"/api/games/{game}").json()["digest"]
    assert [m["order"] for m in seen] == [line["order"] for line in get(busy, game, "log")["lines"][1 : len(seen) + 1]]
    paper = get(busy, game, "newspaper", round=1)
    assert paper["complete"] is True


def _thinking(client: TestClient, game: str) -> bool:
    with live(client, game) as socket:
        hello = socket.receive_json()
        busy = "thinking" in hello
        client.post(f"/api/games/{game}/bots", json={"running": False})
    return busy


def test_a_person_does_not_answer_for_a_bot(busy: TestClient) -> None:
    game = new(busy, "sleeping")
    orders(busy, game, *ATTACK)
    error = problem(
        busy.post(f"/api/games/{game}/orders", json={"order": "casualties 2 infantry"}), 409, "not-your-seat"
    )
    assert error["details"] == {"seat": "Axis", "player": "sleeping"}
    problem(busy.post(f"/api/games/{game}/orders", json={"order": "press"}), 409, "not-your-seat")
    busy.post(f"/api/games/{game}/seats/Axis", json={})


def test_taking_a_seat_over_stops_the_bot(busy: TestClient) -> None:
    game = new(busy, "sleeping")
    orders(busy, game, *ATTACK)
    with live(busy, game) as socket:
        thinking, _ = receive_until(socket, "thinking")
        assert (thinking["active"], thinking["power"], thinking["player"]) == (True, "germany", "sleeping")
        assert thinking["question"] == "casualties"
        began = time.monotonic()
        assert busy.post(f"/api/games/{game}/seats/Axis", json={"player": "human"}).status_code == 200
        assert time.monotonic() - began < 2
        order(busy, game, "casualties 2 infantry")
        _, before = receive_until(socket, "order")
        assert [m["active"] for m in before if m["type"] == "thinking"][-1] is False


def test_a_bot_that_thinks_long_tells_so(busy: TestClient) -> None:
    game = new(busy, "patient")
    with live(busy, game) as socket:
        orders(busy, game, *ATTACK)
        seen: list[dict[str, Any]] = []
        while not any(m["type"] == "order" and m["by"] == "patient" for m in seen):
            seen.append(socket.receive_json())
    seconds = [m["seconds"] for m in seen if m["type"] == "thinking" and m["active"]]
    assert len(seconds) >= 3
    assert seconds == sorted(seconds)
    assert seconds[-1] >= 1
    busy.post(f"/api/games/{game}/bots", json={"running": False})


def test_a_bot_that_can_think_briefly_is_hurried(busy: TestClient) -> None:
    game = new(busy, "pondering")
    orders(busy, game, *ATTACK)
    with live(busy, game) as socket:
        thinking, _ = receive_until(socket, "thinking")
        assert thinking["can_hurry"] is True
        assert busy.post(f"/api/games/{game}/hurry").status_code == 204
        while (message := socket.receive_json())["type"] not in ("order", "trouble"):  # trouble: it went on pondering
            pass
        assert (message["type"], message.get("by")) == ("order", "pondering")
    busy.post(f"/api/games/{game}/bots", json={"running": False})


def test_who_is_not_thinking_or_cannot_be_quicker_is_not_hurried(busy: TestClient) -> None:
    game = new(busy, "sleeping")
    assert busy.post(f"/api/games/{game}/hurry").status_code == 204  # a person's turn
    orders(busy, game, *ATTACK)
    with live(busy, game) as socket:
        thinking, _ = receive_until(socket, "thinking")
        assert thinking["can_hurry"] is False
        assert busy.post(f"/api/games/{game}/hurry").status_code == 204
        _, before = receive_until(socket, "trouble")
        assert all(m["active"] for m in before if m["type"] == "thinking")  # nobody has interrupted it


@pytest.mark.parametrize(
    ("style", "quick"),
    [
        ("", "quick"),
        ("bold", "bold-quick"),
        ("patient", "quick"),
        ("bold-patient", "bold-quick"),
        ("quick", None),
        ("bold-quick", None),
    ],
)
def test_the_quick_form_of_a_style(style: str, quick: str | None) -> None:
    assert registry.hurried("5star", style) == quick
    assert registry.hurried("4star", style) is None
    if quick:
        registry.find("5star").make("1", quick, 0)  # there is such a player


@pytest.mark.parametrize(
    ("bot", "words"),
    [("crashing", "died"), ("raising", "no idea"), ("cheating", "not legal"), ("sleeping", "within 3 seconds")],
)
def test_a_bot_that_fails_leaves_its_seat_to_others(busy: TestClient, bot: str, words: str) -> None:
    game = new(busy, bot)
    with live(busy, game) as socket:
        orders(busy, game, *ATTACK)
        trouble, _ = receive_until(socket, "trouble")
        assert (trouble["seat"], trouble["player"]) == ("Axis", bot)
        assert words in trouble["message"]
        receive_until(socket, "thinking")  # it does not go on thinking
    state = get(busy, game, "state")
    assert (state["version"], state["decision"]["power"]) == (6, "germany")
    with live(busy, game) as socket:
        assert socket.receive_json()["trouble"]["message"] == trouble["message"]  # whoever comes later hears it, too
    busy.post(f"/api/games/{game}/seats/Axis", json={"player": "chatty", "style": "loud"})
    until(lambda: get(busy, game, "state")["decision"]["power"] == "ussr")
    with live(busy, game) as socket:
        assert "trouble" not in socket.receive_json()


def test_bots_can_be_stopped_and_go_on(busy: TestClient) -> None:
    game = new(busy, "random")
    assert busy.post(f"/api/games/{game}/bots", json={"running": False}).json()["bots_running"] is False
    orders(busy, game, *ATTACK)
    time.sleep(0.3)
    assert get(busy, game, "state")["version"] == 6
    assert busy.post(f"/api/games/{game}/bots", json={"running": True}).json()["bots_running"] is True
    until(lambda: get(busy, game, "state")["version"] > 6)
    problem(busy.post(f"/api/games/{game}/bots", json={"running": 1}), 422, "validation")


def test_going_back_while_a_bot_thinks(busy: TestClient) -> None:
    game = new(busy, "sleeping")
    orders(busy, game, *ATTACK)
    assert busy.post(f"/api/games/{game}/copy", params={"at": 2, "into": "same"}).status_code == 201
    order(busy, game, "move 1 infantry: karelia-ssr -> finland-norway")
    assert get(busy, game, "state")["decision"]["power"] == "ussr"


def test_a_persons_undo_does_not_reach_into_a_bots_moves(busy: TestClient) -> None:
    game = new(busy, "random")
    orders(busy, game, *["end"] * 5)
    while (state := get(busy, game, "state"))["turn"] != "uk":
        decision = state["decision"]
        if decision["player"] == "human":  # attacked by the bot
            order(busy, game, decision.get("suggestion") or decision["orders"][0])
    error = busy.post(f"/api/games/{game}/undo").json()["error"]
    assert error["kind"] in ("not-your-seat", "refused")
    assert get(busy, game, "state")["turn"] == "uk"


def test_a_person_does_not_undo_for_a_seat_that_a_bot_has(busy: TestClient) -> None:
    game = new(busy, "random")
    busy.post(f"/api/games/{game}/bots", json={"running": False})
    order(busy, game, "buy 1 infantry")
    order(busy, game, "buy 1 armor")
    seat = busy.get(f"/api/games/{game}").json()["seats"][0]["name"]
    assert busy.post(f"/api/games/{game}/seats/{seat}", json={"player": "random"}).status_code == 200
    before = get(busy, game, "state")
    for body in ({}, {"at": 2}, {"at": 1}):
        error = problem(busy.post(f"/api/games/{game}/undo", json=body), 409, "not-your-seat")
        assert error["details"] == {"seat": seat, "player": "random"}
    assert get(busy, game, "state") == before
    busy.post(f"/api/games/{game}/seats/{seat}", json={"player": "human"})
    assert busy.post(f"/api/games/{game}/undo").json()["order"] == "buy 1 armor"


def test_deleting_a_game_whose_bot_thinks(busy: TestClient) -> None:
    game = new(busy, "sleeping")
    orders(busy, game, *ATTACK)
    began = time.monotonic()
    assert busy.delete(f"/api/games/{game}").status_code == 204
    other = new(busy, "random")  # the only worker is free again
    orders(busy, other, *ATTACK)
    until(lambda: get(busy, other, "state")["version"] > 6, 10)
    assert time.monotonic() - began < 10


def test_bots_go_on_after_a_restart(start: Callable[..., TestClient]) -> None:
    with start() as client:
        game = new(client, "random")
        client.post(f"/api/games/{game}/bots", json={"running": False})
        orders(client, game, *ATTACK)
    with start() as client:
        until(lambda: get(client, game, "state")["version"] > 6)


def test_names_that_no_bot_can_have() -> None:
    from sandtable.errors import SandtableError
    from sandtable.play import RandomBot
    from sandtable.server.bots.registry import Bot, register

    for name in ("human", ""):
        with pytest.raises(SandtableError, match="cannot be called"):
            register(Bot(name=name, title="x", help="x", stars=0, make=lambda seed, style, number: RandomBot(seed)))
    with pytest.raises(SandtableError, match="no_such_module"):
        create_app(Settings(bot_modules=("no_such_module",)))


def test_the_same_question_gets_the_same_answer() -> None:
    """A bot's chance hangs on the game's seed and version, so that a game can be played again."""
    from sandtable.archive import snapshot
    from sandtable.server.bots.worker import Job, answer

    game = Game.new(seed=3)
    job = Job(
        player="random", style="", seed="3/U.S.S.R.", number=0, seat="U.S.S.R.", powers=("ussr",),
        scenario="classic-1942", options=dict(game.world.options), edits={}, state=snapshot.to_data(game.state),
    )  # fmt: skip
    assert answer(job) == answer(job)
    assert answer(job).order


@pytest.mark.parametrize("name", ["3star", "4star", "5star"])
def test_the_stars_answer_as_defenders(busy: TestClient, name: str) -> None:
    answer = busy.post("/api/games", json={"seed": 3, "seats": seats(name, style="bold")})
    assert answer.status_code == 201, answer.text
    game = answer.json()["id"]
    orders(busy, game, *ATTACK)
    until(lambda: get(busy, game, "state")["decision"]["power"] == "ussr")
    assert get(busy, game, "log")["lines"][7]["order"].startswith("casualties")


def test_a_star_plays_a_turn(busy: TestClient) -> None:
    game = new(busy, "3star")
    busy.app.state.lobby.workers.timeout = 60  # type: ignore[attr-defined]
    orders(busy, game, *["end"] * 5)
    while (state := get(busy, game, "state"))["turn"] != "uk":
        decision = state["decision"]
        if decision["player"] == "human":  # attacked by the bot
            order(busy, game, decision.get("suggestion") or decision["orders"][0])
    busy.app.state.lobby.workers.timeout = 3  # type: ignore[attr-defined]
    bought = [line["order"] for line in get(busy, game, "log")["lines"] if line["order"].startswith("buy")]
    assert bought
