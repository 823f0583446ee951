"""Raids on complexes and flights over guns: how many planes come through, and what the bombs cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from sandtable.engine.battle.forces import raiders
from sandtable.engine.facts import NOTHING, active, enemies_in, type_of
from sandtable.engine.state import Battle, State
from sandtable.errors import SandtableError
from sandtable.notation.names import names
from sandtable.odds.hits import Floats, binomial
from sandtable.odds.model import Act, OddsError, read_steps
from sandtable.odds.read import resolve
from sandtable.world.model import PowerId, SpaceId, TechId, UnitId, World
from sandtable.world.profiles import profile


class RaidOdds(msgspec.Struct, frozen=True):
    """Chances by number of planes lost, and by I.P.C. of damage; `joint[lost][damage]` is both at once."""

    lost: tuple[float, ...]
    damage: tuple[float, ...]
    joint: tuple[tuple[float, ...], ...]
    loss_worth: float  # I.P.C. of planes lost, on average

    @property
    def expected_damage(self) -> float:
        return float(sum(i * p for i, p in enumerate(self.damage)))

    @property
    def expected_lost(self) -> float:
        return float(sum(i * p for i, p in enumerate(self.lost)))

    @property
    def swing(self) -> float:
        """Damage less planes lost, in I.P.C."""
        return self.expected_damage - self.loss_worth

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": "raid",
            "exact": True,
            "lost": list(self.lost),
            "damage": list(self.damage),
            "expected_damage": self.expected_damage,
            "expected_lost": self.expected_lost,
            "loss_worth": self.loss_worth,
            "swing": self.swing,
        }


def raid_odds(
    world: World,
    planes: Mapping[UnitId, int] | str,
    *,
    kind: str = "raid",
    power: PowerId | None = None,
    techs: Iterable[TechId] = (),
    aa_guns: int = 1,
    money: int | None = None,
) -> RaidOdds:
    """The odds of a raid, or of flying over so many guns (`kind="overflight"`).

    `money` is what the victim can pay at most. However many guns a territory holds, one fires; an overflight passes
    `aa_guns` territories with guns. Among several kinds of planes the cheapest are lost first.
    """
    who = world.order[0] if power is None else names(world, "power").find(power)
    known = frozenset(names(world, "technology").find(t) for t in techs)
    gun = max((u.anti_air for u in world.units.values()), default=0) if aa_guns else 0
    if aa_guns < 0:
        raise OddsError(f"There cannot be {aa_guns} AA guns.")
    volleys = aa_guns if kind == "overflight" else min(aa_guns, 1)
    return _odds(world, kind, who, known, resolve(world, planes), gun, volleys, money)


def raid_odds_of(world: World, state: State, space: SpaceId) -> RaidOdds:
    """The odds of the raid that is planned or open in this space."""
    power = active(world, state)
    bombers = raiders(state, Battle(space, "raid", power))
    if not bombers:
        raise OddsError(f"Nobody flies a raid on {world.spaces[space].name}.")
    planes: dict[UnitId, int] = {}
    for piece, n in bombers.items():
        planes[piece.type] = planes.get(piece.type, 0) + n
    gun = max((type_of(world, state, p).anti_air for p, _ in enemies_in(world, state, power, space)), default=0)
    owner = state.owners.get(space)
    money = None if owner is None else state.treasury[owner]
    return _odds(world, "raid", power, state.techs.get(power, NOTHING), planes, gun, 1, money)


def _odds(
    world: World,
    kind: str,
    power: PowerId,
    techs: frozenset[TechId],
    planes: Mapping[UnitId, int],
    gun: int,
    volleys: int,
    money: int | None,
) -> RaidOdds:
    if kind not in ("raid", "overflight") or kind not in world.battles:
        raise OddsError(f"There is no raid of the kind {kind!r}; known are raid and overflight.")
    acts: list[Act] = read_steps(world.battles[kind], True)
    if any(act not in ("aa", "bombs") for act in acts):
        raise OddsError(f"The calculator does not understand raids with the steps {', '.join(world.battles[kind])}.")
    values = profile(world, power, techs)
    line: list[UnitId] = []  # single planes, first lost first
    for unit in sorted(planes, key=lambda u: (values[u].cost or 0, list(world.units).index(u))):
        if world.units[unit].domain != "air":
            raise SandtableError(f"Only planes can fly over guns, not {world.units[unit].plural}.")
        if "bombs" in acts and not values[unit].raid_dice:
            raise SandtableError(f"{world.units[unit].plural.capitalize()} cannot raid.")
        line += [unit] * planes[unit]
    number = len(line)
    sides = world.rules.dice_sides
    lost: Floats = np.zeros(number + 1)
    lost[0] = 1.0
    for _ in range(volleys if "aa" in acts and gun else 0):
        after = np.zeros(number + 1)
        for gone in range(number + 1):
            after[gone:] += lost[gone] * binomial(number - gone, gun, sides)
        lost = after
    dice = [values[u].raid_dice if "bombs" in acts else 0 for u in line]
    face = np.concatenate((np.zeros(1), np.full(sides, 1 / sides)))
    size = sum(dice) * sides + 1
    joint = np.zeros((number + 1, size))
    sums = np.ones(1)
    for gone in range(number, -1, -1):
        joint[gone, : len(sums)] = lost[gone] * sums
        for _ in range(dice[gone - 1] if gone else 0):
            sums = np.convolve(sums, face)
    if money is not None and money + 1 < size:  # nobody pays more than there is
        joint[:, money] = joint[:, money:].sum(axis=1)
        joint = joint[:, : money + 1]
    prices = np.array([0, *np.cumsum([profile(world, power)[u].cost or 0 for u in line])], dtype=float)
    return RaidOdds(
        tuple(map(float, joint.sum(axis=1))),
        tuple(map(float, joint.sum(axis=0))),
        tuple(tuple(map(float, row)) for row in joint),
        float(lost @ prices),
    )
