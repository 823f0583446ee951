"""Planes that are sent to be lost: where the ships that go down with them are worth clearly more."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.bots.battles import RUNS, price
from sandtable.bots.plan import Step
from sandtable.bots.raids import idle
from sandtable.bots.risk import risk, without
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight, value_of
from sandtable.bots.style import Style
from sandtable.engine.facts import amounts
from sandtable.engine.movement.reach import movable
from sandtable.engine.movement.roles import KAMIKAZE
from sandtable.engine.state import State
from sandtable.notation.orders import Move, UnitSpec
from sandtable.odds import OddsError, odds_of_battle
from sandtable.world.model import SpaceId, UnitId

MOST = 6  # planes against one fleet
WORTH = 3.0  # I.P.C. that each of them has to bring beyond its price: it could have been of use for longer

Flight = tuple[Move, ...]


def with_sacrifices(scratch: Scratch, start: State, steps: list[Step], sight: Sight, style: Style) -> list[Step]:
    """The plan with such attacks, of planes that it leaves at home, or in the place of what it sends against a fleet.

    The scratch paper, on which the plan from `start` on has been played, is brought up to date.
    """
    if sight.world.rules.sacrifice is None:
        return steps
    known = len(scratch.done) - sum(len(step.orders) for step in steps)
    barred: set[SpaceId] = set()
    while True:
        beginning = Scratch(scratch.world, start)
        found = [
            better
            for zone in sorted(_zones(beginning, sight) - barred)
            if (better := _better(scratch, start, steps, sight, style, zone)) is not None
        ]
        if not found:
            return steps
        gain, zone, kept, flight = max(found, key=lambda f: f[:2])
        barred.add(zone)
        planes = amounts(sight.world, [(flight[0].units[0].type, len(flight))])
        words = f"Send {planes} into the ships in {sight.world.spaces[zone].name}, to be lost with them"
        steps = [*kept, Step(words, flight, zone, gain)]
        scratch.state = start
        del scratch.done[known:]
        scratch.play_all([order for step in steps for order in step.orders])


def _better(
    scratch: Scratch, start: State, steps: list[Step], sight: Sight, style: Style, zone: SpaceId
) -> tuple[float, SpaceId, list[Step], Flight] | None:
    """What planes could do in a zone beside the attack that is planned there, or instead of it."""
    now = swing(scratch, sight, zone)
    plans = [steps]
    lands = any(c.target for p in scratch.state.at(zone) if p.power == sight.power for c in p.cargo)
    if not lands and any(step.space == zone for step in steps):
        plans.append([step for step in steps if step.space != zone])
    best: tuple[float, SpaceId, list[Step], Flight] | None = None
    for kept in plans:
        trial = Scratch(scratch.world, start)
        if trial.play_all([order for step in kept for order in step.orders]):
            for value, flight in _flights(trial, sight, style, zone):
                gain = value - now - WORTH * len(flight)
                if gain > 0 and (best is None or gain > best[0]):
                    best = (gain, zone, kept, flight)
    return best


def _zones(scratch: Scratch, sight: Sight) -> set[SpaceId]:
    """Where ships lie that are worth more than a plane."""
    return {
        end
        for space, unit in _planes(scratch, sight)
        for end in scratch.legal.destinations(space, unit, KAMIKAZE)
        if value_of(sight, sight.theirs(end)) + sight.cargo(end, False) > price(sight.world, sight.power, unit) + WORTH
    }


def _planes(scratch: Scratch, sight: Sight) -> Iterator[tuple[SpaceId, UnitId]]:
    for space, unit in movable(sight.world, scratch.state):
        if KAMIKAZE in scratch.legal.roles(unit) and idle(scratch, sight, space, unit):
            yield space, unit


def _flights(scratch: Scratch, sight: Sight, style: Style, zone: SpaceId) -> Iterator[tuple[float, Flight]]:
    """One plane after the other against the ships of a zone, with what the battle brings then."""
    trial = Scratch(scratch.world, scratch.state)
    flown: list[Move] = []
    for space, unit in tuple(_planes(scratch, sight)):
        way = scratch.legal.destinations(space, unit, KAMIKAZE).get(zone)
        for _ in range(idle(scratch, sight, space, unit) if way is not None else 0):
            assert way is not None
            move = Move((UnitSpec(unit),), way, KAMIKAZE)
            if len(flown) == MOST or not _is_spared(trial, sight, style, space, unit) or not trial.play(move):
                break
            flown.append(move)
            yield swing(trial, sight, zone), tuple(flown)


def _is_spared(trial: Scratch, sight: Sight, style: Style, space: SpaceId, unit: UnitId) -> bool:
    """The place does not need the plane: no capital is laid open for ships."""
    if sight.world.spaces[space].capital_of is None:
        return True
    there = Sight(trial.world, trial.state, sight.power, sight).ours(space)
    now = risk(sight, space, there).chance
    return risk(sight, space, without(there, sight.power, unit, 1)).chance <= max(now, style.capital_risk)


def swing(scratch: Scratch, sight: Sight, zone: SpaceId) -> float:
    """What the battle in the zone as planned brings on average, with what goes down aboard ships; 0 without one."""
    try:
        odds = odds_of_battle(scratch.world, scratch.state, zone, runs=RUNS, seconds=None)
    except OddsError:
        return 0.0
    return odds.swing + odds.win * sight.cargo(zone, False)
