"""Cases that wait for their rules can at least be read, and name rules that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from sandtable.rulebook import rule_ids

FOLDER = Path(__file__).parent / "waiting"
FILES = sorted(FOLDER.rglob("*.cases"))


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(FOLDER)) for path in FILES])
def test_they_can_be_read(path: Path) -> None:
    known = set(rule_ids())
    for case in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader):
        assert case["case"]
        assert case["steps"]
        assert not [rule for rule in case["rules"] if rule not in known], case["case"]


def test_their_names_are_unique() -> None:
    names = [name for path in FILES for name in re.findall(r"^case: (\S+)", path.read_text("utf-8"), re.MULTILINE)]
    assert len(names) > 1000
    assert sorted(names) == sorted(set(names))
