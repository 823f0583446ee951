"""Where the command line writes to, and the colours it uses.

Text never carries markup, so a bracket in a name or a message is just a bracket. A pipe gets plain text.
"""

from __future__ import annotations

import os
import re
import sys
from typing import IO, cast

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.world.model import PowerId, World

PIPE_WIDTH = 100

_BLANKS = re.compile(r"[ \t]+(?=\n)")

COLOURS = {
    "beige": "#d2b48c",
    "blue": "#6fa0e0",
    "brown": "#b98450",
    "dark brown": "#d0705c",
    "dark gray": "#9a9a9a",
    "gray": "#a8a8a8",
    "grey": "#a8a8a8",
    "green": "#5fb05f",
    "light gray": "#c8c8c8",
    "light green": "#9fd89f",
    "maroon": "#d0705c",
    "orange": "#e0913c",
    "orange-yellow": "#e0b040",
    "tan": "#d2b48c",
    "yellow": "#d8c040",
}
"""The pieces' colours, light enough for a dark screen and dark enough for a light one."""


def output() -> Console:
    """The console for results. A terminal's own width; for a pipe $COLUMNS or a fixed one."""
    return _console(stderr=False)


def errors() -> Console:
    """The console for complaints."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    console = Console(markup=False, highlight=False, emoji=False, stderr=stderr)
    if console.is_terminal:
        return console
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdigit() and int(columns) >= 20 else PIPE_WIDTH
    plain = cast("IO[str]", _Plain(stderr=stderr))
    return Console(markup=False, highlight=False, emoji=False, file=plain, width=width)


class _Plain:
    """A pipe: the blanks that tables put at the ends of lines are left out."""

    encoding = "utf-8"

    def __init__(self, *, stderr: bool) -> None:
        self._stderr = stderr

    @property
    def _stream(self) -> IO[str]:
        return sys.stderr if self._stderr else sys.stdout

    def write(self, text: str) -> int:
        self._stream.write(_BLANKS.sub("", text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._stream.fileno()


def style(world: World, power: PowerId | None) -> str:
    """The style for a power's name and units; nothing special for nobody."""
    return COLOURS.get(world.powers[power].colour, "") if power is not None else ""


def bold(world: World, power: PowerId | None) -> str:
    """The same for headings."""
    return f"bold {style(world, power)}".strip()


def named(world: World, power: PowerId) -> Text:
    """A power's name in its colour."""
    return Text().append(world.powers[power].name, style=bold(world, power))


def table(console: Console, *columns: str, title: Text | str | None = None, right: tuple[str, ...] = ()) -> Table:
    """A table in the house style: a rule under the heads, no frame; nothing but columns in a pipe."""
    grid = Table(
        box=box.SIMPLE_HEAD if console.is_terminal else None,
        title=title,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        pad_edge=False,
        padding=(0, 2, 0, 0),
        show_edge=False,
    )
    for column in columns:
        grid.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return grid
