"""A battle as the calculator sees it: kinds of units with numbers, and the engine's own list of steps.

Nothing about the rules is decided here. Numbers come from the powers' profiles, the sequence of a round from
`world.battles`, which steps happen once and what becomes of casualties from the engine's tables of steps. A step that
the calculator cannot read is an error, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from sandtable.engine.battle.steps import FATES, ONCE
from sandtable.errors import SandtableError
from sandtable.world.model import Domain, PowerId, TechId, UnitId, World
from sandtable.world.profiles import profile

Side = Literal["attack", "defense"]
DOMAINS: tuple[Domain, ...] = ("land", "air", "sea", "facility")
Aim = frozenset[Domain]
"""The domains that a hit can strike."""

ANYTHING: Aim = frozenset(DOMAINS)
PLANES: Aim = frozenset({"air"})

Role = Literal["aa", "support", "first", "doom", "reply", "clear", "end", "submarines", "retreat", "bombs"]
ROLES: dict[str, Role] = {
    "aa-fire": "aa",
    "support-shot": "support",
    "submarine-fire": "first",
    "attackers-fire": "doom",
    "defenders-fire": "reply",
    "remove-casualties": "clear",
    "check-end": "end",
    "submarines-withdraw": "submarines",
    "retreat": "retreat",
    "bombs": "bombs",
}
"""What each of the engine's steps is to the calculator."""

EXPECTED_FATES: dict[Role, str] = {
    "aa": "aa",
    "support": "doomed",
    "first": "first-shot",
    "doom": "doomed",
    "reply": "battle",
}


class OddsError(SandtableError):
    """A battle that cannot be calculated, with the reason for a player."""


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
    leaves: bool = False  # may withdraw or submerge after a round
    deck: tuple[tuple[UnitId, int], ...] = ()


class Force(msgspec.Struct, frozen=True):
    """One side: kinds, how many of each, and the order in which single units are lost (indices into kinds)."""

    kinds: tuple[Kind, ...]
    counts: tuple[int, ...]
    order: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        return sum(self.counts)


class BattleModel(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides a battle, apart from dice and plans."""

    kind: str
    steps: tuple[str, ...]
    attack: Force
    defense: Force
    dice_sides: int = 6
    aa: int = 0  # the gun hits planes on this or less; 0: no gun
    support: tuple[tuple[int, int], ...] = ()  # (hits on this or less, dice) of ships that support a landing
    by_column: bool = False
    planes_may_leave: bool = True  # while landed troops fight on
    can_retreat: bool = True
    shelter: bool = False  # defending planes without a deck find an island

    def roles(self, first_round: bool) -> list[Role]:
        return read_steps(self.steps, first_round)


def read_steps(steps: Iterable[str], first_round: bool) -> list[Role]:
    """The roles of a round's steps, checked to be a sequence that the calculator understands."""
    roles: list[Role] = []
    for step in steps:
        if step not in ROLES:
            known = ", ".join(ROLES)
            raise OddsError(
                f"The odds of a battle with the step {step!r} cannot be calculated; known steps are {known}."
            )
        role = ROLES[step]
        if FATES.get(step, "") != EXPECTED_FATES.get(role, ""):
            raise OddsError(f"The step {step!r} treats its casualties in a way that the calculator does not know.")
        if first_round or step not in ONCE:
            roles.append(role)
    return roles


def check_sequence(steps: Iterable[str]) -> None:
    """Attackers fire (first shots before the rest), defenders reply, casualties go, then the ends of a round."""
    rank: dict[Role, int] = {"aa": 0, "first": 1, "support": 2, "doom": 2, "reply": 3, "clear": 4}
    places = [rank.get(role, 5) for role in read_steps(steps, True)]
    names = read_steps(steps, True)
    if places != sorted(places) or names.count("reply") != 1 or "end" not in names or "clear" not in names:
        raise OddsError(f"The calculator does not understand battles with the steps {', '.join(steps)}.")


def make_kind(
    world: World,
    side: Side,
    power: PowerId,
    unit: UnitId,
    techs: frozenset[TechId] = frozenset(),
    *,
    cargo: int = 0,
    landed: bool = False,
) -> Kind:
    """What a unit of this power does on this side of a battle."""
    plain = world.units[unit]
    skilled = profile(world, power, techs)[unit]
    price = profile(world, power)[unit].cost or 0
    spared = set(skilled.cannot_hit)
    return Kind(
        power=power,
        unit=unit,
        domain=plain.domain,
        value=skilled.attack if side == "attack" else skilled.defense,
        dice=skilled.attack_dice if side == "attack" else 1,
        first=side == "attack" and "attack" in plain.first_shot,
        aim=ANYTHING - spared,
        worth=price + cargo,
        captures=plain.captures,
        landed=landed,
        leaves=side in plain.withdraws or side in plain.submerges,
        deck=tuple(plain.deck.items()),
    )


def gun_value(world: World, power: PowerId, units: Mapping[UnitId, int], techs: frozenset[TechId] = frozenset()) -> int:
    """What the best AA gun among these units hits on; however many there are, one fires."""
    values = profile(world, power, techs)
    return max((values[u].anti_air for u, n in units.items() if n > 0), default=0)
