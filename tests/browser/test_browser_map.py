"""The map, the bars around it, and the preferences."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from table import Table
from window import Open

COLOUR = """(element) => {
  const [name] = element.getAttribute('fill').match(/--[a-z-]+/);
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}"""
"""The colour that a space is named with. A worker paints it; the space itself only takes clicks."""


def fill_of(area: Locator) -> str:
    return str(area.evaluate(COLOUR))


def centre(table: Table, space: str) -> tuple[float, float]:
    box = table.space(space).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.rule("PC-MAP-01", "PC-MAP-03", "PC-MAP-05")
def test_colours_phases_and_country_summaries(new_table: Open) -> None:
    table = new_table(orders=("end",))
    expect(table.space("karelia-ssr")).to_have_attribute("fill", re.compile("--fill-ussr"))
    expect(table.space("ukraine-ssr")).to_have_attribute("fill", re.compile("--fill-germany"))
    expect(table.space("turkey")).not_to_have_attribute("fill", re.compile("--fill-(ussr|germany|uk|japan|usa)"))
    colours = fill_of(table.space("karelia-ssr")), fill_of(table.space("ukraine-ssr"))
    assert all(colours)
    assert colours[0] != colours[1]
    shown = []
    for title in ("Purchase", "Combat move", "Non-combat move", "Placing"):
        table.expect_phase(title)
        shown.append(table.phase.inner_text())
        table.done()
        table.settle()
    assert len(set(shown)) == 4
    table.take_seat()
    table.page.get_by_role("button", name=re.compile("^United States: 36 IPC")).click()
    summary = table.page.get_by_role("region", name="Summary")
    expect(summary).to_contain_text(re.compile(r"Balance\s*36"))
    expect(summary).to_contain_text(re.compile(r"Production\s*36"))
    expect(summary).to_contain_text(re.compile(r"Weapons\s*none"))


@pytest.mark.rule("PC-MAP-07", "PC-MAP-08")
def test_the_whole_world_and_back_to_a_place(new_table: Open) -> None:
    table = new_table()
    table.whole_world()
    for space in ("alaska", "japan", "argentina-chile", "australia", "finland-norway"):
        x, y = centre(table, space)
        assert 0 < x < 1440 - 360, space  # beside the panel
        assert 0 < y < 900, space
    before = table.space("japan").bounding_box()
    overview = table.page.locator("svg.minimap")
    box = overview.bounding_box()
    assert box is not None
    x, y = centre(table, "japan")  # the same place on the small picture of the world
    frame = table.page.locator("rect.frame").bounding_box()
    assert frame is not None
    overview.click(
        position={
            "x": (x - frame["x"]) / frame["width"] * box["width"],
            "y": (y - frame["y"]) / frame["height"] * box["height"],
        }
    )
    table.until(lambda: (table.space("japan").bounding_box() or {"width": 0})["width"] > before["width"] * 1.3)  # type: ignore[index]
    table.rest()
    x, y = centre(table, "japan")
    assert 0 < x < 1440 - 360, "beside the panel"
    assert abs(y - 450) < 300


def test_what_is_focused_out_of_view_does_not_push_the_map_away(new_table: Open) -> None:
    """Buttons of the map stay in their corner whatever space has the focus."""
    page = new_table().page
    page.get_by_role("button", name="Zoom in", exact=True).click()
    moved = page.evaluate(
        """() => {
          const board = document.querySelector('.board');
          board.scrollTo(40, 200);
          for (const space of document.querySelectorAll('path[data-space]')) space.focus();
          return [board.scrollLeft, board.scrollTop];
        }"""
    )
    assert moved == [0, 0]


@pytest.mark.rule("PC-MAP-09", "PC-PRF-07", "PC-MAP-10")
def test_the_map_scrolls_as_fast_as_is_preferred(new_table: Open) -> None:
    table = new_table()
    page = table.page
    for _ in range(3):
        page.keyboard.press("+")
    table.rest()

    def scrolled() -> float:
        x, y = centre(table, "russia")
        for key in ("d", "s"):
            page.keyboard.press(key)
        table.rest()
        there = centre(table, "russia")
        for key in ("a", "w"):
            page.keyboard.press(key)
        table.rest()
        assert there[0] < x
        assert there[1] < y
        return x - there[0]

    distances = []
    for rate in ("1", "20"):
        table.menu("Preferences")
        window = page.get_by_role("dialog", name="Preferences")
        window.get_by_label("Map scroll rate").fill(rate)
        window.get_by_role("button", name="Resume").click()
        table.expect_phase("Weapons development")
        distances.append(scrolled())
    assert distances[1] > 4 * distances[0]


@pytest.mark.rule("PC-PRF-04", "PC-PRF-12")
def test_text_on_the_map(new_table: Open) -> None:
    table = new_table()
    page = table.page
    name = page.locator("text.name", has_text=re.compile("Sudan", re.I))
    expect(name.first).to_be_attached()
    badges = page.locator("g.badge")
    assert badges.count() > 30
    table.menu("Preferences")
    window = page.get_by_role("dialog", name="Preferences")
    window.get_by_role("switch", name=re.compile("^Text on map")).click()
    window.get_by_role("button", name="Resume").click()
    expect(name).to_have_count(0)
    expect(badges).to_have_count(0)
    table.menu("Preferences")
    window.get_by_role("switch", name=re.compile("^Text on map")).click()
    window.get_by_role("button", name="Resume").click()
    expect(name.first).to_be_attached()
    assert table.page.locator("g.badge", has_text=re.compile("^2$")).count() > 3
    table.expect_phase("Weapons development")


@pytest.mark.rule("PC-PRF-08")
def test_rules_and_variations_of_a_second_edition_game(new_table: Open) -> None:
    table = new_table(options={"second_edition": True})
    table.menu("Preferences")
    table.page.get_by_role("dialog", name="Preferences").get_by_role("button", name="Rules and variations").click()
    window = table.page.get_by_role("dialog", name=re.compile("Rules and variations"))
    expect(window).to_contain_text(re.compile("Second edition rules: *on", re.I))


@pytest.mark.rule("PC-PRF-10", "PC-PRF-11")
def test_surrender_and_exit(new_table: Open) -> None:
    seats = [
        {"name": "Player one", "powers": ["germany", "japan"]},
        {"name": "Others", "powers": ["ussr", "uk", "usa"], "player": "random"},
    ]
    table = new_table(position={"turn": "germany", "phase": "purchase"}, seats=seats)
    table.menu("Surrender")
    window = table.page.get_by_role("dialog", name="Surrender?")
    expect(window).to_contain_text("only person")
    window.get_by_role("button", name="Surrender", exact=True).click()
    end = table.page.get_by_role("dialog", name="The war is over")
    expect(end).to_contain_text("Victory of the Allies")
    end.get_by_role("button", name="Look at the map").click()
    table.menu("Exit to main menu")
    expect(table.page.get_by_role("navigation", name="Main menu")).to_be_visible()


BOTS = [
    {"name": "Player one", "powers": ["ussr"]},
    {"name": "The rest", "powers": ["germany", "uk", "japan", "usa"], "player": "random"},
]


@pytest.mark.rule("PC-PRF-01", "PC-PRF-02")
@pytest.mark.prefer(animation="on", quickComputer=False)
def test_quick_computer_and_cinematics(new_table: Open) -> None:
    """With Quick AI off the moves of the computer travel over the map; with it on they are done at once."""
    quiet: dict[str, Any] = {
        "clear": "all",
        "units": {
            "russia": {"ussr": {"infantry": 1}},
            "germany": {"germany": {"infantry": 4, "fighter": 2}},
            "united-kingdom": {"uk": {"infantry": 2, "fighter": 2}},
            "japan": {"japan": {"infantry": 2, "fighter": 2}},
            "eastern-usa": {"usa": {"infantry": 6, "armor": 2, "fighter": 2}},
        },
        "turn": "ussr",
        "phase": "mobilize",
    }
    table = new_table(position=quiet, seats=BOTS)
    page = table.page
    page.evaluate(
        """() => {
          window.flown = 0;
          new MutationObserver((changes) => {
            for (const change of changes) for (const node of change.addedNodes)
              if (node instanceof Element && node.classList.contains('flight')) window.flown++;
          }).observe(document.querySelector('.sheet'), { childList: true, subtree: true });
        }"""
    )
    table.done()
    table.until(lambda: page.evaluate("window.flown") > 0, seconds=60)
    toasts = page.locator(".toasts p").count()
    table.menu("Preferences")
    window = page.get_by_role("dialog", name="Preferences")
    window.get_by_role("switch", name=re.compile("^Quick computer")).click()
    window.get_by_role("button", name="Resume").click()
    table.until(lambda: page.locator(".flight").count() == 0)
    flown = page.evaluate("window.flown")
    began = time.monotonic()
    while time.monotonic() - began < 3:
        assert page.locator(".toasts p").count() <= max(toasts, 5)
        page.wait_for_timeout(200)
    assert page.evaluate("window.flown") == flown
    table.server.call("POST", f"/games/{table.game}/bots", json={"running": False})


@pytest.mark.rule("PC-PRF-03")
@pytest.mark.prefer(newspaper=True)
def test_the_newspaper_after_a_round(new_table: Open) -> None:
    table = new_table(position={"turn": "usa", "phase": "mobilize"})
    table.done()
    paper = table.page.get_by_role("dialog", name=re.compile("^Newspaper, round 1"))
    expect(paper).to_be_visible()
    expect(paper.get_by_role("heading", name="The Daily Table")).to_be_visible()
    paper.get_by_role("button", name="On to the next round").click()
    table.take_seat()
    table.expect_phase("Weapons development")
    assert table.state()["round"] == 2


@pytest.mark.rule("PC-PRF-03")
@pytest.mark.prefer(newspaper=True)
def test_nothing_happens_under_the_newspaper(new_table: Open) -> None:
    """A computer whose turn comes next plays on, but what it does is shown when the newspaper was read."""
    seats = [
        {"name": "Computer", "powers": ["ussr"], "player": "3star"},
        {"name": "Player", "powers": ["germany", "uk", "japan", "usa"]},
    ]
    table = new_table(position={"turn": "usa", "phase": "mobilize"}, seats=seats)
    table.done()
    paper = table.page.get_by_role("dialog", name=re.compile("^Newspaper, round 1"))
    expect(paper).to_be_visible()
    table.until(
        lambda: table.state()["turn"] == "germany" or table.state()["decision"]["player"] == "human", seconds=60
    )
    assert table.state()["round"] == 2
    shown = "() => Number(document.querySelector('main.game').dataset.version)"
    assert table.page.evaluate(shown) < table.state()["version"]
    expect(table.phase).to_contain_text("Weapons development")
    paper.get_by_role("button", name="On to the next round").click()
    table.until(lambda: table.page.evaluate(shown) == table.state()["version"])


@pytest.mark.rule("PC-PRF-03")
def test_without_the_newspaper_the_next_round_begins_at_once(new_table: Open) -> None:
    table = new_table(position={"turn": "usa", "phase": "mobilize"})
    table.done()
    table.until(lambda: table.state()["round"] == 2)
    table.take_seat()
    expect(table.page.get_by_role("dialog", name=re.compile("Newspaper"))).to_have_count(0)
    table.expect_phase("Weapons development")
