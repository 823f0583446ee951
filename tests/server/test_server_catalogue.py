"""Scenarios, worlds, maps, bots and rules."""

from __future__ import annotations

import pytest
from server_help import problem
from starlette.testclient import TestClient

from sandtable.rulebook import rule
from sandtable.world.compile import compile_world
from sandtable.world.load import scenarios


def test_every_scenario_is_listed_with_what_a_new_game_needs(client: TestClient) -> None:
    found = client.get("/api/scenarios").json()
    assert [s["id"] for s in found] == [info.id for info in scenarios()]
    classic = found[0]
    assert classic["id"] == "classic-1942"
    assert classic["playable"] is True
    assert classic["board"] == "classic"
    assert [p["players"] for p in classic["seat_presets"]] == [2, 3, 4, 5]
    assert {p["id"] for p in classic["powers"]} == {"ussr", "germany", "uk", "japan", "usa"}
    edition = next(o for o in classic["options"] if o["key"] == "second_edition")
    assert edition["choices"] == [True, False]
    assert edition["default"] is False
    assert edition["help"]
    assert edition["rules"][0].startswith("CL3-OPT")
    assert edition["sets"]["true"]["submerging_submarines"] is False
    joint = next(o for o in classic["options"] if o["key"] == "joint_casualties")
    assert joint["choices"] == ["owner", "agreement"]
    infantry = next(u for u in classic["units"] if u["id"] == "infantry")
    assert (infantry["cost"], infantry["attack"], infantry["defense"], infantry["move"]) == (3, 1, 2, 1)
    assert infantry["editable"] == ["cost", "attack", "defense", "move"]
    complex_ = next(u for u in classic["units"] if u["id"] == "industrial-complex")
    assert complex_["editable"] == ["cost"]
    assert classic["unit_ranges"]["attack"] == {"low": 0, "high": 6}


def test_every_victory_preset_makes_a_game(client: TestClient) -> None:
    presets = client.get("/api/scenarios").json()[0]["victory_presets"]
    assert [p["key"] for p in presets] == ["standard", "capitals", "all-capitals", "rounds-5", "rounds-10", "none"]
    for preset in presets:
        edits = {} if preset["edit"] is None else {"victory": preset["edit"]}
        answer = client.post("/api/games", json={"edits": edits})
        assert answer.status_code == 201, answer.text


def test_the_world_has_everything_static(client: TestClient) -> None:
    world = compile_world("classic-1942")
    found = client.get("/api/scenarios/classic-1942/world").json()
    assert [s["id"] for s in found["spaces"]] == list(world.spaces)
    karelia = next(s for s in found["spaces"] if s["id"] == "karelia-ssr")
    assert karelia["neighbours"] == list(world.neighbours["karelia-ssr"])
    assert karelia["ipc"] == world.spaces["karelia-ssr"].ipc
    assert [p["id"] for p in found["phases"]] == list(world.phases)
    assert next(p for p in found["phases"] if p["id"] == "combat-move")["title"] == "Combat movement"
    assert {t["id"] for t in found["technologies"]} == set(world.technologies)
    placed = sum(s["count"] for s in found["setup"])
    assert placed == sum(n for spaces in world.setup.units.values() for u in spaces.values() for n in u.values())


def test_a_world_with_options(client: TestClient) -> None:
    found = client.get("/api/scenarios/classic-1942/world", params={"second_edition": "true"}).json()
    assert found["options"]["second_edition"] is True
    assert found["options"]["joint_casualties"] == "agreement"
    submarine = next(u for u in found["units"] if u["id"] == "submarine")
    assert submarine["submerges"] == []


def test_the_world_of_1940_has_politics_convoys_and_seats_for_powers_with_turns(client: TestClient) -> None:
    found = client.get("/api/scenarios/global-1940/world").json()
    assert found["playable"] is True
    assert found["politics"] is True
    assert {power["id"] for power in found["powers"] if power["seat"]} == set(found["order"])
    assert any(space["convoy"] for space in found["spaces"])
    assert client.get("/api/scenarios/classic-1942/world").json()["politics"] is False


@pytest.mark.parametrize(
    ("scenario", "options", "neutrals", "fee"),
    [
        ("classic-1942", {}, "fee", 3),
        ("classic-1942", {"inviolable_neutrals": "true"}, "closed", None),
        ("global-1940", {}, "armies", None),
    ],
)
def test_what_becomes_of_neutral_land(
    client: TestClient, scenario: str, options: dict[str, str], neutrals: str, fee: int | None
) -> None:
    found = client.get(f"/api/scenarios/{scenario}/world", params=options).json()
    assert (found["neutrals"], found["neutral_fee"]) == (neutrals, fee)


def test_wrong_scenarios_and_options_are_told(client: TestClient) -> None:
    assert "classic-1942" in problem(client.get("/api/scenarios/nowhere/world"), 404, "not-found")["message"]
    answer = client.get("/api/scenarios/classic-1942/world", params={"second": "true"})
    assert "second_edition" in problem(answer, 422, "data")["message"]
    answer = client.get("/api/scenarios/classic-1942/world", params={"second_edition": "perhaps"})
    problem(answer, 422, "data")


def test_the_map_is_sent_once(client: TestClient) -> None:
    first = client.get("/api/maps/classic")
    assert first.status_code == 200
    assert first.json()["board"] == "classic"
    again = client.get("/api/maps/classic", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_maps_that_do_not_exist(client: TestClient) -> None:
    for board in ("atlantis", "..%2F..%2Fpyproject", "%2e%2e", "classic.json", "classic%00"):
        problem(client.get(f"/api/maps/{board}"), 404, "not-found")


def test_bots_are_listed(client: TestClient) -> None:
    found = {bot["name"]: bot for bot in client.get("/api/bots").json()}
    assert found["random"]["stars"] == 0
    assert found["random"]["title"]


def test_a_rule_by_its_id(client: TestClient) -> None:
    found = client.get("/api/rules/cl-trp-01").json()
    assert found["id"] == "CL-TRP-01"
    assert found["title"] == rule("CL-TRP-01").title
    assert "did you mean" in problem(client.get("/api/rules/CL-TRP-99"), 404, "not-found")["message"]


def test_rules_by_words(client: TestClient) -> None:
    found = client.get("/api/rules", params={"q": "transport capacity", "limit": 3}).json()
    assert found["rules"][0]["id"] == "CL-TRP-01"
    assert len(found["rules"]) == 3 <= found["total"]
    assert found["groups"] == []
    nothing = client.get("/api/rules", params={"q": "zeppelin hangar"}).json()
    assert nothing["rules"] == []


def test_rules_without_words_give_the_groups(client: TestClient) -> None:
    everything = client.get("/api/rules").json()
    classic = client.get("/api/rules", params={"book": "classic"}).json()
    assert {g["id"] for g in classic["groups"]} < {g["id"] for g in everything["groups"]}
    assert "CL-SUB" in {g["id"] for g in classic["groups"]}
    problem(client.get("/api/rules", params={"book": "cooking"}), 404, "not-found")
    problem(client.get("/api/rules", params={"limit": 0}), 422, "validation")


def test_options_are_tried_before_a_game_is_made(client: TestClient) -> None:
    path = "/api/scenarios/classic-1942/options"
    both = client.get(path, params={"international_cooperation": "true"}).json()
    assert both["values"]["soviet_sovereignty"] is True
    assert both["brought"]["soviet_sovereignty"] == ["international_cooperation"]
    assert both["problems"] == []
    alone = client.get(path, params={"lend_lease_mandatory": "true"}).json()
    assert alone["problems"] == ["Mandatory lend lease needs Lend lease (MX03-07)."]
    against = client.get(path, params={"airborne": "true", "paratroopers": "false"}).json()
    assert against["problems"] == [
        "Airborne troops brings Paratroopers with it, but Paratroopers (off) is chosen (MX09-01)."
    ]
    problem(client.get(path, params={"airborne": "perhaps"}), 422, "data")
    problem(client.get(path, params={"cavalry": "true"}), 422, "data")
    problem(client.get("/api/scenarios/chess/options"), 404, "not-found")
