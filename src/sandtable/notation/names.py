"""Finding ids by the words that people use for them: ids, display names, plurals, unique beginnings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from sandtable.errors import NotationError
from sandtable.world.model import World

FEW = 20  # names that fit a sentence
SHORTEST_BEGINNING = 3  # letters; `inf` is understood, `u` is not
LONGEST = 80  # characters; what is longer is no name, and nothing is near it


_OTHERS = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """Letters and digits joined by single hyphens: `U.S.S.R.` and `u-s-s-r` are the same word."""
    return _OTHERS.sub("-", text.lower().replace(".", "").replace("'", "")).strip("-")


def quoted(text: str) -> str:
    """A stranger's words inside a sentence, of bearable length."""
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 3] + "...")


class Names:
    """All names of one kind of thing."""

    def __init__(self, what: str, entries: Iterable[tuple[str, Iterable[str]]], rules: tuple[str, ...] = ()) -> None:
        self.what = what
        self.rules = rules
        self.ids: dict[str, str] = {}
        spoken: dict[str, set[str]] = {}
        for id_, names in entries:
            self.ids[id_] = id_
            for name in (id_, *names):
                spoken.setdefault(slug(name), set()).add(id_)
        self.spoken = {word: next(iter(ids)) for word, ids in spoken.items() if len(ids) == 1}
        self.words = max((name.count("-") + 1 for name in spoken), default=0)  # of the longest name

    def look_up(self, text: str) -> str | None:
        """The id that is meant; None if there is no such name."""
        if text in self.ids:
            return text
        if len(text) > LONGEST:
            return None
        word = slug(text)
        if word in self.ids:
            return word
        if word in self.spoken:
            return self.spoken[word]
        if len(word) < SHORTEST_BEGINNING:
            return None
        beginnings = {id_ for known, id_ in self.spoken.items() if known.startswith(word)}
        return beginnings.pop() if len(beginnings) == 1 else None

    def find(self, text: str) -> str:
        """The id that is meant. Raises NotationError with what it might have been."""
        found = self.look_up(text)
        if found is not None:
            return found
        text = text.strip()
        near = []
        if len(text) <= LONGEST:
            near = get_close_matches(slug(text), [*self.ids, *self.spoken], n=3, cutoff=0.68)
        meant = sorted({self.spoken.get(n, n) for n in near})
        hint = f" Did you mean {' or '.join(meant)}?" if meant else ""
        if not meant and len(self.ids) <= FEW:
            hint = f" There are {', '.join(self.ids)}."
        raise NotationError(f"There is no {self.what} called {quoted(text)}.{hint}", self.rules)


def _names(w: World) -> dict[str, Names]:
    return {
        "space": Names("space", ((s.id, (s.name,)) for s in w.spaces.values())),
        "power": Names("power", ((p.id, (p.name, p.adjective)) for p in w.powers.values())),
        "unit": Names(
            "unit",
            ((u.id, (u.name, u.plural, u.id + "s", *u.aliases)) for u in w.units.values()),
            w.cite("no-such-unit-type"),
        ),
        "technology": Names(
            "technology",
            ((t.id, (t.name, *t.aliases)) for t in w.technologies.values()),
            w.cite("no-such-technology"),
        ),
        "mark": Names(
            "mark",
            [*((t.id, (t.name,)) for t in w.technologies.values()), *((m.id, (m.name,)) for m in w.marks.values())],
        ),
    }


_KEPT = 32
_known: dict[int, tuple[World, dict[str, Names]]] = {}  # by identity: worlds are too big to hash, and kept alive here


def names(world: World, what: str) -> Names:
    known = _known.get(id(world))
    if known is None:
        if len(_known) >= _KEPT:
            _known.clear()
        known = _known[id(world)] = (world, _names(world))
    return known[1][what]
