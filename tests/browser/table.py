"""The game in a browser window, as a person uses it: spaces and units on the map, buttons by their names."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from running import Running

FREE_POINT = """(wanted) => {
  const { space, unit } = wanted;
  const all = unit
    ? [...document.querySelectorAll(`.piece[data-at="${space}"][data-unit="${unit}"] .ring`)]
    : [...document.querySelectorAll(`path[data-space="${space}"], rect.callout[data-at="${space}"]`)];
  const fits = (found) => found && (unit
    ? found.closest(`.piece[data-at="${space}"][data-unit="${unit}"]`)
    : found.dataset.space === space || (found.classList.contains('callout') && found.dataset.at === space));
  for (const element of all) {
    const box = element.getBoundingClientRect();
    for (const steps of [2, 9, 33]) {
      for (let i = 1; i < steps; i++) for (let j = 1; j < steps; j++) {
        const x = box.left + box.width * i / steps, y = box.top + box.height * j / steps;
        if (x > 0 && y > 0 && x < innerWidth && y < innerHeight && fits(document.elementFromPoint(x, y))) return [x, y];
      }
    }
  }
  return null;
}"""
"""A point of the window where a click reaches the space or the units, and nothing lies over them."""


class Table:
    """One open game."""

    def __init__(self, page: Page, server: Running, game: str) -> None:
        self.page = page
        self.server = server
        self.game = game

    def open(self) -> Table:
        self.page.goto(f"{self.server.url}/game/{self.game}")
        expect(self.page.get_by_role("list", name="Phases of the turn")).to_be_visible()
        return self

    # ------------------------------------------------------------ what is seen

    @property
    def phase(self) -> Locator:
        return self.page.locator('[aria-label="Phases of the turn"] [aria-current="step"]')

    @property
    def orders(self) -> Locator:
        """The panel of the phase."""
        return self.page.get_by_role("complementary", name="Orders")

    @property
    def battle(self) -> Locator:
        return self.page.get_by_role("dialog", name="Battle", exact=True)

    def space(self, space: str) -> Locator:
        return self.page.locator(f'path[data-space="{space}"]')

    def units(self, space: str, unit: str) -> Locator:
        return self.page.locator(f'.piece[data-at="{space}"][data-unit="{unit}"]')

    def embattled(self) -> int:
        """How many spaces are shown as battles to come; of a round world, some may be in view twice."""
        return len(
            set(self.page.locator("path.embattled").evaluate_all("all => all.map(each => each.getAttribute('d'))"))
        )

    def state(self) -> dict[str, Any]:
        return self.server.state(self.game)

    def there(self, space: str) -> dict[tuple[str, str], int]:
        return self.server.units(self.game, space)

    def expect_phase(self, title: str) -> None:
        """The page has come to the phase and takes orders: while one is under way it ignores keys."""
        expect(self.phase).to_contain_text(title)
        expect(self.page.locator("main.game[data-busy]")).to_have_count(0)

    def expect_units(self, space: str, words: str) -> None:
        """The name of the space, as it is read aloud, tells of these units."""
        expect(self.space(space)).to_have_attribute("aria-label", re.compile(re.escape(words)))

    # ------------------------------------------------------------ what is done

    def button(self, name: str | re.Pattern[str], *, exact: bool = True) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact and isinstance(name, str))

    def click(self, name: str | re.Pattern[str]) -> None:
        self.button(name).click()

    def done(self) -> None:
        self.orders.get_by_role("button", name="Done", exact=True).click()

    def whole_world(self) -> None:
        self.page.get_by_role("button", name="World", exact=True).click()
        self.page.wait_for_timeout(60)

    def point(self, space: str, unit: str | None = None) -> tuple[float, float]:
        """Where to click, once the map rests; the whole world is shown if it is not in view."""
        before = None
        for attempt in range(40):
            busy = self.page.evaluate("() => 'busy' in (document.querySelector('main.game')?.dataset ?? {})")
            found = None if busy else self.page.evaluate(FREE_POINT, {"space": space, "unit": unit})
            if found is not None and found == before:
                return found[0], found[1]
            before = found
            if attempt >= 2 and not busy and found is None:
                self.whole_world()
                if unit is not None:
                    self.go_near(space)
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{unit or 'nothing'} can be clicked in {space}: it is covered or out of view")

    def go_near(self, space: str) -> None:
        """From far away a click on a space's counter goes to where its units can be told apart."""
        there = self.page.evaluate(
            """(space) => {
              for (const counter of document.querySelectorAll(`.counter[data-at="${space}"]`)) {
                const box = counter.getBoundingClientRect();
                const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
                if (document.elementFromPoint(x, y)?.closest('.counter') === counter) return [x, y];
              }
              return null;
            }""",
            space,
        )
        if there is not None:
            self.page.mouse.click(*there)
            self.page.wait_for_timeout(60)

    def click_space(self, space: str, *, all_of_them: bool = False, right: bool = False) -> None:
        self._click(*self.point(space), all_of_them=all_of_them, right=right)

    def click_unit(self, space: str, unit: str, *, too: bool = False, right: bool = False) -> None:
        self._click(*self.point(space, unit), too=too, right=right)

    def _click(self, x: float, y: float, *, all_of_them: bool = False, right: bool = False, too: bool = False) -> None:
        held = "Control" if all_of_them else "Shift" if too else None
        if held:
            self.page.keyboard.down(held)
        self.page.mouse.click(x, y, button="right" if right else "left")
        if held:
            self.page.keyboard.up(held)

    def point_at(self, space: str) -> None:
        self.page.mouse.move(*self.point(space))

    def move(self, unit: str, start: str, end: str, *, all_of_them: bool = False) -> None:
        """Pick units up and click where they go; ends when the table shows them there."""
        before = self.state()["version"]
        self.click_unit(start, unit)
        expect(self.page.locator(f'.piece.picked[data-at="{start}"]').first).to_be_visible()
        expect(self.space(end)).to_have_attribute(
            "aria-label", re.compile("move|go|attack|board|land|raid|space", re.I)
        )
        self.click_space(end, all_of_them=all_of_them)
        self.until(lambda: self.state()["version"] > before)
        self.settle()

    def settle(self) -> None:
        """Wait until the page shows what the server has, and nothing is under way."""

        def is_settled() -> bool:
            shown = self.page.evaluate("() => ({ ...document.querySelector('main.game')?.dataset })")
            return shown.get("version") == str(self.state()["version"]) and "busy" not in shown

        self.until(is_settled)

    def rest(self) -> None:
        """Wait until the map lies still, and longer than it takes to be painted anew."""
        frame = "() => JSON.stringify(document.querySelector('rect.frame')?.getBoundingClientRect() ?? null)"
        before, same = "", 0
        for _ in range(400):
            now = self.page.evaluate(frame)
            same = same + 1 if now == before else 0
            if same == 5:
                return
            before = now
            self.page.wait_for_timeout(50)
        raise AssertionError("the map does not come to rest")

    def take_seat(self) -> None:
        """Say who sits down, if that is asked: several people play at this screen."""
        if self.state()["decision"] is not None:
            asked = self.page.get_by_role("button", name=re.compile("^I am "))
            self.until(lambda: asked.count() or self.button("Done").count() or self.battle.count())
            if asked.count():
                asked.click()

    def put_down(self) -> None:
        self.page.keyboard.press("Escape")

    def until(self, is_true: Any, seconds: float = 20) -> None:
        """Wait until the server says so."""
        for _ in range(int(seconds * 20)):
            if is_true():
                return
            self.page.wait_for_timeout(50)
        state = self.state()
        question = state.get("decision") or {}
        raise AssertionError(f"it did not come true: {state['turn']}, {state['phase']}, {question.get('question')}")

    def buy(self, counts: dict[str, int]) -> None:
        """Steppers by the plural names of units."""
        for plural, n in counts.items():
            for _ in range(n):
                self.page.get_by_role("button", name=f"More: {plural}", exact=True).click()

    def menu(self, entry: str) -> None:
        self.click("Menu")
        self.page.get_by_role("navigation", name="Game menu").get_by_role("button", name=entry, exact=True).click()
