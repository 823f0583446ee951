"""Guns that serve against tanks in a battle instead of against planes (G40-SPC-01 to G40-SPC-03).

While they do, they carry a mark that tells what they can (`UnitType.anti_tank`, `marks.yaml`): they hold land, too.
With no tank left to fire at, they are ordinary guns again, which hold nothing alone.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.forces import attackers
from sandtable.engine.events import Change, Outcome, Restowed
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Question, State, Units, in_order
from sandtable.world.model import MarkId, PowerId, UnitType, World
from sandtable.world.profiles import marked

KIND = "anti-tank"


def ready(world: World, state: State, battle: Battle) -> dict[PowerId, Units]:
    """Guns that could serve against the tanks of this attack, by owner."""
    found: dict[PowerId, list[tuple[Piece, int]]] = {}
    for piece, n in in_order(dict(enemies_in(world, state, battle.attacker, battle.space))):
        kind = type_of(world, state, piece)
        right = kind.anti_tank
        if right is not None and piece.power in right.powers and has_targets(world, state, battle, piece, right.mark):
            found.setdefault(piece.power, []).append((piece, n))
    return {power: tuple(units) for power, units in found.items()}


def has_targets(world: World, state: State, battle: Battle, gun: Piece, mark: MarkId) -> bool:
    """Somebody attacks whom such a gun could hit."""
    prey = _profile(world, state, gun, mark).hits_only
    return any(p.type in prey for p in attackers(world, state, battle))


def _profile(world: World, state: State, gun: Piece, mark: MarkId) -> UnitType:
    return marked(world, gun.power, state.techs.get(gun.power, frozenset()), gun.type, (mark,))


def turn(run: Run, question: Question, number: int) -> None:
    """So many of the guns serve against tanks in this battle."""
    left = number
    minus: list[tuple[Piece, int]] = []
    plus: list[tuple[Piece, int]] = []
    for piece, n in question.units:
        some = min(left, n)
        left -= some
        right = type_of(run.world, run.state, piece).anti_tank
        if some and right is not None:
            minus.append((piece, some))
            plus.append((msgspec.structs.replace(piece, marks=tuple(sorted({*piece.marks, right.mark}))), some))
    space = run.battle.space
    if minus:
        run.emit(Restowed(question.power, space, (Change(space, tuple(minus), tuple(plus)),)))


def after_battle(run: Run, battle: Battle, result: Outcome) -> None:
    turn_back(run, battle, always=True)


def turn_back(run: Run, battle: Battle, *, always: bool) -> None:
    world, state = run.world, run.state
    minus: list[tuple[Piece, int]] = []
    plus: list[tuple[Piece, int]] = []
    for piece, n in in_order(state.at(battle.space)):
        right = type_of(world, state, piece).anti_tank if piece.marks else None
        if right is None or right.mark not in piece.marks:
            continue
        if always or not has_targets(world, state, battle, piece, right.mark):
            minus.append((piece, n))
            marks = tuple(mark for mark in piece.marks if mark != right.mark)
            plus.append((msgspec.structs.replace(piece, marks=marks), n))
    if minus:
        run.emit(Restowed(minus[0][0].power, battle.space, (Change(battle.space, tuple(minus), tuple(plus)),)))
