"""A battle is over when a side has nobody left in it, or when nobody could ever hit anybody (CL-CMB-11, CL-NCB-05)."""

from __future__ import annotations

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Stack


def check_end(run: Run) -> bool:
    world = run.world
    battle = run.battle
    attack = attackers(world, run.state, battle)
    defense = defenders(world, run.state, battle)
    if not attack and not defense:
        finish(run, "both-destroyed")
    elif not defense:
        finish(run, "attacker")
    elif not attack:
        finish(run, "defender")
    elif not _can_hurt(run, attack, defense, "attack") and not _can_hurt(run, defense, attack, "defense"):
        finish(run, "stalemate")
    return True


def _can_hurt(run: Run, shooters: Stack, victims: Stack, side: str) -> bool:
    domains = {run.world.units[p.type].domain for p in victims}
    for piece in shooters:
        kind = type_of(run.world, run.state, piece)
        value = kind.attack if side == "attack" else kind.defense
        if value > 0 and domains - set(kind.cannot_hit):
            return True
    return False
