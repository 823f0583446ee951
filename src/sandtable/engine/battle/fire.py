"""One force fires: columns from the lowest number to the highest (CL-CMB-06)."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from sandtable.engine.battle.casualties import Fate, settle, targets
from sandtable.engine.battle.forces import bulwark_room, is_hunted
from sandtable.engine.battle.hits import can_strike, matched, merge, room
from sandtable.engine.battle.strength import in_battle
from sandtable.engine.events import Rolled
from sandtable.engine.facts import Knowing, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Piece, Role, Stack, State, in_order
from sandtable.world.model import Domain, PowerId, UnitId, UnitType, World

Targets = tuple[Domain | UnitId, ...]


class Shooter(NamedTuple):
    """Equal units that fire together."""

    power: PowerId
    unit: UnitId
    dice: int  # of all of them
    spared: Targets = ()  # what their hits never take
    strikes: Targets = ()  # what they take and nothing else; empty: anything
    each: int = 1  # dice of one unit
    best: bool = False  # of which only the best counts
    picks: int = 0  # with this or less their side names the victim
    again: int = 0  # with this or less they roll once more
    sharper: tuple[tuple[UnitId, int], ...] = ()  # units that they also hit with so much more, and nothing else then


def columns(run: Run, role: Role, shooters: Stack) -> list[tuple[int, list[Shooter]]]:
    """The shooters by their number, in the edition's order of units, then of powers."""
    world, state = run.world, run.state
    found: dict[int, dict[Shooter, int]] = {}
    safe: dict[tuple[Domain, Targets], Targets] = {}
    for piece, n, strength in in_battle(world, state, run.battle, role, shooters):
        if strength.fires:
            kind = type_of(world, state, piece)
            aim = (kind.domain, kind.cannot_hit)
            if aim not in safe:
                safe[aim] = spared(world, state, kind, shooters)
            more = (strength.dice, strength.best, strength.picks, kind.again if role == "attack" else 0)
            sharp = tuple(sorted(kind.sharper.items())) if kind.sharper else ()
            shooter = Shooter(piece.power, piece.type, 0, safe[aim], kind.hits_only, *more, sharp)
            column = found.setdefault(strength.value, {})
            column[shooter] = column.get(shooter, 0) + n * strength.dice
    return [
        (value, _sorted(world, [shooter._replace(dice=dice) for shooter, dice in found[value].items()]))
        for value in sorted(found)
    ]


def spared(world: World, state: Knowing, kind: UnitType, comrades: Stack) -> Targets:
    """Domains and unit types that hits of this kind never take; a hunter beside it uncovers what hides (AN-SEA-10)."""
    if not world.hiders:
        return kind.cannot_hit
    hidden = (
        unit
        for unit in world.hiders
        if kind.domain in world.units[unit].hides_from and not is_hunted(world, state, unit, comrades)
    )
    return (*kind.cannot_hit, *hidden)


def can_hurt(world: World, state: State, battle: Battle, role: Role, shooters: Stack, victims: Stack) -> bool:
    """Some unit of this force could score a hit that one of the victims would have to take."""
    for piece, _, strength in in_battle(world, state, battle, role, shooters):
        if strength.fires:
            kind = type_of(world, state, piece)
            hit = Hits(1, spared(world, state, kind, shooters), kind.hits_only)
            if any(can_strike(world, hit, v.type) for v in victims):
                return True
    return False


def nobody_can_hurt(world: World, state: State, battle: Battle, attack: Stack, defense: Stack) -> bool:
    """Neither force has anybody left who could hit somebody of the other."""
    return not can_hurt(world, state, battle, "attack", attack, defense) and not can_hurt(
        world, state, battle, "defense", defense, attack
    )


def _sorted(world: World, shooters: list[Shooter]) -> list[Shooter]:
    if len(shooters) < 2:
        return shooters
    return sorted(shooters, key=lambda s: (world.unit_ranks[s.unit], world.power_ranks[s.power], s.each, s))


def fire(run: Run, role: Role, shooters: Stack, fate: Fate) -> bool:
    """Roll the force's columns and settle the hits. False while an answer is awaited; call again after it."""
    world = run.world
    other: Role = "defense" if role == "attack" else "attack"
    firing_line = columns(run, role, shooters)
    by_column = world.rules.casualties_by_column or (
        world.rules.picks_by_column and any(s.picks for _, column in firing_line for s in column)
    )
    for value, column in firing_line:
        battle = run.battle
        if value <= battle.column:
            continue
        free = room(world, run.state, targets(world, run.state, battle, other))
        if other == "defense":
            free |= bulwark_room(world, run.state, battle)
        enough = matched(world, battle.hits, free) if battle.hits else 0
        useful = {
            aim: matched(world, merge(battle.hits, (Hits(1, *aim),)), free) > enough  # else nothing is left to hit
            for aim in {(s.spared, s.strikes) for s in column}
        }
        firing = [s for s in column if useful[s.spared, s.strikes]]
        hits = merge(battle.hits, roll_volley(run, role, value, firing)) if firing else battle.hits
        if any(s.again for s in firing):
            hits = go_on(run, role, value, firing, hits, free)
        run.note(column=value, hits=hits)
        if by_column and not settle(run, other, fate):
            return False
    return settle(run, other, fate)


def go_on(
    run: Run, role: Role, value: int, shooters: list[Shooter], hits: tuple[Hits, ...], free: dict[UnitId, int]
) -> tuple[Hits, ...]:
    """Further dice for low faces, after the column and as long as they come up and somebody is left to hit."""
    world = run.world
    rolled = last_faces(run)
    while True:
        further: list[Shooter] = []
        place = 0
        for shooter in shooters:
            some = sum(face <= shooter.again for face in rolled[place : place + shooter.dice])
            place += shooter.dice
            if some:
                further.append(shooter._replace(dice=some))
        enough = matched(world, hits, free) if hits else 0
        shooters = [s for s in further if matched(world, merge(hits, (Hits(1, s.spared, s.strikes),)), free) > enough]
        if not shooters:
            return hits
        hits = merge(hits, roll_volley(run, role, value, shooters))
        rolled = last_faces(run)


def last_faces(run: Run) -> tuple[int, ...]:
    """The dice that were rolled last."""
    return next(event.faces for event in reversed(run.events) if isinstance(event, Rolled))


def roll_volley(
    run: Run,
    reason: Literal["attack", "defense", "support", "aa"],
    value: int,
    shooters: list[Shooter],
    line: tuple[Piece, ...] = (),
) -> tuple[Hits, ...]:
    """All dice of a column at once; gives its hits by what they can strike and who names the victims.

    With a `line` every die is for the piece that stands in its place.
    """
    battle = run.battle
    place = battle.queue[0] if battle.queue else battle.space  # guns on the way fire from where they stand
    told = tuple((s.power, s.unit, s.dice) for s in shooters)
    hits: tuple[Hits, ...] = ()

    def tell(faces: tuple[int, ...]) -> Rolled:
        nonlocal hits
        hits = _scored(value, shooters, faces)
        scored = sum(hit.count for hit in hits)
        return Rolled(reason, shooters[0].power, faces, place, value, told, scored)

    faces = run.roll(sum(s.dice for s in shooters), tell)
    if not line:
        return hits
    struck = Counter(piece for piece, face in zip(line, faces, strict=True) if face <= value)
    return (Hits(struck.total(), victims=tuple(in_order(struck))),) if struck else ()


def _scored(value: int, shooters: list[Shooter], faces: tuple[int, ...]) -> tuple[Hits, ...]:
    hits: list[Hits] = []
    place = 0
    for shooter in shooters:
        rolled = faces[place : place + shooter.dice]
        place += shooter.dice
        if shooter.best:
            rolled = tuple(min(rolled[i : i + shooter.each]) for i in range(0, len(rolled), shooter.each))
        scored = sum(face <= value for face in rolled)
        picked = sum(face <= min(shooter.picks, value) for face in rolled) if shooter.picks else 0
        for number, chooser in ((picked, shooter.power), (scored - picked, "")):
            if number:
                hits.append(Hits(number, shooter.spared, shooter.strikes, chooser))
        for prey, more in shooter.sharper:  # G40-RES-35
            near = sum(value < face <= value + more for face in rolled)
            if near:
                hits.append(Hits(near, shooter.spared, (prey,)))
    return tuple(hits)
