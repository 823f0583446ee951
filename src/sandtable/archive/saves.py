"""Saved games: a game as text that can be read, pasted into a bug report, and loaded again.

A text holds how the game was set up and its orders with the dice that they drew. Loading plays the orders again by the
rules with exactly these dice, and compares the result with what the text says: nothing in a text is taken on trust, and
nothing in it is ever executed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from sandtable.archive import files, record, snapshot
from sandtable.archive.record import Line, Record
from sandtable.engine import game as engine
from sandtable.engine.dice import OutOfDice, ScriptedDice, SeededDice
from sandtable.engine.events import Funded, Noted, Paid, Rolled, TurnBegan
from sandtable.engine.facts import active
from sandtable.engine.start import starting_state
from sandtable.errors import DataError, Refusal, SandtableError, SaveError
from sandtable.notation import format_order, parse_order
from sandtable.notation.orders import Undo
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.library import ensure
from sandtable.world.options import fewest

if TYPE_CHECKING:
    from sandtable.archive.game import SavedGame

G = TypeVar("G", bound=engine.Game)


class RecordedDice:
    """The dice of a record, die for die; those that come after them are drawn from the seed."""

    def __init__(self, faces: tuple[int, ...], seed: int | str, start: int = 0) -> None:
        self.faces = faces
        self.seed = seed
        self.start = start
        self._seeded = SeededDice(seed)

    def face(self, index: int, sides: int) -> int:
        place = index - self.start
        if 0 <= place < len(self.faces):
            return self.faces[place]
        return self._seeded.face(index, sides)


# ---------------------------------------------------------------- writing


def save(game: engine.Game, path: str | os.PathLike[str]) -> None:
    """Write the game to a file, which is afterwards either as it was or complete. Raises SaveError."""
    files.write_text(Path(path), to_text(game))


def to_text(game: engine.Game) -> str:
    """The game as text, with all its orders, wherever the time machine stands."""
    entries = game.entries
    end = entries[-1].state if entries else game.opening.state
    return record.write(
        Record(
            scenario=game.world.scenario,
            edition=game.world.bundle.packed if game.world.bundle is not None else "",
            options=fewest(game.world.option_list, game.world.options),
            edits=msgspec.to_builtins(game.edits),
            seats=None if game.seats == engine.check_seats(game.world, None) else game.seats,
            seed=game.seed,
            start=snapshot.to_data(game.start) if started_elsewhere(game) else None,
            opening=game.opening.faces,
            cursor=None if game.cursor == len(entries) else game.cursor,
            lines=tuple(Line(0, format_order(entry.order), entry.faces) for entry in entries),
            headings=_headings(game),
            dice=len(game.opening.faces) + sum(len(entry.faces) for entry in entries),
            state=snapshot.fingerprint(end),
        )
    )


def started_elsewhere(game: engine.Game) -> bool:
    """The game began in a position of its own: no first turn was opened, or the set-up was another."""
    began = game.opening.events
    first = next((event for event in began if not isinstance(event, Noted | Funded | Rolled | Paid)), None)
    return not isinstance(first, TurnBegan) or game.start != starting_state(game.world)


def _headings(game: engine.Game) -> dict[int, str]:
    """Before the first order of every turn: whose it is."""
    found: dict[int, str] = {}
    state = game.opening.state
    turn = None
    for index, entry in enumerate(game.entries):
        if (state.round, state.turn) != turn:
            turn = (state.round, state.turn)
            found[index] = f"Round {state.round}, {game.world.powers[active(game.world, state)].name}"
        state = entry.state
    return found


# ---------------------------------------------------------------- reading


def load(path: str | os.PathLike[str]) -> SavedGame:
    """The game in a file. Raises SaveError; the file is never changed."""
    from sandtable.archive.game import SavedGame

    return read_file(SavedGame, path)


def from_text(text: str) -> SavedGame:
    """The game that the text holds. Raises SaveError."""
    from sandtable.archive.game import SavedGame

    return read_text(SavedGame, text)


def read_file(kind: type[G], path: str | os.PathLike[str]) -> G:
    """As `load`, for a kind of game of one's own."""
    text = files.read_text(Path(path))
    try:
        return read_text(kind, text)
    except SaveError as error:
        raise SaveError(f"{os.fspath(path)}: {error}") from error.__cause__


def read_text(kind: type[G], text: str) -> G:
    """As `from_text`, for a kind of game of one's own."""
    parts = record.read(text)
    try:
        return _replayed(kind, parts)
    except SaveError:
        raise
    except Exception as error:  # a made-up position can lead the rules anywhere
        raise SaveError(
            f"The game cannot be played again: the rules came to a position that is impossible "
            f"({type(error).__name__}: {error})."
        ) from error


def _replayed(kind: type[G], parts: Record) -> G:
    faces = parts.opening + tuple(face for line in parts.lines for face in line.faces)
    try:
        edits = parse_edits(parts.edits)
        ensure(parts.scenario, parts.edition)
        world = compile_world(parts.scenario, parts.options, edits)
    except DataError as error:
        raise SaveError(f"The game does not fit the data of this version: {error}") from None
    start = None if parts.start is None else snapshot.from_data(world, parts.start)
    first = 0 if start is None else start.rolls
    try:
        game = kind(
            world, seats=parts.seats, seed=parts.seed, edits=edits, start=start, dice=ScriptedDice(faces, first)
        )
    except OutOfDice:
        raise SaveError("The game begins with more dice than the line “opening” has.") from None
    except SandtableError as error:
        raise SaveError(f"The game cannot begin: {error}") from None
    if game.opening.faces != parts.opening:
        raise SaveError("The dice of the line “opening” do not fit the beginning of the game.")
    for line in parts.lines:
        _play(game, line)
    if snapshot.fingerprint(game.state) != parts.state:
        raise SaveError(
            "The orders lead to another position than the one that was saved: "
            "the game was played by a version of Sandtable with other rules."
        )
    game.dice = RecordedDice(faces, parts.seed, first)
    if parts.cursor is not None:
        game.go_to(parts.cursor)
    return game


def _play(game: engine.Game, line: Line) -> None:
    where = f"Line {line.number} of the game does not fit: {line.order[:60]!r}"
    try:
        order = parse_order(game.world, line.order)
        if isinstance(order, Undo):
            raise SaveError(f"{where}: an order that was taken back is not in a record.")
        game.play(order)
    except OutOfDice:
        raise SaveError(f"{where}: it rolls more dice than there are.") from None
    except SaveError:
        raise
    except Refusal as error:
        raise SaveError(f"{where}: the rules refuse it. {error}") from None
    except SandtableError as error:
        raise SaveError(f"{where}: {error}") from None
    drawn = game.entries[-1].faces
    if drawn != line.faces:
        raise SaveError(f"{where}: it rolls {len(drawn)} dice, and the line has {len(line.faces)}.")
