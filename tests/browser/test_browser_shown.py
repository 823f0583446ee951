"""Battles that are lived through: every step is shown, nothing opens behind a report, nothing happens by accident."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect
from table import Table
from window import Open

TANKS: dict[str, Any] = {
    "clear": ["libya", "anglo-egypt-sudan", "algeria", "french-equatorial-africa"],
    "units": {
        "libya": {"germany": {"armor": 4, "fighter": 1}},
        "anglo-egypt-sudan": {"uk": {"infantry": 1, "aa-gun": 1}},
        "algeria": {"germany": {"infantry": 2}},
        "french-equatorial-africa": {"uk": {"infantry": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}
ATTACK = "move 4 armor, 1 fighter: libya -> anglo-egypt-sudan"
BOTH = (ATTACK, "move 2 infantry: algeria -> french-equatorial-africa")


NOTE = """() => {
  window.seen = [];
  const look = () => {
    const board = document.querySelector('.battle');
    const said = board?.querySelector('.playing .question')?.textContent;
    if (board?.dataset.step && said && window.seen.at(-1) !== said) window.seen.push(said);
  };
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document.querySelector('main'), all);
}"""
"""Note every step that the battle board shows from now on."""


def report(table: Table) -> Locator:
    return table.page.get_by_role("dialog", name=re.compile("attack on"))


@pytest.mark.prefer(animation="on", battles="brisk")
def test_an_attack_without_a_question_is_seen_from_the_guns_to_the_end(new_table: Open) -> None:
    """AA fire shoots the fighter down, four tanks win in one round: all of it by one click, and all of it shown."""
    table = new_table(position=TANKS, orders=(ATTACK,), dice=[1, 1, 1, 6, 6, 2])
    table.page.evaluate(NOTE)
    before = table.there("anglo-egypt-sudan")
    table.done()
    expect(table.battle).to_contain_text("German forces attack Anglo-Egypt Sudan")
    expect(report(table)).to_be_visible()
    assert before[("germany", "fighter")] == 1
    seen = table.page.evaluate("window.seen")
    assert [line.strip() for line in seen] == [
        "German forces attack.",
        "Antiaircraft fire: one hit.",
        "1 fighter is hit.",
        "Attackers fire: 2 hits.",
        "1 infantry is hit and will fire back.",
        "Defenders fire: one hit.",
        "1 armor is hit.",
        "Germany wins the battle in Anglo-Egypt Sudan.",
    ]
    told = report(table)
    expect(told).to_contain_text("Antiaircraft fire")
    expect(told).to_contain_text("1 fighter lost")
    expect(told).to_contain_text("1 infantry hit, fired back")
    told.get_by_role("button", name="Go on").click()
    table.expect_phase("Non-combat")


@pytest.mark.prefer(animation="on", battles="slow")
def test_a_key_shows_the_rest_at_once(new_table: Open) -> None:
    table = new_table(position=TANKS, orders=(ATTACK,), dice=[1, 1, 1, 6, 6, 2])
    table.done()
    expect(table.battle).to_have_attribute("data-step", "opened")
    table.page.keyboard.press("Enter")  # step by step
    expect(table.battle).to_have_attribute("data-step", "volley")
    table.page.keyboard.press("Space")
    expect(report(table)).to_be_visible(timeout=2_000)
    expect(table.battle).to_have_count(0)


@pytest.mark.prefer(animation="on", battles="brisk")
def test_the_next_battle_waits_until_the_report_is_read(new_table: Open) -> None:
    """Two battles: the second one, the only one left, is opened by the order that ends the first."""
    world = {
        **TANKS,
        "units": {**TANKS["units"], "libya": {"germany": {"armor": 3}}, "anglo-egypt-sudan": {"uk": {"infantry": 1}}},
    }
    orders = ("move 3 armor: libya -> anglo-egypt-sudan", BOTH[1])
    table = new_table(position=world, orders=orders, dice=[1, 1, 1, 6, 6, 6, 6])
    table.done()
    table.until(lambda: table.state()["phase"] == "combat")
    table.settle()
    table.click_space("anglo-egypt-sudan")
    expect(report(table)).to_be_visible()
    expect(table.battle).to_have_count(0)
    report(table).get_by_role("button", name="Go on").click()
    expect(table.battle).to_contain_text("German forces attack French Equatorial Africa")
    expect(table.battle.get_by_role("button", name="Press the attack")).to_be_visible()


def test_fighting_a_battle_out_says_what_it_means_and_ends_with_it(new_table: Open) -> None:
    table = new_table(position=TANKS, orders=(*BOTH, "end", "battle french-equatorial-africa"), dice=[6, 6, 6, 1, 6, 6])
    table.page.keyboard.press("f")
    window = table.page.get_by_role("dialog", name=re.compile("French Equatorial Africa out"))
    expect(window).to_contain_text("the cheapest units first")
    expect(window).to_contain_text("time machine")
    before = table.state()["version"]
    window.get_by_role("button", name="I command it myself").click()
    expect(window).to_have_count(0)
    assert table.state()["version"] == before
    table.page.keyboard.press("f")
    window.get_by_role("button", name="Fight it out", exact=True).click()
    expect(report(table)).to_contain_text("French Equatorial Africa")


def test_undo_goes_back_over_the_end_of_a_phase(new_table: Open) -> None:
    table = new_table()
    table.orders.get_by_role("button", name="Skip").click()
    table.expect_phase("Purchase")
    table.buy({"infantry": 2})
    table.done()
    table.expect_phase("Combat move")
    table.click("Undo")
    table.expect_phase("Purchase")
    expect(table.orders).to_contain_text("Bought already: 2 infantry")
    table.click("Redo")
    table.expect_phase("Combat move")


def test_what_cannot_be_taken_back_is_said_before(new_table: Open) -> None:
    table = new_table(position=TANKS)
    expect(table.orders).not_to_contain_text("cannot be taken back")
    table.move("armor", "libya", "anglo-egypt-sudan", all_of_them=True)
    expect(table.orders).to_contain_text("Done rolls dice: that cannot be taken back.")
    table.page.keyboard.press("e")
    window = table.page.get_by_role("dialog", name=re.compile("^End .Combat move"))
    expect(window).to_contain_text("The first dice are rolled at once")
    window.get_by_role("button", name="Not yet").click()
    assert table.state()["phase"] == "combat-move"


def test_battles_to_come_have_odds_and_bad_bets_a_warning(new_table: Open) -> None:
    hopeless = {**TANKS, "units": {**TANKS["units"], "french-equatorial-africa": {"uk": {"infantry": 6}}}}
    table = new_table(position=hopeless, orders=BOTH)
    coming = table.orders.get_by_role("region", name="Battles to come")
    good = coming.get_by_role("button", name=re.compile("Anglo-Egypt Sudan"))
    expect(good).to_contain_text(re.compile(r"9\d\.\d %"))
    expect(good).not_to_contain_text("bet")
    expect(coming.get_by_role("button", name=re.compile("French Equatorial"))).to_contain_text(
        re.compile("bad bet|hopeless", re.I)
    )


def test_planes_are_landed_by_one_click(new_table: Open) -> None:
    over: dict[str, Any] = {
        "clear": ["libya", "anglo-egypt-sudan"],
        "units": {
            "libya": {"germany": {"fighter": 2, "armor": 1, "infantry": 1}},
            "anglo-egypt-sudan": {"uk": {"infantry": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    table = new_table(
        position=over, orders=("move 2 fighter, 1 armor: libya -> anglo-egypt-sudan", "end"), dice=[1, 1, 1, 6]
    )
    if table.page.get_by_role("button", name="Go on").count():
        table.click("Go on")
    table.expect_phase("Non-combat")
    aloft = table.orders.get_by_role("region", name="Planes that have to land")
    expect(aloft).to_contain_text("2 fighters over Anglo-Egypt Sudan")
    aloft.get_by_role("button", name="Land in Libya").click()
    table.until(lambda: table.there("libya").get(("germany", "fighter")) == 2)
    expect(aloft).to_have_count(0)


def test_the_loaded_transport_can_be_spared(new_table: Open) -> None:
    """Two transports, one with tanks aboard: which one sinks is a choice."""
    world: dict[str, Any] = {
        "clear": ["north-sea", "karelia-sea", "baltic-sea"],
        "units": {
            "karelia-sea": {"uk": {"transport": 2, "submarine": 1}},
            "north-sea": {"germany": {"battleship": 1, "transport": 1}},
        },
        "cargo": {"karelia-sea": {"uk": {"transport": [{"armor": 1}]}}},
        "turn": "uk",
        "phase": "combat-move",
    }
    order = "move 2 transport, 1 submarine, 1 armor: karelia-sea -> north-sea"
    table = new_table(position=world, orders=(order, "end"), dice=[6, 6, 1])
    attackers = table.battle.get_by_role("region", name="Attackers")
    attackers.get_by_role("button", name=re.compile("1 transport carrying 1 armor")).click()
    table.battle.get_by_role("button", name="Take the losses").click()
    table.until(lambda: ("uk", "armor") not in table.there("north-sea"))
    assert table.there("north-sea")[("uk", "transport")] == 1


def test_battleships_are_sent_to_one_of_two_landings(new_table: Open) -> None:
    """To fire is the first answer, to stay silent the last."""
    world: dict[str, Any] = {
        "clear": ["eastern-mediterranean", "anglo-egypt-sudan", "syria-iraq"],
        "units": {
            "eastern-mediterranean": {"germany": {"battleship": 2, "transport": 2}},
            "anglo-egypt-sudan": {"uk": {"infantry": 2}},
            "syria-iraq": {"uk": {"infantry": 2}},
        },
        "cargo": {"eastern-mediterranean": {"germany": {"transport": [{"infantry": 2}, {"armor": 1}]}}},
        "turn": "germany",
        "phase": "combat-move",
    }
    orders = (
        "move 2 infantry: eastern-mediterranean -> anglo-egypt-sudan",
        "move 1 armor: eastern-mediterranean -> syria-iraq",
        "end",
        "battle anglo-egypt-sudan",
    )
    table = new_table(position=world, orders=orders, dice=[1, 6])
    answers = table.battle.locator(".answers .any button")
    expect(answers.first).to_have_text("2 battleships at Anglo-Egypt Sudan")
    expect(answers.last).to_have_text("None fires at Anglo-Egypt Sudan")
    table.click("1 battleship kept for Syria-Iraq")

    def supports(land: str) -> bool:
        told = f"1 German battleship in the Eastern Mediterranean Sea Zone gives fire support to the landing in {land}."
        return told in str(table.server.call("GET", f"/games/{table.game}/log"))

    table.until(lambda: supports("Anglo-Egypt Sudan") and supports("Syria-Iraq"))


def test_back_closes_a_window_and_stays_in_the_game(new_table: Open) -> None:
    table = new_table()
    table.page.goto(f"{table.server.url}/load")
    table.open().take_seat()
    table.menu("The war")
    window = table.page.get_by_role("dialog", name=re.compile("war", re.I))
    expect(window).to_be_visible()
    table.page.go_back()
    expect(window).to_have_count(0)
    assert table.game in table.page.url
    table.page.keyboard.press("l")
    log = table.page.get_by_role("dialog", name="What happened")
    expect(log).to_be_visible()
    log.get_by_role("button", name="Close").click()
    expect(log).to_have_count(0)
    table.until(lambda: not table.page.evaluate("history.state?.window"))  # and it has left no trace
    table.page.go_back()
    expect(table.page.get_by_role("heading", name="Load game")).to_be_visible()


def test_a_question_that_the_page_has_no_picture_for_is_answered(new_table: Open) -> None:
    """Ships may support one of two landings: the page knows nothing of that but what the server says."""
    table = new_table()
    asked = {
        "kind": "bombard",
        "question": "Germany: which assault do the battleships support?",
        "answers": ["bombard", "stay"],
        "choices": [],
        "orders": [],
        "labels": [],
        "candidates": [{"power": "ussr", "unit": "battleship", "most": 2, "sorts": []}],
        "count": 0,
        "places": ["united-kingdom", "eire"],
        "forms": [
            {
                "word": "bombard",
                "label": "Bombard",
                "fields": [
                    {"name": "units", "kind": "units", "optional": False, "options": []},
                    {"name": "space", "kind": "place", "optional": False, "options": []},
                ],
            },
            {"word": "stay", "label": "Stay", "fields": []},
        ],
    }
    given: list[Any] = []

    def state(route: Route) -> None:
        body = route.fetch().json()
        route.fulfill(json={**body, "decision": {**body["decision"], **asked}})

    def order(route: Route) -> None:
        given.append(route.request.post_data_json["order"])
        route.abort()

    table.page.route("**/api/games/*/state", state)
    table.page.route("**/api/games/*/orders", order)
    table.page.reload()
    expect(table.orders).to_contain_text("which assault do the battleships support")
    answer = table.orders.get_by_role("button", name="Bombard", exact=True)
    expect(answer).to_be_disabled()
    table.click("More: battleships")
    expect(table.space("united-kingdom")).to_have_attribute("aria-label", re.compile("may be chosen"))
    table.click_space("united-kingdom")
    expect(table.orders.get_by_role("button", name="United Kingdom", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    answer.click()
    table.until(lambda: len(given) == 1)
    assert given == [{"order": "bombard", "units": [{"type": "battleship", "count": 1}], "space": "united-kingdom"}]
    table.orders.get_by_role("button", name="No, leave it").click()
    table.until(lambda: given[1:] == ["stay"])
