"""Films a battle for the README: `python -m tools.film` writes docs/pictures/battle.webp.

It needs the built page, a Chromium (see tools/chromium.sh) and `pip install --group film`. A position is set up on a
server of its own, an attack is ordered as a person would, and the window is photographed until the battle is over.
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
from playwright.sync_api import Page, sync_playwright

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.world.compile import compile_world

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 3_000_000  # bytes
SIZE = {"width": 1200, "height": 750}
SEATS = [
    {"name": "You", "powers": ["ussr", "uk", "usa"]},
    {"name": "Computer", "powers": ["germany", "japan"], "player": "3star"},
]
POSITION: dict[str, Any] = {
    "units": {
        "karelia-ssr": {"ussr": {"infantry": 8, "armor": 4, "fighter": 2, "industrial-complex": 1}},
        "eastern-europe": {"germany": {"infantry": 4, "armor": 2, "fighter": 1, "aa-gun": 1}},
    },
    "turn": "ussr",
    "phase": "combat-move",
}
ATTACK = "move 7 infantry, 4 armor, 2 fighter: karelia-ssr -> eastern-europe"
GO_ON = re.compile(
    r"^(fight|roll|next|go on|continue|press|take|confirm|done|attack|cheapest|on$|close|read)", re.IGNORECASE
)
NEVER = re.compile(r"\ball\b|fight it out|retreat|withdraw|break off|calculator|undo", re.IGNORECASE)


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


def play(page: Page, camera: Camera, longest: float) -> None:
    """Order the attack, then answer whatever the battle asks, without haste."""
    camera.run(1.2)
    page.get_by_role("complementary", name="Orders").get_by_role("button", name="Done", exact=True).click()
    end = time.monotonic() + longest
    quiet = 0
    while time.monotonic() < end and quiet < 4:
        camera.run(1.4)
        dialogs = page.locator("dialog[open], [role=dialog]")
        found = None
        for dialog in dialogs.all():
            buttons = [b for b in dialog.get_by_role("button").all() if b.is_visible() and b.is_enabled()]
            named = [(b, (b.inner_text() or b.get_attribute("aria-label") or "").strip()) for b in buttons]
            found = next((b for b, name in named if GO_ON.search(name) and not NEVER.search(name)), found)
        if found is None:
            quiet += 1
            continue
        quiet = 0
        found.click()
    camera.run(1.5)


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
    parser.add_argument("--seconds", type=float, default=24, help="the battle may last so long")
    parser.add_argument("--rate", type=float, default=6, help="pictures a second")
    parser.add_argument("--width", type=int, default=960)
    parser.add_argument("--seed", type=int, default=11)
    chosen = parser.parse_args()
    world = compile_world("classic-1942")
    text = Game(world, seed=chosen.seed, start=patched_state(world, POSITION)).to_text()
    chromium = os.environ.get("SANDTABLE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    preferences = {"animation": "on", "roll": "standard", "newspaper": False, "sound": 0, "music": 0}
    with server() as url, sync_playwright() as playwright:
        client = httpx2.Client(base_url=url, timeout=30)
        game = client.post("/api/games/import", json={"text": text, "seats": SEATS}).json()["id"]
        client.post(f"/api/games/{game}/orders", json={"order": ATTACK}).raise_for_status()
        flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
        page.add_init_script(
            "localStorage.setItem('sandtable.introduced', '1');"
            f"localStorage.setItem('sandtable.preferences', {json.dumps(json.dumps(preferences))});"
        )
        page.goto(f"{url}/game/{game}")
        page.get_by_role("list", name="Phases of the turn").wait_for()
        page.wait_for_timeout(1500)
        camera = Camera(page, chosen.rate)
        play(page, camera, chosen.seconds)
        browser.close()
    size = save(camera.frames, chosen.output, chosen.width)
    print(f"{chosen.output}: {len(camera.frames)} pictures, {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
