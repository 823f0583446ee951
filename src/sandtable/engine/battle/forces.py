"""Who fights in a battle."""

from __future__ import annotations

from sandtable.engine.relations import enemies, friends
from sandtable.engine.state import Battle, Piece, Role, Stack, State
from sandtable.world.model import UnitId, World

ABSENT = ("raid", "off", "submerged")
"""Pieces with these marks are in the space and yet take no part in its battle."""


def fights(world: World, piece: Piece) -> bool:
    return world.units[piece.type].casualty and piece.mark not in ABSENT


def attackers(world: World, state: State, battle: Battle) -> Stack:
    """The attacking power's units; allies never attack along (CL-MPF-01)."""
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and fights(world, p)}


def defenders(world: World, state: State, battle: Battle) -> Stack:
    """Everything of the other side, whoever owns it (CL-MPF-02); doomed units included until they are removed."""
    hostile = enemies(world, state, battle.attacker)
    return {p: n for p, n in state.at(battle.space).items() if p.power in hostile and fights(world, p)}


def alive(world: World, state: State, battle: Battle) -> Stack:
    """Defenders that are not casualties yet."""
    present = dict(defenders(world, state, battle))
    for piece, n in battle.doomed.items():
        present[piece] -= n
        if not present[piece]:
            del present[piece]
    return present


def is_hunted(world: World, unit: UnitId, enemies: Stack) -> bool:
    """One of these enemies takes the unit's special abilities away (AN-SEA-05, AN-SEA-06)."""
    return any(unit in world.units[p.type].hunts for p in enemies)


def strikers(world: World, role: Role, force: Stack, enemies: Stack) -> Stack:
    """Units of this force that fire before all others, unless an enemy hunts them."""
    return {
        p: n
        for p, n in force.items()
        if role in world.units[p.type].first_shot and not is_hunted(world, p.type, enemies)
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


def raiders(state: State, battle: Battle) -> Stack:
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and p.mark == "raid"}


def seaborne(world: World, battle: Battle, force: Stack) -> Stack:
    """Troops that came ashore in this battle."""
    if battle.kind != "land":
        return {}
    return {
        p: n
        for p, n in force.items()
        if p.origin and world.spaces[p.origin].is_sea and world.units[p.type].domain != "air"
    }
