"""The page about saved games tells the truth, and games of format 1 stay loadable: its example is one."""

from __future__ import annotations

import re
from pathlib import Path

from sandtable.archive import record
from sandtable.archive.game import Game

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "save-format.md"


def test_the_example_is_a_game() -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = re.search(r"```text\n(sandtable 1\n.*?)\n```", page, re.DOTALL)
    assert found is not None
    game = Game.from_text(found[1])
    assert len(game.entries) == 8
    assert game.to_text() == found[1]


def test_the_limits_are_those_of_the_code() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"at most {record.LARGEST // 1_000_000} million characters and {record.MOST_ORDERS:,} orders" in page
    assert record.LARGEST_NUMBER == 1_000_000
    assert "up to a million" in page
    assert f"at most {record.LONGEST_NAME} characters" in page
    assert f"which is {record.FORMAT}" in page
