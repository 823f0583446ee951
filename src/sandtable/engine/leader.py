"""The Legendary Leader: one land or naval unit that its power names when it has developed him (MX15-08).

He cannot change to another unit. A power without any such unit names the first that it gets.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.events import Change, LeaderNamed
from sandtable.engine.facts import means, name, technologies, type_of, unit_type
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State, load, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import Leader, UnitSpec
from sandtable.world.model import MarkId, PowerId, SpaceId, UnitId, World

KIND = "leader"
Choice = tuple[SpaceId, UnitId, tuple[MarkId, ...]]


def can_be_led(world: World, state: State, piece: Piece) -> bool:
    kind = type_of(world, state, piece)
    return kind.domain in ("land", "sea") and kind.casualty


def choices(world: World, state: State, power: PowerId) -> list[Choice]:
    """The units that the leader can command, each kind of a space once, those aboard ships included."""
    found: dict[Choice, None] = {}
    for space in world.spaces:
        here = [
            p for p in (*state.at(space), *_cargo(state, space)) if p.power == power and can_be_led(world, state, p)
        ]
        order = list(world.units)
        for piece in sorted(here, key=lambda p: (order.index(p.type), p.marks)):
            found[space, piece.type, piece.marks] = None
    return list(found)


def _cargo(state: State, space: SpaceId) -> list[Piece]:
    return [aboard for ship in state.at(space) for aboard in ship.cargo]


def settle(run: Run) -> None:
    """Whoever has to name a unit and can does so, or is asked."""
    for power in run.state.leaderless:
        possible = choices(run.world, run.state, power)
        if len(possible) == 1:
            space, unit, marks = possible[0]
            _name(run, power, UnitSpec(unit, marks=marks), space)
        elif possible:
            run.ask(Question(KIND, power))
            return


def answer(run: Run, question: Question, order: Leader) -> None:
    world, power = run.world, question.power
    (spec, *more) = order.units
    if more or spec.count != 1:
        raise Refusal("one-unit-is-led", "The leader commands one unit.", (order.space,))
    unit = unit_type(world, run.state, power, spec.type)
    if not can_be_led(world, run.state, Piece(power, spec.type)):
        text = f"The leader commands a land or naval unit that fights, not the {unit.name}."
        raise Refusal("unit-cannot-be-led", text, (order.space,))
    if spec.power not in (None, power) or not _those(run.state, power, spec, order.space):
        text = f"{world.powers[power].name} has no such {unit.name} in {name(world, order.space)}."
        raise Refusal("no-such-unit-to-lead", text, (order.space,))
    run.close()
    _name(run, power, spec, order.space)


def _those(state: State, power: PowerId, spec: UnitSpec, space: SpaceId) -> list[Piece]:
    pieces = (*state.at(space), *_cargo(state, space))
    found = [p for p in pieces if p.power == power and means(spec, p)]
    return sorted(found, key=lambda p: (len(p.marks), piece_key(p)))


def _name(run: Run, power: PowerId, spec: UnitSpec, space: SpaceId) -> None:
    state = run.state
    known = technologies(run.world, state, power)
    mark = next(t.leader for t in known if t.leader is not None)
    piece = _those(state, power, spec, space)[0]
    led = msgspec.structs.replace(piece, marks=tuple(sorted({*piece.marks, mark})))
    if piece in state.at(space):
        change = Change(space, ((piece, 1),), ((led, 1),))
    else:
        ship = min((s for s in state.at(space) if piece in s.cargo), key=piece_key)
        rest = list(ship.cargo)
        rest.remove(piece)
        change = Change(space, ((ship, 1),), ((load(ship, (*rest, led)), 1),))
    run.emit(LeaderNamed(power, space, ((led, 1),), (change,)))
