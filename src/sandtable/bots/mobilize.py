"""Where new units appear: in a threatened capital first, else at the complex nearest to the front."""

from __future__ import annotations

from sandtable.bots.atlas import FAR
from sandtable.bots.battles import Army
from sandtable.bots.plan import Step
from sandtable.bots.risk import merged, risk
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.facts import active
from sandtable.notation.orders import Place, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId


def plan_places(scratch: Scratch, power: PowerId, style: Style, before: Sight | None = None) -> list[Step]:
    """One unit after the other, each where it is worth most; then those of powers that this one plays."""
    steps = _places_of(scratch, power, style, before)
    for ward in scratch.world.powers.values():
        if ward.played_by == power:
            steps += _places_of(scratch, ward.id, style, None)
    return steps


def _places_of(scratch: Scratch, power: PowerId, style: Style, before: Sight | None) -> list[Step]:
    world = scratch.world
    new = scratch.state.reserve(world, power)
    if not new:
        return []
    named = None if power == active(world, scratch.state) else power
    sight = (
        before.after(scratch.state) if before is not None else Sight(world, scratch.state, power)
    )  # new units change nothing about what enemies can reach
    garrisons: dict[SpaceId, Army] = {}
    placed: dict[tuple[UnitId, SpaceId], int] = {}
    for unit in sorted(new, key=lambda u: (world.units[u].domain == "sea", list(world.units).index(u))):
        for _ in range(new[unit]):
            places = scratch.legal.places(unit, power)
            if not places:
                break
            for space in places:
                garrisons.setdefault(space, sight.ours(space))
            best = max(places, key=lambda s: (_worth(sight, unit, s, garrisons[s], style), s))
            if not scratch.play(Place((UnitSpec(unit, power=named),), best)):
                break
            if world.units[unit].casualty:
                garrisons[best] = merged(garrisons[best], ((power, unit, 1),))
            placed[unit, best] = placed.get((unit, best), 0) + 1
    return [
        Step(
            f"{n} {world.units[u].name if n == 1 else world.units[u].plural} in {world.spaces[s].name}",
            (Place((UnitSpec(u, n, named),), s),),
            s,
        )
        for (u, s), n in placed.items()
    ]


def _worth(sight: Sight, unit: UnitId, space: SpaceId, there: Army, style: Style) -> float:
    world = sight.world
    kind = world.units[unit]
    if kind.factory:
        return world.spaces[space].ipc * 2 - sight.time.get(space, FAR) - 20 * risk(sight, space, there).chance
    if not kind.casualty:
        return 10.0 * (not sight.own_gun(space)) + world.spaces[space].ipc
    new = merged(there, ((sight.power, unit, 1),))
    before, after = risk(sight, space, there, future=style.future), risk(sight, space, new, future=style.future)
    value = before.cost - after.cost
    if kind.domain == "sea":
        waiting = sum(n for s in world.land[space] for u, n in sight.mine(s).items() if world.units[u].captures)
        return value + 0.3 * min(waiting, 8) - 6 * after.chance
    if space == sight.capital and style.guards_capital and before.chance > style.capital_risk:
        value += 60 * before.chance
    elif after.chance > 0.6 and before.cost <= after.cost:
        value -= 3.0
    return value - 0.5 * min(sight.time.get(space, FAR), 20.0)
