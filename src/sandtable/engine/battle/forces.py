"""Who fights in a battle."""

from __future__ import annotations

from sandtable.engine.facts import Knowing, type_of
from sandtable.engine.relations import enemies, friends
from sandtable.engine.state import Battle, Piece, Role, Stack, State
from sandtable.world.model import UnitId, World

ABSENT = ("raid", "off", "submerged")
"""Pieces with these marks are in the space and yet take no part in its battle."""


def fights(world: World, state: Knowing, piece: Piece) -> bool:
    return piece.mark not in ABSENT and type_of(world, state, piece).casualty


def attackers(world: World, state: State, battle: Battle) -> Stack:
    """The attacking power's units; allies never attack along (CL-MPF-01)."""
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and fights(world, state, p)}


def defenders(world: World, state: State, battle: Battle) -> Stack:
    """Everything of the other side, whoever owns it (CL-MPF-02); doomed units included until they are removed."""
    hostile = enemies(world, state, battle.attacker)
    return {p: n for p, n in state.at(battle.space).items() if p.power in hostile and fights(world, state, p)}


def alive(world: World, state: State, battle: Battle) -> Stack:
    """Defenders that are not casualties yet."""
    present = dict(defenders(world, state, battle))
    for piece, n in battle.doomed.items():
        present[piece] -= n
        if not present[piece]:
            del present[piece]
    return present


def company(world: World, state: State, battle: Battle, role: Role) -> Stack:
    """Whatever stands on this side of the battle, be it fighting or not: guns and facilities count, too."""
    powers = enemies(world, state, battle.attacker) if role == "defense" else {battle.attacker}
    return {p: n for p, n in state.at(battle.space).items() if p.power in powers and p.mark not in ABSENT}


def is_hunted(world: World, state: Knowing, unit: UnitId, enemies: Stack) -> bool:
    """One of these enemies takes the unit's special abilities away (AN-SEA-05, AN-SEA-06)."""
    return any(unit in type_of(world, state, p).hunts for p in enemies)


def strikers(world: World, state: Knowing, role: Role, force: Stack, enemies: Stack) -> Stack:
    """Units of this force that fire before all others, unless an enemy hunts them."""
    return {
        p: n
        for p, n in force.items()
        if role in type_of(world, state, p).first_shot and not is_hunted(world, state, p.type, enemies)
    }


def planes(world: World, stack: Stack) -> Stack:
    return {p: n for p, n in stack.items() if world.units[p.type].domain == "air"}


def guests(world: World, state: State, battle: Battle) -> Stack:
    """Allied planes that ride on the attacker's carriers and look on (CL-AIR-21)."""
    ours = friends(world, state, battle.attacker)
    return {
        p: n
        for p, n in state.at(battle.space).items()
        if p.power != battle.attacker and p.power in ours and world.units[p.type].domain == "air"
    }


def marked(state: State, battle: Battle, mark: str) -> Stack:
    """The attacker's units with a task of their own."""
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and p.mark == mark}


def raiders(state: State, battle: Battle) -> Stack:
    return marked(state, battle, "raid")


def seaborne(world: World, battle: Battle, force: Stack) -> Stack:
    """Troops that came ashore in this battle."""
    if world.spaces[battle.space].is_sea:
        return {}
    return {
        p: n
        for p, n in force.items()
        if p.origin and world.spaces[p.origin].is_sea and world.units[p.type].domain != "air"
    }
