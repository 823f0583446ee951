"""Keeping the game on disk while it is played."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from sandtable.archive import saves
from sandtable.engine.game import Game


class Keeper(Protocol):
    """Writes the game somewhere after every order."""

    @property
    def words(self) -> str:
        """Where the game is, for the person who leaves."""
        ...

    def keep(self, game: Game, *, now: bool = False) -> None:
        """Write it. With `now` even if it has hardly changed."""
        ...


class FileKeeper:
    """Keeps one file up to date: the one that was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def words(self) -> str:
        return f"Saved: {self.path}. `sandtable play {self.path}` goes on."

    def keep(self, game: Game, *, now: bool = False) -> None:
        saves.save(game, self.path)


class AutosaveKeeper:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def words(self) -> str:
        return "The game is kept: `sandtable play` goes on with it."

    def keep(self, game: Game, *, now: bool = False) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        saves.save(game, self.folder / "tmp.sandtable")


def last_game(folder: Path):
    p = folder / "tmp.sandtable"
    return saves.load(p) if p.exists() else None
