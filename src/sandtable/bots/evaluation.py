"""What a position is worth to a side when its turn is over and the enemy is about to move."""

from __future__ import annotations

from collections.abc import Collection

from sandtable.bots.atlas import FAR
from sandtable.bots.battles import Army, army, flak, price
from sandtable.bots.front import future, own_value
from sandtable.bots.glance import weigh
from sandtable.bots.risk import at_the_gate, risk
from sandtable.bots.sight import Reach, Sight, in_turn
from sandtable.bots.stakes import standing_bonuses
from sandtable.bots.style import Style
from sandtable.engine.relations import at_war
from sandtable.engine.state import with_cargo
from sandtable.world.model import PowerId, SpaceId, UnitId, UnitType

# Fitted to 3,000 positions of games between bots: what each figure told about the balance one and two rounds later, in
# I.P.C. of land units. The fears and the capital were raised by half since: bots leave more alone than strangers do.
WORTH = {"land": 1.0, "air": 0.8, "sea": 0.75}  # of a unit's price
FERRY, FACILITY = 0.9, 0.3
MONEY = 1.0
NEARNESS = 0.1  # I.P.C. that a land unit gains by each turn nearer to an enemy capital
HOPE = 0.25  # of what our own next attacks would win if the enemy did nothing about it
ALLIES_HOPE = 0.6  # ... and our allies', who move sooner
FEAR_NEXT, FEAR = 0.6, 0.35  # of what the replies of the enemy who moves next, and of the others, would win
CAPITAL = 225.0  # I.P.C. that a capital in danger is worth, times the chance of losing it
RETAKEN = 0.5  # land that the enemy takes is often taken back: the part of its future income that counts as lost


def evaluate(sight: Sight, style: Style) -> float:
    """The standing, less what the enemy's best replies would cost, and what we could do next."""
    return (
        standing(sight, style)
        - replies(sight, style)
        + HOPE * chances(sight, sight.power, style)
        + ALLIES_HOPE * sum(chances(sight, ally, style) for ally in sight.allies)
    )


def peril(sight: Sight, style: Style) -> float:
    """What it costs to leave the own capital in more danger than is put up with, by exact odds."""
    capital = sight.capital
    if capital is None or not sight.is_mine(capital):
        return 0.0
    chance = risk(sight, capital, sight.ours(capital), exact=True).chance
    return CAPITAL * max(0.0, chance - style.capital_risk)


def standing(sight: Sight, style: Style) -> float:
    """Units, income and capitals of both sides, and how near the power's army is to an enemy capital."""
    world, state = sight.world, sight.state
    total = 0.0
    rounds = future(sight, style)
    for space, stack in state.units.items():
        for piece, n in with_cargo(stack):
            sign = sight.sign(piece.power)
            kind = sight.type_of(piece)
            rate = sight.rate if sign < 0 else 1.0
            total += sign * rate * n * price(world, piece.power, piece.type) * _share(kind)
            if piece.power == sight.power and kind.captures and world.spaces[space].is_land:
                total -= NEARNESS * n * min(sight.time.get(space, FAR), 12.0)
    for space, owner in state.owners.items():
        ipc = world.spaces[space].ipc
        sign = sight.sign(owner)
        total += sign * ipc * rounds
        capital_of = world.spaces[space].capital_of
        if capital_of is not None and at_war(world, state, owner, capital_of):
            total += 60.0 * sign
    total += standing_bonuses(sight) * rounds
    total += sum(sight.sign(p) * money for p, money in state.treasury.items()) * MONEY
    return total


def _share(kind: UnitType) -> float:
    if not kind.casualty:
        return FACILITY
    return FERRY if kind.loads else WORTH[kind.domain]


def chances(sight: Sight, power: PowerId, style: Style) -> float:
    """What the attacks of a power of our side could win on its next turn if the enemy stayed as it is."""
    if not sight.enemies:
        return 0.0
    theirs = Sight(sight.world, sight.state, sight.enemies[0], sight)
    return replies_of(theirs, power, style, hoping=True)


def replies(sight: Sight, style: Style) -> float:
    """What the enemies' attacks would cost when each of their units can be used once, the dearest attack first."""
    following = [p for p in in_turn(sight.world, sight.power) if p in sight.enemies]
    return sum((FEAR_NEXT if i == 0 else FEAR) * replies_of(sight, enemy, style) for i, enemy in enumerate(following))


def replies_of(
    sight: Sight, enemy: PowerId, style: Style, hoping: bool = False, only: Collection[SpaceId] | None = None
) -> float:
    """What this enemy's attacks would cost us, on these spaces only if any are given."""
    wishes = []
    for space, reaches in sight.threats(enemy).items():
        if only is not None and space not in only:
            continue
        garrison = sight.ours(space)
        if not (sight.is_ours(space) if sight.world.spaces[space].is_land else garrison):
            continue
        loss = _loss(sight, space, garrison, _force(enemy, reaches, {}), style, hoping)
        if loss > 0.3:
            wishes.append((loss, space, garrison, reaches))
    wishes.sort(key=lambda w: (-w[0], w[1]))
    used: dict[tuple[SpaceId, UnitId], int] = {}
    units = sight.profile(enemy)
    total = 0.0
    for loss, space, garrison, reaches in wishes:
        if any((r.start, r.unit) in used for r in reaches):
            loss = _loss(sight, space, garrison, _force(enemy, reaches, used), style, hoping)
        if loss <= 0.3:
            continue
        total += loss
        need = 2.0 * sum(n for _, _, n in garrison) + 1  # no more than is wanted for this attack
        for reach in sorted(reaches, key=lambda r: (units[r.unit].domain == "air", r.start, r.unit)):
            free = reach.count - used.get((reach.start, reach.unit), 0)
            some = min(free, round(need))
            if some > 0:
                used[reach.start, reach.unit] = used.get((reach.start, reach.unit), 0) + some
                need -= some
    return total


def _force(enemy: PowerId, reaches: list[Reach], used: dict[tuple[SpaceId, UnitId], int]) -> Army:
    units: dict[UnitId, int] = {}
    for reach in reaches:
        free = reach.count - used.get((reach.start, reach.unit), 0)
        if free > 0:
            units[reach.unit] = units.get(reach.unit, 0) + free
    return army(enemy, units)


def _loss(sight: Sight, space: SpaceId, garrison: Army, force: Army, style: Style, hoping: bool) -> float:
    """What we lose more than the enemy when it attacks with this force; 0 if it would rather not.

    Hopes are for next turn: by then a capital will have been covered, so that it counts like other land.
    """
    world = sight.world
    land = world.spaces[space].is_land
    if not force or (land and not any(sight.kind(p, u).captures for p, u, _ in force)):
        return 0.0
    guns = sight.guns(space, True) if land else ()
    look = weigh(world, sight.state, force, garrison, gun=flak(world, sight.state, force[0][0], guns))
    stake = own_value(sight, space, RETAKEN * future(sight, style)) if land else 0.0
    if hoping:
        stake = min(stake, float(world.spaces[space].ipc) * (1 + RETAKEN * future(sight, style)))
    elif land:
        stake += at_the_gate(sight, space, force, look)
    chance = look.take if land else look.win
    if look.win < 0.4:
        return chance * stake if stake > 40 else 0.0
    loss = chance * stake + look.defender_loss - sight.rate * look.attacker_loss
    if space == sight.capital and chance > style.capital_risk and not hoping:
        loss += 60 * chance
    return max(0.0, loss)
