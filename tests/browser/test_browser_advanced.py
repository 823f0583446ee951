"""Advanced rules on the page: choosing them, what they close, marked units, alliances, fleets, air battles."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect
from running import Running
from window import Open

PACT: dict[str, Any] = {
    "units": {"manchuria": {"japan": {"infantry": 3, "fighter": 3}}},
    "marks": {"manchuria": {"japan": {"fighter": [["jet-power"]]}}},
    "turn": "japan",
    "phase": "combat-move",
}
FIVE = [{"name": f"Player {power}", "powers": [power]} for power in ("ussr", "germany", "uk", "japan", "usa")]
RAID: dict[str, Any] = {
    "clear": ["germany", "karelia-ssr"],
    "units": {
        "germany": {"germany": {"bomber": 1}},
        "karelia-ssr": {"ussr": {"fighter": 2, "industrial-complex": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}
FLEETS: dict[str, Any] = {
    "clear": ["japan-sea", "hawaiian-sea"],
    "units": {
        "hawaiian-sea": {"japan": {"battleship": 2, "transport": 1, "submarine": 1}, "usa": {"submarine": 1}},
    },
    "turn": "japan",
    "phase": "combat-move",
}


def test_advanced_rules_are_chosen_with_what_they_bring_and_need(home: Page, server: Running) -> None:
    home.get_by_role("button", name="New game").first.click()
    home.get_by_role("button", name=re.compile("^Options")).click()
    home.get_by_role("button", name=re.compile("^Advanced rules")).click()
    rules = home.get_by_role("list", name="Advanced rules")
    rules.get_by_role("switch", name="International cooperation").click()
    part = rules.get_by_role("switch", name="Soviet sovereignty")
    expect(part).to_have_attribute("aria-checked", "true")
    expect(part).to_be_disabled()  # it comes with the other
    rules.get_by_role("switch", name="Mandatory lend lease").click()
    expect(rules.get_by_role("switch", name="Lend lease", exact=True)).to_have_attribute("aria-checked", "true")
    rules.get_by_role("switch", name="Lend lease", exact=True).click()
    expect(home.get_by_role("alert")).to_contain_text("Mandatory lend lease needs Lend lease (MX03-07).")
    expect(home.get_by_role("button", name="Done", exact=True)).to_be_disabled()
    rules.get_by_role("switch", name="Lend lease", exact=True).click()
    home.get_by_role("button", name="Done", exact=True).click()
    home.get_by_role("button", name="Begin", exact=True).click()
    expect(home.get_by_role("list", name="Phases of the turn")).to_be_visible()
    game = home.url.rpartition("/")[2]
    world = server.call("GET", f"/games/{game}/world")
    assert world["options"]["soviet_sovereignty"] is True
    assert world["options"]["lend_lease_mandatory"] is True


def test_an_option_that_makes_another_game_leads_to_its_card(home: Page) -> None:
    home.get_by_role("button", name="New game").first.click()
    home.get_by_role("button", name=re.compile("^Options")).click()
    home.get_by_role("button", name=re.compile("^Advanced rules")).click()
    home.get_by_role("switch", name="Pacific Theater").click()
    home.get_by_role("button", name="Done", exact=True).click()
    card = home.get_by_role("region", name="Scenario").get_by_role("button", name=re.compile("Pacific Theater"))
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(home.locator(".seats li")).to_have_count(3)
    home.get_by_role("button", name="Begin", exact=True).click()
    expect(home.get_by_role("list", name="Phases of the turn")).to_be_visible()


def test_the_map_shows_what_a_pact_closes_and_marked_units_move_alone(new_table: Open, page: Page) -> None:
    options = {"russo_japanese_pact": True, "high_tech_production": True}
    table = new_table(position=PACT, options=options)
    expect(page.locator("path.closed").first).to_be_attached()
    table.point_at("yakut-ssr")
    expect(page.locator(".whisper")).to_contain_text("Closed: Japanese units do not enter Soviet soil")
    assert {"fighter[]", "fighter[jet-power]"} <= set(
        page.locator('.piece[data-at="manchuria"]').evaluate_all("all => all.map(each => each.dataset.unit)")
    )
    table.move("fighter[jet-power]", "manchuria", "china")
    marked = [stack for stack in table.state()["spaces"]["china"]["units"] if stack["power"] == "japan"]
    assert [(stack["unit"], stack["count"], stack["marks"]) for stack in marked] == [("fighter", 1, ["jet-power"])]


def test_an_alliance_is_offered_and_accepted(new_table: Open, page: Page) -> None:
    table = new_table(scenario="world-domination", seats=FIVE)
    first = table.state()["turn"]
    other = next(power for power in ("ussr", "germany", "uk", "japan", "usa") if power != first)
    page.keyboard.press("i")
    window = page.get_by_role("dialog", name="Diplomacy")
    powers = table.server.call("GET", f"/games/{table.game}/world")["powers"]
    name = next(p["name"] for p in powers if p["id"] == other)
    window.get_by_role("button", name=f"Offer {name} an alliance").click()
    table.until(lambda: table.state()["decision"]["power"] == other)
    table.take_seat()
    page.get_by_role("complementary", name="Orders").get_by_role(
        "button", name=re.compile("Agree|Accept|alliance", re.I)
    ).first.click()
    table.until(lambda: any(r["stance"] == "ally" for r in table.state()["relations"]))


def test_interceptors_meet_a_raid_on_the_battle_board(new_table: Open, page: Page) -> None:
    table = new_table(position=RAID, options={"raid_air_combat": True}, dice=[6, 6, 1])
    table.server.orders(table.game, "move 1 bomber: germany -> karelia-ssr as raid", "end")
    answer = page.get_by_role("button", name="Intercept with 2 fighters")
    table.take_seat()
    answer.click()
    table.until(lambda: table.state()["phase"] != "combat" or table.state()["decision"]["kind"] != "intercept")
    report = page.locator("dialog[open]")
    expect(report).to_contain_text("Defenders fire")
    expect(report).to_contain_text("1 bomber")


def test_ships_join_the_invasion_fleet(new_table: Open, page: Page) -> None:
    table = new_table(position=FLEETS, options={"naval_task_forces": True})
    fleets = page.get_by_role("region", name="Fleets in Hawaiian Sea Zone")
    fleets.get_by_role("button", name="More: Battleships in the invasion fleet").click()

    def divided() -> dict[str, int]:
        found = table.state()["spaces"]["hawaiian-sea"]["units"]
        return {stack["fleet"]: stack["count"] for stack in found if stack["unit"] == "battleship" and "fleet" in stack}

    table.until(lambda: divided() == {"invasion": 1})
    fleets.get_by_role("button", name="Less: Battleships in the invasion fleet").click()
    table.until(lambda: divided() == {})


def test_a_die_is_thrown_for_a_development_by_name(new_table: Open, page: Page) -> None:
    table = new_table(options={"focused_weapons": True})
    before = table.state()["powers"]["ussr"]["treasury"]
    page.get_by_role("button", name="Throw a die for Rockets").click()
    table.until(lambda: table.state()["powers"]["ussr"]["treasury"] < before)
    expect(table.orders.get_by_role("img", name=re.compile("Dice"))).to_be_visible()
    expect(page.get_by_role("button", name="Throw a die for Rockets")).to_have_count(0)
