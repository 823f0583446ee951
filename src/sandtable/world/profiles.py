"""What units can do: the edition's values, changed by edits, by technologies of their power and by their own marks."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.world import changes
from sandtable.world.model import MarkId, PowerId, TechId, UnitId, UnitType, World

Profile = Mapping[UnitId, UnitType]
Known = Mapping[PowerId, frozenset[TechId]]

NOTHING: frozenset[TechId] = frozenset()

_LIMIT = 4096
_cache: dict[tuple[int, PowerId, frozenset[TechId]], tuple[World, Profile]] = {}
_marked: dict[tuple[int, PowerId, frozenset[TechId], UnitId, tuple[MarkId, ...]], tuple[World, UnitType]] = {}
_RECENT = 8
rosters: list[tuple[World | None, Known | None, Mapping[PowerId, Profile]]] = [(None, None, {})]
"""Those asked for last, the latest first: `facts.type_of` looks there before it asks for one."""


def profile(world: World, power: PowerId, techs: frozenset[TechId] = NOTHING) -> Profile:
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


def roster(world: World, known: Known) -> Mapping[PowerId, Profile]:
    """The profiles of all powers. States share the mapping of what is known, so it is looked for by identity."""
    last = rosters[0]
    if last[1] is known and last[0] is world:
        return last[2]
    for found in tuple(rosters):
        if found[1] is known and found[0] is world:
            break
    else:
        made = {power: profile(world, power, known.get(power, NOTHING)) for power in world.powers}
        found = (world, known, made)
    rosters.insert(0, found)  # games are played side by side
    del rosters[_RECENT:]
    return found[2]


def marked(world: World, power: PowerId, techs: frozenset[TechId], unit: UnitId, marks: tuple[MarkId, ...]) -> UnitType:
    """A unit of the power that carries these marks."""
    key = (id(world), power, techs, unit, marks)
    found = _marked.get(key)
    if found is not None and found[0] is world:
        return found[1]
    if len(_marked) >= _LIMIT:
        _marked.clear()
    kind = profile(world, power, techs)[unit]
    # technologies set values, and what other marks add comes on top of them
    for mark in sorted(marks, key=lambda m: m not in world.technologies):
        if mark in world.technologies:
            of: Mapping[UnitId, Mapping[str, object]] = world.technologies[mark].units
        else:
            of = world.marks[mark].units if mark in world.marks else {}
        for name in ("*", unit):
            kind = changes.apply(kind, of.get(name, {}))
    made = _at_least_1(kind)
    _marked[key] = (world, made)
    return made


def marks_of_new(world: World, techs: frozenset[TechId], unit: UnitId) -> tuple[MarkId, ...]:
    """The marks that a unit carries when its power buys it now: technologies that reach new units only."""
    return tuple(
        sorted(
            technology.id
            for technology in world.technologies.values()
            if technology.marks_units
            and technology.id in techs
            and (unit in technology.units or "*" in technology.units)
        )
    )


def _profile(world: World, power: PowerId, techs: frozenset[TechId]) -> Profile:
    units = {**world.units, **world.edits.get(power, {})}
    for technology in world.technologies.values():
        if technology.id in techs and not technology.marks_units:
            for unit, fields in technology.units.items():
                for name in units if unit == "*" else (unit,):
                    units[name] = changes.apply(units[name], fields)
    return {name: _at_least_1(unit) for name, unit in units.items()}


def _at_least_1(unit: UnitType) -> UnitType:
    return changes.apply(unit, {"cost": 1}) if unit.cost is not None and unit.cost < 1 else unit
