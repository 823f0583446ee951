"""Bombers that came through drop their bombs: the complex's owner pays the sum of the dice, or the complex is damaged.

Rules: CL-SBR-04, CL-SBR-05, AN-SBR-04 to AN-SBR-09.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.forces import raiders
from sandtable.engine.damage import hurt
from sandtable.engine.events import Change, Rolled, Withdrew
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import in_order, units_of


def bombs(run: Run) -> bool:
    battle = run.battle
    bombers = raiders(run.state, battle)
    if bombers:
        shooters = [(p.power, p.type, n * type_of(run.world, run.state, p).raid_dice) for p, n in in_order(bombers)]
        faces = run.roll(
            sum(dice for _, _, dice in shooters),
            lambda faces: Rolled("raid", battle.attacker, faces, battle.space, 0, tuple(shooters), sum(faces)),
        )
        owner = run.state.owners.get(battle.space)
        if run.world.rules.raid_damage == "markers":
            hurt(run, battle.attacker, battle.space, sum(faces))
        elif owner is not None:
            run.pay(owner, -sum(faces), "raid", battle.space)
        units = units_of(bombers)
        after = tuple((msgspec.structs.replace(p, mark="off"), n) for p, n in units)
        changes = (Change(battle.space, units, after),)
        run.emit(Withdrew(battle.attacker, battle.space, battle.space, units, changes, "planes"))
    finish(run, "raid")
    return True
