"""How the war stands: victory cities, national objectives and damaged complexes.

One query for everybody who shows or weighs it: terminal, server, page and opponents. All of it follows from the state.
"""

from __future__ import annotations

import msgspec

from sandtable.engine import cards, conditions, support
from sandtable.engine.complexes import output
from sandtable.engine.damage import complex_in, damage_of, most_damage
from sandtable.engine.facts import capital_lost, production, technologies
from sandtable.engine.objectives import lacking, objectives_of, worth
from sandtable.engine.state import State
from sandtable.engine.victory import candidates, open_to
from sandtable.world.conditions import SELF, Cities, leaves
from sandtable.world.model import PowerId, RuleId, SideId, SpaceId, World


class CityCount(msgspec.Struct, frozen=True):
    """The victory cities of one side."""

    side: SideId
    held: tuple[SpaceId, ...]
    needed: int | None  # cities that win the game; None: they do not


class ObjectiveStatus(msgspec.Struct, frozen=True):
    """One national objective, as if its power collected income now."""

    id: str
    name: str
    power: PowerId
    bonus: int
    met: bool
    missing: tuple[str, ...]  # what keeps it from being met, in words
    rules: tuple[RuleId, ...]
    each: bool = False  # paid for each that it counts


class DamagedComplex(msgspec.Struct, frozen=True):
    space: SpaceId
    owner: PowerId
    damage: int
    most: int
    output: int | None  # units that it can receive all the same; None: any number


class Standing(msgspec.Struct, frozen=True):
    """How near a side is to one way of winning: it has `have` of what it `needs`."""

    side: SideId
    name: str
    have: int
    needs: int
    rules: tuple[RuleId, ...]
    power: PowerId | None = None  # where a power wins alone
    until: PowerId | None = None  # it is reached, and must be held to the end of this power's next turn


class Gain(msgspec.Struct, frozen=True):
    """What a power would get beside its production, and for what."""

    name: str
    amount: int


class Income(msgspec.Struct, frozen=True):
    """What a power would collect now: its production, what comes to it, and dice on top."""

    power: PowerId
    production: int
    gains: tuple[Gain, ...] = ()
    dice: int = 0

    @property
    def bonus(self) -> int:
        return sum(gain.amount for gain in self.gains)

    @property
    def certain(self) -> int:
        return self.production + self.bonus


class Progress(msgspec.Struct, frozen=True):
    cities: tuple[CityCount, ...]
    standings: tuple[Standing, ...]
    objectives: tuple[ObjectiveStatus, ...]
    complexes: tuple[DamagedComplex, ...]


def progress(world: World, state: State) -> Progress:
    return Progress(
        cities=city_count(world, state),
        standings=standings(world, state),
        objectives=tuple(o for power in world.powers for o in objective_list(world, state, power)),
        complexes=damaged_complexes(world, state),
    )


def city_count(world: World, state: State) -> tuple[CityCount, ...]:
    """Every side's victory cities, in board order; none on a board without them (AN-VIC-02, AN-VIC-08)."""
    cities = [s for s, place in world.spaces.items() if place.victory_city]
    if not cities:
        return ()
    found = []
    for side in world.sides:
        needed = [
            part.at_least
            for victory in world.victory
            if open_to(state, victory)
            if side in candidates(world, state, victory)
            for part in leaves(victory.when)
            if isinstance(part, Cities) and not part.places.spaces and part.who in (SELF, side)
        ]
        held = (s for s in cities if (owner := state.owners.get(s)) is not None and world.side_of(owner) == side)
        found.append(CityCount(side, tuple(held), min(needed, default=None)))
    return tuple(found)


def standings(world: World, state: State) -> tuple[Standing, ...]:
    """Every way of winning, for every side or power that has it."""
    found = []
    for victory in (v for v in world.victory if open_to(state, v)):
        for who in candidates(world, state, victory):
            if who:  # else nobody wins by it
                have, needs = conditions.progress(world, state, victory.when, who)
                power = who if who in world.powers else None
                side = who if power is None else world.side_of(power)
                since = state.goals.get(f"{victory.id} {who}")
                until = since[0] if since is not None else None
                found.append(Standing(side, victory.name, have, needs, victory.rules, power, until))
    return tuple(found)


def objective_list(world: World, state: State, power: PowerId) -> tuple[ObjectiveStatus, ...]:
    """The power's objectives; none where the game is played without."""
    found = []
    for objective in objectives_of(world, power):
        missing = tuple(lacking(world, state, objective, power))
        bonus = worth(world, state, objective, power) or objective.bonus
        each = objective.per is not None
        found.append(
            ObjectiveStatus(objective.id, objective.name, power, bonus, not missing, missing, objective.rules, each)
        )
    return tuple(found)


def damaged_complexes(world: World, state: State) -> tuple[DamagedComplex, ...]:
    found = []
    for space in world.spaces:
        damage, owner = damage_of(world, state, space), state.owners.get(space)
        unit = complex_in(world, state, space)
        if damage and unit is not None and owner is not None:
            most = most_damage(world, space, unit)
            found.append(DamagedComplex(space, owner, damage, most, output(world, state, owner, space)))
    return tuple(found)


def expected_income(world: World, state: State, power: PowerId) -> Income:
    """What the power would collect if its income phase were now; nothing without its capital (AN-INC-02)."""
    if not world.powers[power].collects_income or capital_lost(world, state, power):
        return Income(power, 0)
    if (found := world.powers[power].support) is not None:
        return Income(power, 0, dice=0 if support.is_cut_off(world, state, power) else found.dice)
    techs = technologies(world, state, power)
    gains = [Gain(o.name, worth(world, state, o, power)) for o in objectives_of(world, power)]
    gains += [Gain(tech.name, tech.income) for tech in techs]
    gains += [Gain("Allowance", world.powers[power].allowance), Gain("Event card", cards.income(world, state))]
    paid = tuple(gain for gain in gains if gain.amount)
    return Income(power, production(world, state, power), paid, sum(tech.income_dice for tech in techs))
