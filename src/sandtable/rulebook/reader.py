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

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml, where PyYAML was built with it
_ENTRY = re.compile(r"^- id: *(\S+)", re.MULTILINE)
_SPACE = re.compile(r"\s+")


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
    if book is None or wanted not in _entries(book):
        near = difflib.get_close_matches(wanted, list(_entries(book) if book else rule_ids()), n=3, cutoff=0.7)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnknownRuleError(f"there is no rule {rule_id!r}{hint}")
    return _parsed(wanted)


def rule_ids() -> Iterator[str]:
    """All ids, book by book."""
    for book in BOOKS:
        yield from _entries(book)


def groups() -> tuple[Group, ...]:
    """All groups of rules, in the order of the books."""
    found: dict[str, tuple[Book, list[str]]] = {}
    for book in BOOKS:
        for rule_id in _entries(book):
            found.setdefault(rule_id.rpartition("-")[0], (book, []))[1].append(rule_id)
    return tuple(
        Group(id=group, name=topic(group), book=book.title, rules=tuple(ids)) for group, (book, ids) in found.items()
    )


def search(words: str, book: str | None = None) -> list[RuleEntry]:
    """Rules that contain all words: first those with all in the title, then those with all in title and rule.

    `book` is a book's id (`classic`) or nothing for all of them. Letter case does not matter. An id or the
    beginning of one counts as a word.
    """
    wanted = words.casefold().split()
    if not wanted:
        return []
    hits: list[tuple[int, RuleEntry]] = []
    for each in BOOKS:
        if book not in (None, each.id):
            continue
        for rule_id, text in _entries(each).items():
            if all(word in text for word in wanted):
                entry = _parsed(rule_id)
                hits.append((_rank(entry, wanted), entry))
    return [entry for _, entry in sorted(hits, key=lambda hit: hit[0])]


def _rank(entry: RuleEntry, words: list[str]) -> int:
    for rank, text in enumerate((f"{entry.id} {entry.title}", f"{entry.title} {entry.rule}")):
        if all(word in text.casefold() for word in words):
            return rank
    return 2


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
def _entries(book: Book) -> Mapping[str, str]:
    """Rule id -> its text in lower case on one line, for searching."""
    text = _text(book)
    return {rule_id: _SPACE.sub(" ", text[place]).casefold() for rule_id, place in _places(book).items()}


@cache
def _parsed(rule_id: str) -> RuleEntry:
    book = _book(rule_id)
    assert book is not None
    raw = yaml.load(_text(book)[_places(book)[rule_id]], Loader=_Loader)  # noqa: S506 (a safe loader)
    return msgspec.convert(raw[0], RuleEntry)
