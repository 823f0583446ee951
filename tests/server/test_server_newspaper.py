"""Headlines from real events, from a position that brings one of each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server_help import ATTACK, get, order, orders, problem
from starlette.testclient import TestClient

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.world.compile import compile_world

NewGame = Callable[..., str]


def imported(client: TestClient, position: dict[str, Any], dice: list[int], *texts: str, **options: bool) -> str:
    world = compile_world("classic-1942", options)
    local = Game(world, start=patched_state(world, position), dice=ScriptedDice(dice))
    for text in texts:
        local.play(text)
    answer = client.post("/api/games/import", json={"text": local.to_text()})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def headlines(client: TestClient, game: str, **params: int) -> dict[str, dict[str, Any]]:
    return {h["headline"]: h for h in get(client, game, "newspaper", **params)["headlines"]}


def test_a_quiet_beginning_has_no_news(client: TestClient, new_game: NewGame) -> None:
    paper = get(client, new_game(), "newspaper")
    assert paper == {"round": 1, "complete": False, "headlines": []}


def test_a_capital_falls(client: TestClient) -> None:
    position = {
        "clear": "all",
        "units": {"karelia-ssr": {"germany": {"armor": 1}}, "japan": {"japan": {"infantry": 1}}},
        "control": {"karelia-ssr": "germany"},
        "turn": "germany",
        "phase": "combat-move",
    }  # fmt: skip
    game = imported(client, position, [], "move 1 armor: karelia-ssr -> russia")
    found = get(client, game, "newspaper", round=1)["headlines"]
    assert found[0]["headline"] == "The capital of the U.S.S.R. has fallen"
    first = found[0]
    assert (first["kind"], first["space"], first["power"], first["at"]) == ("capital", "russia", "germany", 1)
    assert "8 IPCs" in found[0]["body"]


def test_a_big_battle_with_its_losses(client: TestClient) -> None:
    position = {
        "clear": ["libya", "anglo-egypt-sudan"],
        "units": {
            "libya": {"germany": {"infantry": 2, "armor": 2}},
            "anglo-egypt-sudan": {"uk": {"infantry": 1, "armor": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = imported(
        client, position, [1, 1, 1, 6],
        "move 2 infantry, 2 armor: libya -> anglo-egypt-sudan", "end", "casualties 1 infantry",
    )  # fmt: skip
    found = headlines(client, game, round=1)
    battle = found["German victory in Anglo-Egypt Sudan"]
    assert battle["kind"] == "battle"
    assert battle["weight"] == 11  # an infantry and an armor against an infantry
    assert "1 German infantry" in battle["body"]
    assert "1 British armor" in battle["body"]
    taken = found["German troops take Anglo-Egypt Sudan"]
    assert taken["kind"] == "capture"


def test_a_fleet_goes_down(client: TestClient) -> None:
    position = {
        "clear": "all",
        "units": {
            "baltic-sea": {"germany": {"battleship": 3}},
            "north-sea": {"uk": {"transport": 2}},
            "japan": {"japan": {"infantry": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = imported(client, position, [1, 1, 1, 6, 6], "move 3 battleship: baltic-sea -> north-sea", "end")
    fleet = next(h for h in get(client, game, "newspaper")["headlines"] if h["kind"] == "fleet")
    assert fleet["headline"].startswith("British ships go down in")
    assert fleet["space"] == "north-sea"
    assert fleet["weight"] == 16


def test_weapons_neutrals_raids_and_the_end_of_the_war(client: TestClient, new_game: NewGame) -> None:
    position = {"treasury": {"germany": 40}, "turn": "germany", "phase": "research"}
    game = imported(
        client, position, [6, 1, 2, 6, 5],
        "research 1", "end", "end", "move 1 bomber: germany -> united-kingdom as raid", "end",
    )  # fmt: skip
    kinds = {h["kind"]: h for h in get(client, game, "newspaper")["headlines"]}
    assert kinds["technology"]["headline"].startswith("German scientists announce")
    assert "United Kingdom" in kinds["raid"]["headline"]
    assert kinds["raid"]["weight"] == 6
    order(client, game, "surrender")
    found = get(client, game, "newspaper")
    assert found["complete"] is True
    assert [h["kind"] for h in found["headlines"][:2]] == ["victory", "surrender"]


def test_neutral_land_is_entered(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end", "move 1 armor: russia -> afghanistan")
    assert "Soviet troops march into neutral Afghanistan" in headlines(client, game)


def test_pacts_gates_and_convoys(client: TestClient) -> None:
    position = {"control": {"china": "japan", "sinkiang": "japan", "india": "japan"}, "turn": "japan"}
    game = imported(client, {**position, "phase": "combat-move"}, [], russo_japanese_pact=True)
    assert "Japan is bound by no pact any more" in headlines(client, game)
    lost = {"clear": "all", "control": {"russia": "germany"}, "turn": "ussr", "phase": "combat-move"}
    game = imported(client, lost, [], "permit caucasus", soviet_sovereignty=True)
    assert "Soviet gates open in Caucasus" in headlines(client, game)
    game = imported(client, {"turn": "usa", "phase": "research"}, [4], "lend-lease", lend_lease=True)
    found = headlines(client, game)["American convoys reach the U.S.S.R."]
    assert found["weight"] == 4
    assert "by lend lease" in found["body"]


def test_every_round_has_its_own_issue(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    problem(client.get(f"/api/games/{game}/newspaper", params={"round": 2}), 404, "not-found")
    problem(client.get(f"/api/games/{game}/newspaper", params={"round": 0}), 422, "validation")
    while (state := get(client, game, "state"))["round"] == 1:
        decision = state["decision"]
        order(client, game, decision.get("suggestion") or next(iter(decision["orders"]), "end"))
    assert get(client, game, "newspaper")["round"] == 1  # the last complete one
    assert get(client, game, "newspaper", round=1)["headlines"]
    assert get(client, game, "newspaper", round=2)["headlines"] == []
