"""Anniversary games as a person plays them: research, repairs, raids, submarines, China and the war tracker."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from running import Running
from window import Open

SCENARIO = "anniversary-1941"
SEATS: list[dict[str, Any]] = [
    {"name": "Axis", "powers": ["germany", "japan", "italy"]},
    {"name": "Allies", "powers": ["ussr", "uk", "usa"]},
]


def test_a_new_game_of_the_edition(home: Page, server: Running) -> None:
    """Both scenarios are offered, with research, objectives and the number of cities that win."""
    home.get_by_role("button", name=re.compile("^New game", re.I)).click()
    scenarios = home.get_by_role("region", name="Scenario")
    expect(scenarios.get_by_role("button", name=re.compile("^Anniversary 1941"))).to_be_visible()
    scenarios.get_by_role("button", name=re.compile("^Anniversary 1942")).click()
    home.get_by_role("button", name="6 people", exact=True).click()
    home.get_by_role("button", name="Options", exact=True).click()
    options = home.get_by_role("dialog", name="Options")
    expect(options.get_by_role("switch", name="Research and development")).to_have_attribute("aria-checked", "true")
    options.get_by_role("switch", name="National objectives").click()
    options.get_by_role("button", name=re.compile("^Victory cities needed: 15")).click()
    options.get_by_role("button", name="Done", exact=True).click()
    home.get_by_role("button", name="Begin", exact=True).click()
    expect(home.get_by_role("list", name="Phases of the turn")).to_be_visible()
    info = server.call("GET", f"/games/{home.url.rpartition('/')[2]}")
    assert info["scenario"] == "anniversary-1942"
    assert info["options"]["victory_cities"] == 18
    assert info["options"]["national_objectives"] is False


def test_researchers_find_something(new_table: Open) -> None:
    """One researcher, a six, a chart, a die: paratroopers. The charts tell what each development does."""
    units = {"germany": {"germany": {"infantry": 1}}}
    position = {"turn": "germany", "phase": "research", "treasury": {"germany": 20}, "clear": "all", "units": units}
    table = new_table(position=position, dice=[6, 3], scenario=SCENARIO, seats=SEATS)
    table.expect_phase("Research and development")
    table.click("Paratroopers not developed")
    expect(table.orders).to_contain_text("Each bomber may drop one infantry")
    table.click("More: researchers")
    expect(table.orders).to_contain_text("15 IPC left")
    table.click("Hire and roll")
    expect(table.orders).to_contain_text("On which chart")
    table.click("Roll on chart 1")
    expect(table.orders).to_contain_text("develops Paratroopers")
    expect(table.button("Paratroopers developed")).to_be_visible()
    table.click("On to the purchase")
    table.expect_phase("Purchase and repair")


def test_a_raid_leaves_damage_to_repair(new_table: Open) -> None:
    """A British bomber does 5 damage, which the map marks; Italy is skipped, and in its purchase Germany repairs."""
    position = {
        "clear": "all",
        "turn": "uk",
        "phase": "combat-move",
        "treasury": {"germany": 40, "italy": 0, "usa": 0},
        "units": {
            "united-kingdom": {"uk": {"bomber": 1}},
            "germany": {"germany": {"industrial-complex": 1, "infantry": 1}},
        },
        "control": {"germany": "germany", "united-kingdom": "uk"},
    }
    table = new_table(position=position, dice=[5], scenario=SCENARIO, seats=SEATS)
    table.click_unit("united-kingdom", "bomber")
    table.click_space("germany")
    table.click("Bombing raid")
    table.settle()
    table.done()
    report = table.page.get_by_role("dialog", name=re.compile("Strategic raid"))
    expect(report).to_contain_text("Damage to the complex")
    expect(report).to_contain_text("5")
    table.page.keyboard.press("Escape")
    table.settle()
    table.expect_units("germany", "damaged by 5")
    expect(table.units("germany", "industrial-complex")).to_contain_text("5")
    for _ in range(60):
        question = table.state()["decision"]
        if (question["power"], question["kind"]) == ("germany", "purchase"):
            break
        away = table.there("germany").get(("uk", "bomber"))
        if away and (question["power"], question["kind"]) == ("uk", "noncombat-move"):
            table.server.orders(table.game, "move 1 bomber: germany -> united-kingdom")
        table.server.orders(table.game, "end")
    table.settle()
    table.take_seat()
    expect(table.orders).to_contain_text("room for 5 more")
    for _ in range(2):
        table.click("More: repairs in Germany")
    expect(table.orders).to_contain_text("room for 7 more")
    table.buy({"infantry": 7})
    expect(table.button("More: infantry")).to_be_disabled()
    before = table.state()["powers"]["germany"]["treasury"]
    table.click(re.compile("^Buy 7 for 23 IPC"))
    table.until(lambda: table.state()["phase"] == "combat-move")
    state = table.state()
    assert state["powers"]["germany"]["treasury"] == before - 23
    assert state["spaces"]["germany"]["damage"] == {"industrial-complex": 3}


def test_submarines_strike_and_battleships_endure(new_table: Open) -> None:
    """The submarine may stay or submerge, strikes first, and leaves a damaged battleship that fights on."""
    position = {
        "clear": "all",
        "turn": "germany",
        "phase": "combat-move",
        "units": {"sz-7": {"germany": {"submarine": 1}}, "sz-12": {"uk": {"battleship": 2}}},
    }
    table = new_table(position=position, dice=[1, 6, 6], scenario=SCENARIO, seats=SEATS)
    table.move("submarine", "sz-7", "sz-12")
    table.done()
    steps = table.battle.get_by_role("list", name="Steps of this round")
    expect(steps.locator('[aria-current="step"]')).to_have_text("Submarines leave")
    expect(steps).to_contain_text("Surprise strike")
    expect(table.battle.get_by_role("button", name="Submerge 1 submarine")).to_be_visible()
    table.click("Stay and fight")
    expect(table.battle.get_by_role("button", name="1 damaged battleship")).to_be_visible()
    expect(table.battle.get_by_role("button", name="1 battleship")).to_be_visible()
    table.battle.get_by_role("button", name="Retreat to Sea Zone 7").click()
    table.until(lambda: table.state().get("battle") is None)
    assert table.there("sz-7") == {("germany", "submarine"): 1}


def test_enemies_may_be_left_alone(new_table: Open) -> None:
    position = {
        "clear": "all",
        "turn": "germany",
        "phase": "combat-move",
        "units": {"sz-7": {"germany": {"cruiser": 1}}, "sz-12": {"uk": {"submarine": 1}}},
    }
    table = new_table(position=position, scenario=SCENARIO, seats=SEATS)
    table.move("cruiser", "sz-7", "sz-12")
    table.done()
    expect(table.orders).to_contain_text("may be left alone")
    table.click("Leave them alone")
    table.expect_phase("Non-combat movement")


def test_troops_may_stay_aboard(new_table: Open) -> None:
    """After a sea battle that cost a cruiser, one of two infantry lands."""
    position = {
        "clear": "all",
        "turn": "uk",
        "phase": "combat-move",
        "units": {
            "sz-6": {"uk": {"cruiser": 2}},
            "sz-5": {"germany": {"cruiser": 1}},
            "poland": {"germany": {"infantry": 1}},
        },
        "cargo": {"sz-6": {"uk": {"transport": [{"infantry": 1}, {"infantry": 1}]}}},
    }
    table = new_table(
        orders=("move 2 cruiser, 2 transport: sz-6 -> sz-5", "move 2 infantry: sz-5 -> poland", "end"),
        position=position,
        dice=[3, 6, 3, 1, 6],
        scenario=SCENARIO,
        seats=SEATS,
    )
    expect(table.button("Stay aboard")).to_be_visible()
    table.click("Less: infantry that land")
    table.click("Land only these")
    table.until(lambda: table.there("poland").get(("uk", "infantry")) == 1)
    assert table.there("sz-5")[("uk", "infantry")] == 1


def test_paratroopers(new_table: Open) -> None:
    """A bomber and the infantry beside it, picked together, attack two spaces away."""
    position = {
        "clear": "all",
        "turn": "germany",
        "phase": "combat-move",
        "technologies": {"germany": ["paratroopers"]},
        "units": {
            "germany": {"germany": {"bomber": 1, "infantry": 2}},
            "east-poland": {"ussr": {"infantry": 1}},
        },
        "control": {"germany": "germany", "poland": "germany"},
    }
    table = new_table(position=position, scenario=SCENARIO, seats=SEATS)
    table.click_unit("germany", "bomber")
    table.click_unit("germany", "infantry", too=True)
    expect(table.space("east-poland")).to_have_attribute("aria-label", re.compile("paradrop"))
    table.click_space("east-poland")
    table.until(lambda: bool(table.state()["pending"]))
    assert table.there("east-poland")[("germany", "infantry")] == 1


def test_china_in_the_american_turn(new_table: Open) -> None:
    """China moves with its own pieces by the American player's hand, and its new infantry is placed with the others."""
    table = new_table(scenario=SCENARIO, seats=SEATS, orders=("end",) * 29)
    assert table.state()["turn"] == "china"
    expect(table.page.get_by_text("moved by the United States")).to_be_visible()
    expect(table.orders).to_contain_text("China: which units attack")
    table.move("infantry", "hupeh", "kiangsu")
    table.expect_units("kiangsu", "1 Chinese infantry")
    table.click("Undo")
    table.until(lambda: ("china", "infantry") not in table.there("kiangsu"))
    for _ in range(3):
        if table.state()["phase"] == "mobilize":
            break
        table.done()
        table.settle()
    table.expect_phase("Mobilize new units")
    table.click(re.compile("of China"))
    expect(table.button(re.compile("^Hupeh room for"))).to_be_visible()
    table.click_space("hupeh", all_of_them=True)
    table.until(lambda: table.state()["pools"].get("china", {}).get("infantry", 0) < 3)
    assert table.there("hupeh")[("china", "infantry")] > 1


def test_a_power_may_have_the_word_twice_in_a_round(new_table: Open) -> None:
    """The United States before China and after it: the log and what changed have a heading for each."""
    american = ("buy 1 infantry", "end", "end", "end")
    chinese = ("end", "move 1 infantry: fukien -> hupeh", "end")
    orders = (*("end",) * 26, *american, *chinese, "place 1 infantry: eastern-united-states")
    table = new_table(scenario=SCENARIO, seats=SEATS, orders=orders)
    for entry, title in (("What happened", "What happened"), ("Since my last turn", re.compile("^Since"))):
        table.menu(entry)
        window = table.page.get_by_role("dialog", name=title)
        expect(window.get_by_text("United States", exact=False).first).to_be_visible()
        if entry == "What happened":
            expect(window.get_by_text("Round 1, United States")).to_have_count(2)
        table.page.keyboard.press("Escape")
        expect(window).to_have_count(0)


def test_the_defender_lands_stranded_fighters(new_table: Open) -> None:
    """The carrier goes down: one fighter by a button, the other by a click on the map."""
    position = {
        "clear": "all",
        "turn": "germany",
        "phase": "combat-move",
        "units": {"sz-9": {"germany": {"submarine": 2}}, "sz-10": {"usa": {"carrier": 1, "fighter": 2}}},
    }
    table = new_table(position=position, dice=[2, 6], scenario=SCENARIO, seats=SEATS)
    table.move("submarine", "sz-9", "sz-10", all_of_them=True)
    table.done()
    table.click("Stay and fight")
    table.page.get_by_role("button", name="Go on", exact=True).click()
    expect(table.orders).to_contain_text("United States: the carrier is sunk. Where do 2 fighters over Sea Zone 10 go")
    table.orders.get_by_role("button", name="Land 1 fighter in Panama", exact=True).click()
    table.until(lambda: table.there("panama") == {("usa", "fighter"): 1})
    table.settle()
    expect(table.space("eastern-united-states")).to_have_attribute("aria-label", re.compile("may land here"))
    table.click_space("eastern-united-states")
    table.until(lambda: table.there("eastern-united-states") == {("usa", "fighter"): 1})
    table.settle()
    table.expect_phase("Non-combat movement")


@pytest.mark.parametrize("width", [1440, 1280, 1024, 820])
def test_the_longest_phase_stands_beside_six_powers(new_table: Open, width: int) -> None:
    table = new_table(position={"turn": "uk", "phase": "research"}, scenario=SCENARIO, seats=SEATS)
    table.page.set_viewport_size({"width": width, "height": 800})
    table.expect_phase("Research and development")
    phase, countries = table.phase.bounding_box(), table.page.locator(".countries").bounding_box()
    assert phase is not None
    assert countries is not None
    assert phase["x"] + phase["width"] <= countries["x"]
    assert countries["x"] + countries["width"] <= width


def test_the_war_is_tracked(new_table: Open) -> None:
    """Cities, what each side still needs, and each country's objectives with what is missing."""
    table = new_table(scenario=SCENARIO, seats=SEATS)
    table.menu("The war")
    war = table.page.get_by_role("dialog", name="The war")
    expect(war.get_by_role("region", name="Allies")).to_contain_text("12 of 15")
    expect(war.get_by_role("region", name="Axis")).to_contain_text("9 more to win")
    expect(war).to_contain_text("Germany would collect 36 IPC now: 31 for its land, 5 for European core")
    objectives = war.get_by_role("list", name="Objectives")
    expect(objectives).to_contain_text("Missing: Caucasus or Karelia S.S.R.")
    war.get_by_role("button", name=re.compile("^United States")).click()
    expect(war).to_contain_text("United States would collect")
    war.get_by_role("button", name=re.compile("Berlin")).click()
    expect(war).to_be_hidden()
    expect(table.orders).to_contain_text("victory city Berlin")


@pytest.mark.prefer(quickComputer=True)
def test_a_computer_plays_its_turn(new_table: Open) -> None:
    """Germany is played by a person, the Soviet Union by a computer, and then Japan's turn comes."""
    people = {"name": "Player one", "powers": ["germany", "japan", "uk", "italy", "usa"], "player": "human"}
    computer = {"name": "Zhukov", "powers": ["ussr"], "player": "3star"}
    table = new_table(scenario=SCENARIO, seats=[people, computer], orders=("end",) * 4)
    table.expect_phase("Mobilize new units")
    table.done()

    def is_japan() -> bool:
        """Meanwhile the person loses what has to be lost, and fights on."""
        question = table.state()["decision"]
        answer = question.get("suggestion") or next(iter(question["orders"]), None)
        if answer and question["player"] == "human" and question["power"] != "japan":
            table.server.orders(table.game, answer)
        return bool(table.state()["turn"] == "japan")

    table.until(is_japan, 60)
    table.settle()
    table.expect_phase("Research and development")
    bought = [line for line in table.server.call("GET", f"/games/{table.game}/log")["lines"] if line["turn"] == "ussr"]
    assert any(line["order"].startswith("buy") for line in bought)
    assert any(line["order"].startswith("place") for line in bought)
