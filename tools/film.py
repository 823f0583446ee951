"""Films a battle for the README: `python -m tools.film` writes docs/pictures/battle.webp.

It needs the built page, a Chromium (see tools/chromium.sh) and `pip install --group film`. A position is set up on a
server of its own, an attack is ordered as a person would, and the window is photographed until the battle is over. A
picture of a window has no pointer, so one is drawn.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Playwright, sync_playwright

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.world.compile import compile_world

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 3_000_000  # bytes
SIZE = {"width": 1280, "height": 860}
SEATS = [
    {"name": "You", "powers": ["ussr", "uk", "usa"]},
    {"name": "Computer", "powers": ["germany", "japan"], "player": "3star"},
]
PREFERENCES = {"animation": "on", "roll": "standard", "newspaper": False, "sound": 0, "music": 0}
FROM, TO = "caucasus", "ukraine-ssr"
POSITION: dict[str, Any] = {
    "clear": [FROM, TO],
    "control": {TO: "germany"},
    "units": {
        FROM: {"ussr": {"infantry": 6, "armor": 3, "fighter": 1}},
        TO: {"germany": {"infantry": 4, "armor": 2, "fighter": 1}},
    },
    "turn": "ussr",
    "phase": "combat-move",
}
FIRST = f"move 6 infantry, 1 fighter: {FROM} -> {TO}"
ARMOR = "armor"
GO_ON = re.compile(
    r"^(fight|roll|next|go on|continue|press|take|confirm|done|attack|lose the cheapest|on$|close|read)", re.IGNORECASE
)
NEVER = re.compile(r"\ball\b|fight it out|retreat|withdraw|break off|calculator|undo|next step", re.IGNORECASE)

POINTER = """() => {
  const arrow = document.createElement('div');
  arrow.innerHTML = '<svg viewBox="0 0 24 24" width="30" height="30" fill="#fff" stroke="#000" stroke-width="1.5">'
    + '<path d="M4 2V19L8.6 14.9L11.6 21.5L14.6 20.1L11.7 13.7H18Z"/></svg>';
  arrow.popover = 'manual';
  arrow.style = 'position: fixed; inset: auto; margin: 0; padding: 0; border: 0; background: none; overflow: visible';
  arrow.style.pointerEvents = 'none';
  document.body.append(arrow);
  window.pointTo = (x, y) => {
    arrow.hidePopover();  // above whatever window was opened last
    arrow.showPopover();
    arrow.style.left = `${x - 4}px`;
    arrow.style.top = `${y - 2}px`;
  };
  window.pointTo(640, 600);
}"""
WHERE = """([space, unit]) => {
  const found = unit ? document.querySelector(`.piece[data-at="${space}"][data-unit="${unit}"] .ring`)
    : document.querySelector(`.camp:not(.attacks)`) ?? document.querySelector(`path[data-space="${space}"]`);
  const box = found.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


@contextmanager
def server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "sandtable.server", "--port", "0", "--no-browser", "--data-dir", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().split()[-1].rstrip("/")
            finally:
                process.terminate()


def chromium(playwright: Playwright) -> Browser:
    found = os.environ.get("SANDTABLE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=found, args=flags)


def opened(page: Page, url: str, game: str) -> None:
    """Open a game as somebody who has been here before and likes to see what happens."""
    page.add_init_script(
        "localStorage.setItem('sandtable.introduced', '1');"
        f"localStorage.setItem('sandtable.preferences', {json.dumps(json.dumps(PREFERENCES))});"
    )
    page.goto(f"{url}/game/{game}")
    page.get_by_role("list", name="Phases of the turn").wait_for()
    page.wait_for_timeout(1500)


class Camera:
    def __init__(self, page: Page, rate: float) -> None:
        self.page, self.every = page, 1 / rate
        self.frames: list[tuple[Image.Image, int]] = []  # picture, milliseconds

    def run(self, seconds: float) -> None:
        """Photograph for so long; what does not change is one longer picture."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.monotonic()
            shot = Image.open(io.BytesIO(self.page.screenshot(type="jpeg", quality=88))).convert("RGB")
            self.page.wait_for_timeout(max(1.0, 1000 * (self.every - (time.monotonic() - began))))
            lasts = min(1500, int(1000 * (time.monotonic() - began)))
            if self.frames and self.frames[-1][0].tobytes() == shot.tobytes():
                before = self.frames[-1]
                self.frames[-1] = before[0], min(2500, before[1] + lasts)
            else:
                self.frames.append((shot, lasts))


class Hand:
    """A person's hand: the pointer glides to where it clicks."""

    def __init__(self, page: Page, camera: Camera) -> None:
        self.page, self.camera = page, camera
        self.at = (640.0, 600.0)
        page.evaluate(POINTER)

    def go(self, x: float, y: float, steps: int = 6) -> None:
        (left, top), (wide, high) = self.at, (x - self.at[0], y - self.at[1])
        for step in range(1, steps + 1):
            part = step / steps
            eased = part * part * (3 - 2 * part)
            there = left + wide * eased, top + high * eased
            self.page.evaluate("([x, y]) => window.pointTo(x, y)", list(there))
            self.page.mouse.move(*there)
            self.camera.run(0.03)
        self.at = (x, y)

    def press(self, button: Locator) -> None:
        box = button.bounding_box()
        if box is not None:
            self.go(box["x"] + min(box["width"] / 2, 90), box["y"] + box["height"] * 0.6)
            self.camera.run(0.2)
        button.click()


def play(page: Page, camera: Camera, longest: float) -> None:
    """Order the attack, then answer whatever the battle asks, without haste."""
    hand = Hand(page, camera)
    camera.run(0.8)
    hand.go(*page.evaluate(WHERE, [FROM, ARMOR]))
    page.mouse.click(*hand.at)
    camera.run(0.7)
    hand.go(*page.evaluate(WHERE, [TO, None]))
    page.locator(".whisper").get_by_text("to win").first.wait_for()  # the odds
    camera.run(1.6)
    page.keyboard.down("Control")
    page.mouse.click(*hand.at)
    page.keyboard.up("Control")
    camera.run(1.2)
    hand.press(page.get_by_role("complementary", name="Orders").get_by_role("button", name="Done", exact=True))
    end = time.monotonic() + longest
    quiet = 0
    while time.monotonic() < end and quiet < 8:
        camera.run(0.5)
        found = _next_button(page)
        if found is None:
            quiet = 0 if page.locator("[data-step]").count() else quiet + 1
            continue
        quiet = 0
        report = page.locator("dialog[open]").count() > 0
        camera.run(3.0 if report else 0.9)
        hand.press(found)
        if report:
            break
    camera.run(1.2)


def _next_button(page: Page) -> Locator | None:
    """What a person would press to go on: in a report over the board first, then on the board."""
    for dialog in [*page.locator("dialog[open]").all(), *page.locator("[role=dialog]").all()]:
        if dialog.get_attribute("data-step"):
            continue  # something is being shown
        for button in dialog.get_by_role("button").all():
            if button.is_visible() and button.is_enabled():
                name = (button.inner_text() or button.get_attribute("aria-label") or "").strip()
                if GO_ON.search(name) and not NEVER.search(name):
                    return button
    return None


def save(frames: list[tuple[Image.Image, int]], output: Path, width: int) -> int:
    """The largest quality that fits."""
    height = round(width * SIZE["height"] / SIZE["width"])
    pictures = [frame.resize((width, height), Image.Resampling.LANCZOS) for frame, _ in frames]
    lasts = [duration for _, duration in frames]
    output.parent.mkdir(parents=True, exist_ok=True)
    for quality in (72, 60, 48, 36, 26, 18):
        made = io.BytesIO()
        pictures[0].save(
            made, "WEBP", save_all=True, append_images=pictures[1:], duration=lasts, loop=0, quality=quality, method=4
        )
        if made.tell() <= LARGEST:
            output.write_bytes(made.getvalue())
            return made.tell()
    raise SystemExit("The film does not fit 3 MB: make it shorter (--seconds) or smaller (--width).")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "pictures" / "battle.webp")
    parser.add_argument("--seconds", type=float, default=40, help="the battle may last so long")
    parser.add_argument("--rate", type=float, default=8, help="pictures a second")
    parser.add_argument("--width", type=int, default=960)
    parser.add_argument("--seed", type=int, default=4)
    chosen = parser.parse_args()
    world = compile_world("classic-1942")
    text = Game(world, seed=chosen.seed, start=patched_state(world, POSITION)).to_text()
    with server() as url, sync_playwright() as playwright:
        client = httpx2.Client(base_url=url, timeout=30)
        game = client.post("/api/games/import", json={"text": text, "seats": SEATS}).json()["id"]
        client.post(f"/api/games/{game}/orders", json={"order": FIRST}).raise_for_status()
        browser = chromium(playwright)
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        opened(page, url, game)
        camera = Camera(page, chosen.rate)
        play(page, camera, chosen.seconds)
        browser.close()
    size = save(camera.frames, chosen.output, chosen.width)
    print(f"{chosen.output}: {len(camera.frames)} pictures, {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
