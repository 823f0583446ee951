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
        if not sight.kind(sight.power, unit).raid_dice:
            continue
        n = idle(scratch, sight, space, unit)
        ways = scratch.legal.destinations(space, unit, "raid") if n else {}
        raids: dict[SpaceId, tuple[Move, ...]] = {
            target: (Move((UnitSpec(unit, n),), way, "raid"),) for target, way in ways.items()
        }
        promises = {target: _promise(scratch, raid, target) for target, raid in raids.items()}
        for target, raid in raids.items() if sight.world.rules.raid_escorts else ():
            escorted = _escorted(scratch, sight, target, raid)
            if len(escorted) > 1 and (promise := _promise(scratch, escorted, target)) > promises[target]:
                raids[target], promises[target] = escorted, promise
        best = max(promises, key=lambda t: (promises[t], t), default=None)
        if best is None or promises[best] < least * n:
            continue
        orders = raids[best]
        if scratch.play_all(orders):
            words = amounts(sight.world, [(spec.type, spec.count) for order in orders for spec in order.units])
            reason = f"Bomb the complexes of {sight.world.spaces[best].name} with {words}"
            steps.append(Step(reason, orders, best, promises[best]))
    return steps


def idle(scratch: Scratch, sight: Sight, space: SpaceId, unit: UnitId) -> int:
    """Such units that the plan so far leaves where they are."""
    return sum(
        k
        for p, k in scratch.state.at(space).items()
        if p.power == sight.power and p.type == unit and not p.used and not p.done and not p.origin
    )


def _promise(scratch: Scratch, raid: tuple[Move, ...], target: SpaceId) -> float:
    """Damage less bombers lost, on average: the raid as it would be flown, with every interceptor up if there are."""
    trial = Scratch(scratch.world, scratch.state)
    if not trial.play_all(raid):
        return NEVER
    free = raid_odds_of(trial.world, trial.state, target, runs=RUNS, seconds=None).swing
    met = intercepted(trial.world, trial.state, target)
    return free if met is None else min(free, swing(trial.world, met, target))


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
