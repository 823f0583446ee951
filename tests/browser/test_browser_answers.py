"""How the page answers: quickly, with the map filling its window, with sound, and with rockets."""

from __future__ import annotations

import re
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from window import Open

SLOW = 400
"""Milliseconds from a click to lit spaces on a machine that does other things, too; an idle one takes a tenth."""

TIMER = """() => {
  window.waited = null;
  let clicked = 0;
  addEventListener('click', (event) => { clicked = event.timeStamp; window.waited = null; }, true);
  new MutationObserver(() => {
    if (window.waited !== null || !document.querySelector('path.light')) return;
    window.waited = 0;
    requestAnimationFrame(() => setTimeout(() => { window.waited = performance.now() - clicked; }));
  }).observe(document.querySelector('.sheet'), { childList: true, subtree: true });
}"""

BARE = """() => {
  const { top, left, right, bottom } = document.querySelector('rect.frame').getBoundingClientRect();
  return { top, left, right: innerWidth - right, bottom: innerHeight - bottom };
}"""
"""How far the map's edges are within the window; not at all where they are negative."""


def fight(page: Page) -> None:
    """The battle to its end, and read about it."""
    page.get_by_role("button", name="Fight it out…").click()
    page.get_by_role("button", name="Fight it out", exact=True).click()
    page.get_by_role("button", name="Go on").click()


def test_a_click_is_answered_at_once(new_table: Open) -> None:
    """From the click on units to the painted picture with the lit spaces, the server's answer included."""
    table = new_table(orders=("end", "end"))
    page = table.page
    page.evaluate(TIMER)
    times: list[float] = []
    for space, unit in (("karelia-ssr", "infantry"), ("caucasus", "infantry"), ("russia", "fighter")) * 2:
        table.click_unit(space, unit)
        table.until(lambda: page.evaluate("window.waited > 0"))
        times.append(page.evaluate("window.waited"))
        table.put_down()
        expect(page.locator("path.light")).to_have_count(0)
    assert median(times) < SLOW, times


def test_pointing_at_spaces_leaves_the_land_as_it_is_painted(new_table: Open) -> None:
    """What a pointer changes is on the sheet above, so that the land is not painted anew: that is what took time."""
    table = new_table(orders=("end", "end"))
    page = table.page
    page.evaluate(
        """() => {
          window.changed = [];
          new MutationObserver((all) => all.forEach((each) => window.changed.push(each.attributeName ?? each.type)))
            .observe(document.querySelector('svg.map'), { attributes: true, childList: true, subtree: true });
        }"""
    )
    for space in ("russia", "kazakh-ssr", "sinkiang"):
        table.point_at(space)
        expect(page.locator("path.hovered")).to_have_count(1)
    assert page.evaluate("window.changed") == []
    table.click_unit("karelia-ssr", "infantry")
    expect(page.locator("path.light")).not_to_have_count(0)
    assert set(page.evaluate("window.changed")) <= {"aria-label", "aria-pressed"}


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)], ids=["desk", "small", "phone"])
def test_the_map_fills_the_window_after_a_battle(new_table: Open, size: tuple[int, int]) -> None:
    """A battle in the north moves the map away from the battle board; afterwards no bare table is left."""
    attack = ("end", "end", "move 3 infantry: karelia-ssr -> finland-norway", "end")
    table = new_table()
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.server.orders(table.game, *attack)
    table.settle()
    fight(page)
    expect(table.battle).to_have_count(0)
    bar = page.locator("header.bar").bounding_box()
    assert bar is not None
    table.rest()
    edges = page.evaluate(BARE)
    assert edges["top"] <= max(bar["height"], 60), edges
    assert edges["left"] <= 1, edges


@pytest.mark.prefer(sound=0.4, music=0.3, roll="standard", animation="on")
def test_a_battle_with_sound_and_music(new_table: Open) -> None:
    """Every sound can be made: nothing of it fails, which the window would tell."""
    table = new_table(orders=("end", "buy 2 infantry", "end", "move 3 infantry: karelia-ssr -> finland-norway"))
    table.done()
    table.page.keyboard.press("Space")  # all dice at once
    fight(table.page)
    table.done()
    table.expect_phase("Placing")
    table.page.get_by_role("button", name="Put all in Russia").click()
    table.until(lambda: not table.state()["pool"])
    table.done()


ROCKETS: dict[str, Any] = {"technologies": {"germany": ["rockets"]}, "turn": "germany", "phase": "combat-move"}


@pytest.mark.parametrize("by_map", [False, True], ids=["button", "map"])
def test_a_rocket_is_fired(new_table: Open, page: Page, by_map: bool) -> None:
    table = new_table(position=ROCKETS, dice=[4, 4, 4])
    table.done()
    before = table.state()["powers"]["uk"]["treasury"]
    if by_map:
        expect(table.space("united-kingdom")).to_have_attribute("aria-label", re.compile("in range of the rockets"))
        table.click_space("united-kingdom")
    else:
        page.get_by_role("region", name="Rockets").get_by_role("button", name="at United Kingdom").first.click()
    table.until(lambda: table.state()["powers"]["uk"]["treasury"] == before - 4)
    expect(page.locator(".toasts").get_by_role("img", name="Dice 4")).to_be_visible()
