"""The course of a battle: each volley with its dice, who was hit, who fired back, and how it ended.

An order may bring many things at once: guns fire, a column after the other rolls, hits find their victims. A battle is
lived through only if they are shown one after the other, so a change carries the battle board at each of these moments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from pydantic import Field

from sandtable.archive.log import sentence, sentences
from sandtable.engine import events as e
from sandtable.engine.game import Entry
from sandtable.engine.state import Battle, Piece, Role, State, Units, with_cargo
from sandtable.server.views.base import Force, Model, UnitCount, forces
from sandtable.server.views.battle import BattleView, Roll, battle_view, opened_at, roll_views
from sandtable.server.views.events import roll_fields
from sandtable.world.model import World


class BattleStep(Model):
    """One thing that happened in a battle."""

    kind: Literal["opened", "volley", "hit", "lost", "left", "joined", "damage", "ended"]
    round: int
    role: Role | None = Field(None, description="who fired, was hit, or left")
    rolls: list[Roll] = Field([], description="volley: the dice, column by column")
    unneeded: list[int] = Field([], description="volley: columns without dice, as nobody was left to hit")
    units: list[Force] = Field([], description="who was hit, was lost besides, or left")
    still_firing: bool = Field(False, description="hit: they fire back before they go")
    damaged: bool = Field(False, description="hit: they fight on, damaged")
    words: list[str] = Field([], description="what happened, in words")


class BattleFrame(BattleStep):
    """A step with the battle board at that moment; who is hit still stands on it."""

    battle: BattleView
    report: int | None = Field(None, description="ended: which of the change's battles this was")


class BattleReport(Model):
    """A battle that is over, from its beginning to its end."""

    space: str
    kind: str = Field(description="land, sea, raid, overflight")
    attacker: str
    result: str
    rounds: int
    rolls: list[Roll]
    lost: dict[str, list[UnitCount]] = Field(description="by power; cargo that went down is counted")
    turned_back: dict[str, list[UnitCount]] = Field({}, description="planes that an air combat drove off, by power")
    money: dict[str, int] = Field(description="money that was lost to a raid, by power")
    damage: int = Field(0, description="damage that a raid did to the complex")
    captured_by: str | None = Field(None, description="who holds the land now, if it changed hands")
    steps: list[BattleStep] = Field(description="what happened, one thing after the other")
    sentences: list[str]


FIRING: dict[str, Role] = {
    "aa": "defense",
    "defense": "defense",
    "attack": "attack",
    "support": "attack",
    "raid": "attack",
}
"""Who rolls for what in a battle; other dice are no volley."""

BOTH_SIDES = frozenset({"air"})
"""What either side may roll for: whose dice they are tells it."""


class _Teller:
    """Events of one battle become steps. Each event is given to `add`; a step comes out when it is complete."""

    def __init__(self, world: World, battle: Battle | None) -> None:
        self.world = world
        self.attacker = battle.attacker if battle else ""
        self.round = battle.round if battle else 1
        self.column = battle.column if battle else -1
        self.fired: Role | None = None  # who rolled last, if nothing but that column's end is to come
        self.fresh = False  # dice have fallen since the last column ended
        self.place = battle.step if battle else 0
        self.firing = False  # dice have fallen in this step of the battle
        self.named: Counter[tuple[str, str]] = Counter()  # casualties that are known and not off the board yet
        if battle:
            self.name(tuple(battle.doomed.items()))

    def name(self, units: Units, sign: int = 1) -> None:
        for piece, n in units:
            self.named[piece.power, piece.type] += sign * n

    def role_of(self, power: str) -> Role:
        known = power in self.world.powers and self.attacker
        return "attack" if known and self.world.side_of(power) == self.world.side_of(self.attacker) else "defense"

    def step(self, event: e.AnyEvent, following: Sequence[e.AnyEvent]) -> BattleStep | None:
        """What the event tells; None if it tells nothing, or nothing new."""
        match event:
            case e.BattleOpened(battle=battle):
                self.attacker, self.round, self.place = battle.attacker, battle.round, battle.step
                self.firing = False
                self.named.clear()
                return self._made("opened", event)
            case e.RoundBegan(round=number):
                self.round = number
            case e.Rolled(reason=reason, power=power) if reason in FIRING or reason in BOTH_SIDES:
                roll = Roll.model_validate({**roll_fields(event), "round": self.round, "latest": True})
                self.fired, self.fresh = FIRING.get(reason) or self.role_of(power), True
                self.firing = True
                return self._made("volley", event, role=self.fired, rolls=[roll])
            case e.BattleChanged(battle=battle) if battle.column != self.column or battle.step != self.place:
                if battle.step != self.place:  # a step in which nobody can fire has no dice to spare
                    self.place, self.firing = battle.step, False
                rolled, self.fresh = self.fresh, False
                passed, self.column = battle.column > max(self.column, 0), battle.column
                if passed and self.firing and not rolled:
                    return self._made("volley", event, role=self.fired, unneeded=[battle.column])
            case e.Hurt(units=units):
                return self._made("hit", event, role=self._whose(units), units=forces(units), damaged=True)
            case e.CasualtiesChosen(units=units):
                self.name(units)
                gone = next((x for x in following if not isinstance(x, e.BattleChanged)), None)
                firing = not (isinstance(gone, e.Lost) and gone.units == units)
                return self._made("hit", event, role=self._whose(units), units=forces(units), still_firing=firing)
            case e.Lost(units=units):
                new = tuple((p, n) for p, n in units if self.named[p.power, p.type] < n)
                self.name(units, -1)
                self.named += Counter()
                if new:
                    return self._made("lost", event, role=self._whose(new), units=forces(new))
            case e.Withdrew(power=power, units=units):
                return self._made("left", event, role=self.role_of(power), units=forces(units))
            case e.TurnedBack(units=units, fought=False):
                return self._made("left", event, role=self._whose(units), units=forces(units))
            case e.Dropped(power=power, units=units):
                return self._made("joined", event, role=self.role_of(power), units=forces(units))
            case e.Damaged() | e.Paid(reason="raid"):
                return self._made("damage", event, role="attack")
            case e.BattleEnded():
                return self._made("ended", event)
            case _:
                pass
        return None

    def _whose(self, units: Units) -> Role:
        return self.role_of(units[0][0].power) if units else "defense"

    def _made(self, kind: str, event: e.AnyEvent, **fields: object) -> BattleStep:
        told = sentence(self.world, event)
        values = {"kind": kind, "round": self.round, "words": [told] if told else [], **fields}
        return BattleStep.model_validate(values)


def _joined(one: BattleStep, other: BattleStep) -> BattleStep | None:
    """Two steps that are one to the eye: columns of a volley, units that are hit together."""
    same = one.kind == other.kind and one.role == other.role and one.round == other.round
    if not same or one.kind not in ("volley", "hit", "damage") or one.still_firing != other.still_firing:
        return None
    if one.kind == "volley" and other.rolls and one.rolls[-1].reason != other.rolls[0].reason:
        return None
    if one.damaged != other.damaged:
        return None
    return one.model_copy(
        update={
            "rolls": [*one.rolls, *other.rolls],
            "unneeded": [*one.unneeded, *other.unneeded],
            "units": [*one.units, *other.units],
            "words": [*one.words, *other.words],
        }
    )


def steps_of(world: World, events: Sequence[e.AnyEvent]) -> list[BattleStep]:
    """A battle from its beginning to its end."""
    opened = next((event.battle for event in events if isinstance(event, e.BattleOpened)), None)
    teller = _Teller(world, opened)
    found: list[BattleStep] = []
    for index, event in enumerate(events):
        step = teller.step(event, events[index + 1 :])
        if step is not None:
            one = _joined(found[-1], step) if found else None
            if one or not step.unneeded:  # it belongs to a volley, or is nothing to tell
                found[-1:] = [one] if one else [*found[-1:], step]
    return found


def course(world: World, before: State, events: Sequence[e.AnyEvent], known: Sequence[Roll] = ()) -> list[BattleFrame]:
    """The battle board at each step of what an order brought. `known` are the dice that its battle had seen before."""
    if not any(isinstance(event, e.BattleOpened | e.Rolled | e.CasualtiesChosen | e.BattleEnded) for event in events):
        return []
    state = before
    teller = _Teller(world, before.battle)
    rolled = [roll.model_copy(update={"latest": False}) for roll in known]
    found: list[BattleFrame] = []
    step: BattleStep | None = None
    moment = before  # when the step began
    reports = 0

    def close() -> None:
        nonlocal step
        if step is None:
            return
        rolled.extend(step.rolls)
        shown = [roll for roll in rolled if roll.round == step.round]
        view = battle_view(world, moment, shown)
        rolled[:] = [roll.model_copy(update={"latest": False}) for roll in shown]
        if view is not None:
            ended = reports - 1 if step.kind == "ended" else None
            found.append(BattleFrame(**{**step.__dict__, "battle": view, "report": ended}))
        step = None

    for index, event in enumerate(events):
        told = teller.step(event, events[index + 1 :])
        after = e.fold(world, state, event)
        if told is not None:
            one = _joined(step, told) if step is not None else None
            if one is not None:
                step = one
            elif not told.unneeded:
                close()
                step = told
                if told.kind == "opened":
                    rolled.clear()
                if told.kind == "ended":
                    reports += 1
                moment = after if told.kind == "opened" else state
        state = after
    close()
    return found


def battle_reports(world: World, events: Sequence[e.AnyEvent], earlier: Iterator[Entry]) -> list[BattleReport]:
    """The battles that ended in these events, each from its beginning. `earlier` are the orders before, last first."""
    found = []
    for index, event in enumerate(events):
        if not isinstance(event, e.BattleEnded):
            continue
        here = events[:index]
        opened = opened_at(event.space, here)
        whole = list(here[opened or 0 :])
        while opened is None and (entry := next(earlier, None)) is not None:
            opened = opened_at(event.space, entry.events)
            whole[:0] = entry.events[opened or 0 :]
        found.append(_report(world, event, whole, events[index:]))
    return found


def _report(
    world: World, ended: e.BattleEnded, whole: Sequence[e.AnyEvent], after: Sequence[e.AnyEvent]
) -> BattleReport:
    lost = [event.units for event in whole if isinstance(event, e.Lost)]
    driven_off = [event.units for event in whole if isinstance(event, e.TurnedBack) and not event.fought]
    return BattleReport(
        space=ended.space,
        kind=ended.kind,
        attacker=ended.attacker,
        result=ended.result,
        rounds=max((event.round for event in whole if isinstance(event, e.RoundBegan)), default=1),
        rolls=roll_views(whole, ()),
        lost=_by_power(world, (pair for units in lost for pair in with_cargo(dict(units)))),
        turned_back=_by_power(world, (pair for units in driven_off for pair in units)),
        money={power: n for power in world.powers if (n := _paid(whole, power))},
        damage=sum(event.points for event in whole if isinstance(event, e.Damaged)),
        captured_by=next((c.owner for c in after if isinstance(c, e.Captured) and c.space == ended.space), None),
        steps=steps_of(world, [*whole, ended]),
        sentences=sentences(world, [*whole, ended]),
    )


def _by_power(world: World, units: Iterable[tuple[Piece, int]]) -> dict[str, list[UnitCount]]:
    found: Counter[tuple[str, str]] = Counter()
    for piece, n in units:
        found[piece.power, piece.type] += n
    return {
        power: [UnitCount(unit=unit, count=n) for unit in world.units if (n := found[power, unit])]
        for power in world.powers
        if any(owner == power for owner, _ in found)
    }


def _paid(events: Sequence[e.AnyEvent], power: str) -> int:
    return -sum(event.amount for event in events if isinstance(event, e.Paid) and event.power == power)
