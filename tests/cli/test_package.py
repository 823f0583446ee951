"""The package's public names, its start and its folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sandtable
from sandtable.folders import data_folder


def test_every_public_name_can_be_imported() -> None:
    for name in sandtable.__all__:
        assert getattr(sandtable, name) is not None
    assert sorted(sandtable.__all__) == dir(sandtable)
    assert sandtable.__all__ == sorted(sandtable.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        sandtable.Chess  # noqa: B018


def test_the_public_game_can_be_saved() -> None:
    game = sandtable.Game.new("classic-1942", seed=7)
    game.play("buy 3 infantry")
    assert sandtable.Game.from_text(game.to_text()).state == game.state


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = "{'msgspec', 'yaml', 'rich', 'typer'}"
    code = f"import sys, sandtable; print(sorted({{m.split('.')[0] for m in sys.modules}} & {heavy}))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_the_module_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "sandtable", "version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("sandtable ")


def test_without_the_optional_packages_a_sentence_tells_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from sandtable.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'sandtable[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_makes_no_noise() -> None:
    command = f"{sys.executable} -m sandtable rules --limit 500 the | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("rule ")
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_input_that_is_no_text_is_complained_about(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "play", "--terminal", "--seed", "3"],
        input=b"\xff\xfe\x80\nbuy 1 infantry\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"neither an order nor a command" in done.stdout
    assert b"buys 1 infantry" in done.stdout
    assert b"Traceback" not in done.stderr


def test_a_pipe_with_a_poor_encoding_still_gets_its_table(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "show", "classic-1942"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"Karelia S.S.R." in done.stdout


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"HOME": "/h"}, "linux", "/h/.local/share/sandtable"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/x"}, "linux", "/x/sandtable"),
        ({"HOME": "/h", "XDG_DATA_HOME": "relative"}, "linux", "/h/.local/share/sandtable"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/sandtable"),
        ({"HOME": "/h", "LOCALAPPDATA": "/local"}, "win32", "/local/sandtable"),
        ({"HOME": "/h"}, "win32", "/h/AppData/Local/sandtable"),
    ],
)
def test_the_data_folder_follows_the_platform(environment: dict[str, str], platform: str, expected: str) -> None:
    assert data_folder(environment, platform) == Path(expected)
