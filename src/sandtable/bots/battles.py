"""What a battle would bring: the calculator's odds, kept so that the same battle is never worked out twice.

A battle that is only thought of is put on paper and mustered by the engine (`sandtable.odds.paper`), like those that
the calculator is asked about: who fires in support, and what guns may fire at, is nobody else's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from sandtable.engine.battle.muster import Muster, muster
from sandtable.engine.facts import NOTHING
from sandtable.engine.state import State
from sandtable.odds.intentions import Intentions
from sandtable.odds.known import obstacle
from sandtable.odds.model import BattleModel
from sandtable.odds.model import price as price
from sandtable.odds.paper import Shore, on_paper
from sandtable.odds.position import model_of
from sandtable.odds.result import Odds
from sandtable.odds.solve import solve
from sandtable.world.model import PowerId, TechId, UnitId, World
from sandtable.world.profiles import profile

Units = Mapping[UnitId, int]
Army = tuple[tuple[PowerId, UnitId, int], ...]
"""One force of a battle in a fixed order, so that it can be a key."""

Techs = tuple[tuple[PowerId, frozenset[TechId]], ...]
Shores = tuple[Shore, ...]

RUNS = 40  # battles that are played where the calculator knows no exact odds: a number, so that all machines agree
GLIMPSES = 12  # the same for a battle that is being fought: it is asked about after every round
LOSSES = "cheapest"  # the order in which bots lose their units (`battle_answers.casualties`)
KEPT = 20_000  # battles
SINKING = 0.5  # chance of the attacker from which on defending submarines would rather leave


class Outlook(msgspec.Struct, frozen=True):
    """What is to be expected of a battle fought to the end."""

    win: float  # the attacker clears the space
    take: float  # ... and has a unit left that can hold land
    attacker_loss: float  # I.P.C.
    defender_loss: float
    survivors: tuple[tuple[UnitId, int], ...] = ()  # attackers left when they win, on average, rounded
    escaped: Army = ()  # defending submarines that leave the battle alive, on average, rounded

    @property
    def swing(self) -> float:
        return self.defender_loss - self.attacker_loss


HOPELESS = Outlook(0.0, 0.0, 0.0, 0.0)


def army(power: PowerId, units: Units) -> Army:
    return tuple((power, u, n) for u, n in sorted(units.items()) if n > 0)


def worth(world: World, force: Army) -> int:
    return sum(price(world, p, u) * n for p, u, n in force)


def technologies(state: State, *armies: Army) -> Techs:
    """What the powers of these armies have developed."""
    return tuple(sorted((p, state.techs.get(p, NOTHING)) for p in {p for force in armies for p, _, _ in force}))


_WORLDS: dict[int, World] = {}
_judged: dict[tuple[object, ...], Outlook] = {}


def world_key(world: World) -> int:
    """A key for caches; one world at a time is kept in them."""
    if _WORLDS.get(id(world)) is not world:
        _WORLDS.clear()
        _WORLDS[id(world)] = world
        _judged.clear()
        for cache in CACHES:
            cache.cache_clear()
    return id(world)


def world_of(key: int) -> World:
    return _WORLDS[key]


def undefended(world: World, state: State, attack: Army) -> Outlook:
    """Nobody is there: whoever can hold land takes it."""
    takes = any(n and profile(world, p, state.techs.get(p, NOTHING))[u].captures for p, u, n in attack)
    return Outlook(1.0, float(takes), 0.0, 0.0)


def expect(
    world: World,
    state: State,
    attack: Army,
    defense: Army,
    *,
    kind: str = "land",
    shores: Shores = (),
    guns: Army = (),
    keep_land: bool = True,
    runs: int = RUNS,
) -> Outlook:
    """The odds of the battle fought to the end; the attacker loses its last unit that can hold land last.

    `shores` tells which of the attackers come from the sea, and which ships lie there to support them; `guns` are
    antiaircraft guns among the defenders. Defending submarines leave when that is better for them. `runs` tells how
    often it is played where it cannot be calculated.
    """
    if not any(n for _, _, n in defense):
        return undefended(world, state, attack)
    if not any(n for _, _, n in attack):
        return HOPELESS
    techs = technologies(state, attack, defense, guns)
    return _expect(
        world_key(world), techs, attack, defense, kind, shores, guns, keep_land and world.battles[kind].captures, runs
    )


@lru_cache(maxsize=20_000)
def _expect(
    key: int,
    techs: Techs,
    attack: Army,
    defense: Army,
    kind: str,
    shores: Shores,
    guns: Army,
    keep_land: bool,
    runs: int,
) -> Outlook:
    world = world_of(key)
    found = mustered(world, dict(techs), attack, with_guns(defense, guns), kind, shores)
    if found is None:
        return HOPELESS
    return judged(world, found, keep_land, runs)


def with_guns(defense: Army, guns: Army) -> Army:
    """A garrison with its guns; those that can be lost in battle are in it already."""
    there = {(p, u) for p, u, _ in defense}
    return (*defense, *(gun for gun in guns if gun[:2] not in there))


def is_calculated(
    world: World, state: State, attack: Army, defense: Army, kind: str, shores: Shores = (), guns: Army = ()
) -> bool:
    """The calculator knows exact odds of such a battle. That hangs on the kinds that meet, not on their numbers."""
    techs = technologies(state, attack, defense, guns)
    alike = [tuple((p, u, 1) for p, u, _ in force) for force in (attack, defense, guns)]
    landing = tuple(
        Shore(tuple((u, 1) for u, _ in shore.troops), tuple((u, 1) for u, _ in shore.ships)) for shore in shores[:1]
    )
    return _is_calculated(world_key(world), techs, alike[0], alike[1], kind, landing, alike[2])


@lru_cache(maxsize=20_000)
def _is_calculated(key: int, techs: Techs, attack: Army, defense: Army, kind: str, shores: Shores, guns: Army) -> bool:
    world = world_of(key)
    found = mustered(world, dict(techs), attack, with_guns(defense, guns), kind, shores)
    if found is None:
        return True
    return obstacle(model_of(world, found, attacker_order=LOSSES, defender_order=LOSSES), found) is None


def mustered(
    world: World, techs: Mapping[PowerId, frozenset[TechId]], attack: Army, defense: Army, kind: str, shores: Shores
) -> Muster | None:
    """The battle on paper, as the engine would open it."""
    overland = {u: n for _, u, n in attack}
    for shore in shores:
        for unit, n in shore.troops:
            overland[unit] -= n
    coming = tuple((u, n) for u, n in overland.items() if n > 0)
    state, space = on_paper(world, attack[0][0], coming, defense, at_sea=kind == "sea", shores=shores, techs=techs)
    return muster(world, state, space, kind)


def judged(world: World, found: Muster, keep_land: bool, runs: int = RUNS) -> Outlook:
    """The odds of a battle that is about to begin, its submarines gone where that is better for the defender.

    Battles are told apart by what the calculator sees of them, so that the same forces elsewhere cost nothing.
    """
    model = model_of(world, found, attacker_order=LOSSES, defender_order=LOSSES, keep_land=int(keep_land))
    fields = (getattr(model, name) for name in model.__struct_fields__ if name != "world")
    key = (world_key(world), runs, *fields)
    known = _judged.get(key)
    if known is None:
        if len(_judged) >= KEPT:
            _judged.clear()
        known = _judged[key] = _judge(model, found, runs)
    return known


def _judge(model: BattleModel, found: Muster, runs: int) -> Outlook:
    stay = solve(model, Intentions(), found, runs=runs, seconds=None)
    look = outlook_of(stay)
    if stay.win > SINKING and any(k.leaves for k in model.defense.kinds):
        left = solve(model, Intentions(defender_submarines="leave"), found, runs=runs, seconds=None)
        if left.swing < stay.swing:
            boats = {k.unit: k.power for k in model.defense.kinds if k.leaves}
            look = outlook_of(left, boats)
    return look


def outlook_of(odds: Odds, boats: Mapping[UnitId, PowerId] | None = None) -> Outlook:
    """What of the odds matters to a plan; `boats` are those of the defender that leave."""
    lost, killed = odds.expected_losses
    (ours, theirs), (attack, defense) = odds.losses_by_type, odds.forces
    left = {unit: round(n - ours.get(unit, 0.0)) for unit, n in attack.items()}
    away = tuple(
        (p, u, n) for u, p in sorted((boats or {}).items()) if (n := round(defense[u] - theirs.get(u, 0.0))) > 0
    )
    survivors = tuple((unit, n) for unit, n in sorted(left.items()) if n > 0)
    return Outlook(odds.win, odds.take_and_hold(1), lost, killed, survivors, away)


def support(world: World, state: State, power: PowerId, shores: Shores) -> float:
    """What ships off these shores hit on average in support of a landing, by the engine's word who may fire."""
    if not any(shore.ships for shore in shores):
        return 0.0
    return _support(world_key(world), power, state.techs.get(power, NOTHING), shores)


@lru_cache(maxsize=20_000)
def _support(key: int, power: PowerId, techs: frozenset[TechId], shores: Shores) -> float:
    world = world_of(key)
    enemy = next(p for p in world.order if not world.same_side(p, power))
    target = next(u for u, facts in profile(world, enemy).items() if facts.casualty and facts.domain == "land")
    troops: dict[UnitId, int] = {}
    for shore in shores:
        for unit, n in shore.troops:
            troops[unit] = troops.get(unit, 0) + n
    if not troops:
        return 0.0
    many = sum(n for shore in shores for _, n in shore.ships)
    found = mustered(world, {power: techs}, army(power, troops), ((enemy, target, many),), "land", shores)
    sides = world.rules.dice_sides
    return 0.0 if found is None else sum(min(value, sides) * dice for value, dice in found.support) / sides


def flak(world: World, state: State, attacker: PowerId, guns: Army) -> int:
    """What these guns hit the attacker's planes on, by the engine's word which of them fires; 0 without guns."""
    return _flak(world_key(world), technologies(state, guns), attacker, guns) if guns else 0


@lru_cache(maxsize=20_000)
def _flak(key: int, techs: Techs, attacker: PowerId, guns: Army) -> int:
    world = world_of(key)
    planes = (u for u, facts in profile(world, attacker).items() if facts.domain == "air" and facts.attacks)
    plane = next(planes, None)
    found = mustered(world, dict(techs), ((attacker, plane, 1),), guns, "land", ()) if plane is not None else None
    return 0 if found is None else found.gun


CACHES = [_expect, _is_calculated, _support, _flak]
"""Emptied when another world comes; `glance` adds its own."""
