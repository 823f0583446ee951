"""Hits before anybody is lost: what each can strike, how many count, and which choices of victims there are.

A hit may be unable to strike some units (a submarine's never takes a plane), or be for some only (AA fire). Hits are
therefore kept in groups by what they can strike, and a choice of victims is allowed when every one of them can be given
a hit of its own. Who chooses, is asked and is lost then is told by `casualties`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from sandtable.engine.facts import (
    Knowing,
    type_of,
    unit_type,
)
from sandtable.engine.state import (
    EMPTY,
    Hits,
    Piece,
    Stack,
    piece_key,
)
from sandtable.world.model import Domain, MarkId, PowerId, UnitId, World

Kind = tuple[PowerId, UnitId]


class Sort(NamedTuple):
    """Units that an order cannot tell apart: of one kind, with the same cargo and the same marks."""

    power: PowerId
    unit: UnitId
    cargo: tuple[tuple[UnitId, int], ...] = ()
    marks: tuple[MarkId, ...] = ()

    @property
    def kind(self) -> Kind:
        return self.power, self.unit


def sort_of(world: World, piece: Piece) -> Sort:
    if not piece.cargo:
        return Sort(piece.power, piece.type, (), piece.marks)
    aboard = Counter(c.type for c in piece.cargo)
    return Sort(piece.power, piece.type, tuple((u, aboard[u]) for u in world.units if u in aboard), piece.marks)


def merge(hits: tuple[Hits, ...], more: Iterable[Hits]) -> tuple[Hits, ...]:
    """Hits in as few groups as possible; those that have their victims already stay as they are."""
    total: dict[tuple[tuple[Domain | UnitId, ...], tuple[Domain | UnitId, ...], PowerId], int] = {}
    aimed: list[Hits] = []
    for hit in (*hits, *more):
        if hit.victims:
            aimed.append(hit)
        else:
            key = (hit.spared, hit.strikes, hit.chooser)
            total[key] = total.get(key, 0) + hit.count
    return (*aimed, *(Hits(n, *key) for key, n in sorted(total.items()) if n))


def can_strike(world: World, hit: Hits, unit: UnitId) -> bool:
    if not hit.spared and not hit.strikes:
        return True
    domain = world.units[unit].domain
    if hit.strikes and unit not in hit.strikes and domain not in hit.strikes:
        return False
    return not hit.spared or (unit not in hit.spared and domain not in hit.spared)


def effective(world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many of these hits find a target: the largest matching of hits and what the targets can take."""
    return matched(world, hits, room(world, state, targets)) if hits else 0


def room(world: World, state: Knowing, targets: Stack) -> dict[UnitId, int]:
    """Hits that the targets can take, by type."""
    found: dict[UnitId, int] = {}
    for piece, n in targets.items():
        found[piece.type] = found.get(piece.type, 0) + n * endurance(world, state, piece)
    return found


def matched(world: World, hits: tuple[Hits, ...], room: Mapping[UnitId, int]) -> int:
    """The same, of targets with so much room."""
    first = hits[0]
    if len(hits) == 1:
        if not first.spared and not first.strikes:
            return min(first.count, sum(room.values()))
        return min(first.count, sum([n for unit, n in room.items() if can_strike(world, first, unit)]))
    if len(hits) == 2:  # the usual case, written out
        second = hits[1]
        one = other = either = 0
        for unit, n in room.items():
            by_one, by_other = can_strike(world, first, unit), can_strike(world, second, unit)
            one += n if by_one else 0
            other += n if by_other else 0
            either += n if by_one or by_other else 0
        return min(first.count + second.count, first.count + other, second.count + one, either)
    struck = [{unit for unit in room if can_strike(world, hit, unit)} for hit in hits]
    best = sum(hit.count for hit in hits)
    places = range(len(hits))
    for size in places:
        for group in combinations(places, size):  # a cut: all hits of some groups, and what the others can strike
            others = set().union(*(struck[place] for place in places if place not in group))
            best = min(best, sum(hits[place].count for place in group) + sum(room[unit] for unit in others))
    return best


def endurance(world: World, state: Knowing, piece: Piece) -> int:
    """Hits that it takes to destroy the piece from now on (AN-CBT-23)."""
    return type_of(world, state, piece).hits - piece.hits


def assignable(world: World, hits: tuple[Hits, ...], chosen: Counter[UnitId]) -> bool:
    """Every hit that was given to a unit can be one of these (Hall's condition over the groups of hits)."""
    for size in range(len(hits) + 1):
        for group in combinations(range(len(hits)), size):  # two volleys can be alike
            others = [h for place, h in enumerate(hits) if place not in group]
            only_these = sum(n for u, n in chosen.items() if not any(can_strike(world, h, u) for h in others))
            if only_these > sum(hits[place].count for place in group):
                return False
    return True


def most_of(world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack, kind: Kind) -> int:
    """The greatest number of hits that units of this kind could take."""
    able = sum(h.count for h in hits if can_strike(world, h, kind[1]))
    return min(able, sum(n * endurance(world, state, p) for p, n in targets.items() if (p.power, p.type) == kind))


def sheltered(world: World, state: Knowing, targets: Stack) -> Stack:
    """The targets that are hit only when a hit can strike nobody else: transports (AN-SEA-11)."""
    return {p: n for p, n in targets.items() if type_of(world, state, p).chosen_last}


def first_share(world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many hits the targets must take that are not sheltered by others."""
    last = sheltered(world, state, targets)
    exposed = {p: n for p, n in targets.items() if p not in last} if last else targets
    return effective(world, state, hits, exposed)


def exposed_first(world: World, state: Knowing, targets: Stack) -> Stack:
    """The targets that are hit before all others: dropped troops, kamikazes (MX09-16, MX10-05)."""
    return {p: n for p, n in targets.items() if p.marks and type_of(world, state, p).chosen_first}


def choices(
    world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack, first: Stack = EMPTY
) -> dict[Kind, int]:
    """The kinds that can be hit, each with the most hits that it may take. A shooter who picks knows no shelter.

    `first` are the targets that have to be hit before the others.
    """
    picked = any(h.chooser for h in hits)
    last = set() if picked else {p.type for p in sheltered(world, state, targets)}
    most = {kind: most_of(world, state, hits, targets, kind) for kind in kinds_of(world, targets)}
    if last:
        rest = effective(world, state, hits, targets) - first_share(world, state, hits, targets)
        most = {kind: min(n, rest) if kind[1] in last else n for kind, n in most.items()}
    if first and not picked:
        for kind, n in most.items():
            late = {p: k for p, k in targets.items() if (p.power, p.type) == kind and p not in first}
            left = _left_for(world, state, hits, first, late)
            most[kind] = min(n, most_of(world, state, hits, first, kind) + left)
    return {kind: n for kind, n in most.items() if n}


def _left_for(world: World, state: Knowing, hits: tuple[Hits, ...], first: Stack, others: Stack) -> int:
    """How many hits others can take at most when those that are hit first have taken all they can."""
    return effective(world, state, hits, {**first, **others}) - effective(world, state, hits, first)


def sorts(
    world: World,
    state: Knowing,
    most: dict[Kind, int],
    targets: Stack,
    first: Stack = EMPTY,
    hits: tuple[Hits, ...] = (),
) -> dict[Sort, int]:
    """The same, told apart by what an order can name: cargo and marks; some may have to be hit `first`."""
    if not any(piece.cargo or piece.marks for piece in targets):
        return {Sort(*kind): n for kind, n in most.items()}
    able: dict[Sort, int] = {}
    for piece, n in targets.items():
        sort = sort_of(world, piece)
        if sort.kind in most:
            able[sort] = able.get(sort, 0) + n * endurance(world, state, piece)
    place = {kind: index for index, kind in enumerate(most)}
    ordered = sorted(able, key=lambda s: (place[s.kind], s.marks, s.cargo))
    found = {sort: min(able[sort], most[sort.kind]) for sort in ordered}
    if not first:
        return found
    early = {sort_of(world, piece) for piece in first}
    for sort in found:
        if sort not in early:
            late = {p: n for p, n in targets.items() if sort_of(world, p) == sort}
            found[sort] = min(found[sort], _left_for(world, state, hits, first, late))
    return {sort: n for sort, n in found.items() if n}


def kinds_of(world: World, stack: Stack) -> list[Kind]:
    """The kinds in a stack, in the edition's order of units and of play."""
    present = {(p.power, p.type) for p in stack}
    if len(present) < 2:
        return list(present)
    return sorted(present, key=lambda k: (world.unit_ranks[k[1]], world.power_ranks[k[0]]))


def worth(world: World, state: Knowing, piece: Piece) -> tuple[object, ...]:
    """What is lost first among equals: little cargo, planes far from home, landed troops who cannot retreat anyway.

    Troops that were put ashore count as cargo: under coastal fire they drown with their ship.
    """
    cargo_value = sum(type_of(world, state, c).cost or 0 for c in piece.cargo)
    cargo_value += sum((unit_type(world, state, piece.power, unit).cost or 0) for unit in piece.ashore)
    landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
    return (cargo_value, -piece.used, not landed, piece_key(piece))
