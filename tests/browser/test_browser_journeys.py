"""Whole journeys: a round by mouse alone and by keyboard alone, a reload and a crash in the middle of a battle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from running import PAIR, Running
from table import Table
from window import KEEP, QUIET, Open, Watch

ATTACK = (
    "end",
    "end",
    "move 3 infantry, 1 armor: karelia-ssr -> finland-norway",
    "end",
)
"""After these Germany has to name casualties in Finland, with seed 3."""

CHEAPEST = "Lose the cheapest"


def answer_battles(table: Table, press: Any) -> None:
    """Answer whatever a battle asks: the cheapest units go, and the fight goes on. `press` uses a button by name."""
    for _ in range(60):
        state = table.state()
        question = state.get("decision") or {}
        if "battle" not in state or question.get("kind") not in ("casualties", "retreat", "submarines"):
            return
        table.settle()
        press({"casualties": CHEAPEST, "retreat": "Press the attack"}.get(question["kind"], "Stay and fight"))
        table.until(lambda version=state["version"]: table.state()["version"] > version)
    raise AssertionError("the battle never ended")


def read_reports(table: Table, press: Any) -> None:
    """Battles that are over are told in a window of their own."""
    table.settle()
    while table.page.get_by_role("button", name="Go on", exact=True).count():
        press("Go on")
        table.settle()


def test_a_round_by_mouse_alone(new_table: Open) -> None:
    """Every power buys and places a unit; the U.S.S.R. attacks. Not one key is pressed."""
    table = new_table(seed=3)
    page = table.page

    def press(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).click()

    for power in ("ussr", "germany", "uk", "japan", "usa"):
        assert table.state()["turn"] == power
        press("Skip")
        table.expect_phase("Purchase")
        press("More: infantry")
        page.get_by_role("button", name=re.compile("^Buy 1 for 3")).click()
        table.expect_phase("Combat move")
        if power == "ussr":
            table.click_unit("karelia-ssr", "infantry")
            expect(table.space("finland-norway")).to_have_attribute("aria-label", re.compile("in reach"))
            page.get_by_role("group", name="A click sends").get_by_role("button", name="all").click()
            table.click_space("finland-norway")
            table.until(lambda: table.there("finland-norway").get(("ussr", "infantry")) == 3)
            table.settle()
        table.done()
        if power == "ussr":
            table.until(lambda: table.state()["phase"] == "combat")
            expect(table.battle).to_be_visible()
            answer_battles(table, press)
            read_reports(table, press)
        table.until(lambda: table.state()["phase"] == "noncombat-move")
        table.settle()
        table.done()
        table.expect_phase("Placing")
        page.locator(".place button").first.click()
        expect(table.orders).to_contain_text("Everything stands on the board.")
        table.done()
        table.until(lambda power=power: table.state()["turn"] != power)
        table.take_seat()
    assert table.state()["round"] == 2


def test_a_round_by_keyboard_alone(new_table: Open) -> None:
    """The same with Tab, arrows, digits and Enter; the mouse is not touched."""
    table = new_table(seed=3)
    page = table.page

    def press(name: str | re.Pattern[str]) -> None:
        button = page.get_by_role("button", name=name, exact=isinstance(name, str))
        expect(button).to_be_enabled()
        button.focus()
        page.keyboard.press("Enter")

    def end() -> None:
        page.keyboard.press("e")  # it asks first
        expect(page.get_by_role("dialog", name=re.compile("^End "))).to_be_visible()
        page.keyboard.press("Enter")

    page.keyboard.press("Tab")  # everything can be reached by Tab, the map as one stop
    stops = set()
    for _ in range(40):
        stops.add(page.evaluate("document.activeElement.closest('svg.map') ? 'map' : document.activeElement.tagName"))
        page.keyboard.press("Tab")
    assert {"map", "BUTTON"} <= stops
    for power in ("ussr", "germany", "uk", "japan", "usa"):
        assert table.state()["turn"] == power
        press("Skip")
        table.expect_phase("Purchase")
        press("More: infantry")
        end()
        table.expect_phase("Combat move")
        if power == "ussr":
            table.until(lambda: page.locator(".piece.movable").count() > 0)
            table.space("karelia-ssr").focus()
            order = [s["unit"] for s in table.state()["spaces"]["karelia-ssr"]["units"]]
            for digit in range(1, len(order) + 1):
                page.keyboard.press(str(digit))
                table.settle()
                if page.locator('.piece.picked[data-unit="infantry"]').count():
                    break
                page.keyboard.press("Escape")
            expect(table.space("finland-norway")).to_have_attribute("aria-label", re.compile("in reach"))
            for _ in range(12):  # arrows go from space to space
                here = page.evaluate("document.activeElement.dataset.space")
                if here == "finland-norway":
                    break
                page.keyboard.press("ArrowUp" if here == "karelia-ssr" else "ArrowLeft")
            else:
                table.space("finland-norway").focus()
            page.keyboard.press("Control+Enter")
            table.until(lambda: table.there("finland-norway").get(("ussr", "infantry"), 0) >= 1)
            table.settle()
            page.keyboard.press("Escape")
        end()
        if power == "ussr":
            table.until(lambda: table.state()["phase"] == "combat")
            answer_battles(table, press)
            read_reports(table, lambda _: page.keyboard.press("Enter"))  # the window has the focus on its button
        table.until(lambda: table.state()["phase"] == "noncombat-move")
        table.settle()
        end()
        table.expect_phase("Placing")
        page.locator(".place button").first.focus()
        page.keyboard.press("Enter")
        expect(table.orders).to_contain_text("Everything stands on the board.")
        table.settle()
        end()
        table.until(lambda power=power: table.state()["turn"] != power)
        asked = page.get_by_role("button", name=re.compile("^I am "))
        table.until(lambda asked=asked: asked.count() or table.button("Skip").count())
        if asked.count():
            expect(asked).to_be_focused()
            page.keyboard.press("Enter")
    assert table.state()["round"] == 2


def test_a_reload_in_the_middle_of_a_battle(new_table: Open) -> None:
    table = new_table(orders=ATTACK, seed=3)
    expect(table.battle).to_contain_text("Soviet forces attack Finland-Norway")
    before = table.state()
    rolls = table.battle.locator(".sides").inner_text()
    table.page.reload()
    expect(table.battle).to_contain_text("Soviet forces attack Finland-Norway")
    assert table.battle.locator(".sides").inner_text() == rolls
    assert table.state() == before
    table.battle.get_by_role("button", name=CHEAPEST).click()
    table.until(lambda: table.state()["version"] > before["version"])


@pytest.fixture
def crashing(tmp_path: Path) -> Iterator[list[Running]]:
    found = [Running(tmp_path)]
    yield found
    for server in found:
        if server.process.poll() is None:
            server.kill()


def test_the_server_is_killed_and_started_again(browser: Browser, crashing: list[Running], tmp_path: Path) -> None:
    """kill -9 in a battle: the page says that it lost the connection, finds the new server, and plays on."""
    first = crashing[0]
    game = first.call("POST", "/games", json={"seed": 3, "seats": PAIR})["id"]
    first.orders(game, *ATTACK)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(KEEP % json.dumps({"introduced": True, "preferences": QUIET}))
    table = Table(page, first, game).open()
    expect(table.battle).to_be_visible()
    before = first.state(game)
    first.kill()
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    table.server = second = Running(tmp_path, first.port)
    crashing.append(second)
    assert second.state(game) == before
    expect(page.get_by_text("The connection is lost")).to_have_count(0)
    table.battle.get_by_role("button", name=CHEAPEST).click()
    table.until(lambda: second.state(game)["version"] > before["version"])
    context.close()


def test_two_windows_see_the_same_game(new_table: Open, browser: Browser, watch: Watch) -> None:
    table = new_table(orders=("end",))
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    other = context.new_page()
    other.add_init_script(KEEP % json.dumps({"introduced": True, "preferences": QUIET}))
    watch.on(other)
    looking = Table(other, table.server, table.game).open()
    table.done()
    looking.expect_phase("Combat move")
    context.close()
