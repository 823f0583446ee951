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

    def make(*orders: str, scenario: str, **position: Any) -> Page:
        text = position_text(position, scenario=scenario)
        powers = server.call("GET", f"/scenarios/{scenario}/world")["order"]
        halves = [{"name": f"Player {i}", "powers": powers[i::2]} for i in (0, 1)]
        game = server.call("POST", "/games/import", json={"text": text, "seats": halves})["id"]
        server.orders(game, *orders)
        phone.goto(f"{server.url}/game/{game}")
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
