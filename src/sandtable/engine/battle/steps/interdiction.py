"""Planes of air bases attack ships that have moved: one round in which everybody hits on 1 (G40-INT-09, G40-INT-11)."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.casualties import settle
from sandtable.engine.battle.fire import Shooter, roll_volley, spared
from sandtable.engine.battle.forces import flight
from sandtable.engine.battle.overhead import way_back
from sandtable.engine.events import Change, Lost, Returned
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Hits, in_order

NEEDED = 1
SHIPS = 1  # their losses are being named (`Battle.column`)


def interdiction(run: Run) -> bool:
    """Planes roll, then the ships; then the ships' owner names his losses, and the planes' owners theirs."""
    world, battle = run.world, run.battle
    if battle.column < 0:
        planes = flight(world, run.state, battle, "defense")
        hits: tuple[Hits, ...] = ()
        shooters = []
        for piece, n in in_order(planes):
            kind = type_of(world, run.state, piece)
            shooters.append(Shooter(piece.power, piece.type, n, spared(world, run.state, kind, planes)))
        if shooters:
            hits = roll_volley(run, "defense", NEEDED, shooters)
        run.note(column=SHIPS, hits=hits, results=((0, _answered(run)),))
    if run.battle.column == SHIPS:
        if not settle(run, "attack", "battle"):
            return False
        answered = run.battle.results[0][1]
        run.note(column=SHIPS + 1, hits=(Hits(answered, strikes=("air",)),) if answered else ())
    if not settle(run, "defense", "battle"):
        return False
    _return(run)
    return True


def _answered(run: Run) -> int:
    """Hits of the ships that were attacked; who has no number in defence does not fire, nor who cannot hit planes."""
    world, battle = run.world, run.battle
    ships = flight(world, run.state, battle, "attack")
    shooters = [
        Shooter(piece.power, piece.type, n, strikes=("air",))
        for piece, n in in_order(ships)
        if (kind := type_of(world, run.state, piece)).defense and "air" not in kind.cannot_hit
    ]
    return sum(hit.count for hit in roll_volley(run, "attack", NEEDED, shooters)) if shooters else 0


def _return(run: Run) -> None:
    """The planes go back, and miss their owner's next combat move."""
    world, battle = run.world, run.battle
    mark = world.rules.interdiction
    for piece, n in in_order(flight(world, run.state, battle, "defense")):
        units = ((piece, n),)
        home = way_back(world, run.state, msgspec.structs.replace(piece, mark=""), piece.target, battle.space)
        if home is None:
            run.emit(Lost(battle.space, "no-landing", units, (Change(battle.space, minus=units),)))
            continue
        tired = msgspec.structs.replace(piece, mark="returned", target="", marks=tuple(sorted({*piece.marks, mark})))
        changes = (Change(battle.space, minus=units), Change(home, plus=((tired, n),)))
        run.emit(Returned(piece.power, battle.space, home, units, changes))
