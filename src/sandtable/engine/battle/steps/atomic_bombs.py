"""Planes that came through with an atomic bomb drop it: ten times the die, and a complex that cannot take it is gone.

G40-RES-26, G40-RES-27.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.atomic import carries
from sandtable.engine.battle.forces import raiders
from sandtable.engine.damage import complex_in, hurt, most_damage
from sandtable.engine.events import Change, ComplexDestroyed, Rolled, Withdrew
from sandtable.engine.facts import unit_type
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, in_order


def atomic_bombs(run: Run) -> bool:
    while True:
        bombers = [p for p, _ in in_order(raiders(run.state, run.battle)) if carries(run.world, p)]
        if not bombers:
            return True
        _drop(run, bombers[0])


def _drop(run: Run, bomber: Piece) -> None:
    world, battle = run.world, run.battle
    space, power = battle.space, battle.attacker
    payload = unit_type(world, run.state, power, bomber.cargo[0].type).payload
    assert payload is not None
    shooters = ((power, bomber.cargo[0].type, 1),)
    factor = payload.factor
    faces = run.roll(1, lambda faces: Rolled("raid", power, faces, space, 0, shooters, factor * sum(faces)))
    damage = factor * sum(faces)
    unit = complex_in(world, run.state, space)
    if unit is not None and damage >= most_damage(world, space, unit):
        gone = tuple((p, n) for p, n in in_order(run.state.at(space)) if p.type == unit)
        run.emit(ComplexDestroyed(power, space, unit, (Change(space, minus=gone),)))
    elif unit is not None:
        hurt(run, power, space, damage, unit)
    after = msgspec.structs.replace(bomber, mark="off", cargo=())
    changes = (Change(space, ((bomber, 1),), ((after, 1),)),)
    run.emit(Withdrew(power, space, space, ((bomber, 1),), changes, "planes"))
