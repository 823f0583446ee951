"""Troops that a freed country raises for nothing, the first time (G40-SPC-28)."""

from __future__ import annotations

from sandtable.engine.events import Change, TroopsOffered, TroopsRaised
from sandtable.engine.facts import amounts, unit_type
from sandtable.engine.offer import unavailable
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Place
from sandtable.world.model import PowerId, SpaceId, UnitId, World

KIND = "free-troops"


def offer(run: Run, space: SpaceId) -> None:
    """Ask the country whose land has just been freed."""
    world, power = run.world, run.state.owners.get(space)
    right = world.powers[power].special.liberation if power is not None else None
    if right is None or power is None or right.place != space or run.state.spent.get(f"liberation {power}"):
        return
    run.emit(TroopsOffered(power, space, right.value))
    run.ask(Question(KIND, power, space, count=right.value))


def awaits(world: World, state: State, space: SpaceId) -> bool:
    """Freeing the place would raise troops: that is asked when the fighting begins, not in the middle of moves."""
    power = world.spaces[space].original
    right = world.powers[power].special.liberation if power is not None else None
    if right is None or right.place != space or state.owners.get(space) == power:
        return False
    return not state.spent.get(f"liberation {power}")


def prices(world: World, state: State, power: PowerId, most: int) -> dict[UnitId, int]:
    """Land units and planes that it can raise for so much."""
    found = {}
    for unit in world.units:
        kind = unit_type(world, state, power, unit)
        usual = kind.domain in ("land", "air") and not kind.reserve and not kind.underground
        if not usual or kind.cost is None or kind.cost > most:
            continue
        if unavailable(world, state, power, unit, raised=True) is None:
            found[unit] = kind.cost
    return found


def place(run: Run, question: Question, order: Place) -> None:
    """Some of the troops; as long as something is left, the country is asked again."""
    world, power = run.world, question.power
    known = prices(world, run.state, power, question.count)
    cost = 0
    for spec in order.units:
        if spec.power not in (None, power) or spec.type not in known or order.space != question.space or spec.count < 1:
            text = f"Land units and planes for {question.count} are placed in {world.spaces[question.space].name}."
            raise Refusal("no-such-free-troops", text, (order.space,))
        cost += known[spec.type] * spec.count
    if cost > question.count:
        told = amounts(world, [(s.type, s.count) for s in order.units])
        raise Refusal("free-troops-too-dear", f"{told} are worth {cost}, and troops for {question.count} are free.")
    units = tuple((spec.type, spec.count) for spec in order.units)
    changes = (Change(order.space, plus=tuple((Piece(power, unit), n) for unit, n in units)),)
    run.emit(TroopsRaised(power, order.space, units, changes))
    run.close()
    left = question.count - cost
    if prices(world, run.state, power, left):
        run.ask(Question(KIND, power, question.space, count=left))
