"""Planes whose carrier was sunk in a battle after which they have to wait: they land when all battles are fought.

Rules: MX10-08, MX10-09. A carrier with room in the zone or a friendly island in it takes them; where both have room
their owner says who goes ashore, and who finds neither is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.engine import access
from sandtable.engine.events import AdriftSettled, Change, Lost, StrandedLanded
from sandtable.engine.facts import active, amount, deck_space, describe, is_friendly, name, type_of
from sandtable.engine.naming import named
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import Question, Stack, State, Units, count, in_order, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import Land
from sandtable.world.model import PowerId, SpaceId, World


class Group(NamedTuple):
    """Planes of one owner over a zone, the decks that are free for them there, and islands where they may land."""

    zone: SpaceId
    power: PowerId
    planes: Stack
    decks: int
    islands: tuple[SpaceId, ...]


def settle(run: Run) -> bool:
    """Land or lose what has no choice, zone by zone, and ask owners who have one. True: somebody is asked."""
    while run.state.adrift and not run.state.questions:
        zone = run.state.adrift[0]
        run.emit(AdriftSettled(zone))
        for group in list(groups(run.world, run.state, zone)):
            if not group.islands:
                _lose(run, group, count(group.planes) - group.decks)
            elif not group.decks and len(group.islands) == 1:
                ashore(run, group, units_of(group.planes), group.islands[0])
            else:
                run.ask(ask_about(group))
    return bool(run.state.questions)


def groups(world: World, state: State, zone: SpaceId) -> Iterator[Group]:
    """The planes over the zone that fly no further, owner by owner: owners of carriers have the decks first."""
    stack = state.at(zone)
    attacker = active(world, state)
    owners = [p for p in world.powers if p != attacker and any(piece.power == p for piece in stack)]
    carriers = {p.power for p in stack if type_of(world, state, p).deck}
    taken: dict[frozenset[PowerId], int] = {}
    for power in sorted(owners, key=lambda p: p not in carriers):
        ours = frozenset(friends(world, state, power))
        planes = {p: n for p, n in stack.items() if p.power == power and type_of(world, state, p).domain == "air"}
        if not planes:
            continue
        room = deck_space(world, state, stack, ours)
        free = min(sum(room.get(unit, 0) for unit in {p.type for p in planes}) - taken.get(ours, 0), count(planes))
        taken[ours] = taken.get(ours, 0) + free
        islands = tuple(
            s
            for s in world.land[zone]
            if world.spaces[s].island
            and is_friendly(world, state, power, s)
            and not access.is_closed(world, state, power, s)
        )
        yield Group(zone, power, planes, max(0, free), islands)


def ask_about(group: Group) -> Question:
    return Question(
        "land",
        group.power,
        group.zone,
        count=count(group.planes) - group.decks,
        units=units_of(group.planes),
        places=group.islands,
    )


def group_of(world: World, state: State, question: Question) -> Group:
    return next(g for g in groups(world, state, question.space) if g.power == question.power)


def answer(run: Run, question: Question, order: Land | None) -> None:
    """So many go ashore, nobody if there is no order; the others go aboard as far as there is room."""
    world = run.world
    group = group_of(world, run.state, question)
    chosen: Units = ()
    if order is not None:
        if order.space not in group.islands:
            where = " or ".join(name(world, s) for s in group.islands)
            raise Refusal("no-such-island", f"The planes can land in {where} only.", (order.space,))
        chosen = _named(world, group, order)
    left = count(group.planes) - sum(n for _, n in chosen)
    if left > group.decks and (order is None or len(group.islands) == 1):
        most = amount(world, next(iter(group.planes)).type, group.decks)
        raise Refusal(
            "decks-are-too-few",
            f"The carriers in {name(world, group.zone)} have room for {most}: the others have to go ashore.",
            (group.zone,),
        )
    run.close()
    if order is not None and chosen:
        ashore(run, group, chosen, order.space)
    if left > group.decks:
        run.ask(ask_about(group_of(world, run.state, question)))


def _named(world: World, group: Group, order: Land) -> Units:
    chosen, missing = named(group.planes, order.units)
    if missing is not None:
        raise Refusal(
            "no-such-plane-adrift",
            f"{amount(world, missing.type, missing.count)} cannot land there: "
            f"{describe(world, units_of(group.planes))} {'is' if count(group.planes) == 1 else 'are'} over "
            f"{name(world, group.zone)}.",
            (group.zone,),
        )
    return chosen


def ashore(run: Run, group: Group, units: Units, island: SpaceId) -> None:
    changes = (Change(group.zone, minus=units), Change(island, plus=units))
    run.emit(StrandedLanded(group.power, group.zone, island, units, changes))


def _lose(run: Run, group: Group, number: int) -> None:
    """So many find no place; the least marked go."""
    for piece, n in sorted(in_order(group.planes), key=lambda item: len(item[0].marks)):
        some = min(n, number)
        if some > 0:
            number -= some
            units = ((piece, some),)
            run.emit(Lost(group.zone, "carrier-sunk", units, (Change(group.zone, minus=units),)))
