"""Troops jump from the planes that came through the antiaircraft fire (AN-TEC-09, AN-TEC-11, MX09-10 to MX09-18).

Whether the planes then fight along, and what the troops are marked with, is a fact of the drop (`world.model.Drop`).
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.forces import attackers, planes
from sandtable.engine.events import Change, Dropped
from sandtable.engine.facts import drops, friendly_at_start, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, add, units_of


def paratroopers_drop(run: Run) -> bool:
    world, battle = run.world, run.battle
    full = units_of({p: n for p, n in planes(world, attackers(world, run.state, battle)).items() if p.cargo})
    if not full:
        return True
    drop = drops(world, run.state, battle.attacker)
    assert drop is not None
    empty = tuple((msgspec.structs.replace(p, cargo=(), mark="off" if drop.leaves else p.mark), n) for p, n in full)
    mark = {drop.mark} if drop.mark else set()
    troops = add(
        {},
        (
            (Piece(c.power, c.type, used=c.used, done=True, marks=tuple(sorted({*c.marks, *mark}))), n)
            for p, n in full
            for c in p.cargo
        ),
    )
    changes = (Change(battle.space, full, (*empty, *units_of(troops))),)
    run.emit(Dropped(battle.attacker, battle.space, units_of(troops), changes))
    if any(type_of(world, run.state, p).holds for p in troops):
        return True
    if not any(world.spaces[s].is_land for s in battle.origins):  # nobody came overland whose way back they could take
        near = (s for s in world.land[battle.space] if friendly_at_start(world, run.state, battle.attacker, s))
        run.note(origins=(*battle.origins, *near))
    return True
