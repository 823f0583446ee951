"""How a game went, in numbers: production, money, forces, luck and losses of every power, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import msgspec

from sandtable.engine.battle.forces import defenders
from sandtable.engine.damage import damage_of
from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    BattleOpened,
    Lost,
    ObjectiveMet,
    Paid,
    Rolled,
    TurnBegan,
    fold,
)
from sandtable.engine.facts import production
from sandtable.engine.game import Game
from sandtable.engine.state import State, with_cargo
from sandtable.world.model import PowerId, UnitId, World
from sandtable.world.profiles import profile


class Luck(msgspec.Struct, frozen=True):
    """Dice that were to hit something, the hits that they scored, and those to be expected of them."""

    dice: int = 0
    hits: int = 0
    expected: float = 0.0

    @property
    def surplus(self) -> float:
        """Hits above expectation; below zero for bad luck."""
        return self.hits - self.expected


class PowerStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """One power in one round: how things stood at its end, then what the round brought."""

    power: PowerId
    production: int
    treasury: int
    unit_value: int  # of everything on the board at the edition's prices; complexes are not counted
    units: Mapping[UnitId, int]  # by type, in the edition's order, cargo and facilities included
    luck: Luck = Luck()
    battles_won: int = 0
    battles_lost: int = 0
    battles_drawn: int = 0  # nobody survived, or nobody could win
    units_lost: int = 0  # value of the units lost, however
    money_lost: int = 0  # to raids and rockets
    damage: int = 0  # markers on its complexes
    cities: int = 0  # victory cities that it controls
    technologies: int = 0
    bonus: int = 0  # money for national objectives and war bonds
    objectives: int = 0  # national objectives that paid


class RoundStatistics(msgspec.Struct, frozen=True):
    round: int
    powers: Mapping[PowerId, PowerStatistics]


class _Tally:
    """What a round brings to a power, while it is counted."""

    def __init__(self) -> None:
        self.dice = self.hits = 0
        self.expected = Fraction(0)
        self.won = self.lost = self.drawn = 0
        self.units_lost = self.money_lost = 0
        self.bonus = self.objectives = 0

    def row(self, world: World, state: State, power: PowerId) -> PowerStatistics:
        units = _units(world, state, power)
        return PowerStatistics(
            power=power,
            production=production(world, state, power),
            treasury=state.treasury[power],
            unit_value=sum(n * _price(world, power, unit) for unit, n in units.items()),
            units=units,
            luck=Luck(self.dice, self.hits, float(self.expected)),
            battles_won=self.won,
            battles_lost=self.lost,
            battles_drawn=self.drawn,
            units_lost=self.units_lost,
            money_lost=self.money_lost,
            damage=sum(damage_of(world, state, s) for s in state.damage if state.owners.get(s) == power),
            cities=sum(1 for s, owner in state.owners.items() if owner == power and world.spaces[s].victory_city),
            technologies=len(state.techs.get(power, ())),
            bonus=self.bonus,
            objectives=self.objectives,
        )


def statistics(game: Game) -> list[RoundStatistics]:
    """Every round of the game up to the point that is shown; the last one as far as it went."""
    return from_events(game.world, game.start, game.events)


def from_events(world: World, start: State, events: Iterable[AnyEvent]) -> list[RoundStatistics]:
    """The same for a state and what happened from there on."""
    rounds: list[RoundStatistics] = []
    tallies = {power: _Tally() for power in world.powers}
    state = start
    sides: tuple[PowerId, ...] = ()  # who defends in the open battle
    for event in events:
        if isinstance(event, TurnBegan) and event.round != state.round:
            rounds.append(_round(world, state, tallies))
            tallies = {power: _Tally() for power in world.powers}
        match event:
            case Rolled():
                _count_luck(world, event, tallies)
            case BattleOpened(battle=battle):
                present = {piece.power for piece in defenders(world, state, battle)}
                sides = tuple(power for power in world.powers if power in present)
            case BattleEnded():
                _count_battle(event, sides, tallies)
            case Lost(units=units):
                for piece, n in with_cargo(dict(units)):
                    tallies[piece.power].units_lost += n * _price(world, piece.power, piece.type)
            case Paid(power=power, amount=amount, reason="raid" | "rocket"):
                tallies[power].money_lost -= amount
            case Paid(power=power, amount=amount, reason="objective" | "economy" | "allowance" | "bonds"):
                tallies[power].bonus += amount
            case ObjectiveMet(power=power):
                tallies[power].objectives += 1
            case _:
                pass
        state = fold(world, state, event)
    rounds.append(_round(world, state, tallies))
    return rounds


def _round(world: World, state: State, tallies: Mapping[PowerId, _Tally]) -> RoundStatistics:
    return RoundStatistics(state.round, {power: tally.row(world, state, power) for power, tally in tallies.items()})


def shots(world: World, event: Rolled) -> Iterator[tuple[PowerId, Luck]]:
    """Whose dice were to hit something in this roll, and how they fell. Dice that are only read are none."""
    if not event.needed:
        return
    sides = world.rules.dice_sides
    place = 0
    for power, _, dice in event.shooters:
        faces = event.faces[place : place + dice]
        place += dice
        hits = sum(face <= event.needed for face in faces)
        yield power, Luck(len(faces), hits, len(faces) * min(event.needed, sides) / sides)


def _count_luck(world: World, event: Rolled, tallies: Mapping[PowerId, _Tally]) -> None:
    for power, shot in shots(world, event):
        tally = tallies[power]
        tally.dice += shot.dice
        tally.hits += shot.hits
        tally.expected += Fraction(shot.expected).limit_denominator(1000)


def _count_battle(event: BattleEnded, defending: tuple[PowerId, ...], tallies: Mapping[PowerId, _Tally]) -> None:
    match event.result:
        case "attacker":
            tallies[event.attacker].won += 1
            for power in defending:
                tallies[power].lost += 1
        case "defender" | "retreat":
            tallies[event.attacker].lost += 1
            for power in defending:
                tallies[power].won += 1
        case "both-destroyed" | "stalemate":
            for power in (event.attacker, *defending):
                tallies[power].drawn += 1
        case "raid" | "passed":
            pass  # nothing was fought for


def _units(world: World, state: State, power: PowerId) -> dict[UnitId, int]:
    totals: dict[UnitId, int] = {}
    for stack in state.units.values():
        for piece, n in with_cargo(stack):
            if piece.power == power:
                totals[piece.type] = totals.get(piece.type, 0) + n
    return {unit: totals[unit] for unit in world.units if unit in totals}


def _price(world: World, power: PowerId, unit: UnitId) -> int:
    """What the unit costs the power without developments, with the edits of the game; facilities count for nothing."""
    kind = profile(world, power)[unit]
    return 0 if kind.domain == "facility" or kind.cost is None else kind.cost
