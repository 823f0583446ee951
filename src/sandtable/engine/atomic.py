"""Atomic bombs: made one a turn, kept in reserve, and dropped on a complex by a plane that can carry one.

G40-RES-25 to G40-RES-27. On its way a bomb is the plane's cargo: it is lost with it, and comes back with one that
turned home.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.damage import complex_in
from sandtable.engine.events import BombsReturned, Change, Loaded
from sandtable.engine.facts import NOTHING, name, phase_name, unit_type
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, in_order, load
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, UnitType, World

ROLE = "atomic"


def stock(world: World, state: State, power: PowerId) -> UnitType | None:
    """The kind of bomb that the power has in reserve."""
    for unit in state.reserve.get(power, {}):
        kind = unit_type(world, state, power, unit)
        if kind.payload is not None:
            return kind
    return None


def carry_out(run: Run, order: Move) -> None:
    """A raid on the complex by planes that carry a bomb each."""
    from sandtable.engine.movement.move import carry_out as carry_out_move  # it knows this role, too

    world, state, power = run.world, run.state, run.power
    if phase_name(world, state) != "combat-move":
        raise Refusal("role-in-noncombat", "Bombs are dropped in the combat move.", (order.route[-1],))
    bomb = stock(world, state, power)
    number = sum(spec.count for spec in order.units)
    if bomb is None or bomb.payload is None or number > state.reserve[power][bomb.id]:
        raise Refusal("no-atomic-bomb", f"{world.powers[power].name} has not so many atomic bombs.", (order.route[0],))
    if any(spec.type != bomb.payload.carrier for spec in order.units):
        what = world.units[bomb.payload.carrier].plural
        raise Refusal("plane-carries-no-bomb", f"Atomic bombs are carried by {what}.", (order.route[0],))
    if bomb.payload.needs not in state.techs.get(power, NOTHING):
        what = world.technologies[bomb.payload.needs].name
        raise Refusal("plane-carries-no-bomb", f"It takes {what} to carry an atomic bomb.", (order.route[0],))
    target = order.route[-1]
    found = complex_in(world, state, target)
    hostile = any(p.type == found and p.power in enemies(world, state, power) for p in state.at(target))
    if found is None or not hostile or order.facility not in (None, found):
        text = f"Atomic bombs are for enemy complexes, and there is none such in {name(world, target)}."
        raise Refusal("no-complex-for-bomb", text, (target,))
    carry_out_move(run, Move(order.units, order.route, "raid", None, order.ship))
    _load(run, order, bomb, number)


def _load(run: Run, order: Move, bomb: UnitType, number: int) -> None:
    target, power = order.route[-1], run.power
    minus: list[tuple[Piece, int]] = []
    plus: list[tuple[Piece, int]] = []
    left = number
    for piece, n in in_order(run.state.at(target)):
        if piece.power == power and piece.mark == "raid" and not piece.cargo and left:
            some = min(left, n)
            left -= some
            minus.append((piece, some))
            plus.append((load(piece, [Piece(power, bomb.id)]), some))
    changes = (Change(target, tuple(minus), tuple(plus)),)
    run.emit(Loaded(power, bomb.id, number, target, changes))


def offers(world: World, state: State, power: PowerId) -> Iterator[UnitSpec]:
    """The planes that could carry a bomb now."""
    bomb = stock(world, state, power)
    if bomb is None or bomb.payload is None or phase_name(world, state) != "combat-move":
        return
    if bomb.payload.needs in state.techs.get(power, NOTHING):
        yield UnitSpec(bomb.payload.carrier)


def carries(world: World, piece: Piece) -> bool:
    """The piece has a bomb aboard."""
    return any(world.units[c.type].domain == "air" for c in piece.cargo)


def bring_back(run: Run) -> None:
    """Bombs that were not dropped are in reserve again when the battles are over."""
    if not run.world.bombs:
        return
    for space, stack in list(run.state.units.items()):
        full = {p: n for p, n in stack.items() if p.cargo and p.power == run.power and carries(run.world, p)}
        for piece, n in in_order(full):
            bomb = next(c.type for c in piece.cargo if run.world.units[c.type].domain == "air")
            empty = msgspec.structs.replace(piece, cargo=())
            changes = (Change(space, ((piece, n),), ((empty, n),)),)
            run.emit(BombsReturned(run.power, bomb, n, changes))
