"""Commandos: a few men who land behind the lines before the raids, to hurt a facility or ships beside it.

G40-RES-39, G40-RES-40. They wait in reserve, strike from any land that their power held when the turn began, and those
who come back wait there again.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine import cards
from sandtable.engine.bases import lift
from sandtable.engine.damage import hurt
from sandtable.engine.events import CommandosSent, Rolled
from sandtable.engine.facts import amount, enemies_in, name, neutral_land, phase_name, type_of, unit_type, within
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State, Units, in_order
from sandtable.errors import Refusal
from sandtable.notation.orders import Commando
from sandtable.world.model import PowerId, SpaceId, UnitId, UnitType, World

KIND = "commando"
HIT = "sabotaged-ships"


def troop(world: World, state: State, power: PowerId) -> UnitType | None:
    """The kind of unit that the power has in reserve for this."""
    for unit in state.reserve.get(power, {}):
        kind = unit_type(world, state, power, unit)
        if kind.raider is not None:
            return kind
    return None


def ready(world: World, state: State, power: PowerId) -> int:
    """How many may still be sent this turn."""
    kind = troop(world, state, power)
    if kind is None or kind.raider is None or state.sent is None or cards.forbids_word(world, state, "commando"):
        return 0
    return max(0, min(kind.raider.most - state.sent, state.reserve[power][kind.id] - state.back))


def available(world: World, state: State, power: PowerId) -> bool:
    """The power may send some at something now."""
    if phase_name(world, state) != "combat" or state.battle is not None or not ready(world, state, power):
        return False
    return next(offers(world, state, power), None) is not None


def offers(world: World, state: State, power: PowerId) -> Iterator[Commando]:
    """Every target, each once with all who can go, from the first place that reaches it."""
    number = ready(world, state, power)
    seen: set[tuple[SpaceId, UnitId | None]] = set()
    for start in bases(state, power) if number else ():
        for target in reached(world, state, power, start):
            for facility in targets(world, state, power, target):
                if (target, facility) not in seen:
                    seen.add((target, facility))
                    yield Commando(number, start, target, facility)


def bases(state: State, power: PowerId) -> list[SpaceId]:
    """Land that has been the power's own since the turn began."""
    return [s for s, owner in state.owners.items() if owner == power and state.start_owners.get(s) == power]


def reached(world: World, state: State, power: PowerId, start: SpaceId) -> dict[SpaceId, int]:
    """As far as the plane flies whose range they have, over no neutral land."""
    kind = troop(world, state, power)
    assert kind is not None
    assert kind.raider is not None
    plane = Piece(power, kind.raider.ranges_like)
    limit = type_of(world, state, plane).move + lift(world, state, plane, start)
    return within(world, start, limit, neutral_land(world, state))


def targets(world: World, state: State, power: PowerId, space: SpaceId) -> tuple[UnitId | None, ...]:
    """Facilities of enemies there; None stands for their ships in a zone beside enemy land."""
    if world.spaces[space].is_sea:
        return (None,) if _ships(world, state, power, space) and _shore(world, state, power, space) else ()
    return tuple(
        dict.fromkeys(
            p.type for p, _ in enemies_in(world, state, power, space) if world.units[p.type].domain == "facility"
        )
    )


def _ships(world: World, state: State, power: PowerId, zone: SpaceId) -> Units:
    there = enemies_in(world, state, power, zone)
    return tuple(
        (p, n) for p, n in in_order(dict(there)) if world.units[p.type].domain == "sea" and p.mark != "submerged"
    )


def _shore(world: World, state: State, power: PowerId, zone: SpaceId) -> SpaceId | None:
    """The enemy land beside the zone with the fewest defenders: there they hide."""
    hostile = enemies(world, state, power)
    shores = [s for s in world.land[zone] if state.owners.get(s) in hostile]
    return min(shores, key=lambda s: _defenders(world, state, power, s), default=None)


def _defenders(world: World, state: State, power: PowerId, space: SpaceId) -> int:
    return sum(
        n
        for p, n in enemies_in(world, state, power, space)
        if world.units[p.type].domain == "land" and not type_of(world, state, p).underground
    )


def send(run: Run, order: Commando) -> None:
    world, state, power = run.world, run.state, run.power
    kind = troop(world, state, power)
    if kind is None or kind.raider is None:
        raise Refusal("no-commandos", f"{world.powers[power].name} has no commandos to send.")
    if phase_name(world, state) != "combat" or state.battle is not None or state.sent is None:
        raise Refusal("commandos-before-raids", "Commandos are sent before the raids and battles of a turn.")
    most = ready(world, state, power)
    if not 1 <= order.count <= most:
        text = (
            f"No more than {amount(world, kind.id, most)} can be sent now."
            if most
            else "No more can be sent this turn."
        )
        raise Refusal("too-many-commandos", text, (order.start,))
    if order.start not in bases(state, power):
        text = (
            f"Commandos set out from land that you have held since the turn began, not from {name(world, order.start)}."
        )
        raise Refusal("no-base-for-commandos", text, (order.start,))
    possible = targets(world, state, power, order.target)
    if not possible or (order.facility is not None and order.facility not in possible):
        raise Refusal(
            "no-target-for-commandos", f"There is no such target in {name(world, order.target)}.", (order.target,)
        )
    if order.facility is None and len(possible) > 1:
        raise Refusal(
            "commando-target-not-said", "Several facilities are there: say which one is meant.", (order.target,)
        )
    if order.target not in reached(world, state, power, order.start):
        text = f"{name(world, order.target)} is too far from {name(world, order.start)}."
        raise Refusal("too-far-for-commandos", text, (order.start, order.target))
    facility = order.facility or possible[0]
    _strike(run, kind, order, facility)


def _strike(run: Run, kind: UnitType, order: Commando, facility: UnitId | None) -> None:
    world, power, target = run.world, run.power, order.target
    place = target if facility is not None else _shore(world, run.state, power, target)
    assert place is not None
    shooters = ((power, kind.id, order.count),)

    def told(faces: tuple[int, ...]) -> Rolled:
        hits = sum(face <= kind.attack for face in faces)
        return Rolled("commando", power, faces, target, kind.attack, shooters, hits)

    faces = run.roll(order.count, told)
    hits = sum(face <= kind.attack for face in faces)
    lost = _answer(run, place)
    run.emit(CommandosSent(power, kind.id, target, order.count, min(lost, order.count)))
    if hits and facility is not None:
        hurt(run, power, target, hits, facility)
    elif hits:
        _hit_ships(run, target, hits)


def _answer(run: Run, place: SpaceId) -> int:
    """Each unit in the land rolls once, and a 1 costs a man."""
    world, state, power = run.world, run.state, run.power
    number = _defenders(world, state, power, place)
    if not number:
        return 0
    owner = state.owners.get(place) or power

    def told(faces: tuple[int, ...]) -> Rolled:
        return Rolled("commando", owner, faces, place, 1, (), sum(face == 1 for face in faces))

    return sum(face == 1 for face in run.roll(number, told))


def _hit_ships(run: Run, zone: SpaceId, hits: int) -> None:
    """The owner of the ships says which are hit."""
    units = _ships(run.world, run.state, run.power, zone)
    owners: dict[PowerId, int] = {}
    for piece, n in units:
        owners[piece.power] = owners.get(piece.power, 0) + n
    owner = max(owners, key=lambda p: owners[p])
    room = sum((type_of(run.world, run.state, p).hits - p.hits) * n for p, n in units if p.power == owner)
    own = tuple((p, n) for p, n in units if p.power == owner)
    run.ask(Question(HIT, owner, zone, count=min(hits, room), units=own))
