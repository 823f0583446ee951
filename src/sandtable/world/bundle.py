"""An edition from outside: its data files as plain texts, out of a folder, a zip archive or a saved game.

A bundle is data only, bounded in size, and known by its content: equal files have an equal digest, wherever they came
from. Nothing in it is executed, and nothing is ever written anywhere.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath

import msgspec

from sandtable.errors import DataError

MOST_FILES = 60
MOST_BYTES = 2_000_000  # of all files together
MOST_PACKED = 1_000_000  # characters in a saved game
ENDING = ".yaml"

Path_ = str | os.PathLike[str]


class Bundle:
    """The files of an edition by name. Raises DataError if they are too many or too large."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(sorted(files.items()))
        if len(self.files) > MOST_FILES:
            raise DataError([f"an edition has at most {MOST_FILES} files, not {len(self.files)}"])
        if sum(len(text.encode()) for text in self.files.values()) > MOST_BYTES:
            raise DataError([f"an edition has at most {MOST_BYTES:,} bytes"])

    @cached_property
    def digest(self) -> str:
        return hashlib.blake2b(msgspec.json.encode(self.files), digest_size=16).hexdigest()

    @cached_property
    def packed(self) -> str:
        """The bundle as one line of plain letters, for saved games."""
        return base64.b64encode(zlib.compress(msgspec.json.encode(self.files), 9)).decode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bundle) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    # What `world.load` asks of a folder.

    name = "the edition"

    def is_dir(self) -> bool:
        return True

    def iterdir(self) -> Iterator[File]:
        return (File(name, text) for name, text in self.files.items())

    def joinpath(self, name: str) -> File:
        return File(name, self.files.get(name))


class File:
    """A file in a bundle, as `world.load` reads it."""

    def __init__(self, name: str, text: str | None) -> None:
        self.name = name
        self._text = text

    def is_file(self) -> bool:
        return self._text is not None

    def read_text(self, encoding: str = "utf-8") -> str:
        assert self._text is not None
        return self._text


def read_bundle(path: Path_) -> Bundle:
    """The edition in a folder or a .zip archive. Raises DataError; changes nothing."""
    place = Path(path)
    try:
        if place.is_dir():
            return Bundle(dict(_of_folder(place)))
        if not place.exists():
            raise DataError([f"{place}: there is no such folder or archive"])
        return Bundle(dict(_of_archive(place)))
    except OSError as error:
        raise DataError([f"{place}: cannot be read: {error.strerror or error}"]) from None
    except DataError as error:
        own = [p if p.startswith(str(place)) else f"{place}: {p}" for p in error.problems]
        raise DataError(own) from None


def unpack(packed: str) -> Bundle:
    """The bundle in a saved game. Raises DataError."""
    if len(packed) > MOST_PACKED:
        raise DataError([f"the edition in the game is too large: more than {MOST_PACKED:,} characters"])
    try:
        raw = _inflated(base64.b64decode(packed, validate=True))
        files = msgspec.json.decode(raw, type=dict[str, str])
    except (binascii.Error, zlib.error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError([f"the edition in the game is damaged ({error})"]) from None
    for name in files:
        _check_name(name)
    return Bundle(files)


def _inflated(raw: bytes) -> bytes:
    """A few bytes can stand for gigabytes; no more than an edition may have is ever made of them."""
    machine = zlib.decompressobj()
    most = 2 * MOST_BYTES  # what JSON escapes takes more room
    text = machine.decompress(raw, most)
    if machine.unconsumed_tail or not machine.eof:
        raise DataError(["the edition in the game is damaged or too large"])
    return text


def _of_folder(folder: Path) -> Iterator[tuple[str, str]]:
    total = 0
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(ENDING))
    if len(names) > MOST_FILES:
        raise DataError([f"an edition has at most {MOST_FILES} files, not {len(names)}"])
    for name in names:
        file = folder / name
        if not stat.S_ISREG(file.stat().st_mode):
            raise DataError([f"{name}: is not a file"])
        with file.open("rb") as opened:
            raw = opened.read(MOST_BYTES + 1)
        total += len(raw)
        if total > MOST_BYTES:
            raise DataError([f"an edition has at most {MOST_BYTES:,} bytes"])
        yield name, _text(name, raw)


def _of_archive(path: Path) -> Iterator[tuple[str, str]]:
    """The .yaml files of a zip archive; they may stand in one folder. What else is in it is not looked at."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(ENDING)]
            if len(entries) > MOST_FILES:
                raise DataError([f"an edition has at most {MOST_FILES} files, not {len(entries)}"])
            total = 0
            folders, seen = set(), set()
            for entry in entries:
                name = PurePosixPath(entry.filename)
                if name.is_absolute() or ".." in name.parts or "\\" in entry.filename or len(name.parts) > 2:
                    raise DataError(
                        [f"{entry.filename[:60]}: an edition's files stand beside each other, in one folder"]
                    )
                if name.name.startswith("."):
                    continue  # what some systems put beside every file
                _check_name(name.name)
                folders.add(name.parent)
                if len(folders) > 1 or name.name in seen:
                    raise DataError(["an archive holds one edition: its files stand beside each other"])
                seen.add(name.name)
                with archive.open(entry) as opened:
                    raw = opened.read(MOST_BYTES - total + 1)
                total += len(raw)
                if total > MOST_BYTES:
                    raise DataError([f"an edition has at most {MOST_BYTES:,} bytes"])
                yield name.name, _text(name.name, raw)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise DataError([f"is not an archive that can be read ({error})"]) from None


def _check_name(name: str) -> None:
    if not name.endswith(ENDING) or "/" in name or "\\" in name or len(name) > 100 or not name.isprintable():
        raise DataError([f"{name[:60]!r} is no name of an edition's file"])


def _text(name: str, raw: bytes) -> str:
    try:
        return raw.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise DataError([f"{name}: is not a text in UTF-8"]) from None
