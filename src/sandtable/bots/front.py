"""Where the war is going: how long a land unit needs to an enemy capital, and what land is worth."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING

import msgspec

from sandtable.bots.atlas import FAR
from sandtable.bots.stakes import bonus, theatre, theatre_cities
from sandtable.engine.conditions import holds
from sandtable.engine.victory import candidates, open_to
from sandtable.world.conditions import Cities, Production, leaves
from sandtable.world.model import SpaceId

if TYPE_CHECKING:
    from sandtable.bots.sight import Sight
    from sandtable.bots.style import Style

CITY = 5.0  # I.P.C. that a victory city is worth where cities win
ASSAULT = 2.4  # more turns for a landing on a shore that the enemy holds
HOP = 1.6  # turns that a passage of up to two zones costs where ships are at hand
NEW_SHIPS = 1.2  # more, where ships could only be built
NO_SHIPS = 6.0  # more, where there are neither ships nor a complex to build them
LONGER = 1.0  # for each further turn at sea
LONGEST = 6  # zones
CAPTURED_YARDS = 2.0  # more, where ships could be built in a complex that has to be taken first
FEW_SHIPS = 2  # so many can always be built
LONGEST_QUEUE = 4.0  # turns for each turn at sea
EASY = 0.35  # of the worth of those who are after a goal, that its owner has at most where they need no help
OTHERS = 4.0  # turns by which a capital is farther that is not the one to go for: who is near it helps all the same
PARTNERS = 8.0  # the same, where partners will take it alone
WAR = 300.0  # I.P.C. that it is worth to win the war
LESSER = 1.5  # turns by which a city is a lesser goal than a capital


def goals(sight: Sight) -> dict[SpaceId, float]:
    """Enemy capitals still to be won, and own side's to be won back, with the turns that their defence is worth."""
    world = sight.world
    found: dict[SpaceId, float] = {}
    for power in world.powers.values():
        if power.capital is None:
            continue
        if power.id in sight.foes and sight.is_theirs(power.capital):
            found[power.capital] = stubbornness(sight, power.capital)
        elif power.id in sight.friends and sight.is_theirs(power.capital):
            found[power.capital] = -3.0
    task, farther = errand(sight, found), PARTNERS
    if task is None:
        task, farther = main_effort(sight, found), OTHERS
    if task is not None:
        found = {goal: turns + (0.0 if goal == task or turns < 0 else farther) for goal, turns in found.items()}
    for city in theatre_cities(sight):
        if city not in found and sight.is_theirs(city):
            found[city] = stubbornness(sight, city) + LESSER
    return found


def main_effort(sight: Sight, found: Mapping[SpaceId, float]) -> SpaceId | None:
    """The enemy capital that lies nearest to all partners together: they go there first, and do not change their minds
    with every ship that is built or sunk."""
    if sight.world.declarations:
        return None
    homes = [sight.world.powers[p].capital for p in (sight.power, *sight.allies)]
    ways = [sight.atlas.air[home] for home in homes if home is not None]
    capitals = sorted(goal for goal, turns in found.items() if turns >= 0)
    return min(capitals, key=lambda goal: sum(way.get(goal, FAR) for way in ways), default=None)


def errand(sight: Sight, found: Mapping[SpaceId, float]) -> SpaceId | None:
    """The one enemy capital that is left to this power, where its partners can do without it at the others.

    Each capital is somebody's, and everybody's is as near as that allows. So who lives on the far side of the world
    turns to the last capital when the first is about to fall, not when it has fallen.
    """
    if sight.world.declarations:  # who fights whom may change
        return None
    homes = {p: sight.world.powers[p].capital for p in sorted((sight.power, *sight.allies))}
    near = {p: sight.atlas.air[home] for p, home in homes.items() if home is not None and sight.state.owners[home] == p}
    capitals = sorted(goal for goal, turns in found.items() if turns >= 0)
    if sight.power not in near or not 1 < len(capitals) <= len(near):
        return None
    shares = (dict(zip(near, pick, strict=True)) for pick in product(capitals, repeat=len(near)))
    share = min(
        (share for share in shares if len(set(share.values())) == len(capitals)),
        key=lambda share: sum(near[p].get(goal, FAR) for p, goal in share.items()),
    )
    mine = share[sight.power]
    theirs = sum(sight.worth_of(sight.state.owners[goal]) for goal in capitals if goal != mine)
    ours = sum(sight.worth_of(p) for p, goal in share.items() if goal != mine)
    return mine if theirs < EASY * ours else None


def stubbornness(sight: Sight, capital: SpaceId) -> float:
    """How much a strong garrison and production put an attack off, in turns."""
    force = sum(n for _, _, n in sight.theirs(capital))
    owner = sight.state.owners[capital]
    return min(6.0, force / 8 + sight.production(owner) / 20)


def boarding(sight: Sight) -> dict[SpaceId, float]:
    """What it takes to embark in each zone: little where own transports lie, more where they would have to be built.

    When one goal has been reached and the next lies across the world, ships come from afar, too, or are built in a
    complex that is taken on the way.
    """
    world = sight.world
    found: dict[SpaceId, float] = {}
    for space, piece, _ in sight.armies(sight.power):
        kind = sight.type_of(piece)
        if kind.loads:
            for zone, distance in sight.sea_distance[space].items():
                later = LONGER * max(0, (distance - 1) // max(1, kind.move))
                if not later or sight.is_late:
                    found[zone] = min(found.get(zone, FAR), HOP + 0.15 * min(distance, kind.move) + later)
        elif kind.complex and sight.is_mine(space):
            for zone in world.sea[space]:
                found[zone] = min(found.get(zone, FAR), HOP + NEW_SHIPS)
    for space in sight.state.owners if sight.is_late else ():
        if sight.is_theirs(space) and sight.complex(space):
            for zone in world.sea[space]:
                found[zone] = min(found.get(zone, FAR), HOP + CAPTURED_YARDS)
    return {zone: min(turns, HOP + NO_SHIPS) for zone, turns in found.items()}


def queue(sight: Sight) -> float:
    """Turns that a soldier waits for a ship whose passage takes one turn, there being so many who have no other way."""
    if not sight.is_late:
        return 0.0
    ships = 0
    room = 1
    for _, piece, n in sight.armies(sight.power):
        kind = sight.type_of(piece)
        if kind.loads:
            ships += n
            room = max(room, *(k for load in kind.loads for k in load.values()))
    return min(LONGEST_QUEUE, max(0.0, sum(n for _, n in stranded(sight)) / (room * max(ships, FEW_SHIPS)) - 1.0) / 2)


def stranded(sight: Sight) -> Iterator[tuple[SpaceId, int]]:
    """Own troops ashore who have no way over land to any goal: where, and how many."""
    goal, land = goals(sight), sight.atlas.land
    for space, piece, n in sight.armies(sight.power):
        if sight.type_of(piece).captures and space in land and not any(g in land[space] for g in goal):
            yield space, n


class Leg(msgspec.Struct, frozen=True):
    """The next part of the way from a land to the goal."""

    to: SpaceId
    zone: SpaceId | None = None  # where troops embark for it; None: over land


Way = tuple[dict[SpaceId, float], dict[SpaceId, Leg]]


def way_to_goal(sight: Sight) -> Way:
    """Turns from each land to the goal that is nearest, and the next leg; Dijkstra over borders and sea passages."""
    land, sea = sight.world.land, sight.world.sea
    neutral, shores = sight.atlas.neutral.difference(sight.state.owners), sight.atlas.shores
    lanes = sight.atlas.lanes(sight.closed, LONGEST)
    embark = boarding(sight)
    wait = queue(sight)
    time: dict[SpaceId, float] = {}
    legs: dict[SpaceId, Leg] = {}
    todo: list[tuple[float, SpaceId]] = [(t, s) for s, t in goals(sight).items()]
    heapq.heapify(todo)
    known: dict[SpaceId, float] = {s: t for t, s in todo}  # the best so far
    landings: dict[SpaceId, float] = {}  # zone -> from when on troops can be put ashore there
    boarded: dict[SpaceId, float] = {}  # zone -> from when on troops can embark there
    while todo:
        now, here = heapq.heappop(todo)
        if here in time:
            continue
        time[here] = now
        for near in land[here]:
            if near not in neutral and now + 1 < known.get(near, FAR):
                known[near] = now + 1
                legs[near] = Leg(here)
                heapq.heappush(todo, (now + 1, near))
        landed = now if sight.is_ours(here) else now + ASSAULT
        for zone in sea[here]:
            if landings.get(zone, FAR) <= landed:
                continue
            landings[zone] = landed
            for other, more in lanes[zone]:
                turns = landed + embark.get(other, HOP + NO_SHIPS) + LONGER * more + wait * (1 + more)
                if turns >= boarded.get(other, FAR):
                    continue
                boarded[other] = turns
                for shore in shores[other]:
                    if turns < known.get(shore, FAR):
                        known[shore] = turns
                        legs[shore] = Leg(here, other)
                        heapq.heappush(todo, (turns, shore))
    return time, legs


def future(sight: Sight, style: Style) -> float:
    """Rounds of income that land is worth: more when a victory by production is near."""
    return style.future + style.economy * sight.near_victory


def prize(sight: Sight, space: SpaceId, hold: float, future: float) -> float:
    """What taking this land is worth in I.P.C. when it is then held with this chance."""
    world = sight.world
    ipc = world.spaces[space].ipc
    value = ipc * (1.0 + 2.0 * hold * future) + 0.3
    if sight.complex(space):
        value += 4.0 + 4.0 * hold
    value += city(sight, space) * (0.5 + hold) + sight.land_to_win.get(space, 0.0) * hold
    value += bonus(sight, space, sight.power) * (1.0 + hold * future)
    owner = sight.state.owners.get(space)
    capital_of = world.spaces[space].capital_of
    if wins_now(sight, space):
        value += WAR
    if capital_of is not None and owner is not None:
        if capital_of == owner:
            value += sight.state.treasury[owner] + 25 + sight.production(owner) * 0.5
        elif capital_of in sight.friends:
            value += 40 + 20 * hold
    if owner in sight.foes and sight.time.get(space, FAR) < FAR:
        value += max(0.0, 4.0 - sight.time[space]) * 0.4 * hold
    return value


def wins_now(sight: Sight, space: SpaceId) -> bool:
    """Taking this land would end the war."""
    if space not in sight.decisive:
        sight.decisive[space] = _wins_now(sight, space)
    return sight.decisive[space]


def _wins_now(sight: Sight, space: SpaceId) -> bool:
    world, state = sight.world, sight.state
    taken = None
    for victory in world.victory:
        parts = tuple(leaves(victory.when))
        if not open_to(state, victory) or any(isinstance(part, Production) for part in parts):
            continue  # it falls bit by bit, and values of land say so already
        for who in (sight.side, sight.power):
            if who in candidates(world, state, victory):
                taken = taken or msgspec.structs.replace(state, owners={**state.owners, space: sight.power})
                if holds(world, taken, victory.when, who) and not holds(world, state, victory.when, who):
                    return True
    return False


def city(sight: Sight, space: SpaceId) -> float:
    """What a victory city is worth beyond its income, where cities win the war."""
    named = theatre(sight, space)
    if named is not None:
        return named
    if not sight.world.spaces[space].victory_city:
        return 0.0
    counts = any(isinstance(part, Cities) for victory in sight.world.victory for part in leaves(victory.when))
    return CITY if counts else 0.0


def own_value(sight: Sight, space: SpaceId, future: float) -> float:
    """What losing this land of our side would cost."""
    world = sight.world
    value = world.spaces[space].ipc * (1.0 + future)
    if sight.complex(space):
        value += 6.0
    value += city(sight, space) + sight.land_to_win.get(space, 0.0)
    if sight.enemies:
        value -= bonus(sight, space, sight.enemies[0]) * (1.0 + future)
    capital_of = world.spaces[space].capital_of
    owner = sight.state.owners.get(space)
    if capital_of is not None and capital_of == owner:
        value += 60 + sight.state.treasury.get(owner, 0)
    return value
