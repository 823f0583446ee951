"""Finding ids by the words that people use for them: ids, display names, plurals, unique beginnings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from sandtable.errors import NotationError
from sandtable.world.model import World

FEW = 20  # names that fit a sentence
SHORTEST_BEGINNING = 3  # letters; `inf` is understood, `u` is not
LONGEST = 80  # characters; what is longer is no name, and nothing is near it


def slug(text: str) -> str:
    """Letters and digits joined by single hyphens: `U.S.S.R.` and `u-s-s-r` are the same word."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace(".", "").replace("'", "")).strip("-")


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


@lru_cache(maxsize=32)
def _names(world_id: int, world: WorldKey) -> dict[str, Names]:
    w = world.world
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


class WorldKey:
    """Lets the cache keep a world alive by identity; worlds are too big to hash."""

    def __init__(self, world: World) -> None:
        self.world = world

    def __hash__(self) -> int:
        return id(self.world)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WorldKey) and other.world is self.world


def names(world: World, what: str) -> Names:
    return _names(id(world), WorldKey(world))[what]
