"""One side fires: columns from the lowest number to the highest (CL-CMB-06)."""

from __future__ import annotations

from typing import Literal

from sandtable.engine.battle.casualties import Fate, effective, merge, settle, targets
from sandtable.engine.events import Rolled
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Hits, Stack
from sandtable.world.model import Domain, PowerId, UnitId, World

Shooter = tuple[PowerId, UnitId, int, tuple[Domain, ...]]  # whose, what, dice, what it cannot hit


def columns(run: Run, side: Literal["attack", "defense"], shooters: Stack) -> list[tuple[int, list[Shooter]]]:
    """The shooters by their number, in the edition's order of units, then of powers."""
    world, state = run.world, run.state
    found: dict[int, dict[tuple[UnitId, PowerId], Shooter]] = {}
    for piece, n in shooters.items():
        kind = type_of(world, state, piece)
        value = kind.attack if side == "attack" else kind.defense
        dice = n * (kind.attack_dice if side == "attack" else 1)
        if value > 0 and dice:
            column = found.setdefault(value, {})
            earlier = column.get((piece.type, piece.power))
            total = dice + (earlier[2] if earlier else 0)
            column[piece.type, piece.power] = (piece.power, piece.type, total, kind.cannot_hit)
    return [(value, _sorted(world, list(found[value].values()))) for value in sorted(found)]


def _sorted(world: World, shooters: list[Shooter]) -> list[Shooter]:
    units, powers = list(world.units), list(world.powers)
    return sorted(shooters, key=lambda s: (units.index(s[1]), powers.index(s[0])))


def fire(run: Run, side: Literal["attack", "defense"], shooters: Stack, fate: Fate) -> bool:
    """Roll the side's columns and settle the hits. False while an answer is awaited; call again after it."""
    world = run.world
    other: Literal["attack", "defense"] = "defense" if side == "attack" else "attack"
    for value, column in columns(run, side, shooters):
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
        hits = roll_volley(run, side, value, firing) if firing else ()
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
    faces = run.roll(sum(s[2] for s in shooters))
    hits: list[Hits] = []
    place = 0
    for _, _, dice, spared in shooters:
        scored = sum(face <= value for face in faces[place : place + dice])
        place += dice
        if scored:
            hits.append(Hits(scored, spared))
    run.emit(
        Rolled(
            reason,
            shooters[0][0],
            faces,
            battle.space,
            value,
            tuple((power, unit, dice) for power, unit, dice, _ in shooters),
            sum(h.count for h in hits),
        )
    )
    return tuple(hits)
