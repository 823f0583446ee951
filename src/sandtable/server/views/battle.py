"""The battle board: both sides by column, the casualty line, the hits, and the dice as they fell."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from sandtable.engine import events as e
from sandtable.engine.battle.casualties import targets
from sandtable.engine.battle.forces import bulwark_room, flight, guests, strikers
from sandtable.engine.battle.hits import endurance
from sandtable.engine.battle.steps import STEPS, steps_of_round
from sandtable.engine.battle.steps.air_combat import factors, modifier
from sandtable.engine.battle.strength import Strength, in_battle
from sandtable.engine.facts import enemies_in, type_of
from sandtable.engine.game import Entry
from sandtable.engine.state import Battle, Piece, Role, Stack, State, count, in_order, piece_key
from sandtable.server.views.base import Force, Model, force, forces
from sandtable.server.views.events import Shooter, roll_fields
from sandtable.world.model import World
from sandtable.world.profiles import roster


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


class AirSide(Model):
    """One side's row of the air-combat chart."""

    factor: int = Field(description="air factors of its planes together: the row")
    modifier: int = Field(description="what its pilots add to the roll")
    rows: list[list[tuple[int, int]]] = Field(
        description="the row with those beside it: planes destroyed and turned back, by rolls from 2"
    )
    first: int = Field(description="the air factor of the first of these rows")
    roll: int | None = Field(None, description="what the dice showed, with what pilots add, once they are thrown")


class AirCombat(Model):
    attack: AirSide
    defense: AirSide


class BulwarkView(Model):
    """A facility that takes the defenders' hits before anybody else has to."""

    power: str
    unit: str
    value: int = Field(description="what it hits on itself; 0: it does not fire")
    damage: int
    room: int = Field(description="hits that it still takes")


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
    bulwarks: list[BulwarkView] = Field([], description="what takes hits for the defenders")
    onlookers: list[Force] = Field([], description="allied planes aboard the attacker's carriers")
    hits: int = Field(description="hits that wait for casualties")
    rolls: list[Roll] = Field(description="every roll of this battle so far")
    air: AirCombat | None = Field(None, description="the chart, while planes meet on it")
    origins: list[str]
    shores: list[str]


def battle_view(world: World, state: State, rolled: Sequence[Roll]) -> BattleView | None:
    """The open battle with the dice that it has seen."""
    battle = state.battle
    if battle is None:
        return None
    steps = world.battles[battle.kind].steps
    attack = targets(world, state, battle, "attack")
    defense = targets(world, state, battle, "defense")
    enemies = enemies_in(world, state, battle.attacker, battle.queue[0] if battle.queue else battle.space)
    return BattleView(
        space=battle.space,
        kind=battle.kind,
        attacker=battle.attacker,
        round=battle.round,
        step=steps[min(battle.step, len(steps) - 1)],
        steps=steps_of_round(steps, battle.round),
        stage=stage(steps, battle),
        stages=stages(steps, battle.round),
        attack=force_view(world, state, battle, attack, "attack", defense),
        defense=force_view(world, state, battle, defense, "defense", attack, battle.doomed),
        guns=forces((p, n) for p, n in enemies if type_of(world, state, p).anti_air),
        bulwarks=bulwark_views(world, state, battle),
        onlookers=forces(in_order(guests(world, state, battle))),
        hits=sum(hit.count for hit in battle.hits),
        rolls=list(rolled),
        air=air_view(world, state, battle, rolled),
        origins=list(battle.origins),
        shores=list(battle.shores),
    )


def bulwark_views(world: World, state: State, battle: Battle) -> list[BulwarkView]:
    owner = state.owners.get(battle.space)
    if owner is None:
        return []
    kinds, damage = roster(world, state.techs)[owner], state.damage.get(battle.space, {})
    room = bulwark_room(world, state, battle)
    there = {piece.type for piece in state.at(battle.space) if piece.type in world.bulwarks}
    worn = {unit: 0 for unit in world.units if unit in there and unit not in room and damage.get(unit)}
    return [
        BulwarkView(power=owner, unit=unit, value=kinds[unit].defense, damage=damage.get(unit, 0), room=left)
        for unit, left in (room | worn).items()
    ]


def _on_chart(world: World, battle: Battle) -> bool:
    """Planes meet on the chart now, or are about to: what counts is their air factors."""
    return bool(world.rules.air_chart) and AIR_COMBAT in world.battles[battle.kind].steps[battle.step :]


def air_view(world: World, state: State, battle: Battle, rolled: Sequence[Roll]) -> AirCombat | None:
    """The rows of the chart that both sides read, while air combat is on or about to come."""
    if not _on_chart(world, battle):
        return None
    thrown = [roll for roll in rolled if roll.reason == "air"]
    rows = []
    for place, role in enumerate(AIR_SIDES):
        planes = flight(world, state, battle, role)
        thrown_here = thrown[place] if len(thrown) > place else None
        shooters = {Piece(s.power, s.unit): s.dice for s in thrown_here.shooters} if thrown_here else planes
        factor = sum(factors(world, state, shooters).values())
        added = modifier(world, state, planes)
        top = len(world.rules.air_chart)
        first = max(1, min(factor, top) - 1)
        rows.append(
            AirSide(
                factor=factor,
                modifier=added,
                rows=[list(row) for row in world.rules.air_chart[first - 1 : first + 2]],
                first=first,
                roll=None if thrown_here is None else sum(thrown_here.faces) + added,
            )
        )
    return AirCombat(attack=rows[0], defense=rows[1])


AIR_COMBAT = "air-combat"
AIR_SIDES: tuple[Role, Role] = ("attack", "defense")


def stages(steps: tuple[str, ...], number: int) -> list[str]:
    titles = (STEPS[step].title for step in steps_of_round(steps, number))
    return list(dict.fromkeys(title for title in titles if title))


def stage(steps: tuple[str, ...], battle: Battle) -> str:
    """The step that is being taken, or that was taken last before tidying up."""
    known = [title for step in steps[: battle.step + 1] if (title := STEPS[step].title)]
    return known[-1] if known else next((title for step in steps if (title := STEPS[step].title)), "")


def force_view(
    world: World, state: State, battle: Battle, stack: Stack, role: Role, enemies: Stack, doomed: Stack | None = None
) -> BattleSide:
    units, powers = list(world.units), list(world.powers)
    columns: dict[int, list[Combatant]] = {}
    first = strikers(world, state, role, stack, enemies)
    chart = _on_chart(world, battle)

    def place(armed: tuple[Piece, int, Strength]) -> tuple[object, ...]:
        return units.index(armed[0].type), powers.index(armed[0].power), piece_key(armed[0])

    for piece, number, strength in sorted(in_battle(world, state, battle, role, stack), key=place):
        value = type_of(world, state, piece).traits.get("air_factor", 0) if chart else strength.value
        columns.setdefault(value, []).append(
            Combatant(
                **force(piece, number).model_dump(),
                dice=number * strength.dice if strength.value else 0,
                hits=piece.hits,
                endures=endurance(world, state, piece),
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
        key = (unit.power, unit.unit, unit.hits, tuple(unit.marks), tuple((c.unit, c.count) for c in unit.cargo))
        same = found.get(key)
        found[key] = (
            unit
            if same is None
            else same.model_copy(update={"count": same.count + unit.count, "dice": same.dice + unit.dice})
        )
    return list(found.values())


def rolls(battle: Battle | None, entries: Sequence[Entry]) -> list[Roll]:
    """Every roll since the battle was opened, found by going back through the orders."""
    if battle is None:
        return []
    latest: list[Sequence[e.AnyEvent]] = []
    for entry in reversed(entries):
        opened = opened_at(battle.space, entry.events)
        latest.append(entry.events[opened or 0 :])
        if opened is not None:
            break
    latest.reverse()
    before = [event for events in latest[:-1] for event in events]
    return roll_views(before, latest[-1] if latest else ())


def opened_at(space: str, events: Sequence[e.AnyEvent]) -> int | None:
    """Where among the events a battle in this space is opened, the last time."""
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, e.BattleOpened) and event.battle.space == space:
            return index
    return None


def roll_views(before: Sequence[e.AnyEvent], last: Sequence[e.AnyEvent]) -> list[Roll]:
    found: list[Roll] = []
    number = 1
    for is_last, events in ((False, before), (True, last)):
        for event in events:
            if isinstance(event, e.RoundBegan):
                number = event.round
            elif isinstance(event, e.Rolled):
                found.append(Roll.model_validate({**roll_fields(event), "round": number, "latest": is_last}))
    return found
