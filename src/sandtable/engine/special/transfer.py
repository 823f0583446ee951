"""Units that go from one map straight to a place (G40-SPC-15)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.events import Change, Moved
from sandtable.engine.facts import amount, listed, name, phase_name
from sandtable.engine.movement.pieces import pick
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, unmoved
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, World
from sandtable.world.specials import Transfer

ROLE = "rail"
MARK = "rail"


def offers(world: World, state: State, power: PowerId) -> Iterator[Move]:
    """Single units that may be sent now."""
    right = world.powers[power].special.transfer
    if right is None or phase_name(world, state) != "noncombat-move" or _closed(world, state, power, right):
        return
    if right.number <= _sent(state, power):
        return
    for space, stack in state.units.items():
        if world.spaces[space].is_land and world.spaces[space].traits.get("map") == right.map:
            for unit in dict.fromkeys(p.type for p in stack if p.power == power and unmoved(p)):
                if unit in right.units:
                    yield Move((UnitSpec(unit),), (space, right.to), ROLE)


def carry_out(run: Run, order: Move) -> None:
    world, state, power = run.world, run.state, run.power
    right = world.powers[power].special.transfer
    if right is None or phase_name(world, state) != "noncombat-move":
        raise Refusal("no-such-transfer", f"{world.powers[power].name} sends nothing by rail now.")
    start, end = order.route[0], order.route[-1]
    closed = _closed(world, state, power, right)
    if closed:
        raise Refusal("transfer-closed", closed, rules=right.rules)
    if end != right.to or len(order.route) != 2 or world.spaces[start].traits.get("map") != right.map:
        text = f"Such units go straight from the {right.map.capitalize()} map to {name(world, right.to)}."
        raise Refusal("transfer-elsewhere", text, (end,), rules=right.rules)
    wrong = [spec for spec in order.units if spec.type not in right.units]
    number = sum(spec.count for spec in order.units)
    if wrong or _sent(state, power) + number > right.number:
        kinds = listed([amount(world, unit, right.number) for unit in right.units], "or")
        raise Refusal("transfer-of-others", f"No more than {kinds} go by rail in a turn.", rules=right.rules)
    for spec in order.units:
        units = pick(world, state, power, start, spec, _check)
        gone = tuple((msgspec.structs.replace(p, used=1, done=True, mark=MARK), n) for p, n in units)
        run.emit(Moved(power, (start, end), (Change(start, minus=units), Change(end, plus=gone)), units, 1))


def _closed(world: World, state: State, power: PowerId, right: Transfer) -> str:
    """Why nobody is sent now, as a sentence."""
    who = world.powers[power].name
    if not all(at_war(world, state, power, enemy) for enemy in right.at_war_with):
        return (
            f"{who} sends troops by rail only at war with {listed([world.powers[p].name for p in right.at_war_with])}."
        )
    if state.owners.get(right.to) != power:
        return f"{who} does not hold {name(world, right.to)}, where such troops go."
    return ""


def _sent(state: State, power: PowerId) -> int:
    return sum(n for stack in state.units.values() for p, n in stack.items() if p.power == power and p.mark == MARK)


def _check(piece: Piece) -> None:
    if not unmoved(piece):
        raise Refusal("moved-already", "Only units that have neither moved nor fought this turn go by rail.")
