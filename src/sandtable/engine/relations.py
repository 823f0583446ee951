"""Who is what to whom: allies, enemies, and powers at peace that are neither.

Everything that moves, fights, lands or shares asks here. Three kinds of relations, by what the edition says
(`Rules.relations`):

- *sides*: allies are the powers of one's side, all others are enemies, for the whole game.
- *wars*: powers of different sides are enemies once they are at war and at peace until then; powers of one side are
  allies once both are at war with somebody. A power that nobody plays shares the enemies of its guards.
- *alliances*: there are no sides; two powers that have agreed on it are allies, all others are enemies.

A ban may hold a power back from another one (`Stances.bound`): then that one is no enemy to it, though it may be one to
that. Who is allied stays so.

What can change is `State.stances`; the sets that rules ask for are worked out once for each value of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from sandtable.engine.state import Stances, State, pair
from sandtable.world.model import PowerId, SpaceId, World

Powers = frozenset[PowerId]
Stance = Literal["ally", "enemy", "peace"]


class Table(msgspec.Struct, frozen=True):
    """The relations of every power. A power is its own friend."""

    friends: Mapping[PowerId, Powers]
    enemies: Mapping[PowerId, Powers]
    neutral: Powers = frozenset()  # at war with nobody who takes turns
    known: Mapping[PowerId, Powers] = {}  # friends and enemies together: all others are at peace


def friends(world: World, state: State, power: PowerId) -> Powers:
    """The power itself and those that fight on its side now."""
    return world.comrades[power] if state.stances is None else _table(world, state.stances).friends[power]


def enemies(world: World, state: State, power: PowerId) -> Powers:
    """The powers that it is at war with now."""
    return world.opponents[power] if state.stances is None else _table(world, state.stances).enemies[power]


def acquaintances(world: World, stances: Stances, power: PowerId) -> Powers:
    """All powers that it is not at peace with, and itself."""
    return _table(world, stances).known[power]


def allied(world: World, state: State, one: PowerId, other: PowerId) -> bool:
    """Both fight on one side; a power is its own ally."""
    return other in friends(world, state, one)


def at_war(world: World, state: State, one: PowerId, other: PowerId) -> bool:
    return other in enemies(world, state, one)


def stance(world: World, state: State, one: PowerId, other: PowerId) -> Stance:
    if other in friends(world, state, one):
        return "ally"
    return "enemy" if other in enemies(world, state, one) else "peace"


def left_alone(state: State, power: PowerId) -> Powers:
    """Powers that a ban makes this one leave alone now."""
    if state.stances is None or not state.stances.bound:
        return NOBODY
    return frozenset(other for one, other in state.stances.bound if one == power)


NOBODY: Powers = frozenset()


def starting_stances(world: World) -> Stances | None:
    """What the scenario says about wars and alliances; None where sides are fixed."""
    if world.rules.relations == "sides" and not world.restraints:
        return None
    return Stances(frozenset(pair(*p) for p in world.wars), frozenset(pair(*p) for p in world.alliances))


def _table(world: World, stances: Stances) -> Table:
    for known, seen, table in _recent:
        if seen is stances and known is world:
            return table
    table = _worked_out(world, stances)
    _recent.insert(0, (world, stances, table))
    del _recent[16:]
    return table


_recent: list[tuple[World, Stances, Table]] = []  # states share their stances, which change seldom


def _worked_out(world: World, stances: Stances) -> Table:
    free = _by_rule(world, stances)
    spared = {p: frozenset(o for one, o in stances.bound if one == p) for p in world.powers}
    # an alliance opens nothing that a pact closes (MX20-04)
    friends = {p: free.friends[p] - spared[p] for p in world.powers}
    enemies = {p: free.enemies[p] - spared[p] for p in world.powers}
    known = {p: friends[p] | enemies[p] for p in world.powers}
    return msgspec.structs.replace(free, friends=friends, enemies=enemies, known=known)


def _by_rule(world: World, stances: Stances) -> Table:
    powers = tuple(world.powers)
    if world.rules.relations == "sides":
        return Table(world.comrades, world.opponents)
    if world.rules.relations == "alliances":
        friends = {p: frozenset(o for o in powers if o == p or pair(o, p) in stances.alliances) for p in powers}
        return Table(friends, {p: frozenset(powers) - friends[p] for p in powers})
    enemies = {p: frozenset(o for o in powers if pair(o, p) in stances.wars) for p in powers}
    for guarded in (p for p in world.powers.values() if p.guards):
        own = frozenset.intersection(*(enemies[guard] for guard in guarded.guards))
        enemies = {p: foes | {guarded.id} if p in own else foes for p, foes in enemies.items()}
        enemies[guarded.id] = own
    unplayed = frozenset(p for p in powers if not world.powers[p].played)
    friends = {
        p: frozenset(o for o in world.comrades[p] if o == p or (enemies[p] and (enemies[o] or o in unplayed)))
        for p in powers
    }
    neutral = frozenset(p for p in powers if not enemies[p])
    for army in (p for p in powers if not world.powers[p].side):
        enemies = {p: frozenset(powers) - {army} if p == army else foes | {army} for p, foes in enemies.items()}
    return Table(friends, enemies, neutral)


def is_neutral_power(world: World, state: State, power: PowerId) -> bool:
    """The power is at war with nobody, so that it belongs to no side yet (G40-POL-52)."""
    return state.stances is not None and power in _table(world, state.stances).neutral


def has_joined(world: World, state: State, space: SpaceId) -> bool:
    """Land of nobody that was attacked and is on a side since (G40-NEU-13, G40-NEU-16)."""
    return bool(state.leanings) and space not in state.owners and state.leanings.get(space) in world.sides


def leaning(world: World, state: State, space: SpaceId) -> str | None:
    """What neutral land leans to: `strict`, or `pro-` and a side; None for other land, or if neutrals are all alike."""
    if space in state.owners:
        return None
    found: str | None = state.leanings.get(space) or world.spaces[space].traits.get("leaning")
    return found


def leans_to(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The land would join the power: it leans to its side, and the power is at war."""
    lean = leaning(world, state, space)
    side = world.side_of(power)
    return lean in (f"pro-{side}", side) and not is_neutral_power(world, state, power)
