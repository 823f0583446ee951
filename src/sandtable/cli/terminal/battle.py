"""The battle board: attackers on the left, defenders on the right, each with the number that hits."""

from __future__ import annotations

from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.archive.log import place
from sandtable.cli.console import bold, style
from sandtable.engine.battle.casualties import targets
from sandtable.engine.battle.forces import defenders
from sandtable.engine.facts import amount, type_of
from sandtable.engine.state import EMPTY, Battle, Stack, State
from sandtable.world.model import PowerId, UnitId, World

Side = Literal["attack", "defense"]


def halves(console: Console) -> Table:
    """Two columns of equal width for the whole screen."""
    width = max(24, min(console.width, 110) // 2 - 1)
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=width, overflow="fold")
    grid.add_column(width=width, overflow="fold")
    return grid


def heading(world: World, battle: Battle) -> Text:
    """`Battle of Manchuria`, `Raid on Germany`, `Fire at planes over Gibraltar`."""
    what = {"raid": "Raid on", "overflight": "Fire at planes over", "sea": "Battle in"}.get(battle.kind, "Battle of")
    text = Text(f"{what} {place(world, battle.space)}", style="bold")
    if battle.round > 1:
        text.append(f", round {battle.round}", style="bold")
    return text


def print_board(console: Console, world: World, state: State, battle: Battle) -> None:
    """Both forces as they stand."""
    left, right = _forces(world, state, battle)
    one, other = _lines(world, state, left, "attack", {}), _lines(world, state, right, "defense", battle.doomed)
    grid = halves(console)
    for index in range(max(len(one), len(other))):
        grid.add_row(one[index] if index < len(one) else "", other[index] if index < len(other) else "")
    console.print(grid)


def _forces(world: World, state: State, battle: Battle) -> tuple[Stack, Stack]:
    """Who takes part: guns fire at raiders and at planes passing over, but nobody fights for the ground."""
    force = targets(world, state, battle, "attack")
    return force, defenders(world, state, battle) if world.battles[battle.kind].defenders == "all" else EMPTY


def _lines(world: World, state: State, force: Stack, side: Side, doomed: Stack) -> list[Text]:
    """One line a power and kind of unit, the lowest number first."""
    counts: dict[tuple[int, PowerId, UnitId], list[int]] = {}
    for piece, n in force.items():
        kind = type_of(world, state, piece)
        value = kind.attack if side == "attack" else kind.defense
        entry = counts.setdefault((value, piece.power, piece.type), [0, 0])
        entry[0] += n
        entry[1] += doomed.get(piece, 0)
    units, powers = list(world.units), list(world.powers)
    lines = []
    named: PowerId | None = None
    for value, power, unit in sorted(counts, key=lambda k: (powers.index(k[1]), k[0], units.index(k[2]))):
        number, lost = counts[value, power, unit]
        if power != named:
            verb = "attacks" if side == "attack" else "defends"
            lines.append(Text(f"{world.powers[power].name} {verb}", style=bold(world, power)))
            named = power
        line = Text.assemble((f"  {value or '-'}  ", "dim"))
        line.append(amount(world, unit, number), style=style(world, power))
        if lost:
            line.append(f"  ({lost} hit)", style="dim")
        lines.append(line)
    return lines
