"""Sides that have nothing left to fight with: planes that have struck, guns that hold no land (G40-CMB-03, G40-CMB-21).

Where nobody but planes that have struck attacks, the battle is over and they fly home. Where only such planes and
guns defend, whoever can still attack has won: the guns are lost with the land, and the planes look for another place
(G40-CMB-22, G40-AMP-22).
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.fire import nobody_can_hurt
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.capture import overrun
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Stack, State
from sandtable.world.model import UnitType, World


def overrun_guns(run: Run) -> bool:
    """Before anybody fires: guns alone defend nothing."""
    world, state, battle = run.world, run.state, run.battle
    enemies = defenders(world, state, battle)
    if all(not type_of(world, state, p).guards for p in enemies):
        overrun(run, battle.space, battle.attacker)
        finish(run, "attacker")
    return True


def spent(run: Run) -> bool:
    """After a round: who could fire in the next one?"""
    world, state, battle = run.world, run.state, run.battle
    attack, defense = attackers(world, state, battle), defenders(world, state, battle)
    if not _can_go_on(world, state, attack):
        finish(run, "passed")
    elif not _can_go_on(world, state, defense):
        finish(run, "attacker")
    elif nobody_can_hurt(world, state, msgspec.structs.replace(battle, round=battle.round + 1), attack, defense):
        finish(run, "stalemate")
    return True


def _can_go_on(world: World, state: State, force: Stack) -> bool:
    """Somebody in the force is neither a plane that has struck nor a gun that guards nothing."""
    return any(carries_on(type_of(world, state, p)) for p in force)


def carries_on(kind: UnitType) -> bool:
    """Such a unit fights on after the first round, or holds the land."""
    return kind.guards and not kind.strikes_once
