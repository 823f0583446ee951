"""What the server tells of an Anniversary game: research, repairs, China, cities, objectives, optional battles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from server_help import get, order, orders
from starlette.testclient import TestClient

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.dice import SeededDice
from sandtable.world.compile import compile_world

NewGame = Callable[..., str]
SCENARIO = "anniversary-1941"
HOME = {"germany": {"germany": {"infantry": 1}}}


def seed_for(*faces: int) -> int:
    """A seed whose first dice show these faces."""
    found = (s for s in range(500_000) if all(SeededDice(s).face(i, 6) == f for i, f in enumerate(faces)))
    return next(found)


def position(client: TestClient, dice: tuple[int, ...] = (), **patch: Any) -> str:
    """A game that begins in a position of its own, in the words of case files."""
    world = compile_world(SCENARIO)
    game = Game(world, seed=seed_for(*dice), start=patched_state(world, {"clear": "all", **patch}))
    answer = client.post("/api/games/import", json={"text": game.to_text()})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def decision(client: TestClient, game: str) -> dict[str, Any]:
    found: dict[str, Any] = get(client, game, "state")["decision"]
    return found


def test_the_world_tells_charts_phases_and_who_plays_china(client: TestClient, new_game: NewGame) -> None:
    world = get(client, new_game(scenario=SCENARIO), "world")
    assert world["research"] == "tokens"
    charts = [(each["chart"], each["roll"]) for each in world["technologies"]]
    assert charts == [(chart, roll) for chart in (1, 2) for roll in range(1, 7)]
    assert all(each["help"] for each in world["technologies"])
    china = next(power for power in world["powers"] if power["id"] == "china")
    assert (china["seat"], china["played_by"]) == (False, "usa")
    titles = [phase["title"] for phase in world["phases"]]
    assert titles[:2] == ["Research and development", "Purchase and repair"]
    assert len(titles) == len(set(titles))
    units = {unit["id"]: unit for unit in world["units"]}
    assert units["artillery"]["boosts"] == {"infantry": 1}
    assert units["destroyer"]["hunts"] == ["submarine"]
    assert units["transport"]["chosen_last"]


def test_researchers_stay_until_a_six(client: TestClient) -> None:
    game = position(client, (3,), turn="germany", phase="research", treasury={"germany": 20}, units=HOME)
    assert decision(client, game)["research"] == {
        "method": "tokens", "cost": 5, "most": 4, "researchers": 0, "success": 6, "rolled": False, "by_name": []
    }  # fmt: skip
    assert "researchers" in decision(client, game)["question"]
    change = order(client, game, "research 1")
    hired = next(event for event in change["events"] if event["kind"] == "researchers")
    assert hired["researchers"] == 1
    assert get(client, game, "state")["powers"]["germany"]["researchers"] == 1
    assert "done" in decision(client, game)["question"]
    assert get(client, game, "progress")["researchers"] == {"germany": 1}


def test_a_breakthrough_asks_for_a_chart(client: TestClient) -> None:
    game = position(client, (6, 3), turn="germany", phase="research", treasury={"germany": 20}, units=HOME)
    order(client, game, "research 1")
    asked = decision(client, game)
    assert (asked["kind"], asked["charts"]) == ("chart", [1, 2])
    assert asked["orders"] == ["chart 1", "chart 2"]
    assert asked["labels"] == ["Roll on chart 1", "Roll on chart 2"]
    order(client, game, "chart 1")
    assert get(client, game, "state")["powers"]["germany"]["technologies"] == ["paratroopers"]
    paper = get(client, game, "newspaper", round=1)
    assert any(line["kind"] == "technology" for line in paper["headlines"])


def test_repairs_cost_and_make_room(client: TestClient) -> None:
    game = position(
        client,
        turn="germany",
        phase="purchase",
        treasury={"germany": 40},
        units={"germany": {"germany": {"industrial-complex": 1}}},
        control={"germany": "germany"},
        damage={"germany": {"industrial-complex": 4}},
    )
    offer = decision(client, game)["purchase"]
    assert offer["room"] == 6
    (works,) = offer["repairs"]
    assert (works["space"], works["damage"], works["output"]) == ("germany", 4, 6)
    assert works["steps"] == [{"points": n, "cost": n, "output": 6 + n} for n in (1, 2, 3, 4)]
    prices = {price["unit"]: price for price in offer["prices"]}
    assert prices["infantry"]["affordable"] == 6  # there is money for 13
    assert not prices["industrial-complex"]["counts"]
    orders(client, game, "repair germany 3", "buy 2 infantry")
    offer = decision(client, game)["purchase"]
    assert (offer["treasury"], offer["room"], offer["repairs"][0]["damage"]) == (31, 7, 1)
    (damaged,) = get(client, game, "progress")["complexes"]
    assert (damaged["space"], damaged["damage"], damaged["most"], damaged["output"]) == ("germany", 1, 20, 9)


def test_a_raid_reports_its_damage(client: TestClient) -> None:
    game = position(
        client,
        (5,),
        turn="uk",
        phase="combat-move",
        units={"united-kingdom": {"uk": {"bomber": 1}}, "germany": {"germany": {"industrial-complex": 1}}},
    )
    change = orders(client, game, "move 1 bomber: united-kingdom -> germany as raid", "end")
    (report,) = change["battles"]
    assert (report["kind"], report["damage"], report["money"]) == ("raid", 5, {})
    assert get(client, game, "state")["spaces"]["germany"]["damage"] == {"industrial-complex": 5}
    paper = get(client, game, "newspaper", round=1)
    assert "damage" in [line["kind"] for line in paper["headlines"]]


def test_the_battle_board_knows_stages_strikes_and_damage(client: TestClient) -> None:
    """A submarine strikes first where no destroyer hunts it; a battleship that is hit fights on, and is told apart."""
    game = position(
        client,
        (1, 6, 6),
        turn="germany",
        phase="combat-move",
        units={"sz-7": {"germany": {"submarine": 1}}, "sz-12": {"uk": {"battleship": 2}}},
    )
    orders(client, game, "move 1 submarine: sz-7 -> sz-12", "end")
    battle = get(client, game, "state")["battle"]
    assert battle["stages"] == [
        "Submarines leave", "Surprise strike", "Attackers fire", "Defenders fire", "Press or retreat"
    ]  # fmt: skip
    assert battle["stage"] == "Submarines leave"
    (column,) = battle["attack"]["columns"]
    assert column["units"][0]["first_shot"] is True
    (ships,) = battle["defense"]["columns"][0]["units"]
    assert (ships["count"], ships["hits"], ships["endures"]) == (2, 0, 2)
    order(client, game, "stay")
    battle = get(client, game, "state")["battle"]
    rows = [(unit["count"], unit["hits"]) for unit in battle["defense"]["columns"][0]["units"]]
    assert sorted(rows) == [(1, 0), (1, 1)]
    assert battle["stage"] == "Press or retreat"


def test_artillery_moves_infantry_up_a_column(client: TestClient) -> None:
    game = position(
        client,
        (6, 6, 6, 6, 6),
        turn="germany",
        phase="combat-move",
        units={"poland": {"germany": {"infantry": 2, "artillery": 1}}, "east-poland": {"ussr": {"infantry": 2}}},
    )
    orders(client, game, "move 2 infantry, 1 artillery: poland -> east-poland", "end")
    columns = get(client, game, "state")["battle"]["attack"]["columns"]
    values = {column["value"]: {unit["unit"]: unit["count"] for unit in column["units"]} for column in columns}
    assert values == {1: {"infantry": 1}, 2: {"infantry": 1, "artillery": 1}}


def test_a_battle_may_be_left_alone(client: TestClient) -> None:
    game = position(
        client,
        turn="germany",
        phase="combat-move",
        units={"sz-7": {"germany": {"cruiser": 1}}, "sz-12": {"uk": {"submarine": 1}}},
    )
    orders(client, game, "move 1 cruiser: sz-7 -> sz-12", "end")
    state = get(client, game, "state")
    asked = state["decision"]
    assert (asked["kind"], asked["optional"]) == ("battle", True)
    assert state["pending"] == [{"space": "sz-12", "kind": "sea", "optional": True, "ready": True}]
    assert "Leave them alone" in asked["labels"]
    assert "or not" in asked["question"]
    order(client, game, asked["orders"][asked["labels"].index("Leave them alone")])
    assert get(client, game, "state")["phase"] == "noncombat-move"


@pytest.mark.parametrize(
    ("answer", "ashore"), [("stay", 0), ("move 1 infantry: sz-5 -> poland", 1), ("battle poland", 2)]
)
def test_troops_may_stay_aboard_after_a_costly_sea_battle(client: TestClient, answer: str, ashore: int) -> None:
    game = position(
        client,
        (3, 6, 3, 6, 6),
        turn="uk",
        phase="combat-move",
        units={
            "sz-6": {"uk": {"cruiser": 2}},
            "sz-5": {"germany": {"cruiser": 1}},
            "poland": {"germany": {"infantry": 1}},
        },
        cargo={"sz-6": {"uk": {"transport": [{"infantry": 1}, {"infantry": 1}]}}},
    )
    orders(client, game, "move 2 cruiser, 2 transport: sz-6 -> sz-5", "move 2 infantry: sz-5 -> poland", "end")
    asked = decision(client, game)
    assert (asked["kind"], asked["optional"]) == ("battle", True)
    assert asked["landings"] == [{"zone": "sz-5", "shore": "poland", "units": [{"unit": "infantry", "count": 2}]}]
    assert "Stay aboard" in asked["labels"]
    landed = order(client, game, answer)["events"]
    units = [unit for event in landed if event["kind"] == "landed" for unit in event["units"]]
    assert sum(unit["count"] for unit in units) == ashore


def test_troops_can_be_dropped_from_bombers(client: TestClient) -> None:
    """Infantry that can walk nowhere is told as a mover beside its bomber, and both go together by one order."""
    game = position(
        client,
        turn="germany",
        phase="combat-move",
        technologies={"germany": ["paratroopers"]},
        units={"germany": {"germany": {"bomber": 1, "infantry": 2}}, "east-poland": {"ussr": {"infantry": 1}}},
        control={"germany": "germany", "poland": "germany"},
    )
    movers = {mover["unit"]: mover for mover in get(client, game, "legal/targets") if mover["space"] == "germany"}
    assert movers["bomber"]["roles"] == ["raid", "paradrop"]
    assert (movers["infantry"]["roles"], movers["infantry"]["count"]) == (["paradrop"], 2)
    reach = get(client, game, "legal/reach", space="germany", units=["bomber", "infantry"], role="paradrop")
    there = next(each for each in reach["destinations"] if each["space"] == "east-poland")
    assert there["battle"] is True
    order(client, game, there["order"])
    assert [battle["space"] for battle in get(client, game, "state")["pending"]] == ["east-poland"]


def test_transports_go_with_those_who_can_attack(client: TestClient) -> None:
    """A whole fleet can go where its transports alone could not; and the way there is one order."""
    game = position(
        client,
        turn="uk",
        phase="combat-move",
        units={"sz-8": {"uk": {"transport": 2, "destroyer": 1}}, "sz-7": {"germany": {"submarine": 1, "cruiser": 1}}},
        control={"united-kingdom": "uk"},
    )

    def ends(*units: str) -> dict[str, Any]:
        found = get(client, game, "legal/reach", space="sz-8", units=units)["destinations"]
        return {each["space"]: each for each in found}

    assert "sz-7" not in ends("transport")
    there = ends("transport", "destroyer")["sz-7"]
    assert (there["battle"], there["cost"]) == (True, 1)
    order(client, game, there["order"])
    assert [battle["space"] for battle in get(client, game, "state")["pending"]] == ["sz-7"]


def test_units_that_have_moved_are_not_counted_again(client: TestClient) -> None:
    game = position(
        client,
        turn="germany",
        phase="noncombat-move",
        units={"germany": {"germany": {"infantry": 2}}, "poland": {"germany": {"infantry": 3}}},
        control={"germany": "germany", "poland": "germany"},
    )
    order(client, game, "move 2 infantry: germany -> poland")
    counts = {mover["space"]: mover["count"] for mover in get(client, game, "legal/targets")}
    assert counts == {"poland": 3}


def test_china_is_played_from_the_american_seat(client: TestClient, new_game: NewGame) -> None:
    game = new_game(
        scenario=SCENARIO,
        seats=[
            {"name": "Axis", "powers": ["germany", "japan", "italy"]},
            {"name": "Allies", "powers": ["ussr", "uk", "usa"]},
        ],
    )
    while get(client, game, "state")["turn"] != "china":
        order(client, game, "end")
    state = get(client, game, "state")
    assert (state["phase"], state["decision"]["power"], state["decision"]["seat"]) == ("combat-move", "china", "Allies")
    assert {mover["space"] for mover in get(client, game, "legal/targets")} >= {"fukien", "hupeh"}
    while get(client, game, "state")["phase"] != "mobilize":
        order(client, game, "end")
    state = get(client, game, "state")
    assert (state["turn"], state["decision"]["power"]) == ("usa", "usa")
    assert state["pools"]["china"] == {"infantry": 3}
    found = get(client, game, "legal/places", unit="infantry", power="china")
    assert (found["power"], found["pool"]) == ("china", 3)
    place = found["places"][0]
    order(client, game, f"place {place['most']} china infantry: {place['space']}")
    assert get(client, game, "legal/places", unit="infantry", power="china")["pool"] == 3 - place["most"]
    assert get(client, game, "legal/places", unit="infantry")["pool"] == 0


def test_progress_counts_cities_objectives_and_incomes(client: TestClient, new_game: NewGame) -> None:
    game = new_game(scenario=SCENARIO)
    found = get(client, game, "progress")
    assert len(found["cities"]) == 18
    assert [(s["side"], s["have"], s["needs"]) for s in found["standings"]] == [("allies", 12, 15), ("axis", 6, 15)]
    assert all(standing["rules"] for standing in found["standings"])
    berlin = next(city for city in found["cities"] if city["city"] == "Berlin")
    assert (berlin["space"], berlin["power"], berlin["side"]) == ("germany", "germany", "axis")
    german = [each for each in found["objectives"] if each["power"] == "germany"]
    assert [each["met"] for each in german] == [True, False, False]
    assert all(bool(each["missing"]) != each["met"] for each in german)
    assert found["incomes"]["germany"] == {
        "production": 31,
        "gains": [{"name": german[0]["name"], "amount": 5}],
        "dice": 0,
        "certain": 36,
    }
    assert get(client, game, "state")["powers"]["germany"]["income"] == found["incomes"]["germany"]
    order(client, game, "end")
    assert get(client, game, "progress", at=0) == found
    short = get(client, new_game(scenario=SCENARIO, options={"victory_cities": 13}), "progress")
    assert {standing["needs"] for standing in short["standings"]} == {13}
    plain = new_game(scenario=SCENARIO, options={"national_objectives": False, "research_and_development": False})
    assert get(client, plain, "progress")["objectives"] == []
    assert get(client, plain, "state")["phase"] == "purchase"


def test_statistics_and_headlines_count_what_the_edition_adds(client: TestClient, new_game: NewGame) -> None:
    game = new_game(scenario=SCENARIO)
    while get(client, game, "state")["turn"] == "germany":
        order(client, game, "end")
    numbers = get(client, game, "statistics")
    germany = numbers["rounds"][0]["powers"]["germany"]
    assert (germany["cities"], germany["bonus"], germany["objectives"], germany["technologies"]) == (3, 5, 1, 0)
    headlines = get(client, game, "newspaper", round=1)["headlines"]
    assert any(line["kind"] == "objective" and line["power"] == "germany" for line in headlines)
    plain = get(client, new_game(), "progress")
    assert plain["cities"] == []
    assert plain["standings"]


def test_marks_of_the_time_machine_tell_whose_phase_it_is(client: TestClient) -> None:
    units = {"chinghai": {"china": {"infantry": 1}}, "eastern-united-states": {"usa": {"infantry": 1}}}
    game = position(client, turn="usa", phase="combat-move", units=units)
    orders(client, game, *["end"] * 4)
    marks = [(m["turn"], m["phase"]) for m in get(client, game, "timeline")["marks"]]
    assert marks == [
        ("usa", "combat-move"), ("usa", "noncombat-move"),
        ("china", "combat-move"), ("china", "noncombat-move"),
        ("usa", "mobilize"),
    ]  # fmt: skip


def test_the_defender_says_where_stranded_fighters_land(client: TestClient) -> None:
    units = {"sz-9": {"germany": {"submarine": 2}}, "sz-10": {"usa": {"carrier": 1, "fighter": 2}}}
    game = position(client, (2, 6), turn="germany", phase="combat-move", units=units)
    orders(client, game, "move 2 submarine: sz-9 -> sz-10", "end", "stay")
    asked = decision(client, game)
    assert (asked["power"], asked["kind"], asked["space"], asked["count"]) == ("usa", "stranded", "sz-10", 2)
    assert asked["places"] == ["eastern-united-states", "panama"]
    assert asked["labels"][:2] == ["Land 2 fighters in Eastern United States", "Land 2 fighters in Panama"]
    assert "Where do 2 fighters over Sea Zone 10 go" in asked["question"]
    order(client, game, asked["orders"][1])
    assert decision(client, game)["power"] == "germany"
    line = get(client, game, "log")["lines"][-1]
    assert line["power"] == "usa"
    assert "Panama" in " ".join(line["sentences"])
