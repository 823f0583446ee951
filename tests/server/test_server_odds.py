"""Odds over HTTP: the calculator's page, planned attacks and open battles."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from server_help import ATTACK, orders, problem
from starlette.testclient import TestClient

from sandtable.odds import odds
from sandtable.server.calculator import WAITING, Calculator
from sandtable.server.errors import ApiError
from sandtable.world.compile import compile_world

WORLD = compile_world("classic-1942")


def ask(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/odds", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_battle_on_paper_is_what_the_library_says(client: TestClient) -> None:
    attackers = {"infantry": 3, "armor": 1, "fighter": 1}
    battle = ask(client, attackers=attackers, defenders={"infantry": 2, "aa-gun": 1})["battle"]
    found = odds(WORLD, "3 infantry, armor, fighter", "2 infantry, aa-gun")
    assert battle["exact"]
    assert battle["win"] == pytest.approx(found.win)
    assert battle["holds"] == pytest.approx([found.take_and_hold(n) for n in range(1, 5)])
    assert battle["attack"]["lost_ipc"] == pytest.approx(found.expected_losses[0])
    assert battle["attack"]["left"] == pytest.approx(found.left("attack"))
    assert battle["rounds"] == pytest.approx(list(found.rounds))
    assert sum(end["chance"] for end in battle["ends"]) == pytest.approx(1)
    assert battle["attack"]["units"] == attackers


def test_wishes_reach_the_calculator(client: TestClient) -> None:
    sides = {"attackers": {"infantry": 3, "fighter": 1}, "defenders": {"infantry": 3}}
    plain = ask(client, **sides)["battle"]
    careful = ask(client, **sides, retreat={"odds": 0.5})["battle"]
    assert plain["retreat"] == 0 < careful["retreat"]
    kept = ask(client, **sides, keep_land=1)["battle"]
    assert kept["holds"][0] > plain["holds"][0]
    jets = ask(client, attackers={"fighter": 2}, defenders={"fighter": 2}, defender_techs=["jet-power"])["battle"]
    assert jets["win"] < ask(client, attackers={"fighter": 2}, defenders={"fighter": 2})["battle"]["win"]
    boats = {"attackers": {"battleship": 1}, "defenders": {"submarine": 1, "transport": 1}}
    leave = ask(client, **boats, defender_submarines="leave")["battle"]
    assert leave["defense"]["left"] != ask(client, **boats)["battle"]["defense"]["left"]
    landing = ask(client, attackers={"infantry": 2, "battleship": 1}, defenders={"infantry": 2})["battle"]
    assert landing["kind"] == "land"


def test_a_raid_on_paper(client: TestClient) -> None:
    raid = ask(client, kind="raid", attackers={"bomber": 2}, defenders={"aa-gun": 1})["raid"]
    assert raid["expected_damage"] == pytest.approx(2 * 3.5 * 5 / 6)
    unseen = ask(client, kind="raid", attackers={"bomber": 2})["raid"]
    assert unseen["expected_damage"] == pytest.approx(7)


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"attackers": {"infantry": 301}, "defenders": {"infantry": 1}}, 422, "validation"),
        ({"attackers": {"infantry": 200, "armor": 101}, "defenders": {"infantry": 1}}, 422, "data"),
        ({"attackers": {"elephant": 1}, "defenders": {"infantry": 1}}, 422, "notation"),
        ({"attackers": {}, "defenders": {"infantry": 1}}, 422, "data"),
        ({"attackers": {"infantry": 1}, "defenders": {}}, 422, "data"),
        ({"attackers": {"infantry": -1}, "defenders": {"infantry": 1}}, 422, "validation"),
        ({"attackers": {"infantry": 1}, "defenders": {"infantry": 1}, "attacker_order": "elephant"}, 422, "notation"),
        ({"attackers": {"infantry": 1}, "defenders": {"infantry": 1}, "scenario": "moon"}, 422, "data"),
        (
            {"attackers": {"infantry": 1}, "defenders": {"armor": 1}, "attacker": "uk", "defender": "usa"},
            422,
            "data",
        ),
    ],
)
def test_nonsense_is_refused_in_words(client: TestClient, body: dict[str, Any], status: int, kind: str) -> None:
    problem(client.post("/api/odds", json=body), status, kind)


def test_a_huge_battle_is_answered(client: TestClient) -> None:
    fleet = dict.fromkeys(("battleship", "carrier", "fighter", "submarine", "transport"), 50)
    battle = ask(client, attackers=fleet, defenders=fleet)["battle"]
    assert not battle["exact"]
    assert battle["win"] + battle["draw"] + battle["loss"] == pytest.approx(1)


def position(client: TestClient, game: str, space: str, *tried: str) -> dict[str, Any]:
    answer = client.get(f"/api/games/{game}/odds", params={"space": space, "order": list(tried)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_planned_attack_counts_what_is_sent_and_what_is_picked_up(
    client: TestClient, new_game: Callable[..., str]
) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    assert position(client, game, "finland-norway")["message"]
    one = position(client, game, "finland-norway", "move 3 infantry: karelia-ssr -> finland-norway")["battle"]
    orders(client, game, "move 3 infantry: karelia-ssr -> finland-norway")
    assert position(client, game, "finland-norway")["battle"] == one
    two = position(client, game, "finland-norway", "move 1 armor: karelia-ssr -> finland-norway")["battle"]
    assert two["win"] > one["win"]
    refused = position(client, game, "japan", "move 1 armor: karelia-ssr -> japan")
    assert refused["battle"] is None
    assert refused["message"]
    problem(client.get(f"/api/games/{game}/odds", params={"space": "atlantis"}), 422, "notation")


def test_an_open_battle_is_taken_up_where_it_stands(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game()
    before = orders(client, game, *ATTACK)
    assert before["state"]["decision"]["kind"] == "casualties"
    battle = position(client, game, "finland-norway")["battle"]
    assert 0 < battle["win"] < 1


def test_a_planned_raid(client: TestClient, new_game: Callable[..., str]) -> None:
    game = new_game()
    orders(client, game, *["end"] * 5)  # the Soviet turn
    raid = position(client, game, "karelia-ssr")
    assert raid["raid"] is None
    orders(client, game, "end", "end")
    found = position(client, game, "russia", "move 1 bomber: germany -> russia as raid")
    assert found["raid"]["expected_damage"] == pytest.approx(3.5 * 5 / 6)


def test_only_so_many_may_wait() -> None:
    async def run() -> None:
        calculator = Calculator()
        go = threading.Event()
        waiting = [asyncio.create_task(calculator.work(lambda: go.wait(20))) for _ in range(WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as error:
            await calculator.work(lambda: None)
        assert error.value.body.kind == "busy"
        go.set()
        await asyncio.gather(*waiting)
        assert await calculator.work(lambda: 7) == 7
        calculator.close()

    asyncio.run(run())
