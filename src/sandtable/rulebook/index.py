"""Finding the rule that a plain question asks for.

Every rule is a bag of word stems, those of its title counting most. A rule is the better an answer, the more of the
words it has, the rarer they are, and the higher up they stand (a form of BM25). A word that only stands for an asked
one counts less, and a rule among others that answer too counts a little more.
The index of a book is made from its text without parsing it, when somebody searches it for the first time.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from sandtable.rulebook.books import Book, topic
from sandtable.rulebook.words import alike, asked, hinted, stems

_FIELD = re.compile(r"^  (\w+): *", re.MULTILINE)
WEIGHTS = {"title": 6.0, "topic": 2.5, "rule": 1.0, "note": 0.4, "check": 0.25}
SYNONYM = 0.62  # of what the word itself is worth
FLAT = 2.0  # how soon saying a word more often stops to help
HINT = 0.35  # of what an asked word is worth
BASIC = 0.1  # the first rule of a subject is the one that tells what it is about
LENGTH = 0.35  # how much a long rule pays for being long
KIN = 0.2  # how much it helps a rule that others on its subject answer too
KINDRED = 3  # so many of them
FINE = 20  # steps in which answers are told from each other, for each factor of e
FEW = 2  # of so many words all are needed; of a longer question some may be beside the point
LEAST = 0.2  # a rule so much worse than the best one is no answer


class Postings(NamedTuple):
    """One book: stem -> rule -> weight, and how long each rule is."""

    weights: Mapping[str, Mapping[str, float]]
    lengths: Mapping[str, float]


@cache
def postings(book: Book, entries: tuple[tuple[str, str], ...]) -> Postings:
    """The index of a book, from the ids and texts of its rules."""
    weights: dict[str, dict[str, float]] = defaultdict(dict)
    lengths: dict[str, float] = {}
    for rule_id, text in entries:
        total = 0.0
        for name, value in (*fields(text), ("topic", topic(rule_id.rpartition("-")[0]))):
            weight = WEIGHTS.get(name, 0.0)
            if not weight:
                continue
            for word in stems(value):
                weights[word][rule_id] = weights[word].get(rule_id, 0.0) + weight
                total += weight
        lengths[rule_id] = total
    return Postings(weights, lengths)


def fields(text: str) -> Iterable[tuple[str, str]]:
    """The fields of an entry with their words; quotes and marks of the format do not matter here."""
    places = list(_FIELD.finditer(text))
    for i, place in enumerate(places):
        end = places[i + 1].start() if i + 1 < len(places) else len(text)
        yield place[1], text[place.end() : end]


class Hit(NamedTuple):
    rule: str
    score: float


def ranked(question: str, books: Iterable[tuple[Book, Postings, float]]) -> list[Hit]:
    """Rules that answer a question, best first; each book comes with how much its rules are worth."""
    wanted = asked(question)
    hints = [word for word in hinted(question) if word not in wanted]
    shelves = list(books)
    number = sum(len(shelf.lengths) for _, shelf, _ in shelves) or 1
    usual = sum(sum(shelf.lengths.values()) for _, shelf, _ in shelves) / number

    def rarity(word: str) -> float:
        known = sum(len(shelf.weights.get(word, ())) for _, shelf, _ in shelves)
        return math.log(1 + (number - known + 0.5) / (known + 0.5)) if known else 0.0

    scores: dict[str, float] = defaultdict(float)
    has: dict[str, float] = defaultdict(float)  # of what is asked about, the rarer words counting more
    number_of: dict[str, int] = defaultdict(int)
    whole = 0.0
    for each, is_asked in (*((word, True) for word in wanted), *((word, False) for word in hints)):
        others = [(other, SYNONYM) for other in alike(each)] if is_asked else []
        rare = [(word, factor * rarity(word)) for word, factor in ((each, 1.0), *others)]
        telling = rarity(each) or max((value for _, value in rare), default=0.0)
        if is_asked:
            whole += telling
        for _, shelf, worth in shelves:
            best: dict[str, float] = {}
            for word, factor in rare:
                for rule_id, weight in shelf.weights.get(word, {}).items():
                    long = 1 - LENGTH + LENGTH * shelf.lengths[rule_id] / usual
                    value = factor * weight * (FLAT + 1) / (weight + FLAT * long)
                    best[rule_id] = max(best.get(rule_id, 0.0), value)
            for rule_id, value in best.items():
                scores[rule_id] += value * worth * (1.0 if is_asked else HINT)
                if is_asked:
                    has[rule_id] += telling
                    number_of[rule_id] += 1
    most = max(number_of.values(), default=0)
    needed = most if most <= FEW else 1
    alone = {
        rule_id: scores[rule_id] * share / whole * (1 + BASIC / max(1, _number(rule_id)))
        for rule_id, share in has.items()
        if share > 0 and number_of[rule_id] >= needed
    }
    kin: dict[str, list[float]] = defaultdict(list)
    for rule_id, score in alone.items():
        kin[_subject(rule_id)].append(score)
    help_of = {subject: KIN * sum(sorted(found)[-KINDRED:]) / KINDRED for subject, found in kin.items()}
    hits = [Hit(rule_id, score + help_of[_subject(rule_id)]) for rule_id, score in alone.items()]
    # What is about as good an answer stands in the order of the book, where what comes first explains what follows.
    least = LEAST * max((hit.score for hit in hits), default=0.0)
    kept = (hit for hit in hits if hit.score >= least)
    return sorted(kept, key=lambda hit: (-round(FINE * math.log(hit.score)), _number(hit.rule)))


def _subject(rule_id: str) -> str:
    return rule_id.rpartition("-")[0]


def _number(rule_id: str) -> int:
    """Where a rule stands among those on its subject."""
    return int(rule_id.rpartition("-")[2])
