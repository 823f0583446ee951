"""The battle board: columns, dice, hits, casualties, retreats, submarines, raids."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from table import Table
from window import Open, Watch

SUDAN: dict[str, Any] = {
    "clear": ["libya", "anglo-egypt-sudan"],
    "units": {
        "libya": {"germany": {"infantry": 1, "armor": 1}},
        "anglo-egypt-sudan": {"uk": {"infantry": 1, "armor": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}
ATTACK = ("move 1 infantry, 1 armor: libya -> anglo-egypt-sudan", "end")


def unit(side: Locator, name: str) -> Locator:
    return side.get_by_role("button", name=re.compile(rf"\d+ {name}"))


def sides(table: Table) -> tuple[Locator, Locator]:
    return table.battle.get_by_role("region", name="Attackers"), table.battle.get_by_role("region", name="Defenders")


@pytest.mark.rule(
    "PC-CMB-03", "PC-CMB-04", "PC-CMB-05", "PC-CMB-06", "PC-CMB-07", "PC-CMB-08", "PC-CMB-09", "PC-CMB-10"
)
@pytest.mark.rule("PC-MAP-02")
def test_the_example_battle_of_the_manual(new_table: Open) -> None:
    """Infantry and tank against infantry and tank: one German hit, one British hit, and a second round."""
    table = new_table(position=SUDAN, dice=[4, 2, 5, 1, 1, 1], orders=ATTACK)
    attackers, defenders = sides(table)
    expect(table.battle.get_by_role("heading", level=2)).to_have_text("German forces attack Anglo-Egypt Sudan")
    expect(attackers).to_contain_text("Germany")
    expect(defenders).to_contain_text("United Kingdom")
    assert attackers.bounding_box()["x"] < defenders.bounding_box()["x"]  # type: ignore[index]
    for side, columns in ((attackers, {"1": "infantry", "3": "armor"}), (defenders, {"2": "infantry"})):
        for value, name in columns.items():
            column = side.locator(".column").filter(has=side.page.locator(".value", has_text=re.compile(f"^{value}$")))
            expect(unit(column, name)).to_be_visible()
    expect(unit(defenders.locator(".column").first, "armor")).to_be_visible()  # both defend with 2
    rolls = table.battle.locator(".rolls p")
    expect(rolls).to_have_count(2)
    expect(rolls.nth(0)).to_contain_text("at 1")
    expect(rolls.nth(1)).to_contain_text("at 3")
    bullets = defenders.locator(".bullets svg")
    expect(bullets).to_have_count(1)
    take = table.battle.get_by_role("button", name="Take the losses")
    expect(take).to_be_disabled()
    unit(defenders, "armor").click()
    expect(bullets).to_have_count(0)
    expect(unit(defenders, "armor").locator(".cross")).to_be_visible()
    unit(defenders, "armor").click(button="right")
    expect(bullets).to_have_count(1)
    unit(defenders, "armor").click()
    unit(defenders, "armor").click()  # a click too many spares it again
    expect(bullets).to_have_count(1)
    expect(unit(defenders, "armor").locator(".cross")).to_have_count(0)
    unit(defenders, "infantry").click()
    expect(unit(defenders, "infantry").locator(".cross")).to_be_visible()
    take.click()
    expect(table.battle).to_contain_text("Germany: which one unit to lose")  # now the attacker has to choose
    expect(attackers.locator(".bullets svg")).to_have_count(1)
    expect(defenders).to_contain_text("still firing")
    expect(attackers.locator(".rolls p")).to_have_count(2)  # what was rolled before stays
    expect(defenders.locator(".rolls")).to_contain_text("fire at 2 or less")
    assert table.state()["battle"]["rolls"][-1]["faces"] == [5, 1]  # the lost infantry has fired, too
    unit(attackers, "infantry").click()
    take.click()
    expect(table.battle.get_by_role("button", name="Press the attack")).to_be_visible()
    expect(unit(defenders, "infantry")).to_have_count(0)
    table.battle.get_by_role("button", name="Press the attack").click()
    report = table.page.get_by_role("dialog", name=re.compile("Anglo-Egypt Sudan"))
    expect(report).to_be_visible()
    report.get_by_role("button", name="Go on").click()
    table.until(lambda: table.state()["battle"] is None if "battle" in table.state() else True)
    owner = table.state()["spaces"]["anglo-egypt-sudan"].get("owner")
    expect(table.space("anglo-egypt-sudan")).to_have_attribute("fill", re.compile(f"--fill-{owner}"))


@pytest.mark.rule("PC-CMB-01", "PC-CMB-02", "PC-CMB-11")
def test_red_spaces_are_fought_in_any_order_and_retreats_are_offered(new_table: Open) -> None:
    world: dict[str, Any] = {
        "clear": ["manchuria", "yakut-ssr", "soviet-far-east", "finland-norway", "karelia-ssr"],
        "units": {
            "yakut-ssr": {"ussr": {"infantry": 2}},
            "soviet-far-east": {"ussr": {"infantry": 2}},
            "manchuria": {"japan": {"infantry": 3}},
            "karelia-ssr": {"ussr": {"infantry": 2}},
            "finland-norway": {"germany": {"infantry": 2}},
        },
        "turn": "ussr",
        "phase": "combat-move",
    }
    moves = (
        "move 2 infantry: yakut-ssr -> manchuria",
        "move 2 infantry: soviet-far-east -> manchuria",
        "move 2 infantry: karelia-ssr -> finland-norway",
        "end",
    )
    table = new_table(position=world, orders=moves, dice=[6, 6, 6, 6, 6, 6, 6])
    table.expect_phase("Combat")
    table.until(lambda: table.embattled() == 2)
    table.click_space("manchuria")
    expect(table.battle).to_contain_text("Soviet forces attack Manchuria")
    retreats = table.battle.get_by_role("button", name=re.compile("^Retreat to"))
    expect(retreats).to_have_count(2)
    expect(table.battle.get_by_role("button", name="Retreat to Yakut S.S.R.")).to_be_visible()
    table.battle.get_by_role("button", name=re.compile("Retreat to Soviet Far East")).click()
    table.until(lambda: table.there("soviet-far-east").get(("ussr", "infantry"), 0) == 4)
    table.page.get_by_role("button", name="Go on").click()
    table.until(lambda: table.embattled() == 1)


@pytest.mark.rule("PC-CMB-12", "PC-CMB-13")
def test_submarines_are_asked_and_transports_stand_in_column_zero(new_table: Open) -> None:
    world: dict[str, Any] = {
        "clear": ["north-sea", "karelia-sea", "baltic-sea"],
        "units": {
            "karelia-sea": {"uk": {"battleship": 1, "transport": 1}},
            "north-sea": {"germany": {"submarine": 2}},
        },
        "turn": "uk",
        "phase": "combat-move",
    }
    move = "move 1 battleship, 1 transport: karelia-sea -> north-sea"
    table = new_table(position=world, orders=(move, "end"), dice=[6, 1, 6])
    attackers, _ = sides(table)
    zero = attackers.locator(".column").filter(has=table.page.locator(".value", has_text=re.compile("^0no fire$")))
    expect(unit(zero, "transport")).to_be_visible()
    if table.state()["decision"]["kind"] == "casualties":
        unit(zero, "transport").click()
        expect(unit(zero, "transport").locator(".cross")).to_be_visible()
        table.battle.get_by_role("button", name="Take the losses").click()
    table.until(lambda: table.state()["decision"]["kind"] in ("submarines", "retreat"))
    if table.state()["decision"]["kind"] == "retreat":  # the attacker decides first
        table.battle.get_by_role("button", name="Press the attack").click()
    table.until(lambda: table.state()["decision"]["kind"] == "submarines")
    expect(table.battle.get_by_role("button", name="Stay and fight")).to_be_visible()
    expect(table.battle.get_by_role("button", name=re.compile("^Submerge"))).not_to_have_count(0)
    expect(table.battle.get_by_role("button", name=re.compile("^Withdraw .* to"))).not_to_have_count(0)


@pytest.mark.rule("PC-CMB-14")
def test_guns_fire_first_and_the_attacker_picks_the_plane(new_table: Open) -> None:
    world: dict[str, Any] = {
        "clear": ["ukraine-ssr", "eastern-europe"],
        "units": {
            "ukraine-ssr": {"germany": {"infantry": 1, "aa-gun": 1}},
            "caucasus": {"ussr": {"fighter": 1, "bomber": 1, "infantry": 2}},
        },
        "turn": "ussr",
        "phase": "combat-move",
    }
    move = "move 1 fighter, 1 bomber, 1 infantry: caucasus -> ukraine-ssr"
    table = new_table(position=world, orders=(move, "end"), dice=[1, 4])
    attackers, defenders = sides(table)
    expect(defenders.locator(".rolls")).to_contain_text("Antiaircraft fire at 1")
    assert table.state()["battle"]["rolls"][0]["faces"] == [1, 4]
    unit(attackers, "fighter").click()
    table.battle.get_by_role("button", name="Take the losses").click()
    table.until(lambda: table.there("ukraine-ssr").get(("ussr", "fighter")) is None)


@pytest.mark.rule("PC-CMB-15")
def test_a_landing_waits_for_the_sea_battle(new_table: Open, watch: Watch) -> None:
    watch.expect("^422: .*/orders")  # the server refuses the order, and the page says why
    world: dict[str, Any] = {
        "clear": ["north-sea", "finland-norway", "karelia-sea", "baltic-sea"],
        "units": {
            "karelia-sea": {"uk": {"battleship": 1, "transport": 1}},
            "north-sea": {"germany": {"submarine": 1}},
            "finland-norway": {"germany": {"infantry": 1}},
            "libya": {"germany": {"infantry": 1}},
            "anglo-egypt-sudan": {"uk": {"infantry": 2}},
        },
        "cargo": {"karelia-sea": {"uk": {"transport": [{"infantry": 1}]}}},
        "turn": "uk",
        "phase": "combat-move",
    }
    orders = (
        "move 1 battleship, 1 transport, 1 infantry: karelia-sea -> north-sea",
        "move 1 infantry: north-sea -> finland-norway",
        "move 2 infantry: anglo-egypt-sudan -> libya",
        "end",
    )
    table = new_table(position=world, orders=orders)
    table.expect_phase("Combat")
    before = table.state()["version"]
    table.click_space("finland-norway")
    expect(table.page.get_by_role("alert")).to_contain_text("North Sea")
    assert table.state()["version"] == before
    expect(table.battle).to_have_count(0)


@pytest.mark.rule("PC-PRF-05", "PC-PRF-06")
@pytest.mark.prefer(roll="standard", animation="on", battles="slow")
def test_standard_roll_rolls_column_by_column_and_quick_roll_does_not(new_table: Open) -> None:
    table = new_table(position=SUDAN, dice=[4, 2, 5, 1], orders=(ATTACK[0],))
    table.done()
    table.battle.get_by_role("button", name="Hold").click()  # the clock stands still, however busy the machine is
    while table.battle.get_attribute("data-step") == "opened":
        table.battle.get_by_role("button", name="Next step").click()
    expect(table.battle.locator(".icon.firing").first).to_be_visible()
    table.battle.get_by_role("button", name=re.compile("^Show all")).click()
    expect(table.battle.get_by_role("button", name="Take the losses")).to_be_visible()
    table.page.keyboard.press("m")
    table.page.get_by_role("navigation", name="Game menu").get_by_role("button", name="Preferences").click()
    window = table.page.get_by_role("dialog", name="Preferences")
    expect(window.get_by_label("Standard roll")).to_be_checked()
    window.get_by_label("Quick roll").check()
    expect(window.get_by_label("Standard roll")).not_to_be_checked()
    window.get_by_role("button", name="Resume").click()
    table.battle.get_by_role("button", name="Lose the cheapest").click()
    expect(table.battle).to_have_attribute("data-step", "volley")  # the reply is shown, but nothing tumbles
    expect(table.battle.locator(".icon.firing, .rolling")).to_have_count(0)
    expect(sides(table)[1].locator(".rolls")).to_contain_text("hit")


RAID: dict[str, Any] = {
    "clear": ["germany"],
    "units": {
        "united-kingdom": {"uk": {"bomber": 3, "infantry": 1}},
        "germany": {"germany": {"infantry": 2, "industrial-complex": 1, "aa-gun": 1}},
    },
    "treasury": {"germany": 20},
    "turn": "uk",
    "phase": "combat-move",
}


@pytest.mark.rule("PC-SBR-01")
def test_a_single_bomber_is_asked_for(new_table: Open) -> None:
    one = {**RAID, "units": {**RAID["units"], "united-kingdom": {"uk": {"bomber": 1, "infantry": 1}}}}
    table = new_table(position=one)
    table.click_unit("united-kingdom", "bomber")
    expect(table.space("germany")).to_have_attribute("aria-label", re.compile("in reach"))
    table.click_space("germany")
    window = table.page.get_by_role("dialog", name=re.compile("over Germany"))
    expect(window.get_by_role("button", name="Attack the units")).to_be_visible()
    window.get_by_role("button", name="Bombing raid").click()
    table.until(lambda: any(p["kind"] == "raid" for p in table.state()["pending"]))


@pytest.mark.rule("PC-SBR-02", "PC-SBR-03")
def test_bombers_are_split_and_the_raid_is_reported(new_table: Open) -> None:
    table = new_table(position=RAID, dice=[1, 5])
    table.click_unit("united-kingdom", "bomber")
    expect(table.space("germany")).to_have_attribute("aria-label", re.compile("in reach"))
    table.click_space("germany", all_of_them=True)
    window = table.page.get_by_role("dialog", name=re.compile("over Germany"))
    raiders = window.get_by_role("group", name="bombers that raid").locator("output")
    while raiders.inner_text() != "2":
        more = "More" if int(raiders.inner_text()) < 2 else "Less"
        window.get_by_role("button", name=f"{more}: bombers that raid").click()
    attackers = window.get_by_role("group", name="bombers that attack").locator("output")
    while attackers.inner_text() != "1":
        more = "More" if int(attackers.inner_text()) < 1 else "Less"
        window.get_by_role("button", name=f"{more}: bombers that attack").click()
    window.get_by_role("button", name="Send them").click()
    table.until(lambda: {p["kind"] for p in table.state()["pending"]} == {"raid", "land"})
    marks = {stack["mark"]: stack["count"] for stack in _bombers(table) if stack.get("mark")}
    assert marks == {"raid": 2}
    assert sum(stack["count"] for stack in _bombers(table)) == 3


@pytest.mark.rule("PC-SBR-03")
def test_the_raid_window_tells_bombers_and_money(new_table: Open) -> None:
    table = new_table(position=RAID, dice=[1, 4, 5], orders=("move 2 bomber: united-kingdom -> germany as raid",))
    table.done()
    report = table.page.get_by_role("dialog", name=re.compile("raid|Germany", re.I))
    expect(report.locator("dl")).to_contain_text(re.compile(r"Bombers shot down\s*1"))
    expect(report.locator("dl")).to_contain_text(re.compile(r"IPCs lost by Germany\s*5"))
    report.get_by_role("button", name="Go on").click()
    expect(table.page.get_by_role("button", name=re.compile("^Germany: 15 IPC"))).to_be_visible()


def _bombers(table: Table) -> list[dict[str, Any]]:
    return [stack for stack in table.state()["spaces"]["germany"]["units"] if stack["unit"] == "bomber"]
