"""Game with an archive: the one that people use.

game = Game.new("classic-1942", seed=7)
game.play("buy 3 infantry")
game.save("friday.sandtable")
game = Game.load("friday.sandtable")
"""

from __future__ import annotations

import os
from typing import Self

from sandtable.archive import saves
from sandtable.engine import game as engine


class SavedGame(engine.Game):
    """A game in progress that can be saved and loaded."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file, which is afterwards either as it was or complete. Raises SaveError."""
        saves.save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The game in a file. Raises SaveError; the file is never changed."""
        return saves.read_file(cls, path)

    def to_text(self) -> str:
        """The game as text, for a bug report or a letter."""
        return saves.to_text(self)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The game that the text holds. Raises SaveError."""
        return saves.read_text(cls, text)


Game = SavedGame  # the name under which the package offers it: `from sandtable import Game`
