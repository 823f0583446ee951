"""Facilities worth building: bases that pay by a bonus for each, where nobody can take them soon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sandtable.bots.risk import risk
from sandtable.bots.sight import Sight
from sandtable.engine.facilities import check_site
from sandtable.engine.objectives import objectives_of, worth
from sandtable.engine.special import building
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import Objective, SpaceId, UnitId, UnitType

LAST_ROUND = 12  # up to which what is built or developed is expected to pay
INTEREST = 1.4  # times its price that it has to bring until then
SAFE = 0.1  # chance of losing the place that is put up with
COMER = 2  # I.P.C. by which a place is worse for each enemy who could come for it


def paying_site(sight: Sight, unit: UnitType) -> SpaceId | None:
    """Where one more such facility would bring most more than it costs; None: nowhere."""
    found = list(_sites(sight, unit))
    return max(found)[1] if found else None


def _sites(sight: Sight, unit: UnitType) -> Iterator[tuple[float, SpaceId]]:
    world, state = sight.world, sight.state
    rules = unit.facility
    rounds = LAST_ROUND - state.round - (rules.build_turns if rules is not None else 0)
    if unit.cost is None or rounds <= 0 or not world.rules.objectives:
        return
    waiting = {s for s, chips in state.building.items() if unit.id in chips}
    paying = [(o, worth(world, state, o, sight.power)) for o in objectives_of(world, sight.power) if o.per is not None]
    if not paying:
        return
    for space, owner in state.owners.items():
        if owner != sight.power or space in waiting or not world.spaces[space].is_land:
            continue
        bonus = _bonus(sight, space, unit.id, paying)
        if bonus * rounds < INTEREST * unit.cost or risk(sight, space, sight.ours(space)).chance > SAFE:
            continue
        if not can_stand(sight, unit.id, space):
            continue
        comers = sum(1 for enemy in sight.enemies if sight.threat(space, enemy))
        yield bonus * rounds - COMER * comers, space


def can_stand(sight: Sight, unit: UnitId, space: SpaceId) -> bool:
    """The power may build such a facility there."""
    try:
        check_site(sight.world, sight.state, sight.power, unit, space)
        building.check(sight.world, sight.power, unit, space)
    except Refusal:
        return False
    return True


def _bonus(sight: Sight, space: SpaceId, unit: UnitId, paying: Sequence[tuple[Objective, int]]) -> int:
    """What such a facility there would bring its owner each round beyond what these objectives pay already."""
    world, state, power = sight.world, sight.state, sight.power
    stack = {**state.at(space), Piece(power, unit): 1}
    then: State = msgspec.structs.replace(state, units={**state.units, space: stack})
    return sum(worth(world, then, objective, power) - now for objective, now in paying)
