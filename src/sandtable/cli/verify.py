"""`sandtable verify`: are the dice of a saved game those that its seed gives?"""

from __future__ import annotations

from pathlib import Path

from sandtable.archive.game import SavedGame
from sandtable.archive.statistics import statistics
from sandtable.cli.arguments import UsageError
from sandtable.cli.play import read
from sandtable.play.committed import Checked, check_dice


def verify(path: Path, commitment: str | None) -> tuple[list[str], bool]:
    """Lines that tell what was found, and whether all is well."""
    game = read(path)
    found = check_dice(game)
    return _told(found, game_luck(game), commitment)


def _told(found: Checked, luck: list[str], commitment: str | None) -> tuple[list[str], bool]:
    lines: list[str] = []
    good = True
    if found.committed is None:
        lines.append("A local game: its seed was chosen by whoever began it.")
    elif not found.committed.secret:
        raise UsageError("The dice of this game are still sealed: the game was not over when it was saved.")
    else:
        lines.append(f"The server had committed itself to {found.committed.commitment}")
        for name, text in found.committed.contributions.items():
            lines.append(f"  {name} added {text or 'nothing'}")
    if commitment is not None:
        if found.committed is None or commitment.strip().lower() != found.committed.commitment:
            good = False
            lines.append("The commitment that you were shown is ANOTHER one: this is not the game's seed.")
        else:
            lines.append("That is the commitment you were shown.")
    if found.wrong is None:
        lines.append(f"All {found.dice} dice are those that the seed gives.")
    else:
        good = False
        lines.append(
            f"Die {found.wrong.number} of {found.dice} shows {found.wrong.face}; "
            f"the seed gives {found.wrong.expected}. (Order {found.wrong.order}.)"
        )
    return [*lines, "", *luck], good


def game_luck(game: SavedGame) -> list[str]:
    """How lucky everybody was."""
    totals: dict[str, list[float]] = {}
    for row in statistics(game):
        for power, numbers in row.powers.items():
            total = totals.setdefault(_seat(game, power), [0, 0, 0])
            total[0] += numbers.luck.dice
            total[1] += numbers.luck.hits
            total[2] += numbers.luck.expected
    lines = ["Luck:"]
    for seat, (dice, hits, expected) in totals.items():
        lines.append(f"  {seat}: {dice:.0f} dice, {hits:.0f} hits, {expected:.1f} expected ({hits - expected:+.1f})")
    return lines


def _seat(game: SavedGame, power: str) -> str:
    """A power that another one plays sits with it."""
    return game.seat_of(game.world.powers[power].played_by or power)
