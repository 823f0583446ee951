"""The text of a saved game, as lines: what it must look like, and whether it is whole.

This module knows the form only. It checks that a text is one of ours, complete and unchanged, and takes it apart;
`saves` turns the parts into a game. The form is described in docs/reference/save-format.md.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sandtable.errors import SaveError

FORMAT = 1
LARGEST = 8_000_000  # characters of a whole text
MOST_ORDERS = 50_000
LONGEST_NAME = 200  # characters of a seat's name, or of a seed
LARGEST_NUMBER = 1_000_000  # of anything but a seed
DEEPEST = 12  # levels of nested data
ROW = 40  # marks in one line
WIDE = 100  # letters of packed data in one line

_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_CLOSE = re.compile(r"close: ([0-9]{1,9}) orders?, ([0-9]{1,9}) dice, state ([0-9a-f]{32})")
_FIRST = re.compile(r"sandtable ([0-9]{1,9})")
_SEED = re.compile(r"-?[0-9]+")
_PACKED = re.compile(r"[A-Za-z0-9+/]+={0,2}")


class Line(msgspec.Struct, frozen=True):
    """One order as it stands in the text, with the dice that it drew."""

    number: int  # of the line in the text, from 1
    order: str
    faces: tuple[int, ...] = ()


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a saved game."""

    scenario: str
    edition: str = ""  # the files of an edition from outside, packed
    options: Mapping[str, bool | int | str] = {}  # those that differ from the defaults
    edits: Mapping[str, Any] = {}
    seats: Mapping[str, tuple[str, ...]] | None = None  # None: every power has its own
    seed: int | str = 0
    start: Mapping[str, Any] | None = None  # a position to start from; None: the scenario's set-up
    opening: tuple[int, ...] = ()  # dice that were rolled before the first order
    cursor: int | None = None  # None: at the end
    lines: tuple[Line, ...] = ()
    headings: Mapping[int, str] = {}  # before the order with this index (from 0): words for readers
    dice: int = 0
    state: str = ""  # fingerprint of the state after the last order


# ---------------------------------------------------------------- writing


def write(record: Record) -> str:
    """The whole text, without a line break at its end."""
    lines = [f"sandtable {FORMAT}", *_header(record), ""]
    for index, line in enumerate(record.lines):
        if index in record.headings:
            lines.append(f"# {record.headings[index]}")
        faces = f" | {_numbers(line.faces)}" if line.faces else ""
        lines.append(line.order + faces)
    count = len(record.lines)
    lines.append("")
    lines.append(f"close: {count} order{'s' if count != 1 else ''}, {record.dice} dice, state {record.state}")
    marks = [_mark(line) for line in lines]
    lines.extend("check: " + " ".join(marks[i : i + ROW]) for i in range(0, len(marks), ROW))
    body = "\n".join(lines)
    text = f"{body}\nsum: {_sum(body)}"
    if len(text) > LARGEST or count > MOST_ORDERS:
        raise SaveError(f"The game is too long to be saved: {count} orders, {len(text)} characters.")
    return text


def _header(record: Record) -> Iterator[str]:
    yield f"scenario: {record.scenario}"
    for start in range(0, len(record.edition), WIDE):
        yield f"edition: {record.edition[start : start + WIDE]}"
    for key, value in record.options.items():
        yield f"option {key}: {_json(value)}"
    if record.edits:
        yield f"edits: {_json(record.edits)}"
    for name, powers in (record.seats or {}).items():
        if len(name) > LONGEST_NAME:
            raise SaveError(f"The name of a seat has at most {LONGEST_NAME} characters.")
        yield f"seat {_json(name)}: {' '.join(powers)}"
    if len(str(record.seed)) > LONGEST_NAME:
        raise SaveError(f"The seed of a game has at most {LONGEST_NAME} characters.")
    yield f"seed: {_json(record.seed)}"
    for field, value in (record.start or {}).items():
        if field == "units":
            for space, units in value.items():
                yield f"start units {space}: {_json(units)}"
        else:
            yield f"start {field}: {_json(value)}"
    if record.opening:
        yield f"opening: {_numbers(record.opening)}"
    if record.cursor is not None:
        yield f"cursor: {record.cursor}"


def _json(value: object) -> str:
    """Data on one line. Letters of all alphabets are kept; what might break a line or a codec is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return text if text.isprintable() else json.dumps(value, separators=(", ", ": "))


def _numbers(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _mark(line: str) -> str:
    """Two letters that tell a changed line from the original nearly always."""
    word = int.from_bytes(hashlib.blake2b(line.encode(), digest_size=2).digest(), "big")
    return _LETTERS[word >> 5 & 31] + _LETTERS[word & 31]


def _sum(body: str) -> str:
    return hashlib.blake2b(body.encode(), digest_size=16).hexdigest()


# ---------------------------------------------------------------- reading


def read(text: str) -> Record:
    """The parts of the text. Raises SaveError when it is not ours, cut off, changed, or makes no sense."""
    lines = whole_lines(text)
    end = _closing(lines)
    close = _CLOSE.fullmatch(lines[end])
    if close is None:
        raise SaveError(f"Line {end + 1} should tell the number of orders and dice, and the state at the end.")
    header = lines[1:end]
    if "" not in header:
        raise SaveError("The header of the game does not end: an empty line comes before the first order.")
    gap = header.index("")
    parts = _read_header(header[:gap])
    orders = tuple(_read_orders(header[gap + 1 :], gap + 3))
    count, dice = int(close[1]), int(close[2])
    if len(orders) != count:
        raise SaveError(f"The game says that it has {count} orders, and there are {len(orders)}.")
    if count > MOST_ORDERS:
        raise SaveError(f"A game has at most {MOST_ORDERS} orders; this one has {count}.")
    rolled = len(parts.get("opening", ())) + sum(len(line.faces) for line in orders)
    if rolled != dice:
        raise SaveError(f"The game says that {dice} dice were rolled, and there are {rolled}.")
    cursor = parts.get("cursor")
    if cursor is not None and cursor > count:
        raise SaveError(f"The game is shown after order {cursor}, and it has only {count}.")
    return Record(**parts, lines=orders, dice=dice, state=close[3])


def whole_lines(text: str) -> list[str]:
    """The lines of a text that is ours, complete and unchanged. Does not look at what they say."""
    if len(text) > LARGEST:
        raise SaveError(f"This is too large for a saved game: more than {LARGEST:,} characters.")
    text = text.removeprefix("\ufeff")
    if text.count("\n") == text.count("\r\n"):  # all of them: the file has been through another system
        text = text.replace("\r\n", "\n")
    lines = text.rstrip(" \t\r\n").split("\n")
    first = _FIRST.fullmatch(lines[0])
    if first is None:
        raise SaveError("This is not a Sandtable game: it does not begin with the line “sandtable 1”.")
    if int(first[1]) != FORMAT:
        raise SaveError(
            f"The game is written in format {first[1]} and this version of Sandtable reads format {FORMAT} only."
        )
    name, _, total = lines[-1].partition(": ")
    end = _closing(lines)
    if name != "sum" or len(total) != 32 or not end:
        raise SaveError(f"The game is cut off after line {len(lines)}: its closing lines are missing.")
    try:
        fits = total == _sum("\n".join(lines[:-1]))
    except UnicodeEncodeError:
        raise SaveError("The game holds characters that no text can have.") from None
    if not fits:
        raise SaveError(_what_changed(lines, end))
    return lines


def _closing(lines: list[str]) -> int:
    """Where the closing lines begin; 0 if they are missing."""
    return max((i for i, line in enumerate(lines) if line.startswith("close: ")), default=0)


def _what_changed(lines: list[str], end: int) -> str:
    """Which line does not fit, as far as the marks tell it."""
    marks = [mark for line in lines[end + 1 : -1] for mark in line.removeprefix("check: ").split(" ")]
    again = "Load an older save, or the original of this one."
    for index in range(end + 1):
        if index >= len(marks) or _mark(lines[index]) != marks[index]:
            shown = lines[index] if len(lines[index]) <= 60 else lines[index][:57] + "..."
            return (
                f"Line {index + 1} of the game does not fit: {shown!r}. "
                f"It was changed after the game had been saved, or lines before it were lost. {again}"
            )
    return f"The game was changed after it had been saved, in its closing lines from line {end + 2} on. {again}"


def _read_header(lines: list[str]) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    packed: list[str] = []
    for number, line in enumerate(lines, 2):
        key, colon, value = _key_and_value(line)
        if not colon:
            raise _bad(number, line, "a header line has a name, a colon and a value")
        kind, _, rest = key.partition(" ")
        try:
            if kind in ("option", "seat", "start"):
                if not rest:
                    raise ValueError(f"{kind} of what?")
                _put(parts, kind, rest, value)
            elif key == "edition":  # as many lines as it takes
                if not _PACKED.fullmatch(value):
                    raise ValueError("packed data is letters, digits, + and /")
                packed.append(value)
            elif key in parts:
                raise ValueError("it stands there twice")
            elif key == "scenario":
                parts[key] = value
            elif key == "seed":
                parts[key] = _seed(value)
            elif key == "edits":
                parts[key] = _mapping(data(value))
            elif key == "opening":
                parts[key] = _faces(value)
            elif key == "cursor":
                parts[key] = _number(value)
            else:
                raise ValueError("nothing of that name is known")
        except ValueError as error:
            raise _bad(number, line, str(error)) from None
    if packed:
        parts["edition"] = "".join(packed)
    for key in ("scenario", "seed"):
        if key not in parts:
            raise SaveError(f"The header of the game does not tell its {key}.")
    return parts


def _key_and_value(line: str) -> tuple[str, str, str]:
    """A seat's name is in quotation marks and may hold a colon."""
    quoted = re.match(r'(seat "(?:[^"\\]|\\.)*")(: )(.*)', line)
    if quoted is not None:
        return quoted[1], quoted[2], quoted[3]
    return line.partition(": ")


def _put(parts: dict[str, Any], kind: str, name: str, value: str) -> None:
    group = {"option": "options", "seat": "seats", "start": "start"}[kind]
    found: dict[str, Any] = parts.setdefault(group, {})
    if kind == "seat":
        name = _text(name)
    elif kind == "start":
        units = found.setdefault("units", {})  # one line a space: an empty board has none
        if name.startswith("units "):
            found, name = units, name.removeprefix("units ")
    if name in found:
        raise ValueError("it stands there twice")
    found[name] = tuple(value.split(" ")) if kind == "seat" else data(value)


def data(text: str) -> Any:
    """Plain data from JSON, with small whole numbers only and no deep nesting. Raises ValueError."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the data cannot be read ({error})") from None
    _check_data(value, DEEPEST)
    return value


def _check_data(value: object, depth: int) -> None:
    if depth < 0:
        raise ValueError("the data is nested too deeply")
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_data(key, depth - 1)
            _check_data(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check_data(inner, depth - 1)
    elif isinstance(value, float):
        raise ValueError(f"{value} is not a whole number")
    elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise ValueError(f"a number is beyond {LARGEST_NUMBER:,}")


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("names with values are expected")
    return value


def _text(value: str) -> str:
    found = data(value)
    if not isinstance(found, str):
        raise ValueError("a text in quotation marks is expected")
    if len(found) > LONGEST_NAME:
        raise ValueError(f"a text has at most {LONGEST_NAME} characters")
    return found


def _seed(value: str) -> int | str:
    if _SEED.fullmatch(value) and len(value) <= LONGEST_NAME:
        return int(value)
    return _text(value)


def _number(value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", value):
        raise ValueError("a whole number is expected")
    return int(value)


def _faces(value: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9]{1,3}(?: [0-9]{1,3})*", value):
        raise ValueError("dice are numbers with single spaces between them")
    return tuple(map(int, value.split(" ")))


def _read_orders(lines: list[str], first: int) -> Iterator[Line]:
    for number, line in enumerate(lines, first):
        if not line or line.startswith("#"):
            continue
        order, bar, faces = line.partition(" | ")
        try:
            yield Line(number, order, _faces(faces) if bar else ())
        except ValueError as error:
            raise _bad(number, line, str(error)) from None


def _bad(number: int, line: str, reason: str) -> SaveError:
    shown = line if len(line) <= 60 else line[:57] + "..."
    return SaveError(f"Line {number} of the game does not fit: {shown!r}: {reason}.")
