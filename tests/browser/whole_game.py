"""Plays a whole game through the page: `python tests/browser/whole_game.py pacific-theater --seat japan`.

A person's seat is played by what a computer would do, given through the page as a person gives it: moves by the mouse
where two clicks say them, answers by the buttons that the page shows, everything else in words. The other seats are
computers of the server. It ends when the game is won or after so many rounds, and fails at the first error of the page,
refused order or question that nobody answers. It takes long and is no test of `make test`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from running import Running
from table import Table
from window import KEEP, PATIENCE, QUIET, Watch

from conftest import LIGHT, chromium
from sandtable.archive.game import SavedGame
from sandtable.bots import Bot, make
from sandtable.notation import format_order
from sandtable.notation.orders import AnyOrder, End, Move
from sandtable.world.compile import compile_world
from sandtable.world.model import World

GO_ON = re.compile(r"^(Go on|Close|I am .*|On with it|Continue)$")


class Driver:
    """One person at one window."""

    def __init__(self, table: Table, bot: str, every: int) -> None:
        self.table = table
        self.page: Page = table.page
        self.bots: dict[str, Bot] = {}
        self.bot = bot
        self.every = every  # of so many moves one is made with the mouse: it takes its time
        self.game: SavedGame | None = None
        self.given = self.clicked = self.pressed = 0

    def own(self) -> bool:
        question = self.table.state().get("decision")
        return question is not None and question["player"] == "human"

    def wanted(self) -> tuple[AnyOrder, str]:
        """What a computer would do in this position."""
        text = self.table.server.call("GET", f"/games/{self.table.game}/export")["text"]
        self.game = game = SavedGame.from_text(text)
        question = game.decision
        assert question is not None
        bot = self.bots.setdefault(question.power, make(self.bot, f"page/{question.power}"))
        order = bot.decide(game.view(game.seat_of(question.power)), game.legal, question)
        return order, format_order(order)

    def step(self) -> None:
        """Give one order; ends when the page shows what came of it."""
        self.catch_up()
        before = self.table.state()["version"]
        order, text = self.wanted()
        print(f"          {text}", flush=True)
        self.given += 1
        if isinstance(order, Move) and self.given % self.every == 0 and self.by_mouse(order, before):
            self.clicked += 1
        elif self.by_button(order, text):
            self.pressed += 1
        else:
            self.in_words(text)
        try:
            self.table.until(lambda: self.table.state()["version"] > before, 60)
        except AssertionError as error:
            shown = self.page.evaluate("() => ({ ...document.querySelector('main.game')?.dataset })")
            told = self.page.locator("[role=alert], .toast").all_inner_texts()
            raise AssertionError(f"{text}: version {before}, the page shows {shown}, and says {told}") from error

    def read_on(self) -> bool:
        """Close a report of a battle, or say who sits down."""
        button = self.page.get_by_role("button", name=GO_ON)
        if not button.count():
            return False
        button.first.click()
        return True

    def catch_up(self) -> None:
        """Read what battles came to, say who sits down, and wait until the page shows what the server has."""
        for _ in range(600):
            self.read_on()
            shown = self.page.evaluate("() => ({ ...document.querySelector('main.game')?.dataset })")
            if shown.get("version") == str(self.table.state()["version"]) and "busy" not in shown:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("the page does not come to rest")

    def by_mouse(self, order: Move, before: int) -> bool:
        """Pick one unit up and click where it goes, if that says the whole order."""
        if len(order.units) != 1 or len(order.route) != 2 or order.role is not None or order.units[0].marks:
            return False
        unit, start, end = order.units[0].type, order.route[0], order.route[-1]
        self.page.wait_for_timeout(150)
        while self.read_on():  # a report may come a moment later
            self.page.wait_for_timeout(150)
        try:
            self.table.click_unit(start, unit)
            self.table.click_space(end)
        except AssertionError:
            self.table.put_down()
            return False
        for _ in range(60):
            if self.table.state()["version"] > before:
                self.table.put_down()
                return True
            self.page.wait_for_timeout(50)
        self.table.put_down()
        return False

    def by_button(self, order: AnyOrder, text: str) -> bool:
        question = self.table.state()["decision"]
        label = next((choice["label"] for choice in question["choices"] if choice["order"] == text), None)
        names = [label] if label else []
        if isinstance(order, End):
            names += ["Done", "Skip"]
        if question["kind"] == "casualties" and self.table.battle.count():
            names.append("Lose the cheapest")
        for name in names:
            button = self.page.get_by_role("button", name=name, exact=True)
            if button.count() == 1 and button.is_enabled():
                button.click()
                sure = self.page.get_by_role("dialog", name=re.compile("^End "))
                self.page.wait_for_timeout(30)
                if sure.count():
                    sure.get_by_role("button", name=re.compile("^End it")).click()
                return True
        return False

    def in_words(self, text: str) -> None:
        line = self.page.get_by_label("Order in words")
        for _ in range(5):
            self.page.wait_for_timeout(150)
            while self.read_on():  # a report may come a moment later
                self.page.wait_for_timeout(150)
            if not line.is_visible():
                self.page.get_by_text("Type an order").click()
            line.fill(text)
            if not self.read_on() and line.input_value() == text:
                break
        line.press("Enter")


def play(driver: Driver, rounds: int, pictures: Path | None) -> str:
    """Until somebody has won, or the last round is over."""
    table, seen, began = driver.table, 0, time.monotonic()
    while True:
        state = table.state()
        if state.get("decision") is None or state["round"] > rounds:
            return "won" if state.get("decision") is None else f"round {rounds} is over"
        if state["round"] != seen:
            seen = state["round"]
            print(f"{time.monotonic() - began:6.0f} s  round {seen}, {driver.given} orders given", flush=True)
            if pictures:
                table.page.screenshot(path=pictures / f"round-{seen:02}.png")
        if driver.own():
            driver.step()
        else:
            version = state["version"]
            table.until(lambda version=version: table.state()["version"] > version or driver.own(), 240)


def seating(world: World, own: frozenset[str], player: str) -> list[dict[str, Any]]:
    """The page on its powers, computers on the others: as a preset has it, else each power for itself."""
    presets = [groups for groups in world.seats.presets.values() if any(frozenset(group) == own for group in groups)]
    alone = (tuple(p for p in world.seated if p in own), *((p,) for p in world.seated if p not in own))
    return [
        {"name": "The page", "powers": list(group)}
        if frozenset(group) == own
        else {"name": f"Computer {number}", "powers": list(group), "player": player}
        for number, group in enumerate(max(presets, key=len, default=alone), 1)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario")
    parser.add_argument("--seat", action="append", required=True, help="a power that the page plays")
    parser.add_argument("--bot", default="5star", help="whose orders are given through the page")
    parser.add_argument("--others", default="4star", help="who plays the other powers")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mouse", type=int, default=7, help="of so many moves one is made with the mouse")
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args()
    options: dict[str, Any] = {k: json.loads(v) for k, v in (each.split("=", 1) for each in asked.option)}
    seats = seating(compile_world(asked.scenario, options), frozenset(asked.seat), asked.others)
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Running(Path(folder))
        flags = [*LIGHT, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else list(LIGHT)
        window = playwright.chromium.launch(executable_path=chromium(), args=flags)
        page = window.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.add_init_script(KEEP % json.dumps({"introduced": True, "preferences": QUIET}))
        watch.on(page)
        body = {"scenario": asked.scenario, "options": options, "seed": asked.seed, "seats": seats}
        game = server.call("POST", "/games", json=body)["id"]
        driver = Driver(Table(page, server, game).open(), asked.bot, asked.mouse)
        try:
            ending = play(driver, asked.rounds, asked.pictures)
        except Exception:
            page.screenshot(path="whole-game-failed.png")
            Path("whole-game-failed.sandtable").write_text(server.call("GET", f"/games/{game}/export")["text"], "utf-8")
            raise
        finally:
            print("\n".join(watch.unexpected()))
        if asked.pictures:
            page.wait_for_timeout(1500)
            page.screenshot(path=asked.pictures / "end.png")
        state = driver.table.state()
        server.stop()
    counts = f"{driver.given} orders, {driver.clicked} with the mouse, {driver.pressed} by buttons"
    print(f"{ending}: {state.get('winner')}, round {state['round']}; {counts}; {len(watch.unexpected())} errors")
    return 1 if watch.unexpected() else 0


if __name__ == "__main__":
    sys.exit(main())
