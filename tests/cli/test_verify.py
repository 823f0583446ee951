"""`sandtable verify`: the dice of a finished game, proved from its save alone."""

from __future__ import annotations

from pathlib import Path

from sandtable.archive.game import Game
from sandtable.engine.dice import ScriptedDice
from sandtable.play import committed
from sandtable.world.compile import compile_world

ATTACK = (
    "end", "end", "move 3 infantry, 1 armor: karelia-ssr -> finland-norway", "end", "battle finland-norway",
)  # fmt: skip


def save(tmp_path: Path, game: Game) -> str:
    for text in ATTACK:
        game.play(text)
    path = tmp_path / "game.sandtable"
    game.save(path)
    return str(path)


def test_the_dice_of_a_game_that_was_committed_to(run, tmp_path: Path) -> None:
    seed = committed.seed_of("00ff", {"Ann": "heads", "Bob Lee": "tails"})
    path = save(tmp_path, Game(compile_world("classic-1942"), seed=seed))
    commitment = committed.commitment_of("00ff")
    told = run("verify", path, "--commitment", commitment)
    assert told.exit_code == 0, told.stdout
    assert f"committed itself to {commitment}" in told.stdout
    assert "Ann added heads" in told.stdout
    assert "dice are those that the seed gives" in told.stdout
    assert "That is the commitment you were shown." in told.stdout
    assert "Luck:" in told.stdout
    other = run("verify", path, "--commitment", "0" * 64)
    assert other.exit_code == 1
    assert "ANOTHER" in other.stdout


def test_other_dice_are_found(run, tmp_path: Path) -> None:
    game = Game(compile_world("classic-1942"), seed=committed.seed_of("00ff", {}), dice=ScriptedDice([1] * 20))
    told = run("verify", save(tmp_path, game))
    assert told.exit_code == 1
    assert "shows 1; the seed gives" in told.stdout


def test_a_game_that_goes_on_is_sealed(run, tmp_path: Path) -> None:
    seed = committed.sealed("00ff", {})
    told = run("verify", save(tmp_path, Game(compile_world("classic-1942"), seed=seed)))
    assert told.exit_code == 2
    assert "still sealed" in told.stderr


def test_what_is_added_cannot_break_the_seed() -> None:
    seed = committed.seed_of("aa", {"A,=:b": "x,y=z:", "B": ""})
    found = committed.read(seed)
    assert found is not None
    assert found.secret == "aa"
    assert len(found.contributions) == 2
    assert committed.read(committed.shown(seed, over=False)) == committed.Committed(
        commitment=committed.commitment_of("aa"), contributions=found.contributions
    )
    assert committed.read(7) is None
    assert committed.read("friday") is None
