"""The only door to chance.

A die is a function of its number in the game: the n-th die of a seeded game is the same on every machine and in every
replay, however the game was undone, saved or resumed in between.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from sandtable.errors import SandtableError


class OutOfDice(SandtableError):
    """Scripted dice that have run out."""


class Dice(Protocol):
    def face(self, index: int, sides: int) -> int:
        """The result of the die with this number, 1 to `sides`."""
        ...


class SeededDice:
    """Dice drawn from a seed by a keyed hash."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        self._key = hashlib.blake2b(str(seed).encode(), digest_size=32).digest()

    def face(self, index: int, sides: int) -> int:
        limit = (1 << 32) - (1 << 32) % sides  # values from here on would favour low faces
        attempt = 0
        while True:
            word = hashlib.blake2b(b"%d.%d" % (index, attempt), key=self._key, digest_size=4).digest()
            value = int.from_bytes(word, "big")
            if value < limit:
                return value % sides + 1
            attempt += 1


class ScriptedDice:
    """Dice given beforehand, from die number `start` on."""

    def __init__(self, faces: Sequence[int], start: int = 0) -> None:
        self.faces = tuple(faces)
        self.start = start

    def face(self, index: int, sides: int) -> int:
        place = index - self.start
        if not 0 <= place < len(self.faces):
            raise OutOfDice(f"the script has {len(self.faces)} dice, and one more is rolled")
        face = self.faces[place]
        if not 1 <= face <= sides:
            raise SandtableError(f"a scripted die shows {face}; dice have the faces 1 to {sides}")
        return face
