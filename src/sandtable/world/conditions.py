"""Conditions: one small language for victory, objectives, politics and events.

A condition is data: a predicate (`{controls: axis, all: [egypt, gibraltar]}`) or several put together by `all`, `any`,
`not` and `at_least` so many `of`. Here they are records, read and checked; `sandtable.engine.conditions` judges them.
docs/reference/conditions.md describes the language.

`who` is a power, a side (any power of it) or `self`: whoever the condition is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sandtable.world.fields import Report, build, convert, join, known_ones, mapping

if TYPE_CHECKING:
    from sandtable.world.model import Space, UnitType

SELF = "self"
Who = str
SpaceId = str
PowerId = str
UnitId = str
TechId = str

DOMAINS = ("land", "air", "sea", "facility")
WARSHIPS, SURFACE = "warships", "surface-warships"
KINDS_OF_UNITS = (*DOMAINS, WARSHIPS, SURFACE)


class Places(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Spaces by name, or all that fit. Those that never change are filled in as `spaces` when a world is compiled."""

    spaces: tuple[SpaceId, ...] = ()
    original: Who | None = None  # land that was this power's, or this side's, when the board was printed
    held_by: Who | None = None  # land that it controls now
    not_held_by: Who | None = None  # land that it does not
    beside: Who | None = None  # sea that borders land which it controls now
    away_from: Who | None = None  # sea that borders none
    where: Mapping[str, Any] = {}  # spaces with these traits
    islands: bool = False
    other_than: tuple[SpaceId, ...] = ()

    @property
    def changes(self) -> bool:
        """Which spaces are meant depends on who holds what."""
        return bool(self.held_by or self.not_held_by or self.beside or self.away_from)


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all conditions."""


class All(Condition, frozen=True, kw_only=True):
    of: tuple[Condition, ...]


class AnyOf(Condition, frozen=True, kw_only=True):
    of: tuple[Condition, ...]


class AtLeast(Condition, frozen=True, kw_only=True):
    at_least: int
    of: tuple[Condition, ...]


class Not(Condition, frozen=True, kw_only=True):
    what: Condition


class Controls(Condition, frozen=True, kw_only=True):
    """`controls` all of some land, or at least so many of it."""

    who: Who
    places: Places
    at_least: int | None = None  # None: all
    since: Literal["now", "turn"] = "now"  # turn: already when the turn began
    other_than: tuple[PowerId, ...] = ()  # powers of the side that do not count


class HoldsCapitals(Condition, frozen=True, kw_only=True):
    """`holds_capitals` of some powers or sides; its own if none are named."""

    who: Who
    of: tuple[Who, ...] = ()
    at_least: int | None = None


class Cities(Condition, frozen=True, kw_only=True):
    """So many victory `cities`, of some or of all."""

    who: Who
    at_least: int
    places: Places = Places()


class Production(Condition, frozen=True, kw_only=True):
    who: Who
    at_least: int


class AtWar(Condition, frozen=True, kw_only=True):
    """`at_war` with somebody; with any or all of those named."""

    who: Who
    with_any: tuple[Who, ...] = ()
    with_all: tuple[Who, ...] = ()


class AtPeace(Condition, frozen=True, kw_only=True):
    """`at_peace` with everybody; with any or all of those named. Allies are at peace, too."""

    who: Who
    with_any: tuple[Who, ...] = ()
    with_all: tuple[Who, ...] = ()


class UnitsOf(Condition, frozen=True, kw_only=True):
    """`units_of` somebody in some places, at least so many; or `no_units_of` him there."""

    who: Who
    places: Places
    kinds: tuple[str, ...] = ()  # unit types, domains, warships, surface-warships; empty: any
    at_least: int = 1  # 0: none at all
    other_than: tuple[PowerId, ...] = ()
    operative: bool = False  # facilities that work, whatever damage they have


class FromRound(Condition, frozen=True, kw_only=True):
    number: int


class UntilRound(Condition, frozen=True, kw_only=True):
    number: int


class TurnOf(Condition, frozen=True, kw_only=True):
    """It is its turn, or the turn of a power of that side."""

    who: Who


class Ever(Condition, frozen=True, kw_only=True):
    """A milestone of the edition has been reached at some time."""

    milestone: str


class Happened(Condition, frozen=True, kw_only=True):
    """Somebody has at some time `captured`, `lost` or `attacked` so many of some places, or `attacked` a power."""

    what: Literal["captured", "lost", "attacked"]
    who: Who
    places: Places = Places()
    powers: tuple[Who, ...] = ()
    at_least: int | None = 1


class DeclaredWar(Condition, frozen=True, kw_only=True):
    """`declared_war` on one of these at some time."""

    who: Who
    on: tuple[Who, ...]
    unprovoked: bool = False


class Provoked(Condition, frozen=True, kw_only=True):
    """`provoked` by an act of war that one of these has done against it at some time."""

    who: Who
    by: tuple[Who, ...]


class Developed(Condition, frozen=True, kw_only=True):
    who: Who
    technologies: tuple[TechId, ...]
    at_least: int | None = None


class Chosen(Condition, frozen=True, kw_only=True):
    """An `option` of the game has a value, and some effect."""

    key: str
    value: bool | int | str = True


class Leaning(Condition, frozen=True, kw_only=True):
    """Neutral countries that are still neutral have this `leaning`."""

    leaning: str
    places: Places
    at_least: int | None = None


# ---------------------------------------------------------------- reading


class Parser:
    """Turns plain data into conditions; what is wrong goes to the report."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report

    def condition(self, raw: object, field: str) -> Condition:
        """A mapping is one condition; a list are several that must all hold."""
        if isinstance(raw, list):
            return self.several(raw, field)
        data = mapping(raw, self.file, field, self.report)
        for head, read in PREDICATES.items():
            if head in data:
                return read(self, head, data, field)
        if "all" in data:
            return All(of=self.combined(data, field, "all"))
        if "any" in data:
            return AnyOf(of=self.combined(data, field, "any"))
        if "not" in data:
            inner = self.condition(data.pop("not"), join(field, "not"))
            self.nothing_more(data, field)
            return Not(what=inner)
        if "at_least" in data and "of" in data:
            count = convert(int, data.pop("at_least"), self.file, join(field, "at_least"), self.report) or 0
            of = self.combined(data, field, "of")
            self.number(count, len(of), join(field, "at_least"))
            return AtLeast(at_least=count, of=of)
        known = (*PREDICATES, "all", "any", "not", "at_least")
        named = next(iter(data), "")
        what = known_ones("predicate", named, known) if named else "says nothing"
        self.report.add(self.file, field, what)
        return All(of=())

    def several(self, raw: object, field: str) -> Condition:
        entries = convert(list[Any], raw, self.file, field, self.report) or []
        of = tuple(self.condition(entry, join(field, index)) for index, entry in enumerate(entries))
        return of[0] if len(of) == 1 else All(of=of)

    def combined(self, data: dict[str, Any], field: str, key: str) -> tuple[Condition, ...]:
        entries = convert(list[Any], data.pop(key), self.file, join(field, key), self.report) or []
        if not entries:
            self.report.add(self.file, join(field, key), "names no condition")
        self.nothing_more(data, field)
        return tuple(self.condition(entry, join(field, key, i)) for i, entry in enumerate(entries))

    def nothing_more(self, data: Mapping[str, Any], field: str) -> None:
        for key in data:
            self.report.add(self.file, join(field, key), "does not belong to this condition")

    def number(self, count: int, most: int | None, field: str) -> None:
        if count < 1 or (most is not None and count > most):
            what = f"{count} makes no sense" if most is None else f"{count} of {most} makes no sense"
            self.report.add(self.file, field, what)

    def places(self, raw: object, field: str) -> Places:
        if isinstance(raw, dict):
            found = build(Places, raw, self.file, field, self.report)
            if not (found.original or found.changes or found.where or found.islands or found.spaces):
                self.report.add(self.file, field, "names no places")
            return found
        return Places(spaces=convert(tuple[str, ...], raw, self.file, field, self.report) or ())

    def record(self, kind: type[Any], data: dict[str, Any], field: str, **given: object) -> Any:
        for key in ("with_any", "with_all", "of", "on", "by", "powers", "kinds", "other_than", "technologies"):
            if isinstance(data.get(key), str):
                data[key] = [data[key]]  # one name may stand without brackets
        return build(kind, data, self.file, field, self.report, **given)


Reader = Callable[[Parser, str, dict[str, Any], str], Condition]


def _counted(kind: type[Any], **given: object) -> Reader:
    """The head names who; then come `all` of some places, or `at_least` so many `of` them."""

    def read(parser: Parser, head: str, data: dict[str, Any], field: str) -> Condition:
        who = data.pop(head)
        places, count = _places_and_count(parser, data, field)
        found: Condition = parser.record(kind, data, field, who=who, places=places, at_least=count, **given)
        return found

    return read


def _places_and_count(parser: Parser, data: dict[str, Any], field: str) -> tuple[Places, int | None]:
    """Taken out of the data. One of them is enough if no number is given; None means all."""
    if "all" in data:
        if "of" in data or "at_least" in data:
            parser.report.add(parser.file, field, "says either `all`, or `at_least` and `of`")
        data.pop("of", None)
        data.pop("at_least", None)
        return parser.places(data.pop("all"), join(field, "all")), None
    if "of" not in data and "powers" not in data:
        parser.report.add(parser.file, field, "does not say what: `all: [...]`, or `at_least: 2, of: [...]`")
    places = parser.places(data.pop("of"), join(field, "of")) if "of" in data else Places()
    count = convert(int, data.pop("at_least", 1), parser.file, join(field, "at_least"), parser.report)
    parser.number(count or 0, len(places.spaces) or None, join(field, "at_least"))
    return places, count


def _plain(kind: type[Any]) -> Reader:
    """The head names who; all other fields are the record's own."""

    def read(parser: Parser, head: str, data: dict[str, Any], field: str) -> Any:
        return parser.record(kind, data, field, who=data.pop(head))

    return read


def _cities(parser: Parser, head: str, data: dict[str, Any], field: str) -> Cities:
    who = data.pop(head)
    places = parser.places(data.pop("of"), join(field, "of")) if "of" in data else Places()
    found: Cities = parser.record(Cities, data, field, who=who, places=places)
    if found.at_least < 1:
        parser.report.add(parser.file, join(field, "at_least"), f"{found.at_least} victory cities make no sense")
    return found


def _units(parser: Parser, head: str, data: dict[str, Any], field: str) -> UnitsOf:
    who = data.pop(head)
    if "in" not in data:
        parser.report.add(parser.file, field, "does not say where: `in: [...]`")
    places = parser.places(data.pop("in", {"islands": True}), join(field, "in"))
    none = {"at_least": 0} if head == "no_units_of" else {}
    found: UnitsOf = parser.record(UnitsOf, data, field, who=who, places=places, **none)
    if found.at_least < 1 and not none:
        parser.report.add(parser.file, join(field, "at_least"), "cannot be less than 1; say `no_units_of`")
    return found


def _single(kind: type[Any], name: str, type_: Any) -> Reader:
    """The head has the only value."""

    def read(parser: Parser, head: str, data: dict[str, Any], field: str) -> Any:
        value = convert(type_, data.pop(head), parser.file, join(field, head), parser.report)
        parser.nothing_more(data, field)
        return kind(**{name: value if value is not None else type_()})

    return read


def _developed(parser: Parser, head: str, data: dict[str, Any], field: str) -> Developed:
    who = data.pop(head)
    key = "all" if "all" in data else "of"
    technologies = convert(tuple[str, ...], data.pop(key, ()), parser.file, join(field, key), parser.report) or ()
    if key == "of":
        data.setdefault("at_least", 1)
    if not technologies:
        parser.report.add(parser.file, field, "does not say what: `all: [...]`, or `at_least: 2, of: [...]`")
    found: Developed = parser.record(Developed, data, field, who=who, technologies=technologies)
    return found


def _chosen(parser: Parser, head: str, data: dict[str, Any], field: str) -> Chosen:
    key = data.pop(head)
    value = {"value": data.pop("is")} if "is" in data else {}
    found: Chosen = parser.record(Chosen, {**data, **value}, field, key=key)
    return found


def _leaning(parser: Parser, head: str, data: dict[str, Any], field: str) -> Leaning:
    leaning = data.pop(head)
    places, count = _places_and_count(parser, data, field)
    found: Leaning = parser.record(Leaning, data, field, leaning=leaning, places=places, at_least=count)
    return found


PREDICATES: dict[str, Reader] = {
    "controls": _counted(Controls),
    "holds_capitals": _plain(HoldsCapitals),
    "cities": _cities,
    "production": _plain(Production),
    "at_war": _plain(AtWar),
    "at_peace": _plain(AtPeace),
    "units_of": _units,
    "no_units_of": _units,
    "from_round": _single(FromRound, "number", int),
    "until_round": _single(UntilRound, "number", int),
    "turn_of": _plain(TurnOf),
    "ever": _single(Ever, "milestone", str),
    "captured": _counted(Happened, what="captured"),
    "lost": _counted(Happened, what="lost"),
    "attacked": _counted(Happened, what="attacked"),
    "declared_war": _plain(DeclaredWar),
    "provoked": _plain(Provoked),
    "developed": _developed,
    "option": _chosen,
    "leaning": _leaning,
}
"""What a condition can say, by its first word."""


# ---------------------------------------------------------------- looking into them


def leaves(condition: Condition) -> Iterator[Condition]:
    """All predicates of a condition."""
    if isinstance(condition, All | AnyOf | AtLeast):
        for part in condition.of:
            yield from leaves(part)
    elif isinstance(condition, Not):
        yield from leaves(condition.what)
    else:
        yield condition


def transformed(condition: Condition, change: Callable[[Condition], Condition]) -> Condition:
    """The condition with all its predicates changed."""
    if isinstance(condition, All | AnyOf | AtLeast):
        return msgspec.structs.replace(condition, of=tuple(transformed(part, change) for part in condition.of))
    if isinstance(condition, Not):
        return Not(what=transformed(condition.what, change))
    return change(condition)


def named_actors(condition: Condition) -> Iterator[tuple[str, Who]]:
    """Every power or side that a predicate names, with the field that does."""
    for field in ("who", "of", "with_any", "with_all", "powers", "on", "by", "other_than"):
        value = getattr(condition, field, ())
        for who in (value,) if isinstance(value, str) else value:
            if isinstance(who, str):
                yield field, who
    places = getattr(condition, "places", None)
    if places is not None:
        for who in (places.original, places.held_by, places.not_held_by, places.beside, places.away_from):
            if who is not None:
                yield "places", who


def unit_kinds(kinds: Collection[str], units: Mapping[UnitId, UnitType]) -> frozenset[UnitId]:
    """The unit types that are meant. Submarines are warships, transports are none (AN-MAP-11)."""
    if not kinds:
        return frozenset(units)
    found = set()
    for unit in units.values():
        fights = unit.domain == "sea" and not unit.loads
        if (
            unit.id in kinds
            or unit.domain in kinds
            or (fights and WARSHIPS in kinds)
            or (fights and unit.blocks and SURFACE in kinds)
        ):
            found.add(unit.id)
    return frozenset(found)


# ---------------------------------------------------------------- for a world


def filled(
    condition: Condition, spaces: Mapping[SpaceId, Space], members: Callable[[Who], Collection[PowerId]]
) -> Condition:
    """The condition with the spaces that its places mean, where these never change."""
    lands: dict[PowerId | None, list[Space]] = {}  # most conditions ask for what was somebody's

    def candidates(places: Places) -> Iterable[Space]:
        if places.original is None:
            return spaces.values()
        if not lands:
            for space in spaces.values():
                lands.setdefault(space.original, []).append(space)
        return (space for power in members(places.original) for space in lands.get(power, ()))

    def fill(part: Condition) -> Condition:
        places: Places | None = getattr(part, "places", None)
        if places is None or places.changes or places.original == SELF:
            return part
        if not (places.original or places.where or places.islands):
            return part  # they are named
        found = tuple(space.id for space in candidates(places) if fits(places, space, members))
        return msgspec.structs.replace(part, places=msgspec.structs.replace(places, spaces=found))

    return transformed(condition, fill)


def filled_places(
    places: Places, spaces: Mapping[SpaceId, Space], members: Callable[[Who], Collection[PowerId]]
) -> Places:
    """The places with the spaces that they can mean, whoever holds what; `self` is only known later."""
    if places.original == SELF or not (places.original or places.where or places.islands):
        return places
    found = tuple(space.id for space in spaces.values() if fits(places, space, members))
    return msgspec.structs.replace(places, spaces=found)


def fits(places: Places, space: Space, members: Callable[[Who], Collection[PowerId]]) -> bool:
    """The space is one of those that are described, but for who holds it now."""
    return (
        (places.original is None or space.original in members(places.original))
        and (not places.islands or space.island)
        and all(space.traits.get(key) == value for key, value in places.where.items())
        and space.id not in places.other_than
    )


def facts_asked(
    condition: Condition, members: Callable[[Who], Collection[PowerId]], self_: Collection[PowerId]
) -> Iterator[str]:
    """What has to be remembered when it happens, so that the condition can be judged later."""

    def powers(who: Who) -> Collection[PowerId]:
        return self_ if who == SELF else members(who)

    for part in leaves(condition):
        if isinstance(part, Happened):
            for power in powers(part.who):
                yield from (fact(part.what, power, space) for space in part.places.spaces)
                yield from (fact(part.what, power, other) for whom in part.powers for other in powers(whom))
        elif isinstance(part, DeclaredWar):
            for power in powers(part.who):
                for other in (other for whom in part.on for other in powers(whom)):
                    yield declared(power, other, part.unprovoked)


def fact(what: str, who: PowerId, about: str) -> str:
    """How a fact stands in the history of a game: `captured ussr germany`."""
    return f"{what} {who} {about}"


ACT_OF_WAR = "act-of-war"


def declared(who: PowerId, on: PowerId, unprovoked: bool) -> str:
    return fact("unprovoked-war" if unprovoked else "declared-war", who, on)
