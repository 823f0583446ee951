"""The terminal game on a real terminal: a pseudo terminal with a person's keys."""

from __future__ import annotations

import codecs
import os
import re
import select
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.cli.terminal.keeper import last_game
from sandtable.notation import format_order

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])")


class Terminal:
    """A child process on a terminal of 80 by 24."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.seen = ""
        self.read = 0  # characters without escape codes that were waited for
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        pid, self.fd = pty.fork()
        if pid == 0:  # the child becomes the program
            os.execve(sys.executable, [sys.executable, "-m", "sandtable", *arguments], environment)
        self.pid = pid
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for(self, text: str, seconds: float = 30) -> str:
        """Read until the text shows; gives everything since the last wait, without escape codes."""
        end = time.monotonic() + seconds
        while text not in (plain := ESCAPES.sub("", self.seen)[self.read :]):
            ready, _, _ = select.select([self.fd], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{text!r} did not show:\n{plain}"
            try:
                raw = os.read(self.fd, 65536)
            except OSError:
                raw = b""
            assert raw, f"the program ended before {text!r}:\n{plain}"
            self.seen += self.decoder.decode(raw)
        place = plain.index(text) + len(text)
        self.read += place
        return plain[:place]

    def type(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def ended(self) -> int:
        """Wait for the end; gives the exit status."""
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


@pytest.fixture
def terminal(environment: dict[str, str], home: Path) -> Iterator[Terminal]:
    game = Terminal(["play", "--terminal", "--seed", "3"], environment)
    yield game
    os.close(game.fd)


def kept(home: Path) -> list[str]:
    found = last_game(home / "data" / "sandtable" / "autosaves")
    assert found is not None
    return [format_order(entry.order) for entry in found[0].entries]


def test_a_person_plays_with_completion_and_leaves_by_ctrl_d(terminal: Terminal, home: Path) -> None:
    terminal.wait_for("U.S.S.R.>")
    terminal.type("5\r")
    terminal.wait_for("what do you buy?")
    terminal.wait_for("U.S.S.R.>")
    terminal.type("buy 3 inf\t")  # the only unit that begins so
    terminal.wait_for("infantry")
    terminal.type("\r")
    terminal.wait_for("buys 3 infantry")
    terminal.wait_for("U.S.S.R.>")
    assert "\x1b[1;38;2;" in terminal.seen or "\x1b[1;38;5;" in terminal.seen  # powers have their colours
    terminal.type("\x04")
    terminal.wait_for("The game is kept")
    assert terminal.ended() == 0
    assert kept(home) == ["end", "buy 3 infantry"]


def test_ctrl_c_leaves_cleanly_with_the_game_saved(terminal: Terminal, home: Path) -> None:
    terminal.wait_for("U.S.S.R.>")
    terminal.type("end\r")
    terminal.wait_for("what do you buy?")
    terminal.wait_for("U.S.S.R.>")
    terminal.type("buy 1 arm\x03")
    assert "Traceback" not in terminal.wait_for("The game is kept")
    assert terminal.ended() == 0
    assert kept(home) == ["end"]


def test_no_color_is_respected(environment: dict[str, str]) -> None:
    game = Terminal(["show", "classic-1942"], {**environment, "NO_COLOR": "1"})
    game.wait_for("Neutral:")
    assert "38;" not in game.seen
    assert "\x1b[3" not in game.seen
    assert game.ended() == 0
    os.close(game.fd)


def test_tables_fit_into_80_columns(environment: dict[str, str]) -> None:
    game = Terminal(["show", "classic-1942"], environment)
    text = game.wait_for("Neutral:")
    assert "─" in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
    game.ended()
    os.close(game.fd)
