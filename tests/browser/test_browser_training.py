"""Basic Training in the page: lessons can be run and left, and there is advice."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from running import Running
from table import Table


@pytest.mark.rule("PC-TUT-01")
def test_every_lesson_can_be_begun_and_left(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/training")
    begin = page.get_by_role("button", name=re.compile("^(Begin|Again|Go on): "))
    expect(begin.first).to_be_visible()
    titles = [str(button.get_attribute("aria-label")).partition(": ")[2] for button in begin.all()]
    assert len(titles) >= 6
    for title in titles:
        page.get_by_role("button", name=re.compile(f"^(Begin|Again|Go on): {re.escape(title)}$")).click()
        lesson = page.get_by_role("region", name="Lesson")
        expect(lesson.get_by_role("heading", name=title)).to_be_visible()
        lesson.get_by_role("button", name="Leave").click()
        expect(page.get_by_role("heading", level=1, name="Basic Training")).to_be_visible()


@pytest.mark.rule("PC-TUT-01", "PC-TUT-02")
def test_a_lesson_is_played_to_its_end(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/training")
    page.get_by_role("button", name=re.compile("^(Begin|Begin anew|Again): Blitz and retreat")).click()
    page.wait_for_url(re.compile("/game/"))
    table = Table(page, server, page.url.rpartition("/")[2])
    lesson = page.get_by_role("region", name="Lesson")
    expect(lesson).to_be_visible()
    track = lesson.get_by_role("progressbar")
    for _ in range(60):
        if lesson.get_by_text("Lesson complete").count():
            break
        before = track.get_attribute("aria-valuenow")
        go_on = lesson.get_by_role("button", name=re.compile("^(Next|Finish|Show me)$")).first
        expect(go_on).to_be_enabled()
        go_on.click()
        for _ in range(200):
            report = page.get_by_role("button", name="Go on", exact=True)
            if report.count():
                report.first.click()
            if track.get_attribute("aria-valuenow") != before or lesson.get_by_text("Lesson complete").count():
                break
            page.wait_for_timeout(50)
    expect(lesson.get_by_text("Lesson complete")).to_be_visible()
    assert table.state()["orders"] > 0
    lesson.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text(re.compile(r"^1 of \d+ done"))).to_be_visible()


@pytest.mark.rule("PC-TUT-01", "PC-TUT-02")
def test_a_whole_turn_is_played_as_the_lesson_asks(page: Page, server: Running) -> None:
    """Every order by the player's own hand, from passing research over to the income; nothing is shown by the coach."""
    lesson = server.call("POST", "/training/lessons/the-turn", json={"again": True})
    table = Table(page, server, lesson["game"]).open()
    coach = page.get_by_role("region", name="Lesson")
    progress = coach.get_by_role("progressbar")

    def at(step: int) -> None:
        expect(progress).to_have_attribute("aria-valuenow", str(step))

    def read(*, last: bool = False) -> None:
        coach.get_by_role("button", name="Finish" if last else "Next", exact=True).click()

    at(0)
    read()
    at(1)
    read()
    at(2)
    table.done()
    at(3)
    table.buy({"infantry": 4})
    table.click(re.compile("^Buy 4"))  # buys, and is done with buying
    at(5)
    table.move("infantry", "karelia-ssr", "ukraine-ssr")
    table.click_space("ukraine-ssr")
    table.until(lambda: table.there("ukraine-ssr").get(("ussr", "infantry")) == 2)
    table.settle()
    table.put_down()
    table.move("armor", "russia", "ukraine-ssr")
    at(6)
    table.done()
    page.get_by_role("button", name="Go on", exact=True).click()
    at(7)
    read()
    at(8)
    table.move("infantry", "russia", "karelia-ssr", all_of_them=True)
    at(9)
    table.done()
    at(10)
    table.click(re.compile("^Put all in Karelia"))
    at(11)
    table.done()
    at(12)
    read(last=True)
    expect(coach.get_by_text("Lesson complete")).to_be_visible()
    assert table.there("karelia-ssr")["ussr", "infantry"] == 7
    assert table.state()["powers"]["ussr"]["treasury"] == 12 + 27


@pytest.mark.rule("PC-TUT-02")
def test_there_is_strategic_advice(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/training")
    page.get_by_role("button", name="Strategy").click()
    advice = page.locator(".advice section")
    expect(advice.first).to_be_visible()
    assert advice.count() >= 3
