"""A battle as the calculator sees it: kinds of units with numbers, and the engine's own list of steps.

Nothing about the rules is decided here. Numbers come from the powers' profiles, the sequence of a round from
`world.battles`, and who takes part from `engine.battle.muster`. Whether the calculator understands all of it is decided
in `known`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandtable.engine.battle.strength import Strength, alone
from sandtable.engine.state import Role
from sandtable.errors import SandtableError, one_stop
from sandtable.world.model import Domain, MarkId, PowerId, TechId, UnitId, UnitType, World
from sandtable.world.profiles import marked, profile

DOMAINS: tuple[Domain, ...] = ("land", "air", "sea", "facility")
Aim = frozenset[Domain]
"""The domains that a hit can strike."""

ANYTHING: Aim = frozenset(DOMAINS)
PLANES: Aim = frozenset({"air"})

Act = Literal[
    "aa",
    "drop",
    "support",
    "first",
    "strike",
    "strike-back",
    "struck",
    "doom",
    "reply",
    "clear",
    "defenceless",
    "struck-alone",
    "left-alone",
    "alone",
    "end",
    "submarines",
    "retreat",
    "bombs",
    "ready",
    "overrun",
    "flak",
    "coast",
    "surprise",
    "shot-down",
    "turn-back",
    "dive",
    "spent",
]
"""What a step of a battle is to the calculator (`known.ACTS`)."""


class OddsError(SandtableError):
    """A battle that cannot be calculated, with the reason for a player."""

    def __init__(self, text: str) -> None:
        super().__init__(one_stop(text))


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """Units that are alike in everything that matters to a battle."""

    power: PowerId
    unit: UnitId
    domain: Domain
    value: int  # hits on this or less
    dice: int = 1
    first: bool = False  # fires before the others, and its victims do not reply
    aim: Aim = ANYTHING
    worth: int = 0  # I.P.C., cargo included
    captures: bool = False
    landed: bool = False  # came ashore in this battle, so it cannot retreat
    leaves: bool = False  # may withdraw or submerge when asked
    boosts: tuple[tuple[UnitId, int], ...] = ()  # so many of those units attack one better
    shield: bool = False  # no unit: a hit that a unit of this kind takes without being lost
    last: bool = False  # lost only when a hit can strike nothing else
    deck: tuple[tuple[UnitId, int], ...] = ()
    aboard: tuple[tuple[UnitId, int], ...] = ()  # troops that go down with it if AA guns hit it, and jump if not
    jumps: bool = False  # such troops
    techs: frozenset[TechId] = frozenset()  # of the power
    marks: tuple[MarkId, ...] = ()  # that they carry
    bulwark: bool = False  # one facility, counted by the hits that it can still take; they come first
    prey: tuple[UnitId, ...] = ()  # it serves against these alone, and holds nothing without them

    def type_in(self, world: World) -> UnitType:
        """Everything that the edition says of these units, with edits, technologies and marks."""
        if self.marks:
            return marked(world, self.power, self.techs, self.unit, self.marks)
        return profile(world, self.power, self.techs)[self.unit]


class Force(msgspec.Struct, frozen=True):
    """One force: kinds, how many of each, and the order in which single units are lost (indices into kinds)."""

    kinds: tuple[Kind, ...]
    counts: tuple[int, ...]
    order: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        return sum(self.by_type().values())

    def by_type(self) -> dict[UnitId, int]:
        """The units of the force, whoever owns them."""
        found: dict[UnitId, int] = {}
        for kind, n in zip(self.kinds, self.counts, strict=True):
            if n and not kind.shield:
                found[kind.unit] = found.get(kind.unit, 0) + (1 if kind.bulwark else n)
        return found


class BattleModel(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides a battle, apart from dice and plans."""

    world: World
    kind: str
    steps: tuple[str, ...]
    attack: Force
    defense: Force
    dice_sides: int = 6
    aa: int = 0  # the gun hits planes on this or less; 0: no gun
    aa_each: bool = False  # every plane has a die of its own, so that nobody picks the losses
    support: tuple[tuple[int, int], ...] = ()  # (hits on this or less, dice) of ships that support a landing
    by_column: bool = False
    planes_may_leave: bool = True  # while landed troops fight on
    overland_may_leave: bool = False  # and with them all who came overland
    can_retreat: bool = True
    shelter: bool = False  # defending planes without a deck find an island
    ack: tuple[tuple[int, int], ...] = ()  # like `support`: ships at planes, which go down at once
    flak: tuple[tuple[int, int], ...] = ()  # like `support`: guns at planes, which strike before they go down
    coast: tuple[tuple[float, tuple[int, ...]], ...] = ()  # chances to lose so many of each kind to fire at the fleet

    @property
    def techs(self) -> dict[PowerId, frozenset[TechId]]:
        """What the powers know: the engine asks a battle for it as it asks a state (`facts.Knowing`)."""
        return {k.power: k.techs for force in (self.attack, self.defense) for k in force.kinds}

    @property
    def takes_land(self) -> bool:
        return self.world.battles[self.kind].captures

    @property
    def has_decks(self) -> bool:
        """Planes of sunken carriers have to find a place."""
        return "find-decks" in self.world.battles[self.kind].ending

    @property
    def types(self) -> list[UnitType]:
        """What the units that fight can do, kind by kind."""
        return [k.type_in(self.world) for force in (self.attack, self.defense) for k in force.kinds]


def make_kind(
    world: World,
    role: Role,
    power: PowerId,
    unit: UnitId,
    techs: frozenset[TechId] = frozenset(),
    *,
    cargo: int = 0,
    landed: bool = False,
    marks: tuple[MarkId, ...] = (),
    strength: Strength | None = None,
) -> Kind:
    """What a unit of this power does in this role; `strength` is how it fires in its battle, unhelped by others."""
    skilled = marked(world, power, techs, unit, marks) if marks else profile(world, power, techs)[unit]
    own = strength or alone(skilled, role)
    return Kind(
        power=power,
        unit=unit,
        domain=skilled.domain,
        value=own.value,
        dice=own.dice,
        first=role == "attack" and "attack" in skilled.first_shot,
        aim=frozenset(d for d in skilled.hits_only or DOMAINS if d in DOMAINS and d not in skilled.cannot_hit),
        worth=price(world, power, unit) + cargo,
        captures=skilled.captures,
        landed=landed,
        leaves=role in skilled.withdraws or role in skilled.submerges,
        deck=tuple(skilled.deck.items()),
        boosts=tuple(
            (helped, modifier.number)
            for modifier in skilled.modifiers
            for helped in modifier.units
            if modifier.number is not None and modifier.role in (None, role) and not modifier.enemies
        ),
        last=skilled.chosen_last,
        techs=techs,
        marks=marks,
        bulwark=skilled.bulwark,
        prey=skilled.hits_only if skilled.anti_tank is not None and skilled.anti_tank.mark in marks else (),
    )


def price(world: World, power: PowerId, unit: UnitId) -> int:
    """What a unit counts: the edition's price with edits, without technologies."""
    return profile(world, power)[unit].cost or 0


def shield_of(kind: Kind) -> Kind:
    """The hits that units of this kind take without being lost: no dice, no worth, and given away before anything."""
    return msgspec.structs.replace(
        kind, value=0, dice=0, worth=0, shield=True, captures=False, boosts=(), deck=(), leaves=False, first=False
    )
