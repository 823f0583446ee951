"""A fortification fires once at the fleet of a landing, together with the ships' bombardment (G40-AMP-12, G40-AMP-13).

There is no such fire after a sea battle. Troops of a transport that is sunk here never got ashore.
"""

from __future__ import annotations

from collections import Counter

from sandtable.engine.battle.casualties import settle
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import defenders
from sandtable.engine.battle.strength import in_battle
from sandtable.engine.events import Change, Lost
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, add, in_order
from sandtable.world.model import SpaceId


def coast_fire(run: Run) -> bool:
    world, battle = run.world, run.battle
    if battle.column < 0:
        zone = next((z for z in battle.shores if z not in run.state.fought and _ships(run, z)), None)
        force = {p: n for p, n in defenders(world, run.state, battle).items() if p.type in world.bulwarks}
        if zone is None or not force:
            return _done(run)
        run.note(aside=zone, told=(*battle.told, *_crew(_ships(run, zone), battle.space)))
        hits = battle.hits
        for piece, n, strength in in_battle(world, run.state, battle, "defense", force):
            hits = (
                *hits,
                *roll_volley(
                    run, "support", strength.value, [Shooter(piece.power, piece.type, n, picks=strength.picks)]
                ),
            )
        run.note(column=1, hits=hits)
    if not settle(run, "attack", "battle"):
        return False
    _drown(run)
    return _done(run)


def _done(run: Run) -> bool:
    if run.battle.shaken or run.battle.aside:
        run.note(aside="", shaken=0)
    return True


def _ships(run: Run, zone: SpaceId) -> Stack:
    return {
        p: n
        for p, n in run.state.at(zone).items()
        if p.power == run.battle.attacker and run.world.units[p.type].domain == "sea"
    }


def _crew(ships: Stack, shore: SpaceId) -> tuple[str, ...]:
    """What the transports of this landing have put ashore."""
    return tuple(sorted(u for ship, n in ships.items() if ship.target == shore for u in ship.ashore * n))


def _drown(run: Run) -> None:
    """Troops whose transport is gone."""
    battle = run.battle
    zone = battle.aside
    before = Counter(word for word in battle.told if word in run.world.units)
    missing = before - Counter(_crew(_ships(run, zone), battle.space))
    run.note(told=tuple(word for word in battle.told if word not in run.world.units))
    left: dict[Piece, int] = {}
    for piece, n in in_order(run.state.at(battle.space)):
        if (piece.power, piece.origin) == (battle.attacker, zone) and missing[piece.type]:
            some = min(n, missing[piece.type])
            missing[piece.type] -= some
            left = add(left, ((piece, some),))
    if left:
        units = tuple(in_order(left))
        run.emit(Lost(battle.space, "drowned", units, (Change(battle.space, minus=units),)))
