"""Finding and reading rules. Parses no more of the files than somebody asks for.

The files are plain lists, each entry beginning with its id in the first column. So a pass over the text finds
where every rule stands, and only the wanted ones go through the YAML parser: one rule costs milliseconds.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from sandtable.errors import SandtableError
from sandtable.rulebook.books import BOOKS, Book, topic
from sandtable.rulebook.index import postings, ranked

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it
_ENTRY = re.compile(r"^- id: *(\S+)", re.MULTILINE)
_ID = re.compile(r"[A-Za-z]{1,3}\d{0,2}(?:-[A-Za-z]{0,3}(?:-\d{0,2})?)")


class UnknownRuleError(SandtableError):
    """There is no rule with this id."""


class RuleEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule."""

    id: str
    title: str
    rule: str
    source: str
    check: str  # a situation that shows whether the rule holds
    note: str = ""  # how an unclear or contradictory passage is read
    option: str = ""  # the game option that switches it
    interactions: tuple[str, ...] = ()  # effects on or from other optional rules
    data: Any = None


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Rules on one subject: all whose ids begin alike."""

    id: str  # CL-SUB
    name: str  # Submarines
    book: str  # Classic
    rules: tuple[str, ...]


def rule(rule_id: str) -> RuleEntry:
    """The rule with this id, in any letter case. Raises UnknownRuleError, which names close ones."""
    wanted = rule_id.strip().upper()
    book = _book(wanted)
    if book is None or wanted not in _places(book):
        near = difflib.get_close_matches(wanted, list(_places(book) if book else rule_ids()), n=3, cutoff=0.7)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnknownRuleError(f"there is no rule {rule_id!r}{hint}")
    return _parsed(wanted)


def rule_ids() -> Iterator[str]:
    """All ids, book by book."""
    for book in BOOKS:
        yield from _places(book)


def groups() -> tuple[Group, ...]:
    """All groups of rules, in the order of the books."""
    found: dict[str, tuple[Book, list[str]]] = {}
    for book in BOOKS:
        for rule_id in _places(book):
            found.setdefault(rule_id.rpartition("-")[0], (book, []))[1].append(rule_id)
    return tuple(
        Group(id=group, name=topic(group), book=book.title, rules=tuple(ids)) for group, (book, ids) in found.items()
    )


OTHER_EDITION = 0.3
"""What a rule of another edition is worth beside one of the edition that is played."""


def search(words: str, book: str | None = None, edition: str | None = None) -> list[RuleEntry]:
    """Rules that answer a plain question or have these words, best first.

    `book` is a book's id (`classic`) or nothing for all of them; `edition` names the one whose rules are meant, which
    come first. Letter case and endings do not matter, and common names stand for each other: tank and armor. An id, or
    the beginning of one, gives the rules of that id.
    """
    wanted = words.strip()
    if not wanted:
        return []
    chosen = [each for each in BOOKS if book in (None, each.id)]
    if _ID.fullmatch(wanted):
        start = wanted.upper()
        found = [rule_id for each in chosen for rule_id in _places(each) if rule_id.startswith(start)]
        if found:
            return [_parsed(rule_id) for rule_id in found]
    shelves = [(each, postings(each, _raw(each)), _worth(each, edition)) for each in chosen]
    return [_parsed(hit.rule) for hit in ranked(wanted, shelves)]


def _worth(book: Book, edition: str | None) -> float:
    """Rules of the edition come first. The computer game's hold for every edition, advanced ones are for Classic."""
    if edition is None:
        return 1.0
    if book.id == edition:
        return 1.25
    if book.id == "computer":
        return 0.6
    return 0.6 if (book.id, edition) == ("advanced", "classic") else OTHER_EDITION


@cache
def _raw(book: Book) -> tuple[tuple[str, str], ...]:
    text = _text(book)
    return tuple((rule_id, text[place]) for rule_id, place in _places(book).items())


def _book(rule_id: str) -> Book | None:
    prefix = rule_id.partition("-")[0]
    return next((book for book in BOOKS if prefix in book.prefixes), None)


@cache
def _text(book: Book) -> str:
    return (files("sandtable.rulebook") / "ledger" / f"{book.id}.yaml").read_text("utf-8")


@cache
def _places(book: Book) -> Mapping[str, slice]:
    """Where in its file each rule stands."""
    text = _text(book)
    starts = [(found[1], found.start()) for found in _ENTRY.finditer(text)]
    ends = [start for _, start in starts[1:]] + [len(text)]
    return {rule_id: slice(start, end) for (rule_id, start), end in zip(starts, ends, strict=True)}


@cache
def _parsed(rule_id: str) -> RuleEntry:
    book = _book(rule_id)
    assert book is not None
    raw = yaml.load(_text(book)[_places(book)[rule_id]], Loader=_Loader)  # noqa: S506 (a safe loader)
    return msgspec.convert(raw[0], RuleEntry)
