"""Submarines fire at enemy ships that enter their zone, before anything else and without reply (G40-NAV-09).

The ships have been moved to where they were going; each zone on their way in which submarines wait is settled in turn,
and each owner says how many fire. A boat does so once in a turn of its enemy's.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from sandtable.engine.battle.casualties import settle, targets
from sandtable.engine.battle.fire import Shooter, go_on, roll_volley, spared
from sandtable.engine.battle.hits import effective, room
from sandtable.engine.battle.strength import alone
from sandtable.engine.events import Ambushed, BattleOpened, Change
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Piece, Question, Stack, State, Units, count, in_order
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, World


def lie_in_wait(run: Run, voyages: list[tuple[tuple[SpaceId, ...], Units]]) -> None:
    """Begin the attacks on ships that have just sailed; destroyers among them see to it that there are none."""
    world, state, power = run.world, run.state, run.power
    if not world.ambushers or not voyages:
        return
    ships = [piece for _, units in voyages for piece, _ in units]
    hunted = {unit for ship in ships for unit in type_of(world, state, ship).hunts}
    zones = tuple(
        dict.fromkeys(
            zone
            for route, _ in voyages
            for _, zone in pairwise(route)
            if any(_lurking(world, state, power, owner, zone, hunted) for owner in world.powers)
        )
    )
    if not zones:
        return
    group: dict[Piece, int] = {}
    for _, units in voyages:
        for piece, n in units:
            group[piece] = group.get(piece, 0) + n
    run.emit(BattleOpened(Battle(voyages[0][0][-1], "ambush", power, group=group, queue=zones)))


def _lurking(world: World, state: State, mover: PowerId, owner: PowerId, zone: SpaceId, hunted: set[str]) -> Stack:
    """The owner's boats there that can fire: in a zone that holds nothing but boats of the mover's enemies."""
    there = enemies_in(world, state, mover, zone)
    if any(not type_of(world, state, p).ambushes for p, _ in there):
        return {}
    return {p: n for p, n in there if p.power == owner and not p.mark and p.type not in hunted}


def ambush(run: Run) -> bool:
    world = run.world
    while run.battle.queue:
        if not settle(run, "attack", "first-shot"):
            return False
        battle = run.battle
        zone = battle.queue[0]
        for owner in world.powers:
            boats = _lurking(world, run.state, battle.attacker, owner, zone, set())
            if owner in battle.asked or not boats or not _worth_it(run, boats):
                continue
            run.note(asked=(*battle.asked, owner))
            run.ask(Question("ambush", owner, zone, count=count(boats), units=tuple(in_order(boats))))
            return False
        run.note(queue=battle.queue[1:], asked=())
    return True


def _worth_it(run: Run, boats: Stack) -> bool:
    world, state = run.world, run.state
    victims = targets(world, state, run.battle, "attack")
    return any(
        effective(world, state, (Hits(1, spared(world, state, type_of(world, state, p), boats)),), victims)
        for p in boats
    )


def answer(run: Run, question: Question, number: int) -> None:
    """So many boats fire."""
    world, state = run.world, run.state
    if not 1 <= number <= question.count:
        there = "is 1 submarine" if question.count == 1 else f"are {question.count} submarines"
        raise Refusal("wrong-number-of-submarines", f"There {there}, not {number}.", (question.space,))
    run.close()
    volleys: dict[int, list[Shooter]] = {}
    free = room(world, state, targets(world, state, run.battle, "attack"))
    left = number
    for piece, n in question.units:
        some = min(n, left)
        left -= some
        if not some:
            continue
        kind = type_of(world, state, piece)
        strength = alone(kind, "attack")
        aim = spared(world, state, kind, dict(question.units))
        shooter = Shooter(piece.power, piece.type, some * strength.dice, aim, kind.hits_only, again=kind.again)
        volleys.setdefault(strength.value, []).append(shooter)
        fired = msgspec.structs.replace(piece, mark="ambushed")
        changes = (Change(question.space, ((piece, some),), ((fired, some),)),)
        run.emit(Ambushed(question.power, question.space, ((piece, some),), changes))
    for value in sorted(volleys):
        hits = roll_volley(run, "attack", value, volleys[value])
        run.note(hits=go_on(run, "attack", value, volleys[value], (*run.battle.hits, *hits), free))
