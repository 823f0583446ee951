"""`sandtable play` as somebody starts it: a real process, a real port, Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from sandtable import Game
from sandtable.server import NEEDED, bring, page
from sandtable.server.settings import Settings


class Started:
    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sandtable", "play", "--no-browser", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "SANDTABLE_DATA": str(home / "games")},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.fullmatch(r"Sandtable is at (http://127\.0\.0\.1:\d+)/(\S*)\n", line)
        assert found is not None, line + self.process.communicate(timeout=10)[1]
        self.address, self.path = found.groups()

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(self.address + path, timeout=20)

    def interrupt(self) -> tuple[str, str]:
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=20)


@pytest.fixture(autouse=True)
def a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    if not page.is_built():
        pytest.skip("the page has not been built: python -m tools.page")


@pytest.fixture
def started(home: Path) -> Iterator[list[Started]]:
    running: list[Started] = []
    yield running
    for each in running:
        if each.process.poll() is None:
            each.process.kill()
            each.process.communicate()


@pytest.mark.rule("PC-INS-01")
def test_one_command_starts_the_game_and_ctrl_c_ends_it(home: Path, started: list[Started]) -> None:
    game = Started(home)
    started.append(game)
    assert game.path == ""
    answer = game.get("/")
    assert answer.status_code == 200
    assert "<title>Sandtable" in answer.text
    assert game.get("/api/games").json() == []
    said, complained = game.interrupt()
    assert (said, complained) == ("Sandtable has stopped. All games are kept.\n", "")
    assert game.process.returncode == 0


def test_options_begin_a_new_game_with_its_bots(home: Path, started: list[Started]) -> None:
    first = Started(home, "--seat", "germany=5star-bold", "--seat", "japan=random", "--seed", "7")
    started.append(first)
    where, _, made = first.path.partition("/")
    assert where == "game"
    found = first.get(f"/api/games/{made}").json()
    assert found["seed"] == 7
    players = {seat["powers"][0]: (seat["player"], seat.get("style", "")) for seat in found["seats"]}
    assert players["germany"] == ("5star", "bold")
    assert players["japan"] == ("random", "")
    assert players["ussr"][0] == "human"
    first.interrupt()
    again = Started(home, "--resume")
    started.append(again)
    assert again.path == first.path


def test_a_saved_game_is_opened(home: Path, started: list[Started]) -> None:
    old = Game.new("classic-1942", seed=3)
    old.play("end")
    old.play("buy 2 armor")
    file = home / "friday.sandtable"
    old.save(file)
    game = Started(home, str(file))
    started.append(game)
    found = game.get(f"/api/games/{game.path.removeprefix('game/')}").json()
    assert (found["name"], found["orders"], found["digest"]) == ("friday", 2, old.state.digest())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rounds", "3"], "--rounds is for the terminal game: add --terminal."),
        (["--terminal", "--no-browser"], "--port and --no-browser are for the browser game"),
        (["--resume"], "There is no game to go on with."),
        (["nowhere.sandtable"], "There is no file nowhere.sandtable."),
    ],
)
def test_what_makes_no_sense_is_said(run, arguments: list[str], said: str) -> None:
    result = run("play", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_without_a_page_it_says_how_to_get_one(run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(page, "BUILT", tmp_path)
    result = run("play", "--no-browser")
    assert result.exit_code == 2
    assert "`make play` builds it" in result.stderr
    assert "--terminal" in result.stderr


def test_without_the_extra_it_says_how_to_get_it(home: Path) -> None:
    hidden = (
        "import sys; sys.modules['uvicorn'] = None; sys.argv[0] = 'sandtable'; from sandtable.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden, "play", "--no-browser"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pip install 'sandtable[server]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("package", NEEDED)
def test_the_server_alone_says_so_too(package: str) -> None:
    hidden = (
        f"import sys, runpy; sys.modules[{package!r}] = None; sys.argv[0] = 'server'; "
        "runpy.run_module('sandtable.server', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", hidden, "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "The server needs a few packages more: pip install 'sandtable[server]'\n"


@pytest.mark.anyio
async def test_the_last_game_that_is_not_over_is_resumed(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert await bring.latest(settings) is None
    going = await bring.bring(settings, Game.new("classic-1942", seed=3))
    over = Game.new("classic-1942", seats={"One": ["ussr", "uk", "usa"], "Two": ["germany", "japan"]}, seed=3)
    over.play("surrender")
    assert over.state.over
    await bring.bring(settings, over)
    assert await bring.latest(settings) == going
