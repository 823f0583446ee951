"""What the page asks while a player thinks: reach of a group, landings, transports, taking back one move, reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from server_help import ATTACK, get, order, orders, problem, units
from starlette.testclient import TestClient

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.world.compile import compile_world

NewGame = Callable[..., str]


def by_space(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {each["space"]: each for each in found}


def test_the_world_of_a_game_has_its_edits(client: TestClient, new_game: NewGame) -> None:
    edits = {"units": {"all": {"infantry": {"cost": 4}}, "japan": {"fighter": {"move": 5}}}, "victory": {"rounds": 3}}
    game = new_game(edits=edits, options={"second_edition": True})
    world = get(client, game, "world")
    assert world["options"]["second_edition"] is True
    assert next(u["cost"] for u in world["units"] if u["id"] == "infantry") == 4
    assert next(u["move"] for u in world["unit_edits"]["japan"] if u["id"] == "fighter") == 5
    (end,) = world["victory"]
    assert (end["id"], end["winner"], end["checked"]) == ("rounds", "nobody", "round")
    assert end["text"] == "It is round 3 or later."


def test_only_units_that_can_go_somewhere_are_offered(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    movers = get(client, game, "legal/targets")
    assert all(each["reach"] > 0 for each in movers)
    assert ("yakut-ssr", "infantry") in {(m["space"], m["unit"]) for m in movers}  # next to Manchuria
    assert ("russia", "infantry") not in {(m["space"], m["unit"]) for m in movers}  # no enemy in reach
    for each in movers:
        found = get(client, game, "legal/destinations", space=each["space"], unit=each["unit"])
        raids = get(client, game, "legal/destinations", space=each["space"], unit=each["unit"], role="raid")
        assert each["reach"] == len({d["space"] for d in (*found, *(raids if each["roles"] else []))})


def test_a_group_goes_where_all_of_it_can(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    reach = get(client, game, "legal/reach", space="karelia-ssr", units=["infantry:3", "armor", "fighter"])
    found = by_space(reach["destinations"])
    assert {"ukraine-ssr", "finland-norway"} <= set(found)
    assert found["ukraine-ssr"]["order"] == "move 3 infantry, 1 armor, 1 fighter: karelia-ssr -> ukraine-ssr"
    assert found["ukraine-ssr"]["battle"]
    assert "karelia-ssr" in found["ukraine-ssr"]["landings"]
    refused = by_space(reach["refused"])
    assert set(refused).isdisjoint(found)
    assert "friendly" in refused["russia"]["message"]
    assert refused["russia"]["rules"]
    order(client, game, found["ukraine-ssr"]["order"])
    after = get(client, game, "state")
    assert units(after, "ukraine-ssr")["ussr", "infantry"] == 3
    too_many = get(client, game, "legal/reach", space="karelia-ssr", units=["infantry:99"])
    assert too_many["destinations"] == []
    assert all(each["rules"] for each in too_many["refused"])


@pytest.mark.parametrize("text", ["infantry:0", "infantry:x", "infantry:9999999", "knight:1"])
def test_a_group_is_units_with_numbers(client: TestClient, new_game: NewGame, text: str) -> None:
    answer = client.get(f"/api/games/{new_game()}/legal/reach", params={"space": "russia", "units": text})
    problem(answer, 422, "notation")


def test_landing_places_of_a_plane(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    found = by_space(get(client, game, "legal/destinations", space="russia", unit="fighter"))
    ukraine = found["ukraine-ssr"]
    assert ukraine["left"] == 4 - ukraine["cost"]
    assert {"russia", "karelia-ssr", "caucasus"} <= set(ukraine["landings"])
    assert "ukraine-ssr" not in ukraine["landings"]
    order(client, game, ukraine["order"])
    assert get(client, game, "legal/landings", space="ukraine-ssr", unit="fighter") == ukraine["landings"]
    assert get(client, game, "legal/landings", space="ukraine-ssr", unit="infantry") == []


@pytest.mark.rule("PC-TRP-02")
def test_a_choice_among_transports(client: TestClient) -> None:
    world = compile_world("classic-1942")
    patch = {
        "clear": ["japan", "manchuria", "japan-sea"],
        "units": {"japan": {"japan": {"infantry": 3}}, "japan-sea": {"japan": {"transport": 2}}},
        "turn": "japan",
        "phase": "noncombat-move",
    }
    text = Game(world, start=patched_state(world, patch)).to_text()
    game = client.post("/api/games/import", json={"text": text}).json()["id"]

    def choice(space: str, there: str) -> dict[tuple[tuple[str, int], ...], str]:
        found = by_space(get(client, game, "legal/destinations", space=space, unit="infantry"))[there]["transports"]
        return {tuple((c["unit"], c["count"]) for c in each["cargo"]): each["order"] for each in found}

    assert choice("japan", "japan-sea") == {}  # they are alike
    order(client, game, "move 1 infantry: japan -> japan-sea")
    boarding = choice("japan", "japan-sea")
    assert set(boarding) == {(), (("infantry", 1),)}
    order(client, game, boarding[("infantry", 1),])
    assert choice("japan-sea", "manchuria") == {}  # one of them is empty
    order(client, game, "move 1 infantry: japan -> japan-sea")
    ashore = choice("japan-sea", "manchuria")
    assert set(ashore) == {(("infantry", 1),), (("infantry", 2),)}
    order(client, game, ashore[("infantry", 2),])
    stacks = get(client, game, "state")["spaces"]["japan-sea"]["units"]
    assert [[c["count"] for c in stack["cargo"]] for stack in stacks if stack["unit"] == "transport"] == [[1], [1]]


def moved(client: TestClient, game: str) -> list[str]:
    return [each["order"] for each in get(client, game, "moves")]


def test_one_move_out_of_several_is_taken_back(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end", *ATTACK[2:4])
    before = get(client, game, "state")
    answer = client.post(f"/api/games/{game}/undo", json={"version": 4, "at": 3})
    change = answer.json()
    assert (change["type"], change["number"], change["order"]) == ("drop", 5, ATTACK[2])
    assert moved(client, game) == [ATTACK[3]]
    after = get(client, game, "state")
    assert after["orders"] == before["orders"] - 1
    assert ("ussr", "infantry") not in units(before, "karelia-ssr")
    assert units(after, "karelia-ssr")["ussr", "infantry"] == 3
    merged = {**before["spaces"], **change["state"]["spaces"]}
    assert merged == after["spaces"]
    answer = client.post(f"/api/games/{game}/undo", json={"at": 3})  # the last one, named
    assert answer.json()["type"] == "undo"
    assert moved(client, game) == []


def test_a_move_on_which_another_hangs_is_not(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end", "end")
    orders(client, game, "move 1 armor: russia -> karelia-ssr", "move 2 armor: karelia-ssr -> russia")
    before = get(client, game, "state")
    error = problem(client.post(f"/api/games/{game}/undo", json={"at": 4}), 422, "refused")
    assert "move 2 armor: karelia-ssr -> russia" in error["message"]
    assert get(client, game, "state") == before
    problem(client.post(f"/api/games/{game}/undo", json={"at": 1}), 422, "refused")  # another phase
    problem(client.post(f"/api/games/{game}/undo", json={"at": 99}), 422, "data")


def test_a_move_that_shields_another_from_fire_is_not(client: TestClient) -> None:
    """The fighter flies over Mongolia, which the infantry has taken. Else it would fly over a gun."""
    world = compile_world("classic-1942")
    around = [space for space in world.neighbours["novosibirsk"] if space != "mongolia"]
    position = {
        "clear": "all",
        "control": dict.fromkeys(around, "japan"),
        "units": {
            **{space: {"japan": {"aa-gun": 1}} for space in around},
            "novosibirsk": {"ussr": {"infantry": 1, "fighter": 1}},
            "manchuria": {"japan": {"infantry": 1}},
        },
        "treasury": {"ussr": 3},
        "turn": "ussr",
        "phase": "combat-move",
    }
    text = Game(world, start=patched_state(world, position), seed=1).to_text()
    game = client.post("/api/games/import", json={"text": text}).json()["id"]
    orders(client, game, "move 1 infantry: novosibirsk -> mongolia", "move 1 fighter: novosibirsk -> manchuria")
    before = get(client, game, "state")
    error = problem(client.post(f"/api/games/{game}/undo", json={"at": 1}), 422, "refused")
    assert "`move 1 fighter: novosibirsk -> manchuria` would then come under fire" in error["message"]
    assert error["rules"] == ["CL-MOV-10"]
    assert get(client, game, "state") == before
    assert client.post(f"/api/games/{game}/undo", json={"at": 2}).json()["type"] == "undo"  # one after the other
    assert client.post(f"/api/games/{game}/undo", json={"at": 1}).json()["type"] == "undo"


def test_a_dropped_order_survives_a_restart(start: Callable[..., TestClient]) -> None:
    with start() as first:
        game = first.post("/api/games", json={"seed": 3}).json()["id"]
        orders(first, game, "end", "end", *ATTACK[2:4])
        first.post(f"/api/games/{game}/undo", json={"at": 3})
        before = get(first, game, "state")
    with start() as second:
        assert get(second, game, "state") == before


def test_answers_in_words(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK[:5])
    question = get(client, game, "state")["decision"]
    assert question["kind"] == "battle"
    assert len(question["labels"]) == len(question["orders"])
    assert "Fight in Ukraine S.S.R." in question["labels"]
    orders(client, game, ATTACK[5], "casualties 2 infantry")
    question = get(client, game, "state")["decision"]
    while question["kind"] == "casualties":
        order(client, game, question["suggestion"])
        question = get(client, game, "state")["decision"]
    assert question["kind"] == "retreat"
    assert question["labels"] == ["Press the attack", "Retreat to Karelia S.S.R."]


def test_a_battle_is_reported_whole_when_it_ends(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    reports: list[dict[str, Any]] = []
    rolled: list[int] = list(get(client, game, "state")["battle"]["rolls"][0]["faces"])
    for _ in range(40):
        question = get(client, game, "state")["decision"]
        answer = {"casualties": question.get("suggestion"), "retreat": "press"}.get(question["kind"])
        if answer is None:
            break
        change = order(client, game, answer)
        reports += [each for each in change["battles"] if each["space"] == "finland-norway"]
        if reports:
            break
        rolled = [face for roll in change["state"]["battle"]["rolls"] for face in roll["faces"]]
    (report,) = reports
    assert (report["kind"], report["attacker"]) == ("land", "ussr")
    assert report["result"] in ("attacker", "defender", "both-destroyed")
    assert [face for roll in report["rolls"] for face in roll["faces"]][: len(rolled)] == rolled
    assert report["rounds"] == max(roll["round"] for roll in report["rolls"])
    assert sum(each["count"] for each in report["lost"]["germany"]) >= 2
    assert report["sentences"]
