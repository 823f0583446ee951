"""Worlds that many tests look at, and data folders to break."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.errors import DataError
from sandtable.world.compile import compile_world
from sandtable.world.library import open_edition
from sandtable.world.load import data_folder
from sandtable.world.model import World


@pytest.fixture
def classic() -> World:
    return compile_world("classic-1942")


@pytest.fixture
def second_edition() -> World:
    return compile_world("classic-1942", {"second_edition": True})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the Classic data files."""
    copy = tmp_path / "mine"
    shutil.copytree(Path(str(data_folder())) / "classic", copy)
    return copy


@pytest.fixture
def problems(folder: Path) -> Callable[..., list[str]]:
    """Breaks files of the copy and gives back what the loader says, without lines: `problems((UNITS, old, new))`."""

    def broken(*replacements: tuple[str, str, str]) -> list[str]:
        for name, old, new in replacements:
            text = (folder / name).read_text()
            assert text.count(old) >= 1, f"{old!r} is not in {name}"
            (folder / name).write_text(text.replace(old, new, 1))
        with pytest.raises(DataError) as caught:
            open_edition(folder)
        return [re.sub(r": line \d+(?=: [^ ]+: )", "", problem) for problem in caught.value.problems]

    return broken
