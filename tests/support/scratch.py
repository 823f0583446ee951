"""The scratch edition: a tiny game whose options exercise how options combine (`tests/data/scratch`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sandtable.world.compile import compile_edition
from sandtable.world.edition import Edition
from sandtable.world.library import open_edition
from sandtable.world.model import World

FOLDER = Path(__file__).parents[1] / "data" / "scratch"


@cache
def scratch_edition() -> Edition:
    return open_edition(FOLDER)


def scratch_world(**options: Any) -> World:
    """The scratch game with these options."""
    return compile_edition(scratch_edition(), "scratch", options)
