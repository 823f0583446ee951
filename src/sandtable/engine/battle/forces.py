"""Who fights in a battle."""

from __future__ import annotations

from sandtable.engine.state import Battle, Piece, Stack, State
from sandtable.world.model import World

ABSENT = ("raid", "off", "submerged")
"""Pieces with these marks are in the space and yet take no part in its battle."""


def fights(world: World, piece: Piece) -> bool:
    return world.units[piece.type].casualty and piece.mark not in ABSENT


def attackers(world: World, state: State, battle: Battle) -> Stack:
    """The attacking power's units; allies never attack along (CL-MPF-01)."""
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and fights(world, p)}


def defenders(world: World, state: State, battle: Battle) -> Stack:
    """Everything of the other side, whoever owns it (CL-MPF-02); doomed units included until they are removed."""
    side = world.side_of(battle.attacker)
    return {p: n for p, n in state.at(battle.space).items() if world.side_of(p.power) != side and fights(world, p)}


def alive(world: World, state: State, battle: Battle) -> Stack:
    """Defenders that are not casualties yet."""
    present = dict(defenders(world, state, battle))
    for piece, n in battle.doomed.items():
        present[piece] -= n
        if not present[piece]:
            del present[piece]
    return present


def planes(world: World, stack: Stack) -> Stack:
    return {p: n for p, n in stack.items() if world.units[p.type].domain == "air"}


def guests(world: World, state: State, battle: Battle) -> Stack:
    """Allied planes that ride on the attacker's carriers and look on (CL-AIR-21)."""
    side = world.side_of(battle.attacker)
    return {
        p: n
        for p, n in state.at(battle.space).items()
        if p.power != battle.attacker and world.side_of(p.power) == side and world.units[p.type].domain == "air"
    }


def raiders(state: State, battle: Battle) -> Stack:
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and p.mark == "raid"}
