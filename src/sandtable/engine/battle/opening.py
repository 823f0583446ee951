"""Which battles a turn brings, and how each begins."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.ending import land_troops
from sandtable.engine.battle.forces import fights
from sandtable.engine.capture import capture
from sandtable.engine.events import BattleOpened
from sandtable.engine.facts import can_be_fought, has_enemy_gun, is_closed_sea, is_hostile_sea, name, type_of, walked_in
from sandtable.engine.recent import remembered
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, World


class Pending(msgspec.Struct, frozen=True):
    space: SpaceId
    kind: str
    optional: bool = False  # only units that hinder nobody are there: they may be left alone (AN-SEA-19)
    assault: bool = False  # a landing, or a sea battle that one waits for


@remembered
def pending(world: World, state: State, power: PowerId) -> tuple[Pending, ...]:
    """Every battle and raid that still has to be fought, in board order.

    Nothing is written down for this: units that stand among enemies fight (CL-TRN-06, CL3-PRD-02).
    """
    found = []
    landings = declared(state, power)
    zones = {zone for waiting in landings.values() for zone in waiting}
    force: dict[SpaceId, list[Piece]] = {}
    for space, stack in state.units.items():
        for piece in stack:
            if piece.power == power:
                force.setdefault(space, []).append(piece)
    for space in world.spaces:
        if space not in force and space not in landings:
            continue  # most spaces, on every board
        mine = force.get(space, [])
        if any(p.mark == "raid" for p in mine):
            found.append(Pending(space, "raid"))
        if space in state.fought:
            continue
        present = any(fights(world, p) for p in mine)
        if world.spaces[space].is_sea:
            if present and _enemies_to_fight(world, state, power, space):
                free = _may_be_ignored(world, state, power, space)
                if not free or (space not in state.declined and _worth_asking(world, state, mine)):
                    found.append(Pending(space, "sea", optional=free, assault=space in zones))
            continue
        # planes over a lone gun are shot at, and that is all; troops at sea or in the air are going to be there
        opposed = present and (can_be_fought(world, state, power, space) or has_enemy_gun(world, state, power, space))
        if opposed or space in landings or any(p.cargo for p in mine) or walked_in(world, state, power, space):
            assault = space in landings or _is_landing(world, mine)
            found.append(
                Pending(space, "land", optional=_may_be_called_off(world, state, power, space, mine), assault=assault)
            )
    return tuple(found)


def _may_be_called_off(world: World, state: State, power: PowerId, shore: SpaceId, mine: list[Piece]) -> bool:
    """Several transports bring all who attack a defended shore, and a sea battle has cost ships (AN-AMP-15)."""
    if mine or not state.costly or not can_be_fought(world, state, power, shore):
        return False
    zones = declared(state, power)[shore]
    ships = sum(n for zone in zones for t, n in state.at(zone).items() if any(c.target == shore for c in t.cargo))
    return ships > 1 and any(zone in state.costly for zone in zones)


def _is_landing(world: World, mine: list[Piece]) -> bool:
    return any(p.origin and world.spaces[p.origin].is_sea and not _flies(world, p) for p in mine)


def _flies(world: World, piece: Piece) -> bool:
    return world.units[piece.type].domain == "air"


def _worth_asking(world: World, state: State, mine: list[Piece]) -> bool:
    """Somebody there could attack, and no ship has bombarded instead (AN-AMP-03)."""
    return any(type_of(world, state, p).attack for p in mine) and not any(p.mark == "fired" for p in mine)


def _may_be_ignored(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """No enemy there stops ships, and nobody came to attack: no plane, and nothing that slips through (AN-CMV-13)."""
    mine = [p for p in state.at(zone) if p.power == power and fights(world, p)]
    if any(p.origin and (_flies(world, p) or world.units[p.type].slips) for p in mine):
        return False
    return all(not is_closed_sea(world, state, power, world.units[p.type], zone) for p in mine if not _flies(world, p))


def _enemies_to_fight(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    hostile = enemies(world, state, power)
    return any(p.power in hostile and fights(world, p) for p in state.at(zone))


def declared(state: State, power: PowerId) -> dict[SpaceId, set[SpaceId]]:
    """Landings that wait for a sea battle: shore -> zones."""
    found: dict[SpaceId, set[SpaceId]] = {}
    for zone, stack in state.units.items():
        for transport in stack:
            for piece in transport.cargo:
                if piece.target and piece.power == power:
                    found.setdefault(piece.target, set()).add(zone)
    return found


def choices(world: World, state: State, power: PowerId) -> list[Pending]:
    """The battles that may be fought next: not those that wait for others, and in stages where the rules say so."""
    landings = declared(state, power)
    ready = [
        p
        for p in pending(world, state, power)
        if not any(is_hostile_sea(world, state, power, z) for z in landings.get(p.space, ()))  # CL3-AMP-04
    ]
    raids = [p for p in ready if p.kind == "raid"]
    if raids:
        return raids[:1]
    if world.rules.battle_order == "assaults-first":  # AN-CBT-01
        return [p for p in ready if p.assault] or ready
    return ready


def is_walkover(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Nobody is there to fight, and no plane that a gun could fire at: the land is simply taken."""
    if not walked_in(world, state, power, space):
        return False
    return not any(p.power == power and _flies(world, p) and p.mark != "raid" for p in state.at(space))


def open_battle(run: Run, chosen: Pending) -> None:
    """Begin the battle. Landings that wait for nothing more go ashore first, and may find nobody to fight."""
    world, power = run.world, run.power
    if chosen.kind == "land":
        for zone in sorted(declared(run.state, power).get(chosen.space, ())):
            if is_hostile_sea(world, run.state, power, zone):
                raise Refusal(
                    "sea-battle-before-landing",
                    f"The sea battle in {name(world, zone)} comes before the landing in {name(world, chosen.space)}.",
                    (zone, chosen.space),
                )
            land_troops(run, power, zone, chosen.space)
        if is_walkover(world, run.state, power, chosen.space):
            capture(run, chosen.space, power)
        if not any(p.space == chosen.space and p.kind == "land" for p in pending(world, run.state, power)):
            return
    force = [p for p in run.state.at(chosen.space) if p.power == power and fights(world, p)]
    moved = {p.origin for p in force if p.origin and world.units[p.type].domain != "air"}
    origins = tuple(s for s in world.spaces if s in moved)
    battle = Battle(
        chosen.space,
        chosen.kind,
        power,
        origins=origins,
        shores=tuple(s for s in origins if world.spaces[s].is_sea) if chosen.kind == "land" else (),
    )
    run.emit(BattleOpened(battle))
