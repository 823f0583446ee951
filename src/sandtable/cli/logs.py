"""The log as text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from sandtable.archive.log import LogLine
from sandtable.cli.console import style
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
                    style=f"bold {style(world, line.turn)}".strip(),
                )
            )
        if line.order:
            text = Text.assemble((f"{line.place:>5}  ", "dim"))
            if line.power != line.turn:
                text.append(f"{world.powers[line.power].name}: ", style=style(world, line.power))
            out.print(text.append(line.order, style="cyan"))
        for sentence in line.sentences:
            out.print(Text(f"       {sentence}"))
