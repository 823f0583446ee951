"""Partisans: they rise in land that enemies hold, hinder them there and go home when it is free.

G40-SPC-10 to G40-SPC-14. What they cost its holder is told by `facts.pays`, that they stop his troops by
`movement.land`.
"""

from __future__ import annotations

from sandtable.engine.events import Change, UndergroundLeft
from sandtable.engine.facts import name, value
from sandtable.engine.relations import enemies, friends
from sandtable.engine.run import Run
from sandtable.engine.state import State, units_of
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def check_place(world: World, state: State, power: PowerId, unit: UnitId, n: int, space: SpaceId) -> None:
    """Refuse a place for new ones: the power's original land, held by an enemy, no more than it is worth."""
    plural, where = world.units[unit].plural, name(world, space)
    if world.spaces[space].original != power or state.owners.get(space) not in enemies(world, state, power):
        owner = world.powers[power].adjective
        text = f"{plural.capitalize()} rise in {owner} land that an enemy holds, not in {where}."
        raise Refusal("underground-elsewhere", text, (space,))
    there = sum(k for p, k in state.at(space).items() if p.type == unit)
    most = value(world, state, space)
    if there + n > most:
        text = f"{where} is worth {most}: no more {plural} than that hide there, and there are {there}."
        raise Refusal("too-many-underground", text, (space,))


def blocks(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Enemies hide there who stop the power's troops on their way (G40-SPC-13)."""
    stack = state.units.get(space)
    if not stack:
        return False
    hostile = enemies(world, state, power)
    return any(p.type in world.undergrounds and p.power in hostile for p in stack)


def dissolve(run: Run, space: SpaceId) -> None:
    """The land is free again: they leave the board (G40-SPC-14)."""
    world, state = run.world, run.state
    if not world.undergrounds:
        return
    owner = state.owners.get(space)
    gone = {
        p: n
        for p, n in state.at(space).items()
        if p.type in world.undergrounds and owner in friends(world, state, p.power)
    }
    if gone:
        units = units_of(gone)
        run.emit(UndergroundLeft(space, units, (Change(space, minus=units),)))
