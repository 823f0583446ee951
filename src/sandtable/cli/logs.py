"""The log as text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.archive.log import LogLine
from sandtable.cli.console import bold, style
from sandtable.world.model import World


def print_lines(out: Console, world: World, lines: Iterable[LogLine], *, headings: bool = True) -> None:
    """Order by order with what came of it, under a heading for every turn."""
    turn: tuple[int, str] | None = None
    for line in lines:
        if headings and (line.round, line.turn) != turn:
            turn = (line.round, line.turn)
            out.print()
            out.print(
                Text(
                    f"Round {line.round}, {world.powers[line.turn].name}",
                    style=bold(world, line.turn),
                )
            )
        if line.order:
            text = Text()
            if line.power != line.turn:
                text.append(f"{world.powers[line.power].name}: ", style=style(world, line.power))
            out.print(_row(Text(str(line.place), style="dim"), text.append(line.order, style="cyan")))
        for sentence in line.sentences:
            out.print(_row(Text(), Text(sentence)))


def _row(left: Text, right: Text) -> Table:
    """A number in a narrow column, so that long sentences keep their margin."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=5, justify="right")
    grid.add_column(overflow="fold")
    grid.add_row(left, right)
    return grid
