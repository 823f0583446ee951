"""Troops dropped from planes: who may ride, and boarding (AN-TEC-07 to AN-TEC-11).

What can carry whom is a fact of the technology (`drops`).
"""

from __future__ import annotations

import msgspec

from sandtable.engine.events import Boarded, Change
from sandtable.engine.facts import amount, drops, name, phase_name, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, in_order
from sandtable.engine.state import load as laden
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World

ROLE = "paradrop"


def is_meant(order: Move, by_domain: dict[str, list[UnitSpec]]) -> bool:
    """The order says so, or names a plane with its passengers."""
    return order.role == ROLE or (order.role is None and any(s.cargo for s in by_domain["air"]))


def hinted(run: Run, order: Move, refusal: Refusal) -> Refusal:
    """The refusal of a plane and troops on the same way, with the word that would make a drop of it."""
    drop = drops(run.world, run.state, run.power) if order.role is None and len(order.units) > 1 else None
    if drop is None or phase_name(run.world, run.state) != "combat-move":
        return refusal
    if {spec.type for spec in order.units} != {drop.unit, drop.passenger}:
        return refusal
    plane = run.world.units[drop.unit].name
    text = f"{refusal.text} To drop the troops from the {plane}, end the order with `as {ROLE}`."
    return Refusal(refusal.reason, text, refusal.culprits, rules=refusal.rules)


def riders(world: World, state: State, power: PowerId, space: SpaceId, unit: UnitId) -> bool:
    """A unit of this kind here may carry a passenger that stands beside it and has not moved."""
    drop = drops(world, state, power)
    return (
        drop is not None
        and drop.unit == unit
        and any(p.power == power and p.type == drop.passenger and _fresh(p) for p in state.at(space))
    )


def aboard(world: World, state: State, piece: Piece) -> Piece:
    """The plane as it would be with its passengers aboard."""
    drop = drops(world, state, piece.power)
    assert drop is not None
    return laden(piece, [Piece(piece.power, drop.passenger)] * drop.number)


def load(run: Run, order: Move, by_domain: dict[str, list[UnitSpec]]) -> None:
    """Put the troops of the order into its planes; what is left to do is a flight of laden planes."""
    world, power = run.world, run.power
    start = order.route[0]
    drop = drops(world, run.state, power)
    if drop is None:
        raise Refusal("no-paratroopers", f"{world.powers[power].name} has not developed paratroopers.", (start,))
    planes = sum(s.count for s in by_domain["air"])
    riding = sum(s.count * n for s in by_domain["air"] for _, n in s.cargo or ())  # `1 bomber carrying 1 infantry`
    troops = sum(s.count for s in by_domain["land"]) + riding
    planes = planes or -(-troops // drop.number)
    others = [s for s in by_domain["air"] if s.type != drop.unit] + [
        s for s in by_domain["land"] if s.type != drop.passenger
    ]
    wrong = any(u != drop.passenger for s in by_domain["air"] for u, _ in s.cargo or ())
    if not troops or others or wrong or by_domain["sea"] or troops > planes * drop.number:
        one = amount(world, drop.unit, 1)
        raise Refusal(
            "wrong-load-for-drop",
            f"In a drop {one} carries {amount(world, drop.passenger, drop.number)}, and nothing else goes along.",
            (start,),
        )
    left = troops
    loads: list[int] = []
    for _ in range(planes):
        loads.append(min(left, drop.number))
        left -= loads[-1]
    for number in loads:
        if number:
            _embark(run, start, drop.unit, drop.passenger, number)
    by_domain["land"] = []
    by_domain["air"] = [
        UnitSpec(drop.unit, loads.count(n), cargo=((drop.passenger, n),) if n else ()) for n in dict.fromkeys(loads)
    ]


def _embark(run: Run, start: SpaceId, carrier: UnitId, unit: UnitId, number: int) -> None:
    world, power, here = run.world, run.power, run.state.at(start)
    plane = _pick(run, start, carrier)
    chosen: list[Piece] = []
    for piece, n in in_order(here):
        if piece.power == power and piece.type == unit and _fresh(piece):
            chosen += [piece] * min(n, number - len(chosen))
    if len(chosen) < number:
        raise Refusal(
            "troops-not-free-for-drop",
            f"No {world.units[unit].name} in {name(world, start)} is free to board: it must start there, unmoved.",
            (start,),
        )
    troops = tuple((p, chosen.count(p)) for p in dict.fromkeys(chosen))
    full = laden(plane, [msgspec.structs.replace(p, used=max(1, type_of(world, run.state, p).move)) for p in chosen])
    changes = (Change(start, minus=((plane, 1), *troops), plus=((full, 1),)),)
    run.emit(Boarded(power, (start, start), troops, changes))


def _pick(run: Run, start: SpaceId, carrier: UnitId) -> Piece:
    for piece, _ in in_order(run.state.at(start)):
        if piece.power == run.power and piece.type == carrier and not piece.cargo and _fresh(piece):
            return piece
    raise Refusal(
        "plane-not-free-for-drop",
        f"No {run.world.units[carrier].name} in {name(run.world, start)} is free to carry troops.",
        (start,),
    )


def _fresh(piece: Piece) -> bool:
    return not (piece.used or piece.done or piece.origin or piece.mark)
