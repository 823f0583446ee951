"""Editions from outside: folders and archives, what they are known by, and what is refused."""

from __future__ import annotations

import base64
import os
import random
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.errors import DataError
from sandtable.world import library
from sandtable.world.bundle import MOST_BYTES, MOST_FILES, MOST_PACKED, Bundle, read_bundle, unpack
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.library import ensure, open_edition, packed_for, plain, qualified, scenario_in
from support.scratch import FOLDER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "mine")
    return tmp_path / "mine"


@pytest.fixture
def forgetful() -> Iterator[None]:
    """The library as in another process: it has met nothing."""
    before = dict(library._met)
    library._met.clear()
    yield
    library._met.clear()
    library._met.update(before)


def zipped(folder: Path, target: Path, prefix: str = "") -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, prefix + file.name)
    return target


@pytest.mark.parametrize("prefix", ["", "mine/"])
def test_a_folder_and_an_archive_are_the_same_edition(folder: Path, tmp_path: Path, prefix: str) -> None:
    archive = zipped(folder, tmp_path / "mine.zip", prefix)
    assert read_bundle(folder) == read_bundle(archive)
    assert open_edition(archive) is open_edition(folder), "known by what is in it"
    name = qualified(open_edition(archive), "scratch")
    assert plain(name) == "scratch"
    world = compile_world(name)
    assert world is compile_world(name)
    assert world.scenario == name
    assert compile_edition(open_edition(folder), "scratch") == world


def test_other_files_are_another_edition(folder: Path) -> None:
    before = scenario_in(folder)
    (folder / "units.yaml").write_text((folder / "units.yaml").read_text().replace("cost: 3", "cost: 4", 1))
    after = scenario_in(folder)
    assert before != after
    assert (compile_world(before).units["infantry"].cost, compile_world(after).units["infantry"].cost) == (3, 4)


def test_line_ends_and_byte_order_marks_do_not_count(folder: Path) -> None:
    before = read_bundle(folder).digest
    for file in folder.iterdir():
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert read_bundle(folder).digest == before


def test_only_data_files_are_looked_at(folder: Path) -> None:
    before = read_bundle(folder).digest
    (folder / "evil.py").write_text("raise SystemExit")
    (folder / "README.md").write_text("mine")
    (folder / "pictures").mkdir()
    assert read_bundle(folder).digest == before


def test_packing(folder: Path) -> None:
    bundle = read_bundle(folder)
    assert unpack(bundle.packed) == bundle
    assert bundle.packed.isascii()
    assert len(bundle.packed) < sum(map(len, bundle.files.values())) / 2


@pytest.mark.usefixtures("forgetful")
def test_another_process_needs_the_files(folder: Path) -> None:
    name = qualified(open_edition(folder), "scratch")
    packed = packed_for(name)
    library._met.clear()
    with pytest.raises(DataError, match="the edition of 'scratch' is not here; open its folder or archive first"):
        compile_world(name, {"guns": True})
    ensure(name, packed)
    assert "artillery" in compile_world(name, {"guns": True}).units
    ensure("classic-1942", "")
    assert packed_for("classic-1942") == ""


@pytest.mark.usefixtures("forgetful")
def test_files_have_to_be_those_of_the_scenario(folder: Path) -> None:
    packed = read_bundle(folder).packed
    with pytest.raises(DataError, match="the files are not those of the edition of 'scratch'"):
        ensure("scratch@" + "0" * 32, packed)
    assert not library._met


def test_which_scenario(folder: Path) -> None:
    shutil.copy(folder / "scenario-scratch.yaml", folder / "scenario-second.yaml")
    with pytest.raises(DataError, match=r"the edition has several \(scratch, second\); say which one"):
        scenario_in(folder)
    with pytest.raises(DataError, match="unknown scenario 'third'"):
        scenario_in(folder, "third")
    assert plain(scenario_in(folder, "second")) == "second"
    with pytest.raises(DataError, match="unknown scenario 'third'"):
        compile_world(f"third@{read_bundle(folder).digest}")


def test_the_library_forgets_the_oldest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST", 3)
    names = []
    for cost in range(4, 9):
        text = (FOLDER / "units.yaml").read_text().replace("cost: 3", f"cost: {cost}", 1)
        (folder / "units.yaml").write_text(text)
        names.append(scenario_in(folder))
    assert len(library._met) == 3
    assert compile_world(names[-1]).units["infantry"].cost == 8
    with pytest.raises(DataError, match="is not here"):
        compile_world(names[0], {"bold": True})


# ---------------------------------------------------------------- what is refused


def refused(path: Path, *words: str) -> None:
    before = dict(library._met)
    with pytest.raises(DataError) as caught:
        open_edition(path)
    for word in words:
        assert word in str(caught.value)
    assert before == library._met, "nothing has changed"


def archive(tmp_path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return tmp_path / "bad.zip"


def test_no_such_place(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "there is no such folder or archive")


def test_no_archive(tmp_path: Path) -> None:
    (tmp_path / "some.zip").write_bytes(b"PK but not really")
    refused(tmp_path / "some.zip", "some.zip", "is not an archive that can be read")
    (tmp_path / "empty.zip").write_bytes(b"")
    refused(tmp_path / "empty.zip", "is not an archive that can be read")


@pytest.mark.parametrize("name", ["../units.yaml", "/etc/units.yaml", "a/b/units.yaml", "a\\units.yaml", "..\\x.yaml"])
def test_names_that_lead_elsewhere(tmp_path: Path, name: str) -> None:
    refused(archive(tmp_path, **{name: b"format: 1"}), "stand beside each other")


def test_two_editions_in_one_archive(tmp_path: Path) -> None:
    refused(archive(tmp_path, **{"a/units.yaml": b"x", "b/units.yaml": b"y"}), "holds one edition")


def test_a_small_archive_that_grows_without_end(tmp_path: Path) -> None:
    path = archive(tmp_path, **{"units.yaml": b"a" * (50 * MOST_BYTES)})
    assert path.stat().st_size < MOST_BYTES / 4
    refused(path, f"at most {MOST_BYTES:,} bytes")


def test_too_many_files(tmp_path: Path, folder: Path) -> None:
    many = {f"scenario-{i}.yaml": b"x" for i in range(MOST_FILES + 1)}
    refused(archive(tmp_path, **many), f"at most {MOST_FILES} files")
    for name in many:
        (folder / name).write_text("x")
    refused(folder, f"at most {MOST_FILES} files")


def test_a_folder_that_is_too_large(folder: Path) -> None:
    (folder / "board.yaml").write_text("#" * (MOST_BYTES + 1))
    refused(folder, f"at most {MOST_BYTES:,} bytes")


def test_what_is_no_file(folder: Path) -> None:
    (folder / "units.yaml").unlink()
    (folder / "units.yaml").mkdir()
    refused(folder, "units.yaml: is not a file")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    (folder / "units.yaml").unlink()
    os.mkfifo(folder / "units.yaml")
    refused(folder, "units.yaml: is not a file")


def test_what_is_no_text(folder: Path) -> None:
    (folder / "units.yaml").write_bytes(b"\xff\xfe\x00")
    refused(folder, "units.yaml: is not a text in UTF-8")


def test_names_for_parts_of_a_file(folder: Path) -> None:
    """A billion laughs: each name stands for ten of the one before."""
    lines = ["a0: &a0 [ha]"] + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    (folder / "tables.yaml").write_text("format: 1\ntables:\n  " + "\n  ".join(lines))
    refused(folder, "tables.yaml: line", "names for parts are not read")


def test_scenarios_have_plain_names(folder: Path) -> None:
    shutil.copy(folder / "scenario-scratch.yaml", folder / "scenario-a@b.yaml")
    refused(folder, "scenario-a@b.yaml: a scenario's id has small letters, digits and hyphens")


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("units.yaml", "deck: {fighter: 2}", "deck: {fighter: 30, bomber: 30}", "deck.fighter: cannot be more than 6"),
        ("units.yaml", "loads: [{infantry: 2}", "loads: [{infantry: 900}", "loads: cannot be more than 12"),
        ("units.yaml", "move: 1", "move: 100000", "move: cannot be more than 100"),
        ("scenario-scratch.yaml", "{infantry: 3, armor", "{infantry: 100000, armor", "expected at most 200 pieces"),
        ("edition.yaml", "neutral_fee: 3", "dice_sides: 1", "rules.dice_sides: cannot be less than 2"),
        ("board.yaml", "ipc: 8", "ipc: 80000", "ipc: cannot be more than 1000"),
    ],
)
def test_numbers_that_keep_a_computer_busy(folder: Path, file: str, old: str, new: str, problem: str) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    refused(folder, problem)


def test_thousands_of_problems_are_told_in_time(folder: Path) -> None:
    """Whoever writes nonsense on purpose does not keep the loader looking for what he may have meant."""
    spaces = "\n".join(f"  x{i}: {{name: X, owner: nobody{i}}}" for i in range(1400))
    (folder / "board.yaml").write_text(f"format: 1\nland:\n{spaces}\nsea: {{}}\nborders: {{}}\n")
    refused(folder, "unknown power 'nobody1399'")


@pytest.mark.parametrize(
    ("packed", "problem"),
    [
        ("not base64!", "is damaged"),
        (base64.b64encode(b"nothing").decode(), "is damaged"),
        (base64.b64encode(zlib.compress(b"[1, 2]")).decode(), "is damaged"),
        (base64.b64encode(zlib.compress(b'{"../a.yaml": "x"}')).decode(), "is no name of an edition's file"),
        (base64.b64encode(zlib.compress(b'{"a.py": "x"}')).decode(), "is no name of an edition's file"),
        (base64.b64encode(zlib.compress(b"a" * (5 * MOST_BYTES))).decode(), "damaged or too large"),
        ("A" * (MOST_PACKED + 4), "too large"),
    ],
)
def test_packed_editions_that_are_none(packed: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        unpack(packed)


def test_changed_letters_are_noticed(folder: Path) -> None:
    """Whatever letter of a packed edition changes: it is another edition or none, and never a traceback."""
    bundle = read_bundle(folder)
    rng = random.Random(5)
    for _ in range(100):
        place = rng.randrange(len(bundle.packed))
        letter = rng.choice("ABCDEFGHabcdefgh0123+/")
        changed = bundle.packed[:place] + letter + bundle.packed[place + 1 :]
        try:
            assert unpack(changed) == bundle
        except DataError:
            continue
        assert changed == bundle.packed or unpack(changed).digest == bundle.digest


def test_a_bundle_is_bounded() -> None:
    with pytest.raises(DataError, match="at most"):
        Bundle({"a.yaml": "x" * (MOST_BYTES + 1)})
