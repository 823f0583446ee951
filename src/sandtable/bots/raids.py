"""Strategic raids with bombers that have nothing better to do, where the damage is worth the danger."""

from __future__ import annotations

from sandtable.bots.plan import Step
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.engine.facts import NOTHING, amounts
from sandtable.engine.movement.reach import movable
from sandtable.errors import SandtableError
from sandtable.notation.orders import Move, UnitSpec
from sandtable.odds import raid_odds
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
    """Damage less bombers lost, on average."""
    world, state = sight.world, sight.state
    owner = state.owners.get(target)
    if owner is None:
        return 0.0
    if world.rules.raid_damage == "money":
        most = state.treasury[owner]
    else:
        most = 2 * world.spaces[target].ipc - sum(state.damage.get(target, {}).values())
    try:
        odds = raid_odds(
            world,
            {unit: n},
            power=sight.power,
            techs=state.techs.get(sight.power, NOTHING),
            aa_guns=int(sight.enemy_gun(target)),
            money=max(most, 0),
        )
    except SandtableError:  # raids of an edition that the calculator does not know
        return 0.0
    return odds.swing
