"""Placing new units (CL-PRD-01 to CL-PRD-17)."""

from __future__ import annotations

from collections import Counter

from sandtable.engine.events import Change, Forfeited, Placed
from sandtable.engine.facts import amounts, has_factory, is_occupied, listed, name, unit_type
from sandtable.engine.movement.move import check_stack_limit
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class Mobilize(Phase):
    name = "mobilize"
    title = "Placing new units"

    def is_open(self, run: Run) -> bool:
        return True

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        if not isinstance(order, orders.Place):
            raise misplaced(run, order, self)
        place(run, order)

    def leave(self, run: Run) -> None:
        """Whatever has a legal place must be placed; the rest is forfeited (CL-TRN-05, CL-PRD-16)."""
        world, state, power = run.world, run.state, run.power
        if not state.pool:
            return
        placeable = [u for u in world.units if u in state.pool and places_for(world, state, power, u)]
        if placeable:
            raise Refusal(
                "CL-TRN-05",
                f"New units have to be placed first: {amounts(world, [(u, state.pool[u]) for u in placeable])}.",
                tuple(placeable),
            )
        if world.rules.unplaced_units == "lost":
            run.emit(Forfeited(power, tuple((u, state.pool[u]) for u in world.units if u in state.pool)))


def place(run: Run, order: orders.Place) -> None:
    world, power = run.world, run.power
    for spec in order.units:
        have = run.state.pool.get(spec.type, 0)
        if spec.power not in (None, power) or spec.count < 1 or have < spec.count:
            raise Refusal(
                ("CL-PUR-04", "CL-PRD-01"),
                f"{have or 'No'} new {world.units[spec.type].name} can be placed, not {spec.count}.",
            )
        check_place(world, run.state, power, spec.type, spec.count, order.space)
        piece = Piece(power, spec.type, mark="new" if world.units[spec.type].factory else "", done=True)
        changes = (Change(order.space, plus=((piece, spec.count),)),)
        run.emit(Placed(power, order.space, ((spec.type, spec.count),), changes))
        check_stack_limit(world, run.state, order.space)
        _check_pieces(run, spec.type, order.space)


def _check_pieces(run: Run, unit: UnitId, space: SpaceId) -> None:
    stacks = run.world.rules.pieces.get(unit)
    if stacks is None:
        return
    used = sum(1 for s in run.state.units.values() if any(p.power == run.power and p.type == unit for p in s))
    if used > stacks:
        raise Refusal("CL-SET-15", f"There are pieces for {stacks} stacks only.", (space,))


def working_factories(world: World, state: State, power: PowerId) -> list[SpaceId]:
    """Territories with a complex that the power has owned since the turn began (CL-PRD-01, CL-PRD-06)."""
    return [
        s
        for s, stack in state.units.items()
        if state.owners.get(s) == power
        and state.start_owners.get(s) == power
        and any(world.units[p.type].factory and p.mark != "new" for p in stack)
    ]


def output(world: World, state: State, power: PowerId, space: SpaceId) -> int | None:
    """How many units the complex can receive in a turn; None: any number (CL-PRD-07 to CL-PRD-10)."""
    if world.rules.complex_output == "original-unlimited" and world.original_factories.get(space) == power:
        return None
    return max(world.spaces[space].ipc, world.rules.complex_minimum)


def check_place(world: World, state: State, power: PowerId, unit: UnitId, n: int, space: SpaceId) -> None:
    """Refuse a place for new units."""
    kind = unit_type(world, state, power, unit)
    where = world.spaces[space]
    if kind.factory:
        _check_complex_site(world, state, power, space)
        return
    if kind.domain == "sea":
        if where.is_land:
            raise Refusal(("CL-PRD-02", "CL-SET-21"), f"Ships are placed in sea zones, not in {where.name}.", (space,))
        if not any(f in world.neighbours[space] for f in working_factories(world, state, power)):
            raise Refusal(
                ("CL-PRD-02", "CL3-PRD-03"),
                f"{where.name} borders no territory with a complex that you have owned since the turn began.",
                (space,),
            )
        if not world.rules.new_ships_among_enemies and is_occupied(world, state, power, space):
            raise Refusal(("CL-PRD-03", "CL3-PRD-01", "CL3-OPT-02"), f"Enemy units are in {where.name}.", (space,))
    else:
        if where.is_sea:
            rule = "CL-PRD-13" if kind.domain == "air" else "CL-PRD-14"
            raise Refusal(
                (rule, "CL-PRD-01"),
                f"A new {kind.name} is placed at a complex, not at sea or aboard a ship.",
                (space,),
            )
        _check_factory(world, state, power, space)
    if not _capacity_allows(world, state, power, space, n):
        limits = listed(
            [
                f"{name(world, f)} {output(world, state, power, f)}"
                for f in working_factories(world, state, power)
                if (f == space or f in world.neighbours[space]) and output(world, state, power, f) is not None
            ]
        )
        raise Refusal(
            ("CL-PRD-08", "CL-PRD-09", "CL-PRD-10", "CL3-PRD-05", "CL-PRD-12"),
            f"The complex cannot receive so many units in one turn: {limits}.",
            (space,),
        )


def _check_factory(world: World, state: State, power: PowerId, space: SpaceId) -> None:
    owner = state.owners.get(space)
    if owner != power and owner is not None and world.friends(owner, power):
        raise Refusal(
            ("CL-PRD-11", "CL-CAP-08", "CL-PRD-01", "CL3-PRD-06"),
            f"{name(world, space)} belongs to an ally, whose complex you cannot use.",
            (space,),
        )
    if owner != power or not has_factory(world, state, space):
        raise Refusal("CL-PRD-01", f"You own no industrial complex in {name(world, space)}.", (space,))
    if state.start_owners.get(space) != power:
        raise Refusal(
            ("CL-CAP-04", "CL-PRD-01"),
            f"The complex in {name(world, space)} was captured this turn: use it next turn.",
            (space,),
        )
    if space not in working_factories(world, state, power):
        raise Refusal(
            "CL-PRD-06",
            f"The complex in {name(world, space)} is new: it works from your next turn on.",
            (space,),
        )


def _check_complex_site(world: World, state: State, power: PowerId, space: SpaceId) -> None:
    where = world.spaces[space]
    if where.is_sea:
        raise Refusal("CL-PRD-04", "A complex is built on land.", (space,))
    if state.owners.get(space) != power or state.start_owners.get(space) != power:
        raise Refusal(
            "CL-PRD-04",
            f"A complex can be built only where you have owned the land since the turn began, not in {where.name}.",
            (space,),
        )
    if has_factory(world, state, space):
        raise Refusal("CL-PRD-05", f"{where.name} has an industrial complex already.", (space,))


def _capacity_allows(world: World, state: State, power: PowerId, space: SpaceId, n: int) -> bool:
    """Everything placed so far and these units can be shared out among the complexes."""
    factories = working_factories(world, state, power)
    wanted: Counter[SpaceId] = Counter(state.placed)
    wanted[space] += n
    room = {f: output(world, state, power, f) for f in factories}
    left = {f: (None if r is None else r - wanted.get(f, 0)) for f, r in room.items()}
    if any(r is not None and r < 0 for r in left.values()):
        return False
    ships = {
        zone: [f for f in factories if f in world.neighbours[zone]] for zone in wanted if world.spaces[zone].is_sea
    }
    demands = [z for z, near in ships.items() if not any(left[f] is None for f in near) for _ in range(wanted[z])]
    places = [f for f in factories if left[f] is not None for _ in range(left[f] or 0)]
    taken: list[int | None] = [None] * len(places)

    def settle(ship: int, tried: set[int]) -> bool:
        for i, factory in enumerate(places):
            if factory in ships[demands[ship]] and i not in tried:
                tried.add(i)
                other = taken[i]
                if other is None or settle(other, tried):
                    taken[i] = ship
                    return True
        return False

    return all(settle(ship, set()) for ship in range(len(demands)))


def places_for(world: World, state: State, power: PowerId, unit: UnitId) -> list[SpaceId]:
    """Every space where one more of these may be placed now."""
    kind = world.units[unit]
    factories = working_factories(world, state, power)
    candidates: list[SpaceId]
    if kind.factory:
        candidates = [s for s, owner in state.owners.items() if owner == power]
    elif kind.domain == "sea":
        candidates = list(dict.fromkeys(z for f in factories for z in world.sea[f]))
    else:
        candidates = factories
    return [s for s in candidates if _allowed(world, state, power, unit, s)]


def _allowed(world: World, state: State, power: PowerId, unit: UnitId, space: SpaceId) -> bool:
    try:
        check_place(world, state, power, unit, 1, space)
    except Refusal:
        return False
    limit = world.units[unit].limit
    if limit is not None and sum(n for p, n in state.at(space).items() if p.type == unit) >= limit:
        return False
    stacks = world.rules.pieces.get(unit)
    if stacks is None:
        return True
    used = [s for s, k in state.units.items() if any(p.power == power and p.type == unit for p in k)]
    return space in used or len(used) < stacks
