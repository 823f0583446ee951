"""Orders, refusals, versions, undo and redo, what is legal, and the views of the table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from server_help import ATTACK, get, order, orders, problem, units
from starlette.testclient import TestClient

from sandtable import Game

NewGame = Callable[..., str]


def test_the_state_of_a_new_game(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    state = get(client, game, "state")
    local = Game.new(seed=3)
    assert set(state["spaces"]) == set(local.world.spaces)
    assert state["partial"] is False
    assert state["powers"]["germany"] == {
        "treasury": 32, "production": 32, "technologies": [], "researchers": 0, "capital_lost": False,
        "income": {"production": 32, "gains": [], "dice": 0, "certain": 32},
    }  # fmt: skip
    assert state["spaces"]["karelia-ssr"]["owner"] == "ussr"
    assert "owner" not in state["spaces"]["turkey"]
    armor = next(s for s in state["spaces"]["karelia-ssr"]["units"] if s["unit"] == "armor")
    assert (armor["used"], armor["left"], armor["done"]) == (0, 2, False)
    assert (state["round"], state["turn"], state["phase"]) == (1, "ussr", "research")
    assert state["phase_title"] == "Weapons development"
    decision = state["decision"]
    assert (decision["power"], decision["kind"], decision["player"]) == ("ussr", "research", "human")
    assert decision["research"] == {
        "method": "dice", "cost": 5, "most": 4, "researchers": 0, "success": 6, "rolled": False, "by_name": []
    }  # fmt: skip
    assert decision["purchase"]["treasury"] == 24
    assert decision["question"].startswith("U.S.S.R.")
    assert (state["can_undo"], state["can_redo"]) == (False, False)


def test_an_order_answers_with_what_changed(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    change = order(client, game, "move 1 infantry: karelia-ssr -> finland-norway", 2)
    assert (change["type"], change["number"], change["power"], change["by"]) == ("order", 3, "ussr", "human")
    assert change["order"] == "move 1 infantry: karelia-ssr -> finland-norway"
    moved = next(event for event in change["events"] if event["kind"] == "moved")
    assert moved["path"] == ["karelia-ssr", "finland-norway"]
    assert moved["units"] == [{"power": "ussr", "unit": "infantry", "count": 1, "cargo": [], "marks": []}]
    assert "Finland" in moved["sentence"]
    assert moved["sentence"] in change["sentences"]
    state = change["state"]
    assert state["partial"] is True
    assert set(state["spaces"]) == {"karelia-ssr", "finland-norway"}
    assert state["pending"] == [{"space": "finland-norway", "kind": "land", "optional": False, "ready": True}]
    whole = get(client, game, "state")
    assert whole["spaces"]["finland-norway"] == state["spaces"]["finland-norway"]
    del whole["spaces"], state["spaces"], whole["partial"], state["partial"]
    assert whole == state


def test_changes_add_up_to_the_state(client: TestClient, new_game: NewGame) -> None:
    """A page that merges the spaces of every change has the table, through battles, undo and the next turn."""
    game = new_game()
    table = get(client, game, "state")["spaces"]
    for text in (*ATTACK, "casualties 2 infantry"):
        table |= order(client, game, text)["state"]["spaces"]
    while get(client, game, "state")["turn"] == "ussr":
        decision = get(client, game, "state")["decision"]
        text = decision.get("suggestion") or next(iter(decision["orders"]), "end")
        table |= order(client, game, text)["state"]["spaces"]
    order_ = order(client, game, "buy 1 infantry")
    table |= order_["state"]["spaces"]
    table |= client.post(f"/api/games/{game}/undo").json()["state"]["spaces"]
    assert table == get(client, game, "state")["spaces"]


def test_a_structured_order_is_the_same_as_its_text(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    change = order(
        client,
        game,
        {
            "order": "move",
            "units": [{"type": "infantry", "count": 2}, {"type": "armor"}],
            "route": ["karelia-ssr", "finland-norway"],
        },
    )
    assert change["order"] == "move 2 infantry, 1 armor: karelia-ssr -> finland-norway"


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"order": "fly"},
        {"order": "move"},
        {"order": "move", "units": [], "route": ["karelia-ssr", "finland-norway"]},
        {"order": "move", "units": [{"type": "infantry", "count": -1}], "route": ["karelia-ssr", "finland-norway"]},
        {"order": "move", "units": [{"type": "infantry", "count": 10**30}], "route": ["a", "b"]},
        {"order": "move", "units": [{"type": "zeppelin"}], "route": ["karelia-ssr", "finland-norway"]},
        {"order": "move", "units": [{"type": "infantry"}], "route": ["karelia-ssr"]},
        {"order": "place", "units": [{"type": "infantry", "count": "two"}], "space": "russia"},
        {"order": "research", "dice": True},
        {"order": "battle", "space": None},
        {"order": "battle", "space": "atlantis"},
    ],
)
def test_structured_orders_that_make_no_sense(client: TestClient, new_game: NewGame, raw: dict[str, object]) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    answer = client.post(f"/api/games/{game}/orders", json={"order": raw})
    problem(answer, 422, "notation")
    assert get(client, game, "state")["version"] == 2


def test_a_refusal_names_the_rule_and_the_culprits(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    answer = client.post(f"/api/games/{game}/orders", json={"order": "move 1 infantry: karelia-ssr -> germany"})
    error = problem(answer, 422, "refused")
    assert error["rules"][0].startswith("CL-")
    assert error["culprits"]
    assert not error["message"].startswith("CL-")  # the ids are beside the sentence, not in it
    assert client.get(f"/api/rules/{error['rules'][0]}").status_code == 200
    assert get(client, game, "state")["version"] == 2


@pytest.mark.parametrize(
    "text", ["", "dance", "move", "buy 3 zeppelins", "move 1 infantry karelia-ssr", "#", "\x00end"]
)
def test_texts_that_are_no_orders(client: TestClient, new_game: NewGame, text: str) -> None:
    problem(client.post(f"/api/games/{new_game()}/orders", json={"order": text}), 422, "notation")


def test_an_order_for_an_older_version_is_stale(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    order(client, game, "buy 1 infantry", 0)
    error = problem(client.post(f"/api/games/{game}/orders", json={"order": "buy 1 armor", "version": 0}), 409, "stale")
    assert error["details"] == {"version": 1}
    assert get(client, game, "state")["pool"] == {"infantry": 1}
    order(client, game, "buy 1 armor", 1)


def test_an_order_for_a_version_that_has_not_been_is_stale(client: TestClient, new_game: NewGame) -> None:
    """Whoever knows more changes than there are has seen another game, or one that was lost."""
    game = new_game()
    order(client, game, "buy 1 infantry", 0)
    for what, body in (("orders", {"order": "buy 1 armor"}), ("undo", {}), ("redo", {})):
        for version in (2, 1_000_000):
            answer = client.post(f"/api/games/{game}/{what}", json={**body, "version": version})
            assert problem(answer, 409, "stale")["details"] == {"version": 1}
    assert get(client, game, "state")["pool"] == {"infantry": 1}


def test_two_clients_give_the_same_answer_once(client: TestClient, new_game: NewGame) -> None:
    """Both saw version 0; one is first, the other is told so and nothing of its order happens."""
    from concurrent.futures import ThreadPoolExecutor

    game = new_game()
    for version in range(5):
        with ThreadPoolExecutor(4) as pool:
            url, body = f"/api/games/{game}/orders", {"order": "buy 1 infantry", "version": version}
            answers = list(pool.map(lambda _: client.post(url, json=body), range(4)))  # noqa: B023
        assert sorted(a.status_code for a in answers) == [200, 409, 409, 409]
    state = get(client, game, "state")
    assert (state["version"], state["pool"], state["powers"]["ussr"]["treasury"]) == (5, {"infantry": 5}, 9)


def test_undo_and_redo(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    order(client, game, "buy 1 infantry")
    before = get(client, game, "state")
    order(client, game, "buy 1 armor")
    after = get(client, game, "state")
    assert after["can_undo"] is True
    change = client.post(f"/api/games/{game}/undo", json={"version": 2}).json()
    assert (change["type"], change["number"], change["order"]) == ("undo", 3, "buy 1 armor")
    state = get(client, game, "state")
    assert state["can_redo"] is True
    assert (state["pool"], state["powers"]) == (before["pool"], before["powers"])
    assert client.post(f"/api/games/{game}/redo").json()["type"] == "redo"
    state = get(client, game, "state")
    assert (state["pool"], state["powers"], state["can_redo"]) == (after["pool"], after["powers"], False)
    assert order(client, game, "undo")["type"] == "undo"  # as an order, too
    order(client, game, "buy 2 infantry")
    problem(client.post(f"/api/games/{game}/redo"), 409, "nothing-to-redo")
    problem(client.post(f"/api/games/{game}/undo", json={"version": 1}), 409, "stale")
    problem(client.post(f"/api/games/{game}/redo", json={"version": 1}), 409, "stale")


def test_what_dice_decided_is_not_taken_back(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    problem(client.post(f"/api/games/{game}/undo"), 422, "refused")
    orders(client, game, *ATTACK)
    error = problem(client.post(f"/api/games/{game}/undo"), 422, "refused")
    assert error["rules"] == ["CL-MOV-10"]


def test_the_time_machine_shows_any_moment(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    seen = [get(client, game, "state")]
    for text in ATTACK:
        order(client, game, text)
        seen.append(get(client, game, "state"))
    for place, then in enumerate(seen):
        now = get(client, game, "state", at=place)
        assert now["at"] == place
        assert now["orders"] == len(ATTACK)
        for field in ("spaces", "powers", "pool", "phase", "battle", "decision", "pending"):
            assert now.get(field) == then.get(field), f"{field} at {place}"
    for place in (-1, 7):
        problem(client.get(f"/api/games/{game}/state", params={"at": place}), 422, "data")
    problem(client.get(f"/api/games/{game}/state", params={"at": "now"}), 422, "validation")


def test_the_marks_of_the_time_machine(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    line = get(client, game, "timeline")
    assert line["orders"] == 6
    assert [(m["at"], m["phase"]) for m in line["marks"]] == [
        (0, "research"), (1, "purchase"), (2, "combat-move"), (5, "combat"),
    ]  # fmt: skip


def test_the_battle_board(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    state = get(client, game, "state")
    battle = state["battle"]
    assert (battle["space"], battle["kind"], battle["attacker"], battle["round"]) == (
        "finland-norway",
        "land",
        "ussr",
        1,
    )
    assert battle["step"] == "attackers-fire"
    assert battle["steps"][0] == "aa-fire"
    attack = {c["value"]: {u["unit"]: u["count"] for u in c["units"]} for c in battle["attack"]["columns"]}
    assert attack == {1: {"infantry": 3}, 3: {"armor": 1}}
    defense = {c["value"]: {u["unit"]: u["count"] for u in c["units"]} for c in battle["defense"]["columns"]}
    assert defense == {2: {"infantry": 3, "armor": 1}, 4: {"fighter": 1}}
    assert battle["hits"] == 2
    assert battle["origins"] == ["karelia-ssr"]
    dice = [roll for roll in battle["rolls"] if roll["latest"]]
    assert [(r["needed"], len(r["faces"])) for r in dice] == [(1, 3), (3, 1)]
    assert sum(r["hits"] for r in dice) == 2
    decision = state["decision"]
    assert (decision["kind"], decision["power"], decision["count"]) == ("casualties", "germany", 2)
    assert {c["unit"]: c["most"] for c in decision["candidates"]} == {"infantry": 2, "armor": 1, "fighter": 1}
    assert decision["suggestion"] == "casualties 2 germany infantry"
    after = order(client, game, "casualties 1 infantry, 1 armor")["state"]["battle"]
    assert after is None or after["space"] == "finland-norway"
    fired = [e for e in get(client, game, "log")["lines"][-1]["sentences"] if "Defence" in e]
    assert fired  # the doomed fired before they went


def test_doomed_units_stand_behind_the_line(client: TestClient, new_game: NewGame) -> None:
    game = new_game(options={"casualties_by_column": True})
    orders(client, game, *ATTACK)
    for _ in range(3):
        state = get(client, game, "state")
        battle, decision = state["battle"], state["decision"]
        if battle and battle["defense"]["doomed"]:
            break
        order(client, game, decision["suggestion"] or decision["orders"][0])
    doomed = battle["defense"]["doomed"]
    assert doomed
    alive = sum(u["count"] for c in battle["defense"]["columns"] for u in c["units"])
    assert alive + sum(d["count"] for d in doomed) == 5


def test_destinations(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    found = {d["space"]: d for d in get(client, game, "legal/destinations", space="karelia-ssr", unit="armor")}
    local = Game.new(seed=3)
    local.play("end")
    local.play("end")
    assert {s: tuple(d["route"]) for s, d in found.items()} == local.legal.destinations("karelia-ssr", "armor")
    assert found["finland-norway"]["battle"] is True
    assert found["finland-norway"]["cost"] == 1
    for d in found.values():
        assert get(client, game, "legal/why", order=d["order"])["legal"] is True
    afghanistan = {d["space"]: d for d in get(client, game, "legal/destinations", space="russia", unit="armor")}[
        "afghanistan"
    ]
    assert (afghanistan["fee"], afghanistan["captures"], afghanistan["battle"]) == (3, True, False)
    planes = get(client, game, "legal/destinations", space="Karelia S.S.R.", unit="fighters")
    assert planes
    assert all(d["battle"] for d in planes)
    finland = next(d for d in planes if d["space"] == "finland-norway")
    assert (finland["cost"], finland["left"]) == (1, 3)


def test_destinations_of_units_that_cannot_move(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    assert get(client, game, "legal/destinations", space="karelia-ssr", unit="armor") == []  # not in this phase
    url = f"/api/games/{game}/legal/destinations"
    problem(client.get(url, params={"space": "atlantis", "unit": "armor"}), 422, "notation")
    problem(client.get(url, params={"space": "russia", "unit": "zeppelin"}), 422, "notation")
    problem(client.get(url, params={"space": "russia", "unit": "armor", "role": "parade"}), 422, "notation")
    problem(client.get(url, params={"space": "russia"}), 422, "validation")


def test_raids_are_a_role(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end", "end", "end", "end")  # Germany
    orders(client, game, "end", "end")
    movers = {(m["space"], m["unit"]): m for m in get(client, game, "legal/targets")}
    assert movers["germany", "bomber"]["roles"] == ["raid"]
    raids = get(client, game, "legal/destinations", space="germany", unit="bomber", role="raid")
    assert {"united-kingdom", "russia"} <= {d["space"] for d in raids}
    assert all("as raid" in d["order"] for d in raids)


def test_why_not(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    verdict = get(client, game, "legal/why", order="move 1 infantry: karelia-ssr -> finland-norway")
    assert verdict["legal"] is False
    assert "CL-TRN-02" in verdict["rules"]
    assert verdict["message"]
    assert get(client, game, "legal/why", order="buy 2 infantry") == {
        "legal": True, "order": "buy 2 infantry", "message": None, "rules": [], "culprits": [],
    }  # fmt: skip
    assert get(client, game, "legal/why", order="undo")["legal"] is False
    order(client, game, "buy 2 infantry")
    assert get(client, game, "legal/why", order="undo")["legal"] is True
    assert get(client, game, "state")["version"] == 1
    problem(client.get(f"/api/games/{game}/legal/why", params={"order": "dance"}), 422, "notation")


def test_what_can_move(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    assert get(client, game, "legal/targets") == []
    orders(client, game, "end", "end")
    found = {(m["space"], m["unit"]): m["count"] for m in get(client, game, "legal/targets")}
    state = get(client, game, "state")
    assert found["karelia-ssr", "infantry"] == units(state, "karelia-ssr")["ussr", "infantry"]
    assert ("russia", "industrial-complex") not in found
    assert not [space for space, _ in found if space == "germany"]


def test_places_for_new_units(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "buy 3 infantry, 1 transport", "end")
    assert get(client, game, "legal/places", unit="infantry")["places"] == []  # not in this phase
    orders(client, game, "end", "end")
    assert get(client, game, "state")["phase"] == "mobilize"
    found = get(client, game, "legal/places", unit="infantry")
    assert found["pool"] == 3
    assert {p["space"]: p["most"] for p in found["places"]} == {"karelia-ssr": 3, "russia": 3}
    assert {c["space"]: c["output"] for c in found["capacity"]} == {"karelia-ssr": None, "russia": None}
    ships = {p["space"] for p in get(client, game, "legal/places", unit="transport")["places"]}
    assert ships
    assert "russia" not in ships
    assert get(client, game, "legal/places", unit="armor")["pool"] == 0
    order(client, game, "place 2 infantry: russia")
    after = get(client, game, "legal/places", unit="infantry")
    assert after["pool"] == 1
    assert next(c["placed"] for c in after["capacity"] if c["space"] == "russia") == 2
    problem(client.get(f"/api/games/{game}/legal/places", params={"unit": "zeppelin"}), 422, "notation")


def test_prices(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    found = get(client, game, "legal/purchase")
    assert found["treasury"] == 24
    prices = {p["unit"]: (p["cost"], p["affordable"]) for p in found["prices"]}
    assert prices["infantry"] == (3, 8)
    assert prices["battleship"] == (24, 1)


def test_the_moves_of_a_phase(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK[:4])
    found = get(client, game, "moves")
    assert [m["path"] for m in found] == [["karelia-ssr", "finland-norway"], ["caucasus", "ukraine-ssr"]]
    assert found[0]["at"] == 3
    assert {u["unit"]: u["count"] for u in found[0]["units"]} == {"infantry": 3, "armor": 1}
    assert [m["path"] for m in get(client, game, "moves", at=3)] == [["karelia-ssr", "finland-norway"]]
    order(client, game, "end")
    assert get(client, game, "moves") == []
    problem(client.get(f"/api/games/{game}/moves", params={"at": 99}), 422, "data")


def test_loading_a_transport_is_seen(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *["end"] * 5)  # Germany
    orders(client, game, *["end"] * 5)  # United Kingdom
    orders(client, game, "end", "end")
    state = get(client, game, "state")
    zone = next(
        m["space"]
        for m in get(client, game, "legal/targets")
        if m["unit"] == "transport" and any(u == ("uk", "infantry") for u in units(state, "united-kingdom"))
        and "united-kingdom" in _neighbours(client, m["space"])
    )  # fmt: skip
    change = order(client, game, f"move 1 infantry: united-kingdom -> {zone}")
    assert change["events"][0]["kind"] == "boarded"
    ship = next(s for s in change["state"]["spaces"][zone]["units"] if s["unit"] == "transport" and s["cargo"])
    assert ship["cargo"] == [{"power": "uk", "unit": "infantry", "count": 1}]
    assert get(client, game, "moves")[0]["kind"] == "boarded"


def _neighbours(client: TestClient, space: str) -> list[str]:
    world = client.get("/api/scenarios/classic-1942/world").json()
    found: list[str] = next(s["neighbours"] for s in world["spaces"] if s["id"] == space)
    return found


def test_a_game_that_is_over(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    change = order(client, game, "surrender")
    state = change["state"]
    assert (state["over"], state["winner"]) == (True, "axis")
    assert "decision" not in state
    assert set(state["winners"]) <= {"germany", "japan"}
    assert state["winners"]
    won = next(e for e in change["events"] if e["kind"] == "won")
    assert won["side"] == "axis"
    problem(client.post(f"/api/games/{game}/orders", json={"order": "end"}), 422, "refused")
    line = next(g for g in client.get("/api/games").json() if g["id"] == game)
    assert (line["over"], line["winner"], line["answers"]) == (True, "axis", None)


def test_log_and_statistics(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    log = get(client, game, "log")
    assert log["orders"] == 6
    assert [line["at"] for line in log["lines"]] == list(range(7))
    assert log["lines"][3]["order"].startswith("move 3 infantry")
    last = log["lines"][6]
    assert sum(len(t) for t in last["throws"]) == len(last["dice"]) == 4
    assert [line["at"] for line in get(client, game, "log", **{"from": 5})["lines"]] == [5, 6]
    problem(client.get(f"/api/games/{game}/log", params={"from": -1}), 422, "validation")
    numbers = get(client, game, "statistics")
    assert numbers["start"]["germany"]["production"] == 32
    assert [r["round"] for r in numbers["rounds"]] == [1]
    luck = numbers["rounds"][0]["powers"]["ussr"]["luck"]
    assert (luck["dice"], luck["hits"]) == (4, 2)
    assert luck["expected"] == pytest.approx(3 / 6 + 3 / 6)
