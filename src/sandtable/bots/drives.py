"""Armor that has walked into empty land and can go on: to the next empty land, or back behind its own lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from sandtable.bots.battles import army, price
from sandtable.bots.front import future, prize
from sandtable.bots.plan import Step
from sandtable.bots.risk import merged, risk, without
from sandtable.bots.scratch import Scratch
from sandtable.engine.facts import amounts
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import SpaceId

if TYPE_CHECKING:
    from sandtable.bots.attack import Attack, Strike
    from sandtable.bots.survey import Group

WORTH_IT = 0.5  # I.P.C. that going on has to promise more than staying


def drive_on(attack: Attack, scratch: Scratch, strikes: dict[SpaceId, Strike]) -> Iterator[Step]:
    """Send armor on from where it has met nobody, and note what it takes besides."""
    for strike in list(strikes.values()):
        if attack.world.spaces[strike.target].is_sea or attack.sight.theirs(strike.target):
            continue
        for group, n in strike.chosen:
            if group.passage is None and len(group.route) == 2 and attack.units[group.units[0][0]].blitz:
                step = _best_way(attack, scratch, strikes, strike, group, n)
                if step is not None:
                    yield step


def _best_way(
    attack: Attack, scratch: Scratch, strikes: dict[SpaceId, Strike], strike: Strike, group: Group, n: int
) -> Step | None:
    sight, world, here = attack.sight, attack.world, strike.target
    unit = group.units[0][0]
    moving = army(sight.power, {unit: n})
    cost = n * price(world, sight.power, unit)
    ahead = future(sight, attack.style)
    standing = army(sight.power, strike.force())
    left = without(standing, sight.power, unit, n)
    held, _ = attack.hold(here, standing)
    open_, _ = attack.hold(here, left)
    best = prize(sight, here, held, ahead) - (1.0 - held) * cost + WORTH_IT
    chosen: tuple[SpaceId, float | None] | None = None
    for end, route in sorted(scratch.legal.destinations(here, unit).items()):
        if len(route) != 2 or end in strikes or end in attack.mind.barred or sight.theirs(end):
            continue
        value = prize(sight, here, open_, ahead)
        kept: float | None = None
        if sight.is_theirs(end):
            kept, _ = attack.hold(end, moving)
            value += prize(sight, end, kept, ahead) - (1.0 - kept) * cost
        elif sight.is_ours(end):
            value -= risk(sight, end, merged(_staying(attack, end), moving)).chance * cost
        else:
            continue
        if value > best:
            best, chosen = value, (end, kept)
    if chosen is None or not scratch.play(order := Move((UnitSpec(unit, n),), (here, chosen[0]))):
        return None
    end, kept = chosen
    strikes[here] = msgspec.structs.replace(strike, hold=open_)
    what = amounts(world, [(unit, n)])
    if kept is None:
        return Step(f"Drive back to {world.spaces[end].name} with {what}", (order,), end)
    gain, look, _ = attack.judge(end, {unit: n}, (), True)
    strikes[end] = type(strike)(end, ((group, n),), look, gain, kept)
    return Step(f"Drive on into {world.spaces[end].name} (worth {world.spaces[end].ipc}) with {what}", (order,), end)


def _staying(attack: Attack, space: SpaceId) -> tuple[tuple[str, str, int], ...]:
    """Who of our side is there when all attacks have gone out."""
    there = attack.sight.ours(space)
    for (place, unit), n in attack.survey.free.items():
        if place == space:
            there = without(there, attack.sight.power, unit, n - attack.free[place, unit])
    return there
