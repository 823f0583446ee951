"""`sandtable new`: make a saved game to play later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from sandtable.archive.game import SavedGame
from sandtable.cli import console
from sandtable.cli.arguments import UsageError, typed
from sandtable.engine.facts import listed
from sandtable.world.library import plain
from sandtable.world.model import World
from sandtable.world.options import fewest, said


def write(game: SavedGame, path: Path | None, *, force: bool) -> None:
    """Save the new game and tell where."""
    if path is None:
        path = _free_name(game)
    elif path.exists() and not force:
        raise UsageError(f"{path} exists already; --force overwrites it.")
    game.save(path)
    out = console.output()
    world = game.world
    out.print(Text(f"{world.edition_name}: {world.scenario_name}, seed {game.seed}."), soft_wrap=True)
    for line in _options(world):
        out.print(Text(f"  {line}"), soft_wrap=True)
    for seat, powers in game.seats.items():
        out.print(Text(f"  {seat}: {listed([world.powers[p].name for p in powers])}"), soft_wrap=True)
    out.print(Text(f"Saved: {path}"), soft_wrap=True)
    out.print(Text(f"`sandtable play {typed(path)}` begins."), soft_wrap=True)


def _options(world: World) -> Iterator[str]:
    """Every option that is not as usual, and whether it was chosen or came with another."""
    chosen = fewest(world.option_list, world.options)
    for option in world.option_list:
        value = world.options[option.key]
        if value != option.default or (value is not False and option.key in world.idle):
            why = "" if option.key in chosen else ", which comes with the others"
            why += ", but has no effect beside the others" if option.key in world.idle else ""
            yield f"{said(option.key, value)}: {option.name}{why}"


def _free_name(game: SavedGame) -> Path:
    """`classic-1942.sandtable`, or with a number behind it, in the current folder."""
    name = plain(game.world.scenario)
    path = Path(f"{name}.sandtable")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}.sandtable")
    return path
