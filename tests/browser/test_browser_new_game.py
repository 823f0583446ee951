"""The New Game screen: players, options, unit edit, and the game that begins with them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from running import Running


@pytest.fixture
def new_game(page: Page, server: Running) -> Page:
    page.goto(f"{server.url}/new")
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_visible()
    return page


def row(page: Page, country: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.locator(".country", has_text=country))


def step(page: Page, country: str, until: str | re.Pattern[str]) -> None:
    """Click the arrow of a country until its player is this one."""
    who = row(page, country).locator(".who")
    for _ in range(12):
        text = " ".join(who.inner_text().split())
        if re.search(until, text):
            return
        row(page, country).get_by_role("button", name=re.compile("^Next player")).click()
    raise AssertionError(f"{country} never got {until}")


def begin(page: Page, server: Running) -> dict[str, Any]:
    """Begin, and give the game that was made."""
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url(re.compile("/game/"))
    found: dict[str, Any] = server.call("GET", f"/games/{page.url.rpartition('/')[2]}")
    return found


def options(page: Page) -> Locator:
    page.get_by_role("button", name=re.compile("^Options")).click()
    window = page.get_by_role("dialog", name="Options")
    expect(window).to_be_visible()
    return window


def light(window: Locator, name: str) -> Locator:
    return window.get_by_role("switch", name=name, exact=True)


@pytest.mark.rule("PC-NEW-01", "PC-NEW-05", "PC-NEW-08")
def test_people_and_computers_take_the_countries(new_game: Page, server: Running) -> None:
    for country in ("Germany", "Japan"):
        step(new_game, country, "Player one")
    step(new_game, "U.S.S.R.", "Captain")
    step(new_game, "United Kingdom", "computer")
    step(new_game, "United States", "General")
    made = begin(new_game, server)
    players = {power: seat["player"] for seat in made["seats"] for power in seat["powers"]}
    assert players["germany"] == players["japan"] == "human"
    assert players["ussr"] == "3star"
    assert players["usa"] == "5star"
    server.call("POST", f"/games/{made['id']}/bots", json={"running": False})
    other = server.call("POST", "/games", json={"seed": 1})["id"]
    state, fresh = server.call("GET", f"/games/{made['id']}/state", params={"at": 0}), server.state(other)
    assert state["spaces"] == fresh["spaces"]


@pytest.mark.rule("PC-NEW-02", "PC-NEW-03", "PC-NEW-04", "PC-NEW-06")
def test_the_arrows_step_through_all_players_and_come_round(new_game: Page) -> None:
    who = row(new_game, "Germany").locator(".who")
    up = row(new_game, "Germany").get_by_role("button", name="Previous player for Germany")
    first = " ".join(who.inner_text().split())
    seen = [first]
    for _ in range(20):
        up.click()
        now = " ".join(who.inner_text().split())
        if now == first:
            break
        seen.append(now)
    else:
        raise AssertionError("the players never came round")
    for number in ("one", "two", "three", "four", "five"):
        assert any(f"Player {number}" in each for each in seen)
    computers = [each for each in seen if "computer" in each]
    assert len(computers) >= 3
    general = re.compile("Guderian|Rommel|Manstein")
    assert sum(1 for each in computers if general.search(each)) == 3
    stars = [int(found[1]) for each in computers if (found := re.search(r"(\d) stars", each))]
    assert sorted(number for number in stars if number) == [3, 4, 5]


@pytest.mark.rule("PC-NEW-02", "PC-NEW-05")
def test_players_are_chosen_from_a_list_and_named(new_game: Page, server: Running) -> None:
    new_game.get_by_label("Name of Player one, U.S.S.R.").fill("Ann")
    choice = row(new_game, "Germany").get_by_role("combobox")
    choice.select_option(label="Player two")
    row(new_game, "Germany").get_by_label("Name of Player two").fill("Ben")
    row(new_game, "Japan").get_by_role("combobox").select_option(label="Ben")
    made = begin(new_game, server)
    seats = {seat["name"]: seat["powers"] for seat in made["seats"]}
    assert seats == {"Ann": ["ussr", "uk", "usa"], "Ben": ["germany", "japan"]}


def test_every_scenario_says_what_awaits_one(new_game: Page) -> None:
    cards = new_game.get_by_role("region", name="Scenario").get_by_role("button")
    for words in ("Classic", "2 to 4 hours", "easy to learn"):
        expect(cards.first).to_contain_text(words)
    expect(cards.filter(has_text="Anniversary").first).to_contain_text("victory cities")
    expect(cards.filter(has_text="World Domination")).to_contain_text("three capitals")
    expect(cards.first.locator("svg path").nth(20)).to_be_attached()


@pytest.mark.rule("PC-NEW-07")
def test_the_buttons_of_the_new_game_screen(new_game: Page) -> None:
    new_game.get_by_role("button", name="Help", exact=True).click()
    expect(new_game.get_by_role("dialog", name="Setting up a game")).to_contain_text("Begin")
    new_game.keyboard.press("Escape")
    options(new_game).get_by_role("button", name="Cancel", exact=True).click()
    new_game.get_by_role("button", name="Cancel", exact=True).click()
    expect(new_game.get_by_role("navigation", name="Main menu")).to_be_visible()


@pytest.mark.rule("PC-OPT-01", "PC-OPT-02", "PC-OPT-03", "PC-OPT-05", "PC-OPT-06", "PC-OPT-12")
def test_lights_and_help_of_the_options(new_game: Page, server: Running) -> None:
    window = options(new_game)
    for title in ("Victory conditions", "Units", "Sound and map", "Preferences"):
        expect(window.get_by_role("heading", name=title)).to_be_visible()
    scenario = server.call("GET", "/scenarios")[0]
    second = next(each for each in scenario["options"] if each["key"] == "second_edition")
    third = [each for each in scenario["options"] if each["key"] in second["sets"]["true"]]
    own = [each for each in third if each["default"] is True]
    assert len(own) == 5
    switch = light(window, second["name"])
    expect(switch).to_have_attribute("aria-checked", "false")
    window.get_by_role("button", name=f"Help: {second['name']}").click()
    expect(window).to_contain_text(" ".join(second["help"].split())[:60])
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(switch.locator(".lamp")).to_have_class(re.compile("on"))
    for each in own:
        expect(light(window, each["name"])).to_have_attribute("aria-checked", "false")
        expect(light(window, each["name"]).locator(".lamp")).not_to_have_class(re.compile(r"\bon\b"))
    submerge = next(each for each in own if "subm" in each["key"])
    light(window, submerge["name"]).click()
    for each in own:
        expect(light(window, each["name"])).to_have_attribute("aria-checked", "true" if each is submerge else "false")
    window.get_by_role("button", name="Help", exact=True).click()
    expect(window.get_by_text("A bright light means")).to_be_visible()
    window.get_by_role("button", name="Help", exact=True).click()
    expect(window.get_by_text("A bright light means")).to_have_count(0)
    window.get_by_role("button", name="Done", exact=True).click()
    made = begin(new_game, server)
    assert made["options"]["second_edition"] is True
    assert [made["options"][each["key"]] for each in own] == [each is submerge for each in own]


@pytest.mark.rule("PC-OPT-04", "PC-OPT-09", "PC-OPT-10", "PC-OPT-11")
@pytest.mark.prefer(music=8)
def test_sliders_reset_cancel_and_done(new_game: Page) -> None:
    window = options(new_game)
    music = window.get_by_label("Music")
    music.fill("40")
    light(window, "Second edition rules").click()
    window.get_by_role("button", name="Reset", exact=True).click()
    expect(light(window, "Second edition rules")).to_have_attribute("aria-checked", "false")
    expect(music).not_to_have_value("40")
    light(window, "Second edition rules").click()
    music.fill("0")
    expect(window.locator(".slider", has_text="Music").locator("output")).to_have_text("off")
    expect(window.get_by_label("Sound effects")).not_to_have_value("40")
    window.get_by_role("button", name="Cancel", exact=True).click()
    window = options(new_game)
    expect(light(window, "Second edition rules")).to_have_attribute("aria-checked", "false")
    expect(window.get_by_label("Music")).not_to_have_value("0")
    light(window, "Second edition rules").click()
    window.get_by_label("Map scroll rate").fill("17")
    window.get_by_role("button", name="Done", exact=True).click()
    window = options(new_game)
    expect(light(window, "Second edition rules")).to_have_attribute("aria-checked", "true")
    expect(window.get_by_label("Map scroll rate")).to_have_value("17")


@pytest.mark.rule("PC-OPT-07")
def test_another_victory_condition(new_game: Page, server: Running) -> None:
    window = options(new_game)
    window.get_by_label("Capitals, or the end of round 5").check()
    window.get_by_role("button", name="Done", exact=True).click()
    made = begin(new_game, server)
    ways = {each["id"].partition("-")[0] for each in server.call("GET", f"/games/{made['id']}/world")["victory"]}
    assert ways == {"capitals", "rounds"}
    new_game.get_by_role("button", name="Menu", exact=True).click()
    new_game.get_by_role("button", name="Rules and variations").click()
    expect(new_game.get_by_role("dialog", name=re.compile("Rules and variations"))).to_contain_text(
        re.compile("round 5|5 rounds", re.I)
    )


def unit_edit(page: Page) -> Locator:
    options(page).get_by_role("button", name=re.compile("^Unit edit")).click()
    window = page.get_by_role("dialog", name="Unit edit")
    expect(window).to_be_visible()
    return window


@pytest.mark.rule("PC-OPT-08", "PC-EDT-01", "PC-EDT-02", "PC-EDT-04", "PC-EDT-06", "PC-PRF-09")
def test_edited_units_play_with_their_values(new_game: Page, server: Running) -> None:
    window = unit_edit(new_game)
    expect(window).to_contain_text("balance")
    window.get_by_role("button", name=re.compile("More: .* of infantry", re.I)).first.click()
    window.get_by_role("button", name="Japan", exact=True).click()
    while not window.get_by_role("button", name=re.compile("More: .*move.* of fighter", re.I)).count():
        window.get_by_role("button", name="Further units").click()
    window.get_by_role("button", name=re.compile("More: .*move.* of fighter", re.I)).click()
    window.get_by_role("button", name="Done", exact=True).click()
    new_game.get_by_role("dialog", name="Options").get_by_role("button", name="Done", exact=True).click()
    made = begin(new_game, server)
    world = server.call("GET", f"/games/{made['id']}/world")
    assert next(each["cost"] for each in world["units"] if each["id"] == "infantry") == 4
    fighters = {p: next(u["move"] for u in units if u["id"] == "fighter") for p, units in world["unit_edits"].items()}
    assert fighters["japan"] == 5
    assert next(each["move"] for each in world["units"] if each["id"] == "fighter") == 4
    new_game.get_by_role("button", name="Skip", exact=True).click()
    new_game.get_by_role("button", name="More: infantry", exact=True).click()
    expect(new_game.locator(".balance")).to_contain_text("20 of 24")
    new_game.keyboard.press("u")
    info = new_game.get_by_role("dialog", name="Unit info")
    expect(info.get_by_role("row", name=re.compile("^Infantry"))).to_contain_text(re.compile("4 ?edited"))


@pytest.mark.rule("PC-EDT-03", "PC-EDT-07")
def test_scrolling_and_buttons_of_the_unit_edit(new_game: Page, server: Running) -> None:
    window = unit_edit(new_game)
    cards = window.locator(".card h3")
    seen = set(cards.all_inner_texts())
    expect(cards).to_have_count(4)
    further = window.get_by_role("button", name="Further units")
    while further.is_enabled():
        further.click()
        expect(cards).to_have_count(4)
        seen |= set(cards.all_inner_texts())
    assert len(seen) == len(server.call("GET", "/scenarios")[0]["units"])
    window.get_by_role("button", name="Help", exact=True).click()
    expect(window.get_by_text("Choose whose units to change")).to_be_visible()
    while window.get_by_role("button", name="Earlier units").is_enabled():
        window.get_by_role("button", name="Earlier units").click()
    price = window.get_by_role("group", name=re.compile("of infantry", re.I)).first.locator("output")
    more = window.get_by_role("button", name=re.compile("More: .* of infantry", re.I)).first
    more.click()
    expect(price).to_have_text("4")
    window.get_by_role("button", name="Minimise").click()
    expect(price).not_to_be_visible()
    window.get_by_role("button", name="Restore").click()
    window.get_by_role("button", name="Reset", exact=True).click()
    expect(price).to_have_text("3")
    more.click()
    window.get_by_role("button", name="Cancel", exact=True).click()
    new_game.get_by_role("button", name=re.compile("^Unit edit")).click()
    expect(price).to_have_text("3")


@pytest.mark.rule("PC-EDT-05", "PC-EDT-06")
def test_units_moved_before_the_game_begins(new_game: Page, server: Running) -> None:
    unit_edit(new_game).get_by_role("button", name=re.compile("^Move units")).click()
    window = new_game.get_by_role("dialog", name="Move units")
    window.locator('.piece[data-at="germany"][data-unit="infantry"]').first.dispatch_event("click")
    expect(window.locator("aside")).to_contain_text("Click where infantry shall stand")
    window.locator('path[data-space="western-europe"]').dispatch_event("click")
    expect(window.locator("aside")).to_contain_text("Western Europe")
    window.get_by_role("button", name="Done", exact=True).click()
    new_game.get_by_role("dialog", name="Unit edit").get_by_role("button", name="Done", exact=True).click()
    new_game.get_by_role("dialog", name="Options").get_by_role("button", name="Done", exact=True).click()
    made = begin(new_game, server)
    usual = server.call("POST", "/games", json={"seed": 1})["id"]
    for space, more in (("germany", -1), ("western-europe", 1)):
        now, before = server.units(made["id"], space), server.units(usual, space)
        assert now["germany", "infantry"] == before["germany", "infantry"] + more
