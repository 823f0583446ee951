"""Strategic raids with bombers that have nothing better to do, where the damage is worth the danger."""

from __future__ import annotations

from sandtable.bots.battles import RUNS, price
from sandtable.bots.plan import Step
from sandtable.bots.scratch import CalmDice, Scratch
from sandtable.bots.sight import Sight
from sandtable.engine.battle import interception
from sandtable.engine.battle.muster import opened
from sandtable.engine.events import Damaged, Lost, Paid
from sandtable.engine.facts import active, amounts
from sandtable.engine.movement.reach import movable
from sandtable.engine.movement.roles import ESCORT
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import State, with_cargo
from sandtable.notation.orders import Intercept, Move, UnitSpec
from sandtable.odds import raid_odds_of
from sandtable.odds.answers import unforeseen
from sandtable.odds.played import QuickDice, fight
from sandtable.world.model import SpaceId, UnitId, World

NEVER = -1e9


def plan_raids(scratch: Scratch, sight: Sight, least: float) -> list[Step]:
    """Raids of bombers that stay at home in the plan so far, where each of them promises so much at least."""
    if "raid" not in sight.world.battles:
        return []
    steps = []
    for space, unit in movable(sight.world, scratch.state):
        while sight.kind(sight.power, unit).raid_dice and (n := idle(scratch, sight, space, unit)):
            step = _best_raid(scratch, sight, space, unit, n, least)
            if step is None or not scratch.play_all(step.orders):
                break
            steps.append(step)
    return steps


def _best_raid(scratch: Scratch, sight: Sight, space: SpaceId, unit: UnitId, number: int, least: float) -> Step | None:
    """All of these bombers against one target; where land takes only so much damage, as many as bring most there."""
    rules = sight.world.rules
    raids: dict[tuple[SpaceId, int], tuple[Move, ...]] = {
        (target, n): (Move((UnitSpec(unit, n),), way, "raid"),)
        for target, way in scratch.legal.destinations(space, unit, "raid").items()
        for n in (range(1, number + 1) if rules.raid_limit == "value" else (number,))
    }
    promises = {key: _promise(scratch, raid, key[0]) for key, raid in raids.items()}
    for key, raid in raids.items() if rules.raid_escorts else ():
        escorted = _escorted(scratch, sight, key[0], raid)
        if len(escorted) > 1 and (promise := _promise(scratch, escorted, key[0])) > promises[key]:
            raids[key], promises[key] = escorted, promise
    best = max(promises, key=lambda k: (promises[k] - least * k[1], k), default=None)
    if best is None or promises[best] < least * best[1]:
        return None
    words = amounts(sight.world, [(spec.type, spec.count) for order in raids[best] for spec in order.units])
    what = "land" if rules.raid_targets == "land" else "complexes"
    return Step(
        f"Bomb the {what} of {sight.world.spaces[best[0]].name} with {words}", raids[best], best[0], promises[best]
    )


def idle(scratch: Scratch, sight: Sight, space: SpaceId, unit: UnitId) -> int:
    """Such units that the plan so far leaves where they are."""
    return sum(
        k
        for p, k in scratch.state.at(space).items()
        if p.power == sight.power and p.type == unit and not p.used and not p.done and not p.origin
    )


def _promise(scratch: Scratch, raid: tuple[Move, ...], target: SpaceId) -> float:
    """What the raid would add to those that are flown there already."""
    trial = Scratch(scratch.world, scratch.state)
    if not trial.play_all(raid):
        return NEVER
    power = active(scratch.world, scratch.state)
    others = any(p.power == power and p.mark == "raid" for p in scratch.state.at(target))
    return _value(trial.world, trial.state, target) - (_value(scratch.world, scratch.state, target) if others else 0.0)


def _value(world: World, state: State, target: SpaceId) -> float:
    """Damage less bombers lost, on average: the raid as it would be flown, with every interceptor up if there are."""
    free = raid_odds_of(world, state, target, runs=RUNS, seconds=None).swing
    met = intercepted(world, state, target)
    return free if met is None else min(free, swing(world, met, target))


def _escorted(scratch: Scratch, sight: Sight, target: SpaceId, raid: tuple[Move, ...]) -> tuple[Move, ...]:
    """The raid with as many idle fighters as there could be interceptors."""
    wanted = _interceptors(scratch.world, scratch.state, target)
    found = list(raid)
    trial = Scratch(scratch.world, scratch.state)
    if not wanted or not trial.play_all(raid):  # escorts go where there are bombers to protect
        return raid
    for space, unit in movable(sight.world, trial.state):
        n = min(wanted, idle(trial, sight, space, unit))
        if n and ESCORT in trial.legal.roles(unit):
            way = trial.legal.destinations(space, unit, ESCORT).get(target)
            if way is not None:
                found.append(Move((UnitSpec(unit, n),), way, ESCORT))
                wanted -= n
    return tuple(found)


def _interceptors(world: World, state: State, space: SpaceId) -> int:
    if not world.rules.raid_interceptors:
        return 0
    foes = enemies(world, state, active(world, state))
    return sum(n for foe in foes for n in interception.fighters(world, state, foe, space).values())


def intercepted(world: World, state: State, space: SpaceId) -> State | None:
    """The raid with all interceptors up; None if there are none."""
    if not _interceptors(world, state, space):
        return None
    power = active(world, state)
    escorts = sum(n for p, n in state.at(space).items() if p.power == power and p.mark == "escort")
    run = Run(world, state, CalmDice())
    for question in tuple(interception.questions(world, state, power, space, escorts)):
        run.ask(question)
        units: dict[UnitId, int] = {}
        for piece, n in question.units:
            units[piece.type] = units.get(piece.type, 0) + n
        interception.answer(run, question, Intercept(tuple(UnitSpec(u, n) for u, n in units.items())))
    return run.state


def swing(world: World, state: State, space: SpaceId) -> float:
    """What a raid brings the attacker: damage and the defender's planes, less its own, on average."""
    power = active(world, state)
    foes = enemies(world, state, power)
    total = 0.0
    start = opened(world, state, space, "raid")
    for number in range(RUNS):
        for event in fight(world, start, QuickDice(f"raid {number}"), unforeseen).events:
            match event:
                case Paid(amount=amount, reason="raid"):
                    total -= amount
                case Damaged(points=points):
                    total += points
                case Lost(units=units):
                    for piece, n in with_cargo(dict(units)):
                        total += (1 if piece.power in foes else -1) * n * price(world, piece.power, piece.type)
                case _:
                    pass
    return total / RUNS
