"""What is hidden stays hidden: projects of blind research, in every answer and message that others can get."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from people_help import Player, guest, table_of
from server_help import HERE
from starlette.testclient import TestClient

from sandtable.server import Settings, create_app

SECRET, WORDS = "jet-fighters", ("jet-fighters", "jet fighters")
LOOKING = (
    "",
    "/state",
    "/state?at=2",
    "/log",
    "/statistics",
    "/newspaper?round=1",
    "/timeline",
    "/progress",
    "/politics",
    "/odds/answers",
    "/summary",
    "/legal/turn",
    "/legal/purchase",
    "/moves",
    "/analysis",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("hidden"), people=True, rate=100_000)
    with TestClient(create_app(settings), base_url=HERE) as running:
        yield running


@pytest.fixture(scope="module")
def people(server: TestClient) -> list[Player]:
    return [guest(server, name) for name in ("Greta", "Otto", "Wanda")]


class Blind:
    """Germany is one person's, everything else another's, and a third looks on."""

    def __init__(self, people: list[Player]) -> None:
        self.germany, self.others, self.watcher = people
        table = table_of(self.germany, self.others, scenario="global-1940", options={"blind_research": True})
        self.watcher.post(f"/links/{table['watch_link']}")
        self.game = str(table["id"])
        given = {p: {"person": (self.germany if p == "germany" else self.others).id} for p in table["given"]}
        self.germany.post(f"/tables/{self.game}/assign", given=given)
        self.germany.post(f"/tables/{self.game}/begin")

    def research(self) -> Any:
        """Germany begins a project, whatever is asked of it before."""
        for _ in range(6):
            answer = self.germany.http.post(f"/api/games/{self.game}/orders", json={"order": f"research {SECRET}"})
            if answer.status_code == 200:
                return answer.json()
            suggested = self.germany.get(f"/games/{self.game}/state")["decision"]["suggestion"]
            self.germany.order(self.game, suggested)
        raise AssertionError(answer.text)


@pytest.fixture
def blind(people: list[Player]) -> Blind:
    found = Blind(people)
    found.research()
    return found


def tells(text: str) -> bool:
    return any(word in text.lower() for word in WORDS)


def named(player: Player, game: str) -> list[str]:
    """Where somebody can read the name of the project. What the rules call it, everybody may read."""
    found = []
    for path in LOOKING:
        answer = player.http.get(f"/api/games/{game}{path}")
        assert answer.status_code == 200, f"{path}: {answer.text[:300]}"
        body = answer.json()
        for free in ("decision", "turn", "projects", "prices"):  # what there is to be had at all, all may read
            body.pop(free, None) if isinstance(body, dict) else None
        if tells(json.dumps(body)):
            found.append(path)
    return found


def messages(player: Player, game: str) -> str:
    with player.live(f"/games/{game}/live?since=0") as socket:
        hello = socket.receive_json()
        found = []
        while len(found) < hello["number"]:
            message = socket.receive_json()
            if "number" in message and message["type"] != "heartbeat":
                message["state"].pop("decision", None)
                found.append(message)
    return json.dumps(found)


@pytest.mark.rule("G40-RES-08")
def test_its_owner_knows_a_project(blind: Blind) -> None:
    assert "/log" in named(blind.germany, blind.game)
    assert tells(messages(blind.germany, blind.game))


@pytest.mark.rule("G40-RES-08")
@pytest.mark.parametrize("who", ["others", "watcher"])
def test_nobody_else_reads_its_name(blind: Blind, who: str) -> None:
    player: Player = getattr(blind, who)
    assert named(player, blind.game) == []
    told = messages(player, blind.game)
    assert not tells(told)
    assert "project A" in told, "how far it is, all may know"


@pytest.mark.parametrize("who", ["others", "watcher"])
def test_no_fingerprint_tells_it_apart(blind: Blind, who: str) -> None:
    """A digest of the real state could be compared with those of all projects that there are."""
    player: Player = getattr(blind, who)
    own = blind.germany.get(f"/games/{blind.game}")["digest"]
    assert player.get(f"/games/{blind.game}")["digest"] != own


@pytest.mark.parametrize("who", ["others", "watcher"])
def test_no_save_and_no_copy_tells_it(blind: Blind, who: str) -> None:
    player: Player = getattr(blind, who)
    assert "hidden" in player.get(f"/games/{blind.game}/export", 409)["error"]["message"]
    assert "hidden" in player.post(f"/games/{blind.game}/copy", 409)["error"]["message"]


def test_asking_whether_an_order_is_legal_tells_nothing(blind: Blind) -> None:
    """`one die a project` would say which project has had its die."""
    answers = []
    for project in (SECRET, "rockets"):
        found = blind.others.get(f"/games/{blind.game}/legal/why", order=f"research {project}")
        answers.append((found["legal"], found.get("rules")))
    assert answers[0] == answers[1]


def test_the_tracks_of_others_look_all_the_same(blind: Blind) -> None:
    """The list of all projects names every one of them, and tells nothing about this one."""
    own, seen = (
        {
            each.pop("technology"): each
            for each in who.get(f"/games/{blind.game}/legal/purchase")["projects"]["projects"]
        }
        for who in (blind.germany, blind.others)
    )
    assert own[SECRET] != own["rockets"]
    assert seen[SECRET] == seen["rockets"]


def test_what_was_taken_back_is_hidden_too(blind: Blind) -> None:
    """An agreed step back, and the same order once more."""
    offered = blind.germany.post(f"/tables/{blind.game}/offers", 201, kind="rewind")
    blind.others.post(f"/tables/{blind.game}/offers/{offered['offers'][0]['id']}", yes=True)
    blind.germany.post(f"/games/{blind.game}/redo")
    assert not tells(messages(blind.others, blind.game))
    assert named(blind.others, blind.game) == []


def test_when_the_game_is_over_all_is_told(blind: Blind) -> None:
    offered = blind.germany.post(f"/tables/{blind.game}/offers", 201, kind="draw")
    blind.others.post(f"/tables/{blind.game}/offers/{offered['offers'][0]['id']}", yes=True)
    assert "/log" in named(blind.others, blind.game)
    assert tells(blind.watcher.get(f"/games/{blind.game}/export")["text"])


def test_a_computer_hides_its_projects_from_whoever_plays_against_it(tmp_path: Path) -> None:
    """On one's own machine: people around one screen see each other's, but not those of computers."""
    with TestClient(create_app(Settings(data_dir=tmp_path)), base_url=HERE) as client:
        body = {"scenario": "global-1940", "options": {"blind_research": True}}
        game = client.post("/api/games", json=body).json()
        for _ in range(6):
            answer = client.post(f"/api/games/{game['id']}/orders", json={"order": f"research {SECRET}"})
            if answer.status_code == 200:
                break
            decision = client.get(f"/api/games/{game['id']}/state").json()["decision"]
            client.post(f"/api/games/{game['id']}/orders", json={"order": decision["suggestion"]})
        assert answer.status_code == 200
        assert tells(client.get(f"/api/games/{game['id']}/log").text)
        seat = answer.json()["seat"]
        client.post(f"/api/games/{game['id']}/bots", json={"running": False})
        given = client.post(f"/api/games/{game['id']}/seats/{seat}", json={"player": "random"})
        assert given.status_code == 200, given.text
        assert not tells(client.get(f"/api/games/{game['id']}/log").text)
