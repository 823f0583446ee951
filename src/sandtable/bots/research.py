"""Research where it pays: what an average development would be worth to this power, against the price of a die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.bots.battles import price
from sandtable.bots.plan import Step
from sandtable.bots.risk import risk
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.aid import can_send
from sandtable.engine.battle.strength import alone
from sandtable.engine.facts import NOTHING
from sandtable.notation.orders import LendLease, Research
from sandtable.world.changes import apply
from sandtable.world.model import Technology, UnitId

PER_POINT = 0.15  # of a unit's price, for each point of attack or defence
PER_SPACE = 0.05  # of a unit's price, for each space that it moves farther
PER_DIE = 0.7  # of a unit's price, for each further die
ROUNDS = 5  # of income that a lower price is counted for
AVERAGE_PRICE = 4.0  # of what is bought mostly
ROCKETS = 15.0  # of a gun that can fire them
RICH = 3  # times its price that a giver of aid has to have
TOKENS_LAST = 3.0  # dice that a token rolls before it is used up, on average


def plan_research(sight: Sight, style: Style) -> Step | None:
    """One die a turn, when what it may bring is worth more than it costs and the capital is in no danger."""
    world, state = sight.world, sight.state
    known = state.techs.get(sight.power, NOTHING)
    missing = [t for t in world.technologies.values() if t.id not in known]
    cost = world.rules.research_cost
    if (
        not missing
        or state.researched
        or world.rules.developments == "tracked"
        or state.treasury[sight.power] < 4 * cost
    ):
        return None
    capital = sight.capital
    if capital is not None and risk(sight, capital, sight.ours(capital)).chance > style.capital_risk:
        return None
    sides = world.rules.dice_sides
    chance = (sides + 1 - world.rules.research_success) / sides
    if world.rules.researchers:
        chance *= TOKENS_LAST
    value = sum(worth_of(sight, t) for t in missing) / len(missing)
    if chance * value <= cost:
        return None
    reason = f"Research: a development is worth {value:.0f} IPC on average, a die brings one with {chance:.0%}"
    return Step(reason, (Research(1),), gain=chance * value - cost)


def plan_aid(sight: Sight, style: Style) -> Step | None:
    """A die of lend lease where it has to be bought, or where the receiver's capital is in danger and ours is not."""
    world, state, aid = sight.world, sight.state, sight.world.rules.aid
    if aid is None or not can_send(world, state, sight.power):
        return None
    name = world.powers[aid.receiver].name
    if aid.required:
        return Step(f"Lend lease for {name} is due", (LendLease(),))
    theirs = Sight(world, state, aid.receiver)
    own, capital = sight.capital, theirs.capital
    if capital is None or state.treasury[sight.power] < RICH * aid.cost:
        return None
    if own is not None and risk(sight, own, sight.ours(own)).chance > style.capital_risk:
        return None
    danger = risk(theirs, capital, theirs.ours(capital)).chance
    if danger <= style.capital_risk:
        return None
    return Step(f"Lend lease: {world.spaces[capital].name} is in danger ({danger:.0%} to fall)", (LendLease(),))


def worth_of(sight: Sight, tech: Technology) -> float:
    """What a development would be worth to this power: better units, and lower prices for some rounds."""
    own: dict[UnitId, int] = {}
    for _, piece, n in sight.armies(sight.power):
        own[piece.type] = own.get(piece.type, 0) + n
    total = 0.0
    for unit, changes in tech.units.items():
        for kind in sight.world.units if unit == "*" else (unit,):
            total += _gain(sight, kind, own.get(kind, 0), changes)
        if unit == "*":
            total += -float(changes.get("cost_change", 0)) * sight.production(sight.power) / AVERAGE_PRICE * ROUNDS
    return total


def _gain(sight: Sight, unit: UnitId, n: int, changes: Mapping[str, Any]) -> float:
    now = sight.kind(sight.power, unit)
    worth = price(sight.world, sight.power, unit) * n
    points: int = max(0, changes.get("attack", now.attack) - now.attack) + max(
        0, changes.get("defense", now.defense) - now.defense
    )
    then = apply(now, changes)
    dice = max(0, alone(then, "attack").dice - alone(now, "attack").dice)
    farther: int = max(0, changes.get("move", now.move) - now.move)
    rockets = ROCKETS if changes.get("rocket_range", 0) and n else 0.0
    return worth * (PER_POINT * points + PER_DIE * dice + PER_SPACE * farther) + rockets
