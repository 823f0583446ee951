"""The battle board: both sides by column, the casualty line, the hits, and the dice as they fell."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from sandtable.engine import events as e
from sandtable.engine.battle.casualties import targets
from sandtable.engine.battle.forces import guests
from sandtable.engine.battle.steps import ONCE
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.game import Entry
from sandtable.engine.state import Battle, Stack, State, count, in_order
from sandtable.server.views.base import Force, Model, force, forces
from sandtable.server.views.events import Shooter, roll_fields
from sandtable.world.model import World


class Combatant(Force):
    dice: int = Field(description="that all of them roll together")
    first_shot: bool = False


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
    attack: BattleSide
    defense: BattleSide
    guns: list[Force] = Field([], description="antiaircraft guns that can fire")
    onlookers: list[Force] = Field([], description="allied planes aboard the attacker's carriers")
    hits: int = Field(description="hits that wait for casualties")
    rolls: list[Roll] = Field(description="every roll of this battle so far")
    origins: list[str]
    shores: list[str]


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
        attack=side_view(world, state, attack, "attack"),
        defense=side_view(world, state, defense, "defense", battle.doomed),
        guns=forces((p, n) for p, n in enemies if type_of(world, state, p).anti_air),
        onlookers=forces(in_order(guests(world, state, battle))),
        hits=sum(hit.count for hit in battle.hits),
        rolls=rolls(battle, entries),
        origins=list(battle.origins),
        shores=list(battle.shores),
    )


def side_view(world: World, state: State, stack: Stack, side: str, doomed: Stack | None = None) -> BattleSide:
    units, powers = list(world.units), list(world.powers)
    columns: dict[int, list[Combatant]] = {}
    ordered = sorted(in_order(stack), key=lambda item: (units.index(item[0].type), powers.index(item[0].power)))
    for piece, n in ordered:
        kind = type_of(world, state, piece)
        value = kind.attack if side == "attack" else kind.defense
        each = kind.attack_dice if side == "attack" else 1
        columns.setdefault(value, []).append(
            Combatant(**force(piece, n).model_dump(), dice=n * each if value else 0, first_shot=side in kind.first_shot)
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
        key = (unit.power, unit.unit, tuple((c.unit, c.count) for c in unit.cargo))
        same = found.get(key)
        found[key] = (
            unit
            if same is None
            else same.model_copy(update={"count": same.count + unit.count, "dice": same.dice + unit.dice})
        )
    return list(found.values())


def rolls(battle: Battle, entries: Sequence[Entry]) -> list[Roll]:
    """Every roll since the battle was opened, found by going back through the orders."""
    latest: list[list[e.AnyEvent]] = []
    for entry in reversed(entries):
        opened = [
            index
            for index, event in enumerate(entry.events)
            if isinstance(event, e.BattleOpened) and event.battle.space == battle.space
        ]
        latest.append(list(entry.events[opened[-1] :] if opened else entry.events))
        if opened:
            break
    found: list[Roll] = []
    number = 1
    for age, events in reversed(list(enumerate(latest))):
        for event in events:
            if isinstance(event, e.RoundBegan):
                number = event.round
            elif isinstance(event, e.Rolled):
                found.append(Roll.model_validate({**roll_fields(event), "round": number, "latest": age == 0}))
    return found
