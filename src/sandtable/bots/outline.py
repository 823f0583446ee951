"""The plan beyond the turn, in words: where the army means to go, by which way, and what it waits for."""

from __future__ import annotations

from sandtable.bots.front import Leg
from sandtable.bots.sight import Sight
from sandtable.engine.facts import amounts
from sandtable.world.model import SpaceId, UnitId


def outline(sight: Sight) -> str:
    """Where the greatest own army is bound, in one sentence or two; nothing if there is no army or no way."""
    army = _greatest_army(sight)
    time, legs = sight.way
    if army is None or army not in time:
        return ""
    stages = _stages(sight, legs, army)
    names = sight.world.spaces
    troops = amounts(sight.world, _troops(sight, army))
    if not stages:
        return f"{troops.capitalize()} stand in {names[army].name}, which is the aim."
    goal = stages[-1][-1].to
    words = ", ".join(_stage(sight, stage) for stage in stages)
    turns = max(1, round(time[army] - time[goal]))
    away = "a turn" if turns == 1 else f"some {turns} turns"
    text = f"The aim is {names[goal].name}, {away} away for {troops} in {names[army].name}: {words}."
    ships = sum(n for _, p, n in sight.armies(sight.power) if sight.type_of(p).loads)
    if any(stage[0].zone is not None for stage in stages) and not ships:
        text += " There are no transports yet."
    return text


def _troops(sight: Sight, space: SpaceId) -> list[tuple[UnitId, int]]:
    mine = sight.mine(space)
    return [(u, mine[u]) for u in sight.world.units if mine.get(u) and sight.own(u).captures]


def _greatest_army(sight: Sight) -> SpaceId | None:
    """The land where most own troops stand, by their price."""
    worth: dict[SpaceId, int] = {}
    for space, piece, n in sight.armies(sight.power):
        kind = sight.type_of(piece)
        if kind.captures and space in sight.atlas.land:
            worth[space] = worth.get(space, 0) + n * (kind.cost or 0)
    return max(worth, key=lambda s: (worth[s], s), default=None)


def _stages(sight: Sight, legs: dict[SpaceId, Leg], start: SpaceId) -> list[list[Leg]]:
    """The legs of the way, marches over several lands taken together."""
    found: list[list[Leg]] = []
    here = start
    while here in legs and len(found) < len(sight.world.spaces):
        leg = legs[here]
        if leg.zone is None and found and found[-1][0].zone is None:
            found[-1].append(leg)
        else:
            found.append([leg])
        here = leg.to
    return found


def _stage(sight: Sight, legs: list[Leg]) -> str:
    names = sight.world.spaces
    end = names[legs[-1].to].name
    if (zone := legs[0].zone) is not None:
        verb = "go ashore" if sight.is_ours(legs[0].to) else "land"
        return f"embark in {names[zone].name} and {verb} in {end}"
    if len(legs) == 1:
        return f"march to {end}"
    return f"march by {', '.join(names[leg.to].name for leg in legs[:-1])} to {end}"
