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

Role = Literal["attack", "defense"]
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
    "alone",
    "end",
    "submarines",
    "retreat",
    "bombs",
]
ACTS: dict[str, Act] = {
    "aa-fire": "aa",
    "paratroopers-drop": "drop",
    "support-shot": "support",
    "submarine-fire": "first",
    "surprise-strike": "strike",
    "surprise-reply": "strike-back",
    "remove-struck": "struck",
    "defenceless-transports": "defenceless",
    "lone-transports": "alone",
    "attackers-fire": "doom",
    "defenders-fire": "reply",
    "remove-casualties": "clear",
    "check-end": "end",
    "submarines-withdraw": "submarines",
    "retreat": "retreat",
    "bombs": "bombs",
}
"""What each of the engine's steps is to the calculator."""

EXPECTED_FATES: dict[Act, str] = {
    "aa": "aa",
    "support": "doomed",
    "first": "first-shot",
    "strike": "doomed",
    "strike-back": "first-shot",
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
    leaves: bool = False  # may withdraw or submerge when asked
    boosts: tuple[tuple[UnitId, int], ...] = ()  # so many of those units attack one better
    shield: bool = False  # no unit: a hit that a unit of this kind takes without being lost
    last: bool = False  # lost only when a hit can strike nothing else
    deck: tuple[tuple[UnitId, int], ...] = ()
    aboard: tuple[tuple[UnitId, int], ...] = ()  # troops that go down with it if AA guns hit it, and jump if not
    jumps: bool = False  # such troops


class Force(msgspec.Struct, frozen=True):
    """One force: kinds, how many of each, and the order in which single units are lost (indices into kinds)."""

    kinds: tuple[Kind, ...]
    counts: tuple[int, ...]
    order: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        return sum(n for kind, n in zip(self.kinds, self.counts, strict=True) if not kind.shield)

    def by_type(self) -> dict[UnitId, int]:
        """The units of the force, whoever owns them."""
        found: dict[UnitId, int] = {}
        for kind, n in zip(self.kinds, self.counts, strict=True):
            if n and not kind.shield:
                found[kind.unit] = found.get(kind.unit, 0) + n
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

    def acts(self, first_round: bool) -> list[Act]:
        return read_steps(self.steps, first_round)

    @property
    def intricate(self) -> bool:
        """Who fires when, and at whom, hangs on who is left on the other force: submarines and transports at sea."""
        acts = set(self.acts(True))
        if not acts & {"strike", "strike-back", "defenceless", "alone"}:
            return False
        units = {k.unit for force in (self.attack, self.defense) for k in force.kinds}
        return any(self.world.units[u].first_shot or self.world.units[u].chosen_last for u in units)


def read_steps(steps: Iterable[str], first_round: bool) -> list[Act]:
    """The acts of a round's steps, checked to be a sequence that the calculator understands."""
    acts: list[Act] = []
    for step in steps:
        if step not in ACTS:
            known = ", ".join(ACTS)
            raise OddsError(
                f"The odds of a battle with the step {step!r} cannot be calculated; known steps are {known}."
            )
        act = ACTS[step]
        if FATES.get(step, "") != EXPECTED_FATES.get(act, ""):
            raise OddsError(f"The step {step!r} treats its casualties in a way that the calculator does not know.")
        if first_round or step not in ONCE:
            acts.append(act)
    return acts


def plain_acts(acts: Iterable[Act]) -> list[Act]:
    """A round of a battle that is not intricate: what would change nothing is left out.

    An end that is looked for between the fires finds nobody who could still fire.
    """
    kept = [r for r in acts if r not in ("drop", "strike", "strike-back", "struck", "defenceless", "alone")]
    fires = [place for place, act in enumerate(kept) if act in ("doom", "reply")]
    last = fires[-1] if fires else -1
    return [r for place, r in enumerate(kept) if place > last or r not in ("end", "submarines")]


def check_sequence(steps: Iterable[str]) -> None:
    """Attackers fire (first shots before the rest), defenders reply, casualties go, then the ends of a round."""
    rank: dict[Act, int] = {"aa": 0, "first": 1, "support": 2, "doom": 2, "reply": 3, "clear": 4}
    names = plain_acts(read_steps(steps, True))
    places = [rank.get(act, 5) for act in names]
    if places != sorted(places) or names.count("reply") != 1 or "end" not in names or "clear" not in names:
        raise OddsError(f"The calculator does not understand battles with the steps {', '.join(steps)}.")


def make_kind(
    world: World,
    role: Role,
    power: PowerId,
    unit: UnitId,
    techs: frozenset[TechId] = frozenset(),
    *,
    cargo: int = 0,
    landed: bool = False,
) -> Kind:
    """What a unit of this power does on this force of a battle."""
    plain = world.units[unit]
    hunters = any(u.hunts for u in world.units.values())  # then a first shot hangs on who is there
    skilled = profile(world, power, techs)[unit]
    price = profile(world, power)[unit].cost or 0
    spared = set(skilled.cannot_hit)
    return Kind(
        power=power,
        unit=unit,
        domain=plain.domain,
        value=skilled.attack if role == "attack" else skilled.defense,
        dice=skilled.attack_dice if role == "attack" else 1,
        first=role == "attack" and "attack" in plain.first_shot and not hunters,
        aim=ANYTHING - spared,
        worth=price + cargo,
        captures=plain.captures,
        landed=landed,
        leaves=role in plain.withdraws or role in plain.submerges,
        deck=tuple(plain.deck.items()),
        boosts=tuple(skilled.boosts.items()) if role == "attack" else (),
        last=plain.chosen_last,
    )


def shield_of(kind: Kind) -> Kind:
    """The hits that units of this kind take without being lost: no dice, no worth, and given away before anything."""
    return msgspec.structs.replace(
        kind, value=0, dice=0, worth=0, shield=True, captures=False, boosts=(), deck=(), leaves=False, first=False
    )


def gun_value(world: World, power: PowerId, units: Mapping[UnitId, int], techs: frozenset[TechId] = frozenset()) -> int:
    """What the best AA gun among these units hits on; however many there are, one fires."""
    values = profile(world, power, techs)
    return max((values[u].anti_air for u, n in units.items() if n > 0), default=0)
