"""Files that are either as they were or complete: never half written, never larger than expected."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from sandtable.errors import SandtableError, SaveError

PREFIX = "sandtable "  # how our texts begin
LARGEST = 16_000_000  # bytes


class FileError(SandtableError):
    """A file that cannot be read as text: missing, forbidden, endless, too large, or no text at all."""


def read_text(path: Path) -> str:
    """The text of a saved game. Raises SaveError; never changes anything."""
    try:
        return read_file(path, LARGEST, "a saved game")
    except FileError as error:
        raise SaveError(str(error)) from None


def read_file(path: Path, largest: int, what: str) -> str:
    """The text of an ordinary file of at most so many bytes. Raises FileError; `what` is what it is meant to hold.

    Pipes and devices are not read: they may never end.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(f"{path} is not a file: a pipe or a device may never end.")
            raw = file.read(largest + 1)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError as error:  # a name with a null character
        raise FileError(f"{str(path)!r} cannot be read: {error}.") from None
    if len(raw) > largest:
        raise FileError(f"{path} is too large for {what}: more than {largest:,} bytes.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{path} does not hold {what}: it is not UTF-8 text.") from None


def _without_waiting(path: str, flags: int) -> int:
    """Open a pipe that nobody writes to without waiting for somebody who does."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_text(path: Path, text: str) -> None:
    """Write beside the old file and rename over it, so that a crash leaves the old one or the new one.

    Raises SaveError. A file that holds something else is not overwritten.
    """
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        mode = _replaceable(target)
        beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            _write_through(beside, text.encode("utf-8"), mode)
            os.replace(beside, target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        _flush_folder(target.parent)
    except OSError as error:
        raise SaveError(f"{path} cannot be written: {error.strerror or error}.") from error
    except ValueError as error:
        raise SaveError(f"{str(path)!r} cannot be written: {error}.") from None


def _replaceable(target: Path) -> int | None:
    """The permissions of the file that is going to be replaced; None if there is none."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise SaveError(f"{target} is not a file, so no game can be saved there.")
    with target.open("rb") as file:
        start = file.read(len(PREFIX) + 3)
    if start and not start.removeprefix(b"\xef\xbb\xbf").startswith(PREFIX.encode()):
        raise SaveError(f"{target} holds something else than a game and is not overwritten; choose another name.")
    return stat.S_IMODE(found.st_mode)


def _write_through(path: Path, raw: bytes, mode: int | None) -> None:
    with contextlib.suppress(FileNotFoundError):  # left by a crash of a process with our number
        path.unlink()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(descriptor, "wb") as file:
        if mode is not None:
            os.chmod(path, mode)
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Make the renaming itself last, where the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems cannot
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
