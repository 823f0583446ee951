"""Writing is all or nothing, and autosaves are there when the program comes back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.archive import files
from sandtable.archive.autosave import Autosave, latest
from sandtable.archive.game import Game
from sandtable.errors import SaveError


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A saved game that must survive."""
    path = tmp_path / "game.sandtable"
    Game.new(seed=1).save(path)
    return path


@pytest.mark.parametrize("crash", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("moment", ["fsync", "replace", "fdopen"])
def test_a_crash_while_writing_leaves_the_old_file(
    moment: str, crash: BaseException, old: Path, small: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise crash

    monkeypatch.setattr(files.os, moment, fail)
    expected = SaveError if isinstance(crash, OSError) else type(crash)
    with pytest.raises(expected, match="No space left" if isinstance(crash, OSError) else None):
        small.save(old)
    monkeypatch.undo()
    assert old.read_bytes() == before
    assert list(old.parent.iterdir()) == [old]
    assert Game.load(old).entries == []


def test_the_old_file_is_there_until_the_new_one_is_complete(
    old: Path, small: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = old.read_bytes()
    real = os.replace
    seen = []

    def watch(source: Path, target: Path) -> None:
        seen.append((Path(source).read_text(), Path(target).read_bytes(), Path(source).parent))
        real(source, target)

    monkeypatch.setattr(files.os, "replace", watch)
    small.save(old)
    assert seen == [(small.to_text(), before, old.parent)]
    assert old.read_text() == small.to_text()


def test_something_else_is_not_overwritten(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("Dear diary")
    with pytest.raises(SaveError, match="not overwritten"):
        small.save(path)
    assert path.read_text() == "Dear diary"
    empty = tmp_path / "empty"
    empty.touch()
    small.save(empty)
    assert Game.load(empty).entries == small.entries


def test_a_damaged_game_may_be_overwritten(old: Path, small: Game) -> None:
    old.write_text(old.read_text()[:50])
    small.save(old)
    assert Game.load(old).entries == small.entries


@pytest.mark.skipif(os.name != "posix", reason="links and permissions of a Unix system")
def test_links_and_permissions_are_kept(old: Path, small: Game) -> None:
    link = old.with_name("link")
    link.symlink_to(old)
    old.chmod(0o640)
    small.save(link)
    assert link.is_symlink()
    assert old.stat().st_mode & 0o777 == 0o640
    assert Game.load(old).entries == small.entries


def test_places_where_nothing_can_be_saved_or_loaded(small: Game, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "such", Path("a\0b")):
        with pytest.raises(SaveError):
            small.save(path)
        with pytest.raises(SaveError):
            Game.load(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_a_device_is_not_read() -> None:
    with pytest.raises(SaveError, match="is not a file"):
        Game.load("/dev/zero")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(SaveError, match="is not a file"):
        Game.load(pipe)


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(files.LARGEST + 1)
    with pytest.raises(SaveError, match="too large"):
        Game.load(path)


# ---------------------------------------------------------------- autosave


def test_every_order_is_saved_and_the_last_few_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "saves" / "monday"
    autosave = Autosave(folder, keep=3)
    game = Game.new(seed=6)
    assert latest(folder) is None
    for count, order in enumerate(("end", "buy 1 infantry", "buy 2 infantry", "end", "end"), 1):
        game.play(order)
        path = autosave.note(game)
        assert path is not None
        assert path == latest(folder)
        assert Game.load(path).entries == game.entries
        assert len(list(folder.iterdir())) == min(count, 3)


def test_saving_less_often(tmp_path: Path) -> None:
    autosave = Autosave(tmp_path, every=10)
    game = Game.new(seed=6)
    written = []
    for now, order in (
        (100.0, "end"),
        (105.0, "buy 1 infantry"),
        (109.9, "buy 1 infantry"),
        (110.0, "end"),
        (112, "end"),
    ):
        game.play(order)
        written.append(autosave.note(game, now) is not None)
    assert written == [True, False, False, True, False]
    path = autosave.flush(game)
    assert path is not None
    assert Game.load(path).entries == game.entries
    assert autosave.flush(game) is None


def test_numbers_go_on_after_a_new_start(tmp_path: Path) -> None:
    game = Game.new(seed=6)
    first = Autosave(tmp_path).save(game)
    second = Autosave(tmp_path).save(game)
    assert (first.name, second.name) == ("autosave-000001.sandtable", "autosave-000002.sandtable")


def test_a_damaged_newest_is_passed_over(tmp_path: Path) -> None:
    game = Game.new(seed=6)
    good = Autosave(tmp_path).save(game)
    damaged = tmp_path / "autosave-000002.sandtable"
    damaged.write_text(game.to_text()[:-5])
    (tmp_path / "autosave-000003.sandtable").mkdir()
    (tmp_path / "autosave-000004.sandtable.bak").write_text("notes")
    assert latest(tmp_path) == good
    assert damaged.read_text() == game.to_text()[:-5]
    newest = Autosave(tmp_path).save(game)
    assert latest(tmp_path) == newest


def test_a_crash_leaves_the_last_autosave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    autosave = Autosave(tmp_path)
    game = Game.new(seed=6)
    good = autosave.save(game)
    game.play("end")

    def fail(*_: object) -> None:
        monkeypatch.setattr(Path, "unlink", fail)  # the power is off: nothing is tidied up either
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        autosave.note(game)
    monkeypatch.undo()
    assert latest(tmp_path) == good
    assert len(list(tmp_path.iterdir())) == 2
    path = autosave.save(game)
    assert latest(tmp_path) == path
    assert sorted(p.name for p in tmp_path.iterdir()) == ["autosave-000001.sandtable", "autosave-000002.sandtable"]


def test_a_folder_that_cannot_be_one(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SaveError, match="cannot hold autosaves"):
        Autosave(file).save(Game.new())
    with pytest.raises(SaveError, match="At least one"):
        Autosave(tmp_path, keep=0)
