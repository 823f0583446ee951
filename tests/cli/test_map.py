"""`sandtable map`: pictures of scenarios and saved games."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from sandtable import Game
from sandtable.cli.app import app


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


def test_draws_a_scenario_as_svg(runner: CliRunner, tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    result = runner.invoke(app, ["map", "classic-1942", "-o", str(target), "--palette", "dark"])
    assert result.exit_code == 0, result.output
    text = target.read_text()
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "Karelia" in text.title()


def test_draws_where_a_saved_game_stands(runner: CliRunner, tmp_path: Path) -> None:
    game = Game.new("classic-1942", seed=1)
    for order in ("end", "end", "move 2 armor: russia -> karelia-ssr -> ukraine-ssr"):
        game.play(order)
    save = tmp_path / "game.sandtable"
    game.save(save)
    target = tmp_path / "east.png"
    command = ["map", str(save), "-o", str(target), "--around", "Russia", "--around", "ukraine-ssr", "--width", "500"]
    result = runner.invoke(app, command)
    assert result.exit_code == 0, result.output
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["classic-1942", "-o", "board.jpg"], ".svg or .png"),
        (["classic-1942", "-o", "board.svg", "--palette", "pink"], "colour-blind"),
        (["classic-1942", "-o", "board.svg", "--around", "atlantis"], "atlantis"),
        (["classic-1943", "-o", "board.svg"], "classic-1942"),
        (["classic-1942", "-o", "no/such/folder/board.svg"], "cannot be written"),
    ],
)
def test_wrong_arguments_get_a_sentence(
    runner: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = runner.invoke(app, ["map", *arguments])
    assert result.exit_code == 2
    assert words in result.output
    assert not list(tmp_path.rglob("board.*"))
