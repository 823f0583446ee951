"""Texts that are cut off, changed, foreign or made up: a sentence for the player, and nothing else happens."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.archive import record, saves
from sandtable.archive.game import Game
from sandtable.errors import SaveError

Sudan = Callable[..., Game]


def signed(lines: list[str]) -> str:
    """A text with these lines up to `close:` and marks and sum that fit them, as a forger would make it."""
    marks = [record._mark(line) for line in lines]
    rows = ["check: " + " ".join(marks[i : i + record.ROW]) for i in range(0, len(marks), record.ROW)]
    body = "\n".join([*lines, *rows])
    return f"{body}\nsum: {record._sum(body)}"


def forged(text: str, change: Callable[[list[str]], object]) -> str:
    lines = text.split("\n")
    lines = lines[: record._closing(lines) + 1]
    change(lines)
    return signed(lines)


def replaced(text: str, old: str, new: str) -> str:
    def change(lines: list[str]) -> None:
        index = next(i for i, line in enumerate(lines) if old in line)
        lines[index] = lines[index].replace(old, new)

    return forged(text, change)


def refused(text: str, words: str = "") -> str:
    with pytest.raises(SaveError) as caught:
        Game.from_text(text)
    message = str(caught.value)
    assert re.search(words, message), message
    assert message[0].isupper()
    assert len(message) < 1000
    return message


def test_forging_as_such_works(sudan: Sudan) -> None:
    """The tests below would show nothing if their texts were refused for a wrong checksum."""
    text = sudan().to_text()
    assert forged(text, lambda lines: None) == text


# ---------------------------------------------------------------- cut off, changed


def test_cut_off_anywhere(small: Game, tmp_path: Path) -> None:
    raw = small.to_text().encode()
    path = tmp_path / "game"
    for length in range(len(raw)):
        path.write_bytes(raw[:length])
        with pytest.raises(SaveError):
            Game.load(path)
        assert path.read_bytes() == raw[:length]


def test_cut_off_says_where(sudan: Sudan) -> None:
    text = sudan().to_text()
    short = text[: text.index("\npress")]
    refused(short, f"cut off after line {short.count(chr(10)) + 1}")


def test_every_single_change_is_noticed(small: Game) -> None:
    text = small.to_text()
    for place, old in enumerate(text):
        for new in ("", "7" if old != "7" else "8", "\n" if old != "\n" else " ", old + old):
            changed = text[:place] + new + text[place + 1 :]
            if changed.rstrip() != text:
                with pytest.raises(SaveError):
                    Game.from_text(changed)


@pytest.mark.parametrize("number", [2, 3, 5, 6, 8])
def test_a_changed_line_is_named(small: Game, number: int) -> None:
    lines = small.to_text().split("\n")
    lines[number - 1] = lines[number - 1].replace("1", "2").replace("3", "2") + "x"
    refused("\n".join(lines), rf"Line {number} of the game does not fit: .*changed")


def test_a_line_that_is_missing_is_named(long_text: str) -> None:
    lines = long_text.split("\n")
    assert lines[39] != lines[40]
    del lines[39]
    refused("\n".join(lines), "Line 40 of the game does not fit")


def test_changed_closing_lines_are_named(small: Game) -> None:
    text = small.to_text()
    place = text.index("check: ") + len("check: ")
    refused(
        text[:place] + ("zz" if text[place : place + 2] != "zz" else "yy") + text[place + 2 :], "Line 1 of the game"
    )
    end = "0" if text[-1] != "0" else "1"
    refused(text[:-1] + end, "closing lines")


def test_the_error_of_a_file_names_it(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "friday.sandtable"
    path.write_text(small.to_text()[:-40])
    with pytest.raises(SaveError, match=r"friday\.sandtable: The game is cut off"):
        Game.load(path)


# ---------------------------------------------------------------- foreign files


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"\x00" * 100,
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"PK\x03\x04 something zipped",
        b"\x80\x04\x95\x0b\x00\x00\x00cos\nsystem\n\x8c\x02id\x85R.",
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><game>&b;</game>",
        b"!!python/object/apply:os.system ['id']",
        b'{"sandtable": 1}',
        b"#!/bin/sh\necho sandtable 1\n",
        b"sandtable 1",
        b"sandtable 1\n",
        b"sandtable one\nscenario: classic-1942\n",
        b"Sandtable 1\n",
        b" sandtable 1\n",
        "sandtable 1\nscenario: classic-1942\n".encode("utf-16"),
        'sandtable 1\nseat "J\u00f6rg": ussr\n'.encode("latin-1"),
        b"sandtable 1\nclose: \nsum: " + b"0" * 32,
        b"\xff\xfe\x00\x00",
    ],
)
def test_foreign_files(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "something"
    path.write_bytes(raw)
    with pytest.raises(SaveError, match="something"):
        Game.load(path)
    assert path.read_bytes() == raw
    assert list(tmp_path.iterdir()) == [path]


def test_another_version_is_told(small: Game) -> None:
    refused(small.to_text().replace("sandtable 1", "sandtable 2", 1), "format 2 .* reads format 1 only")


def test_a_text_that_is_too_large() -> None:
    refused("sandtable 1\n" + "#" * record.LARGEST, "too large")


@settings(max_examples=150)
@given(raw=st.binary(max_size=300))
def test_random_bytes(raw: bytes) -> None:
    with pytest.raises(SaveError):
        Game.from_text(raw.decode("latin-1"))


@settings(max_examples=150)
@given(data=st.data())
def test_a_real_game_with_random_changes(long_text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(long_text) - 1))
    length = data.draw(st.integers(0, 30))
    new = data.draw(st.text(max_size=30))
    changed = long_text[:place] + new + long_text[place + length :]
    if changed.rstrip() == long_text or changed.removeprefix("\ufeff") == long_text:
        return
    with pytest.raises(SaveError):
        Game.from_text(changed)


@settings(max_examples=60)
@given(data=st.data())
def test_forgeries_with_random_changes(small_text: str, data: st.DataObject) -> None:
    """With sums that fit, whatever the lines say. Some of these are games; none of them breaks anything."""

    def change(lines: list[str]) -> None:
        for _ in range(data.draw(st.integers(1, 3))):
            index = data.draw(st.integers(1, len(lines) - 1))
            other = data.draw(st.integers(1, len(lines) - 1))
            match data.draw(st.integers(0, 4)):
                case 0:
                    lines[index] = data.draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
                case 1:
                    lines[index], lines[other] = lines[other], lines[index]
                case 2:
                    lines.insert(index, lines[other])
                case 3:
                    lines[index] = lines[index].replace("1", data.draw(st.sampled_from(["0", "-1", "9" * 30, "1.5"])))
                case _:
                    words = lines[index].split(" ")
                    random.Random(index).shuffle(words)
                    lines[index] = " ".join(words)

    text = forged(small_text, change)
    try:
        game = Game.from_text(text)
    except SaveError:
        return
    assert saves.from_text(game.to_text()).state == game.state


@pytest.fixture(scope="module")
def small_text(sudan: Sudan) -> str:
    return sudan().to_text()


# ---------------------------------------------------------------- made up


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("press", "sing", r"Line \d+ of the game does not fit: 'sing'.*no order"),
        ("press", "undo", "taken back"),
        ("press", "retreat japan", "the rules refuse it"),
        ("press", "press | 9", "dice"),
        ("press", "press | one", "dice are numbers"),
        ("press", "press | 1  2", "dice are numbers"),
        ("press", "press" * 1000, "at most"),
        ("end | 4 2", "end | 4 6", "dice"),
        ("end | 4 2", "end | 4", "dice"),
        ("end | 4 2", "end | 4 9", "faces 1 to 6"),
        ("close: 5", "close: 6", "6 orders, and there are 5"),
        ("6 dice", "7 dice", "7 dice .* and there are 6"),
        ("state ", "state 0", "Line .* should tell"),
        ("seed: 0", "seed: nothing", "cannot be read"),
        ("seed: 0", "seed: []", "quotation marks"),
        ("seed: 0", 'seed: "' + "x" * 300 + '"', "at most 200"),
        ("seed: 0", "seed: " + "9" * 5000, "."),
        ("seed: 0", "seed", "a name, a colon and a value"),
        ("seed: 0", "seed: 0\nseed: 0", "twice"),
        ("seed: 0", "seed: 0\nplanet: 9", "nothing of that name"),
        ("seed: 0", "seed: 0\ncursor: 6", "it has only 5"),
        ("seed: 0", "seed: 0\ncursor: -1", "whole number"),
        ("seed: 0", "seed: 0\ncursor: 99999999999", "whole number"),
        ("seed: 0", "seed: 0\nopening: 1", "."),
        ("seed: 0", "seed: 0\noption second_edition: 1", "expected one of"),
        ("seed: 0", "seed: 0\noption no_such: true", "unknown option"),
        ("seed: 0", 'seed: 0\nedits: {"units": 3}', "units"),
        ("seed: 0", "seed: 0\nedits: " + "[" * 100_000, "cannot be read"),
        ("seed: 0", "seed: 0\nedits: " + "[" * 50 + "]" * 50, "nested too deeply"),
        ("seed: 0", "seed: 0\nedits: 7", "names with values"),
        (
            "seed: 0",
            'seed: 0\nedits: {"setup": [{"power": "uk", "unit": "infantry", "count": 10000000, "space": "india"}]}',
            "beyond",
        ),
        ("seed: 0", 'seed: 0\nseat "A": ussr', "needs a seat|Nobody plays"),
        ("seed: 0", "seed: 0\nseat A: ussr", "cannot be read"),
        ("seed: 0", "seed: 0\nseat : ussr", "."),
        ("scenario: classic-1942", "scenario: ../../etc/passwd", "scenario"),
        ("scenario: classic-1942", "scenario: global-1940", "."),
        ("scenario: classic-1942", "# nothing", "."),
    ],
)
def test_forgeries(sudan: Sudan, old: str, new: str, words: str) -> None:
    def change(lines: list[str]) -> None:
        index = next(i for i, line in enumerate(lines) if line.startswith(old) or f", {old}" in f", {line}")
        lines[index : index + 1] = lines[index].replace(old, new, 1).split("\n")

    refused(forged(sudan().to_text(), change), words)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("round", "0", "round"),
        ("round", '"one"', "Expected `int`"),
        ("round", "1.5", "whole number"),
        ("turn", "5", "turn"),
        ("phase", "-1", "phase"),
        ("rolls", "-1", "wrong number"),
        ("units narnia", '[[1, {"power": "uk", "type": "infantry"}]]', "names a space that does not exist: 'narnia'"),
        ("units india", '[[1, {"power": "rome", "type": "infantry"}]]', "power"),
        ("units india", '[[1, {"power": "uk", "type": "hoplite"}]]', "unit"),
        ("units india", '[[0, {"power": "uk", "type": "infantry"}]]', "makes no sense"),
        ("units india", '[[-5, {"power": "uk", "type": "infantry"}]]', "makes no sense"),
        ("units india", '[[99999999, {"power": "uk", "type": "infantry"}]]', "beyond"),
        ("units india", '[[1001, {"power": "uk", "type": "infantry"}]]', "1,001 units in india"),
        (
            "units india",
            '[[501, {"power": "uk", "type": "transport", "cargo": [{"power": "uk", "type": "infantry"}]}]]',
            "1,002 units in india",
        ),
        ("units india", '[[1, {"power": "uk", "type": "infantry", "used": -1}]]', "moves or hits"),
        ("units india", '[[1, {"power": "uk", "type": "infantry", "mark": "invisible"}]]', "Invalid enum"),
        (
            "units india",
            '[[1, {"power": "uk", "type": "transport", "cargo": [{"power": "uk", "type": "transport", '
            '"cargo": [{"power": "uk", "type": "infantry"}]}]}]]',
            "cargo",
        ),
        ("treasury", '{"uk": 5}', "treasury of every power"),
        ("treasury", '{"ussr": -1, "germany": 1, "uk": 1, "japan": 1, "usa": 1}', "money"),
        ("treasury", '{"ussr": 100001, "germany": 1, "uk": 1, "japan": 1, "usa": 1}', "money"),
        ("round", "10001", "round"),
        ("tokens", '{"uk": 1001}', "researchers"),
        ("pool", '{"infantry": 1001}', "new units"),
        ("waiting", '{"uk": {"infantry": 501, "armor": 500}}', "new units"),
        ("battle", '{"space": "india", "kind": "land", "attacker": "japan", "hits": [{"count": 10001}]}', "hits"),
        (
            "battle",
            '{"space": "india", "kind": "land", "attacker": "japan", '
            '"group": [[1001, {"power": "uk", "type": "infantry"}]]}',
            "units in a battle",
        ),
        ("owners", '{"india": "rome"}', "power"),
        ("techs", '{"uk": ["gunpowder"]}', "technology"),
        ("winner", '"rome"', "side"),
        ("magic", "1", "unknown field"),
        ("battle", '{"space": "india", "kind": "siege", "attacker": "japan"}', "kind of battle"),
        ("battle", '{"space": "india", "kind": "land", "attacker": "japan", "step": 99}', "step"),
        (
            "battle",
            '{"space": "india", "kind": "land", "attacker": "japan", "hits": ['
            + ", ".join(['{"count": 1}'] * 40)
            + "]}",
            "hits",
        ),
        (
            "battle",
            '{"space": "india", "kind": "land", "attacker": "japan", '
            '"doomed": [[3, {"power": "uk", "type": "infantry"}]]}',
            "impossible",
        ),
    ],
)
def test_made_up_positions(sudan: Sudan, field: str, value: str, words: str) -> None:
    def change(lines: list[str]) -> None:
        line = f"start {field}: {value}"
        same = [i for i, old in enumerate(lines) if old.startswith(f"start {field}: ")]
        if same:
            lines[same[0]] = line
        else:
            lines.insert(lines.index(""), line)

    refused(forged(sudan(0).to_text(), change), words)


def test_a_board_full_of_units(sudan: Sudan) -> None:
    """No space has too many, and all together are too many."""

    def fill(lines: list[str]) -> None:
        lines[:] = [line for line in lines if not line.startswith("start units ")]
        land = [space.id for space in sudan(0).world.spaces.values() if space.is_land][:11]
        stack = '[[1000, {"power": "uk", "type": "infantry"}]]'
        lines[lines.index("") : lines.index("")] = [f"start units {space}: {stack}" for space in land]

    refused(forged(sudan(0).to_text(), fill), "11,000 units on the board, where at most 10,000 can be set up")


def test_a_made_up_result_is_noticed(sudan: Sudan) -> None:
    text = sudan().to_text()
    state = re.search(r"state ([0-9a-f]{32})", text)
    assert state is not None
    refused(replaced(text, state[1], "0" * 32), "another position")


def test_a_legal_order_in_place_of_another_is_noticed(sudan: Sudan) -> None:
    """The sums fit and every order is legal: the result gives the forger away."""
    text = sudan(2).to_text()
    refused(replaced(text, "move 1 infantry, 1 armor", "move 1 armor"), "dice|another position")


def test_refusing_is_quick(sudan: Sudan) -> None:
    """Huge forces and long texts do not keep anybody waiting."""

    def crowd(lines: list[str]) -> None:
        index = next(i for i, line in enumerate(lines) if line.startswith("start units anglo-egypt-sudan: "))
        lines[index] = 'start units anglo-egypt-sudan: [[1000000, {"power": "uk", "type": "infantry"}]]'

    def repeat(lines: list[str]) -> None:
        lines[-1] = lines[-1].replace("close: 5 orders", "close: 60005 orders")
        lines[-2:-2] = ["end"] * 60_000

    text = sudan().to_text()
    began = time.process_time()
    refused(forged(text, crowd), "1,000,000 units in anglo-egypt-sudan, where at most 1,000 can be set up")
    refused(forged(text, repeat), "at most 50000 orders")
    assert time.process_time() - began < 5
