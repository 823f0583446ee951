"""Which battles a turn brings, and how each begins."""

from __future__ import annotations

import msgspec

from sandtable.engine import access
from sandtable.engine.battle import anti_tank
from sandtable.engine.battle.ending import land_troops
from sandtable.engine.battle.fire import can_hurt
from sandtable.engine.battle.forces import attackers, defenders, fights
from sandtable.engine.capture import capture
from sandtable.engine.events import BattleOpened, BattlesDeclined, Change
from sandtable.engine.facts import (
    can_be_fought,
    has_enemy_gun,
    is_closed_sea,
    is_enemy_land,
    is_hostile_sea,
    name,
    type_of,
    walked_in,
)
from sandtable.engine.recent import remembered
from sandtable.engine.relations import enemies, friends
from sandtable.engine.run import Run
from sandtable.engine.special import surprise
from sandtable.engine.state import ABSENT, Battle, Piece, State
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
    landings = declared(world, state, power)
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
        marks = {p.mark for p in mine}
        found += [Pending(space, kind) for kind, of in world.battles.items() if of.attackers in marks and not of.air]
        if world.rules.sorties:
            found += _air_combats(world, state, power, space, mine)
        if space in state.fought or access.ally_in_the_way(world, state, power, space) is not None:
            continue
        present = any(fights(world, state, p) for p in mine)
        if world.spaces[space].is_sea:
            if present and _enemies_to_fight(world, state, power, space):
                free = _may_be_ignored(world, state, power, space)
                if not free or (space not in state.declined and _worth_asking(world, state, power, space)):
                    kind = kind_at(world, space)
                    found.append(Pending(space, kind, optional=free, assault=space in zones))
            continue
        # planes over a lone gun are shot at, and that is all; troops at sea or in the air are going to be there
        opposed = present and (can_be_fought(world, state, power, space) or has_enemy_gun(world, state, power, space))
        if (
            opposed
            or space in landings
            or any(p.cargo and p.mark not in ABSENT for p in mine)
            or walked_in(world, state, power, space)
        ):
            assault = space in landings or _is_landing(world, mine)
            free = _may_be_called_off(world, state, power, space, mine)
            found.append(Pending(space, kind_at(world, space), optional=free, assault=assault))
    return tuple(found)


def _air_combats(world: World, state: State, power: PowerId, space: SpaceId, mine: list[Piece]) -> list[Pending]:
    """Planes that have still to meet enemy planes there, for each attack of its own (G40-ACB-11 to G40-ACB-15)."""
    found = []
    flying = [p for p in mine if _flies(world, p)]
    hostile = enemies(world, state, power)
    others = [p for p in state.at(space) if p.power in hostile and _flies(world, p)] if flying else []
    for kind, of in world.battles.items() if others else ():
        if not of.air or (kind, space) in state.sorties.met:
            continue
        if of.attackers == "all" and state.surprise and _surprises(world, state, power, space):
            continue
        if of.attackers == "all":
            meet = any(fights(world, state, p) for p in flying) and any(fights(world, state, p) for p in others)
        else:
            meet = any(p.mark in (of.attackers, *of.also) for p in flying) and any(
                not p.mark and type_of(world, state, p).intercepts for p in others
            )
        if meet:
            found.append(Pending(space, kind))
    return found


def _surprises(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Nobody is in the air when an attack comes by surprise (G40-SPC-20)."""
    shores = tuple(sorted(declared(world, state, power).get(space, ())))
    return surprise.strikes(world, state, power, space, shores)


def kind_at(world: World, space: SpaceId) -> str:
    """The kind of battle in which all who are in the space fight."""
    here = world.spaces[space].kind
    return next(
        k for k, of in world.battles.items() if of.attackers == "all" and not of.air and of.where in (here, "any")
    )


def _may_be_called_off(world: World, state: State, power: PowerId, shore: SpaceId, mine: list[Piece]) -> bool:
    """Several transports bring all who attack a defended shore, and a sea battle has cost ships (AN-AMP-15)."""
    if mine or not state.costly or not can_be_fought(world, state, power, shore):
        return False
    zones = declared(world, state, power)[shore]
    ships = sum(n for zone in zones for t, n in state.at(zone).items() if any(c.target == shore for c in t.cargo))
    return ships > 1 and any(zone in state.costly for zone in zones)


def _is_landing(world: World, mine: list[Piece]) -> bool:
    return any(p.origin and world.spaces[p.origin].is_sea and not _flies(world, p) for p in mine)


def _flies(world: World, piece: Piece) -> bool:
    return world.units[piece.type].domain == "air"


def _worth_asking(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """Somebody there could attack, and hit somebody (G40-NAV-10)."""
    battle = Battle(zone, kind_at(world, zone), power)
    return can_hurt(world, state, battle, "attack", attackers(world, state, battle), defenders(world, state, battle))


def _may_be_ignored(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """No enemy there stops ships, and nobody came to attack: no plane, and nothing that slips through (AN-CMV-13)."""
    mine = [p for p in state.at(zone) if p.power == power and fights(world, state, p)]
    if any(p.mark == "scrambled" and p.power in enemies(world, state, power) for p in state.at(zone)):
        return False  # they have come to fight (G40-AMP-21)
    came = [p for p in mine if p.origin and (_flies(world, p) or type_of(world, state, p).slips)]
    if came and not (world.rules.support_looks_on and _serves_landing(world, state, power, zone)):
        return False
    if world.rules.lone_transports_fall and _came_for_transports(world, state, power, zone, mine):
        return False
    return all(
        not is_closed_sea(world, state, power, type_of(world, state, p), zone) for p in mine if not _flies(world, p)
    )


def _came_for_transports(world: World, state: State, power: PowerId, zone: SpaceId, mine: list[Piece]) -> bool:
    """Warships have come to a zone where only enemy transports lie, and help no landing from there (G40-TRN-21)."""
    hostile = enemies(world, state, power)
    theirs = [p for p in state.at(zone) if p.power in hostile and fights(world, state, p)]
    if not all(type_of(world, state, p).loads for p in theirs):
        return False
    if not any(p.origin and type_of(world, state, p).attack for p in mine):
        return False
    return not _serves_landing(world, state, power, zone)


def _serves_landing(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """Troops of the power have landed or are going to land from the zone this turn."""
    landed = any(
        p.power == power and p.origin == zone and not _flies(world, p)
        for shore in world.land[zone]
        for p in state.at(shore)
    )
    return landed or any(zone in zones for zones in declared(world, state, power).values())


def _enemies_to_fight(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    if access.may_not_attack(world, state, power, zone):
        return False
    hostile = enemies(world, state, power)
    return any(p.power in hostile and fights(world, state, p) for p in state.at(zone))


@remembered
def declared(world: World, state: State, power: PowerId) -> dict[SpaceId, set[SpaceId]]:
    """Landings that wait for a sea battle: shore -> zones."""
    found: dict[SpaceId, set[SpaceId]] = {}
    for zone, stack in state.units.items():
        for transport in stack:
            for piece in transport.cargo:
                if piece.target and piece.power == power:
                    found.setdefault(piece.target, set()).add(zone)
    return found


def awaited(world: World, state: State, power: PowerId, shore: SpaceId) -> tuple[SpaceId, ...]:
    """The zones where the fleet of a landing on this shore has to fight first (CL3-AMP-04, AN-AMP-15).

    Enemies that stop ships are one reason, and the attacker's own planes or submarines that came for others the second.
    """
    waiting = declared(world, state, power).get(shore, set())
    zones = waiting | {p.origin for p in state.at(shore) if p.power == power and not _flies(world, p)}
    if not zones:
        return ()
    to_come = {p.space for p in pending(world, state, power) if world.battles[p.kind].clears and not p.optional}
    closed = {zone for zone in waiting if is_hostile_sea(world, state, power, zone)}
    return tuple(zone for zone in world.spaces if zone in closed or (zone in zones and zone in to_come))


def choices(world: World, state: State, power: PowerId) -> list[Pending]:
    """The battles that may be fought next: not those that wait for others, and in stages where the rules say so."""
    ready = [
        p
        for p in pending(world, state, power)
        if not (world.battles[p.kind].captures and awaited(world, state, power, p.space))
    ]
    if world.rules.sorties and (aloft := [p for p in ready if world.battles[p.kind].air]):
        return aloft
    raids = [p for p in ready if world.battles[p.kind].first]
    if raids:
        return raids[:1]
    if world.rules.battle_order == "assaults-first":  # AN-CBT-01
        return [p for p in ready if p.assault] or ready
    return ready


def check_turn(world: World, state: State, power: PowerId, chosen: Pending) -> None:
    """Refuse a battle on land while a sea battle of its landing is still to be fought."""
    zones = awaited(world, state, power, chosen.space) if world.battles[chosen.kind].captures else ()
    if zones:
        raise Refusal(
            "sea-battle-before-landing",
            f"The sea battle in {name(world, zones[0])} comes before the landing in {name(world, chosen.space)}.",
            (zones[0], chosen.space),
        )


def is_walkover(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Nobody is there to fight, and no plane that a gun could fire at: the land is simply taken."""
    if not walked_in(world, state, power, space):
        return False
    if anti_tank.ready(world, state, Battle(space, kind_at(world, space), power)):
        return False  # guns that would be overrun may turn on the tanks (G40-SPC-03)
    return not any(p.power == power and _flies(world, p) and p.mark not in ABSENT for p in state.at(space))


def is_unopposed(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Land that falls without a die: nobody fights for it, no gun fires, and troops are there or will be dropped."""
    if is_walkover(world, state, power, space) or _lands_unopposed(world, state, power, space):
        return True
    if can_be_fought(world, state, power, space) or has_enemy_gun(world, state, power, space):
        return False
    return any(p.power == power and p.cargo and _flies(world, p) for p in state.at(space))


def _lands_unopposed(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Troops that have waited aboard will find nobody: which of such lands is taken first makes no difference."""
    if not world.rules.landings_wait or space not in declared(world, state, power):
        return False
    if can_be_fought(world, state, power, space) or not is_enemy_land(world, state, power, space):
        return False
    return not any(p.power == power and fights(world, state, p) for p in state.at(space))


def open_battle(run: Run, chosen: Pending) -> None:
    """Begin the battle, whose turn it is. Its landings go ashore first, and may find nobody to fight."""
    world, power = run.world, run.power
    contested = world.battles[chosen.kind].captures
    if contested:
        zones = sorted(declared(run.world, run.state, power).get(chosen.space, ()))
        spurned = tuple(p.space for p in pending(world, run.state, power) if p.space in zones)
        if spurned:  # landing among enemies is leaving them alone (AN-AMP-03)
            run.emit(BattlesDeclined(power, spurned))
        for zone in zones:
            land_troops(run, power, zone, chosen.space)
        if is_walkover(world, run.state, power, chosen.space):
            capture(run, chosen.space, power)
        if not any(
            p.space == chosen.space and world.battles[p.kind].captures for p in pending(world, run.state, power)
        ):
            return
    here = run.state.at(chosen.space)
    force = [p for p in here if p.power == power and (p.fleet or fights(world, run.state, p))]
    moved = {p.origin for p in force if p.origin and world.units[p.type].domain != "air"}
    origins = tuple(s for s in world.spaces if s in moved)
    shores = tuple(s for s in origins if world.spaces[s].is_sea) if contested else ()
    kind = world.battles[chosen.kind].surprise or chosen.kind
    if kind != chosen.kind and not surprise.strikes(world, run.state, power, chosen.space, shores):
        kind = chosen.kind
    late = any(p.marks and type_of(world, run.state, p).expended for p in force)
    battle = Battle(chosen.space, kind, power, origins=origins, shores=shores, late=late)
    run.emit(BattleOpened(battle, _rise(world, run.state, battle)))


def _rise(world: World, state: State, battle: Battle) -> tuple[Change, ...]:
    """Planes leave a deck before it is damaged, so that they are not caught there (G40-NAV-25).

    Those are all who fight for themselves: guests on an attacker's carrier are cargo.
    """
    if world.battles[battle.kind].air:
        return ()  # nobody fires at ships yet
    here = state.at(battle.space)
    hosts = {p.power for p in here if type_of(world, state, p).deck_fails}
    up = tuple(
        (p, n)
        for force in (attackers(world, state, battle), defenders(world, state, battle))
        for p, n in force.items()
        if _flies(world, p) and not p.mark and not p.origin and _may_be_aboard(world, state, p, hosts)
    )
    if not up:
        return ()
    after = tuple((msgspec.structs.replace(p, mark="airborne"), n) for p, n in up)
    return (Change(battle.space, minus=up, plus=after),)


def _may_be_aboard(world: World, state: State, plane: Piece, hosts: set[PowerId]) -> bool:
    return not hosts.isdisjoint(friends(world, state, plane.power))
