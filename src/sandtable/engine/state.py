"""The State: what is on the table now, as a plain value.

Pieces of one kind and condition are counted, not named: a space holds a `Stack`, which maps a `Piece` (owner, type
and what happened to it this turn) to a number. Mappings inside a state are never changed in place; `engine.events`
builds new ones and shares the rest, so keeping an old state costs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from sandtable.world.model import Domain, MarkId, PowerId, SideId, SpaceId, TechId, UnitId, World

Mark = Literal[
    "",
    "raid",
    "escort",
    "sweep",
    "engaging",
    "intercepting",
    "scrambled",
    "airborne",
    "interdicting",
    "returned",
    "submerged",
    "ambushed",
    "off",
    "flown",
    "unloaded",
    "fired",
    "carried",
    "rail",
    "new",
]
"""raid: flies a raid · escort: protects one · sweep: attacks an air base · engaging: a defender's plane that meets the
escorts · intercepting: one that goes for the bombers · scrambled: one that rose to defend a zone · airborne: one that
rose from an ally's carrier to defend it · interdicting: one that attacks ships which have moved · returned: one that
has had its mission · submerged: out of this turn's battle · ambushed: fired at ships that came by · off: broke off,
still to land · flown: carried troops or was carried, and moves no more · unloaded: a transport that put units ashore ·
fired: a ship that gave its support shot · carried: a plane that its carrier took along · rail: sent from
another map · new: placed this turn."""

ABSENT: frozenset[Mark] = frozenset(
    ("raid", "escort", "sweep", "engaging", "intercepting", "interdicting", "returned", "off", "submerged")
)
"""Pieces with these marks are in the space and yet take no part in its battle."""


class Piece(msgspec.Struct, frozen=True, cache_hash=True, omit_defaults=True, gc=False):  # values hold no cycles
    """One kind of unit in one condition."""

    power: PowerId
    type: UnitId
    used: int = 0  # movement spent this turn
    origin: SpaceId = ""  # the neighbouring space from which it came into this one, this phase
    done: bool = False  # moves no more this turn
    mark: Mark = ""
    hits: int = 0  # damage taken so far
    # cargo: where it is going to land after the sea battle; ships: the shore they serve; planes that follow their
    # carrier into battle: from where they may still be sent elsewhere; planes met on their way: where they were sent;
    # planes that raid: the facility
    target: SpaceId | UnitId = ""
    cargo: tuple[Piece, ...] = ()
    fleet: Literal["", "invasion"] = ""  # a ship of an Invasion Fleet, or a plane aboard one: out of the sea battle
    home: SpaceId = ""  # a carrier, or a plane that took off from one: the zone in which it began the turn
    ashore: tuple[UnitId, ...] = ()  # transports that serve one shore: what they have put there this turn
    marks: tuple[MarkId, ...] = ()  # what changes its profile, mostly for good, in alphabetical order
    lift: int = 0  # movement that a base gave it when it set out this turn


def unmoved(piece: Piece) -> bool:
    """The piece has neither moved nor had a task this turn."""
    return not (piece.used or piece.done or piece.origin or piece.mark)


Stack = Mapping[Piece, int]
Units = tuple[tuple[Piece, int], ...]  # the same, as a fixed list (in events)
EMPTY: Stack = {}


Role = Literal["attack", "defense"]
"""What a force does in a battle; a side is an alliance."""


class Hits(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hits that wait for casualties: what they can strike, and who names the victims."""

    count: int
    spared: tuple[Domain | UnitId, ...] = ()  # domains and unit types that they cannot strike
    strikes: tuple[Domain | UnitId, ...] = ()  # if anything stands here, they strike nothing else
    chooser: PowerId = ""  # who names the victims; empty: whoever owns them
    victims: Units = ()  # the very pieces, where each die had one of its own


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a power has to answer before the game goes on; `engine.questions` knows what each kind means."""

    kind: str
    power: PowerId  # who is asked
    space: SpaceId = ""  # what it is about
    role: Role | None = None  # in a battle: which force is asked about
    count: int = 0
    units: Units = ()
    places: tuple[SpaceId, ...] = ()
    terms: tuple[str, ...] = ()  # what is allowed or forbidden this time, in the kind's own words


class Battle(msgspec.Struct, frozen=True):
    """A battle in progress: which step it is at and what that step still has to settle."""

    space: SpaceId
    kind: str
    attacker: PowerId
    origins: tuple[SpaceId, ...] = ()  # spaces from which attackers entered
    shores: tuple[SpaceId, ...] = ()  # sea zones from which units were landed
    round: int = 1
    step: int = 0
    column: int = -1  # last column rolled in this step
    hits: tuple[Hits, ...] = ()
    doomed: Stack = EMPTY  # casualties that still fire this round
    aside: SpaceId = ""  # where the attackers under fire are, if not in the battle's own space
    shaken: int = 0  # damage of a bulwark that tells only when this round's casualties go
    answers: tuple[tuple[PowerId, Units], ...] = ()  # casualties named so far by partners who have to agree
    asked: tuple[PowerId, ...] = ()  # who has answered in this step already
    late: bool = False  # planes of carriers sunk in it look for a place when all battles are fought
    # zones whose ships know whether they support this landing; while a coast fires at transports, what they put ashore
    told: tuple[SpaceId | UnitId, ...] = ()
    results: tuple[tuple[int, int], ...] = ()  # of an air combat: enemy planes destroyed and turned back, by each side
    group: Stack = EMPTY  # overflight: the planes under fire
    queue: tuple[SpaceId, ...] = ()  # overflight: AA territories still ahead


class Moving(msgspec.Struct, frozen=True):
    """A complex that is being moved to another place."""

    power: PowerId
    unit: UnitId
    start: SpaceId
    end: SpaceId
    round: int  # in which it was taken away
    damage: int = 0
    upgraded: bool = False


Pair = tuple[PowerId, PowerId]


def pair(one: PowerId, other: PowerId) -> Pair:
    """Two powers, whichever is named first."""
    return (one, other) if one <= other else (other, one)


class Stances(msgspec.Struct, frozen=True, cache_hash=True):
    """What has become of the powers to each other, where that can change (`engine.relations`)."""

    wars: frozenset[Pair] = frozenset()
    alliances: frozenset[Pair] = frozenset()
    bound: tuple[Pair, ...] = ()  # the first leaves the second alone, whatever else they are; in order


class Flight(msgspec.Struct, frozen=True):
    """Planes sent into battle over land that may answer, and the way they take."""

    route: tuple[SpaceId, ...]
    planes: Units  # as they are at its end


class Sorties(msgspec.Struct, frozen=True):
    """What has been settled of all that planes do between the moves and the battles (`engine.sorties`)."""

    stage: int = 0
    asked: tuple[PowerId, ...] = ()  # who has answered at this stage
    flights: tuple[Flight, ...] = ()
    passed: tuple[SpaceId, ...] = ()  # land that the flights have left behind
    met: tuple[tuple[str, SpaceId], ...] = ()  # air combats that are over, by kind and space
    closing: bool = False  # the power has ended its quiet moves


class State(msgspec.Struct, frozen=True, gc=False):
    round: int
    turn: int  # index into world.order
    phase: int  # index into world.phases
    units: Mapping[SpaceId, Stack]  # spaces without units are absent
    owners: Mapping[SpaceId, PowerId]  # neutral land is absent
    start_owners: Mapping[SpaceId, PowerId]  # as they were when this turn began
    treasury: Mapping[PowerId, int]
    techs: Mapping[PowerId, frozenset[TechId]]
    pool: Mapping[UnitId, int] = {}  # bought this turn and not placed yet; from mobilize on with what waited before
    reserve: Mapping[PowerId, Mapping[UnitId, int]] = {}  # units that wait off the board until they are used
    moves: int | None = None  # how many units a power at peace may move this turn
    surprise: tuple[SpaceId, ...] = ()  # zones of a surprise attack in this turn
    worth: Mapping[SpaceId, int] = {}  # what land is worth more, for good, than the board says
    moving: tuple[Moving, ...] = ()  # complexes between two places
    budget: int | None = None  # what a power at peace may still spend on combat units this turn
    bought: Mapping[UnitId, int] = {}  # this turn, of units whose number is limited
    spent: Mapping[str, int] = {}  # what powers have used of rights that are limited for the whole game
    waiting: Mapping[PowerId, Mapping[UnitId, int]] = {}  # pools of earlier turns, and of powers that others play
    repaired: Mapping[SpaceId, int] = {}  # damage markers taken off this turn
    damage: Mapping[SpaceId, Mapping[UnitId, int]] = {}
    building: Mapping[SpaceId, Mapping[UnitId, int]] = {}  # facilities that do not work yet, and for how many turns
    upgraded: tuple[SpaceId, ...] = ()  # complexes that were made better this turn
    tokens: Mapping[PowerId, int] = {}  # researchers
    researched: bool = False  # the dice of this turn have been rolled
    focused: bool = False  # the die of this turn for a development by name has been rolled
    event: str = ""  # the event card of this round
    drawn: tuple[str, ...] = ()  # event cards since the deck was last shuffled, this one included
    breakthrough: bool = False  # a chart has to be chosen
    projects: Mapping[PowerId, Mapping[TechId, int]] = {}  # how far developments on the track are
    advanced: tuple[TechId, ...] = ()  # projects that have had their die this turn
    begun: int = 0  # projects that were new this turn
    revealed: tuple[tuple[PowerId, TechId], ...] = ()  # blind projects that all know of
    lettered: Mapping[PowerId, tuple[TechId, ...]] = {}  # blind projects in the order in which they were begun
    spied: Literal["", "used", "stopped"] = ""  # the secret service has done its work this turn, or was caught
    pilots: Mapping[PowerId, int] = {}  # levels of training other than 0
    leaderless: tuple[PowerId, ...] = ()  # powers that have still to name the unit which their leader commands
    aided: bool = False  # this turn's die of aid has been bought
    unfunded: tuple[PowerId, ...] = ()  # powers whose first money is still to be thrown
    drops: int = 0  # of troops from planes: paid for this turn and not made yet
    unpaid_drops: int = 0  # made this turn, where they are paid for afterwards
    rocket: Literal["", "fired", "declined"] = ""  # no more rockets this turn
    launched: tuple[tuple[SpaceId, SpaceId], ...] = ()  # rockets of this turn: gun and target
    sent: int | None = 0  # commandos of this turn; None: no more are sent
    back: int = 0  # those of them who are in reserve again, and go no second time
    placed: Mapping[SpaceId, int] = {}  # units placed this turn, by territory or sea zone
    placed_big: Mapping[SpaceId, int] = {}  # those of them that take a better complex
    fought: tuple[SpaceId, ...] = ()  # spaces where a battle was fought this turn
    declined: tuple[SpaceId, ...] = ()  # zones where enemies were left alone this turn
    costly: tuple[SpaceId, ...] = ()  # sea battles of this turn that cost the attacker ships
    sorties: Sorties = Sorties()
    partners: tuple[tuple[PowerId, ...], ...] = ()  # powers that one person runs, where a rule asks for it
    adrift: tuple[SpaceId, ...] = ()  # zones where carriers were sunk whose planes look for a place when all is fought
    stances: Stances | None = None  # None: sides are fixed
    rebuffed: tuple[PowerId, ...] = ()  # powers that have declined an alliance this turn
    refused: tuple[str, ...] = ()  # moves of this turn to which an ally has not agreed
    new_wars: tuple[Pair, ...] = ()  # that this turn has brought
    capitals: Mapping[PowerId, SpaceId] = {}  # of powers that have lost their own and named another
    permitted: tuple[SpaceId, ...] = ()  # land that its owner has opened to allies for good, in board order
    leanings: Mapping[SpaceId, str] = {}  # of neutral land, where they are not what the board says any more
    battle: Battle | None = None
    questions: tuple[Question, ...] = ()  # the first is the open one
    rolls: int = 0  # dice rolled since the game began
    history: tuple[str, ...] = ()  # what is remembered for conditions (`engine.conditions.history`), sorted
    goals: Mapping[str, tuple[PowerId, int]] = {}  # ways to win that are being held: in whose turn reached, and when
    winner: SideId | None = None
    victor: PowerId | None = None  # where a single power wins
    over: bool = False

    def at(self, space: SpaceId) -> Stack:
        return self.units.get(space, EMPTY)

    def pool_of(self, world: World, power: PowerId) -> Mapping[UnitId, int]:
        """New units of any power that are not placed yet: its mobilization zone."""
        waiting = self.waiting.get(power, {})
        return _sum(waiting, self.pool) if power == world.order[self.turn] else waiting

    def digest(self) -> str:
        """A fingerprint that equal states share, on every machine."""
        return hashlib.blake2b(repr(canonical(self)).encode(), digest_size=16).hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest())


def _sum(one: Mapping[UnitId, int], other: Mapping[UnitId, int]) -> Mapping[UnitId, int]:
    if not one or not other:
        return one or other
    return {unit: one.get(unit, 0) + other.get(unit, 0) for unit in dict.fromkeys((*one, *other))}


def canonical(value: object) -> object:
    """A nested tuple that does not depend on the order in which mappings were filled.

    Fields with their default value are left out, so that a rule which needs a new one leaves other games' prints alone.
    """
    if isinstance(value, msgspec.Struct):
        fields = ((name, getattr(value, name), default) for name, default in _defaults(type(value)))
        return tuple((name, canonical(field)) for name, field, default in fields if field != default)
    if isinstance(value, Mapping):
        return tuple(sorted((_text(k), _text(v)) for k, v in value.items()))
    if isinstance(value, tuple):
        return tuple(canonical(v) for v in value)
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    return value


@lru_cache(maxsize=64)
def _defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    """Every field with its default; a field without one is never equal to it."""
    return tuple(
        (f.name, {} if f.default_factory is dict else f.default if f.default is not msgspec.NODEFAULT else object())
        for f in msgspec.structs.fields(kind)
    )


def _text(value: object) -> str:
    """Few different pieces and stacks stand on a board, and digests ask for them again and again."""
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, dict) and value and isinstance(next(iter(value)), Piece):
        return _stack_text(frozenset(value.items()))
    return _piece_text(value) if isinstance(value, Piece) else repr(canonical(value))


@lru_cache(maxsize=8192)
def _piece_text(piece: Piece) -> str:
    return repr(canonical(piece))


@lru_cache(maxsize=8192)
def _stack_text(units: frozenset[tuple[Piece, int]]) -> str:
    return repr(canonical(dict(units)))


def piece_key(piece: Piece) -> tuple[Any, ...]:
    """A total order on pieces, so that choices among equals never depend on history."""
    return (
        piece.power,
        piece.type,
        piece.used,
        piece.done,
        piece.mark,
        piece.origin,
        piece.hits,
        piece.target,
        tuple(piece_key(p) for p in piece.cargo),
        piece.ashore,
        piece.marks,
        piece.fleet,
        piece.home,
        piece.lift,
    )


def in_order(stack: Stack) -> list[tuple[Piece, int]]:
    if len(stack) < 2:
        return list(stack.items())
    return sorted(stack.items(), key=lambda item: piece_key(item[0]))


def units_of(stack: Stack) -> Units:
    return tuple(in_order(stack))


def add(stack: Stack, units: Iterable[tuple[Piece, int]]) -> dict[Piece, int]:
    result = dict(stack)
    for piece, n in units:
        if n:
            result[piece] = result.get(piece, 0) + n
    return result


def take(stack: Stack, units: Iterable[tuple[Piece, int]]) -> dict[Piece, int]:
    """The stack without these units; they must be in it."""
    result = dict(stack)
    for piece, n in units:
        left = result[piece] - n
        if left < 0:
            raise KeyError(piece)
        if left:
            result[piece] = left
        else:
            del result[piece]
    return result


def count(stack: Stack, *, power: PowerId | None = None, unit: UnitId | None = None) -> int:
    return sum(n for p, n in stack.items() if (power is None or p.power == power) and (unit is None or p.type == unit))


def with_cargo(stack: Stack) -> Iterator[tuple[Piece, int]]:
    """Every piece of the stack, those aboard transports included."""
    for piece, n in stack.items():
        yield piece, n
        for aboard in piece.cargo:
            yield aboard, n


def load(transport: Piece, aboard: Iterable[Piece]) -> Piece:
    """The same transport with this cargo, in a fixed order so that equal loads are equal pieces."""
    return msgspec.structs.replace(transport, cargo=tuple(sorted(aboard, key=piece_key)))
