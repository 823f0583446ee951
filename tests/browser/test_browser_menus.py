"""The main menu and everything that it leads to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from running import PAIR, Running
from window import Open, Watch

ENTRIES = ["Basic Training", "New game", "Load game", "Options", "Rulebook", "Battle calculator", "Quit"]


def entry(page: Page, name: str) -> Any:
    return page.get_by_role("navigation", name="Main menu").get_by_role("button", name=name, exact=True)


@pytest.mark.rule("PC-MNU-01")
@pytest.mark.prefer(introduced=False)
def test_an_introduction_and_then_the_menu(page: Page, server: Running) -> None:
    page.goto(server.url)
    introduction = page.get_by_role("status", name="Introduction")
    expect(introduction).to_be_visible()
    page.keyboard.press("Space")
    expect(introduction).to_have_count(0)
    expect(entry(page, "New game")).to_be_visible()


@pytest.mark.rule("PC-MNU-02", "PC-MNU-03")
def test_every_entry_of_the_menu_leads_somewhere(home: Page) -> None:
    for name in ENTRIES:
        expect(entry(home, name)).to_be_visible()
    for name, title in (
        ("Basic Training", "Basic Training"),
        ("New game", "New game"),
        ("Load game", "Load game"),
        ("Rulebook", "Rulebook"),
        ("Battle calculator", "Battle calculator"),
    ):
        entry(home, name).click()
        expect(home.get_by_role("heading", level=1, name=title)).to_be_visible()
        if name == "New game":  # a screen with the five countries and their players
            expect(home.get_by_role("listitem").filter(has=home.locator(".country"))).to_have_count(5)
        home.get_by_role("button", name="‹ Main menu").click()
    entry(home, "Options").click()
    expect(home.get_by_role("dialog", name="Options")).to_be_visible()
    home.keyboard.press("Escape")


@pytest.mark.rule("PC-MNU-06")
def test_quit_ends_the_program(page: Page, tmp_path: Path, watch: Watch) -> None:
    watch.expect("Scripts may close only the windows")  # a tab that a person opened stays, with a farewell
    server = Running(tmp_path)
    page.goto(server.url)
    entry(page, "Quit").click()
    page.get_by_role("button", name="Stay", exact=True).click()
    assert server.process.poll() is None
    page.keyboard.press("q")
    page.get_by_role("button", name="Stop the program", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Sandtable has stopped")
    assert server.process.wait(20) == 0
    server.end()


@pytest.mark.rule("PC-MNU-04")
def test_load_game_goes_on_as_it_was(home: Page, server: Running) -> None:
    game = server.call("POST", "/games", json={"seed": 3, "name": "In the middle", "seats": PAIR})["id"]
    server.orders(game, *["end"] * 6, "buy 2 armor", "end")
    before = server.state(game)
    assert (before["turn"], before["phase"]) == ("germany", "combat-move")
    entry(home, "Load game").click()
    home.get_by_role("button", name="Open In the middle").click()
    expect(home.locator("[aria-current=step]")).to_contain_text("Combat")
    expect(home.get_by_role("button", name="Germany, its turn: 22 IPC")).to_be_visible()
    assert server.state(game) == before


@pytest.mark.rule("PC-INS-02")
def test_the_menu_tells_the_version(home: Page, server: Running) -> None:
    import sandtable

    expect(home.get_by_role("main")).to_contain_text(sandtable.__version__)


def test_every_window_of_the_game_menu(new_table: Open) -> None:
    table = new_table(orders=("end", "buy 3 infantry"))
    page = table.page
    for name, title in (
        ("What happened", "What happened"),
        ("Since my last turn", "Since"),
        ("Newspaper", "Newspaper"),
        ("Charts", "How the war goes"),
        ("Unit info", "Unit info"),
        ("Rules and variations", "Rules and variations"),
        ("Rulebook", "Rulebook"),
        ("Preferences", "Preferences"),
        ("Load and save", "Load and save"),
        ("Keys and help", "Keys and help"),
        ("Surrender", "Surrender"),
    ):
        table.menu(name)
        expect(page.get_by_role("dialog", name=re.compile(title))).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    table.menu("Time machine")
    expect(page.get_by_role("region", name="Time machine")).to_be_visible()
    table.click("Back to the present")
    table.menu("Exit to main menu")
    expect(entry(page, "New game")).to_be_visible()
