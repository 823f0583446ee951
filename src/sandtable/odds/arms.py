"""What the units of a state fire with, asked from the engine itself: pairings, guns that hold tanks down, bulwarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from sandtable.engine.battle.fire import spared
from sandtable.engine.battle.hits import can_strike
from sandtable.engine.battle.strength import Armed, strengths
from sandtable.engine.facts import Known
from sandtable.engine.state import Battle, Hits, Piece, Role
from sandtable.odds.front import Counts
from sandtable.odds.known import act_in_strikes
from sandtable.odds.model import Act, BattleModel, Force, Kind
from sandtable.world.model import UnitType

FIRE: dict[Role, tuple[Act, ...]] = {"attack": ("doom", "surprise"), "defense": ("reply",)}
"""The steps in which a force fires."""


class Shots(NamedTuple):
    """Dice that hit alike, and may strike the same kinds of the other force."""

    aim: frozenset[int]
    value: int
    dice: int
    each: int  # dice of one unit
    best: bool  # of which only the best counts
    picks: int  # with this or less the shooters name the victim

    def chances(self, sides: int) -> tuple[int, float, float]:
        """(how often it is rolled, the chance to pick a victim, the chance of any other hit)."""
        value, picks = min(self.value, sides), min(self.picks, self.value, sides)
        if self.best:
            hit, picked = (1 - (1 - n / sides) ** self.each for n in (value, picks))
            return self.dice // self.each, picked, hit - picked
        return self.dice, picks / sides, (value - picks) / sides


class Arms:
    """How the states of both forces fire, in the first round of a battle and in all others."""

    def __init__(self, model: BattleModel) -> None:
        self.world = model.world
        self.known = Known(model.techs)
        # on any land or sea, with any shore: where a battle is fought changes nothing
        land, self._shore = (next(s.id for s in self.world.spaces.values() if s.kind == of) for of in ("land", "sea"))
        field = self._shore if model.world.battles[model.kind].where == "sea" else land
        self._battle = Battle(field, model.kind, model.attack.kinds[0].power)
        self._then = model.world.battles[model.kind].then or model.kind
        self.forces: dict[Role, Force] = {"attack": model.attack, "defense": model.defense}
        self.types: dict[Role, list[UnitType]] = {
            role: [k.type_in(model.world) for k in force.kinds] for role, force in self.forces.items()
        }
        self.pieces: dict[Role, list[Piece]] = {
            role: [self._piece(k) for k in force.kinds] for role, force in self.forces.items()
        }
        self.aims: dict[Role, dict[Piece, frozenset[int]]] = {role: self._aims(role) for role in self.forces}
        self._fires: dict[tuple[Role, bool, Counts, Counts], tuple[Shots, ...]] = {}
        self._at: dict[tuple[tuple[Act, ...], bool], Battle] = {}
        self.hinderers: dict[Role, list[int]] = {role: self._hinderers(role) for role in self.forces}
        self._tired: dict[Role, list[bool]] = {role: self._out_of_it(role) for role in self.forces}

    def _piece(self, kind: Kind) -> Piece:
        """Such a unit; one that came ashore comes from a sea zone."""
        origin = self._shore if kind.landed else ""
        return Piece(kind.power, kind.unit, origin=origin, marks=kind.marks)

    def _aims(self, role: Role) -> dict[Piece, frozenset[int]]:
        """By shooter, the enemy kinds that a hit can strike."""
        victims = self.forces[_other(role)].kinds
        comrades = dict.fromkeys(self.pieces[role], 1)
        found = {}
        for piece, unit in zip(self.pieces[role], self.types[role], strict=True):
            hit = Hits(1, spared(self.world, self.known, unit, comrades), unit.hits_only)
            found[piece] = frozenset(k for k, v in enumerate(victims) if can_strike(self.world, hit, v.unit))
        return found

    def _hinderers(self, role: Role) -> list[int]:
        """Kinds of this force that change how the enemy fires."""
        other = _other(role)
        return [
            k
            for k, unit in enumerate(self.types[role])
            if any(m.enemies and m.role in (None, other) for m in unit.modifiers)
        ]

    def _out_of_it(self, role: Role) -> list[bool]:
        """By kind: after the first round it neither fires nor changes how anybody does who still fires."""
        units = self.types[role]
        once = {unit.id for unit in units if unit.strikes_once}
        return [unit.strikes_once and all(once.issuperset(m.units) for m in unit.modifiers) for unit in units]

    def at_work(self, role: Role, counts: Counts) -> Counts:
        """The state without those who have had their strike: equal ones fire alike in all rounds but the first."""
        return tuple(0 if out else n for n, out in zip(counts, self._tired[role], strict=True))

    def fire(self, role: Role, counts: Counts, enemies: Counts, *, first: bool) -> tuple[Shots, ...]:
        """The dice of a state of this force against a state of the other one."""
        if not first:
            counts = self.at_work(role, counts)
        other = _other(role)
        hindering = tuple(enemies[k] for k in self.hinderers[other])
        key = (role, first, counts, hindering)
        found = self._fires.get(key)
        if found is None:
            found = self._fires[key] = self._ask(role, counts, enemies, first)
        return found

    def _ask(self, role: Role, counts: Counts, enemies: Counts, first: bool) -> tuple[Shots, ...]:
        total: dict[tuple[object, ...], int] = {}
        for piece, n, own in self.armed(role, counts, enemies, FIRE[role], first=first):
            if own.fires:
                key = (self.aims[role][piece], own.value, own.dice, own.best, own.picks)
                total[key] = total.get(key, 0) + n * own.dice
        return tuple(Shots(aim, value, dice, *more) for (aim, value, *more), dice in total.items())  # type: ignore[arg-type]

    def armed(self, role: Role, counts: Counts, enemies: Counts | None, acts: tuple[Act, ...], *, first: bool) -> Armed:
        """How the units of a state fire in the first of these acts that the round has."""
        other = _other(role)
        stack = self._stack(role, counts, range(len(counts)))
        hostile = self._stack(other, enemies, self.hinderers[other]) if enemies is not None else {}
        battle = self._moment(acts, first)
        damage = {
            kind.unit: unit.fails_at - n
            for kind, unit, n in zip(self.forces[role].kinds, self.types[role], counts, strict=True)
            if kind.bulwark
        }
        return strengths(
            self.world, self.known, role, stack, friends=stack, enemies=hostile, battle=battle, damage=damage
        )

    def _stack(self, role: Role, counts: Counts, kinds: Sequence[int]) -> dict[Piece, int]:
        """A bulwark counts once, however many hits it can still take, and what a ship outlives is no unit."""
        found: dict[Piece, int] = {}
        pieces, own = self.pieces[role], self.forces[role].kinds
        for k in kinds:
            if counts[k] and not own[k].shield:
                piece = pieces[k]
                found[piece] = found.get(piece, 0) + (1 if own[k].bulwark else counts[k])
        return found

    def _moment(self, acts: tuple[Act, ...], first: bool) -> Battle:
        """The battle at the first step that is one of these acts."""
        found = self._at.get((acts, first))
        if found is None:
            kind = self._battle.kind if first else self._then
            steps = self.world.battles[kind].steps
            step = next((place for place, s in enumerate(steps) if act_in_strikes(s) in acts), 0)
            found = self._at[acts, first] = msgspec.structs.replace(
                self._battle, kind=kind, round=1 if first else 2, step=step
            )
        return found


def _other(role: Role) -> Role:
    return "defense" if role == "attack" else "attack"
