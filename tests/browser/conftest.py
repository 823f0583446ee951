"""A real Chromium on a real server. Every test has a window of its own and games of its own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from running import PAIR, Running
from running import position as position_text
from table import Table
from window import KEEP, PATIENCE, QUIET, Open, Watch

from sandtable.server import page as built_page

LIGHT = (
    # The map in a few large tiles, as on a graphics card: small ones cost more without it.
    "--default-tile-width=2048",
    "--default-tile-height=2048",
    # A whole Chromium loads two pages of suggestions for its address bar with every window. The list takes the place of
    # Playwright's, of which is repeated what concerns a page on this machine or keeps the browser from calling others.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PaintHolding,MediaRouter,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
)
"""What spares work that no test looks at."""


def chromium() -> str:
    named = os.environ.get("SANDTABLE_CHROMIUM")
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = named or next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(
            "The browser tests need Chromium: install it (on Debian: apt-get install chromium) or set "
            "SANDTABLE_CHROMIUM to its path.",
            pytrace=False,
        )
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if "SANDTABLE_PAGE" not in os.environ and not built_page.is_built():
        pytest.fail("The page has not been built: python -m tools.page", pytrace=False)
    with sync_playwright() as playwright:
        as_root = hasattr(os, "geteuid") and os.geteuid() == 0
        flags = [*LIGHT, "--no-sandbox"] if as_root else list(LIGHT)
        running = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield running
        running.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("browser"))
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def preferences(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the window's player prefers: the test's `prefer` mark says where that is not quick and quiet."""
    mark = request.node.get_closest_marker("prefer")
    wanted = dict(mark.kwargs) if mark else {}
    return {"introduced": wanted.pop("introduced", True), "preferences": {**QUIET, **wanted}}


@pytest.fixture(scope="package")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has been here before: what it has loaded and compiled once, it need not again."""
    made = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, watch: Watch, preferences: dict[str, Any]) -> Iterator[Page]:
    """A new window; nothing that an earlier one kept is left."""
    context.clear_cookies()
    made = context.new_page()
    made.add_init_script(KEEP % json.dumps(preferences))
    watch.on(made)
    yield made
    made.close()
    assert not watch.unexpected()


@pytest.fixture
def new_table(page: Page, server: Running) -> Open:
    """Makes a game through the server and opens it: `orders` are played first, `position` is in words of case files."""

    def make(
        orders: tuple[str, ...] = (),
        position: dict[str, Any] | None = None,
        dice: list[int] | None = None,
        options: dict[str, Any] | None = None,
        **fields: Any,
    ) -> Table:
        seats = fields.pop("seats", PAIR)
        if position is not None:
            text = position_text(position, dice, options=options, scenario=fields.pop("scenario", "classic-1942"))
            game = server.call("POST", "/games/import", json={"text": text, "seats": seats, **fields})["id"]
        else:
            body = {"seed": 3, "seats": seats, "options": options or {}, **fields}
            game = server.call("POST", "/games", json=body)["id"]
        server.orders(game, *orders)
        table = Table(page, server, game).open()
        table.take_seat()
        return table

    return make


@pytest.fixture
def home(page: Page, server: Running) -> Page:
    """The main menu."""
    page.goto(server.url)
    return page
