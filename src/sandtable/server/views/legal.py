"""What is legal now, in the words of the page. All of it is asked of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import Field, StringConstraints

from sandtable.engine import events as e
from sandtable.engine.bases import steps_left
from sandtable.engine.battle.opening import pending
from sandtable.engine.complexes import output, working_complexes
from sandtable.engine.facts import active, phase_name, type_of
from sandtable.engine.game import Entry
from sandtable.engine.legal import Legal
from sandtable.engine.movement import paradrop, reach
from sandtable.engine.movement.aloft import unlanded
from sandtable.engine.movement.landing import landing_places
from sandtable.engine.relations import friends
from sandtable.engine.state import Piece, State, in_order, with_cargo
from sandtable.errors import Refusal
from sandtable.notation import format_order
from sandtable.notation.names import names
from sandtable.notation.orders import End, Move, Place, UnitSpec
from sandtable.server.views import roles
from sandtable.server.views.base import Body, Force, Model, UnitCount, cargo, forces
from sandtable.world.model import Ride, World


class Destination(Model):
    space: str
    route: list[str]
    cost: int = Field(description="spaces on the way, as movement is counted")
    left: int = Field(description="movement that is left there")
    battle: bool = Field(description="there will be a battle or a raid")
    captures: bool = Field(description="the land changes hands at once, without a battle")
    fee: int = Field(description="money for entering or crossing neutral land")
    under_fire: bool = Field(description="AA guns fire on the way")
    order: str = Field(description="for one unit, or for the whole group that was asked about")
    landings: list[str] = Field([], description="combat move: where a plane could end its turn after going there")
    transports: list[TransportChoice] = Field(
        [], description="different transports that could be boarded or left; empty where there is no choice"
    )


class TransportChoice(Model):
    """One of several transports that differ in owner or cargo."""

    power: str
    unit: str
    cargo: list[UnitCount]
    count: int = Field(description="transports that are like this")
    order: str = Field(description="the same move by this one")


class RefusedSpace(Model):
    """A neighbouring space to which the units cannot go, and why."""

    space: str
    message: str
    rules: list[str]


class RoleReach(Model):
    """Where the same units can go in another role: as raiders, or dropped from planes."""

    role: str
    destinations: list[Destination]


class Reach(Model):
    """Where a group of units can go together, and why not to the neighbouring spaces that are left."""

    space: str
    units: list[str]
    destinations: list[Destination]
    roles: list[RoleReach] = Field(default=[], description="roles besides a plain move in which they can go somewhere")
    refused: list[RefusedSpace]


class Mover(Model):
    """Units of one kind in a space that can be moved somewhere."""

    space: str
    unit: str = Field(description="as orders name it, with its marks where they differ: `fighter[jet-power]`")
    count: int
    reach: int = Field(description="spaces to which one of them can go")
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
    power: str = Field(description="whose new units these are")
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


class Placement(Model):
    """New units that were put somewhere this turn."""

    at: int = Field(description="after so many orders")
    space: str
    units: list[UnitCount]


class LandingWay(Model):
    space: str
    count: int = Field(description="how many of them can land there together")
    order: str


class Aloft(Model):
    """Planes that have nowhere to stay where they are, and where they could land, the nearest place first."""

    space: str
    unit: str
    count: int
    ways: list[LandingWay]


class Ending(Model):
    """What would come of ending this phase now."""

    dice: bool = Field(description="dice would be rolled: it could not be taken back")
    lost: list[Force] = Field(default=[], description="planes that would be lost")
    forfeited: list[UnitCount] = Field(default=[], description="new units that would be lost")
    waiting: list[UnitCount] = Field(default=[], description="new units that would wait for a later turn")
    message: str | None = Field(default=None, description="why it is refused")
    rules: list[str] = []


class Asked(Body):
    """What the player has in hand, and wants to know about with the answer."""

    space: str | None = Field(None, max_length=100, description="where the picked units are")
    units: list[Annotated[str, StringConstraints(max_length=100)]] = Field([], max_length=20)
    placing: str | None = Field(None, max_length=100, description="the kind of new unit that is being placed")
    placing_of: str | None = Field(None, max_length=100, description="whose new unit that is")


class Turn(Model):
    """All that a click needs: what can be moved, what was, where what is picked can go, what still has to land."""

    version: int
    movers: list[Mover] = []
    moves: list[MoveView] = []
    placements: list[Placement] = []
    aloft: list[Aloft] = []
    reach: Reach | None = Field(None, description="of what is picked, as far as it can still move")
    places: Places | None = Field(None, description="for the new units that are being placed, or the first of them")
    ending: Ending | None = None


MISSES = 60


class _High:
    """Dice with which AA fire misses: what might happen on the way is not part of the answer.

    A battle that nobody may leave would never end with them, so that after a while everybody hits.
    """

    def __init__(self) -> None:
        self.rolled = 0

    def face(self, index: int, sides: int) -> int:
        self.rolled += 1
        return sides if self.rolled <= MISSES else 1


def spec_of(world: World, text: str, count: int = 1) -> UnitSpec:
    """Units as orders name them: `fighter`, `fighter[jet-power]`, `fighter[]`."""
    unit, told, marks = text.partition("[")
    worn = tuple(sorted(mark.strip() for mark in marks.rstrip("]").split(",") if mark.strip()))
    return UnitSpec(names(world, "unit").find(unit), count, marks=worn if told else None)


def word(unit: str, marks: tuple[str, ...] | None) -> str:
    return unit if marks is None else f"{unit}[{','.join(marks)}]"


def destinations(world: World, state: State, space: str, unit: str, role: str | None) -> list[Destination]:
    """Where one such unit may go, with what would come of it: each move is tried out."""
    return _tried(world, state, space, (UnitSpec(unit),), role)[0]


def reach_of(world: World, state: State, space: str, units: tuple[UnitSpec, ...], role: str | None) -> Reach:
    """Where all of these may go together by one order; the other neighbours of the space, each with the refusal."""
    found, refused = _tried(world, state, space, units, role)
    legal = Legal(world, state)
    known = {each.space for each in found}
    domains = {world.units[spec.type].domain for spec in units}
    near = world.sea[space] if domains == {"sea"} else world.neighbours[space]
    for there in near:
        if there not in known and there not in refused:
            refusal = legal.why_not(roles.as_order(units, (space, there), role))
            if refusal is not None:
                refused[there] = refusal
    return Reach(
        space=space,
        units=[word(spec.type, spec.marks) for spec in units],
        destinations=found,
        refused=[RefusedSpace(space=s, message=r.text, rules=list(r.rules)) for s, r in refused.items()],
    )


def _tried(
    world: World, state: State, space: str, units: tuple[UnitSpec, ...], role: str | None
) -> tuple[list[Destination], dict[str, Refusal]]:
    """Destinations that every kind among the units has, and those to which ships that cannot attack come along with
    others; and those that the whole group is refused."""
    legal = Legal(world, state)
    planes = [s for s in units if world.units[s.type].domain == "air"] if role in paradrop.BY_PLANE else []
    # troops that are dropped go as planes go, unless they need none
    ways = planes or list(units)
    routes = [roles.routes(legal, space, spec.type, role, spec.marks) for spec in ways]
    leading = [each for spec, each in zip(ways, routes, strict=True) if _attacks(world, spec)] or routes
    found: list[Destination] = []
    refused: dict[str, Refusal] = {}
    for end in leading[0]:
        if all(end in others for others in leading[1:]):
            there = [each[end] for each in routes if end in each]
            alike = len(there) == len(ways) and all(route == there[0] for route in there)
            order = roles.as_order(units, there[0] if alike else (space, end), role)
            try:
                after, events = legal.try_out(order, _High())
            except Refusal as refusal:
                refused[end] = refusal
                continue
            found.append(_destination(world, state, after, events, order, max(map(len, there)) - 1))
    return found, refused


def _attacks(world: World, spec: UnitSpec) -> bool:
    """Whether such units can be the first to enter a hostile zone; transports only come along."""
    unit = world.units[spec.type]
    return unit.domain != "sea" or unit.attack > 0


def _destination(
    world: World, state: State, after: State, events: Sequence[e.AnyEvent], order: Move, cost: int
) -> Destination:
    end = order.route[-1]
    power = active(world, state)
    combat = phase_name(world, state) == "combat-move"
    new = [piece for spec in order.units if (piece := _arrived(state, after, end, spec.type, power)) is not None]
    planes = [piece for piece in new if world.units[piece.type].domain == "air"] if combat else []
    landings = [landing_places(world, after, end, plane) for plane in planes]
    return Destination(
        space=end,
        route=list(order.route),
        cost=cost,
        left=min((0 if p.done else steps_left(world, after, p, end) for p in new), default=0),
        battle=combat and any(p.space == end for p in pending(world, after, power)),
        captures=any(isinstance(event, e.Captured) and event.space == end for event in events),
        fee=-sum(event.amount for event in events if isinstance(event, e.Paid) and event.reason == "neutral"),
        under_fire=any(isinstance(event, e.Rolled) and event.reason == "aa" for event in events),
        order=format_order(order),
        landings=[place for place in landings[0] if all(place in others for others in landings)] if landings else [],
        transports=_transports(world, state, order),
    )


def _arrived(before: State, after: State, space: str, unit: str, power: str) -> Piece | None:
    """The unit of this kind that is new in the space, that with the most movement left."""
    had: dict[Piece, int] = {}
    for piece, n in with_cargo(before.at(space)):
        had[piece] = had.get(piece, 0) + n
    new = [
        piece
        for piece, n in with_cargo(after.at(space))
        if piece.power == power and piece.type == unit and n > had.get(piece, 0)
    ]
    return min(new, key=lambda piece: (piece.done, piece.used), default=None)


def _transports(world: World, state: State, order: Move) -> list[TransportChoice]:
    """The transports among which a boarding or a landing can choose, if they are of more than one sort."""
    ashore = world.spaces[order.route[0]].is_sea
    zone = order.route[0] if ashore else order.route[1]
    if not world.spaces[zone].is_sea or any(world.units[spec.type].domain != "land" for spec in order.units):
        return []
    sorts: dict[tuple[str, str, tuple[tuple[str, int], ...]], int] = {}
    for piece, n in in_order(state.at(zone)):
        if world.units[piece.type].loads:
            aboard = tuple((each.unit, each.count) for each in cargo(piece.cargo))
            key = (piece.power, piece.type, aboard)
            sorts[key] = sorts.get(key, 0) + n
    legal = Legal(world, state)
    found = []
    for (power, unit, aboard), n in sorts.items():
        named = Move(order.units, order.route, order.role, ship=UnitSpec(unit, 1, power, aboard))
        if named in legal:
            carried = [UnitCount(unit=kind, count=number) for kind, number in aboard]
            found.append(TransportChoice(power=power, unit=unit, cargo=carried, count=n, order=format_order(named)))
    return found if len(found) > 1 else []


def landings(world: World, state: State, space: str, unit: str) -> list[str]:
    """Where planes of this kind that are here now could still end the turn."""
    power = active(world, state)
    planes = [p for p in state.at(space) if p.power == power and p.type == unit and world.units[unit].domain == "air"]
    places = {place for plane in planes for place in landing_places(world, state, space, plane)}
    return [place for place in world.spaces if place in places]


def movers(world: World, state: State) -> list[Mover]:
    """What can move somewhere, or ride in planes. Units that differ in their marks are told apart."""
    if phase_name(world, state) not in ("combat-move", "noncombat-move") or state.battle is not None:
        return []
    power = active(world, state)
    combat = phase_name(world, state) == "combat-move"
    legal = Legal(world, state)
    by_plane = paradrop.ROLE if combat else paradrop.AIRLIFT
    found: dict[tuple[str, str], Mover] = {}
    for space, unit in reach.movable(world, state):
        able = roles.plane_roles(legal, unit)
        if paradrop.riders(world, state, power, space, unit, by_plane):
            able.append(by_plane)
        rare = roles.rare_roles(legal, space, unit)
        for marks in legal.marks(space, unit):
            plain = (None, *(role for role in able if " " not in role))  # raids on single facilities lead nowhere else
            ends = {end for role in plain for end in legal.destinations(space, unit, role, marks)}
            if ends or rare:
                number = _fresh(world, state, power, space, unit, marks)
                name = word(unit, marks)
                all_roles = [*able, *(role for role in rare if role not in able)]
                reached = len(ends) or 1
                found[space, name] = Mover(space=space, unit=name, count=number, reach=reached, roles=all_roles)
    ride = paradrop.ride_for(world, state, power, by_plane)
    if ride is not None:
        for (space, name), plane in list(found.items()):
            if name.partition("[")[0] == ride.unit and by_plane in plane.roles:
                found[space, ride.passenger] = _passenger(world, state, power, space, ride, by_plane, found)
    return list(found.values())


def _passenger(
    world: World,
    state: State,
    power: str,
    space: str,
    ride: Ride,
    role: str,
    found: Mapping[tuple[str, str], Mover],
) -> Mover:
    """Troops beside a plane that can take them go wherever it does, even if they could not walk anywhere."""
    far = len(reach.destinations(world, state, space, ride.unit, role))
    walking = found.get((space, ride.passenger))
    return Mover(
        space=space,
        unit=ride.passenger,
        count=_fresh(world, state, power, space, ride.passenger),
        reach=max(far, walking.reach if walking else 0),
        roles=[role],
    )


def _fresh(world: World, state: State, power: str, space: str, unit: str, marks: tuple[str, ...] | None = None) -> int:
    """How many of these have movement left; all that are not done, where something else takes them along."""
    able = [
        (piece, n)
        for piece, n in with_cargo(state.at(space))
        if piece.power == power
        and piece.type == unit
        and not piece.done
        and not piece.target
        and (marks is None or set(piece.marks) == set(marks))
    ]
    fresh = [(p, n) for p, n in able if p not in state.at(space) or type_of(world, state, p).move > p.used]
    return sum(n for _, n in fresh or able)


def places(world: World, state: State, unit: str, owner: str | None = None) -> Places:
    """Where new units of this kind may be put, and how many; those of another power if the one that acts plays it."""
    legal = Legal(world, state)
    power = owner or active(world, state)
    pool = state.pool_of(world, power).get(unit, 0)
    found = []
    if phase_name(world, state) == "mobilize" and pool:
        for space in legal.places(unit, power):
            most = pool
            while most > 1 and Place((UnitSpec(unit, most, power),), space) not in legal:
                most -= 1
            found.append(PlaceView(space=space, most=most))
    capacity = [
        Capacity(space=space, output=output(world, state, power, space), placed=state.placed.get(space, 0))
        for space in working_complexes(world, state, power)
    ]
    return Places(unit=unit, power=power, pool=pool, places=found, capacity=capacity)


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
            role=" ".join(word for word in (entry.order.role, entry.order.facility) if word) or None,
        )
        for place, entry in enumerate(entries[first:], first + 1)
        if isinstance(entry.order, Move)
        for event in entry.events
        if isinstance(event, e.Moved | e.Boarded | e.Landed | e.LandingDeclared)
    ]


def placements(world: World, entries: Sequence[Entry], state: State) -> list[Placement]:
    """What has been placed in the turn that the state is in."""
    found = []
    for at in range(len(entries), 0, -1):
        entry = entries[at - 1]
        if (entry.state.round, entry.state.turn) != (state.round, state.turn):
            break
        for event in entry.events:
            if isinstance(event, e.Placed):
                units = [UnitCount(unit=unit, count=n) for unit, n in event.units]
                found.append(Placement(at=at, space=event.space, units=units))
    return found[::-1]


def aloft(world: World, state: State) -> list[Aloft]:
    """The planes that would be lost where they are, with the orders that land them: first where troops guard them."""
    if phase_name(world, state) != "noncombat-move" or state.battle is not None:
        return []
    legal = Legal(world, state)
    power = active(world, state)
    counts: dict[tuple[str, str], int] = {}
    for space, piece, n in unlanded(world, state, power):
        counts[space, piece.type] = counts.get((space, piece.type), 0) + n
    found = []
    for (space, unit), number in counts.items():
        ways = []
        there = legal.destinations(space, unit)
        for end, route in sorted(there.items(), key=lambda way: (not _guarded(world, state, way[0]), len(way[1]))):
            most = _landing(legal, space, unit, end, number)
            if most:
                order = format_order(Move((UnitSpec(unit, most),), route))
                ways.append(LandingWay(space=end, count=most, order=order))
        found.append(Aloft(space=space, unit=unit, count=number, ways=ways))
    return found


def _guarded(world: World, state: State, space: str) -> bool:
    """Whether planes that land there are not alone: on a ship, or beside troops who would be lost before them."""
    ours = friends(world, state, active(world, state))
    kinds = [type_of(world, state, piece) for piece in state.at(space) if piece.power in ours]
    return world.spaces[space].is_sea or any(kind.domain == "land" and kind.defense for kind in kinds)


def _landing(legal: Legal, space: str, unit: str, end: str, number: int) -> int:
    """How many of the planes are safe if they go there together."""
    power = active(legal.world, legal.state)
    before = sum(n for _, _, n in unlanded(legal.world, legal.state, power))
    for most in range(number, 0, -1):
        try:
            after, _ = legal.try_out(Move((UnitSpec(unit, most),), (space, end)), _High())
        except Refusal:
            continue
        if sum(n for _, _, n in unlanded(legal.world, after, power)) == before - most:
            return most
    return 0


def ending(world: World, state: State) -> Ending | None:
    """What would come of `end`, where that is an answer."""
    legal = Legal(world, state)
    if legal.decision is None or "end" not in legal.decision.answers:
        return None
    dice = _High()
    try:
        after, events = legal.try_out(End(), dice)
    except Refusal as refusal:
        return Ending(dice=False, message=refusal.text, rules=list(refusal.rules))
    power = legal.decision.power
    lost = [x for event in events if isinstance(event, e.Lost) and event.reason == "no-landing" for x in event.units]
    gone = [x for event in events if isinstance(event, e.Forfeited) and event.power == power for x in event.units]
    left = after.pool_of(world, power) if phase_name(world, state) == "mobilize" else {}
    return Ending(
        dice=dice.rolled > 0,
        lost=forces(lost),
        forfeited=[UnitCount(unit=unit, count=n) for unit, n in gone],
        waiting=[UnitCount(unit=unit, count=n) for unit, n in left.items()],
    )


def turn(world: World, opening: State, entries: Sequence[Entry], version: int, asked: Asked | None) -> Turn:
    """The table for the one whose turn it is, after these orders."""
    state = entries[-1].state if entries else opening
    can = movers(world, state)
    moving = phase_name(world, state) in ("combat-move", "noncombat-move")
    placing = phase_name(world, state) == "mobilize"
    return Turn(
        version=version,
        movers=can,
        moves=moves(world, opening, entries) if moving else [],
        placements=placements(world, entries, state) if placing else [],
        aloft=aloft(world, state),
        reach=_picked(world, state, can, asked) if asked is not None else None,
        places=_placing(world, state, asked) if placing else None,
        ending=ending(world, state),
    )


def _picked(world: World, state: State, can: Sequence[Mover], asked: Asked) -> Reach | None:
    """Where those of the picked units can go that can still go somewhere."""
    if asked.space is None or not asked.units:
        return None
    space = names(world, "space").find(asked.space)
    specs = [spec_of(world, unit) for unit in asked.units]
    wanted = [word(spec.type, spec.marks) for spec in specs]
    able = [mover for mover in can if mover.space == space and mover.unit in wanted and mover.count > 0]
    units = tuple(s for s, name in zip(specs, wanted, strict=True) if any(mover.unit == name for mover in able))
    if not units:
        return None
    return in_all_roles(world, state, space, units, dict.fromkeys(role for mover in able for role in mover.roles))


def in_all_roles(world: World, state: State, space: str, units: tuple[UnitSpec, ...], roles: Iterable[str]) -> Reach:
    """Where the units can go plainly, and in each of these roles."""
    plain = reach_of(world, state, space, units, None)
    tried = {role: _tried(world, state, space, units, role)[0] for role in roles}
    found = [RoleReach(role=role, destinations=ends) for role, ends in tried.items() if ends]
    return plain.model_copy(update={"roles": found})


def _placing(world: World, state: State, asked: Asked | None) -> Places | None:
    """The places for the new units that are in hand; for the first that wait if those are all placed."""
    power = active(world, state)
    owners = (power, *(p.id for p in world.powers.values() if p.played_by == power))
    waiting = [(owner, unit) for owner in owners for unit in world.units if state.pool_of(world, owner).get(unit)]
    if not waiting:
        return None
    wanted = (asked.placing_of or power, asked.placing) if asked is not None else None
    owner, unit = next((each for each in waiting if each == wanted), waiting[0])
    return places(world, state, unit, owner)


def _phase(state: State) -> tuple[int, int, int]:
    return state.round, state.turn, state.phase
