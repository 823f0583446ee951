"""Global 1940 on the page: a turn of Germany, a power at peace, politics, research, raids, scrambling and signs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from running import Running
from table import Table
from test_browser_access import SHOWN, faults
from window import Open, Watch

SEATS = [  # one person at the screen, so that nobody hands it over
    {"name": "Me", "powers": ["germany", "ussr", "japan", "usa", "uk", "italy", "anzac", "france"]},
    {"name": "Computer", "powers": ["china"], "player": "random"},
]
CHANNEL: dict[str, Any] = {
    "clear": ["sz-110", "sz-111", "sz-112"],
    "units": {"sz-112": {"germany": {"battleship": 1, "cruiser": 1}}, "sz-110": {"uk": {"destroyer": 1}}},
    "damage": {"united-kingdom": {"air-base": 2, "minor-complex": 3}},
    "turn": "germany",
    "phase": "combat-move",
}


def opened(new_table: Open, **fields: Any) -> Table:
    table = new_table(scenario="global-1940", seats=SEATS, **fields)
    table.settle()
    return table


def stance(table: Table, *pair: str) -> str:
    relations = table.state()["relations"]
    found: str = next(each["stance"] for each in relations if {each["one"], each["other"]} == set(pair))
    return found


def test_it_is_offered_and_begun_from_the_menu(home: Page, server: Running) -> None:
    home.get_by_role("button", name="New game").first.click()
    home.get_by_role("button", name=re.compile("Global 1940|^1940")).first.click()
    home.get_by_role("button", name="Begin", exact=True).click()
    expect(home.get_by_role("list", name="Phases of the turn")).to_be_visible()
    game = home.url.rpartition("/")[2]
    assert server.call("GET", f"/games/{game}/world")["scenario"] == "global-1940"


def test_germany_plays_a_turn(new_table: Open) -> None:
    """Pilots, a purchase, an attack, its battle, quiet moves and the new units, all by hand."""
    table = opened(new_table)
    table.click("Raise them to +1 for 5")
    table.expect_phase("Purchase")
    assert table.state()["powers"]["germany"]["pilots"] == 1
    expect(table.orders.get_by_text("Jet fighters are for sale once", exact=False)).to_have_count(1)
    table.buy({"infantry": 2})
    table.done()
    table.expect_phase("Combat movement")
    table.move("infantry", "greater-southern-germany", "yugoslavia", all_of_them=True)
    table.move("armor", "greater-southern-germany", "yugoslavia", all_of_them=True)
    table.done()
    table.until(lambda: table.state()["phase"] == "combat")
    for _ in range(40):  # answers in battle are the same as in other games
        state = table.state()
        if state["phase"] != "combat":
            break
        table.server.orders(table.game, state["decision"]["suggestion"] or state["decision"]["orders"][0])
    table.open()
    table.expect_phase("Non-combat movement")
    assert table.there("yugoslavia")
    table.done()
    table.expect_phase("Placing new units")
    table.click_space("germany", all_of_them=True)
    table.until(lambda: not table.state()["pool"])
    table.settle()
    table.done()
    table.until(lambda: table.state()["turn"] == "ussr")


def test_war_is_declared_in_the_politics_window(new_table: Open, page: Page) -> None:
    table = opened(new_table, orders=("train", "end"))
    table.click("Politics: declare war…")
    politics = page.get_by_role("dialog", name="Politics")
    expect(politics.get_by_role("table", name="Who is at war with whom")).to_be_visible()
    expect(politics).to_contain_text("Soviet Union could then declare war on Italy")
    page.evaluate(SHOWN)
    assert not faults(page, "dialog[open]")
    politics.get_by_role("button", name="Soviet Union").first.click()
    expect(politics).to_contain_text("belongs to no side yet")
    expect(politics).to_contain_text("round 4")  # what would bring it in
    waiting = politics.get_by_role("region", name="Not in the war yet")
    expect(waiting).to_contain_text("War on Germany, Italy: round 4 or one of 4 other reasons")
    waiting.get_by_role("button", name="United States").click()
    expect(politics).to_contain_text("War on Germany, Japan, Italy may not be declared yet")
    expect(politics).to_contain_text("round 3 (in the phase “Income”)")
    politics.get_by_role("button", name="Neutrals").click()
    expect(politics).to_contain_text("Strictly neutral")
    expect(politics.get_by_role("button", name="Bulgaria")).to_be_visible()
    page.evaluate(SHOWN)
    assert not faults(page, "dialog[open]")
    politics.get_by_role("button", name="Wars").click()
    politics.get_by_role("button", name="Germany", exact=True).first.click()
    politics.get_by_role("button", name="Declare war on Soviet Union").click()
    table.until(lambda: stance(table, "germany", "ussr") == "enemy")
    assert stance(table, "italy", "ussr") == "peace"


def test_the_bar_tells_who_is_at_war_with_you(new_table: Open, page: Page) -> None:
    seats = [
        {"name": "Me", "powers": ["germany"]},
        {
            "name": "You",
            "powers": ["ussr", "japan", "usa", "uk", "italy", "anzac", "france", "china"],
            "player": "random",
        },
    ]
    new_table(scenario="global-1940", seats=seats).settle()
    bar = page.get_by_role("group", name="Countries")
    expect(bar.get_by_role("button", name=re.compile("^United Kingdom.*at war with Germany"))).to_be_visible()
    expect(bar.get_by_role("button", name=re.compile("^Soviet Union.*at peace with Germany"))).to_be_visible()
    expect(bar.get_by_role("button", name=re.compile("^Japan.*income [+]42"))).to_be_visible()  # 26 from its land
    expect(bar.get_by_role("button", name=re.compile("^Italy"))).not_to_have_accessible_name(re.compile("with Germany"))
    bar.get_by_role("button", name=re.compile("^United Kingdom")).click()
    summary = page.get_by_role("region", name="Summary")
    expect(summary).to_contain_text(re.compile("At war with ?Germany, Italy"))
    expect(summary).to_contain_text(re.compile("Pilots ?average"))
    expect(summary).to_contain_text(
        re.compile(r"Production ?45 IPC.*Income ?59 IPC.*Empire in Europe economy ?\+5.*bases ?\+9")
    )
    summary.get_by_role("button", name="Politics").click()
    politics = page.get_by_role("dialog", name="Politics")
    expect(politics.get_by_role("region", name="United Kingdom: politics")).to_be_visible()
    expect(summary).to_have_count(0)


def test_one_enemy_unit_is_picked_by_one_click(new_table: Open) -> None:
    """A tactical bomber hits what its owner chooses."""
    position = {
        "clear": ["france", "normandy-bordeaux"],
        "units": {
            "normandy-bordeaux": {"uk": {"infantry": 3, "artillery": 3}},
            "western-germany": {"germany": {"tactical-bomber": 1, "armor": 4}},
            "france": {"germany": {"armor": 1, "tactical-bomber": 1}},
        },
        "control": {"france": "germany"},
        "turn": "germany",
        "phase": "combat-move",
    }
    orders = ("move 1 armor, 1 tactical-bomber: france -> normandy-bordeaux", "end")
    table = opened(new_table, position=position, dice=[5, 1, 6, 6, 6, 6, 6, 6], orders=orders)
    for _ in range(6):
        question = table.state()["decision"]
        if question["kind"] == "target":
            break
        table.server.orders(table.game, question["suggestion"] or "stay")
    table.open()
    assert question["kind"] == "target"
    table.battle.get_by_role("button", name="British artillery").click()
    table.until(lambda: (table.state()["decision"] or {}).get("kind") != "target")


def test_a_power_at_peace_buys_within_its_budget_and_attacks_nobody(new_table: Open, page: Page) -> None:
    table = opened(new_table, position={"turn": "usa", "phase": "combat-move"})
    table.expect_phase("Non-combat movement")  # it has nobody to attack
    page.keyboard.press("i")
    politics = page.get_by_role("dialog", name="Politics")
    expect(politics).to_contain_text("may not be declared yet")
    expect(politics).to_contain_text("a declaration of war by Japan on the United Kingdom or ANZAC")
    expect(politics.get_by_role("button", name=re.compile("^Declare war"))).to_have_count(0)
    table = opened(new_table, position={"turn": "usa", "phase": "purchase"})
    table.until(lambda: table.orders.get_by_role("button", name=re.compile("^Keep level")).count())
    table.click("Let them fall to -1")
    table.expect_phase("Purchase")
    expect(table.orders).to_contain_text(re.compile(r"At peace: \d+ IPC left for combat units"))
    budget = table.state()["decision"]["purchase"]["budget"]
    table.buy({"infantry": 1})
    expect(table.orders).to_contain_text(f"At peace: {budget - 3} IPC left")


def test_a_die_is_thrown_for_a_project(new_table: Open) -> None:
    table = opened(new_table, orders=("train",))
    table.orders.locator("summary", has_text="Research").first.click()
    table.orders.locator("summary", has_text="Projects to begin").click()
    table.click("Die · 3 for Radar")
    under_way = table.orders.get_by_role("list", name="Projects under way")
    expect(under_way).to_contain_text("Radar")
    place = table.state()["decision"]["purchase"]["projects"]["projects"]
    radar = next(each for each in place if each["technology"] == "radar")
    assert radar["place"] > 0
    assert radar["rolled"]
    expect(under_way.get_by_role("meter")).to_have_attribute("aria-valuenow", str(radar["place"]))
    expect(under_way.get_by_role("button", name="Rolled for Radar")).to_be_disabled()  # one a project and turn
    assert not faults(table.page)


def test_bombers_raid_the_facility_that_is_chosen(new_table: Open) -> None:
    table = opened(new_table, position=CHANNEL)
    table.click_unit("germany", "bomber")
    expect(table.space("united-kingdom")).to_have_attribute("aria-label", re.compile("in reach|raid|space", re.I))
    table.click_space("united-kingdom")
    dialog = table.page.get_by_role("dialog", name=re.compile("Strategic bombers over"))
    expect(dialog).to_contain_text("Raid the naval base")
    dialog.get_by_role("button", name=re.compile("^Less: .*raid the minor")).click()
    dialog.get_by_role("button", name=re.compile("^More: .*raid the air base")).click()
    table.click("Send them")
    table.until(lambda: ("germany", "bomber") in table.there("united-kingdom"))
    expect(table.orders).to_contain_text("raid the air base")


def test_a_defender_is_asked_to_scramble_with_the_odds_of_each_answer(new_table: Open) -> None:
    table = opened(new_table, position=CHANNEL, orders=("move 1 battleship, 1 cruiser: sz-112 -> sz-110", "end"))
    question = table.state()["decision"]
    assert (question["kind"], question["power"]) == ("scramble", "uk")
    answers = table.orders.get_by_role("list", name="Answers")
    expect(answers).to_contain_text(re.compile(r"you lose [\d.]+, they lose [\d.]+"))
    expect(table.orders).to_contain_text(re.compile(r"Played out \d+ times"))
    assert not faults(table.page, "aside")
    answers.get_by_role("button", name=re.compile("^1 fighter: United Kingdom to")).click()
    table.until(lambda: ("uk", "fighter") in table.there("sz-110"))


def test_the_board_asks_the_owner_of_submarines_that_lie_in_wait(new_table: Open) -> None:
    """The ships are a computer's, and nothing else of the board is a person's."""
    position = {
        "clear": ["sz-110", "sz-111", "sz-112"],
        "units": {"sz-112": {"germany": {"submarine": 1}}, "sz-111": {"uk": {"battleship": 1}}},
        "turn": "uk",
        "phase": "combat-move",
    }
    others = [power for power in SEATS[0]["powers"] if power != "germany"]
    seats = [{"name": "Me", "powers": ["germany"]}, {"name": "You", "powers": others}, SEATS[1]]
    table = new_table(scenario="global-1940", seats=seats, position=position)
    table.server.orders(table.game, "move 1 battleship: sz-111 -> sz-112")
    assert table.state()["decision"]["kind"] == "ambush"
    table.server.call("POST", f"/games/{table.game}/seats/You", json={"player": "random"})
    table.open()
    table.settle()
    expect(table.battle).to_contain_text("Submarines lie in wait.")
    table.battle.get_by_role("button", name="Attack with 1 submarine").click()
    table.until(lambda: (table.state()["decision"] or {}).get("kind") != "ambush")


def test_any_facility_is_repaired(new_table: Open) -> None:
    patch = {**CHANNEL, "turn": "uk", "phase": "purchase"}
    table = opened(new_table, position=patch)
    table.click("Let them fall to -1")
    table.expect_phase("Purchase")
    repairs = table.orders.get_by_role("region", name="Repairs")
    expect(repairs.get_by_role("listitem")).to_have_count(2)
    repairs.get_by_role("button", name="More: repairs in United Kingdom, air base").click()
    table.click(re.compile("^Repair for"))
    table.until(lambda: table.state()["spaces"]["united-kingdom"]["damage"].get("air-base") == 1)
    assert table.state()["spaces"]["united-kingdom"]["damage"]["minor-complex"] == 3


def test_signs_tell_of_convoys_leanings_and_damage(new_table: Open) -> None:
    table = opened(new_table, position=CHANNEL)
    page = table.page
    assert page.locator('[data-sign="convoy"]').count() > 5
    assert page.locator('[data-sign="strict"]').count() > 5
    assert page.locator('[data-sign="pro-axis"]').count() >= 1
    expect(table.space("bulgaria")).to_have_attribute(
        "aria-label", re.compile("leans to the Axis.*4 infantry would take up arms")
    )
    expect(table.space("united-kingdom")).to_have_attribute("aria-label", re.compile("air base damaged by 2"))
    table.click_space("united-kingdom")
    expect(table.orders).to_contain_text("Air base: 2 damage")


def test_convoys_at_risk_facilities_and_tracks_are_told(new_table: Open, page: Page) -> None:
    position = {
        "clear": ["sz-119"],
        "units": {"sz-119": {"germany": {"submarine": 2}}},
        "damage": {"united-kingdom": {"air-base": 3}},
        "projects": {"germany": {"radar": 12}},
        "pilots": {"uk": -1},
        "turn": "germany",
        "phase": "combat-move",
    }
    table = opened(new_table, position=position)
    expect(page.locator(".convoy.raided title").first).to_have_text(
        re.compile(r"the United Kingdom would lose about 1\.8")
    )
    table.click_space("sz-119")
    expect(table.orders).to_contain_text("The United Kingdom would lose about 1.8 IPC now.")
    page.get_by_role("group", name="Countries").get_by_role("button", name=re.compile("^United Kingdom")).click()
    expect(page.get_by_role("region", name="Summary")).to_contain_text(re.compile("Convoys at risk, about ?−2"))
    page.get_by_role("region", name="Summary").get_by_role("button", name="Politics").click()
    politics = page.get_by_role("dialog", name="Politics")
    politics.get_by_role("button", name=re.compile("^Convoys and bases")).click()
    expect(politics).to_contain_text(re.compile("3 of 6 damage.*out of use"))
    page.evaluate(SHOWN)
    assert not faults(page, "dialog[open]")
    politics.get_by_role("button", name="Research and pilots").click()
    row = politics.get_by_role("row", name=re.compile("Germany"))
    expect(row.get_by_role("meter", name="Radar: progress")).to_have_attribute("aria-valuenow", "12")
    expect(politics.get_by_role("row", name=re.compile("United Kingdom"))).to_contain_text("−1")
    page.evaluate(SHOWN)
    assert not faults(page, "dialog[open]")


def test_it_is_said_before_what_an_attack_on_a_neutral_sets_off(new_table: Open, page: Page) -> None:
    table = opened(new_table, orders=("train", "end"))
    table.click_unit("norway", "infantry")
    table.point_at("sweden")
    expect(page.locator(".whisper")).to_contain_text("turns all other strict neutrals against the attacker's side")
    table.put_down()
    table.click_space("bulgaria")
    expect(table.orders).to_contain_text("Attacked by others, it joins the Axis.")


def test_all_of_europe_is_in_view_with_its_pieces(new_table: Open) -> None:
    """At 1440 by 900 the theatre is read without zooming: pieces, no counters, and none smaller than 28 pixels."""
    table = opened(new_table, orders=("train", "end"))
    table.rest()
    for space in ("united-kingdom", "france", "poland", "novgorod", "northern-italy", "romania"):
        box = table.page.locator(f'.piece[data-at="{space}"] use').first.bounding_box()
        assert box is not None, space
        assert box["width"] >= 28, space
    assert table.page.locator(".counter").count() == 0


def test_a_board_with_large_forces_leaves_what_is_fought_for_in_view(new_table: Open, page: Page) -> None:
    army = {"infantry": 8, "artillery": 4, "mechanized-infantry": 4, "armor": 5, "tactical-bomber": 3}
    position = {
        "clear": ["france", "western-germany"],
        "units": {
            "western-germany": {"germany": army},
            "france": {
                "france": {"infantry": 5, "artillery": 2, "armor": 2, "aa-gun": 2},
                "uk": {"infantry": 3, "artillery": 2, "armor": 1, "mechanized-infantry": 1},
            },
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    units = ", ".join(f"{n} {unit}" for unit, n in army.items())
    table = opened(new_table, position=position, orders=(f"move {units}: western-germany -> france", "end"))
    for _ in range(8):
        question = table.state()["decision"]
        if question["kind"] == "casualties" and question["power"] == "germany" and question["count"] > 1:
            break
        table.server.orders(table.game, question["suggestion"] or question["orders"][0])
    table.open()
    table.settle()
    table.rest()
    board, land = table.battle.bounding_box(), table.space("france").first.bounding_box()
    assert board is not None
    assert land is not None
    assert board["height"] < 450
    assert land["y"] + land["height"] <= board["y"] or land["y"] >= board["y"] + board["height"]
    assert not faults(page, '[aria-label="Battle"]')


def test_a_new_unit_stays_in_hand_when_done_is_refused(new_table: Open, watch: Watch) -> None:
    table = opened(new_table, orders=("train", "buy 2 infantry, 1 transport", "end", "end", "end"))
    watch.expect("^4")
    table.expect_phase("Placing new units")
    transport = table.orders.get_by_role("button", name=re.compile("Transport"))
    transport.click()
    expect(transport).to_have_attribute("aria-pressed", "true")
    table.done()
    expect(table.page.get_by_text("New units have to be placed first", exact=False).first).to_be_visible()
    table.settle()
    expect(transport).to_have_attribute("aria-pressed", "true")
    expect(table.orders.get_by_role("button", name=re.compile("^Sea Zone")).first).to_be_visible()


def test_nine_countries_stand_in_one_row_beside_the_phases(new_table: Open, page: Page) -> None:
    opened(new_table, orders=("train",))
    for width in (1024, 1180, 1320, 1440):
        page.set_viewport_size({"width": width, "height": 768})
        tops = {button.bounding_box()["y"] for button in page.locator(".country").all()}  # type: ignore[index]
        assert len(tops) == 1, width
        expect(page.get_by_role("list", name="Phases of the turn")).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.prefer(palette="dark")
def test_the_dark_palette_has_all_nine_powers(new_table: Open) -> None:
    table = opened(new_table)
    powers = ("germany", "ussr", "japan", "usa", "china", "uk", "italy", "anzac", "france")
    script = (
        "(names) => names.map((n) => getComputedStyle(document.documentElement).getPropertyValue(`--fill-${n}`).trim())"
    )
    assert len(set(table.page.evaluate(script, list(powers)))) == len(powers)
    sign = "() => getComputedStyle(document.querySelector('[data-sign=\"strict\"] circle')).fill"
    assert table.page.evaluate(sign) == "rgb(246, 239, 220)"  # its stroke is dark in every palette
