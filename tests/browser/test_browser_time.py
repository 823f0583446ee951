"""Time machine, saves, and the end of the war."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from window import Open


@pytest.mark.rule("PC-TIM-01", "PC-TIM-02", "PC-TIM-03")
def test_the_time_machine(new_table: Open) -> None:
    table = new_table()
    table.page.goto(table.server.url)  # nobody looks on while two rounds go by
    while table.state()["round"] < 2:
        table.server.orders(table.game, "end")
    while table.state()["turn"] != "germany":
        table.server.orders(table.game, "end")
    table.server.orders(table.game, "end", "buy 2 armor")
    table.open().take_seat()
    page = table.page
    table.menu("Time machine")
    machine = page.get_by_role("region", name="Time machine")

    def shows(words: str) -> None:
        expect(machine.locator("strong")).to_contain_text(words)

    for unit in ("round", "turn", "phase"):
        expect(machine.get_by_role("button", name=f"{unit} ›", exact=True)).to_be_disabled()
    machine.get_by_role("button", name="‹ round", exact=True).click()
    shows("Round 1, U.S.S.R., Weapons development")
    expect(page.get_by_role("button", name=re.compile("^U.S.S.R., its turn: 24 IPC"))).to_be_visible()
    machine.get_by_role("button", name="turn ›", exact=True).click()
    shows("Round 1, Germany")
    machine.get_by_role("button", name="phase ›", exact=True).click()
    shows("Round 1, Germany, Purchase")
    machine.get_by_role("button", name="round ›", exact=True).click()
    shows("Round 2, U.S.S.R.")
    machine.get_by_role("button", name="turn ›", exact=True).click()
    shows("Round 2, Germany, Weapons development")
    machine.get_by_role("button", name="Play on from here, drop the rest").click()
    expect(machine).to_have_count(0)  # the phase is shown already: what has come true is that this is the present
    table.expect_phase("Weapons development")
    now = table.state()
    assert (now["round"], now["turn"], now["phase"], now["pool"]) == (2, "germany", "research", {})


@pytest.mark.rule("PC-TIM-01")
def test_a_battle_that_is_looked_at_again_is_not_covered(new_table: Open) -> None:
    table = new_table(orders=("end", "end", "move 3 infantry, 1 armor: karelia-ssr -> finland-norway", "end"))
    page = table.page
    page.keyboard.press("t")
    machine = page.get_by_role("region", name="Time machine")
    machine.get_by_role("button", name="‹ order", exact=True).click()
    machine.get_by_role("button", name="order ›", exact=True).click()
    expect(table.battle.get_by_role("region", name="Defenders")).to_be_visible()
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """() => {
              const box = (each) => document.querySelector(each).getBoundingClientRect();
              const [a, b, c] = ['.battle', '.machine', '.panel'].map(box);
              return a.right <= Math.min(b.left, c.left) && c.bottom <= b.top && b.bottom <= innerHeight;
            }"""
        )


@pytest.mark.rule("PC-TIM-03")
def test_playing_on_in_a_copy_keeps_the_future(new_table: Open) -> None:
    table = new_table(orders=("end", "buy 8 infantry", "end"))
    before = table.state()
    table.page.keyboard.press("t")
    machine = table.page.get_by_role("region", name="Time machine")
    machine.get_by_role("button", name="‹ phase", exact=True).click()
    machine.get_by_role("button", name="Play on from here in a copy").click()
    table.page.wait_for_url(re.compile(f"/game/(?!{table.game})"))
    copy = table.page.url.rpartition("/")[2]
    assert table.server.state(copy)["orders"] < before["orders"]
    assert table.state() == before


@pytest.mark.rule("PC-SAV-01", "PC-SAV-02")
def test_saving_and_loading_within_a_game(new_table: Open) -> None:
    table = new_table(orders=("end", "buy 8 infantry"))
    page = table.page
    table.menu("Load and save")
    window = page.get_by_role("dialog", name="Load and save")
    window.get_by_label("Save this position as").fill("Eight in hand")
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window.get_by_role("button", name="Open Eight in hand")).to_be_visible()
    page.keyboard.press("Escape")
    table.done()
    table.settle()
    table.expect_phase("Combat move")
    table.menu("Load and save")
    window.get_by_role("button", name="Open Eight in hand").click()
    table.expect_phase("Purchase")
    assert f"/game/{table.game}" not in page.url
    assert table.server.state(page.url.rpartition("/")[2])["pool"] == {"infantry": 8}


def test_export_and_import(new_table: Open) -> None:
    table = new_table(orders=("end", "buy 8 infantry"), name="To be sent away")
    page = table.page
    page.goto(f"{table.server.url}/load")
    row = page.get_by_role("listitem").filter(has_text="To be sent away")
    with page.expect_download() as download:
        row.get_by_role("button", name="Export").click()
    file = download.value.path()
    assert file.read_text("utf-8").startswith("sandtable ")
    page.get_by_text("Import a game").click()
    page.get_by_label("File of a game").set_input_files(file)
    page.wait_for_url(re.compile("/game/"))
    copy = page.url.rpartition("/")[2]
    about = [table.server.call("GET", f"/games/{game}") for game in (table.game, copy)]
    assert about[0]["id"] != about[1]["id"]
    assert about[0]["digest"] == about[1]["digest"]


LAST_TURN = {
    "clear": ["japan", "germany", "eastern-europe"],
    "units": {"eastern-europe": {"ussr": {"armor": 2}}, "japan": {"usa": {"infantry": 1}}},
    "control": {"japan": "usa", "eastern-europe": "ussr"},
    "turn": "ussr",
    "phase": "combat-move",
}


def test_the_film_of_a_game_that_is_over(new_table: Open) -> None:
    """From the analysis: it begins to play, and nothing lies over it."""
    table = new_table(orders=("move 2 armor: eastern-europe -> germany", "end"), position=LAST_TURN)
    for _ in range(4):
        if not table.state()["over"]:
            table.server.orders(table.game, "end")
    assert table.state()["over"]
    page = table.page
    page.goto(f"{table.server.url}/game/{table.game}/analysis")
    page.get_by_role("button", name="Watch as a film").click()
    machine = page.get_by_role("region", name="Time machine")
    expect(machine.locator("strong")).not_to_contain_text("order 0 of")
    expect(machine.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.rule("PC-VIC-01")
def test_the_winner_is_announced(new_table: Open) -> None:
    """Japan has fallen already; Germany falls in this turn."""
    table = new_table(position=LAST_TURN)
    table.move("armor", "eastern-europe", "germany")
    table.put_down()
    for _ in range(4):
        if table.state()["over"]:
            break
        table.done()
        table.settle()
    end = table.page.get_by_role("dialog", name="The war is over")
    expect(end).to_contain_text("Victory of the Allies")
    assert table.state()["winner"] == "allies"
    assert "decision" not in table.state()
    end.get_by_role("button", name="Look at the map").click()
    expect(table.button("Done")).to_have_count(0)
