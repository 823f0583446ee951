"""Saving by itself: the last few states of a game in a folder, the newest of which is always whole.

The engine has no clock, and neither has this: whoever wants to save less often than after every order tells the time.

    autosave = Autosave(folder)
    game.play("end")
    autosave.note(game)
    ...
    path = latest(folder)
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from sandtable.archive import files, record, saves
from sandtable.engine.game import Game
from sandtable.errors import SaveError

SUFFIX = ".sandtable"
_NAME = re.compile(r"autosave-([0-9]{6,12})\.sandtable")
_LEFTOVER = re.compile(r"\.autosave-[0-9]{6,12}\.sandtable\.[0-9]+\.tmp")


class Autosave:
    """Saves one game to a folder, under a new number each time, and keeps the last few.

    A new file is complete before it gets its name, and older ones go only after that.
    """

    def __init__(self, folder: str | Path, *, keep: int = 5, every: float = 0.0) -> None:
        if keep < 1:
            raise SaveError(f"At least one autosave has to be kept, not {keep}.")
        self.folder = Path(folder)
        self.keep = keep
        self.every = every  # seconds between two saves, by the caller's clock
        self._saved_at: float | None = None
        self._waiting = False

    def note(self, game: Game, now: float | None = None) -> Path | None:
        """Tell that an order was played. Gives the file written, or None when it is too early for another.

        `now` is any clock in seconds that never goes back; without it every call saves.
        """
        if now is not None and self._saved_at is not None and now - self._saved_at < self.every:
            self._waiting = True
            return None
        path = self.save(game)
        self._saved_at = now
        return path

    def flush(self, game: Game) -> Path | None:
        """Save what was put off, for example before the program ends."""
        return self.save(game) if self._waiting else None

    def save(self, game: Game) -> Path:
        """Save now, whatever the time. Raises SaveError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaveError(f"{self.folder} cannot hold autosaves: {error.strerror or error}.") from error
        numbers = _numbered(self.folder)
        path = self.folder / f"autosave-{max(numbers, default=0) + 1:06d}{SUFFIX}"
        saves.save(game, path)
        self._waiting = False
        self._tidy(path)
        return path

    def _tidy(self, newest: Path) -> None:
        """Remove what is too old, and what a crash has left half written. Failing at it does no harm."""
        found = _numbered(self.folder)
        old = [found[number] for number in sorted(found, reverse=True)[self.keep :]]
        with contextlib.suppress(OSError):
            old.extend(path for path in self.folder.iterdir() if _LEFTOVER.fullmatch(path.name))
        for path in old:
            if path != newest:
                with contextlib.suppress(OSError):
                    path.unlink()


def latest(folder: str | Path) -> Path | None:
    """The newest autosave in the folder that is whole; None if there is none.

    Damaged files are passed over and left as they are.
    """
    found = _numbered(Path(folder))
    for number in sorted(found, reverse=True):
        with contextlib.suppress(SaveError):
            record.whole_lines(files.read_text(found[number]))
            return found[number]
    return None


def _numbered(folder: Path) -> dict[int, Path]:
    try:
        paths = list(folder.iterdir())
    except OSError:
        return {}
    matches = ((_NAME.fullmatch(path.name), path) for path in paths)
    return {int(match[1]): path for match, path in matches if match is not None}
