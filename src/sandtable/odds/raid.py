"""Raids on complexes and flights over guns: how many planes come through, and what the bombs cost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from sandtable.engine.battle.forces import MEETINGS, raiders
from sandtable.engine.battle.muster import gun_over, opened
from sandtable.engine.events import Damaged, Lost, Paid
from sandtable.engine.facts import NOTHING, active, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Stack, State, add
from sandtable.notation.names import names
from sandtable.odds.answers import unforeseen
from sandtable.odds.confidence import wilson
from sandtable.odds.hits import Floats, binomial
from sandtable.odds.known import MOST_UNITS, act_of, acts_of, facts_unknown, steps_unknown
from sandtable.odds.model import OddsError, price
from sandtable.odds.paper import on_paper
from sandtable.odds.played import RUNS, SECONDS, QuickDice, fight
from sandtable.odds.read import resolve
from sandtable.odds.result import Source
from sandtable.world.model import PowerId, SpaceId, TechId, UnitId, World
from sandtable.world.profiles import profile

MOST_PLANES = 150  # for which everything that can happen is listed
GREAT = 1_000_000  # more damage than anything can take


class RaidOdds(msgspec.Struct, frozen=True):
    """Chances by number of planes lost, and by damage; `joint[lost][damage]` is both at once, where it is known.

    Damage is what the complex's owner pays, or markers on the complex, as the rules have it. `runs` are the raids that
    the engine played where nothing exact can be said; then `why` is the reason.
    """

    lost: tuple[float, ...]
    damage: tuple[float, ...]
    joint: tuple[tuple[float, ...], ...]
    loss_worth: float  # I.P.C. of planes lost, on average
    runs: int = 0
    why: str = ""

    @property
    def method(self) -> Source:
        return "played out" if self.runs else "exact"

    @property
    def exact(self) -> bool:
        return not self.runs

    @property
    def interval(self) -> tuple[float, float]:
        """Where the chance lies that no plane is lost."""
        safe = self.lost[0]
        return wilson(safe * self.runs, self.runs) if self.runs else (safe, safe)

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
            "method": self.method,
            "exact": self.exact,
            "runs": self.runs,
            "interval": list(self.interval),
            "why": self.why,
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
    defender_techs: Iterable[TechId] = (),
    aa_guns: int = 1,
    most: int | None = None,
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> RaidOdds:
    """The odds of a raid, or of flying over so many guns (`kind="overflight"`).

    `most` is the damage that can be done: what the victim has, or what its complex takes. However many guns a territory
    holds, one fires; an overflight passes `aa_guns` territories with guns. Among several kinds of planes the cheapest
    are lost first.
    """
    if kind not in ("raid", "overflight") or kind not in world.battles:
        raise OddsError(f"There is no raid of the kind {kind!r}; known are raid and overflight.")
    if aa_guns < 0:
        raise OddsError(f"There cannot be {aa_guns} AA guns.")
    who = world.order[0] if power is None else names(world, "power").find(power)
    victim = next(p for p in world.order if not world.same_side(p, who))
    find = names(world, "technology").find
    known = {who: frozenset(map(find, techs)), victim: frozenset(map(find, defender_techs))}
    force = resolve(world, planes)
    _check(world, who, known[who], force, bombing=kind == "raid")
    complexes = [unit for unit, facts in profile(world, victim).items() if facts.complex]
    guns = [unit for unit, facts in profile(world, victim).items() if facts.anti_air] if aa_guns else []
    there = [(victim, unit, 1) for unit in (*complexes[:1], *guns[:1])]
    state, space = on_paper(world, who, (), there, at_sea=False, techs=known)
    group = {Piece(who, unit, mark="raid" if kind == "raid" else ""): n for unit, n in force.items()}
    passing = Battle(space, kind, who, group=group, queue=(space,) * aa_guns)
    state = msgspec.structs.replace(
        state,
        units={**state.units, space: add(state.at(space), group.items())},
        treasury={**state.treasury, victim: GREAT if most is None else most},
        battle=Battle(space, kind, who) if kind == "raid" else passing,
    )
    return _odds(world, state, group, most, runs, seconds, seed)


def raid_odds_of(
    world: World,
    state: State,
    space: SpaceId,
    *,
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> RaidOdds:
    """The odds of the raid that is planned or open in this space."""
    bombers = raiders(state, Battle(space, "raid", active(world, state)))
    if not bombers:
        raise OddsError(f"Nobody flies a raid on {world.spaces[space].name}.")
    state = opened(world, state, space, "raid")
    return _odds(world, state, bombers, damage_limit(world, state), runs, seconds, seed)


def damage_limit(world: World, state: State) -> int | None:
    """The most that the open raid can do, by what the engine makes of dice that show a million each; None: no limit."""
    done = _damage(fight(world, state, _GreatDice(), unforeseen))
    return done if done < GREAT else None


class _GreatDice:
    """Dice that no gun hits with, and whose bombs leave nothing."""

    def face(self, index: int, sides: int) -> int:
        return GREAT


def _damage(run: Run, most: int | None = GREAT) -> int:
    """What the complex's owner has paid, and the markers on it; without a limit, those that there was no room for."""
    paid = sum(-e.amount for e in run.events if isinstance(e, Paid) and e.reason == "raid")
    paid += sum(e.rolled if most is None else e.points for e in run.events if isinstance(e, Damaged))
    return paid if most is None else min(paid, most)


def _check(world: World, power: PowerId, techs: frozenset[TechId], planes: Mapping[UnitId, int], bombing: bool) -> None:
    values = profile(world, power, techs)
    for unit in planes:
        if values[unit].domain != "air":
            raise OddsError(f"Only planes can fly over guns, not {values[unit].plural}.")
        if bombing and not values[unit].raid_dice:
            raise OddsError(f"{values[unit].plural.capitalize()} cannot raid.")


def _odds(
    world: World, state: State, planes: Stack, most: int | None, runs: int, seconds: float | None, seed: int
) -> RaidOdds:
    """The open raid or overflight, flown by these planes."""
    battle = state.battle
    assert battle is not None
    number = sum(planes.values())
    if number > MOST_UNITS:
        raise OddsError(f"A raid of {number:,} planes is too large for odds: {MOST_UNITS:,} are the most.")
    why = next(_obstacles(world, state, battle, planes), None)
    if why is not None:
        return _played(world, state, battle, why, most, runs, seconds, seed)
    return _exact(world, state, battle, planes, most)


def _obstacles(world: World, state: State, battle: Battle, planes: Stack) -> Iterator[str]:
    """What stands against calculating it (`known.obstacle` for raids)."""
    steps = [s for s in world.battles[battle.kind].steps if not _nobody_meets(state, battle, s)]
    yield from steps_unknown(steps)
    if strange := [s for s in steps if act_of(s) not in ("aa", "bombs", "clear")]:
        yield f"the step {strange[0]!r} is no part of a raid that the calculator knows"
    if battle.step or battle.column >= 0 or state.questions:
        yield "it has begun"
    techs = state.techs.get(battle.attacker, NOTHING)
    kinds = [type_of(world, state, plane) for plane in planes]
    yield from facts_unknown(world, ((kind, techs) for kind in kinds))
    if any(kind.hits > 1 for kind in kinds):
        yield "planes take several hits"
    first = {kind.id: kind for kind in kinds}
    if any(kind != first[kind.id] for kind in kinds) or any(plane.marks for plane in planes):
        yield "planes of one kind differ"
    if world.rules.aa_targets == "each" and len({kind.id for kind in kinds}) > 1:
        yield "every one of different planes has a die of its own"
    if sum(planes.values()) > MOST_PLANES:
        yield "there are too many planes to be counted one by one"


def _nobody_meets(state: State, battle: Battle, step: str) -> bool:
    """The step is for interceptors, and nobody has gone up."""
    marks = MEETINGS.get(step)
    return marks is not None and not any(p.mark == marks[1] for p in state.at(battle.space))


def _exact(world: World, state: State, battle: Battle, planes: Stack, most: int | None) -> RaidOdds:
    power = battle.attacker
    values = profile(world, power, state.techs.get(power, NOTHING))
    totals: Counter[UnitId] = Counter()
    for piece, n in planes.items():
        totals[piece.type] += n
    order = list(world.units)
    line: list[UnitId] = []  # single planes, first lost first
    for unit in sorted(totals, key=lambda u: (values[u].cost or 0, order.index(u))):
        line += [unit] * totals[unit]
    number = len(line)
    acts = acts_of(world.battles[battle.kind].steps, True)
    gun = gun_over(world, state, power, battle.space) if "aa" in acts else 0
    sides = world.rules.dice_sides
    lost: Floats = np.zeros(number + 1)
    lost[0] = 1.0
    for _ in range(len(battle.queue) if battle.kind == "overflight" else 1):
        after = np.zeros(number + 1)
        for gone in range(number + 1):
            after[gone:] += lost[gone] * binomial(number - gone, gun, sides)
        lost = after
    dice = [values[u].raid_dice if "bombs" in acts else 0 for u in line]
    most_of_die = {u: sides + values[u].raid_bonus for u in totals}
    face = {u: np.concatenate((np.zeros(1 + values[u].raid_bonus), np.full(sides, 1 / sides))) for u in totals}
    size = sum(n * most_of_die[u] for n, u in zip(dice, line, strict=True)) + 1
    joint = np.zeros((number + 1, size))
    sums = np.ones(1)
    for gone in range(number, -1, -1):
        joint[gone, : len(sums)] = lost[gone] * sums
        for _ in range(dice[gone - 1] if gone else 0):
            sums = np.convolve(sums, face[line[gone - 1]])
    if most is not None and most + 1 < size:
        joint[:, most] = joint[:, most:].sum(axis=1)
        joint = joint[:, : most + 1]
    prices = np.array([0, *np.cumsum([price(world, power, u) for u in line])], dtype=float)
    return RaidOdds(
        tuple(map(float, joint.sum(axis=1))),
        tuple(map(float, joint.sum(axis=0))),
        tuple(tuple(map(float, row)) for row in joint),
        float(lost @ prices),
    )


def _played(
    world: World,
    state: State,
    battle: Battle,
    why: str,
    most: int | None,
    runs: int,
    seconds: float | None,
    seed: int,
) -> RaidOdds:
    """The engine flies it so many times."""
    until = None if seconds is None else time.monotonic() + seconds
    lost: Counter[int] = Counter()
    damage: Counter[int] = Counter()
    worth = done = 0
    while done < max(runs, 1) and (not done or until is None or time.monotonic() < until):
        run = fight(world, state, QuickDice(f"{seed}/{done}"), unforeseen)
        gone = [(p, n) for e in run.events if isinstance(e, Lost) for p, n in e.units if p.power == battle.attacker]
        lost[sum(n for _, n in gone)] += 1
        damage[_damage(run, most)] += 1
        worth += sum(n * price(world, p.power, p.type) for p, n in gone)
        done += 1
    return RaidOdds(
        tuple(lost[n] / done for n in range(max(lost) + 1)),
        tuple(damage[n] / done for n in range(max(damage) + 1)),
        (),
        worth / done,
        done,
        why,
    )
