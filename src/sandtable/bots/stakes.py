"""What land means beyond its income: bonuses that hang on who holds it, and cities that win a theatre.

Both are asked from the engine's own conditions: the position as it would be if the land changed hands.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from sandtable.bots.battles import CACHES, world_key, world_of
from sandtable.engine.conditions import counted, holds
from sandtable.engine.objectives import objectives_of, worth
from sandtable.engine.state import Piece, State
from sandtable.engine.victory import open_to
from sandtable.world import conditions as c
from sandtable.world.check import EACH
from sandtable.world.model import Objective, PowerId, SpaceId, Victory, World

if TYPE_CHECKING:
    from sandtable.bots.sight import Sight

STEP = 0.6  # of a bonus that a step towards it is worth, divided by the square of the steps that are left
LAST_CITY = 60.0  # I.P.C. that a city is worth which is the last but one to win a theatre; less by the square before


@lru_cache(maxsize=4)
def _bonuses_by_space(key: int) -> dict[SpaceId, tuple[Objective, ...]]:
    """The objectives that each land has something to do with."""
    found: dict[SpaceId, list[Objective]] = {}
    world = world_of(key)
    for objective in world.objectives if world.rules.objectives else ():
        parts = [objective.when, *([objective.per] if objective.per is not None else [])]
        for part in (leaf for condition in parts for leaf in c.leaves(condition)):
            if isinstance(part, c.Controls | c.UnitsOf | c.Happened):
                for space in part.places.spaces:
                    if world.spaces[space].is_land and objective not in found.setdefault(space, []):
                        found[space].append(objective)
    return {space: tuple(objectives) for space, objectives in found.items()}


@lru_cache(maxsize=4)
def _theatres(key: int) -> dict[SpaceId, tuple[tuple[Victory, c.Cities], ...]]:
    """The victories that count each city by name."""
    found: dict[SpaceId, list[tuple[Victory, c.Cities]]] = {}
    for victory in world_of(key).victory:
        for part in c.leaves(victory.when):
            if isinstance(part, c.Cities):
                for space in part.places.spaces:
                    found.setdefault(space, []).append((victory, part))
    return {space: tuple(victories) for space, victories in found.items()}


CACHES += [_bonuses_by_space, _theatres]


def bonus(sight: Sight, space: SpaceId, taker: PowerId) -> float:
    """I.P.C. a round by which the balance of bonuses changes for us when the power takes this land."""
    key = (space, taker)
    found = sight.bonuses.get(key)
    if found is None:
        objectives = _bonuses_by_space(world_key(sight.world)).get(space, ())
        found = sight.bonuses[key] = _change(sight, space, taker, objectives) if objectives else 0.0
    return found


def _change(sight: Sight, space: SpaceId, taker: PowerId, objectives: tuple[Objective, ...]) -> float:
    world, state = sight.world, sight.state
    then = _taken(world, state, space, taker)
    total = 0.0
    for objective in objectives:
        for power in world.order if objective.power == EACH else (objective.power,):
            more = worth(world, then, objective, power) - _now(sight, objective, power)
            total += sight.sign(power) * (more or _step(world, state, then, objective, power))
    return total


def _now(sight: Sight, objective: Objective, power: PowerId) -> int:
    """The bonus as things are: asked for every land that has to do with it."""
    key = (objective.id, power)
    if key not in sight.paid:
        sight.paid[key] = worth(sight.world, sight.state, objective, power)
    return sight.paid[key]


def _step(world: World, state: State, then: State, objective: Objective, power: PowerId) -> float:
    """A part of the bonus for what brings it nearer, where nothing but land is missing."""
    before, after = (_lacking(world, now, objective, power) for now in (state, then))
    if before is None or after is None or before == after:
        return 0.0
    sooner, steps = before > after, min(before, after)
    return (STEP if sooner else -STEP) * objective.bonus / (steps + 1) ** 2


def _lacking(world: World, state: State, objective: Objective, power: PowerId) -> int | None:
    """How many lands are missing for the bonus; None if something else is."""
    parts = objective.when.of if isinstance(objective.when, c.All) else (objective.when,)
    total = 0
    for part in parts:
        if isinstance(part, c.Controls):
            need = len(part.places.spaces) if part.at_least is None else part.at_least
            total += max(0, need - counted(world, state, part, power))
        elif not holds(world, state, part, power):
            return None
    return total


def _taken(world: World, state: State, space: SpaceId, taker: PowerId) -> State:
    """The land in new hands, with a man of theirs and all facilities in it."""
    foot = next(u.id for u in world.units.values() if u.captures)
    stack = {Piece(taker, foot): 1}
    for piece, n in state.at(space).items():
        if world.units[piece.type].captured:
            stack[msgspec.structs.replace(piece, power=taker)] = n
    facts = {c.fact(what, taker, space) for what in ("captured", "attacked")} & world.watched
    return msgspec.structs.replace(
        state,
        owners={**state.owners, space: taker},
        units={**state.units, space: stack},
        history=tuple(sorted({*state.history, *facts})),
    )


def standing_bonuses(sight: Sight) -> float:
    """The balance of all bonuses as things are, a round."""
    world = sight.world
    if not world.rules.objectives:
        return 0.0
    total = 0.0
    for power in world.order:
        sign = sight.sign(power)
        if sign:
            total += sign * sum(_now(sight, o, power) for o in objectives_of(world, power))
    return total


def theatre_cities(sight: Sight) -> tuple[SpaceId, ...]:
    """Cities that win a theatre of the war by name: whoever wants them, and whoever must not lose them, goes there."""
    world = sight.world
    return tuple(
        city
        for city, victories in _theatres(world_key(world)).items()
        if any(open_to(sight.state, victory) for victory, _ in victories)
    )


def theatre(sight: Sight, space: SpaceId) -> float | None:
    """What a city is worth that counts in some theatre of the war; None if none of them counts it."""
    if space not in sight.theatres:
        sight.theatres[space] = _theatre(sight, space)
    return sight.theatres[space]


def _theatre(sight: Sight, space: SpaceId) -> float | None:
    world, state = sight.world, sight.state
    known = _theatres(world_key(world)).get(space)
    if not known:
        return None
    best = 0.1
    for victory, part in known:
        if open_to(state, victory):
            missing = max(1, part.at_least - counted(world, state, part, victory.winner))
            best = max(best, LAST_CITY / (missing + 1) ** 2)
    return best
