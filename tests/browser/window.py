"""A window of the browser: what its player prefers, and what may not go wrong in it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect
from table import Table

QUIET: dict[str, object] = {"animation": "off", "roll": "quick", "newspaper": False, "sound": 0, "music": 0}
"""What a test prefers, so that it need not wait; those about dice, news or motion say otherwise."""

PATIENCE = 20_000  # milliseconds; only a test that fails waits so long
expect.set_options(timeout=PATIENCE)

KEEP = """(() => {
  if (sessionStorage.getItem('test-began')) return;
  sessionStorage.setItem('test-began', '1');
  localStorage.clear();
  const wanted = %s;
  if (wanted.introduced) localStorage.setItem('sandtable.introduced', '1');
  localStorage.setItem('sandtable.preferences', JSON.stringify(wanted.preferences));
})()"""


Open = Callable[..., Table]
"""What the fixture `new_table` gives."""


class Watch:
    """What went wrong in the window: nothing may, unless a test says that it expects it."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.expected: list[re.Pattern[str]] = []

    def expect(self, pattern: str) -> None:
        self.expected.append(re.compile(pattern))

    def on(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", lambda line: self._console(line.type, line.text))
        page.on("response", lambda answer: self._response(answer.status, answer.url))

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.problems.append(f"console: {text}")

    def _response(self, status: int, url: str) -> None:
        if status >= 400:
            self.problems.append(f"{status}: {url}")

    def unexpected(self) -> list[str]:
        return [problem for problem in self.problems if not any(p.search(problem) for p in self.expected)]
