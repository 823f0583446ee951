"""Lists that options change by naming places in them: phases of a turn, steps of a battle, the order of turns.

Every entry of the edition's list keeps its place for good. What an option puts before, after or instead of it hangs on
that place, and so does what other options put there: an entry that one option takes out still is a place where another
one can put something. Options speak in their order: of two things put after the same entry, the upper option's comes
first; of two put instead of it, the lower option's stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.world.fields import known_ones
from sandtable.world.model import ListEdit

EVERY = "every "


class _Place:
    """Where an entry stands, with everything that hangs on it."""

    __slots__ = ("after", "before", "home", "inside", "mark", "name")

    def __init__(self, name: str, mark: str | None = None) -> None:
        self.name = name
        self.mark = mark  # whose entry it is; None: everybody's
        self.before: list[_Place] = []
        self.inside: list[_Place] | None = None  # instead of the entry itself
        self.after: list[_Place] = []
        self.home: list[_Place] = []  # the list that it stands in

    def entries(self) -> Iterator[tuple[str, str | None]]:
        for place in self.before:
            yield from place.entries()
        if self.inside is None:
            yield self.name, self.mark
        else:
            for place in self.inside:
                yield from place.entries()
        for place in self.after:
            yield from place.entries()

    def clear(self) -> None:
        """Take the entry out. What hangs on it, or on something that stood instead of it, stays."""
        if self.inside is None:
            self.inside = []
        for place in self.inside:
            place.clear()

    def holds(self, other: _Place) -> bool:
        return other is self or any(p.holds(other) for p in (*self.before, *(self.inside or ()), *self.after))


class Sequence:
    """A list with places."""

    def __init__(self, names: Iterable[str]) -> None:
        self._all = _Place("")
        self._all.inside = []
        self._own: dict[str, list[_Place]] = {}  # entries of the edition
        self._put: dict[str, list[_Place]] = {}  # entries of options
        self._insert(names, self._all.inside, self._own)

    def entries(self) -> list[tuple[str, str | None]]:
        return list(self._all.entries())

    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._all.entries())

    def edit(self, edit: ListEdit) -> str:
        """Make the change. Gives what is wrong with it, in words, and then has changed nothing."""
        problem = wrong_form(edit)
        if problem:
            return problem
        if edit.at is not None:
            target = self._all.before if edit.at == "start" else self._all.after
            return self._put_into([target], edit)
        kind, anchor = _anchor(edit)
        places, problem = self._find(anchor)
        if problem:
            return problem
        if kind == "remove":
            for place in places:
                place.clear()
            return ""
        if edit.move is not None:
            if len(places) > 1:
                return f"{edit.move} can go to one place only, not to {anchor!r}"
            return self._move(edit.move, kind, places[0])
        if kind == "instead_of":
            for place in places:
                place.clear()
        return self._put_into([_list(place, kind) for place in places], edit)

    def follow(self, anchor: str, names: Iterable[str], mark: str) -> None:
        """Put the phases of a power that acts inside another's turn behind one of the edition's own."""
        for place in self._own.get(anchor, ())[:1]:
            self._insert(names, place.after, {}, mark)

    def drop(self, name: str) -> None:
        """Take an entry out wherever it stands; its places stay."""
        for place in (*self._own.get(name, ()), *self._put.get(name, ())):
            place.clear()

    def _put_into(self, targets: list[list[_Place]], edit: ListEdit) -> str:
        if edit.move is not None:
            moved, problem = self._find(edit.move)
            if problem or len(moved) > 1:
                return problem or f"{edit.move!r} is more than one"
            _rehome(moved[0], targets[0])
            return ""
        for target in targets:
            self._insert(names_put(edit), target, self._put)
        return ""

    def _move(self, name: str, kind: str, place: _Place) -> str:
        moved, problem = self._find(name)
        if problem or len(moved) > 1:
            return problem or f"{name!r} is more than one"
        if moved[0].holds(place):
            return f"{name} cannot be moved to a place that hangs on itself"
        if kind == "instead_of":
            place.clear()
        _rehome(moved[0], _list(place, kind))
        return ""

    def _insert(
        self, names: Iterable[str], target: list[_Place], index: dict[str, list[_Place]], mark: str | None = None
    ) -> None:
        for name in names:
            place = _Place(name, mark)
            place.home = target
            target.append(place)
            index.setdefault(name, []).append(place)

    def _find(self, anchor: str) -> tuple[list[_Place], str]:
        """The places that an anchor means: `aa-fire`, `check-end 2`, `every check-end`."""
        name, number, every = parsed(anchor)
        own, put = self._own.get(name, []), self._put.get(name, [])
        problem = wrong_anchor(anchor, {n: len(places) for n, places in self._own.items()}, self._put)
        if problem:
            return [], problem
        if every:
            return [*own, *put], ""
        return [(own or put)[number - 1 if number else 0]], ""


def wrong_form(edit: ListEdit) -> str:
    """What is wrong with an edit in itself."""
    said = [key for key in ("before", "after", "instead_of", "at", "remove") if getattr(edit, key) is not None]
    if len(said) != 1:
        return "says where by exactly one of before, after, instead_of, at and remove"
    if edit.remove is not None:
        return "what is removed is not put or moved as well" if edit.put or edit.move is not None else ""
    if bool(names_put(edit)) == (edit.move is not None):
        return "says what by one of put and move"
    return ""


def wrong_anchor(anchor: str, own: dict[str, int], put: Iterable[str] = ()) -> str:
    """Why the anchor means no place, given how often each of the edition's entries stands there."""
    name, number, every = parsed(anchor)
    there = own.get(name, 0)
    if not there and name not in put:
        return known_ones("anchor", name, (*own, *(n for n in put if n not in own)))
    if number is not None and number > max(there, 1):
        return f"{name} stands there {there} times, so there is no {anchor!r}"
    if number is None and not every and there > 1:
        return f"{name} stands there {there} times: say which one ({name} 1 to {name} {there}), or `every {name}`"
    return ""


def parsed(anchor: str) -> tuple[str, int | None, bool]:
    """Name, number and whether every one is meant."""
    if anchor.startswith(EVERY):
        return anchor.removeprefix(EVERY), None, True
    name, _, number = anchor.rpartition(" ")
    if name and number.isdecimal() and int(number) > 0:
        return name, int(number), False
    return anchor, None, False


def names_put(edit: ListEdit) -> tuple[str, ...]:
    return (edit.put,) if isinstance(edit.put, str) else edit.put


def _anchor(edit: ListEdit) -> tuple[str, str]:
    return next(
        (kind, anchor)
        for kind in ("before", "after", "instead_of", "remove")
        if (anchor := getattr(edit, kind)) is not None
    )


def anchors(edit: ListEdit) -> Iterator[str]:
    """Every place that an edit names."""
    for anchor in (edit.before, edit.after, edit.instead_of, edit.remove, edit.move):
        if anchor is not None:
            yield anchor


def _list(place: _Place, kind: str) -> list[_Place]:
    if kind == "instead_of":
        assert place.inside is not None
        return place.inside
    return place.before if kind == "before" else place.after


def _rehome(place: _Place, target: list[_Place]) -> None:
    place.home.remove(place)
    target.append(place)
    place.home = target
