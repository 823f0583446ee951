"""What a battle would bring: exact odds, kept so that the same battle is never worked out twice."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from sandtable.engine.facts import NOTHING
from sandtable.engine.state import State
from sandtable.odds import Intentions, battle_model, solve
from sandtable.odds.model import make_kind
from sandtable.world.model import PowerId, TechId, UnitId, World
from sandtable.world.profiles import profile

Units = Mapping[UnitId, int]
Army = tuple[tuple[PowerId, UnitId, int], ...]
"""One side of a battle in a fixed order, so that it can be a key."""


class Outlook(msgspec.Struct, frozen=True):
    """What is to be expected of a battle fought to the end."""

    win: float  # the attacker clears the space
    take: float  # ... and has a unit left that can hold land
    attacker_loss: float  # I.P.C.
    defender_loss: float
    survivors: tuple[tuple[UnitId, int], ...] = ()  # attackers left when they win, on average, rounded

    @property
    def swing(self) -> float:
        return self.defender_loss - self.attacker_loss


STEEPNESS, HANDICAP = 2.2, 0.12
"""How the balance of average dice becomes a chance: fitted to the exact odds of random battles (error about 4 %)."""

HOPELESS = Outlook(0.0, 0.0, 0.0, 0.0)


def army(power: PowerId, units: Units) -> Army:
    return tuple((power, u, n) for u, n in sorted(units.items()) if n > 0)


def price(world: World, power: PowerId, unit: UnitId) -> int:
    return profile(world, power, NOTHING)[unit].cost or 0


def worth(world: World, force: Army) -> int:
    return sum(price(world, p, u) * n for p, u, n in force)


class _Line(msgspec.Struct, frozen=True):
    """One kind of a side, ready for weighing."""

    price: int
    value: float  # expected hits of one unit a round
    captures: bool
    unit: UnitId


@lru_cache(maxsize=4096)
def _line(world_key: int, power: PowerId, unit: UnitId, techs: frozenset[TechId], attacking: bool) -> _Line:
    world = _WORLDS[world_key]
    kind = profile(world, power, techs)[unit]
    value = kind.attack * kind.attack_dice if attacking else kind.defense
    return _Line(price(world, power, unit), value / world.rules.dice_sides, kind.captures, unit)


_WORLDS: dict[int, World] = {}


def _key(world: World) -> int:
    if _WORLDS.get(id(world)) is not world:
        _WORLDS[id(world)] = world
        _line.cache_clear()
        _weigh.cache_clear()
        _expect.cache_clear()
    return id(world)


def weigh(
    world: World, state: State, attack: Army, defense: Army, *, support: float = 0.0, gun: bool = False
) -> Outlook:
    """The balance of two forces at a glance, for sifting thousands of possibilities; decisions are made by `expect`.

    Plays the battle with average dice: each round both sides lose as many units as the other hits on average.
    """
    techs = tuple(sorted((p, state.techs.get(p, NOTHING)) for p in {p for p, _, _ in (*attack, *defense)}))
    return _weigh(_key(world), techs, attack, defense, support, gun)


@lru_cache(maxsize=200_000)
def _weigh(
    key: int,
    techs: tuple[tuple[PowerId, frozenset[TechId]], ...],
    attack: Army,
    defense: Army,
    support: float,
    gun: bool,
) -> Outlook:
    known = dict(techs)
    ours = sorted(((_line(key, p, u, known[p], True), n) for p, u, n in attack), key=lambda x: (x[0].price, x[0].value))
    theirs = sorted(
        ((_line(key, p, u, known[p], False), n) for p, u, n in defense), key=lambda x: (x[0].price, x[0].value)
    )
    if not theirs:
        return Outlook(1.0, 1.0 if any(x.captures for x, _ in ours) else 0.0, 0.0, 0.0)
    if not ours:
        return HOPELESS
    a_left = [float(n) for _, n in ours]
    d_left = [float(n) for _, n in theirs]
    a_total, d_total = sum(a_left), sum(d_left)
    if gun:
        world = _WORLDS[key]
        for i, (x, _) in enumerate(ours):
            if world.units[x.unit].domain == "air":
                a_left[i] -= a_left[i] / world.rules.dice_sides
    first = support
    for _ in range(12):
        strikes = sum(x.value * n for (x, _), n in zip(ours, a_left, strict=True)) + first
        replies = sum(x.value * n for (x, _), n in zip(theirs, d_left, strict=True))
        first = 0.0
        _lose(d_left, strikes)
        _lose(a_left, replies)
        if sum(d_left) < 0.05 or sum(a_left) < 0.05 or strikes + replies < 0.05:
            break
    a_end, d_end = sum(a_left), sum(d_left)
    edge = (a_end - d_end) / (max(a_total + d_total, 1.0) ** 0.5)
    win = 1.0 / (1.0 + math.exp(-STEEPNESS * (edge - HANDICAP)))
    take = win if any(x.captures for x, _ in ours) else 0.0  # planes are lost before the last unit that can hold land
    a_lost = sum(x.price * (n - left) for (x, n), left in zip(ours, a_left, strict=True))
    d_lost = sum(x.price * (n - left) for (x, n), left in zip(theirs, d_left, strict=True))
    left = tuple((x.unit, round(n)) for (x, _), n in zip(ours, a_left, strict=True) if round(n))
    return Outlook(win, take, a_lost, d_lost, left)


def _lose(left: list[float], hits: float) -> None:
    for i, n in enumerate(left):
        some = min(n, hits)
        left[i] -= some
        hits -= some
        if hits <= 0:
            return


def expect(
    world: World,
    state: State,
    attack: Army,
    defense: Army,
    *,
    kind: str = "land",
    support: float = 0.0,
    gun: bool = False,
    keep_land: bool = True,
) -> Outlook:
    """The exact odds of the battle fought to the end; the attacker loses its last unit that can hold land last.

    `support` is what ships off the shore hit on average in their one shot.
    """
    if not any(n for _, _, n in defense):
        return weigh(world, state, attack, defense)
    if not any(n for _, _, n in attack):
        return HOPELESS
    techs = tuple(sorted((p, state.techs.get(p, NOTHING)) for p in {p for p, _, _ in (*attack, *defense)}))
    shots = round(support * world.rules.dice_sides)
    return _expect(_key(world), techs, attack, defense, kind, shots, gun, keep_land and kind == "land")


@lru_cache(maxsize=20_000)
def _expect(
    key: int,
    techs: tuple[tuple[PowerId, frozenset[TechId]], ...],
    attack: Army,
    defense: Army,
    kind: str,
    shots: int,
    gun: bool,
    keep_land: bool,
) -> Outlook:
    world = _WORLDS[key]
    known = dict(techs)
    ours = [(make_kind(world, "attack", p, u, known[p]), n) for p, u, n in attack]
    theirs = [(make_kind(world, "defense", p, u, known[p]), n) for p, u, n in defense]
    support = tuple((s.support, 1) for s in world.units.values() if s.support)[:1]
    if not shots or kind != "land":
        support = ()
    elif support:
        support = ((support[0][0], max(1, round(shots / support[0][0]))),)
    model = battle_model(
        world, kind, ours, theirs, keep_land=int(keep_land), aa=1 if gun and kind == "land" else 0, support=support
    )
    result = solve(model, Intentions())
    lost, killed = result.expected_losses
    by_type, _ = result.losses_by_type
    left = tuple((u, round(n - by_type.get(u, 0.0))) for _, u, n in attack)
    return Outlook(result.win, result.take_and_hold(1), lost, killed, tuple((u, n) for u, n in left if n > 0))
