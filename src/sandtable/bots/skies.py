"""Planes that meet before a battle, where air combat is read from a chart: who is shot down, and who turns back.

Judged by averages: each side names its cheapest planes when it loses some, and its weakest when some turn back.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import msgspec

from sandtable.bots.battles import CACHES, Army, Outlook, price, world_key, world_of
from sandtable.bots.sight import Sight
from sandtable.engine import pilots
from sandtable.engine.battle.overhead import SCRAMBLE, base_at
from sandtable.engine.battle.steps.air_combat import read
from sandtable.engine.state import ABSENT, State
from sandtable.world.model import PowerId, SpaceId, World

DICE = 2
FACTOR = "air_factor"


class Meeting(msgspec.Struct, frozen=True):
    """What an air combat leaves for the battle below it, and what it costs both sides in I.P.C."""

    ours: Army
    theirs: Army
    our_loss: float
    their_loss: float

    def told(self, look: Outlook) -> Outlook:
        """The battle's prospects with the losses in the air."""
        return msgspec.structs.replace(
            look,
            attacker_loss=look.attacker_loss + self.our_loss,
            defender_loss=look.defender_loss + self.their_loss,
        )


def meet(world: World, state: State, ours: Army, theirs: Army) -> Meeting | None:
    """The planes of both forces against each other; None where none meet."""
    if not world.rules.air_chart:
        return None
    flights = [_planes(world, force) for force in (ours, theirs)]
    if not all(flights):
        return None
    results = [_average(world_key(world), *_strength(world, state, flight)) for flight in flights]
    left, loss = [], []
    for force, flight, (killed, turned) in zip((ours, theirs), flights, reversed(results), strict=True):
        rest, lost = _without(world, force, flight, killed, turned)
        left.append(rest)
        loss.append(lost)
    return Meeting(left[0], left[1], loss[0], loss[1])


def _planes(world: World, force: Army) -> Army:
    return tuple((p, u, n) for p, u, n in force if world.units[u].domain == "air")


def _strength(world: World, state: State, planes: Army) -> tuple[int, int]:
    """Their air factors, and what their pilots add."""
    factors: dict[PowerId, int] = {}
    for power, unit, n in planes:
        factors[power] = factors.get(power, 0) + n * world.units[unit].traits.get(FACTOR, 0)
    return sum(factors.values()), pilots.flight_modifier(world, state, factors)


@lru_cache(maxsize=4096)
def _average(key: int, factor: int, added: int) -> tuple[float, float]:
    """Enemy planes shot down and turned back on average."""
    world = world_of(key)
    faces = range(1, world.rules.dice_sides + 1)
    results = [read(world, factor, sum(roll) + added) for roll in product(faces, repeat=DICE)]
    return sum(k for k, _ in results) / len(results), sum(t for _, t in results) / len(results)


CACHES += [_average]


def average(world: World, factor: int, added: int) -> tuple[float, float]:
    """The same for this world."""
    return _average(world_key(world), factor, added)


def _without(world: World, force: Army, planes: Army, killed: float, turned: float) -> tuple[Army, float]:
    """The force without planes that were shot down or turned back, in whole planes, and the price of the former."""
    number = sum(n for _, _, n in planes)
    killed = min(killed, float(number))
    gone = min(number, round(killed + turned))
    left = {(p, u): n for p, u, n in force}
    lost, shot = 0.0, killed
    for power, unit, n in sorted(planes, key=lambda plane: (price(world, plane[0], plane[1]), plane)):
        some = min(float(n), shot)
        lost += some * price(world, power, unit)
        shot -= some
        away = min(n, gone)
        gone -= away
        left[power, unit] -= away
    return tuple((p, u, n) for (p, u), n in left.items() if n > 0), lost


def risers(sight: Sight, zone: SpaceId) -> Army:
    """Enemy planes that could scramble into a zone: as many as the bases on its shores send up, the best in a fight."""
    world, state = sight.world, sight.state
    if not world.rules.sorties or not world.spaces[zone].is_sea:
        return ()
    found: dict[tuple[PowerId, str], int] = {}
    for land in world.land[zone]:
        owner = state.owners.get(land)
        room = base_at(world, state, owner, land) if owner in sight.foes else 0
        able = [
            (sight.type_of(piece).attack, piece.power, piece.type, n)
            for piece, n in state.at(land).items()
            if room and piece.power in sight.foes and piece.mark not in ABSENT
            and sight.type_of(piece).traits.get(SCRAMBLE) is True
        ]  # fmt: skip
        for _, power, unit, n in sorted(able, reverse=True):
            some = min(n, room)
            room -= some
            if some:
                found[power, unit] = found.get((power, unit), 0) + some
    return tuple((p, u, n) for (p, u), n in sorted(found.items()))
