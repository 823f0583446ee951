"""The balance of two forces at a glance, for sifting thousands of possibilities; decisions are made by `expect`.

A battle is played with average dice: each round both forces lose as many units as the other hits on average. What hits
can strike, who fires first and who hides is asked from the engine's functions, once for each pair of forces.
"""

from __future__ import annotations

import math
from functools import lru_cache

import msgspec

from sandtable.bots.battles import (
    CACHES,
    HOPELESS,
    Army,
    Outlook,
    Shores,
    Techs,
    expect,
    flak,
    is_calculated,
    price,
    support,
    technologies,
    undefended,
    world_key,
    world_of,
)
from sandtable.engine.battle.fire import spared
from sandtable.engine.battle.forces import is_hunted, strikers
from sandtable.engine.battle.hits import can_strike
from sandtable.engine.battle.strength import alone, changed
from sandtable.engine.facts import Known
from sandtable.engine.state import Hits, Piece, Role, State
from sandtable.odds.known import acts_of
from sandtable.world.model import Modifier, PowerId, TechId, UnitId, UnitType, World
from sandtable.world.profiles import profile

STEEPNESS, HANDICAP = 2.2, 0.12
"""How the balance of average dice becomes a chance: fitted to the exact odds of random battles (error about 4 %)."""

BEATEN, SOLD_DEAR = 0.8, 0.6
"""What is lost by those who lose a battle that they should have won, and by those who win it after all."""

DOUBTFUL = 0.25, 0.8
"""Chances at a glance between which a battle that cannot be calculated is worth being played out."""
TRIED = 8  # times that it is, then

GONE = 0.3  # of those who strike once, lost when their side loses
ROUNDS = 12
NOTHING_LEFT = 0.05


class _Line(msgspec.Struct, frozen=True):
    """One kind of a force, ready for weighing."""

    power: PowerId
    unit: UnitId
    price: int
    value: float  # expected hits of one unit a round
    captures: bool
    last: bool
    flies: bool
    sails: bool
    once: bool  # fires in the first round of a battle only
    dives: bool  # and is gone after it
    guards: bool  # a battle goes on as long as such a unit is left
    flak: float  # planes that one shoots down before the battle, if there are so many as it has shots
    shots: int
    plain: bool  # nothing about it hangs on who else is there


Counted = list[tuple[_Line, int]]


@lru_cache(maxsize=4096)
def _line(key: int, power: PowerId, unit: UnitId, techs: frozenset[TechId], role: Role) -> _Line:
    world = world_of(key)
    kind = profile(world, power, techs)[unit]
    own = alone(kind, role)
    targets = kind.cannot_hit or kind.hits_only or kind.hides_from or kind.hunts
    leaves = kind.submerges or kind.withdraws
    helps = any(modifier.units for modifier in kind.modifiers)
    shots = kind.shots if kind.anti_air and role == "defense" else 0
    once = kind.strikes_once or kind.dives
    brief = once or shots or not kind.guards
    odd = kind.hits > 1 or kind.chosen_last or bool(targets or leaves or kind.first_shot or brief) or helps
    odd = odd or kind.bulwark
    sides = world.rules.dice_sides
    return _Line(
        power,
        unit,
        0 if kind.bulwark else price(world, power, unit),  # it changes hands, and is never lost
        own.value * own.dice / sides * (1.0 + kind.again / sides if role == "attack" else 1.0),
        kind.captures,
        kind.chosen_last,
        kind.domain == "air",
        kind.domain == "sea",
        once,
        kind.dives,
        kind.guards,
        kind.anti_air / sides,
        shots,
        not odd,
    )


def weigh(world: World, state: State, attack: Army, defense: Army, *, support: float = 0.0, gun: int = 0) -> Outlook:
    """What the battle would bring, roughly. `support` is what ships hit once, `gun` what AA guns hit on."""
    if not defense:
        return undefended(world, state, attack)
    if not attack:
        return HOPELESS
    return _weigh(world_key(world), technologies(state, attack, defense), attack, defense, support, gun)


def foresee(
    world: World, state: State, attack: Army, defense: Army, *, kind: str, shores: Shores = (), guns: Army = ()
) -> Outlook:
    """What the battle would bring, as well as can be told in no time: exact odds, or a glance.

    Where the calculator is at a loss, a handful of played battles would tell less than a glance does; only in doubt
    they are asked for, and the two opinions put together.
    """
    if not defense or not attack or is_calculated(world, state, attack, defense, kind, shores, guns):
        return expect(world, state, attack, defense, kind=kind, shores=shores, guns=guns)
    fire = support(world, state, attack[0][0], shores)
    gun = flak(world, state, attack[0][0], guns)
    glance = weigh(world, state, attack, defense, support=fire, gun=gun)
    if not DOUBTFUL[0] < glance.win < DOUBTFUL[1]:
        return glance
    played = expect(world, state, attack, defense, kind=kind, shores=shores, guns=guns, runs=TRIED)
    return Outlook(
        (glance.win + played.win) / 2,
        (glance.take + played.take) / 2,
        (glance.attacker_loss + played.attacker_loss) / 2,
        (glance.defender_loss + played.defender_loss) / 2,
        played.survivors,
        played.escaped,
    )


@lru_cache(maxsize=200_000)
def _weigh(key: int, techs: Techs, attack: Army, defense: Army, support: float, gun: int) -> Outlook:
    known = dict(techs)
    ours = _sorted([(_line(key, p, u, known[p], "attack"), n) for p, u, n in attack])
    theirs = _sorted([(_line(key, p, u, known[p], "defense"), n) for p, u, n in defense])
    a_left = [float(n) for _, n in ours]
    d_left = [float(n) for _, n in theirs]
    if gun:
        spares = 1.0 - min(1.0, gun / world_of(key).rules.dice_sides)
        a_left = [n * spares if x.flies else n for (x, _), n in zip(ours, a_left, strict=True)]
    if all(x.plain for x, _ in ours) and all(x.plain for x, _ in theirs):
        total = float(sum(n for _, n in ours)) + sum(d_left)
        _fight(ours, theirs, a_left, d_left, support)
        win = _chance(sum(a_left), sum(d_left), total) if any(x.value for x, _ in ours) else 0.0
    else:
        sea = any(x.sails for x, _ in (*ours, *theirs))
        kinds = tuple((x.power, x.unit) for x, _ in ours), tuple((x.power, x.unit) for x, _ in theirs)
        scene = _scene(key, techs, *kinds, "sea" if sea else "land")
        win, a_left, d_left = scene.fight(ours, theirs, a_left, d_left, support)
    take = win if any(x.captures for x, _ in ours) else 0.0  # planes are lost before the last unit that can hold land
    a_lost = sum(x.price * (n - left) for (x, n), left in zip(ours, a_left, strict=True))
    d_lost = sum(x.price * (n - left) for (x, n), left in zip(theirs, d_left, strict=True))
    if win > 0.0:
        a_lost, d_lost = _in_doubt(win, (a_lost, _at_stake(ours, a_lost)), (d_lost, _at_stake(theirs, d_lost)))
    left = tuple((x.unit, round(n)) for (x, _), n in zip(ours, a_left, strict=True) if round(n))
    return Outlook(win, take, a_lost, d_lost, left)


def _at_stake(lines: Counted, lost: float) -> float:
    """The price of a force in a battle that goes wrong: who strikes once is mostly gone by then."""
    return max(lost, float(sum(x.price * n * (GONE if x.once else 1.0) for x, n in lines)))


def _in_doubt(win: float, attack: tuple[float, float], defense: tuple[float, float]) -> tuple[float, float]:
    """Losses with average dice, of all that there is, as they are when it goes the other way as well."""
    (a_lost, a_worth), (d_lost, d_worth) = attack, defense
    wins = a_lost * d_worth <= d_lost * a_worth
    chance = 1 - win if wins else win  # that it goes the other way
    a_then, d_then = (BEATEN, SOLD_DEAR) if wins else (SOLD_DEAR, BEATEN)
    if a_lost:  # somebody hits them
        a_lost += chance * (a_then * a_worth - a_lost)
    if d_lost:
        d_lost += chance * (d_then * d_worth - d_lost)
    return a_lost, d_lost


def _sorted(lines: Counted) -> Counted:
    """Cheapest first, as they are lost."""
    return sorted(lines, key=lambda x: (x[0].last, x[0].price, x[0].value))


def _chance(a_end: float, d_end: float, total: float) -> float:
    """The attacker's chance, by what average dice leave of both forces, in hits that can still be taken."""
    edge = (a_end - d_end) / max(total, 1.0) ** 0.5
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (edge - HANDICAP)))


def _fight(ours: Counted, theirs: Counted, a_left: list[float], d_left: list[float], support: float) -> None:
    """Where every hit can strike everybody, and a hit is a loss."""
    for _ in range(ROUNDS):
        strikes = sum(x.value * n for (x, _), n in zip(ours, a_left, strict=True)) + support
        replies = sum(x.value * n for (x, _), n in zip(theirs, d_left, strict=True))
        support = 0.0
        _lose(d_left, strikes)
        _lose(a_left, replies)
        if sum(d_left) < NOTHING_LEFT or sum(a_left) < NOTHING_LEFT or strikes + replies < NOTHING_LEFT:
            return


def _lose(left: list[float], hits: float) -> None:
    for i, n in enumerate(left):
        some = min(n, hits)
        left[i] -= some
        hits -= some
        if hits <= 0:
            return


# ---------------------------------------------------------------- fleets, and others with abilities of their own


class _Ability(msgspec.Struct, frozen=True):
    """What one kind can do in the company that it is in."""

    more: int  # hits that one takes without being lost
    aim: tuple[int, ...]  # places of the enemy's kinds that it can strike
    early: bool  # fires before the others
    leaves: bool  # may leave the battle
    hunted: tuple[int, ...] = ()  # places of the enemy's kinds that it fires at when they dive


Boosts = list[tuple[int, int, int, float]]
"""Who helps whom, how many of them, and what that is worth."""


class _Scene:
    """Two mixes of kinds that meet."""

    def __init__(
        self,
        ours: list[_Ability],
        theirs: list[_Ability],
        boosts: Boosts,
        cover: Boosts,
        dives_first: bool,
        on_land: bool,
    ) -> None:
        self.ours = ours
        self.theirs = theirs
        self.boosts = boosts
        self.cover = cover  # the same among the defenders
        self.dives_first = dives_first
        self.on_land = on_land

    def fight(
        self, ours: Counted, theirs: Counted, a_left: list[float], d_left: list[float], support: float
    ) -> tuple[float, list[float], list[float]]:
        """The attacker's chance and what is left of both; submarines leave if that is better for the defender."""
        stay = self._fought(ours, theirs, a_left, d_left, support, False)
        if stay[0] <= 0.5 or not any(ability.leaves for ability in self.theirs):
            return stay
        left = self._fought(ours, theirs, a_left, d_left, support, True)
        return min(stay, left, key=lambda end: _swing(ours, theirs, end[1], end[2]))

    def _fought(
        self,
        ours: Counted,
        theirs: Counted,
        a_left: list[float],
        d_left: list[float],
        support: float,
        leave: bool,
    ) -> tuple[float, list[float], list[float]]:
        a_left, d_left = list(a_left), list(d_left)
        a_more = [n * ability.more for n, ability in zip(a_left, self.ours, strict=True)]
        d_more = [n * ability.more for n, ability in zip(d_left, self.theirs, strict=True)]
        holds = [0.0 if x.last or not x.guards else 1.0 for x, _ in theirs]
        fights_on = list(holds)
        a_weight = [0.0 if x.last or not x.guards else 1.0 for x, _ in ours]
        total = _sum(a_weight, a_left) + sum(a_more) + _sum(fights_on, d_left) + sum(d_more)
        gone, away = [0.0] * len(a_left), [0.0] * len(d_left)
        before = _sum(fights_on, d_left) + sum(d_more)
        shot = self._flak(ours, theirs, a_left)
        if not self.on_land:
            a_left = [n - k for n, k in zip(a_left, shot, strict=True)]
        everybody = tuple(range(len(d_left)))
        if leave and self.dives_first:
            self._leave(d_left, away)
        brief = not any(n and weight and not x.once for (x, _), n, weight in zip(ours, a_left, a_weight, strict=True))
        struck = 0.0
        for number in range(ROUNDS):
            if support:
                _strike(d_left, d_more, [(everybody, support)])
            first = number == 0
            early = _hits(ours, self.ours, a_left, True, first), _hits(theirs, self.theirs, d_left, True, first)
            if early[0]:
                _strike(d_left, d_more, early[0])
            if early[1]:
                _strike(a_left, a_more, early[1])
            strikes = _hits(ours, self.ours, a_left, False, first)
            replies = _hits(theirs, self.theirs, d_left, False, first)
            strikes += _helped(ours, self.ours, a_left, self.boosts, first)
            replies += _helped(theirs, self.theirs, d_left, self.cover, first)
            struck += support + sum(n for _, n in (*early[0], *strikes))
            support = 0.0
            _strike(d_left, d_more, strikes)
            if first and self.on_land:  # planes that were hit have still struck
                a_left = [max(0.0, n - k) for n, k in zip(a_left, shot, strict=True)]
            _strike(a_left, a_more, replies)
            if first:
                parting = self._parting(self.theirs, d_left, theirs), self._parting(self.ours, a_left, ours)
                for left, more, shots in ((a_left, a_more, parting[0]), (d_left, d_more, parting[1])):
                    _strike(left, more, shots)
                for lines, left, out in ((ours, a_left, gone), (theirs, d_left, away)):
                    _dive(lines, left, out)
                a_weight = [0.0 if x.once else w for (x, _), w in zip(ours, a_weight, strict=True)]
                fights_on = [0.0 if x.once else w for (x, _), w in zip(theirs, fights_on, strict=True)]
            if leave:
                self._leave(d_left, away)
            fired = sum(n for _, n in (*early[0], *early[1], *strikes, *replies))
            if _sum(fights_on, d_left) < NOTHING_LEFT or _sum(a_weight, a_left) < NOTHING_LEFT or fired < NOTHING_LEFT:
                break
        a_end = _sum(a_weight, a_left) + sum(a_more)
        d_end = _sum(fights_on, d_left) + sum(d_more)
        if a_end >= NOTHING_LEFT and d_end < NOTHING_LEFT:
            d_left = [n * weight for n, weight in zip(d_left, holds, strict=True)]  # transports without an escort, guns
        win = _in_one_round(struck, before) if brief else _chance(a_end, d_end, total)
        if not any(x.value for x, _ in ours):
            win = 0.0
        seen = {place for (x, _), ability in zip(ours, self.ours, strict=True) if x.value for place in ability.aim}
        if any(n >= NOTHING_LEFT and place not in seen for place, n in enumerate(d_left)):
            win = 0.0  # somebody is left whom nobody could ever strike
        back = [[n + k for n, k in zip(*pair, strict=True)] for pair in ((a_left, gone), (d_left, away))]
        return win, back[0], back[1]

    def _flak(self, ours: Counted, theirs: Counted, a_left: list[float]) -> list[float]:
        """How many of each kind guns with a few shots each bring down before the battle."""
        planes = sum(n for (x, _), n in zip(ours, a_left, strict=True) if x.flies)
        if not planes:
            return [0.0] * len(a_left)
        shots = sum(x.shots * n for x, n in theirs)
        rate = max((x.flak for x, _ in theirs if x.shots), default=0.0) * min(planes, shots) / planes
        return [n * rate if x.flies else 0.0 for (x, _), n in zip(ours, a_left, strict=True)]

    def _parting(
        self, abilities: list[_Ability], left: list[float], lines: Counted
    ) -> list[tuple[tuple[int, ...], float]]:
        """Shots at boats that dive after the first round, by those who hunt them."""
        return [
            (ability.hunted, x.value * n)
            for ability, (x, _), n in zip(abilities, lines, left, strict=True)
            if ability.hunted and n and x.value
        ]

    def _leave(self, d_left: list[float], away: list[float]) -> None:
        for place, ability in enumerate(self.theirs):
            if ability.leaves:
                away[place] += d_left[place]
                d_left[place] = 0.0


def _sum(weights: list[float], left: list[float]) -> float:
    return sum(weight * n for weight, n in zip(weights, left, strict=True))


def _swing(ours: Counted, theirs: Counted, a_left: list[float], d_left: list[float]) -> float:
    lost = sum(x.price * (n - left) for (x, n), left in zip(ours, a_left, strict=True))
    return sum(x.price * (n - left) for (x, n), left in zip(theirs, d_left, strict=True)) - lost


def _hits(
    lines: Counted, abilities: list[_Ability], left: list[float], early: bool, first: bool
) -> list[tuple[tuple[int, ...], float]]:
    """Hits by what they can strike, the choosiest first."""
    found: dict[tuple[int, ...], float] = {}
    for (x, _), ability, n in zip(lines, abilities, left, strict=True):
        if n and x.value and ability.early == early and (first or not x.once):
            found[ability.aim] = found.get(ability.aim, 0.0) + x.value * n
    return sorted(found.items(), key=lambda item: len(item[0]))


def _helped(
    lines: Counted, abilities: list[_Ability], left: list[float], boosts: Boosts, first: bool
) -> list[tuple[tuple[int, ...], float]]:
    """What kinds hit more for those beside them; nobody is helped twice."""
    if not boosts:
        return []
    alone = list(left)
    found = []
    for helper, helped, number, gain in boosts:
        if first or not lines[helped][0].once:
            some = min(number * left[helper], alone[helped])
            alone[helped] -= some
            found.append((abilities[helped].aim, gain * some))
    return found


def _dive(lines: Counted, left: list[float], out: list[float]) -> None:
    """Boats that have to leave after the first round do so."""
    for place, (x, _) in enumerate(lines):
        if x.dives:
            out[place] += left[place]
            left[place] = 0.0


def _in_one_round(hits: float, enemies: float) -> float:
    """The chance that so many hits on average are enough for everybody: who strikes once has no second round."""
    spread = (0.6 * hits + 0.1) ** 0.5
    return 1.0 / (1.0 + math.exp(-1.7 * (hits - enemies + 0.5) / spread)) if hits else 0.0


def _strike(left: list[float], more: list[float], hits: list[tuple[tuple[int, ...], float]]) -> None:
    """Take the hits: first those that cost nothing, then unit by unit along the order."""
    for aim, number in hits:
        for pool in (more, left):
            for place in aim:
                some = min(pool[place], number)
                if some > 0.0:
                    pool[place] -= some
                    number -= some
            if number <= 0.0:
                break


@lru_cache(maxsize=4096)
def _scene(
    key: int,
    techs: Techs,
    attack: tuple[tuple[PowerId, UnitId], ...],
    defense: tuple[tuple[PowerId, UnitId], ...],
    kind: str,
) -> _Scene:
    """What the engine says about two mixes of kinds."""
    world, known = world_of(key), Known(dict(techs))
    acts = acts_of(world.battles[kind].steps, True)
    types = [[profile(world, p, known.techs[p])[u] for p, u in force] for force in (attack, defense)]
    stacks = [{Piece(p, u): 1 for p, u in force} for force in (attack, defense)]
    abilities: list[list[_Ability]] = []
    roles: tuple[tuple[Role, str], ...] = (("attack", "strike"), ("defense", "strike-back"))
    for (role, strike), own, enemies, units, victims in zip(
        roles, stacks, reversed(stacks), types, reversed(types), strict=True
    ):
        early = strikers(world, known, role, own, enemies) if strike in acts or role == "attack" else {}
        first = {p.type for p in early}
        abilities.append([_ability(world, known, role, u, u.id in first, own, enemies, victims) for u in units])
    boosts, cover = (_boosts(world, role, units) for (role, _), units in zip(roles, types, strict=True))
    dives = "submarines" in acts and "doom" in acts and acts.index("submarines") < acts.index("doom")
    return _Scene(abilities[0], abilities[1], boosts, cover, dives, kind == "land")


def _boosts(world: World, role: Role, units: list[UnitType]) -> Boosts:
    return [
        (helper, helped, modifier.number, gain)
        for helper, unit in enumerate(units)
        for modifier in unit.modifiers
        if modifier.number is not None and not modifier.enemies and modifier.role in (None, role)
        for helped, other in enumerate(units)
        if other.id in modifier.units and (gain := _boost(world, role, other, modifier)) > 0
    ]


def _boost(world: World, role: Role, unit: UnitType, modifier: Modifier) -> float:
    """What one more such helper makes a unit hit more on average."""
    own = alone(unit, role)
    after = changed(own, modifier)
    return (after.value * after.dice - own.value * own.dice) / world.rules.dice_sides


def _ability(
    world: World,
    known: Known,
    role: Role,
    unit: UnitType,
    early: bool,
    own: dict[Piece, int],
    enemies: dict[Piece, int],
    victims: list[UnitType],
) -> _Ability:
    hit = Hits(1, spared(world, known, unit, own), unit.hits_only)
    aim = tuple(place for place, v in enumerate(victims) if can_strike(world, hit, v.id))
    leaves = (role in unit.submerges or role in unit.withdraws) and not is_hunted(world, known, unit.id, enemies)
    hunted = tuple(place for place, v in enumerate(victims) if v.dives and v.id in unit.hunts)
    more = unit.fails_at - 1 if unit.bulwark else unit.hits - 1
    return _Ability(more, aim, early, leaves, hunted)


CACHES += [_line, _weigh, _scene]
