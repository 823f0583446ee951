"""Fighters that came through go for planes on the ground: escorts of a raid, or a sweep (G40-SBR-09, G40-SBR-11)."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.casualties import settle
from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import flight, taking_part
from sandtable.engine.events import Change, Withdrew
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Hits, in_order, units_of


def strafe(run: Run) -> bool:
    """One die a fighter; the owner of the planes on the ground picks which are lost. Then everybody flies home."""
    world, battle = run.world, run.battle
    if battle.column < 0:
        hits: tuple[Hits, ...] = ()
        if flight(world, run.state, battle, "defense"):
            volleys: dict[int, list[Shooter]] = {}
            for piece, n in in_order(taking_part(world, run.state, battle)):
                value = type_of(world, run.state, piece).traits.get("strafes", 0)
                if value:
                    volleys.setdefault(value, []).append(Shooter(piece.power, piece.type, n, strikes=("air",)))
            for value in sorted(volleys):
                hits = (*hits, *roll_volley(run, "attack", value, volleys[value]))
        run.note(column=1, hits=hits)
    if not settle(run, "defense", "battle"):
        return False
    leave(run)
    finish(run, "raid")
    return True


def leave(run: Run) -> None:
    """All who took part are done, and fly home later (G40-SBR-13)."""
    battle = run.battle
    units = units_of(taking_part(run.world, run.state, battle))
    if units:
        after = tuple((msgspec.structs.replace(p, mark="off", target=""), n) for p, n in units)
        changes = (Change(battle.space, units, after),)
        run.emit(Withdrew(battle.attacker, battle.space, battle.space, units, changes, "planes"))
