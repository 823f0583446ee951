"""One side fires: columns from the lowest number to the highest (CL-CMB-06)."""

from __future__ import annotations

from typing import Literal

from sandtable.engine.battle.casualties import Fate, effective, merge, settle, targets
from sandtable.engine.battle.forces import is_hunted
from sandtable.engine.events import Rolled
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Hits, Role, Stack, State
from sandtable.world.model import Domain, PowerId, UnitId, UnitType, World

Shooter = tuple[PowerId, UnitId, int, tuple[Domain | UnitId, ...]]  # whose, what, dice, what it cannot hit


def columns(run: Run, role: Role, shooters: Stack) -> list[tuple[int, list[Shooter]]]:
    """The shooters by their number, in the edition's order of units, then of powers."""
    world, state = run.world, run.state
    found: dict[int, dict[tuple[UnitId, PowerId], Shooter]] = {}
    helped = boosted(world, state, shooters) if role == "attack" else {}
    for piece, n in shooters.items():
        kind = type_of(world, state, piece)
        value = kind.attack if role == "attack" else kind.defense
        better = min(n, helped.get(piece.type, 0))
        if better:
            helped[piece.type] -= better
        for strength, number in ((value, n - better), (value + 1, better)):
            dice = number * (kind.attack_dice if role == "attack" else 1)
            if strength > 0 and dice:
                column = found.setdefault(strength, {})
                earlier = column.get((piece.type, piece.power))
                total = dice + (earlier[2] if earlier else 0)
                column[piece.type, piece.power] = (piece.power, piece.type, total, spared(world, kind, shooters))
    return [(value, _sorted(world, list(found[value].values()))) for value in sorted(found)]


def boosted(world: World, state: State, attackers: Stack) -> dict[UnitId, int]:
    """How many of which units attack one better because others support them (AN-CBT-21, AN-CBT-22)."""
    helped: dict[UnitId, int] = {}
    for piece, n in attackers.items():
        if world.units[piece.type].boosts:
            for unit, number in type_of(world, state, piece).boosts.items():
                helped[unit] = helped.get(unit, 0) + n * number
    return helped


def spared(world: World, kind: UnitType, comrades: Stack) -> tuple[Domain | UnitId, ...]:
    """Domains and unit types that hits of this kind never take; a hunter beside it uncovers what hides (AN-SEA-10)."""
    if not world.hiders:
        return kind.cannot_hit
    hidden = (
        unit
        for unit in world.hiders
        if kind.domain in world.units[unit].hides_from and not is_hunted(world, unit, comrades)
    )
    return (*kind.cannot_hit, *hidden)


def can_hurt(world: World, state: State, role: Role, shooters: Stack, victims: Stack) -> bool:
    """Some unit of this side could score a hit that one of the victims would have to take."""
    for piece in shooters:
        kind = type_of(world, state, piece)
        if (kind.attack if role == "attack" else kind.defense) > 0:
            safe = spared(world, kind, shooters)
            if any(v.type not in safe and world.units[v.type].domain not in safe for v in victims):
                return True
    return False


def _sorted(world: World, shooters: list[Shooter]) -> list[Shooter]:
    units, powers = list(world.units), list(world.powers)
    return sorted(shooters, key=lambda s: (units.index(s[1]), powers.index(s[0])))


def fire(run: Run, role: Role, shooters: Stack, fate: Fate) -> bool:
    """Roll the side's columns and settle the hits. False while an answer is awaited; call again after it."""
    world = run.world
    other: Role = "defense" if role == "attack" else "attack"
    for value, column in columns(run, role, shooters):
        battle = run.battle
        if value <= battle.column:
            continue
        victims = targets(world, run.state, battle, other)
        enough = effective(world, battle.hits, victims)
        firing = [
            s
            for s in column
            if effective(world, merge(battle.hits, (Hits(1, s[3]),)), victims) > enough  # else nothing is left to hit
        ]
        hits = roll_volley(run, role, value, firing) if firing else ()
        battle = run.battle
        run.note(column=value, hits=merge(battle.hits, hits))
        if world.rules.casualties_by_column and not settle(run, other, fate):
            return False
    return settle(run, other, fate)


def roll_volley(
    run: Run, reason: Literal["attack", "defense", "support", "aa"], value: int, shooters: list[Shooter]
) -> tuple[Hits, ...]:
    """All dice of a column at once; gives its hits by what they spare."""
    battle = run.battle
    told = tuple((power, unit, dice) for power, unit, dice, _ in shooters)

    def tell(faces: tuple[int, ...]) -> Rolled:
        return Rolled(reason, shooters[0][0], faces, battle.space, value, told, sum(face <= value for face in faces))

    faces = run.roll(sum(dice for _, _, dice in told), tell)
    hits: list[Hits] = []
    place = 0
    for _, _, dice, spared in shooters:
        scored = sum(face <= value for face in faces[place : place + dice])
        place += dice
        if scored:
            hits.append(Hits(scored, spared))
    return tuple(hits)
