"""Takes the README's pictures of the page anew: `python -m tools.pictures` writes into docs/pictures.

Like the film it needs the built page, a Chromium and `pip install --group film`. Each picture is of a position on a
server of its own, opened and used as a person would.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.world.compile import compile_world
from tools.film import ROOT, WHERE, chromium, opened, server

SIZE = {"width": 1440, "height": 900}
COLOURS = 256  # of a picture: the page has few, and a small file is looked at sooner
FROM, TO = "karelia-ssr", "eastern-europe"
ATTACK: dict[str, Any] = {
    "clear": [FROM, TO],
    "units": {
        FROM: {"ussr": {"infantry": 6, "armor": 4, "fighter": 2, "aa-gun": 1, "industrial-complex": 1}},
        TO: {"germany": {"infantry": 4, "armor": 2, "fighter": 1, "aa-gun": 1}},
    },
    "turn": "ussr",
    "phase": "combat-move",
}
GROUND = f"move 5 infantry, 3 armor: {FROM} -> {TO}"
CHANNEL: dict[str, Any] = {
    "clear": ["sz-110", "sz-111", "sz-112"],
    "units": {"sz-112": {"germany": {"battleship": 1, "cruiser": 1}}, "sz-110": {"uk": {"destroyer": 1}}},
    "damage": {"united-kingdom": {"air-base": 2, "minor-complex": 3}},
    "turn": "germany",
    "phase": "combat-move",
}
SHEET = "attack=5.infantry_3.armor_2.fighter&defend=4.infantry_2.armor_1.fighter_1.aa-gun"


class Studio:
    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.client = httpx2.Client(base_url=f"{url}/api", timeout=60)

    def game(
        self,
        position: dict[str, Any],
        *orders: str,
        scenario: str = "classic-1942",
        others: tuple[str, ...] = ("germany", "japan"),
        seed: int = 0,
    ) -> str:
        """A game in a position, between a person and the computer."""
        world = compile_world(scenario)
        text = Game(world, seed=seed, start=patched_state(world, position)).to_text()
        mine = [power for power in world.order if power not in others]
        seats = [
            {"name": "You", "powers": mine},
            {"name": "Computer", "powers": list(others), "player": "random"},
        ]
        made: str = self.client.post("/games/import", json={"text": text, "seats": seats}).json()["id"]
        for order in orders:
            self.client.post(f"/games/{made}/orders", json={"order": order}).raise_for_status()
        return made

    def open(self, game: str) -> None:
        opened(self.page, self.url, game)

    def question(self, game: str) -> dict[str, Any]:
        """What the person is asked, once the computer has answered."""
        while True:
            found: dict[str, Any] = self.client.get(f"/games/{game}/state").json()["decision"]
            if found["player"] == "human":
                return found
            time.sleep(0.05)


def game_screen(studio: Studio) -> None:
    """An attack that is being planned: the odds with and without the fighters, and where they could land."""
    studio.open(studio.game(ATTACK, GROUND))
    page = studio.page
    page.mouse.click(*page.evaluate(WHERE, [FROM, "fighter"]))
    page.wait_for_timeout(600)
    page.mouse.move(*page.evaluate(WHERE, [TO, None]))
    page.wait_for_timeout(1500)


def battle_board(studio: Studio) -> None:
    """Two hits to hand out."""
    orders = (GROUND, f"move 2 fighter: {FROM} -> {TO}", "end")
    games = (studio.game(ATTACK, *orders, seed=seed) for seed in range(200))
    asked = ((game, studio.question(game)) for game in games)
    game = next(game for game, question in asked if question["kind"] == "casualties" and question["count"] == 2)
    studio.open(game)
    studio.page.wait_for_timeout(1500)


def global_europe(studio: Studio) -> None:
    """London is asked whether its fighters scramble."""
    move = "move 1 battleship, 1 cruiser: sz-112 -> sz-110"
    studio.open(studio.game(CHANNEL, move, "end", scenario="global-1940", others=("china",)))
    studio.page.get_by_text(re.compile(r"Played out \d+ times")).wait_for(timeout=60_000)


def calculator(studio: Studio) -> None:
    studio.page.goto(f"{studio.url}/calculator?{SHEET}")
    studio.page.get_by_text("Swing").wait_for()
    studio.page.wait_for_timeout(800)


PICTURES: dict[str, Callable[[Studio], None]] = {
    "game-screen": game_screen,
    "battle-board": battle_board,
    "global-europe": global_europe,
    "calculator": calculator,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", nargs="*", default=list(PICTURES), metavar="picture", help=", ".join(PICTURES))
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "pictures")
    chosen = parser.parse_args()
    with server() as url, sync_playwright() as playwright:
        browser = chromium(playwright)
        for name in chosen.pictures:
            page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
            PICTURES[name](Studio(page, url))
            path = chosen.output / f"{name}.png"
            page.screenshot(path=path)
            page.close()
            Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
