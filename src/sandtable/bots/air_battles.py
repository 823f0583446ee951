"""Planes against planes before a battle, where a game has that: what each kind hits on average in that one exchange."""

from __future__ import annotations

from functools import lru_cache

from sandtable.bots.battles import CACHES, world_of
from sandtable.engine.battle.forces import AIR_BATTLE
from sandtable.engine.battle.strength import strengths
from sandtable.engine.facts import Known
from sandtable.engine.state import Battle, Piece, Role
from sandtable.world.model import PowerId, TechId, UnitId
from sandtable.world.profiles import profile


@lru_cache(maxsize=4096)
def air_fire(key: int, power: PowerId, unit: UnitId, techs: frozenset[TechId], role: Role, kind: str) -> float | None:
    """Hits of one such unit; None if it takes no part, or if there is no such exchange in battles of this kind."""
    world = world_of(key)
    steps = world.battles[kind].steps if kind in world.battles else ()
    step = next((i for i, name in enumerate(steps) if name in AIR_BATTLE), None)
    facts = profile(world, power, techs)[unit]
    if step is None or not (facts.domain == "air" if role == "attack" else facts.intercepts):
        return None
    meeting = Battle("", kind, power, step=step)
    ((_, _, strength),) = strengths(world, Known({power: techs}), role, {Piece(power, unit): 1}, battle=meeting)
    return strength.value * strength.dice / world.rules.dice_sides


CACHES.append(air_fire)
