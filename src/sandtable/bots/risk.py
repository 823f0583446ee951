"""What the enemy could do to us: the cost of leaving a garrison as it is."""

from __future__ import annotations

import msgspec

from sandtable.bots.battles import Army, Outlook, flak, price, worth
from sandtable.bots.front import own_value
from sandtable.bots.glance import foresee, weigh
from sandtable.bots.sight import Sight, in_turn
from sandtable.world.model import PowerId, SpaceId


class Risk(msgspec.Struct, frozen=True):
    """The worst that one enemy can do to a space on its next turn."""

    chance: float  # that it is taken (land) or cleared (sea)
    cost: float  # I.P.C. that we lose more than the enemy, on average; never below 0
    enemy: PowerId | None = None
    force: Army = ()


NONE = Risk(0.0, 0.0)
LIKELY = 0.7  # chance from which on an attack becomes a temptation
WORN = 0.2  # of a garrison's price that an attack has to cost it to be made for the sake of the next
GATE = 0.2  # of the price of an army that comes to stand beside a capital, what that costs us beyond the land
MOST_AT_GATE = 30.0  # I.P.C.
HOPELESS, CERTAIN = 0.002, 0.97  # chances at a glance outside of which exact odds would tell nothing new


def feared(danger: Risk, caution: float, doom: float) -> float:
    """What of a danger counts: more the surer the enemy is to win, for then it is likelier to come."""
    sure = max(0.0, (danger.chance - LIKELY) / (1.0 - LIKELY))
    return danger.cost * (caution + doom * sure)


def merged(*parts: Army) -> Army:
    total: dict[tuple[str, str], int] = {}
    for part in parts:
        for power, unit, n in part:
            total[power, unit] = total.get((power, unit), 0) + n
    return tuple((p, u, n) for (p, u), n in sorted(total.items()) if n > 0)


def without(force: Army, power: PowerId, unit: str, number: int) -> Army:
    return tuple(
        (p, u, n - number if (p, u) == (power, unit) else n)
        for p, u, n in force
        if n - number * ((p, u) == (power, unit)) > 0
    )


def risk(sight: Sight, space: SpaceId, garrison: Army, *, future: float = 3.0, exact: bool = False) -> Risk:
    """What it may cost to stand in this space with this garrison until our next turn."""
    world = sight.world
    land = world.spaces[space].is_land
    stake = own_value(sight, space, future) if land else float(sight.cargo(space, True))
    worst = NONE
    guns = sight.guns(space, True) if land else ()
    for enemy in sight.enemies:
        force = sight.threat(space, enemy)
        if not force:
            continue
        look = _look(sight, enemy, force, garrison, land, guns, exact)
        chance = look.take if land else look.win
        gain = chance * (stake + at_the_gate(sight, space, force, look)) + look.defender_loss
        gain -= sight.rate * look.attacker_loss
        if chance > worst.chance or gain > worst.cost:
            tempted = max(gain, 0.0) if look.win > 0.25 else max(gain, 0.0) * look.win
            worst = Risk(max(chance, worst.chance), max(tempted, worst.cost), enemy, force)
    return worst


def at_the_gate(sight: Sight, space: SpaceId, force: Army, look: Outlook) -> float:
    """What it costs to have the rest of this army beside a capital of our side, whose turn would be next."""
    if space not in sight.gates:
        return 0.0
    troops = sum(price(sight.world, p, u) * n for p, u, n in force if sight.kind(p, u).captures)
    return min(MOST_AT_GATE, GATE * max(0.0, troops - look.attacker_loss))


def capital_danger(sight: Sight, garrison: Army, joint: float) -> float:
    """The chance that the capital falls: to the worst attack, or (`joint` of it) to all enemies one after the other.

    Whoever attacks first wears the garrison down for the next: partners who take turns before ours do just that.
    """
    capital = sight.capital
    assert capital is not None
    single = risk(sight, capital, garrison, exact=True).chance
    if not joint or single > CERTAIN:
        return single
    guns = sight.guns(capital, True)
    holds, left = 1.0, garrison
    for enemy in in_turn(sight.world, sight.power):
        force = sight.threat(capital, enemy) if enemy in sight.enemies else ()
        if not force:
            continue
        look = _look(sight, enemy, force, left, True, guns, False)
        if look.defender_loss < WORN * worth(sight.world, left) and look.take < WORN:
            continue  # nobody would throw an army away for so little
        holds *= 1.0 - look.take
        left = worn(sight, left, look.defender_loss)
        if not left:
            return max(single, joint)
    return max(single, joint * (1.0 - holds))


def worn(sight: Sight, garrison: Army, loss: float) -> Army:
    """What is left of a garrison that has lost so much, the cheapest first."""
    found: list[tuple[PowerId, str, int]] = []
    for power, unit, n in sorted(garrison, key=lambda item: (price(sight.world, item[0], item[1]), item)):
        cost = price(sight.world, power, unit)
        gone = min(n, round(loss / cost)) if cost else 0
        loss -= gone * cost
        if n > gone:
            found.append((power, unit, n - gone))
    return tuple(sorted(found))


def _look(sight: Sight, enemy: PowerId, force: Army, garrison: Army, land: bool, guns: Army, exact: bool) -> Outlook:
    glance = weigh(sight.world, sight.state, force, garrison, gun=flak(sight.world, sight.state, enemy, guns))
    if exact and HOPELESS < glance.win < CERTAIN:
        return foresee(sight.world, sight.state, force, garrison, kind="land" if land else "sea", guns=guns)
    return glance


def arriving(sight: Sight, space: SpaceId) -> Army:
    """Units bought this turn that will stand in the capital before the enemy moves."""
    if space != sight.capital:
        return ()
    return tuple(
        (sight.power, u, n)
        for u, n in sorted(sight.state.pool.items())
        if sight.own(u).domain in ("land", "air") and sight.own(u).casualty
    )
