"""Task forces: which ships of an assault fight the enemy's, and which wait to land troops and fire at the shore."""

from __future__ import annotations

from itertools import product

from sandtable.bots.battles import RUNS, price
from sandtable.bots.front import future, prize
from sandtable.bots.plan import Step
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine import task_forces
from sandtable.engine.facts import amounts
from sandtable.notation.orders import Assign, End, UnitSpec
from sandtable.odds import OddsError, odds_of_battle
from sandtable.world.model import SpaceId, UnitId

INVASION = "invasion"


def plan_fleets(scratch: Scratch, sight: Sight, style: Style) -> list[Step]:
    """Divide the ships of each zone from which troops are to land past enemies, where that promises more."""
    steps = []
    for zone in task_forces.zones(sight.world, scratch.state, sight.power):
        choices = _divisions(scratch, sight, zone)
        best, order = _worth(scratch, sight, style, zone) if choices else 0.0, None
        for choice in choices:
            trial = Scratch(scratch.world, scratch.state)
            if trial.play(choice) and _stands(scratch, trial):
                value = _worth(trial, sight, style, zone)
                if value > best:
                    best, order = value, choice
        if order is not None and scratch.play(order):
            ships = amounts(sight.world, [(spec.type, spec.count) for spec in order.units])
            place = sight.world.spaces[zone].name
            steps.append(Step(f"{ships} wait in {place} until the way is clear", (order,), zone, best))
    return steps


def _divisions(scratch: Scratch, sight: Sight, zone: SpaceId) -> list[Assign]:
    """Every transport with troops for the shore waits, with some of the ships that can fire at it."""
    landing: dict[UnitId, int] = {}
    gunners: dict[UnitId, int] = {}
    for piece, n in scratch.state.at(zone).items():
        if piece.power != sight.power:
            continue
        if any(c.target for c in piece.cargo):
            landing[piece.type] = landing.get(piece.type, 0) + n
        elif sight.type_of(piece).support:
            gunners[piece.type] = gunners.get(piece.type, 0) + n
    if not landing:
        return []
    waiting = [UnitSpec(unit, n) for unit, n in landing.items()]
    return [
        Assign((*waiting, *(UnitSpec(unit, n) for unit, n in zip(gunners, numbers, strict=True) if n)), zone, INVASION)
        for numbers in product(*(range(n + 1) for n in gunners.values()))
    ]


def _stands(before: Scratch, after: Scratch) -> bool:
    """The division is whole: the combat move could end with it, if it could without."""
    return before.legal.why_not(End()) is not None or after.legal.why_not(End()) is None


def _worth(scratch: Scratch, sight: Sight, style: Style, zone: SpaceId) -> float:
    """What the battle at sea and the landings behind it promise together."""
    world, state = scratch.world, scratch.state
    try:
        sea = odds_of_battle(world, state, zone, runs=RUNS, seconds=None)
    except OddsError:
        return 0.0
    total = sea.swing - _drowned(scratch, sight, zone, sea.losses_by_type[0])
    shores = sorted({c.target for t in state.at(zone) for c in t.cargo if c.target and t.power == sight.power})
    for shore in shores:
        stake = prize(sight, shore, 0.5, future(sight, style))
        try:
            land = odds_of_battle(world, state, shore, keep_land=1, runs=RUNS, seconds=None)
            total += sea.win * (land.swing + land.take_and_hold(1) * stake)
        except OddsError:
            total += sea.win * stake
    return total


def _drowned(scratch: Scratch, sight: Sight, zone: SpaceId, lost: dict[UnitId, float]) -> float:
    """The price of the troops that go down with transports in the battle at sea."""
    ships: dict[UnitId, int] = {}
    aboard: dict[UnitId, float] = {}
    for piece, n in scratch.state.at(zone).items():
        if piece.power == sight.power and not piece.fleet:
            ships[piece.type] = ships.get(piece.type, 0) + n
            worth = sum(price(sight.world, c.power, c.type) for c in piece.cargo)
            aboard[piece.type] = aboard.get(piece.type, 0.0) + n * worth
    return sum(aboard[unit] / n * min(n, lost.get(unit, 0.0)) for unit, n in ships.items())
