"""What is legal now, in the words of the page. All of it is asked of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from sandtable.engine import events as e
from sandtable.engine.battle.opening import pending
from sandtable.engine.factories import output, working_factories
from sandtable.engine.facts import active, phase_name, type_of
from sandtable.engine.game import Entry
from sandtable.engine.legal import Legal
from sandtable.engine.movement import reach
from sandtable.engine.state import Piece, State, with_cargo
from sandtable.errors import Refusal
from sandtable.notation import format_order
from sandtable.notation.orders import Move, Place, UnitSpec
from sandtable.server.views.base import Force, Model, forces
from sandtable.world.model import World


class Destination(Model):
    space: str
    route: list[str]
    cost: int = Field(description="spaces on the way, as movement is counted")
    left: int = Field(description="movement that is left there")
    battle: bool = Field(description="there will be a battle or a raid")
    captures: bool = Field(description="the land changes hands at once, without a battle")
    fee: int = Field(description="money for entering or crossing neutral land")
    under_fire: bool = Field(description="AA guns fire on the way")
    order: str = Field(description="for one unit")


class Mover(Model):
    """Units of one kind in a space that may still be moved."""

    space: str
    unit: str
    count: int
    roles: list[str] = Field(description="roles in which they may be sent, besides a plain move")


class PlaceView(Model):
    space: str
    most: int = Field(description="how many of this unit may be placed here now, of those in the pool")


class Capacity(Model):
    """A complex that works this turn."""

    space: str
    output: int | None = Field(description="units it can receive in a turn; null: any number")
    placed: int = Field(description="units placed in its territory this turn")


class Places(Model):
    unit: str
    pool: int
    places: list[PlaceView]
    capacity: list[Capacity]


class Verdict(Model):
    """Whether an order would be carried out, and if not, why."""

    legal: bool
    order: str = Field(description="in its canonical form")
    message: str | None = None
    rules: list[str] = []
    culprits: list[str] = []


class MoveView(Model):
    """A move of this phase, for an arrow on the map."""

    at: int = Field(description="after so many orders")
    order: str
    kind: str = Field(description="moved, boarded, landed, landing")
    path: list[str]
    units: list[Force]
    role: str | None = None


class _High:
    """Dice with which AA fire misses: what might happen on the way is not part of the answer."""

    def face(self, index: int, sides: int) -> int:
        return sides


def destinations(world: World, state: State, space: str, unit: str, role: str | None) -> list[Destination]:
    """Where one such unit may go, with what would come of it: each move is tried out."""
    legal = Legal(world, state)
    found = []
    for end, route in legal.destinations(space, unit, role).items():
        order = Move((UnitSpec(unit),), route, role)
        try:
            after, events = legal.try_out(order, _High())
        except Refusal:
            continue
        power = active(world, state)
        fights = any(p.space == end for p in pending(world, after, power)) and phase_name(world, state) == "combat-move"
        found.append(
            Destination(
                space=end,
                route=list(route),
                cost=len(route) - 1,
                left=_left(world, state, after, end, unit, power),
                battle=fights,
                captures=any(isinstance(event, e.Captured) and event.space == end for event in events),
                fee=-sum(event.amount for event in events if isinstance(event, e.Paid) and event.reason == "neutral"),
                under_fire=any(isinstance(event, e.Rolled) and event.reason == "aa" for event in events),
                order=format_order(order),
            )
        )
    return found


def _left(world: World, before: State, after: State, space: str, unit: str, power: str) -> int:
    """Movement of the unit that is new in the space."""
    had: dict[Piece, int] = {}
    for piece, n in with_cargo(before.at(space)):
        had[piece] = had.get(piece, 0) + n
    left = 0
    for piece, n in with_cargo(after.at(space)):
        if piece.power == power and piece.type == unit and n > had.get(piece, 0) and not piece.done:
            left = max(left, type_of(world, after, piece).move - piece.used)
    return left


def movers(world: World, state: State) -> list[Mover]:
    """What can move at all."""
    if phase_name(world, state) not in ("combat-move", "noncombat-move") or state.battle is not None:
        return []
    power = active(world, state)
    combat = phase_name(world, state) == "combat-move"
    found = []
    for space, unit in reach.movable(world, state):
        number = sum(
            n
            for piece, n in with_cargo(state.at(space))
            if piece.power == power and piece.type == unit and not piece.done and not piece.target
        )
        roles = ["raid"] if combat and world.units[unit].raid_dice else []
        found.append(Mover(space=space, unit=unit, count=number, roles=roles))
    return found


def places(world: World, state: State, unit: str) -> Places:
    """Where new units of this kind may be put, and how many."""
    legal = Legal(world, state)
    power = active(world, state)
    pool = state.pool.get(unit, 0)
    found = []
    if phase_name(world, state) == "mobilize" and pool:
        for space in legal.places(unit):
            most = pool
            while most > 1 and Place((UnitSpec(unit, most),), space) not in legal:
                most -= 1
            found.append(PlaceView(space=space, most=most))
    capacity = [
        Capacity(space=space, output=output(world, state, power, space), placed=state.placed.get(space, 0))
        for space in working_factories(world, state, power)
    ]
    return Places(unit=unit, pool=pool, places=found, capacity=capacity)


def moves(world: World, opening: State, entries: Sequence[Entry]) -> list[MoveView]:
    """What has been moved in the phase that the last state is in."""
    states = [opening, *(entry.state for entry in entries)]
    now = _phase(states[-1])
    first = len(entries)
    while first and _phase(states[first - 1]) == now:
        first -= 1
    return [
        MoveView(
            at=place,
            order=format_order(entry.order),
            kind=str(event.__struct_config__.tag),
            path=list(event.path),
            units=forces(event.units),
            role=entry.order.role,
        )
        for place, entry in enumerate(entries[first:], first + 1)
        if isinstance(entry.order, Move)
        for event in entry.events
        if isinstance(event, e.Moved | e.Boarded | e.Landed | e.LandingDeclared)
    ]


def _phase(state: State) -> tuple[int, int, int]:
    return state.round, state.turn, state.phase
