"""What can be said about each kind of predicate: a record of `sandtable.world.conditions` and a class here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from sandtable.engine import relations
from sandtable.engine.conditions.viewpoint import Measure, Viewpoint
from sandtable.engine.facts import listed, name, production, type_of, works
from sandtable.engine.relations import leaning
from sandtable.engine.state import Piece, with_cargo
from sandtable.world import conditions as c
from sandtable.world.conditions import Condition, Places
from sandtable.world.model import PowerId, SpaceId, UnitId, World

C_contra = TypeVar("C_contra", bound=Condition, contravariant=True)


class Judge(Protocol[C_contra]):
    """What can be said about one kind of predicate."""

    def measure(self, asked: Viewpoint, condition: C_contra, /) -> Measure: ...

    def missing(self, asked: Viewpoint, condition: C_contra, /) -> str: ...

    def described(self, asked: Viewpoint, condition: C_contra, /) -> str: ...

    def achieved(self, asked: Viewpoint, condition: C_contra, /) -> str: ...


def _some(number: int | None, names: list[str]) -> str:
    """`a, b and c`, or `at least 2 of a, b and c`"""
    if number is None or number == len(names):
        return listed(names)
    return listed(names, "or") if number == 1 else f"at least {number} of {listed(names)}"


def _wanted(short: int, absent: list[str]) -> str:
    """What is still wanted of a list of names."""
    if short == len(absent):
        return listed(absent)
    return listed(absent, "or") if short == 1 else f"{short} more of {listed(absent, 'or')}"


class _Controls:
    def measure(self, asked: Viewpoint, condition: c.Controls) -> Measure:
        spaces = asked.spaces(condition.places)
        held = len(self._held(asked, condition, spaces))
        return Measure(held, len(spaces) if condition.at_least is None else condition.at_least)

    @staticmethod
    def _held(asked: Viewpoint, condition: c.Controls, spaces: Iterable[SpaceId]) -> list[SpaceId]:
        holders = asked.members(condition.who)
        if condition.other_than:
            holders = tuple(power for power in holders if power not in condition.other_than)
        now, before = asked.state.owners, asked.state.start_owners
        if condition.since == "turn":
            return [s for s in spaces if now.get(s) in holders and before.get(s) in holders]
        return [s for s in spaces if now.get(s) in holders]

    def missing(self, asked: Viewpoint, condition: c.Controls) -> str:
        have, need = self.measure(asked, condition)
        spaces = asked.spaces(condition.places)
        held = self._held(asked, condition, spaces)
        lands = _wanted(need - have, [name(asked.world, s) for s in spaces if s not in held])
        if condition.who in asked.world.sides and asked.who in asked.world.powers:  # its friends may hold it, too
            return f"{lands} in the hands of {asked.subject(condition.who)}"
        return lands

    def described(self, asked: Viewpoint, condition: c.Controls) -> str:
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'control', 'controls')}"
        places = condition.places
        if places.original is not None and condition.at_least is None:
            return f"{who} all original territory of {asked.subject(places.original)}{_filter(places)}"
        since = " since the turn began" if condition.since == "turn" else ""
        return f"{who} {_some(condition.at_least, [name(asked.world, s) for s in places.spaces])}{since}"

    def achieved(self, asked: Viewpoint, condition: c.Controls) -> str:
        held = self._held(asked, condition, asked.spaces(condition.places))
        verb = asked.verb(condition.who, "hold", "holds")
        return f"{asked.subject(condition.who)} {verb} {asked.names(held)}"


def _filter(places: Places) -> str:
    """What else is said about some places."""
    words = [f"{key} {value}" for key, value in places.where.items()]
    return f" ({', '.join(words)})" if words else ""


class _HoldsCapitals:
    """Capitals are land: what holds for land holds for them."""

    def measure(self, asked: Viewpoint, condition: c.HoldsCapitals) -> Measure:
        return _LAND.measure(asked, self._land(asked, condition))

    def missing(self, asked: Viewpoint, condition: c.HoldsCapitals) -> str:
        return _LAND.missing(asked, self._land(asked, condition))

    def described(self, asked: Viewpoint, condition: c.HoldsCapitals) -> str:
        return _LAND.described(asked, self._land(asked, condition))

    def achieved(self, asked: Viewpoint, condition: c.HoldsCapitals) -> str:
        return _LAND.achieved(asked, self._land(asked, condition))

    @staticmethod
    def _land(asked: Viewpoint, condition: c.HoldsCapitals) -> c.Controls:
        spaces = capitals(asked, condition)
        return c.Controls(who=condition.who, places=Places(spaces=spaces), at_least=condition.at_least)


def capitals(asked: Viewpoint, condition: c.HoldsCapitals) -> tuple[SpaceId, ...]:
    """The capitals that are meant."""
    powers = dict.fromkeys(p for whom in condition.of or (condition.who,) for p in asked.members(whom))
    found = (asked.world.powers[power].capital for power in powers)
    return tuple(capital for capital in found if capital is not None)


class _Cities:
    def measure(self, asked: Viewpoint, condition: c.Cities) -> Measure:
        holders, owners = asked.members(condition.who), asked.state.owners
        return Measure(sum(owners.get(s) in holders for s in cities(asked.world, condition)), condition.at_least)

    def missing(self, asked: Viewpoint, condition: c.Cities) -> str:
        have, need = self.measure(asked, condition)
        return f"{need - have} more victory {'city' if need - have == 1 else 'cities'}"

    def described(self, asked: Viewpoint, condition: c.Cities) -> str:
        where = f" of {asked.names(condition.places.spaces)}" if condition.places.spaces else ""
        verb = asked.verb(condition.who, "hold", "holds")
        return f"{asked.subject(condition.who)} {verb} {condition.at_least} victory cities{where}"

    def achieved(self, asked: Viewpoint, condition: c.Cities) -> str:
        have = self.measure(asked, condition).have
        return f"{asked.subject(condition.who)} {asked.verb(condition.who, 'hold', 'holds')} {have} victory cities"


def cities(world: World, condition: c.Cities) -> tuple[SpaceId, ...]:
    """The victory cities that count."""
    named = condition.places.spaces or world.spaces
    return tuple(s for s in named if world.spaces[s].victory_city)


class _Production:
    def measure(self, asked: Viewpoint, condition: c.Production) -> Measure:
        total = sum(production(asked.world, asked.state, p) for p in asked.members(condition.who))
        return Measure(total, condition.at_least)

    def missing(self, asked: Viewpoint, condition: c.Production) -> str:
        have, need = self.measure(asked, condition)
        return f"{need - have} more production"

    def described(self, asked: Viewpoint, condition: c.Production) -> str:
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'have', 'has')}"
        return f"{who} a production of {condition.at_least}"

    def achieved(self, asked: Viewpoint, condition: c.Production) -> str:
        have = self.measure(asked, condition).have
        return f"{asked.subject(condition.who)} {asked.verb(condition.who, 'have', 'has')} a production of {have}"


class _AtWar:
    """Both of being at war and of being at peace."""

    def __init__(self, war: bool) -> None:
        self.war = war

    def measure(self, asked: Viewpoint, condition: c.AtWar | c.AtPeace) -> Measure:
        ours = asked.members(condition.who)
        named = condition.with_any or condition.with_all
        groups = [asked.members(who) for who in named] or [(p,) for p in asked.world.powers if p not in ours]
        so = sum(self._so(asked, ours, group) for group in groups)
        if condition.with_all or (not named and not self.war):  # in peace means with everybody
            return Measure(so, len(groups))
        return Measure(min(so, 1), 1)

    def _so(self, asked: Viewpoint, ours: Iterable[PowerId], theirs: Iterable[PowerId]) -> bool:
        """A side is at war as soon as one of its powers is."""
        fights = any(relations.at_war(asked.world, asked.state, one, other) for one in ours for other in theirs)
        return fights == self.war

    def missing(self, asked: Viewpoint, condition: c.AtWar | c.AtPeace) -> str:
        who = asked.subject(condition.who)
        with_whom = self._whom(asked, condition)
        if self.war:
            return f"war between {who} and {with_whom}" if with_whom else f"a war for {who}"
        return f"peace between {who} and {with_whom}" if with_whom else f"peace for {who}"

    def described(self, asked: Viewpoint, condition: c.AtWar | c.AtPeace) -> str:
        with_whom = self._whom(asked, condition)
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'are', 'is')}"
        state = f"{who} at {'war' if self.war else 'peace'}"
        return f"{state} with {with_whom}" if with_whom else state

    achieved = described

    @staticmethod
    def _whom(asked: Viewpoint, condition: c.AtWar | c.AtPeace) -> str:
        if condition.with_any:
            return asked.subjects(condition.with_any, "or")
        return asked.subjects(condition.with_all)


ONE = {
    "land": "land unit",
    "air": "plane",
    "sea": "ship",
    "facility": "facility",
    c.WARSHIPS: "warship",
    c.SURFACE: "surface warship",
}
MANY = {
    "land": "land units",
    "air": "planes",
    "sea": "ships",
    "facility": "facilities",
    c.WARSHIPS: "warships",
    c.SURFACE: "surface warships",
}


class _UnitsOf:
    def measure(self, asked: Viewpoint, condition: c.UnitsOf) -> Measure:
        there = sum(n for _, _, n in self._pieces(asked, condition))
        return Measure(there, condition.at_least) if condition.at_least else Measure(int(not there), 1)

    @staticmethod
    def _pieces(asked: Viewpoint, condition: c.UnitsOf) -> Iterator[tuple[SpaceId, Piece, int]]:
        """The pieces that count, and where."""
        world, state = asked.world, asked.state
        owners = [power for power in asked.members(condition.who) if power not in condition.other_than]
        if len(owners) > 1:  # a power at war with nobody is of no side yet (G40-POL-52)
            owners = [power for power in owners if not relations.is_neutral_power(world, state, power)]
        kinds = c.unit_kinds(condition.kinds, world.units)
        for space in asked.spaces(condition.places):
            stack = state.units.get(space)
            for piece, n in with_cargo(stack) if stack else ():
                if piece.power not in owners or piece.type not in kinds:
                    continue
                if not condition.operative or works(state, space, type_of(world, state, piece)):
                    yield space, piece, n

    def missing(self, asked: Viewpoint, condition: c.UnitsOf) -> str:
        if condition.at_least:
            have, need = self.measure(asked, condition)
            return f"{self._so_many(asked, condition, need - have, more=have > 0)} {self._spot(asked, condition)}"
        counts: dict[tuple[SpaceId, PowerId, UnitId], int] = {}
        places = asked.spaces(condition.places)
        for space, piece, n in self._pieces(asked, condition):
            sort = (space, piece.power, piece.type)
            counts[sort] = counts.get(sort, 0) + n
        found = []
        for (space, power, unit), n in sorted(counts.items(), key=lambda item: (places.index(item[0][0]), item[0])):
            kind = asked.world.units[unit].name if n == 1 else asked.world.units[unit].plural
            found.append(f"{n} {asked.world.powers[power].adjective} {kind} to leave {name(asked.world, space)}")
        return listed(found)

    @staticmethod
    def _so_many(asked: Viewpoint, condition: c.UnitsOf, number: int, more: bool) -> str:
        """`1 land unit of Germany`, `2 more planes of the Axis`"""
        units = {unit.id: unit.name if number == 1 else unit.plural for unit in asked.world.units.values()}
        kinds = [units.get(kind) or (ONE if number == 1 else MANY)[kind] for kind in condition.kinds]
        words = listed(kinds, "or") if kinds else "unit" if number == 1 else "units"
        others = f" other than {asked.subjects(condition.other_than)}" if condition.other_than else ""
        return f"{number} {'more ' if more else ''}{words} of {asked.subject(condition.who)}{others}"

    @staticmethod
    def _spot(asked: Viewpoint, condition: c.UnitsOf) -> str:
        if condition.places.islands:
            return "on an island"
        return f"in {asked.names(asked.spaces(condition.places), 'or')}"

    def described(self, asked: Viewpoint, condition: c.UnitsOf) -> str:
        number = f"at least {condition.at_least}" if condition.at_least else "none"
        verb = "is" if condition.at_least == 1 else "are"
        return f"{number} of {self._units(asked, condition)} {verb} in {self._where(asked, condition)}"

    def achieved(self, asked: Viewpoint, condition: c.UnitsOf) -> str:
        return self.described(asked, condition)

    @staticmethod
    def _units(asked: Viewpoint, condition: c.UnitsOf) -> str:
        """`the land units of Germany`"""
        named = {unit.id: unit.plural for unit in asked.world.units.values()}
        kinds = [{**named, **MANY}[kind] for kind in condition.kinds] or ["units"]
        others = f" other than {asked.subjects(condition.other_than)}" if condition.other_than else ""
        return f"the {listed(kinds)} of {asked.subject(condition.who)}{others}"

    @staticmethod
    def _where(asked: Viewpoint, condition: c.UnitsOf) -> str:
        places = condition.places
        if places.held_by is not None:
            return f"land of {asked.subject(places.held_by)}{_filter(places)}"
        if places.original is not None:
            return f"original territory of {asked.subject(places.original)}{_filter(places)}"
        return f"islands{_filter(places)}" if places.islands else asked.names(places.spaces)


class _Rounds:
    def __init__(self, first: bool) -> None:
        self.first = first

    def measure(self, asked: Viewpoint, condition: c.FromRound | c.UntilRound) -> Measure:
        if self.first:
            return Measure(asked.state.round, condition.number)
        return Measure(int(asked.state.round <= condition.number), 1)

    def missing(self, asked: Viewpoint, condition: c.FromRound | c.UntilRound) -> str:
        return f"round {condition.number}" if self.first else f"a round before {condition.number + 1}, which is over"

    def described(self, asked: Viewpoint, condition: c.FromRound | c.UntilRound) -> str:
        return f"it is round {condition.number} or {'later' if self.first else 'earlier'}"

    def achieved(self, asked: Viewpoint, condition: c.FromRound | c.UntilRound) -> str:
        return f"round {asked.state.round} was the last" if self.first else f"it is round {asked.state.round}"


class _TurnOf:
    def measure(self, asked: Viewpoint, condition: c.TurnOf) -> Measure:
        return Measure(int(asked.world.order[asked.state.turn] in asked.members(condition.who)), 1)

    def missing(self, asked: Viewpoint, condition: c.TurnOf) -> str:
        return f"the turn of {asked.subject(condition.who)}"

    def described(self, asked: Viewpoint, condition: c.TurnOf) -> str:
        return f"it is the turn of {asked.subject(condition.who)}"

    achieved = described


class _Happened:
    def measure(self, asked: Viewpoint, condition: c.Happened) -> Measure:
        done, about = self._done(asked, condition), self._about(asked, condition)
        return Measure(len(done), len(about) if condition.at_least is None else condition.at_least)

    @staticmethod
    def _about(asked: Viewpoint, condition: c.Happened) -> tuple[str, ...]:
        powers = (power for whom in condition.powers for power in asked.members(whom))
        return (*asked.spaces(condition.places), *powers)

    def _done(self, asked: Viewpoint, condition: c.Happened) -> list[str]:
        history, actors = asked.state.history, asked.members(condition.who)
        return [
            about
            for about in self._about(asked, condition)
            if any(c.fact(condition.what, power, about) in history for power in actors)
        ]

    def missing(self, asked: Viewpoint, condition: c.Happened) -> str:
        have, need = self.measure(asked, condition)
        done = self._done(asked, condition)
        absent = [self._name(asked, about) for about in self._about(asked, condition) if about not in done]
        word = {"captured": "capture", "lost": "loss", "attacked": "attack on"}[condition.what]
        of = "" if word.endswith("on") else " of"
        return f"{word}{of} {_wanted(need - have, absent)}"

    def described(self, asked: Viewpoint, condition: c.Happened) -> str:
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'have', 'has')} {condition.what}"
        return f"{who} {_some(condition.at_least, [self._name(asked, a) for a in self._about(asked, condition)])}"

    def achieved(self, asked: Viewpoint, condition: c.Happened) -> str:
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'have', 'has')} {condition.what}"
        return f"{who} {listed([self._name(asked, about) for about in self._done(asked, condition)])}"

    @staticmethod
    def _name(asked: Viewpoint, about: str) -> str:
        return name(asked.world, about) if about in asked.world.spaces else asked.subject(about)


class _DeclaredWar:
    def measure(self, asked: Viewpoint, condition: c.DeclaredWar) -> Measure:
        history = asked.state.history
        others = [other for whom in condition.on for other in asked.members(whom)]
        facts = (c.declared(p, o, condition.unprovoked) for p in asked.members(condition.who) for o in others)
        return Measure(int(any(fact in history for fact in facts)), 1)

    def missing(self, asked: Viewpoint, condition: c.DeclaredWar) -> str:
        return f"a declaration of war by {asked.subject(condition.who)} on {asked.subjects(condition.on, 'or')}"

    def described(self, asked: Viewpoint, condition: c.DeclaredWar) -> str:
        how = "unprovoked " if condition.unprovoked else ""
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'have', 'has')}"
        return f"{who} declared {how}war on {asked.subjects(condition.on, 'or')}"

    achieved = described


class _Provoked:
    def measure(self, asked: Viewpoint, condition: c.Provoked) -> Measure:
        history = asked.state.history
        others = [other for whom in condition.by for other in asked.members(whom)]
        facts = (c.fact(c.ACT_OF_WAR, other, power) for power in asked.members(condition.who) for other in others)
        return Measure(int(any(fact in history for fact in facts)), 1)

    def missing(self, asked: Viewpoint, condition: c.Provoked) -> str:
        return f"an act of war by {asked.subjects(condition.by, 'or')} against {asked.subject(condition.who)}"

    def described(self, asked: Viewpoint, condition: c.Provoked) -> str:
        by = asked.subjects(condition.by, "or")
        return f"{by} did something that is an act of war against {asked.subject(condition.who)}"

    achieved = described


class _Developed:
    def measure(self, asked: Viewpoint, condition: c.Developed) -> Measure:
        known = {t for power in asked.members(condition.who) for t in asked.state.techs.get(power, ())}
        need = len(condition.technologies) if condition.at_least is None else condition.at_least
        return Measure(sum(t in known for t in condition.technologies), need)

    def missing(self, asked: Viewpoint, condition: c.Developed) -> str:
        have, need = self.measure(asked, condition)
        known = {t for power in asked.members(condition.who) for t in asked.state.techs.get(power, ())}
        return _wanted(need - have, self._names(asked, [t for t in condition.technologies if t not in known]))

    def described(self, asked: Viewpoint, condition: c.Developed) -> str:
        who = f"{asked.subject(condition.who)} {asked.verb(condition.who, 'have', 'has')} developed"
        return f"{who} {_some(condition.at_least, self._names(asked, condition.technologies))}"

    achieved = described

    @staticmethod
    def _names(asked: Viewpoint, technologies: Iterable[str]) -> list[str]:
        known = asked.world.technologies
        return [known[t].name if t in known else t for t in technologies]


class _Chosen:
    def measure(self, asked: Viewpoint, condition: c.Chosen) -> Measure:
        world = asked.world
        return Measure(int(world.options[condition.key] == condition.value and condition.key not in world.idle), 1)

    def missing(self, asked: Viewpoint, condition: c.Chosen) -> str:
        return f"another game, with {condition.key}={str(condition.value).lower()}"

    def described(self, asked: Viewpoint, condition: c.Chosen) -> str:
        return f"the game is played with {condition.key}={str(condition.value).lower()}"

    achieved = described


class _Leaning:
    def measure(self, asked: Viewpoint, condition: c.Leaning) -> Measure:
        spaces = asked.spaces(condition.places)
        so = sum(leaning(asked.world, asked.state, space) == condition.leaning for space in spaces)
        return Measure(so, len(spaces) if condition.at_least is None else condition.at_least)

    def missing(self, asked: Viewpoint, condition: c.Leaning) -> str:
        return f"{asked.names(asked.spaces(condition.places), 'or')} to be {condition.leaning}"

    def described(self, asked: Viewpoint, condition: c.Leaning) -> str:
        spaces = asked.spaces(condition.places)
        names = _some(condition.at_least, [name(asked.world, s) for s in spaces])
        return f"{names} {'is' if len(spaces) == 1 else 'are'} {condition.leaning}"

    achieved = described


_LAND = _Controls()

JUDGES: dict[type[Condition], Judge[Any]] = {
    c.Controls: _LAND,
    c.HoldsCapitals: _HoldsCapitals(),
    c.Cities: _Cities(),
    c.Production: _Production(),
    c.AtWar: _AtWar(war=True),
    c.AtPeace: _AtWar(war=False),
    c.UnitsOf: _UnitsOf(),
    c.FromRound: _Rounds(first=True),
    c.UntilRound: _Rounds(first=False),
    c.TurnOf: _TurnOf(),
    c.Happened: _Happened(),
    c.DeclaredWar: _DeclaredWar(),
    c.Provoked: _Provoked(),
    c.Developed: _Developed(),
    c.Chosen: _Chosen(),
    c.Leaning: _Leaning(),
}
