"""Making a new game from what was typed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path

from sandtable.archive.game import SavedGame
from sandtable.bots import registry as opponents
from sandtable.cli import arguments
from sandtable.cli.arguments import UsageError
from sandtable.engine.game import Seats, check_seats, drawn_seats, preset_seats
from sandtable.play import Player, RandomBot, Table
from sandtable.play.seating import sitting_bot
from sandtable.world.compile import compile_world
from sandtable.world.library import plain

DEFAULT = "classic-1942"


def new_game(
    scenario: str = DEFAULT,
    options: Iterable[str] = (),
    seats: Iterable[str] = (),
    players: int | None = None,
    seed: str | None = None,
    edits: Path | None = None,
) -> SavedGame:
    """A game as the arguments say. Raises SandtableError with a sentence about what does not fit."""
    if not arguments.is_scenario(scenario):
        raise arguments.unknown_game(scenario)
    changed = arguments.edits(edits)
    world = compile_world(scenario, arguments.options(options), changed)
    if not world.playable:
        raise UsageError(f"{plain(scenario)} can be shown, but its rules are not complete yet. Play {DEFAULT}.")
    base = preset_seats(world, players) if players is not None else check_seats(world, None)
    names = {power: world.powers[power].name for power in world.seated}
    seated = {seat: tuple(p for p in powers if p in names) for seat, powers in base.items()}
    wishes = tuple(seats)
    taken: Seats = arguments.seats(names, seated, wishes)
    lot = number_or_text(seed)
    if world.seats.drawn and (wishes or players is not None):
        taken = drawn_seats(world, taken, lot)
    return SavedGame(world, seats=taken, seed=lot, edits=changed)


def number_or_text(seed: str | None) -> int | str:
    """The seed as given, or a fresh one; digits are a number, so that `--seed 7` is Python's `seed=7`."""
    if seed is None:
        return secrets.randbelow(1_000_000_000)
    return int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 16 else seed


def table_for(game: SavedGame) -> Table:
    """The game with bots in the seats that are theirs by name."""
    bots = {seat: _bot(name, game.seed, seat) for seat in game.seats if (name := sitting_bot(seat)) is not None}
    return Table(game, bots)


def _bot(name: str, seed: int | str, seat: str) -> Player:
    """The bot of this name; its own stream of chance follows from game and seat."""
    if name == "random":
        return RandomBot(seed, seat)
    return opponents.make(name, f"{seed}/{seat}")
