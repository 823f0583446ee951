"""The page in a real Chromium without a graphics card: what is loaded, how soon the menu is there, how the map moves.

    python -m benchmarks.page [--runs 3]

needs the built page, Playwright and Chromium, like the browser tests. A server of its own runs on a free port with a
folder of its own. The map is dragged around the world and zoomed with the wheel on every board, with its opening
position; frames are counted by the page itself. Then units are clicked, and the page tells when the spaces are lit to
which they can go.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
from playwright.sync_api import Browser, Page, sync_playwright

BOARDS = {"Classic": "classic-1942", "Anniversary": "anniversary-1941", "Global 1940": "global-1940"}
FLAGS = ["--disable-gpu", "--default-tile-width=2048", "--default-tile-height=2048"]
QUIET = {"animation": "off", "roll": "quick", "newspaper": False, "sound": 0, "music": 0}
WINDOW = {"width": 1440, "height": 900}

COUNT = """() => {
  window.frames_seen = [];
  window.tasks_seen = [];
  let last = performance.now();
  const tick = (now) => { window.frames_seen.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
  new PerformanceObserver((list) => list.getEntries().forEach((each) => window.tasks_seen.push(each.duration)))
    .observe({ entryTypes: ['longtask'] });
}"""
TAKE = """() => {
  const found = { frames: window.frames_seen.slice(3), tasks: window.tasks_seen };
  window.frames_seen = [];
  window.tasks_seen = [];
  return found;
}"""

CLICKS = """() => {
  window.clicks_seen = [];
  let click = null;
  addEventListener('click', (event) => { click = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (click === null || !document.querySelector('.lines path.light')) return;
    const began = click;
    click = null;
    // the frame in which they are painted has ended when the next one begins
    requestAnimationFrame(() => requestAnimationFrame(() => window.clicks_seen.push(performance.now() - began)));
  }).observe(document.body, { subtree: true, childList: true });
}"""
PIECES = """() => [...document.querySelectorAll('.piece.movable')].flatMap((piece) => {
  const box = piece.querySelector('.ring').getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return document.elementFromPoint(x, y)?.closest('.piece') === piece ? [[x, y]] : [];
})"""


@contextmanager
def running() -> Iterator[str]:
    """A server, as its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "sandtable.server", "--port", "0", "--no-browser", "--data-dir", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().split()[-1].rstrip("/")
            finally:
                process.terminate()


def window(browser: Browser) -> Page:
    page = browser.new_context(viewport=WINDOW).new_page()  # type: ignore[arg-type]
    page.add_init_script(
        "localStorage.setItem('sandtable.introduced', '1');"
        f"localStorage.setItem('sandtable.preferences', {json.dumps(json.dumps(QUIET))});"
    )
    return page


def first_load(browser: Browser, url: str) -> tuple[float, float, int]:
    """Milliseconds until the menu is painted, until nothing more is loaded, and bytes over the wire."""
    page = window(browser)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(url)
    page.get_by_role("button", name="New game").wait_for()
    paint = page.evaluate(
        "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()"
    )
    page.wait_for_load_state("networkidle")
    done = page.evaluate("() => performance.now()")
    page.wait_for_timeout(2500)  # what is fetched ahead while the menu rests belongs to it
    page.context.close()
    return paint, done, int(sum(sizes))


def open_board(page: Page, url: str, scenario: str) -> None:
    """A game on the board. One that cannot be played yet is shown with its opening position in the frame of another."""
    client = httpx2.Client(base_url=url, timeout=30)
    playable = {each["id"] for each in client.get("/api/scenarios").json() if each["playable"]}
    game = client.post("/api/games", json={"seed": 3, "scenario": scenario if scenario in playable else "classic-1942"})
    name = game.json()["id"]
    if scenario not in playable:
        world = client.get(f"/api/scenarios/{scenario}/world").json()
        state = client.get(f"/api/games/{name}/state").json()
        state["spaces"] = opening(world, state)
        page.route(f"**/api/games/{name}/world", lambda route: route.fulfill(json=world))
        page.route(f"**/api/games/{name}/state", lambda route: route.fulfill(json=state))
    page.goto(f"{url}/game/{name}")
    page.locator(".piece").first.wait_for(state="attached")
    sit_down(page)


def sit_down(page: Page) -> None:
    page.wait_for_timeout(800)
    asked = page.get_by_role("button", name=re.compile("^I am "))
    if asked.count():
        asked.first.click()


def opening(world: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    stack = next(stack for space in state["spaces"].values() for stack in space["units"])
    spaces = {space["id"]: {"owner": space["owner"], "units": [], "damage": {}} for space in world["spaces"]}
    for each in world["setup"]:
        counts = each["units"] if isinstance(each.get("units"), dict) else {each["unit"]: each["count"]}
        for unit, count in counts.items():
            spaces[each["space"]]["units"].append(
                {**stack, "power": each["power"], "unit": unit, "count": count, "cargo": [], "hits": 0}
            )
    return spaces


def pan(page: Page) -> Iterator[None]:
    """Four pulls to the west and back, across the edge of the map."""
    for direction in (-1, -1, 1, 1):
        page.mouse.move(700, 650)
        page.mouse.down()
        for step in range(45):
            page.mouse.move(700 + direction * step * 12, 650 + (step % 9))
        page.mouse.up()
        page.wait_for_timeout(250)
        yield


def zoom(page: Page) -> Iterator[None]:
    page.mouse.move(600, 450)
    for direction in (-1, 1, 1, -1):
        for _ in range(14):
            page.mouse.wheel(0, direction * 60)
            page.wait_for_timeout(16)
        page.wait_for_timeout(300)
        yield


def click(page: Page, times: int) -> list[float]:
    """Milliseconds from a click on units until the spaces in their reach are lit on the screen."""
    page.evaluate(CLICKS)
    places = page.evaluate(PIECES)
    for turn in range(times):
        page.mouse.move(*places[turn % len(places)])
        page.wait_for_timeout(80)
        page.mouse.click(*places[turn % len(places)])
        page.wait_for_function("(n) => window.clicks_seen.length > n", arg=turn)
        page.wait_for_timeout(100)
        page.keyboard.press("Escape")
        page.wait_for_timeout(100)
    found: list[float] = page.evaluate("() => window.clicks_seen")
    return found


def on_to_combat_moves(url: str, page: Page) -> None:
    game = page.url.rpartition("/")[2]
    client = httpx2.Client(base_url=f"{url}/api/games/{game}", timeout=30)
    while client.get("/state").json()["phase"] != "combat-move":
        client.post("/orders", json={"order": "end"}).raise_for_status()


def quantile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    chromium = os.environ.get("SANDTABLE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    flags = [*FLAGS, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else FLAGS
    with running() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        loads = [first_load(browser, url) for _ in range(runs)]
        print("| what | median | 95 of 100 within | longest |\n|---|---:|---:|---:|")
        for i, what in enumerate(("menu painted", "everything loaded")):
            times = [load[i] for load in loads]
            print(f"| {what} | {statistics.median(times):.0f} ms | | {max(times):.0f} ms |")
        print(f"| over the wire, with what is fetched ahead | {loads[0][2] / 1000:.0f} kB | | |")
        for board, scenario in BOARDS.items():
            page = window(browser)
            open_board(page, url, scenario)
            page.evaluate(COUNT)
            for what, act in (("dragged", pan), ("zoomed", zoom)):
                page.evaluate(TAKE)
                places = set()
                for _ in range(runs):
                    for _ in act(page):
                        places.add(page.locator(".map > g").first.get_attribute("transform"))
                assert len(places) > 2, "the map did not move"
                found = page.evaluate(TAKE)
                frames = found["frames"]
                print(
                    f"| {board}, {what} | {statistics.median(frames):.1f} ms | {quantile(frames, 0.95):.1f} ms "
                    f"| {max(frames):.0f} ms |"
                )
            if board != "Global 1940":  # where the first turn has few to attack
                on_to_combat_moves(url, page)
                page.reload()
                page.locator(".piece.movable").first.wait_for(state="attached")
                sit_down(page)
                times = click(page, 15 * runs)
                print(
                    f"| {board}, units clicked until the spaces are lit | {statistics.median(times):.0f} ms "
                    f"| {quantile(times, 0.95):.0f} ms | {max(times):.0f} ms |"
                )
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
