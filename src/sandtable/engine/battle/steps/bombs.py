"""Bombers that came through drop their bombs: the complex's owner pays the sum of the dice, or the complex is damaged.

Rules: CL-SBR-04, CL-SBR-05, MX12-02 to MX12-06, AN-SBR-04 to AN-SBR-09.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.forces import raiders
from sandtable.engine.damage import hurt
from sandtable.engine.events import Change, Rolled, Withdrew
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, in_order, units_of
from sandtable.world.model import SpaceId, World


def bombs(run: Run) -> bool:
    battle = run.battle
    bombers = raiders(run.state, battle)
    if bombers:
        kinds = [(type_of(run.world, run.state, p), p, n) for p, n in sorted(in_order(bombers), key=_by_marks)]
        shooters = [(p.power, p.type, n * kind.raid_dice) for kind, p, n in kinds]
        bonus = sum(n * kind.raid_dice * kind.raid_bonus for kind, _, n in kinds)
        faces = run.roll(
            sum(dice for _, _, dice in shooters),
            lambda faces: Rolled("raid", battle.attacker, faces, battle.space, 0, tuple(shooters), sum(faces) + bonus),
        )
        damage = sum(faces) + bonus
        owner = run.state.owners.get(battle.space)
        if run.world.rules.raid_damage == "markers":
            hurt(run, battle.attacker, battle.space, damage)
        elif owner is not None:
            run.pay(owner, -limited(run.world, battle.space, damage), "raid", battle.space)
        units = units_of(bombers)
        after = tuple((msgspec.structs.replace(p, mark="off"), n) for p, n in units)
        changes = (Change(battle.space, units, after),)
        run.emit(Withdrew(battle.attacker, battle.space, battle.space, units, changes, "planes"))
    finish(run, "raid")
    return True


def limited(world: World, space: SpaceId, damage: int) -> int:
    """What a raid costs: outside capitals no more than the land is worth, where that is the rule (MX12-02, MX12-04)."""
    place = world.spaces[space]
    if world.rules.raid_limit == "none" or place.capital_of is not None:
        return damage
    return min(damage, place.ipc)


def _by_marks(bombers: tuple[Piece, int]) -> tuple[str, ...]:
    """Bombers without marks roll first."""
    return bombers[0].marks
