"""How a game went, as tables."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from sandtable.archive.statistics import Luck, RoundStatistics, statistics
from sandtable.cli.console import named, style, table
from sandtable.engine.game import Game
from sandtable.world.model import World


def print_statistics(out: Console, game: Game) -> None:
    """Production and army value round by round, then each power's fortunes in the whole game."""
    rounds = statistics(game)
    _by_round(out, game.world, rounds)
    out.print()
    _totals(out, game.world, rounds)
    out.print(Text("Losses in IPCs; luck is hits above or below what the dice should have given.", style="dim"))


def _by_round(out: Console, world: World, rounds: list[RoundStatistics]) -> None:
    """`24/110`: production and the value of the units on the board."""
    grid = table(out, "round", *(world.powers[p].name for p in world.powers), title="Production / value of the units")
    for column in grid.columns:
        column.justify = "right"
    for each in rounds:
        cells = []
        for power in world.powers:
            row = each.powers[power]
            cells.append(Text(f"{row.production}/{row.unit_value}", style=style(world, power)))
        grid.add_row(str(each.round), *cells)
    out.print(grid)


def _totals(out: Console, world: World, rounds: list[RoundStatistics]) -> None:
    markers = world.rules.damages_complexes
    bonuses = bool(world.objectives) and world.rules.objectives
    raided = "damage" if markers else "raided"
    columns = ("power", "won-lost", "drawn", "units lost", raided, *(("bonus",) if bonuses else ()))
    columns = (*columns, "hits", "expected", "luck")
    grid = table(out, *columns, title="Battles", right=columns[1:])
    grid.columns[0].no_wrap = True
    for power in world.powers:
        rows = [each.powers[power] for each in rounds]
        luck = Luck(sum(r.luck.dice for r in rows), sum(r.luck.hits for r in rows), sum(r.luck.expected for r in rows))
        grid.add_row(
            named(world, power),
            f"{sum(r.battles_won for r in rows)}-{sum(r.battles_lost for r in rows)}",
            str(sum(r.battles_drawn for r in rows)),
            str(sum(r.units_lost for r in rows)),
            str(rows[-1].damage if markers else sum(r.money_lost for r in rows)),
            *((str(sum(r.bonus for r in rows)),) if bonuses else ()),
            str(luck.hits),
            f"{luck.expected:.1f}",
            f"{luck.surplus:+.1f}",
        )
    out.print(grid)
