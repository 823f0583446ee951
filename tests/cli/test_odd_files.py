"""Files that never end, pipes and devices: every command that reads a file says a sentence and stops."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

resource = pytest.importorskip("resource", reason="pipes with names, devices and limits of a Unix system")

COMMANDS = [
    ("adjudicate", "FILE"),
    ("show", "FILE"),
    ("map", "FILE", "-o", "board.svg"),
    ("new", "game.sandtable", "--edits", "FILE"),
    ("play", "--terminal", "--edits", "FILE"),
    ("play", "--terminal", "FILE"),
    ("play", "--no-browser", "FILE"),
    ("replay", "FILE"),
    ("replay", "FILE", "--log"),
]


@pytest.fixture
def little_memory() -> Iterator[None]:
    """A command that reads for ever fails its test, and does no harm to the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 500_000_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_pipe_is_refused(run, home: Path, command: tuple[str, ...]) -> None:
    """Nobody ever writes into it, so opening it plainly would wait for ever."""
    pipe = home / "pipe"
    os.mkfifo(pipe)
    result = run(*(pipe if word == "FILE" else word for word in command))
    assert result.exit_code == 2
    assert f"{pipe} is not a file" in result.stderr


@pytest.mark.timeout(60)
@pytest.mark.skipif(not Path("/proc/self/statm").exists() or not Path("/dev/zero").exists(), reason="needs Linux")
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_device_is_refused(run, command: tuple[str, ...]) -> None:
    result = run(*("/dev/zero" if word == "FILE" else word for word in command))
    assert result.exit_code == 2
    assert "/dev/zero is not a file" in result.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_that_is_too_large_is_refused(run, home: Path, command: tuple[str, ...]) -> None:
    large = home / "large"
    with large.open("wb") as file:
        file.truncate(20_000_000)
    result = run(*(large if word == "FILE" else word for word in command))
    assert result.exit_code == 2
    assert f"{large} is too large for " in result.stderr


def test_a_line_without_an_end_leaves_the_game(run) -> None:
    result = run("play", "--terminal", "--seed", "3", given="x" * 10_000)
    assert result.exit_code == 0
    assert "A line has at most 4000 characters" in result.stdout
    assert "The game is kept" in result.stdout
