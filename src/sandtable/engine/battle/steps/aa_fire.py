"""Antiaircraft guns fire once at every plane: before a battle, before a raid, or at planes that pass over.

Rules: CL-AA-01 to CL-AA-05, CL3-AA-02, CL-SBR-03, AN-AAG-01 to AN-AAG-04. However many guns there are, one fires.
Where every die has a plane of its own, the planes stand in the edition's order of units.
"""

from __future__ import annotations

from collections import Counter

from sandtable.engine.battle.casualties import lose, settle, targets
from sandtable.engine.battle.fire import roll_volley
from sandtable.engine.battle.forces import planes
from sandtable.engine.events import Rolled
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Piece, Stack, count, in_order, piece_key


def aa_fire(run: Run) -> bool:
    passing = run.world.battles[run.battle.kind].attackers == "passing"
    while True:
        battle = run.battle
        if passing and not battle.queue:
            return True
        if battle.column < 0:
            _volley(run, battle, battle.queue[0] if passing else battle.space)
        if not settle(run, "attack", "aa"):
            return False
        if not passing:
            return True
        run.note(queue=run.battle.queue[1:], column=-1)


def _volley(run: Run, battle: Battle, place: str) -> None:
    world = run.world
    victims = planes(world, targets(world, run.state, battle, "attack"))
    gun = _gun(run, battle, place)
    hits: tuple[Hits, ...] = ()
    if gun is not None and victims:
        kind = type_of(world, run.state, gun)
        hits = roll_volley(run, "aa", kind.anti_air, [(gun.power, gun.type, count(victims), ())])
        if hits and world.rules.aa_targets == "each":
            _shoot_down(run, victims, kind.anti_air)
            hits = ()
    run.note(column=1, hits=hits)


def _shoot_down(run: Run, victims: Stack, value: int) -> None:
    """Each die of the volley just rolled was for one plane (AN-AAG-03)."""
    rolled = run.events[-1]
    assert isinstance(rolled, Rolled)
    order = list(run.world.units)
    lined_up = [
        plane
        for plane, n in sorted(victims.items(), key=lambda item: (order.index(item[0].type), piece_key(item[0])))
        for _ in range(n)
    ]
    down = Counter(plane for plane, face in zip(lined_up, rolled.faces, strict=True) if face <= value)
    lose(run, tuple(in_order(down)), "attack", "aa", run.battle.attacker)


def _gun(run: Run, battle: Battle, place: str) -> Piece | None:
    guns = [
        p
        for p, _ in enemies_in(run.world, run.state, battle.attacker, place)
        if type_of(run.world, run.state, p).anti_air and run.world.spaces[place].is_land
    ]
    return max(guns, key=lambda g: type_of(run.world, run.state, g).anti_air, default=None)
