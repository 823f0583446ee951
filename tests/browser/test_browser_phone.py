"""On a phone: fingers instead of a mouse, and everything within a narrow window."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from running import Running
from running import position as position_text
from table import Table
from window import KEEP, PATIENCE, QUIET, Watch

WIDTH, HEIGHT = 390, 844
OF_A_MOUSE = re.compile(r"Ctrl|Shift|Backspace|right click|\bclick", re.I)


@pytest.fixture
def phone(browser: Browser, watch: Watch) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.add_init_script(KEEP % json.dumps({"introduced": True, "preferences": QUIET}))
    watch.on(page)
    yield page
    context.close()
    assert not watch.unexpected()


@pytest.fixture
def opened(phone: Page, server: Running) -> Callable[..., Page]:
    """Opens a game of one person on the phone: in a position of its own, after some orders."""

    def make(*orders: str, scenario: str, fights: bool = False, **position: Any) -> Page:
        text = position_text(position, scenario=scenario)
        powers = server.call("GET", f"/scenarios/{scenario}/world")["order"]
        halves = [{"name": f"Player {i}", "powers": powers[i::2]} for i in (0, 1)]
        game = server.call("POST", "/games/import", json={"text": text, "seats": halves})["id"]
        server.orders(game, *orders)
        phone.goto(f"{server.url}/game/{game}")
        if not fights:  # in a battle nobody is asked who sits down
            phone.get_by_role("button", name=re.compile("^I am ")).tap()
        return phone

    return make


def test_texts_speak_of_fingers(opened: Callable[..., Page]) -> None:
    """Moving, placing and the help name no key and no mouse button."""
    page = opened("buy 2 infantry", "end", scenario="classic-1942", turn="ussr", phase="purchase")
    orders = page.get_by_role("complementary", name="Orders")
    expect(orders).to_contain_text("tap units and then a lit space")
    assert not OF_A_MOUSE.search(orders.inner_text())
    orders.get_by_role("button", name="Done", exact=True).tap()
    expect(orders).to_contain_text("Move without fighting")
    assert not OF_A_MOUSE.search(orders.inner_text())
    orders.get_by_role("button", name="Done", exact=True).tap()
    expect(orders).to_contain_text("tap a lit space")
    assert not OF_A_MOUSE.search(orders.inner_text())
    orders.get_by_role("button", name="Put all in Russia").tap()
    expect(orders).to_contain_text("Everything stands on the board")


def test_the_longest_names_fit(opened: Callable[..., Page]) -> None:
    page = opened(scenario="anniversary-1941", turn="uk", phase="research")
    current = page.locator('[aria-label="Phases of the turn"] [aria-current="step"]')
    expect(current).to_contain_text("Research and development")
    box = current.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= WIDTH


def test_the_answer_to_a_battle_is_in_view_beside_the_coach(phone: Page, server: Running) -> None:
    """The lesson's text and the buttons of the battle board are on the screen together."""
    lesson = server.call("POST", "/training/lessons/under-attack", json={"again": True})
    phone.goto(f"{server.url}/game/{lesson['game']}")
    phone.get_by_role("button", name="Next", exact=True).tap()
    answer = phone.get_by_role("button", name=re.compile("^Submerge"))
    expect(answer).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="Hint", exact=True)).to_be_in_viewport(ratio=1)
    answer.tap()
    expect(phone.get_by_role("dialog", name=re.compile("Karelia Sea Zone"))).to_be_visible()


def test_a_tap_on_the_introduction_presses_nothing_under_it(browser: Browser, server: Running, watch: Watch) -> None:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, is_mobile=True)
    page = context.new_page()
    watch.on(page)
    page.goto(server.url)
    expect(page.get_by_role("status", name="Introduction")).to_be_visible()
    box = page.get_by_role("button", name=re.compile("^Load game")).bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("status", name="Introduction")).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="Sandtable")).to_be_visible()
    assert page.url.rstrip("/") == server.url
    context.close()


def test_a_new_phase_shows_what_it_asks(opened: Callable[..., Page]) -> None:
    """The card of the space that was looked at last stands no longer above the question."""
    page = opened("buy 2 infantry", "end", scenario="classic-1942", turn="ussr", phase="purchase")
    orders = page.get_by_role("complementary", name="Orders")
    page.locator('path[data-space="russia"]').focus()
    page.keyboard.press("Enter")
    card = orders.get_by_role("region", name="Selected space")
    expect(card).to_be_visible()
    page.get_by_role("button", name="Done", exact=True).tap()
    expect(orders).to_contain_text("Move without fighting")
    expect(card).to_have_count(0)


def test_a_leap_in_time_shows_what_happened_there(opened: Callable[..., Page], server: Running) -> None:
    bought = ("buy 2 infantry", "end", "end", "end", "place 2 infantry: eastern-usa")
    away = ("russia -> kazakh-ssr", "caucasus -> karelia-ssr", "evenki-national-okrug -> novosibirsk")
    moves = [f"move 1 infantry: {way}" for way in away]  # so much that nobody could look at all of it
    page = opened(*bought, *["end"] * 4, *moves, scenario="classic-1942", turn="usa", phase="purchase")
    game = page.url.rpartition("/")[2]
    page.goto(f"{server.url}/game/{game}?at={len(bought)}")
    expect(page.get_by_role("region", name="Time machine")).to_be_visible()
    expect(page.locator('.piece[data-at="eastern-usa"][data-unit="infantry"]').first).to_be_in_viewport(ratio=1)


def test_everything_is_sent_together(opened: Callable[..., Page], server: Running) -> None:
    """Who picks up everything need not say once more that all of it goes."""
    page = opened(scenario="classic-1942", turn="ussr", phase="combat-move")
    game = page.url.rpartition("/")[2]
    before = server.units(game, "karelia-ssr")
    page.locator('path[data-space="karelia-ssr"]').focus()
    page.keyboard.press("Enter")
    orders = page.get_by_role("complementary", name="Orders")
    orders.get_by_role("button", name="Pick up everything").tap()
    expect(orders.get_by_role("button", name="all", exact=True)).to_have_attribute("aria-pressed", "true")
    there = page.locator('path[data-space="ukraine-ssr"]')
    expect(there).to_have_attribute("aria-label", re.compile("in reach"))
    there.focus()
    page.keyboard.press("Enter")
    expect(orders.get_by_role("region", name="Battles to come")).to_contain_text("Ukraine")
    sent = server.units(game, "ukraine-ssr")
    assert all(sent["ussr", unit] == before["ussr", unit] for unit in ("infantry", "armor"))


def test_a_tap_on_a_ship_that_cannot_sail_on_unloads_it(opened: Callable[..., Page], server: Running) -> None:
    carried = "move 1 transport, 1 battleship: central-mediterranean-sea -> eastern-mediterranean-sea"
    page = opened(
        "move 2 infantry: southern-europe -> central-mediterranean-sea",
        carried,
        scenario="classic-1942",
        turn="germany",
        phase="combat-move",
    )
    orders = page.get_by_role("complementary", name="Orders")
    page.locator('path[data-space="eastern-mediterranean-sea"]').focus()
    page.keyboard.press("Enter")
    table = Table(page, server, page.url.rpartition("/")[2])
    page.touchscreen.tap(*table.point("eastern-mediterranean-sea", "transport"))
    expect(orders.get_by_role("button", name="Infantry aboard")).to_have_attribute("aria-pressed", "true")
    expect(page.locator('path[data-space="anglo-egypt-sudan"]')).to_have_attribute("aria-label", re.compile("in reach"))


def test_the_odds_are_in_view_with_the_answers(opened: Callable[..., Page]) -> None:
    units = {
        "caucasus": {"ussr": {"infantry": 12, "armor": 12, "fighter": 12, "bomber": 12}},
        "ukraine-ssr": {"germany": {"infantry": 12, "armor": 12, "fighter": 12, "bomber": 12}},
    }
    page = opened(
        "move 12 infantry, 12 armor, 12 fighter, 12 bomber: caucasus -> ukraine-ssr",
        "end",
        scenario="classic-1942",
        fights=True,
        clear=["ukraine-ssr", "caucasus"],
        units=units,
        control={"caucasus": "ussr"},
        turn="ussr",
        phase="combat-move",
    )
    battle = page.get_by_role("dialog", name="Battle", exact=True)
    expect(battle.locator(".forecast .odds")).to_be_visible()
    battle.evaluate("board => board.scrollTo(0, 0)")
    expect(battle.locator(".answers .button").first).to_be_in_viewport(ratio=1)
    expect(battle.locator(".forecast .odds")).to_be_in_viewport(ratio=1)


def test_all_nine_powers_are_in_view(opened: Callable[..., Page]) -> None:
    page = opened(scenario="global-1940", turn="germany", phase="purchase")
    countries = page.get_by_role("group", name="Countries").get_by_role("button")
    expect(countries).to_have_count(9)
    for country in countries.all():
        expect(country).to_be_in_viewport(ratio=1)


def test_on_a_phone_a_battle_that_was_fought_makes_room_for_the_next(opened: Callable[..., Page]) -> None:
    page = opened(
        "move 3 armor: germany -> eastern-europe -> ukraine-ssr",
        "move 9 infantry: eastern-europe -> karelia-ssr",
        "move 1 fighter: western-europe -> north-sea",
        "end",
        scenario="classic-1942",
        fights=True,
        clear=["ukraine-ssr", "karelia-ssr", "germany", "eastern-europe"],
        units={
            "germany": {"germany": {"armor": 3, "infantry": 1, "industrial-complex": 1}},
            "eastern-europe": {"germany": {"infantry": 9}},
            "karelia-ssr": {"ussr": {"infantry": 1}},
            "ukraine-ssr": {"ussr": {"infantry": 1}},
        },
        control={"ukraine-ssr": "ussr"},
        turn="germany",
        phase="combat-move",
    )
    orders = page.get_by_role("complementary", name="Orders")
    orders.get_by_role("region", name="Battles to come").get_by_role("button", name=re.compile("Ukraine")).tap()
    card = orders.get_by_role("region", name="Selected space")
    report = page.get_by_role("button", name="Go on", exact=True)
    answer = page.get_by_role("button", name=re.compile("^(Lose the cheapest|Press the attack)$"))
    for _ in range(100):
        if report.count():
            break
        if answer.count() and answer.first.is_enabled():
            answer.first.tap()
        page.wait_for_timeout(100)
    report.tap()
    expect(orders.get_by_role("region", name="Battles to come")).to_contain_text("Karelia")
    expect(card).to_have_count(0)
