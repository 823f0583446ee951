"""Whether to go to war with a power that one is at peace with, where wars are declared.

War is thought through on paper: what our own first strike would bring, how bonuses change, who else would be given a
reason to fight us, what the new enemies could do. Peace that the other side is about to end is worth nothing, so
whoever can strike first then does. All of it follows from the position and the style.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from sandtable.bots.attack import Attack, Mind
from sandtable.bots.battles import price
from sandtable.bots.evaluation import replies_of
from sandtable.bots.front import future, prize
from sandtable.bots.plan import Step
from sandtable.bots.scratch import CalmDice, Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.conditions import holds
from sandtable.engine.events import WarDeclared
from sandtable.engine.facts import production, turn_index
from sandtable.engine.objectives import objectives_of, worth
from sandtable.engine.politics import has_moved, open_targets, pairs_at_war
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.notation.orders import Declare
from sandtable.world.conditions import leaves
from sandtable.world.model import PowerId, World

ROUNDS = 3  # of bonuses at most that a war of choice brings or costs
FEAR = 0.25  # of what new enemies could win
FEAR_OF_STRONGER = 3.0  # the same where they are stronger at the border
JOINING = 10.0  # I.P.C.: an army at peace is no help to those who fight already
ENEMY = 0.13  # of a round's production that a power costs as an enemy, each round of peace it would have kept
NEEDED = 3.0  # I.P.C. beyond a style's greed that a war has to promise
PROVOKED = 1.0  # rounds of production of somebody who would join the enemy, or whose reason to help us would be lost
AS_STRONG = 1.0  # at the border, from which on a new enemy is feared less
STRONGER = {"cautious": 0.25, "bold": -0.15}
SKIRMISH = 6.0  # I.P.C. of units that do not count at a border


class Case(msgspec.Struct, frozen=True):
    """What speaks for a war, in I.P.C., and in words."""

    on: PowerId
    value: float
    reason: str


def plan_wars(scratch: Scratch, power: PowerId, style: Style) -> list[Step]:
    """Declarations before the first move, each tried on the scratch paper before the next is thought of."""
    steps: list[Step] = []
    world = scratch.world
    if not world.declarations or has_moved(world, scratch.state):
        return steps
    for _ in world.powers:
        case = best_case(scratch.state, world, power, style)
        if case is None or not scratch.play(Declare(case.on)):
            break
        steps.append(Step(case.reason, (Declare(case.on),), gain=case.value))
    return steps


def best_case(state: State, world: World, power: PowerId, style: Style) -> Case | None:
    """The war that promises most now; None: peace is better."""
    targets = open_targets(world, state, power)
    if not targets:
        return None
    peace = cache(lambda: _strike(world, state, power, style))  # most cases fail before anybody asks for it
    cases = [c for on in targets if (c := _case(world, state, power, on, style, peace)) is not None]
    return max(cases, key=lambda c: (c.value, c.on), default=None)


def _case(
    world: World, state: State, power: PowerId, on: PowerId, style: Style, peace: Callable[[], float]
) -> Case | None:
    after = _after(world, state, power, on)
    before, sight = Sight(world, state, power), Sight(world, after, power)
    new = [p for p in sight.enemies if p not in before.enemies]
    coming = is_coming(world, state, on, power)
    # those who are about to go to war have their bonuses anyway, only our own are lost sooner
    bonus = _bonuses(world, after, power) - _bonuses(world, state, power)
    if not coming:
        others = [p for p in world.order if p != power]
        sign = {p: 1 if world.same_side(p, power) else -1 for p in others}
        bonus += sum(sign[p] * (_bonuses(world, after, p) - _bonuses(world, state, p)) for p in others)
        bonus *= _rounds_of_peace(world, state, power)
    friends = not coming and _is_goal(world, state, on) and _fights(world, state, power, on)
    strength = _at_border(sight, new)
    fear = 0.0 if coming else _fear(sight, new, style, strength)
    value = bonus + (JOINING if friends else 0.0) - fear
    if not coming and not _fights(world, state, power, on):
        value -= ENEMY * production(world, state, on) * _rounds_of_peace(world, state, power) / max(1.0, strength)
    value -= PROVOKED * sum(production(world, state, p) for p in offended(world, state, power, on))
    most = _most(sight, new, style)
    if value + most < NEEDED + style.greed:
        return None  # whatever the attacks would bring
    strike = _strike(world, after, power, style) - peace() if most else 0.0
    value += strike
    if value < NEEDED + style.greed:
        return None
    name = world.powers[on].name
    if coming:
        why = "they are about to do so themselves, and the first strike is ours"
    elif strike > bonus:
        why = f"we are strong enough, and our attacks bring {strike:.0f} IPC more"
    elif friends and bonus <= 0:
        why = "those who fight already can use our help"
    else:
        why = f"it brings {bonus} IPC in bonuses"
    return Case(on, value, f"Declare war on {name}: {why}")


def is_coming(world: World, state: State, other: PowerId, power: PowerId) -> bool:
    """The other one gets a right to declare war on us before our next turn: one it has to wait for, not one that it has
    had all the time and left unused."""
    ahead = turn_index(world, other) < turn_index(world, power)
    later = msgspec.structs.replace(state, round=state.round + 1) if ahead else state
    return any(
        other in d.by and power in d.on and any(True for _ in leaves(d.when)) and holds(world, later, d.when, other)
        for d in world.declarations
    )


def _after(world: World, state: State, power: PowerId, on: PowerId) -> State:
    """The two at war by the first one's word, and those that are drawn in."""
    run = Run(world, state, CalmDice())
    ways = [d for d in world.declarations if power in d.by and on in d.on]
    run.emit(WarDeclared(power, on, pairs_at_war(world, power, on, ways)))
    return run.state


def offended(world: World, state: State, power: PowerId, on: PowerId) -> list[PowerId]:
    """Powers that would get a right to fight us by this, and comrades who would only get one if we were attacked."""
    after, attacked = _after(world, state, power, on), _after(world, state, on, power)
    found = []
    for third in world.order:
        if third in (power, on):
            continue
        enemy, now = (on, attacked) if world.same_side(third, power) else (power, after)
        if at_war(world, now, third, enemy) or is_coming(world, state, third, enemy):
            continue
        if is_coming(world, now, third, enemy):
            found.append(third)
    return found


def _most(sight: Sight, new: list[PowerId], style: Style) -> float:
    """More than the attacks of this turn could bring for these enemies: all they have within our reach."""
    total = 0.0
    for space in sight.threats(sight.power):
        there = 0.0 + sum(price(sight.world, p, unit) * n for p, unit, n in sight.theirs(space) if p in new)
        if sight.state.owners.get(space) in new:
            there += prize(sight, space, 1.0, future(sight, style))
        elif there:
            there += sight.cargo(space, False)
        total += there
    return total


def _strike(world: World, state: State, power: PowerId, style: Style) -> float:
    """What our attacks of this turn promise."""
    sight = Sight(world, state, power)
    if not sight.enemies:
        return 0.0
    strikes, _ = Attack(sight, Mind(style=style, rough=True)).plan(Scratch(world, state))
    return sum(max(0.0, s.gain) for s in strikes)


def _fights(world: World, state: State, power: PowerId, on: PowerId) -> bool:
    """Somebody of our side is at war with them already."""
    return any(at_war(world, state, p, on) for p in world.order if p != power and world.same_side(p, power))


def _is_goal(world: World, state: State, power: PowerId) -> bool:
    """The power has a capital to be taken."""
    capital = world.powers[power].capital
    return capital is not None and state.owners.get(capital) == power


def _fear(sight: Sight, new: list[PowerId], style: Style, strength: float) -> float:
    """What the new enemies could win from us: it counts more the stronger they are at the border."""
    own = {s for s, owner in sight.state.owners.items() if owner == sight.power}
    own |= {space for space, _, _ in sight.armies(sight.power)}
    is_weaker = strength < AS_STRONG + STRONGER.get(style.name, 0.0)
    share = FEAR_OF_STRONGER if is_weaker else FEAR / max(1.0, strength)
    return share * sum(replies_of(sight, enemy, style, only=own) for enemy in new)


def _rounds_of_peace(world: World, state: State, power: PowerId) -> int:
    """How long bonuses of peace last at most: until somebody gets the right to go to war with us."""
    others = [p for p in world.order if not world.same_side(p, power) and not at_war(world, state, p, power)]
    for rounds in range(1, ROUNDS):
        later = msgspec.structs.replace(state, round=state.round + rounds - 1)
        if any(is_coming(world, later, p, power) for p in others):
            return rounds
    return ROUNDS


def _bonuses(world: World, state: State, power: PowerId) -> int:
    return sum(worth(world, state, o, power) for o in objectives_of(world, power))


def _at_border(sight: Sight, new: list[PowerId]) -> float:
    """Our units that could attack the new enemies, compared with those of them that could meet or attack ours."""
    world = sight.world
    theirs = {s for s, owner in sight.state.owners.items() if owner in new}
    ours = {s for s, owner in sight.state.owners.items() if owner == sight.power}
    comers = {r for space in theirs for r in sight.threats(sight.power).get(space, ())}
    strength = {(r.start, r.unit): price(world, sight.power, r.unit) * r.count for r in comers}
    against = {(p, r.start, r.unit): price(world, p, r.unit) * r.count for p in new for s in ours
               for r in sight.threats(p).get(s, ())}  # fmt: skip
    met = {s for s in theirs if sight.threats(sight.power).get(s)}
    for space in met:
        for p, unit, n in sight.theirs(space):
            against[p, space, unit] = price(world, p, unit) * n
    return (sum(strength.values()) + SKIRMISH) / (sum(against.values()) + SKIRMISH)
