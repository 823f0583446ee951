"""Better pilots, where what they add in the air is worth more than their schools."""

from __future__ import annotations

from sandtable.bots.bases import LAST_ROUND
from sandtable.bots.battles import price
from sandtable.bots.sight import Sight
from sandtable.bots.skies import FACTOR, average
from sandtable.engine.facts import free_money
from sandtable.engine.pilots import level, training_of
from sandtable.world.model import PowerId, SpaceId

NEAR = 4  # spaces between planes that are going to meet
MEETS = 0.1  # air combats a round for each of our squadrons that enemy planes are near
TURNED = 0.25  # of a plane's price that it is worth to turn it back
LASTS = 6  # rounds that planes and enemies are expected to stay as they are
PROFIT = 1.3  # times its price that a better level has to bring
RICH = 6  # times the price of a better level that there has to be


def is_worth_raising(sight: Sight) -> bool:
    """Whether the next level of pilots brings more than it costs, upkeep included."""
    world, state, power = sight.world, sight.state, sight.power
    step = training_of(world, state, power)
    if step is None or step.rise is None or not world.rules.air_chart:
        return False
    if free_money(world, state, power) < RICH * (step.keep + step.rise):
        return False
    upkeep = next(rung.keep for rung in world.rules.training if rung.level == step.level + 1) - step.keep
    rounds = min(LASTS, LAST_ROUND - state.round)
    return rounds > 0 and _gain(sight) * rounds > PROFIT * (step.rise + upkeep * (rounds - 1))


def _gain(sight: Sight) -> float:
    """I.P.C. a round that one more level would bring in the air combats which are to be expected."""
    mine, theirs = _squadrons(sight, (sight.power,)), _squadrons(sight, sight.enemies)
    meeting = {(a, b) for a in mine for b in theirs if a == b or any(s == b for s, _ in sight.atlas.near(a, NEAR))}
    if not meeting:
        return 0.0
    number = len({a for a, _ in meeting})
    ours, others = (sum(wing[s] for s in {pair[i] for pair in meeting}) for i, wing in enumerate((mine, theirs)))
    flight = max(1, round(min(ours, others) / number))
    now = level(sight.world, sight.state, sight.power)
    (killed, turned), (more, away) = (average(sight.world, flight, added) for added in (now, now + 1))
    return MEETS * number * ((more - killed) + TURNED * (away - turned)) * _price(sight)


def _squadrons(sight: Sight, powers: tuple[PowerId, ...]) -> dict[SpaceId, int]:
    """Air factors by space."""
    found: dict[SpaceId, int] = {}
    for power in powers:
        for space, piece, n in sight.armies(power):
            if factor := sight.type_of(piece).traits.get(FACTOR, 0):
                found[space] = found.get(space, 0) + factor * n
    return found


def _price(sight: Sight) -> float:
    """Of an enemy plane, on average."""
    planes = [
        (price(sight.world, piece.power, piece.type), n)
        for enemy in sight.enemies
        for _, piece, n in sight.armies(enemy)
        if sight.type_of(piece).traits.get(FACTOR)
    ]
    return sum(cost * n for cost, n in planes) / sum(n for _, n in planes)
