"""What a power's units can do: the edition's values, changed by edits and by the power's technologies."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.world import changes
from sandtable.world.model import PowerId, TechId, UnitId, UnitType, World

Profile = Mapping[UnitId, UnitType]

_LIMIT = 4096
_cache: dict[tuple[int, PowerId, frozenset[TechId]], tuple[World, Profile]] = {}


def profile(world: World, power: PowerId, techs: frozenset[TechId] = frozenset()) -> Profile:
    """Unit types of `power` with its technologies, in the edition's order. Nothing costs less than 1."""
    key = (id(world), power, techs)
    found = _cache.get(key)
    if found is not None and found[0] is world:
        return found[1]
    if len(_cache) >= _LIMIT:
        _cache.clear()
    made = _profile(world, power, techs)
    _cache[key] = (world, made)  # keeps the world alive, so that its id stays its own
    return made


def _profile(world: World, power: PowerId, techs: frozenset[TechId]) -> Profile:
    units = {**world.units, **world.edits.get(power, {})}
    for technology in world.technologies.values():
        if technology.id in techs:
            for unit, fields in technology.units.items():
                for name in units if unit == "*" else (unit,):
                    units[name] = changes.apply(units[name], fields)
    return {
        name: changes.apply(unit, {"cost": 1}) if unit.cost is not None and unit.cost < 1 else unit
        for name, unit in units.items()
    }
