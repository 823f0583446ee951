"""Strategic raids with bombers that have nothing better to do, where the damage is worth the danger."""

from __future__ import annotations

import msgspec

from sandtable.bots.battles import RUNS
from sandtable.bots.plan import Step
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.engine.facts import amounts
from sandtable.engine.movement.reach import movable
from sandtable.engine.state import Piece, add
from sandtable.notation.orders import Move, UnitSpec
from sandtable.odds import raid_odds_of
from sandtable.world.model import SpaceId, UnitId

WORTH_IT = 0.8  # I.P.C. that a raid has to promise for each bomber


def plan_raids(scratch: Scratch, sight: Sight) -> list[Step]:
    """Raids of bombers that stay at home in the plan so far, tried out on the scratch paper."""
    if "raid" not in sight.world.battles:
        return []
    steps = []
    for space, unit in movable(sight.world, scratch.state):
        if not sight.kind(sight.power, unit).raid_dice:
            continue
        n = sum(
            k
            for p, k in scratch.state.at(space).items()
            if p.power == sight.power and p.type == unit and not p.used and not p.done and not p.origin
        )
        ways = scratch.legal.destinations(space, unit, "raid") if n else {}
        promises = {target: _promise(sight, unit, n, target) for target in ways}
        best = max(promises, key=lambda t: (promises[t], t), default=None)
        if best is None or promises[best] < WORTH_IT * n:
            continue
        order = Move((UnitSpec(unit, n),), ways[best], "raid")
        if scratch.play(order):
            words = amounts(sight.world, [(unit, n)])
            reason = f"Bomb the factories of {sight.world.spaces[best].name} with {words}"
            steps.append(Step(reason, (order,), best, promises[best]))
    return steps


def _promise(sight: Sight, unit: UnitId, n: int, target: SpaceId) -> float:
    """Damage less bombers lost, on average: the raid as it would be flown."""
    raid = add(sight.state.at(target), ((Piece(sight.power, unit, mark="raid"), n),))
    state = msgspec.structs.replace(sight.state, units={**sight.state.units, target: raid})
    return raid_odds_of(sight.world, state, target, runs=RUNS, seconds=None).swing
