"""An assault in waves: partners who move before a capital's owner does attack what the wave before has left of it.

A garrison that nobody could beat alone falls to all of them, one after the other. Whoever goes first loses an army by
it, so this is for a side that is far ahead, and only where the last of them is as good as sure to march in.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.bots.battles import Army, Outlook, flak
from sandtable.bots.glance import weigh
from sandtable.bots.risk import worn
from sandtable.bots.sight import Sight, in_turn
from sandtable.world.model import PowerId, SpaceId, UnitId

SURE = 0.85  # chance to take it in the end, from which on it is begun
HALF_WAY = 0.5  # the same for a battle that has begun
MORE = 0.1  # by which one's own wave has to raise that chance


def is_for_all(sight: Sight, target: SpaceId) -> bool:
    """An enemy capital that a side far ahead may take in waves."""
    return sight.rate > 1.0 and bool(sight.allies) and sight.world.spaces[target].capital_of is not None


def together(sight: Sight, target: SpaceId, look: Outlook, least: float = SURE) -> tuple[float, float]:
    """The chance that our side takes the capital before its owner moves: after a battle that goes like this, and
    without it. Both are 0 where it is not to be begun."""
    if not is_for_all(sight, target):
        return 0.0, 0.0
    force = sight.theirs(target)
    with_us = 1.0 - (1.0 - look.take) * (1.0 - _finished(sight, target, worn(sight, force, look.defender_loss)))
    if with_us < least:
        return 0.0, 0.0
    without = _finished(sight, target, force)
    return (with_us, without) if with_us > without + MORE else (0.0, 0.0)


def _finished(sight: Sight, target: SpaceId, left: Army) -> float:
    """The chance that partners take the place from this garrison."""
    world, state = sight.world, sight.state
    guns = sight.guns(target, False)
    fails = 1.0
    for partner, wave in _waves(sight, target):
        look = weigh(world, state, wave, left, gun=flak(world, state, partner, guns))
        fails *= 1.0 - look.take
        left = worn(sight, left, look.defender_loss)
    return 1.0 - fails


def _waves(sight: Sight, target: SpaceId) -> Iterator[tuple[PowerId, Army]]:
    """What each partner could throw at it, in turn, before an enemy who still has a home can do anything about it."""
    for power in in_turn(sight.world, sight.power):
        capital = sight.world.powers[power].capital
        if power in sight.enemies and (capital is None or sight.state.owners.get(capital) == power):
            return
        if power in sight.allies:
            wave = _wave(sight, power, target)
            if wave:
                yield power, wave


def _wave(sight: Sight, partner: PowerId, target: SpaceId) -> Army:
    """Everything that the partner could send: by ship as many troops as there are at the coast, most to a ship."""
    total: dict[UnitId, int] = {}
    ships = 0
    rooms = _rooms(sight, partner)
    for reach in sight.threats(partner).get(target, ()):
        if reach.by_sea and rooms.get(reach.unit):
            ships += -(-reach.count // rooms[reach.unit])
        else:
            total[reach.unit] = total.get(reach.unit, 0) + reach.count
    for unit in sorted(rooms, key=lambda u: (-rooms[u], u)):
        boarding = min(ships * rooms[unit], _at_the_coast(sight, partner, unit))
        ships -= -(-boarding // rooms[unit])
        total[unit] = total.get(unit, 0) + boarding
    return tuple((partner, unit, n) for unit, n in sorted(total.items()) if n)


def _rooms(sight: Sight, power: PowerId) -> dict[UnitId, int]:
    """How many of each kind that can hold land go aboard one ship."""
    found: dict[UnitId, int] = {}
    kinds = sight.profile(power)
    for load in (load for kind in kinds.values() for load in kind.loads):
        for unit, n in load.items():
            if kinds[unit].attacks and kinds[unit].captures:
                found[unit] = max(found.get(unit, 0), n)
    return found


def _at_the_coast(sight: Sight, power: PowerId, unit: UnitId) -> int:
    """Such units of the power aboard its ships, or on land with a coast."""
    number = 0
    for space, piece, n in sight.armies(power):
        number += n * sum(c.type == unit for c in piece.cargo)
        if piece.type == unit and sight.world.sea[space]:
            number += n
    return number
