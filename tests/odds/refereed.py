"""Battles played through the real engine, with the same policies that the calculator assumes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.engine.battle.hits import assignable, endurance
from sandtable.engine.decision import Decision
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import BattleEnded, Lost, RoundBegan
from sandtable.engine.game import Game
from sandtable.engine.state import Piece, State, add
from sandtable.notation.orders import AnyOrder, Casualties, Fight, Press, Stay, Submerge, UnitSpec, Withdraw
from sandtable.notation.orders import Retreat as RetreatOrder
from sandtable.odds import Odds
from sandtable.world.model import World

FAR = 4.0  # deviations that chance does not explain


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """Where the battles of an edition are played: Germany attacks the Soviet Union on land and Britain at sea."""

    land: str
    land_origin: str
    landing_zone: str
    zone: str
    zone_origin: str


GROUNDS = {
    "classic": Ground(
        land="ukraine-ssr",
        land_origin="eastern-europe",
        landing_zone="black-sea",
        zone="baltic-sea",
        zone_origin="north-sea",
    ),
    "anniversary": Ground(
        land="baltic-states", land_origin="poland", landing_zone="sz-5", zone="sz-11", zone_origin="sz-12"
    ),
}

Units = Mapping[str, int]
End = tuple[str, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
Wish = Callable[[Mapping[str, int], int], bool]


_small: dict[int, tuple[World, World]] = {}


def small_board(world: World) -> World:
    """The same world with only the spaces around these battles: looking for other battles is what takes time."""
    if id(world) in _small:
        return _small[id(world)][1]
    near = {*msgspec.structs.astuple(GROUNDS[world.edition]), "united-kingdom"}
    near |= {s for place in near for s in world.neighbours[place]}
    near |= {p.capital for p in world.powers.values() if p.capital}
    small = msgspec.structs.replace(world, spaces={s: world.spaces[s] for s in world.spaces if s in near})
    _small[id(world)] = (world, small)
    return small


class Battle(msgspec.Struct, frozen=True, kw_only=True):
    """A battle to be played: who, where, and what both sides do when asked."""

    world: World
    attackers: Units
    defenders: Units
    attacker_order: Sequence[str]
    defender_order: Sequence[str]
    kind: str = "land"
    support: Units = {}
    landed: bool = False
    techs: Mapping[str, Sequence[str]] = {}
    retreat: Wish | None = None  # (attackers left, rounds fought) -> break off?
    attacker_submarines: str = "stay"
    defender_submarines: str = "stay"

    @property
    def ground(self) -> Ground:
        return GROUNDS[self.world.edition]

    @property
    def space(self) -> str:
        return self.ground.zone if self.kind == "sea" else self.ground.land

    def state(self) -> State:
        """The position in which this is the only battle, at the beginning of the combat phase."""
        base = patched_state(
            self.world,
            {"clear": "all", "turn": "germany", "phase": "combat", "technologies": dict(self.techs)},
        )
        enemy = "uk" if self.kind == "sea" else "ussr"
        ground = self.ground
        overland = ground.zone_origin if self.kind == "sea" else ground.land_origin
        stack: dict[Piece, int] = {}
        for unit, n in self.attackers.items():
            ashore = self.landed and self.world.units[unit].domain == "land"
            origin = ground.landing_zone if ashore else overland
            stack = add(stack, ((Piece("germany", unit, origin=origin), n),))
        for unit, n in self.defenders.items():
            stack = add(stack, ((Piece(enemy, unit), n),))
        units = {**base.units, self.space: stack}
        if self.support:
            units[ground.landing_zone] = {Piece("germany", unit): n for unit, n in self.support.items()}
        return msgspec.structs.replace(base, units=units)


def along_order(world: World, game: Game, question: Decision, order: Sequence[str]) -> Casualties:
    """The first units of the order that can all be given hits: tried one by one with the engine's own test.

    `armor but 1` in an order spares the last one for a later entry.
    """
    battle = game.state.battle
    assert battle is not None
    room = Counter({unit: n for _, unit, n in question.units})
    present = Counter(dict.fromkeys(room, 0))
    for piece, n in game.state.at(battle.space).items():
        if piece.power == question.power and piece.mark == "":
            present[piece.type] += n * endurance(world, game.state, piece)
    for piece, n in battle.doomed.items():
        present[piece.type] -= n if piece.power == question.power else 0
    chosen: Counter[str] = Counter()
    whole = [
        f"{piece.type} first {n}"  # hits that cost nothing come first
        for piece, n in game.state.at(battle.space).items()
        if piece.power == question.power and endurance(world, game.state, piece) > 1
    ]
    for entry in (*whole, *order):
        unit, keep = (entry.split()[0], int(entry.split()[2])) if " but " in entry else (entry, 0)
        most = min(room[unit], present[unit] - keep)
        if " first " in entry:
            unit, most = entry.split()[0], min(room[entry.split()[0]], int(entry.split()[2]))
        while chosen.total() < question.count and chosen[unit] < most:
            more = chosen + Counter({unit: 1})
            if not assignable(world, battle.hits, more):
                break
            chosen = more
    return Casualties(tuple(UnitSpec(unit, n) for unit, n in chosen.items() if n))


def reply(battle: Battle, game: Game) -> AnyOrder:
    question = game.decision
    assert question is not None
    attacking = question.power == "germany"
    if question.kind == "casualties":
        order = battle.attacker_order if attacking else battle.defender_order
        return along_order(battle.world, game, question, order)
    if question.kind == "submarines":
        if (battle.attacker_submarines if attacking else battle.defender_submarines) == "stay":
            return Stay()
        return Submerge() if question.submerge else Withdraw(question.places[0])
    if question.kind != "retreat":
        return game.legal.default()
    fighting = game.state.battle
    assert fighting is not None
    left = Counter[str]()
    for piece, n in game.state.at(battle.space).items():
        if piece.power == "germany" and piece.mark == "":
            left[piece.type] += n
    if battle.retreat is not None and battle.retreat(left, fighting.round):
        return RetreatOrder(question.places[0] if question.places else None)
    return Press()


NAMES = {"attacker": "win", "defender": "loss", "both-destroyed": "draw", "stalemate": "draw", "retreat": "retreat"}


def play(battle: Battle, start: State, seed: int | str) -> tuple[End, int]:
    """One battle by the engine: how it ended, and after how many rounds."""
    game = Game(small_board(battle.world), dice=SeededDice(seed), start=start)
    if game.decision is not None and game.decision.kind == "battle":
        game.play(Fight(battle.space))  # enemies that could be left alone
    while game.state.battle is not None:
        game.play(reply(battle, game))
    lost_a, lost_d, result, rounds = Counter[str](), Counter[str](), "", 1
    for event in game.events:
        if isinstance(event, Lost):
            for piece, n in event.units:
                (lost_a if piece.power == "germany" else lost_d)[piece.type] += n
        elif isinstance(event, BattleEnded):
            result = NAMES[event.result]
        elif isinstance(event, RoundBegan):
            rounds = event.round
    return (result, _left(battle.attackers, lost_a), _left(battle.defenders, lost_d)), rounds


def _left(units: Units, lost: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Who is left, guns aside: they change hands, but are no part of the battle."""
    return tuple(sorted((u, n - lost.get(u, 0)) for u, n in units.items() if n > lost.get(u, 0) and u != "aa-gun"))


def expected_ends(odds: Odds) -> dict[End, float]:
    ends: dict[End, float] = {}
    for end in odds.survivors():
        key: End = (end.result, tuple(sorted(end.attackers.items())), tuple(sorted(end.defenders.items())))
        ends[key] = ends.get(key, 0.0) + end.chance
    return ends


def deviation(expected: Mapping[object, float], seen: Mapping[object, int]) -> float:
    """How far counts are from their chances: chi-square over cells of at least 5, as standard deviations.

    Wilson and Hilferty's cube root makes it nearly normal. A cell that cannot come up, and does, is infinitely far off.
    """
    total = sum(seen.values())
    if any(expected.get(key, 0.0) <= 0.0 for key in seen):
        return math.inf
    big = [key for key, chance in expected.items() if chance * total >= 5]
    cells = [(expected[key] * total, seen.get(key, 0)) for key in big]
    rest = total - sum(n for n, _ in cells)
    if rest >= 2:
        cells.append((rest, total - sum(n for _, n in cells)))
    freedom = len(cells) - 1
    if freedom < 1:
        return 0.0
    chi = sum((n - mean) ** 2 / mean for mean, n in cells)
    return float(((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom)))


def agrees(result: Odds, battle: Battle, times: int, seed: str) -> None:
    """Play the battle often: ends and rounds are as often as calculated, within chance."""
    ends: Counter[End] = Counter()
    rounds: Counter[int] = Counter()
    start = battle.state()
    for number in range(times):
        end, fought = play(battle, start, f"{seed} {number}")
        ends[end] += 1
        rounds[fought] += 1
    assert deviation(expected_ends(result), ends) < FAR
    assert deviation(dict(enumerate(result.rounds, 1)), rounds) < FAR


def agree(exact: Odds, drawn: Odds) -> None:
    """Ends and rounds that were drawn are as often as calculated, within chance."""
    assert exact.exact
    assert drawn.method == "played out"
    seen = {end: round(p * drawn.runs) for end, p in expected_ends(drawn).items()}
    assert deviation(expected_ends(exact), seen) < FAR
    rounds = {i: round(p * drawn.runs) for i, p in enumerate(drawn.rounds, 1) if p}
    assert deviation(dict(enumerate(exact.rounds, 1)), rounds) < FAR
    spread = 5 * (sum(exact.model.attack.counts) + sum(exact.model.defense.counts)) / drawn.runs**0.5
    assert drawn.expected_losses == pytest.approx(exact.expected_losses, abs=2 * spread)
    hold = exact.take_and_hold(1)
    assert drawn.take_and_hold(1) == pytest.approx(hold, abs=4 * (hold * (1 - hold) / drawn.runs) ** 0.5 + 0.005)
