"""Research, purchase and placement: the panels of a turn."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from conftest import Open

GERMANY: dict[str, Any] = {"turn": "germany", "phase": "research", "treasury": {"germany": 32}}


@pytest.mark.rule("PC-TEC-01", "PC-TEC-03", "PC-TEC-05", "PC-MAP-03")
def test_choosing_dice_and_skipping(new_table: Open) -> None:
    table = new_table(position=GERMANY)
    table.expect_phase("Weapons development")
    more = table.button("More: research dice")
    more.click()
    more.click()
    expect(table.orders).to_contain_text("22 IPC left")
    expect(table.orders.locator(".question use, .question svg").first).to_be_visible()  # the German sign
    for _ in range(2):
        table.click("Less: research dice")
    expect(table.orders).to_contain_text("32 IPC left")
    for _ in range(6):
        more.click()
    expect(more).to_be_disabled()
    table.orders.locator("button.fold").click()
    expect(more).not_to_be_visible()
    table.orders.locator("button.fold").click()
    table.click("Skip")
    table.expect_phase("Purchase")
    assert table.state()["powers"]["germany"]["treasury"] == 32


@pytest.mark.rule("PC-TEC-02", "PC-TEC-04")
def test_buying_research_rolls_and_shows_the_weapons(new_table: Open) -> None:
    table = new_table(position=GERMANY, dice=[6, 2, 6, 2, 1])
    for _ in range(3):
        table.click("More: research dice")
    table.click("Buy and roll")
    table.until(lambda: len(table.state()["powers"]["germany"]["technologies"]) == 2)
    got = table.state()["powers"]["germany"]["technologies"]
    names = {t["id"]: t["name"] for t in table.server.call("GET", f"/games/{table.game}/world")["technologies"]}
    weapons = table.orders.locator(".weapons")
    for technology in got:
        expect(weapons.locator("li.owned", has_text=names[technology])).to_be_visible()
    assert table.state()["powers"]["germany"]["treasury"] == 17
    table.page.get_by_role("group", name="Countries").get_by_role("button", name=re.compile("^Germany")).click()
    summary = table.page.get_by_role("region", name="Summary")
    for technology in got:
        expect(summary).to_contain_text(names[technology])


@pytest.mark.rule("PC-PUR-01", "PC-PUR-02", "PC-PUR-03", "PC-PUR-04", "PC-MAP-04")
def test_buying_with_arrows_and_a_running_balance(new_table: Open) -> None:
    table = new_table(position={"turn": "germany", "phase": "purchase", "treasury": {"germany": 28}})
    balance = table.orders.locator(".balance")
    infantry = table.page.get_by_role("group", name="infantry", exact=True).locator("output")
    table.buy({"infantry": 2})
    table.click("Less: infantry")
    expect(infantry).to_have_text("1")
    table.click("Less: infantry")
    expect(balance).to_contain_text("28 of 28")
    table.buy({"transports": 2, "armor": 2})
    expect(balance).to_contain_text("2 of 28")
    expect(table.button("More: infantry")).to_be_disabled()
    bar = table.page.locator("[aria-current=step] button")
    bar.click()
    expect(balance).not_to_be_visible()
    bar.click()
    expect(balance).to_contain_text("2 of 28")
    table.orders.locator("button.fold").click()
    expect(balance).not_to_be_visible()
    table.orders.locator("button.fold").click()
    expect(table.page.get_by_role("group", name="transports", exact=True).locator("output")).to_have_text("2")
    table.click(re.compile("^Buy 4 for 26"))
    table.expect_phase("Combat move")
    assert table.state()["powers"]["germany"]["treasury"] == 2
    assert table.state()["pool"] == {"armor": 2, "transport": 2}


PLACING: dict[str, Any] = {"turn": "germany", "phase": "purchase", "treasury": {"germany": 12}}
TO_MOBILIZE = ("buy 2 armor", "end", "end", "end")


@pytest.mark.rule("PC-PLC-01", "PC-PLC-02", "PC-PLC-03", "PC-PLC-04", "PC-PLC-05", "PC-PLC-07")
def test_placing_units(new_table: Open) -> None:
    table = new_table(position=PLACING, orders=TO_MOBILIZE)
    table.expect_phase("Placing")
    pool = table.orders.get_by_role("button", name=re.compile(r"\d+ Armor"))
    expect(pool).to_contain_text("2")
    before = table.there("southern-europe")["germany", "armor"]
    table.click_space("libya")
    expect(table.page.get_by_role("alert")).to_be_visible()
    assert table.state()["pool"] == {"armor": 2}
    table.click_space("southern-europe")
    expect(pool).to_contain_text("1")
    table.settle()
    table.page.keyboard.press("Backspace")
    expect(pool).to_contain_text("2")
    table.settle()
    table.click_space("southern-europe")
    expect(pool).to_contain_text("1")
    table.settle()
    table.orders.locator("button.fold").click()
    expect(pool).not_to_be_visible()
    table.orders.locator("button.fold").click()
    expect(pool).to_contain_text("1")
    table.click_space("germany")
    expect(table.orders).to_contain_text("Everything stands on the board.")
    table.settle()
    table.click("Show placed units")
    expect(table.page.locator(".piece[data-at]")).to_have_count(2)
    table.click("Show all units")
    expect(table.units("united-kingdom", "fighter").first).to_be_visible()
    table.click_unit("southern-europe", "armor", right=True)
    expect(pool).to_contain_text("1")
    assert table.there("southern-europe")["germany", "armor"] == before
    assert table.state()["pool"] == {"armor": 1}


@pytest.mark.rule("PC-PLC-06", "PC-MAP-06")
def test_done_collects_the_income_and_ends_the_turn(new_table: Open) -> None:
    table = new_table(position={"turn": "germany", "phase": "mobilize", "treasury": {"germany": 2}})
    income = table.state()["powers"]["germany"]["production"]
    table.done()
    table.until(lambda: table.state()["turn"] == "uk")
    table.take_seat()
    expect(table.page.get_by_role("button", name=f"Germany: {income + 2} IPC")).to_be_visible()
    table.expect_phase("Weapons development")
