"""What units hit at, and with how many dice: worked out here and nowhere else.

A unit fires with its own number, which technologies, edits and marks may have changed already (`facts.type_of`). What
depends on the battle itself is declared as modifiers (`world.model.Modifier`): artillery that helps infantry beside it,
guns that hold tanks down, troops that fight better when they come ashore. Modifiers without a number reach all units
that they name. Counted ones are pairings: who helps serves in one pairing at a time, and nobody is helped or hindered
twice. Who can help in fewer ways is paired first, and those who gain most by it are helped first.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.engine.battle.forces import seaborne, takes_part
from sandtable.engine.facts import Knowing, type_of
from sandtable.engine.state import EMPTY, Battle, Piece, Role, Stack, State, piece_key
from sandtable.world.model import Modifier, UnitId, UnitType, World


class Strength(msgspec.Struct, frozen=True):
    """How one unit fires."""

    value: int  # it hits with this or less
    dice: int = 1
    best: bool = False  # of several dice only the best counts
    picks: int = 0  # with this or less its side names the victim

    @property
    def fires(self) -> bool:
        return self.value > 0 and self.dice > 0


SPENT = Strength(0, 0)

Armed = list[tuple[Piece, int, Strength]]
Cause = tuple[Piece, int, list[Modifier]]
"""Pieces that change the fire of others, how many there are, and what they cause."""


def strengths(
    world: World,
    state: Knowing,
    role: Role,
    force: Stack,
    *,
    friends: Stack | None = None,
    enemies: Stack = EMPTY,
    battle: Battle | None = None,
    damage: Mapping[UnitId, int] | None = None,
) -> Armed:
    """How the units of a force fire; equal pieces stand apart where only some of them are helped.

    `friends` are all who can help them (none but the force itself if nobody is named), `enemies` all who can hinder
    them, `damage` that of the facilities there. Without a `battle` nobody has come ashore, and no step is being taken.
    """
    step = _step(world, battle)
    found: Armed = []
    for piece, n in force.items():
        kind = type_of(world, state, piece)
        if is_spent(kind, battle):
            found.append((piece, n, SPENT))
            continue
        strength = Strength(_own(kind, role))
        for modifier in _special_last(kind.modifiers):
            if not modifier.units and modifier.role in (None, role) and _holds(world, battle, step, modifier, piece):
                strength = changed(strength, modifier)
        found.append((piece, n, strength))
    for others, hostile in ((force if friends is None else friends, False), (enemies, True)):
        causes: list[Cause] = []
        for piece, n in others.items():
            modifiers = type_of(world, state, piece).modifiers
            if modifiers:
                wear = (damage or {}).get(piece.type, 0)
                of_this = [m for m in modifiers if m.units and m.enemies == hostile and m.role in (None, role)]
                at_work = [m for m in of_this if m.works_below is None or wear < m.works_below]
                if at_work:
                    causes.append((piece, n, at_work))
        if causes:
            found = _influenced(world, battle, step, found, causes)
    return found


def in_battle(world: World, state: State, battle: Battle, role: Role, force: Stack) -> Armed:
    """How these units fire in this battle, beside and against all who are there."""
    here = {**state.at(battle.space), **force}
    causes = {
        p: n
        for p, n in here.items()
        if (modifiers := type_of(world, state, p).modifiers) and any(m.role in (None, role) for m in modifiers)
    }
    if state.building and battle.space in state.building:  # what is not finished does nothing
        causes = {p: n for p, n in causes.items() if p.type not in state.building[battle.space]}
    if not causes:
        return [(p, n, alone(type_of(world, state, p), role, battle)) for p, n in force.items()]
    friends = {p: n for p, n in causes.items() if p in force or takes_part(world, state, battle, role, p)}
    other: Role = "defense" if role == "attack" else "attack"
    enemies = {p: n for p, n in causes.items() if takes_part(world, state, battle, other, p)}
    damage = state.damage.get(battle.space)
    if damage and battle.shaken:  # this round it still does what it did
        damage = {u: n - battle.shaken if u in world.bulwarks else n for u, n in damage.items()}
    return strengths(world, state, role, force, friends=friends, enemies=enemies, battle=battle, damage=damage)


def is_spent(kind: UnitType, battle: Battle | None) -> bool:
    """Such a unit has had its one strike in this battle (G40-AIR-15)."""
    return kind.strikes_once and battle is not None and battle.round > 1


def _own(kind: UnitType, role: Role) -> int:
    """The unit's number; who strikes once has one for attack and defence (G40-AIR-16)."""
    return kind.attack if role == "attack" or kind.strikes_once else kind.defense


def alone(kind: UnitType, role: Role, battle: Battle | None = None) -> Strength:
    """How such a unit fires on an ordinary day, with nobody beside or against it."""
    if is_spent(kind, battle):
        return SPENT
    strength = Strength(_own(kind, role))
    for modifier in kind.modifiers:
        if not (modifier.units or modifier.only or modifier.during) and modifier.role in (None, role):
            strength = changed(strength, modifier)
    return strength


def changed(strength: Strength, modifier: Modifier) -> Strength:
    value = modifier.value if modifier.value is not None else strength.value + modifier.amount
    return Strength(
        max(0, value),
        strength.dice if modifier.dice is None else modifier.dice,
        strength.best or modifier.best,
        max(strength.picks, modifier.picks),
    )


def _special_last(modifiers: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """What holds during some steps only has the last word, wherever it comes from; among those, what names pieces."""
    if not any(modifier.during for modifier in modifiers):
        return modifiers
    return tuple(sorted(modifiers, key=lambda m: (bool(m.during), bool(m.during and m.only))))


def _step(world: World, battle: Battle | None) -> str:
    if battle is None:
        return ""
    steps = world.battles[battle.kind].steps
    return steps[battle.step] if battle.step < len(steps) else ""


def _holds(world: World, battle: Battle | None, step: str, modifier: Modifier, piece: Piece) -> bool:
    """The modifier's conditions are met by this piece, at this step."""
    if modifier.during and step not in modifier.during:
        return False
    for condition in modifier.only:
        if condition == "landed" and (battle is None or not seaborne(world, battle, {piece: 1})):
            return False
        if condition == "loaded" and not piece.cargo:
            return False
    return True


def _influenced(world: World, battle: Battle | None, step: str, force: Armed, causes: list[Cause]) -> Armed:
    """The force after what others of one side do to it."""
    counted: list[Cause] = []
    for cause, n, modifiers in causes:
        pairings = [m for m in modifiers if m.number is not None]
        if pairings:
            counted.append((cause, n, pairings))
        for modifier in modifiers:
            if modifier.number is None:
                force = [
                    (p, k, changed(s, modifier) if _reaches(world, battle, step, modifier, p, s) else s)
                    for p, k, s in force
                ]
    if len(counted) > 1:
        counted.sort(key=lambda c: (len(c[2]), world.unit_ranks[c[0].type], piece_key(c[0])))
    free, settled = force, []
    for _, n, pairings in counted:
        left = n
        for modifier in pairings:
            if left:
                free, taken, left = _paired(world, battle, step, modifier, free, left)
                settled += taken
    return _merged([*free, *settled])


def _reaches(
    world: World, battle: Battle | None, step: str, modifier: Modifier, piece: Piece, strength: Strength
) -> bool:
    """The modifier is about this piece, and makes a difference in the direction that it is meant to."""
    if piece.type not in modifier.units or not _holds(world, battle, step, modifier, piece):
        return False
    gain = _gain(strength, changed(strength, modifier))
    return gain < 0 if modifier.enemies else gain > 0


def _gain(before: Strength, after: Strength) -> int:
    """What a change is worth, roughly: the number hit at, for every die, and the choice of victims last."""
    return 100 * (after.value * after.dice - before.value * before.dice) + after.picks - before.picks


def _paired(
    world: World, battle: Battle | None, step: str, modifier: Modifier, free: Armed, helpers: int
) -> tuple[Armed, Armed, int]:
    """(those whom nobody has helped yet, those helped now, helpers left over)."""
    assert modifier.number is not None
    seats = helpers * modifier.number
    rest: Armed = []
    taken: Armed = []
    wanting = [g for g in free if _reaches(world, battle, step, modifier, g[0], g[2])]
    if len(wanting) > 1:
        ranks = world.unit_ranks
        wanting.sort(key=lambda g: (-abs(_gain(g[2], changed(g[2], modifier))), ranks[g[0].type], piece_key(g[0])))
    for piece, n, strength in wanting:
        some = min(n, seats)
        seats -= some
        if some:
            taken.append((piece, some, changed(strength, modifier)))
        if n > some:
            rest.append((piece, n - some, strength))
    others = [g for g in free if g not in wanting]
    return [*others, *rest], taken, seats // modifier.number


def _merged(force: Armed) -> Armed:
    found: dict[tuple[Piece, Strength], int] = {}
    for piece, n, strength in force:
        found[piece, strength] = found.get((piece, strength), 0) + n
    return [(piece, n, strength) for (piece, strength), n in found.items()]
