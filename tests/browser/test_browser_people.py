"""Several people, each with a browser of their own, at one server: from the menu to the map."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from window import KEEP, PATIENCE, QUIET, Watch


class Shared:
    """`sandtable serve` in a process of its own."""

    def __init__(self, folder: Path) -> None:
        environment = {
            **os.environ, "SANDTABLE_RATE": "100000", "SANDTABLE_BUNDLE": "0.3", "SANDTABLE_PRIVATE_WEBHOOKS": "yes",
        }  # fmt: skip
        if page := os.environ.get("SANDTABLE_PAGE"):
            environment["SANDTABLE_STATIC_DIR"] = page
        command = [sys.executable, "-m", "sandtable", "serve", "--port", "0", "--data-dir", str(folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    running = Shared(tmp_path_factory.mktemp("shared"))
    yield running
    running.stop()


Arrive = Callable[[str], Page]


@pytest.fixture
def arrive(browser: Browser, shared: Shared, watch: Watch) -> Iterator[Arrive]:
    """Somebody with a browser of his own, who has said his name."""
    contexts = []
    watch.expect(r"/api/links/")  # a table that is full

    def make(name: str) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(KEEP % json.dumps({"introduced": True, "preferences": QUIET}))
        watch.on(page)
        page.goto(f"{shared.url}/multiplayer")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("heading", level=1, name="Multi-player game")).to_be_visible()
        return page

    yield make
    for context in contexts:
        context.close()
    assert not watch.unexpected()


def host(page: Page, way: str = "Internet", name: str = "Friday") -> str:
    """Host a game; the link by which others come."""
    page.get_by_role("group", name="Connection").get_by_role("button", name=way).click()
    page.get_by_label("Name of the game").fill(name)
    page.get_by_role("button", name=re.compile("Host a game|Wait for a call")).click()
    expect(page.get_by_role("heading", level=1, name=f"Setting up: {name}")).to_be_visible()
    return page.locator("[data-link=join]").inner_text()


def follow(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_role("list", name="Player list")).to_be_visible()


def players(page: Page) -> list[str]:
    rows = page.get_by_role("list", name="Player list").get_by_role("listitem")
    return [re.sub(r"\s*(host|player|spectator).*", "", text).strip() for text in rows.all_inner_texts()]


def give(page: Page, power: str, who: str) -> None:
    page.get_by_label(f"Who plays {power}").select_option(label=who)


@pytest.mark.rule("PC-MNU-05", "PC-NET-01")
def test_the_menu_offers_the_connections(browser: Browser, shared: Shared, arrive: Arrive) -> None:
    page = arrive("Ann")
    page.goto(shared.url)
    page.get_by_role("button", name="Multi-player game").click()
    ways = page.get_by_role("group", name="Connection").get_by_role("button")
    expect(ways).to_have_count(5)
    for way in ("This computer", "Local network", "Internet", "By mail", "Direct call"):
        expect(ways.filter(has_text=way)).to_have_count(1)


@pytest.mark.rule("PC-MNU-05", "PC-NET-07", "PC-NET-16")
def test_five_people_meet_and_one_goes(arrive: Arrive, watch: Watch) -> None:
    watch.expect(r"/begin")  # before everything is given
    ann, *others = (arrive(name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve"))
    link = host(ann, name="Five")
    for page in others:
        follow(page, link)
    for page in (ann, *others):
        expect(page.get_by_role("list", name="Player list").get_by_role("listitem")).to_have_count(5)
    assert players(ann) == ["Ann", "Bob", "Cleo", "Dan", "Eve"]
    for power, who in zip(
        ("U.S.S.R.", "Germany", "United Kingdom", "Japan"), ("Ann", "Bob", "Cleo", "Dan"), strict=True
    ):
        give(ann, power, who)
    give(ann, "United States", "Eve")
    eve = others[-1]
    expect(eve.get_by_role("region", name="Country assignments")).not_to_contain_text("nobody yet")
    eve.get_by_role("button", name="Cancel", exact=True).click()
    expect(eve.get_by_role("heading", level=1, name="Multi-player game")).to_be_visible()
    expect(ann.get_by_role("list", name="Player list").get_by_role("listitem")).to_have_count(4)
    expect(ann.get_by_label("Who plays United States")).to_have_value("-:")
    ann.get_by_role("button", name="Begin", exact=True).click()
    expect(ann.get_by_role("alert")).to_contain_text("Nobody plays United States")
    give(ann, "United States", "Ann")
    ann.get_by_role("button", name="Begin", exact=True).click()
    for page in (ann, *others[:-1]):
        expect(page.get_by_role("button", name=re.compile("U.S.S.R., its turn"))).to_be_visible()


@pytest.mark.rule("PC-NET-02")
def test_a_game_on_the_network_is_found_without_an_address(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    host(ann, "Local network", "In the next room")
    bob.get_by_role("group", name="Connection").get_by_role("button", name="Local network").click()
    bob.get_by_role("button", name="Join In the next room").click()
    expect(bob.get_by_role("list", name="Player list")).to_contain_text("Ann")
    expect(ann.get_by_role("list", name="Player list")).to_contain_text("Bob")


@pytest.mark.rule("PC-NET-03", "PC-NET-04", "PC-NET-05", "PC-NET-06")
def test_a_direct_call_and_the_list_of_addresses(arrive: Arrive) -> None:
    ann, bob, cleo = arrive("Ann"), arrive("Bob"), arrive("Cleo")
    link = host(ann, "Direct call", "A call")
    bob.get_by_role("group", name="Connection").get_by_role("button", name="Direct call").click()
    bob.get_by_label("Address or link").fill(link)
    bob.get_by_role("button", name="Add", exact=True).click()
    bob.reload()  # the program is started again
    bob.get_by_role("group", name="Connection").get_by_role("button", name="Direct call").click()
    bob.get_by_role("list", name="Saved addresses").get_by_role("button", name=link, exact=True).click()
    bob.get_by_role("button", name="Dial").click()
    expect(bob.get_by_role("heading", level=1, name="Setting up: A call")).to_be_visible()
    expect(ann.get_by_role("list", name="Player list")).to_contain_text("Bob")
    cleo.goto(link)
    expect(cleo.get_by_role("alert")).to_contain_text("takes 2 people")


@pytest.mark.rule("PC-NET-07", "PC-NET-08", "PC-NET-12", "PC-NET-20")
def test_players_messages_and_an_ejection(arrive: Arrive) -> None:
    ann, bob, cleo = arrive("Ann"), arrive("Bob"), arrive("Cleo")
    link = host(ann)
    follow(bob, link)
    follow(cleo, link)
    expect(ann.get_by_role("list", name="Player list").get_by_role("listitem")).to_have_count(3)
    assert players(ann) == ["Ann", "Bob", "Cleo"]
    expect(bob.get_by_role("region", name="Communication")).to_contain_text("Nobody supervises what is said here")
    bob.get_by_label("Message").fill("Good evening")
    bob.keyboard.press("Enter")
    for page in (ann, bob, cleo):
        expect(page.get_by_role("region", name="Chat")).to_contain_text("Bob: Good evening")
    ann.get_by_role("radio", name="Cleo").check()
    ann.get_by_role("button", name="Eject From Game").click()
    expect(cleo.get_by_role("alert")).to_contain_text("The host has removed you from this game.")
    expect(ann.get_by_role("list", name="Player list").get_by_role("listitem")).to_have_count(2)


@pytest.mark.rule("PC-NET-09", "PC-NET-10", "PC-NET-11", "PC-NET-13", "PC-NET-14", "PC-NET-15", "PC-NET-16")
@pytest.mark.rule("PC-NET-17", "PC-NET-18", "PC-NET-19")
def test_from_the_set_up_to_the_map(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    follow(bob, host(ann))
    expect(ann.get_by_role("list", name="Player list")).to_contain_text("Bob")
    for power in ("Germany", "Japan"):
        give(ann, power, "Bob")
    given = bob.get_by_role("region", name="Country assignments").get_by_role("listitem")
    expect(given.filter(has_text="Japan")).to_contain_text("Bob")
    expect(given.filter(has_text="Germany")).to_contain_text("Bob")
    give(ann, "U.S.S.R.", "Ann")
    give(ann, "United Kingdom", "Recruit, 0 stars")
    give(ann, "United States", "Recruit, 0 stars")
    expect(given.filter(has_text="United States")).to_contain_text("computer")

    variants = bob.get_by_role("region", name="Rule Variants")
    expect(variants).to_contain_text("Everything is as usual")
    ann.get_by_role("button", name="Edit Options").click()
    ann.get_by_role("dialog").get_by_role("switch", name="Second edition rules", exact=True).click()
    ann.get_by_role("dialog").get_by_role("button", name="Done", exact=True).click()
    expect(variants).to_contain_text(re.compile("Second Edition.*on", re.IGNORECASE))
    ann.get_by_role("button", name="Reset", exact=True).click()
    expect(variants).to_contain_text("Everything is as usual")
    table = ann.url.rpartition("/")[2]
    ann.get_by_role("button", name="Edit Options").click()
    ann.get_by_role("dialog").get_by_role("switch", name="Second edition rules", exact=True).click()
    ann.get_by_role("button", name=re.compile("^Unit edit")).click()
    edit = ann.get_by_role("dialog", name="Unit edit")
    edit.get_by_role("button", name="More: price of infantry").click()
    edit.get_by_role("button", name="Done", exact=True).click()
    ann.get_by_role("dialog", name="Options").get_by_role("button", name="Done", exact=True).click()
    expect(variants).to_contain_text("Units were edited")
    expect(variants).to_contain_text(re.compile("Second Edition.*on", re.IGNORECASE))

    ann.get_by_role("button", name="Help", exact=True).click()
    expect(ann.get_by_role("dialog", name="Setting up a game with others")).to_be_visible()
    ann.keyboard.press("Escape")
    ann.get_by_role("button", name="Begin", exact=True).click()
    for page in (ann, bob):
        expect(page.locator(".game")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("U.S.S.R., its turn"))).to_be_visible()
    held = bob.evaluate("async table => (await (await fetch(`/api/games/${table}`)).json()).options", table)
    assert held["second_edition"] is True
    expect(ann.get_by_role("button", name="Done", exact=True)).to_be_visible()
    expect(bob.get_by_role("button", name="Done", exact=True)).to_have_count(0)  # not his turn

    bob.keyboard.press("c")
    window = bob.get_by_role("dialog", name="Chat window")
    expect(window.get_by_label("Message")).to_be_focused()
    bob.keyboard.type("Once more: c is a letter")
    bob.keyboard.press("Enter")
    expect(window).to_be_visible()
    expect(window).to_contain_text("Bob: Once more: c is a letter")
    expect(ann.get_by_role("button", name="Chat (1)")).to_be_visible()
    ann.keyboard.press("c")
    expect(ann.get_by_role("dialog", name="Chat window")).to_contain_text("Once more: c is a letter")
    bob.keyboard.press("Escape")
    expect(window).to_have_count(0)
    bob.keyboard.press("u")  # the game hears keys again
    expect(bob.get_by_role("dialog", name=re.compile("Unit"))).to_be_visible()
    bob.keyboard.press("Escape")
    ann.keyboard.press("Escape")

    company = {"Ann": ann, "Bob": bob}
    for power, title in (("germany", "Germany"), ("japan", "Japan")):  # both turns are Bob's
        answers(company, table, lambda state, power=power: state["turn"] == power and state["phase"] == "purchase")
        bob.reload()  # his answers to battles did not come from the page, which would show them
        expect(bob.get_by_role("button", name=re.compile(f"{title}, its turn"))).to_be_visible()
        expect(bob.get_by_role("button", name="Done", exact=True)).to_be_visible()
        expect(bob.get_by_role("listitem").filter(has_text="Infantry").locator(".price")).to_have_text("4")
        expect(ann.get_by_role("button", name="Done", exact=True)).to_have_count(0)
    answers(company, table, lambda state: state["round"] == 2)  # with all five


def test_going_back_is_offered(arrive: Arrive) -> None:
    ann, bob = arrive("Ann"), arrive("Bob")
    follow(bob, host(ann, name="Consent"))
    expect(ann.get_by_role("list", name="Player list")).to_contain_text("Bob")
    for power in ("U.S.S.R.", "United Kingdom", "United States"):
        give(ann, power, "Ann")
    for power in ("Germany", "Japan"):
        give(ann, power, "Bob")
    expect(bob.get_by_role("region", name="Country assignments").get_by_text("Bob")).to_have_count(2)
    ann.get_by_role("button", name="Begin", exact=True).click()
    expect(ann.locator(".game[data-version='0']")).to_be_visible()
    ann.get_by_role("button", name="Done", exact=True).click()
    expect(bob.locator(".game[data-version='1']")).to_be_visible()
    ann.get_by_role("button", name="Table", exact=True).click()
    ann.get_by_role("button", name="Go back one order").click()
    offers = bob.get_by_role("region", name="Offers")
    expect(offers).to_contain_text("Ann would like to go back to order 0.")
    offers.get_by_role("button", name="Agree").click()
    expect(bob.locator(".game[data-version='2']")).to_be_visible()
    expect(offers).to_have_count(0)


class Letters:
    """An address at which posts arrive."""

    def __init__(self) -> None:
        self.found: list[str] = []
        letters = self.found

        class Box(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                letters.append(json.loads(self.rfile.read(int(self.headers["content-length"])))["text"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Box)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


ASK = """async ([game, order]) => {
  const path = `/api/games/${game}`;
  if (order !== null) {
    const body = JSON.stringify({order});
    await fetch(`${path}/orders`, {method: "POST", headers: {"content-type": "application/json"}, body});
  }
  const state = await (await fetch(`${path}/state`)).json();
  const question = state.decision;
  return {round: state.round, turn: state.turn, phase: state.phase, seat: question?.seat,
          orders: question?.orders ?? [], answers: question?.answers ?? [],
          suggestion: question?.suggestion, player: question?.player};
}"""


def answers(company: dict[str, Page], game: str, until: Callable[[dict[str, Any]], bool]) -> None:
    """Whoever is asked answers in his own browser until it is enough: a battle asks others in the middle of a turn."""
    deadline = time.monotonic() + 200
    asked, order = next(iter(company)), None
    while time.monotonic() < deadline:
        state: dict[str, Any] = company[asked].evaluate(ASK, [game, order])
        if until(state):
            return
        order = None
        if state["player"] == "human":
            if state["seat"] != asked:
                asked = state["seat"]
            else:
                order = state["suggestion"] or ("end" if "end" in state["answers"] else (state["orders"] or ["end"])[0])
        else:
            company[asked].wait_for_timeout(100)
    raise AssertionError(f"{asked} waits for ever: {state}")


def test_three_people_and_two_computers_one_of_them_by_mail(shared: Shared, arrive: Arrive, watch: Watch) -> None:
    ann, bob, cleo = arrive("Ann"), arrive("Bob"), arrive("Cleo")
    letters = Letters()
    try:
        link = host(ann, "By mail", "A long war")
        follow(bob, link)
        follow(cleo, link)
        cleo.goto(f"{shared.url}/multiplayer")
        cleo.get_by_role("button", name="Profile").click()
        cleo.get_by_label("Webhook").fill(letters.url)
        cleo.get_by_role("button", name="Keep", exact=True).click()
        expect(cleo.get_by_role("dialog").get_by_role("status")).to_have_text("It is kept.")
        cleo.goto(f"{shared.url}/rules")  # and goes away: the game comes by mail
        for power, who in (("U.S.S.R.", "Ann"), ("Germany", "Bob"), ("United Kingdom", "Cleo")):
            give(ann, power, who)
        for power in ("Japan", "United States"):
            give(ann, power, "Recruit, 0 stars")
        expect(bob.get_by_role("region", name="Country assignments")).not_to_contain_text("nobody yet")
        table = ann.url.rpartition("/")[2]
        ann.get_by_role("button", name="Begin", exact=True).click()
        for page in (ann, bob):
            expect(page.locator(".game")).to_be_visible()
        company = {"Ann": ann, "Bob": bob, "Cleo": cleo}
        answers(company, table, lambda state: state["turn"] == "uk")
        deadline = time.monotonic() + 20
        while not letters.found:
            assert time.monotonic() < deadline, "nobody wrote to Cleo"
            ann.wait_for_timeout(100)
        assert "A long war: you are asked as United Kingdom." in letters.found[0]
        cleo.goto(f"{shared.url}/game/{table}")
        expect(cleo.get_by_role("button", name=re.compile("United Kingdom, its turn"))).to_be_visible()
        answers(company, table, lambda state: state["turn"] != "uk")
        cleo.goto(f"{shared.url}/rules")
        answers(company, table, lambda state: state["round"] == 2 and state["turn"] == "uk")
    finally:
        letters.close()


def test_what_one_settles_for_oneself_at_a_table(arrive: Arrive) -> None:
    """Standing orders, days off, silence, and whom one does not hear: kept by the server."""
    ann, bob = arrive("Ann"), arrive("Bob")
    follow(bob, host(ann, "By mail", "Settled"))
    expect(ann.get_by_role("list", name="Player list")).to_contain_text("Bob")
    ann.get_by_label("Time is up").select_option(label="Standing orders answer")
    expect(bob.get_by_role("region", name="Rule Variants")).to_contain_text("standing orders answer")
    for power in ("U.S.S.R.", "United Kingdom", "United States"):
        give(ann, power, "Ann")
    for power in ("Germany", "Japan"):
        give(ann, power, "Bob")
    expect(bob.get_by_role("region", name="Country assignments").get_by_text("Bob")).to_have_count(2)
    ann.get_by_role("button", name="Begin", exact=True).click()
    expect(bob.locator(".game")).to_be_visible()
    expect(bob.get_by_text("Waiting for Ann.")).to_be_visible()
    expect(bob.get_by_role("button", name="Stop the computer")).to_have_count(0)  # it is a person's turn
    expect(ann.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    ann.keyboard.press("c")
    ann.get_by_role("dialog", name="Chat window").get_by_label("Message").fill("Hurry up")
    ann.keyboard.press("Enter")
    bob.get_by_role("button", name="Chat (1)").click()
    bob.get_by_role("button", name="Mute Ann").click()
    bob.keyboard.press("Escape")

    bob.get_by_role("button", name="Table", exact=True).click()
    window = bob.get_by_role("dialog", name="The table")
    expect(window.get_by_role("list", name="At the table")).to_contain_text("10 d 0:00:00")
    window.get_by_label("Retreat").select_option(index=1)
    window.get_by_label("Tell me when this game waits for me").uncheck()
    window.get_by_label("Days off").fill("3")
    window.get_by_role("button", name="Stop my clock").click()
    expect(window).to_contain_text("11 days left")
    bob.reload()
    bob.get_by_role("button", name="Table", exact=True).click()
    expect(window).to_contain_text("11 days left")
    expect(window.get_by_label("Tell me when this game waits for me")).not_to_be_checked()
    expect(window.get_by_label("Retreat")).not_to_have_value("")
    window.get_by_role("button", name="Hear Ann again").click()
    expect(window.get_by_role("button", name="Hear Ann again")).to_have_count(0)


def test_a_program_gets_a_token_and_is_signed_out(arrive: Arrive) -> None:
    ann = arrive("Ann")
    ann.get_by_role("button", name="Profile").click()
    profile = ann.get_by_role("dialog", name="Your profile")
    signed_in = profile.get_by_role("list", name="Signed in").get_by_role("listitem")
    expect(signed_in).to_have_count(1)
    expect(signed_in).to_contain_text("Chrome on Linux")
    profile.get_by_label("Name of a program").fill("my bot")
    profile.get_by_role("button", name="Make a token").click()
    token = profile.get_by_role("status").locator("code").inner_text()
    ask = """async token => {
      const headers = {authorization: `Bearer ${token}`};
      return (await fetch("/api/me", {credentials: "omit", headers})).status;
    }"""
    assert ann.evaluate(ask, token) == 200
    signed_in.filter(has_text="Program: my bot").get_by_role("button", name="Sign out").click()
    expect(signed_in).to_have_count(1)
