"""Antiaircraft guns fire once at every plane: before a battle, before a raid, or at planes that pass over.

Rules: CL-AA-01 to CL-AA-05, CL3-AA-02, CL-SBR-03, AN-AAG-01 to AN-AAG-04. However many guns there are, one fires.
Where every die has a plane of its own, the planes stand in the edition's order of units.
"""

from __future__ import annotations

from sandtable.engine.battle.casualties import settle, targets
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import planes
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Piece, Stack, State, count, piece_key
from sandtable.world.model import PowerId, SpaceId, World


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
    gun = gun_in(world, run.state, battle.attacker, place)
    hits: tuple[Hits, ...] = ()
    if gun is not None and victims:
        value = type_of(world, run.state, gun).anti_air
        shooters = [Shooter(gun.power, gun.type, count(victims), strikes=("air",))]
        line = _line(world, victims) if world.rules.aa_targets == "each" else ()
        hits = roll_volley(run, "aa", value, shooters, line)
    run.note(column=1, hits=hits)


def _line(world: World, victims: Stack) -> tuple[Piece, ...]:
    """The planes in the order of the dice (AN-AAG-03): by kind, unmarked before marked, loaded ones last."""
    order = list(world.units)

    def place(plane: Piece) -> tuple[object, ...]:
        return order.index(plane.type), bool(plane.cargo), len(plane.marks), piece_key(plane)

    return tuple(plane for plane in sorted(victims, key=place) for _ in range(victims[plane]))


def gun_in(world: World, state: State, power: PowerId, place: SpaceId) -> Piece | None:
    """The enemy's gun that fires at planes of this power there: the best of all."""
    if not world.spaces[place].is_land:
        return None
    guns = [p for p, _ in enemies_in(world, state, power, place) if type_of(world, state, p).anti_air]
    return max(guns, key=lambda g: type_of(world, state, g).anti_air, default=None)
