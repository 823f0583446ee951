"""Moving units on the map with the mouse, and transports."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from window import Open, Watch

AFRICA: dict[str, Any] = {
    "clear": ["libya", "anglo-egypt-sudan", "algeria"],
    "units": {
        "libya": {"germany": {"infantry": 4, "armor": 1, "fighter": 1}},
        "anglo-egypt-sudan": {"uk": {"infantry": 1, "armor": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}
"""German units in Libya, British ones in Anglo-Egypt Sudan."""


@pytest.mark.rule("PC-MOV-01")
def test_click_the_unit_then_the_space(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.move("armor", "libya", "anglo-egypt-sudan")
    assert table.there("anglo-egypt-sudan")["germany", "armor"] == 1
    expect(table.units("anglo-egypt-sudan", "armor").first).to_be_visible()
    table.expect_units("anglo-egypt-sudan", "armor")


@pytest.mark.rule("PC-MOV-01")
def test_dragging_does_the_same(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.whole_world()
    x, y = table.point("libya", "armor")
    table.page.mouse.move(x, y)
    table.page.mouse.down()
    table.page.mouse.move(x + 12, y + 6, steps=3)
    table.page.mouse.move(*table.point("anglo-egypt-sudan"), steps=6)
    table.page.mouse.up()
    table.until(lambda: table.there("anglo-egypt-sudan").get(("germany", "armor")) == 1)


@pytest.mark.rule("PC-MOV-02", "PC-MOV-03")
def test_an_arrow_and_the_distance_follow_the_pointer(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.click_unit("libya", "armor")
    table.point_at("anglo-egypt-sudan")
    expect(table.page.locator("path.preview")).to_be_visible()
    expect(table.page.locator(".cost").filter(has_text="1").first).to_be_visible()
    table.put_down()
    table.click_unit("libya", "fighter")
    table.point_at("anglo-egypt-sudan")
    far = table.server.call(
        "GET", f"/games/{table.game}/legal/destinations", params={"space": "libya", "unit": "fighter"}
    )
    two_away = next(each for each in far if each["cost"] == 2)
    table.point_at(two_away["space"])
    expect(table.page.locator("path.preview")).to_be_visible()
    expect(table.space(two_away["space"])).to_have_attribute("aria-label", re.compile(r"\b2\b"))
    table.point_at("libya")
    expect(table.page.locator("path.preview")).to_have_count(0)


@pytest.mark.rule("PC-MOV-04")
def test_each_click_moves_one_and_a_right_click_ends_it(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.click_unit("libya", "infantry")
    for n in (1, 2, 3):
        table.click_space("anglo-egypt-sudan")
        table.until(lambda n=n: table.there("anglo-egypt-sudan").get(("germany", "infantry")) == n)
    table.click_space("libya", right=True)
    expect(table.page.locator(".piece.picked")).to_have_count(0)
    table.click_space("anglo-egypt-sudan")
    assert table.there("anglo-egypt-sudan")["germany", "infantry"] == 3
    assert table.there("libya")["germany", "infantry"] == 1


@pytest.mark.rule("PC-MOV-05")
def test_ctrl_click_moves_the_whole_stack(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.move("infantry", "libya", "anglo-egypt-sudan", all_of_them=True)
    assert table.there("anglo-egypt-sudan")["germany", "infantry"] == 4


@pytest.mark.rule("PC-MOV-06")
def test_a_right_click_takes_the_move_back(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.move("armor", "libya", "anglo-egypt-sudan")
    table.put_down()
    table.move("infantry", "libya", "anglo-egypt-sudan", all_of_them=True)
    table.put_down()
    table.click_unit("anglo-egypt-sudan", "armor", right=True)
    table.until(lambda: ("germany", "armor") in table.there("libya"))
    stacks = table.state()["spaces"]["libya"]["units"]
    assert [stack["left"] for stack in stacks if stack["unit"] == "armor"] == [2]


@pytest.mark.rule("PC-MOV-07", "PC-MAP-06")
def test_done_begins_the_combat(new_table: Open) -> None:
    table = new_table(position=AFRICA)
    table.move("infantry", "libya", "anglo-egypt-sudan", all_of_them=True)
    table.done()
    table.expect_phase("Combat")
    expect(table.battle).to_be_visible()
    assert table.state()["battle"]["space"] == "anglo-egypt-sudan"


@pytest.mark.rule("PC-MOV-08")
def test_the_non_combat_move_refuses_enemy_land(new_table: Open, watch: Watch) -> None:
    table = new_table(position={**AFRICA, "phase": "noncombat-move"})
    table.click_unit("libya", "armor")
    before = table.state()["version"]
    table.click_space("anglo-egypt-sudan")
    expect(table.page.get_by_role("alert")).to_contain_text("Anglo-Egypt Sudan")
    assert table.state()["version"] == before
    table.click_space("algeria")
    table.until(lambda: table.there("algeria").get(("germany", "armor")) == 1)


@pytest.mark.rule("PC-MOV-09", "PC-MAP-02")
def test_entering_a_neutral_costs_three_and_changes_its_colour(new_table: Open) -> None:
    table = new_table(position={"turn": "germany", "phase": "combat-move", "treasury": {"germany": 10}})
    expect(table.space("spain")).not_to_have_attribute("fill", re.compile("germany"))
    table.move("infantry", "western-europe", "spain")
    assert table.state()["powers"]["germany"]["treasury"] == 7
    expect(table.space("spain")).to_have_attribute("fill", re.compile("--fill-germany"))
    expect(table.page.get_by_role("button", name="Germany, its turn: 7 IPC")).to_be_visible()
    table.put_down()
    table.page.keyboard.press("Backspace")
    table.until(lambda: table.state()["powers"]["germany"]["treasury"] == 10)


SEA: dict[str, Any] = {
    "clear": ["japan", "manchuria", "japan-sea", "kwangtung-sea", "soviet-far-east-sea"],
    "units": {
        "japan": {"japan": {"infantry": 3, "armor": 1}},
        "japan-sea": {"japan": {"transport": 2}},
        "manchuria": {"japan": {"infantry": 1}},
    },
    "turn": "japan",
    "phase": "noncombat-move",
}


@pytest.mark.rule("PC-TRP-01", "PC-TRP-02", "PC-TRP-03", "PC-TRP-04")
def test_loading_and_unloading_transports(new_table: Open) -> None:
    table = new_table(position=SEA)
    window = table.page.get_by_role("dialog", name="Which transport?")
    table.move("infantry", "japan", "japan-sea")  # both are empty: nothing to choose
    assert table.there("japan-sea")["japan", "infantry"] == 1
    table.click_space("japan-sea")
    expect(window.get_by_role("button", name=re.compile("empty"))).to_be_visible()
    window.get_by_role("button", name=re.compile("carries 1 infantry")).click()
    table.until(lambda: table.there("japan-sea")["japan", "infantry"] == 2)
    table.settle()
    table.click_space("japan-sea")  # only the empty one has room
    table.until(lambda: table.there("japan-sea")["japan", "infantry"] == 3)
    table.settle()
    table.put_down()
    table.click_unit("japan-sea", "transport")
    prompt = table.page.get_by_role("dialog", name=re.compile("Transport in Japan"))
    expect(prompt.get_by_role("button", name=re.compile("^Move"))).to_be_visible()
    prompt.get_by_role("button", name=re.compile("^Unload")).click()
    expect(table.space("manchuria")).to_have_attribute("aria-label", re.compile("in reach"))
    expect(table.space("japan")).to_have_attribute("aria-label", re.compile("in reach"))
    expect(table.space("kwangtung")).not_to_have_attribute("aria-label", re.compile("in reach"))
    table.click_space("manchuria")
    expect(window).to_be_visible()
    window.get_by_role("button", name=re.compile("carries 2 infantry")).click()
    table.until(lambda: table.there("manchuria")["japan", "infantry"] == 2)
    stacks = table.state()["spaces"]["japan-sea"]["units"]
    assert [[each["count"] for each in stack["cargo"]] for stack in stacks] == [[1], [1]]


@pytest.mark.rule("PC-TRP-01")
def test_as_many_go_aboard_as_there_is_room_for(new_table: Open) -> None:
    one_ship = {**SEA, "units": {**SEA["units"], "japan-sea": {"japan": {"transport": 1}}}}
    table = new_table(position=one_ship)
    table.click_unit("japan", "infantry")
    table.click_space("japan-sea", all_of_them=True)
    table.until(lambda: table.there("japan-sea").get(("japan", "infantry")) == 2)
    table.settle()
    assert table.there("japan")["japan", "infantry"] == 1


@pytest.mark.rule("PC-TRP-05")
def test_a_loaded_transport_goes_two_zones(new_table: Open) -> None:
    loaded = {**SEA, "cargo": {"japan-sea": {"japan": {"transport": [{"infantry": 1}]}}}}
    loaded["units"] = {**SEA["units"], "japan-sea": {"japan": {"transport": 1}}}
    table = new_table(position=loaded)
    table.click_unit("japan-sea", "transport")
    table.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Move")).click()
    query = {"space": "japan-sea", "unit": "transport"}
    reach = table.server.call("GET", f"/games/{table.game}/legal/destinations", params=query)
    assert {each["cost"] for each in reach} == {1, 2}
    two = next(each["space"] for each in reach if each["cost"] == 2)
    expect(table.space(two)).to_have_attribute("aria-label", re.compile("in reach, 2 spaces away"))
    near = {each["space"] for each in reach}
    world = {each["id"]: each for each in table.server.call("GET", f"/games/{table.game}/world")["spaces"]}
    three = next(
        space
        for end in near
        for space in world[end]["neighbours"]
        if world[space]["kind"] == "sea" and space not in near and space != "japan-sea"
    )
    expect(table.space(three)).not_to_have_attribute("aria-label", re.compile("in reach"))
    table.click_space(two)
    table.until(lambda: table.there(two).get(("japan", "infantry")) == 1)


def test_a_click_on_units_where_those_in_hand_cannot_go_takes_them_up(new_table: Open) -> None:
    table = new_table(("end", "end"))
    table.click_unit("karelia-ssr", "infantry")
    expect(table.page.locator('.piece.picked[data-at="karelia-ssr"]').first).to_be_visible()
    table.click_unit("caucasus", "infantry")
    expect(table.page.locator('.piece.picked[data-at="caucasus"]').first).to_be_visible()
    expect(table.page.locator('.piece.picked[data-at="karelia-ssr"]')).to_have_count(0)
    expect(table.page.get_by_role("alert")).to_have_count(0)
