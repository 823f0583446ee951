"""Dice that can be checked afterwards.

Before anybody else says anything, the server draws a secret and shows its SHA-256: the commitment. Then every player
adds some text of his own, or lets the browser add some. The game's seed is all of it together, and the n-th die is a
function of seed and n, as in every game. Nobody can choose the dice: the server is bound by its commitment before it
knows the contributions, and the players do not know the secret. When the game is over the seed is shown, and whoever
has the save can work everything out again: `sandtable verify` does.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping

import msgspec

from sandtable.archive.game import SavedGame
from sandtable.engine.dice import SeededDice
from sandtable.errors import SandtableError

OPEN, SEALED = "dice", "sealed"
CONTRIBUTION = 64  # characters of a contribution
_PART = re.compile(r"[A-Za-z0-9_.~-]*")


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """What a seed tells about how it came about. Without the secret it is still sealed."""

    commitment: str
    contributions: Mapping[str, str]  # player -> what was added
    secret: str = ""


def new_secret() -> str:
    return secrets.token_hex(16)


def commitment_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def clean(text: str, longest: int = CONTRIBUTION) -> str:
    """Text that can stand in a seed: other characters as their code."""
    return "".join(c if _PART.fullmatch(c) else f"~{ord(c):x}~" for c in text)[:longest]


def seed_of(secret: str, contributions: Mapping[str, str]) -> str:
    """The seed of a game, to be kept secret until its end."""
    return f"{OPEN}:{secret}:{_written(contributions)}"


def sealed(secret: str, contributions: Mapping[str, str]) -> str:
    """What stands in the place of the seed until then."""
    return f"{SEALED}:{commitment_of(secret)}:{_written(contributions)}"


def _written(contributions: Mapping[str, str]) -> str:
    return ",".join(f"{clean(name)}={clean(text)}" for name, text in sorted(contributions.items()))


def read(seed: int | str) -> Committed | None:
    """What a seed says about itself; None if it is a simple one. Raises SandtableError for a broken one."""
    if not isinstance(seed, str) or not seed.startswith((f"{OPEN}:", f"{SEALED}:")):
        return None
    kind, _, rest = seed.partition(":")
    value, colon, parts = rest.partition(":")
    pairs = [part.partition("=") for part in parts.split(",") if part]
    if not colon or not value or not all(equals for _, equals, _ in pairs):
        raise SandtableError("The seed of these dice is damaged.")
    contributions = {name: text for name, _, text in pairs}
    if kind == SEALED:
        return Committed(commitment=value, contributions=contributions)
    return Committed(commitment=commitment_of(value), contributions=contributions, secret=value)


def shown(seed: int | str, *, over: bool) -> int | str:
    """The seed as those at the table may see it now."""
    found = read(seed)
    if over or found is None or not found.secret:
        return seed
    return sealed(found.secret, found.contributions)


class WrongDie(msgspec.Struct, frozen=True, kw_only=True):
    number: int  # from 1
    face: int
    expected: int
    order: int  # the order that rolled it; 0: before the first


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What became of looking at all dice of a game."""

    dice: int
    committed: Committed | None
    wrong: WrongDie | None = None


class _Comparing:
    """The dice of a record, each compared with what the seed gives."""

    def __init__(self, seed: int | str) -> None:
        self._seeded = SeededDice(seed)
        self.faces: dict[int, int] = {}
        self.order = 0
        self.seen = 0
        self.wrong: WrongDie | None = None

    def face(self, index: int, sides: int) -> int:
        expected = self._seeded.face(index, sides)
        face = self.faces.get(index, expected)
        self.seen += 1
        if face != expected and self.wrong is None:
            self.wrong = WrongDie(number=self.seen, face=face, expected=expected, order=self.order)
        return face


def check_dice(game: SavedGame) -> Checked:
    """Play a saved game once more and compare each die with the seed."""
    dice = _Comparing(game.seed)
    dice.faces.update(enumerate(game.opening.faces, game.start.rolls))
    again = SavedGame(game.world, seats=game.seats, seed=game.seed, edits=game.edits, start=game.start, dice=dice)
    for number, entry in enumerate(game.entries, 1):
        dice.order = number
        dice.faces.update(enumerate(entry.faces, again.state.rolls))
        again.play(entry.order)
    return Checked(dice=dice.seen, committed=read(game.seed), wrong=dice.wrong)
