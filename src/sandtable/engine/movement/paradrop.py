"""Troops that ride in planes: dropped in the combat move, or set down in the quiet one. Who may ride, and boarding.

Rules: AN-TEC-07 to AN-TEC-11, MX09-01 to MX09-09. What can carry whom is a fact of a technology or of the game
(`facts.drops`, `Rules.airlift`).
"""

from __future__ import annotations

import msgspec

from sandtable.engine import drops as fees
from sandtable.engine.events import Boarded, Change, SetDown
from sandtable.engine.facts import amount, drops, name, phase_name, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State, add, in_order, units_of, unmoved
from sandtable.engine.state import load as laden
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, Ride, SpaceId, UnitId, World

ROLE = "paradrop"
AIRLIFT = "airlift"
BY_PLANE = (ROLE, AIRLIFT)

LOAD_REASONS = {ROLE: "wrong-load-for-drop", AIRLIFT: "wrong-load-for-airlift"}
TROOP_REASONS = {ROLE: "troops-not-free-for-drop", AIRLIFT: "troops-not-free-for-airlift"}
PLANE_REASONS = {ROLE: "plane-not-free-for-drop", AIRLIFT: "plane-not-free-for-airlift"}


def ride_for(world: World, state: State, power: PowerId, role: str) -> Ride | None:
    """Which planes of the power carry whom, to be dropped or set down."""
    return drops(world, state, power) if role == ROLE else world.rules.airlift


def is_meant(order: Move, by_domain: dict[str, list[UnitSpec]]) -> bool:
    """The order says so, or names a plane with its passengers."""
    return order.role in BY_PLANE or (order.role is None and any(s.cargo for s in by_domain["air"]))


def hinted(run: Run, order: Move, refusal: Refusal) -> Refusal:
    """The refusal of a plane and troops on the same way, with the word that would make a drop of it."""
    if order.role is not None or len(order.units) < 2:
        return refusal
    role = ROLE if phase_name(run.world, run.state) == "combat-move" else AIRLIFT
    ride = ride_for(run.world, run.state, run.power, role)
    if ride is None or {spec.type for spec in order.units} != {ride.unit, ride.passenger}:
        return refusal
    plane, do = run.world.units[ride.unit].name, "drop the troops from" if role == ROLE else "fly the troops in"
    text = f"{refusal.text} To {do} the {plane}, end the order with `as {role}`."
    return Refusal(refusal.reason, text, refusal.culprits, rules=refusal.rules)


def riders(world: World, state: State, power: PowerId, space: SpaceId, unit: UnitId, role: str = ROLE) -> bool:
    """A unit of this kind here may carry a passenger that stands beside it and has not moved."""
    ride = ride_for(world, state, power, role)
    if ride is None or ride.unit != unit or (role == ROLE and not fees.can_make(world, state, power)):
        return False
    here = [p for p in state.at(space) if p.power == power and unmoved(p)]
    return any(p.type == ride.passenger for p in here) and any(p.type == unit and not p.cargo for p in here)


def aboard(world: World, state: State, piece: Piece, role: str = ROLE) -> Piece:
    """The plane as it would be with its passengers aboard."""
    ride = ride_for(world, state, piece.power, role)
    assert ride is not None
    return laden(piece, [Piece(piece.power, ride.passenger)] * ride.number)


def load(run: Run, order: Move, by_domain: dict[str, list[UnitSpec]], role: str) -> None:
    """Put the troops of the order into its planes; what is left to do is a flight of laden planes."""
    world, power = run.world, run.power
    start = order.route[0]
    ride = ride_for(world, run.state, power, role)
    if ride is None and role == ROLE:
        raise Refusal("no-paratroopers", f"{world.powers[power].name} has not developed paratroopers.", (start,))
    if ride is None:
        raise Refusal("no-airlift", "Planes carry no troops in this game.", (start,))
    planes = sum(s.count for s in by_domain["air"])
    riding = sum(s.count * n for s in by_domain["air"] for _, n in s.cargo or ())  # `1 bomber carrying 1 infantry`
    troops = sum(s.count for s in by_domain["land"]) + riding
    others = [s for s in by_domain["air"] if s.type != ride.unit] + [
        s for s in by_domain["land"] if s.type != ride.passenger
    ]
    wrong = any(u != ride.passenger for s in by_domain["air"] for u, _ in s.cargo or ())
    if not troops or others or wrong or by_domain["sea"] or troops > planes * ride.number:
        one = amount(world, ride.unit, 1)
        raise Refusal(
            LOAD_REASONS[role],
            f"{one} carries {amount(world, ride.passenger, ride.number)} so, and nothing else goes along.",
            (start,),
        )
    if role == ROLE:
        fees.use(run, troops)
    left = troops
    loads: list[int] = []
    for _ in range(planes):
        loads.append(min(left, ride.number))
        left -= loads[-1]
    marks = [spec.marks for spec in by_domain["air"] for _ in range(spec.count)]
    kinds: dict[tuple[int, tuple[str, ...] | None], int] = {}
    for place, number in enumerate(loads):
        wanted = marks[place] if place < len(marks) else None
        if number:
            plane = _embark(run, start, ride, number, role, wanted, by_domain["land"])
            wanted = plane.marks
        kinds[number, wanted] = kinds.get((number, wanted), 0) + 1
    by_domain["land"] = []
    by_domain["air"] = [
        UnitSpec(ride.unit, count, cargo=((ride.passenger, n),) if n else (), marks=wanted)
        for (n, wanted), count in kinds.items()
    ]


def _embark(
    run: Run,
    start: SpaceId,
    ride: Ride,
    number: int,
    role: str,
    marks: tuple[str, ...] | None,
    named: list[UnitSpec],
) -> Piece:
    world, power, here = run.world, run.power, run.state.at(start)
    plane = _pick(run, start, ride.unit, role, marks)
    chosen: list[Piece] = []
    wanted = named[0].marks if len(named) == 1 else None
    for piece, n in sorted(in_order(here), key=lambda item: len(item[0].marks)):
        meant = wanted is None or set(wanted) == set(piece.marks)
        if meant and piece.power == power and piece.type == ride.passenger and unmoved(piece):
            chosen += [piece] * min(n, number - len(chosen))
    if len(chosen) < number:
        unit = world.units[ride.passenger].name
        raise Refusal(
            TROOP_REASONS[role],
            f"No {unit} in {name(world, start)} is free to board: it must start there, unmoved.",
            (start,),
        )
    troops = tuple((p, chosen.count(p)) for p in dict.fromkeys(chosen))
    full = laden(plane, [msgspec.structs.replace(p, used=max(1, type_of(world, run.state, p).move)) for p in chosen])
    changes = (Change(start, minus=((plane, 1), *troops), plus=((full, 1),)),)
    run.emit(Boarded(power, (start, start), troops, changes))
    return plane


def _pick(run: Run, start: SpaceId, carrier: UnitId, role: str, marks: tuple[str, ...] | None) -> Piece:
    for piece, _ in sorted(in_order(run.state.at(start)), key=lambda item: len(item[0].marks)):
        meant = marks is None or set(marks) == set(piece.marks)
        if meant and piece.power == run.power and piece.type == carrier and not piece.cargo and unmoved(piece):
            return piece
    raise Refusal(
        PLANE_REASONS[role],
        f"No {run.world.units[carrier].name} in {name(run.world, start)} is free to carry troops: "
        "it must start there, unmoved.",
        (start,),
    )


def set_down(run: Run, space: SpaceId) -> None:
    """Planes that carried troops here have landed: neither moves any more this turn (MX09-03, MX09-04)."""
    full = {p: n for p, n in run.state.at(space).items() if p.power == run.power and p.cargo and _flies(run.world, p)}
    if not full:
        return
    planes = tuple((msgspec.structs.replace(p, cargo=(), done=True, mark="flown"), n) for p, n in units_of(full))
    troops = units_of(
        add(
            {},
            (
                (Piece(c.power, c.type, used=c.used, done=True, mark="flown", hits=c.hits, marks=c.marks), n)
                for p, n in full.items()
                for c in p.cargo
            ),
        )
    )
    run.emit(SetDown(run.power, space, troops, (Change(space, units_of(full), (*planes, *troops)),)))


def _flies(world: World, piece: Piece) -> bool:
    return world.units[piece.type].domain == "air"
