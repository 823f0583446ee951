"""Walls and better complexes, where they are worth more than what else the money would buy."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandtable.bots.atlas import FAR
from sandtable.bots.bases import LAST_ROUND, can_stand
from sandtable.bots.battles import Army
from sandtable.bots.risk import merged, risk
from sandtable.bots.sight import Sight
from sandtable.engine.complexes import output, working_complexes
from sandtable.engine.damage import complex_in
from sandtable.engine.facilities import check_upgrade
from sandtable.errors import Refusal
from sandtable.world.model import SpaceId, UnitId, UnitType

SAVES = 1.5  # times its price that a wall has to save from the attack that is feared: it has to be finished first
LATE = 0.6  # chance of losing the land from which on no wall would be finished in time
PLACE_COSTS = 5  # I.P.C. that go into each new unit, about
PLACE = 1.5  # I.P.C. that one more place for new units is worth in a round in which money fills it
SAFE = 0.15  # chance of losing a complex that is put up with when it is made better


def paying_wall(sight: Sight, unit: UnitType, foot: UnitType, future: float) -> SpaceId | None:
    """The land where such a fortification would save most, and more than infantry for the same money; None: nowhere."""
    found = list(_walls(sight, unit, foot, future))
    return max(found)[1] if found else None


def _walls(sight: Sight, unit: UnitType, foot: UnitType, future: float) -> Iterator[tuple[float, SpaceId]]:
    state, power = sight.state, sight.power
    turns = unit.facility.build_turns if unit.facility is not None else 0
    if not unit.cost or not foot.cost or state.round + turns >= LAST_ROUND:
        return
    complexes = working_complexes(sight.world, state, power)
    for space, owner in state.owners.items():
        if owner != power or not sight.ours(space) or unit.id in state.building.get(space, ()):
            continue
        room = (output(sight.world, state, power, space) or 0) if space in complexes else 0
        usual = _with(sight, space, foot.id, min(room, state.treasury[power] // foot.cost))
        before = risk(sight, space, usual, future=future)
        if before.cost <= SAVES * unit.cost or before.chance > LATE or not can_stand(sight, unit.id, space):
            continue
        after = risk(sight, space, merged(usual, ((power, unit.id, 1),)), future=future)
        saved = before.cost - after.cost
        if saved > SAVES * unit.cost:
            yield saved, space


def _with(sight: Sight, space: SpaceId, unit: UnitId, n: int) -> Army:
    return merged(sight.ours(space), ((sight.power, unit, n),))


def best_wall(sight: Sight, unit: UnitId, places: Collection[SpaceId], future: float) -> SpaceId:
    """Where a wall that has been bought saves most."""

    def saved(space: SpaceId) -> float:
        now = risk(sight, space, sight.ours(space), future=future)
        return now.cost - risk(sight, space, _with(sight, space, unit, 1), future=future).cost

    return max(places, key=lambda s: (saved(s), s))


def better_complex(sight: Sight, money: int) -> tuple[SpaceId, int] | None:
    """The complex nearest to the front that is worth making better, with the price; None: there is room enough."""
    world, state, power = sight.world, sight.state, sight.power
    rounds = LAST_ROUND - state.round - 1
    complexes = working_complexes(world, state, power)
    room = sum(output(world, state, power, s) or 0 for s in complexes)
    wanted = sight.production(power) // PLACE_COSTS - room
    industry = world.powers[power].special.industry
    given = industry.places if industry is not None else ()  # what is made better for nothing
    found = []
    for space in complexes:
        if space in given or (better := _better(sight, space)) is None:
            continue
        assert better.facility is not None
        cost = better.facility.upgrade_cost
        more = min(wanted, better.facility.output - (output(world, state, power, space) or 0))
        if cost <= money and PLACE * more * rounds > cost and risk(sight, space, sight.ours(space)).chance < SAFE:
            found.append((sight.time.get(space, FAR), space, cost))
    return min(found)[1:] if found else None


def _better(sight: Sight, space: SpaceId) -> UnitType | None:
    if complex_in(sight.world, sight.state, space) not in sight.world.upgrades:
        return None
    try:
        return sight.own(check_upgrade(sight.world, sight.state, sight.power, space))
    except Refusal:
        return None
