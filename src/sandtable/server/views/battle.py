"""The battle board: both sides by column, the casualty line, the hits, and the dice as they fell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from sandtable.archive.log import sentences
from sandtable.engine import events as e
from sandtable.engine.battle.casualties import endurance, targets
from sandtable.engine.battle.fire import boosted
from sandtable.engine.battle.forces import guests, strikers
from sandtable.engine.battle.steps import ONCE
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.game import Entry
from sandtable.engine.state import Battle, Role, Stack, State, count, in_order, with_cargo
from sandtable.server.views.base import Force, Model, UnitCount, force, forces
from sandtable.server.views.events import Shooter, roll_fields
from sandtable.world.model import World


class Combatant(Force):
    dice: int = Field(description="that all of them roll together")
    hits: int = Field(0, description="that each of them has taken")
    endures: int = Field(1, description="hits that each of them still takes")
    first_shot: bool = Field(False, description="fires before the others in this battle, and victims do not reply")


class Column(Model):
    """Units that hit on the same number; 0: they do not fire."""

    value: int
    units: list[Combatant]


class BattleSide(Model):
    powers: list[str]
    columns: list[Column]
    doomed: list[Force] = Field([], description="casualties that still fire this round")


class Roll(Model):
    """Dice of one volley."""

    round: int
    reason: str
    power: str
    space: str | None = None
    faces: list[int]
    throws: list[list[int]]
    needed: int
    shooters: list[Shooter]
    hits: int
    latest: bool = Field(description="rolled by the last order")


class BattleView(Model):
    space: str
    kind: str = Field(description="land, sea, raid, overflight")
    attacker: str
    round: int
    step: str = Field(description="the step of the battle that is being taken")
    steps: list[str] = Field(description="all steps of this round")
    stage: str = Field(description="what is going on, in words")
    stages: list[str] = Field(description="what this round consists of, in words")
    attack: BattleSide
    defense: BattleSide
    guns: list[Force] = Field([], description="antiaircraft guns that can fire")
    onlookers: list[Force] = Field([], description="allied planes aboard the attacker's carriers")
    hits: int = Field(description="hits that wait for casualties")
    rolls: list[Roll] = Field(description="every roll of this battle so far")
    origins: list[str]
    shores: list[str]


class BattleReport(Model):
    """A battle that is over, from its beginning to its end."""

    space: str
    kind: str = Field(description="land, sea, raid, overflight")
    attacker: str
    result: str
    rounds: int
    rolls: list[Roll]
    lost: dict[str, list[UnitCount]] = Field(description="by power; cargo that went down is counted")
    money: dict[str, int] = Field(description="money that was lost to a raid, by power")
    damage: int = Field(0, description="damage that a raid did to the complex")
    captured_by: str | None = Field(None, description="who holds the land now, if it changed hands")
    sentences: list[str]


def battle_view(world: World, state: State, entries: Sequence[Entry]) -> BattleView | None:
    """The open battle. `entries` are the orders up to this state."""
    battle = state.battle
    if battle is None:
        return None
    steps = world.battles[battle.kind]
    attack = targets(world, state, battle, "attack")
    defense = targets(world, state, battle, "defense") if battle.kind in ("land", "sea") else {}
    enemies = enemies_in(world, state, battle.attacker, battle.queue[0] if battle.queue else battle.space)
    return BattleView(
        space=battle.space,
        kind=battle.kind,
        attacker=battle.attacker,
        round=battle.round,
        step=steps[min(battle.step, len(steps) - 1)],
        steps=[step for step in steps if battle.round == 1 or step not in ONCE],
        stage=stage(steps, battle),
        stages=stages(steps, battle.round),
        attack=side_view(world, state, attack, "attack", defense),
        defense=side_view(world, state, defense, "defense", attack, battle.doomed),
        guns=forces((p, n) for p, n in enemies if type_of(world, state, p).anti_air),
        onlookers=forces(in_order(guests(world, state, battle))),
        hits=sum(hit.count for hit in battle.hits),
        rolls=rolls(battle, entries),
        origins=list(battle.origins),
        shores=list(battle.shores),
    )


STAGES = {
    "aa-fire": "AA fire",
    "paratroopers-drop": "Paratroopers drop",
    "support-shot": "Bombardment",
    "submarine-fire": "Submarines fire first",
    "submarines-withdraw": "Submarines leave",
    "surprise-strike": "Surprise strike",
    "surprise-reply": "Surprise strike",
    "attackers-fire": "Attackers fire",
    "defenders-fire": "Defenders fire",
    "retreat": "Press or retreat",
    "bombs": "Bombs",
}
"""Steps that players know by a name; the others only tidy up after them."""


def stages(steps: Sequence[str], number: int) -> list[str]:
    return list(dict.fromkeys(STAGES[step] for step in steps if step in STAGES and (number == 1 or step not in ONCE)))


def stage(steps: Sequence[str], battle: Battle) -> str:
    """The step that is being taken, or that was taken last before tidying up."""
    known = [STAGES[step] for step in steps[: battle.step + 1] if step in STAGES]
    return known[-1] if known else next((STAGES[step] for step in steps if step in STAGES), "")


def side_view(
    world: World, state: State, stack: Stack, side: Role, enemies: Stack, doomed: Stack | None = None
) -> BattleSide:
    units, powers = list(world.units), list(world.powers)
    columns: dict[int, list[Combatant]] = {}
    helped = boosted(world, state, stack) if side == "attack" else {}
    first = strikers(world, side, stack, enemies)
    ordered = sorted(in_order(stack), key=lambda item: (units.index(item[0].type), powers.index(item[0].power)))
    for piece, n in ordered:
        kind = type_of(world, state, piece)
        value = kind.attack if side == "attack" else kind.defense
        each = kind.attack_dice if side == "attack" else 1
        better = min(n, helped.get(piece.type, 0))
        helped[piece.type] = helped.get(piece.type, 0) - better
        for strength, number in ((value, n - better), (value + 1, better)):
            if number:
                columns.setdefault(strength, []).append(
                    Combatant(
                        **force(piece, number).model_dump(),
                        dice=number * each if strength else 0,
                        hits=piece.hits,
                        endures=endurance(world, piece),
                        first_shot=piece in first,
                    )
                )
    merged = [Column(value=value, units=_merged(columns[value])) for value in sorted(columns)]
    present = {piece.power for piece in (*stack, *(doomed or {}))}
    return BattleSide(
        powers=[power for power in powers if power in present],
        columns=merged,
        doomed=forces(in_order(doomed)) if doomed and count(doomed) else [],
    )


def _merged(units: list[Combatant]) -> list[Combatant]:
    """Units that differ only in what happened to them earlier in the turn are one to the eye."""
    found: dict[tuple[object, ...], Combatant] = {}
    for unit in units:
        key = (unit.power, unit.unit, unit.hits, tuple((c.unit, c.count) for c in unit.cargo))
        same = found.get(key)
        found[key] = (
            unit
            if same is None
            else same.model_copy(update={"count": same.count + unit.count, "dice": same.dice + unit.dice})
        )
    return list(found.values())


def rolls(battle: Battle, entries: Sequence[Entry]) -> list[Roll]:
    """Every roll since the battle was opened, found by going back through the orders."""
    latest: list[Sequence[e.AnyEvent]] = []
    for entry in reversed(entries):
        opened = _opened(battle.space, entry.events)
        latest.append(entry.events[opened or 0 :])
        if opened is not None:
            break
    latest.reverse()
    before = [event for events in latest[:-1] for event in events]
    return _rolls(before, latest[-1] if latest else ())


def _opened(space: str, events: Sequence[e.AnyEvent]) -> int | None:
    """Where among the events a battle in this space is opened, the last time."""
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, e.BattleOpened) and event.battle.space == space:
            return index
    return None


def _rolls(before: Sequence[e.AnyEvent], last: Sequence[e.AnyEvent]) -> list[Roll]:
    found: list[Roll] = []
    number = 1
    for is_last, events in ((False, before), (True, last)):
        for event in events:
            if isinstance(event, e.RoundBegan):
                number = event.round
            elif isinstance(event, e.Rolled):
                found.append(Roll.model_validate({**roll_fields(event), "round": number, "latest": is_last}))
    return found


def battle_reports(world: World, events: Sequence[e.AnyEvent], earlier: Iterator[Entry]) -> list[BattleReport]:
    """The battles that ended in these events, each from its beginning. `earlier` are the orders before, last first."""
    found = []
    for index, event in enumerate(events):
        if not isinstance(event, e.BattleEnded):
            continue
        here = events[:index]
        opened = _opened(event.space, here)
        whole = list(here[opened or 0 :])
        while opened is None and (entry := next(earlier, None)) is not None:
            opened = _opened(event.space, entry.events)
            whole[:0] = entry.events[opened or 0 :]
        found.append(_report(world, event, whole, events[index:]))
    return found


def _report(
    world: World, ended: e.BattleEnded, whole: Sequence[e.AnyEvent], after: Sequence[e.AnyEvent]
) -> BattleReport:
    lost: dict[str, dict[str, int]] = {}
    for event in whole:
        if isinstance(event, e.Lost):
            for piece, n in with_cargo(dict(event.units)):
                of = lost.setdefault(piece.power, {})
                of[piece.type] = of.get(piece.type, 0) + n
    return BattleReport(
        space=ended.space,
        kind=ended.kind,
        attacker=ended.attacker,
        result=ended.result,
        rounds=max((event.round for event in whole if isinstance(event, e.RoundBegan)), default=1),
        rolls=_rolls(whole, ()),
        lost={
            power: [UnitCount(unit=unit, count=lost[power][unit]) for unit in world.units if unit in lost[power]]
            for power in world.powers
            if power in lost
        },
        money={power: n for power in world.powers if (n := _paid(whole, power))},
        damage=sum(event.points for event in whole if isinstance(event, e.Damaged)),
        captured_by=next((c.owner for c in after if isinstance(c, e.Captured) and c.space == ended.space), None),
        sentences=sentences(world, [*whole, ended]),
    )


def _paid(events: Sequence[e.AnyEvent], power: str) -> int:
    return -sum(event.amount for event in events if isinstance(event, e.Paid) and event.power == power)
