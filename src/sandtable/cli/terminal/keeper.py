"""Keeping the game on disk while it is played.

A person's order is on disk before the next question. While bots play by themselves the disk is spared: at most a
second of their play can be lost.
"""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from typing import Protocol

from sandtable.archive import saves
from sandtable.archive.autosave import Autosave, latest
from sandtable.archive.game import SavedGame
from sandtable.cli.arguments import typed
from sandtable.engine.game import Game
from sandtable.errors import SaveError

EVERY = 1.0  # seconds between two saves while nobody is asked
GAMES = 20  # as many games are kept among the autosaves, the oldest go

_FOLDER = re.compile(r"game-([0-9]{6,12})")


class Keeper(Protocol):
    """Writes the game somewhere. May raise SaveError."""

    @property
    def words(self) -> str:
        """Where the game is, for the person who leaves."""
        ...

    def keep(self, game: Game, *, now: bool) -> None:
        """Write it; unless `now`, not if that was done a moment ago."""
        ...


class FileKeeper:
    """Keeps one file up to date: the one that was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept_at = float("-inf")

    @property
    def words(self) -> str:
        return f"Saved: {self.path}. `sandtable play --terminal {typed(self.path)}` goes on."

    def keep(self, game: Game, *, now: bool) -> None:
        if now or time.monotonic() - self._kept_at >= EVERY:
            saves.save(game, self.path)
            self._kept_at = time.monotonic()


class AutosaveKeeper:
    """Keeps the last few states of a game in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._autosave = Autosave(folder, every=EVERY)

    @property
    def words(self) -> str:
        return "The game is kept: `sandtable play --terminal --resume` goes on with it."

    def keep(self, game: Game, *, now: bool) -> None:
        self._autosave.note(game, None if now else time.monotonic())


def new_folder(autosaves: Path) -> Path:
    """A folder for another game; room is made by dropping the oldest games."""
    found = _folders(autosaves)
    for number in sorted(found)[: max(0, len(found) - GAMES + 1)]:
        shutil.rmtree(found[number], ignore_errors=True)
    return autosaves / f"game-{max(found, default=0) + 1:06d}"


def last_game(autosaves: Path) -> tuple[SavedGame, Path] | None:
    """The game that was played last, with its folder; files that cannot be loaded any more are passed over."""
    kept = [(file, folder) for folder in _folders(autosaves).values() if (file := latest(folder)) is not None]
    for file, folder in sorted(kept, key=lambda item: item[0].stat().st_mtime_ns, reverse=True):
        try:
            return saves.load(file), folder
        except SaveError:
            continue
    return None


def _folders(autosaves: Path) -> dict[int, Path]:
    try:
        paths = list(autosaves.iterdir())
    except OSError:
        return {}
    matches = ((_FOLDER.fullmatch(path.name), path) for path in paths)
    return {int(match[1]): path for match, path in matches if match is not None}
