"""Placing new units (CL-PRD-01 to CL-PRD-17, AN-MOB-01 to AN-MOB-13, AN-CHN-05 to AN-CHN-07)."""

from __future__ import annotations

from collections import Counter

from sandtable.engine import access, cards, facilities
from sandtable.engine.complexes import builds_big, home, output, working_complexes
from sandtable.engine.events import Change, Forfeited, Kept, Placed
from sandtable.engine.facts import (
    NOTHING,
    amount,
    amounts,
    capital_lost,
    deck_space,
    has_complex,
    is_occupied,
    lands_on_decks,
    listed,
    name,
    type_of,
    unit_type,
)
from sandtable.engine.movement.limits import check_stack_limit
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.phases.noncombat_move import lose_unlanded
from sandtable.engine.relations import allied, friends
from sandtable.engine.run import Run
from sandtable.engine.special import building, relocation, underground
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import PowerId, SpaceId, Support, UnitId, UnitType, World
from sandtable.world.profiles import marks_of_new


class Mobilize(Phase):
    name = "mobilize"
    title = "Placing new units"

    def enter(self, run: Run) -> None:
        relocation.settle(run)

    def is_open(self, run: Run) -> bool:
        """Always, unless the power has lost its capital and plays nobody who has units to place (AN-TRN-04)."""
        world, state = run.world, run.state
        if not world.rules.mobilize_needs_capital or not capital_lost(world, state, run.power):
            return True
        return any(state.pool_of(world, ward) for ward in _wards(run))

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Place():
                place(run, order)
            case orders.Relocate():
                relocation.redirect(run, order)
            case _:
                raise misplaced(run, order, self)

    def leave(self, run: Run) -> None:
        """Units that are not placed wait, or whatever has a legal place must be placed and the rest is forfeited.

        CL-TRN-05, CL-PRD-16; AN-MOB-09, AN-CHN-07.
        """
        world, state, power = run.world, run.state, run.power
        if world.rules.landing_on_new_carriers:
            lose_unlanded(run)
        if world.rules.must_place:
            placeable = [u for u in world.units if u in state.pool and places_for(world, state, power, u)]
            if placeable:
                raise Refusal(
                    "units-to-place-first",
                    f"New units have to be placed first: {amounts(world, [(u, state.pool[u]) for u in placeable])}.",
                    tuple(placeable),
                )
        if world.rules.unplaced_units == "kept":
            for owner in (power, *_wards(run)):
                left = state.pool_of(world, owner)
                if left:
                    run.emit(Kept(owner, tuple((u, left[u]) for u in world.units if u in left)))
        elif state.pool:
            run.emit(Forfeited(power, tuple((u, state.pool[u]) for u in world.units if u in state.pool)))
            if world.rules.unplaced_units == "refunded":  # G40-PUR-18
                prices = {
                    u: cards.price(world, state, u, unit_type(world, state, power, u).cost or 0) for u in state.pool
                }
                run.pay(power, sum(prices[u] * n for u, n in state.pool.items()), "refund")


def _wards(run: Run) -> list[PowerId]:
    """Powers that the one whose turn it is plays; they place their units in the same phase (AN-CHN-05)."""
    return [p.id for p in run.world.powers.values() if p.played_by == run.power]


def owner_of_new(world: World, state: State, power: PowerId, space: SpaceId) -> PowerId:
    """Whose new units go to a space unless an order says so: a power that this one plays, on that power's land."""
    owner = state.owners.get(space)
    return owner if owner is not None and world.powers[owner].played_by == power else power


def place(run: Run, order: orders.Place) -> None:
    world = run.world
    for spec in order.units:
        power = spec.power or owner_of_new(world, run.state, run.power, order.space)
        mine = power == run.power or world.powers[power].played_by == run.power
        have = run.state.pool_of(world, power).get(spec.type, 0) if mine else 0
        if spec.count < 1 or have < spec.count:
            whose = "" if power == run.power else f" of {world.powers[power].name}"
            raise Refusal(
                "no-such-new-unit" if power == run.power else "no-such-new-unit-of-another",
                f"Only {amount(world, spec.type, have)}{whose} can be placed, not {spec.count}."
                if have
                else f"There is no new {world.units[spec.type].name}{whose} to be placed.",
            )
        check_place(world, run.state, power, spec.type, spec.count, order.space)
        marks = marks_of_new(world, run.state.techs.get(power, NOTHING), spec.type)
        site = unit_type(world, run.state, power, spec.type).complex
        piece = Piece(power, spec.type, mark="new" if site else "", done=True, marks=marks)
        changes = (Change(order.space, plus=((piece, spec.count),)),)
        run.emit(Placed(power, order.space, ((spec.type, spec.count),), changes))
        if world.units[spec.type].domain == "facility":
            facilities.begin(run, power, spec.type, order.space)
        check_stack_limit(world, run.state, order.space)
        _check_pieces(run, spec.type, order.space)


def _check_pieces(run: Run, unit: UnitId, space: SpaceId) -> None:
    stacks = run.world.rules.pieces.get(unit)
    if stacks is None:
        return
    used = sum(1 for s in run.state.units.values() if any(p.power == run.power and p.type == unit for p in s))
    if used > stacks:
        raise Refusal("too-few-pieces-for-new-stack", f"There are pieces for {stacks} stacks only.", (space,))


def check_place(world: World, state: State, power: PowerId, unit: UnitId, n: int, space: SpaceId) -> None:
    """Refuse a place for new units."""
    kind = unit_type(world, state, power, unit)
    where = world.spaces[space]
    _check_capital(world, state, power)
    if world.powers[power].reinforcement is not None:
        _check_reinforcement(world, state, power, n, space)
        return
    if kind.underground:
        underground.check_place(world, state, power, unit, n, space)
        return
    building.check(world, power, unit, space)
    if kind.domain == "facility":
        facilities.check_site(world, state, power, unit, space)
        if n > 1:
            raise Refusal("too-many-complexes", f"{where.name} has room for one {kind.name} only.", (space,))
        return
    if not world.powers[power].builds:
        _check_home(world, state, power, space)
        return
    if kind.domain == "sea":
        if where.is_land:
            raise Refusal(
                "new-ship-on-land",
                f"Ships are placed in sea zones, not in {where.name}.",
                (space,),
            )
        if world.skies and access.is_closed(world, state, power, space):
            raise access.refusal(world, state, power, space)
        _check_coast(world, state, power, space, unit)
        if not world.rules.new_ships_among_enemies and is_occupied(world, state, power, space):
            raise Refusal("new-ship-among-enemies", f"Enemy units are in {where.name}.", (space,))
    elif where.is_sea and kind.domain == "air" and world.rules.new_fighters_on_carriers and lands_on_decks(world, unit):
        _check_coast(world, state, power, space, unit)
        _check_deck(world, state, power, unit, n, space)
    elif where.is_sea:
        raise Refusal(
            "new-plane-at-sea" if kind.domain == "air" else "new-land-unit-at-sea",
            f"A new {kind.name} is placed at a complex, not at sea or aboard a ship.",
            (space,),
        )
    else:
        _check_complex(world, state, power, kind, space)
        if not builds_big(world, state, power, unit, space):
            raise _needs_better(world, kind, space)
        if access.is_closed(world, state, power, space):
            raise access.refusal(world, state, power, space)
    if not _capacity_allows(world, state, power, space, n, big=kind.built_at is not None):
        limits = listed(
            [
                f"{name(world, f)} {output(world, state, power, f)}"
                for f in working_complexes(world, state, power)
                if (f == space or f in world.neighbours[space]) and output(world, state, power, f) is not None
            ]
        )
        raise Refusal(
            "complex-is-busy",
            f"The complex cannot receive so many units in one turn: {limits}.",
            (space,),
        )


def _check_capital(world: World, state: State, power: PowerId) -> None:
    if world.rules.mobilize_needs_capital and capital_lost(world, state, power):
        raise Refusal(
            "new-units-wait-for-capital", f"{world.powers[power].name} has lost its capital: its new units wait."
        )


def _check_reinforcement(world: World, state: State, power: PowerId, n: int, space: SpaceId) -> None:
    """Units that come for nothing need no complex, but land of their own and room (AN-CHN-05, AN-CHN-06)."""
    who = world.powers[power]
    assert who.reinforcement is not None
    if space not in home(world, state, power):
        raise Refusal(
            "reinforcement-outside-home",
            f"New {who.adjective} units are placed in {who.adjective} territories that {who.name} controls.",
            (space,),
        )
    have = sum(k for p, k in state.at(space).items() if p.power == power and world.units[p.type].domain != "facility")
    if have + n > who.reinforcement.room:
        raise Refusal(
            "reinforcement-has-no-room",
            f"{name(world, space)} holds {have} {who.adjective} units, and new ones make at most "
            f"{who.reinforcement.room}.",
            (space,),
        )


def _needs_better(world: World, kind: UnitType, space: SpaceId) -> Refusal:
    assert kind.built_at is not None
    text = f"A {kind.name} is built at a {world.units[kind.built_at].name} only."
    return Refusal("needs-a-better-complex", text, (space,))


def _check_home(world: World, state: State, power: PowerId, space: SpaceId) -> None:
    """Powers without complexes raise new units anywhere in land of their own (G40-CHN-06)."""
    if space not in home(world, state, power):
        who = world.powers[power]
        text = f"New {who.adjective} units appear in {who.adjective} territories that {who.name} controls."
        raise Refusal("reinforcement-outside-home", text, (space,))


def _check_coast(world: World, state: State, power: PowerId, zone: SpaceId, unit: UnitId) -> None:
    near = [f for f in working_complexes(world, state, power) if f in world.neighbours[zone]]
    if near and not any(builds_big(world, state, power, unit, f) for f in near):
        raise _needs_better(world, world.units[unit], zone)
    if not near:
        raise Refusal(
            "no-complex-on-the-coast",
            f"{name(world, zone)} borders no territory with a complex that you have owned since the turn began.",
            (zone,),
        )


def _check_deck(world: World, state: State, power: PowerId, unit: UnitId, n: int, zone: SpaceId) -> None:
    """New planes go aboard carriers of their own power; all planes of the side have to fit (AN-MOB-06, G40-MOB-06).

    Older planes may be guests of an ally's carrier, so that only the new ones need decks of their own power.
    """
    stack, ours = state.at(zone), friends(world, state, power)
    own = deck_space(world, state, stack, frozenset({power})).get(unit, 0)
    room = deck_space(world, state, stack, ours)
    planes = {p: k for p, k in stack.items() if world.units[p.type].domain == "air" and p.power in ours}
    new = sum(k for p, k in planes.items() if p.power == power and p.done and not p.used and not p.origin)
    if new + n > own or sum(k for p, k in planes.items() if p.type in room) + n > room.get(unit, 0):
        raise Refusal(
            "no-deck-for-new-plane",
            f"No carrier of yours in {name(world, zone)} has room for {amount(world, unit, n)}.",
            (zone,),
        )


def _check_supported(world: World, state: State, power: PowerId, support: Support, space: SpaceId) -> None:
    """Units of a power without complexes appear where it is supported (MX19-18, MX19-19)."""
    if space not in working_complexes(world, state, power):
        places = listed([name(world, s) for s in support.spaces], "or")
        text = f"New {world.powers[power].adjective} units appear in {places}, if held since the turn began."
        raise Refusal("no-support-there", text, (space,))


def _check_complex(world: World, state: State, power: PowerId, kind: UnitType, space: SpaceId) -> None:
    support = world.powers[power].support
    if support is not None:
        _check_supported(world, state, power, support, space)
        return
    owner = state.owners.get(space)
    if owner != power and owner is not None and allied(world, state, owner, power):
        raise Refusal(
            "complex-of-an-ally",
            f"{name(world, space)} belongs to an ally, whose complex you cannot use.",
            (space,),
        )
    if owner != power or not has_complex(world, state, space):
        raise Refusal(
            "no-complex-there",
            f"You own no industrial complex in {name(world, space)}.",
            (space,),
            rules=kind.cite("no-complex-there"),
        )
    if state.start_owners.get(space) != power:
        raise Refusal(
            "complex-captured-this-turn",
            f"The complex in {name(world, space)} was captured this turn: use it next turn.",
            (space,),
        )
    if space not in working_complexes(world, state, power):
        raise Refusal(
            "complex-is-new",
            f"The complex in {name(world, space)} is new: it works from your next turn on.",
            (space,),
        )


def _capacity_allows(world: World, state: State, power: PowerId, space: SpaceId, n: int, *, big: bool = False) -> bool:
    """Everything placed so far and these units can be shared out among the complexes, big ships among the better."""
    complexes = working_complexes(world, state, power)
    wanted: Counter[SpaceId] = Counter(state.placed)
    wanted[space] += n
    room = {f: output(world, state, power, f) for f in complexes}
    left = {f: (None if r is None else r - wanted.get(f, 0)) for f, r in room.items()}
    if any(r is not None and r < 0 for r in left.values()):
        return False
    ships = {
        zone: [f for f in complexes if f in world.neighbours[zone]] for zone in wanted if world.spaces[zone].is_sea
    }
    large = Counter(state.placed_big)
    large[space] += n if big else 0
    demands = [
        (z, place < large[z])
        for z, near in ships.items()
        if not any(left[f] is None for f in near)
        for place in range(wanted[z])
    ]
    better = {f for f in complexes if _is_better(world, state, power, f)} if +large else set()
    places = [f for f in complexes if left[f] is not None for _ in range(left[f] or 0)]
    taken: list[int | None] = [None] * len(places)

    def settle(ship: int, tried: set[int]) -> bool:
        zone, is_big = demands[ship]
        for i, site in enumerate(places):
            if site in ships[zone] and i not in tried and (not is_big or site in better):
                tried.add(i)
                other = taken[i]
                if other is None or settle(other, tried):
                    taken[i] = ship
                    return True
        return False

    return all(settle(ship, set()) for ship in range(len(demands)))


def _is_better(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The complex there builds what others cannot."""
    big = (unit for unit in world.units if unit_type(world, state, power, unit).built_at is not None)
    return all(builds_big(world, state, power, unit, space) for unit in big)


def places_for(world: World, state: State, power: PowerId, unit: UnitId) -> list[SpaceId]:
    """Every space where one more of these may be placed now."""
    kind = unit_type(world, state, power, unit)
    complexes = working_complexes(world, state, power)
    candidates: list[SpaceId]
    if world.powers[power].reinforcement is not None:
        candidates = home(world, state, power)
    elif kind.underground:
        candidates = [s.id for s in world.spaces.values() if s.original == power]
    elif kind.domain == "facility":
        candidates = [s for s, owner in state.owners.items() if owner == power]
    elif not world.powers[power].builds:
        candidates = home(world, state, power)
    elif kind.domain == "sea":
        candidates = list(dict.fromkeys(z for f in complexes for z in world.sea[f]))
    else:
        candidates = list(complexes)
        if kind.domain == "air" and world.rules.new_fighters_on_carriers:
            zones = dict.fromkeys(z for f in complexes for z in world.sea[f])
            candidates = [*complexes, *(z for z in zones if any(type_of(world, state, p).deck for p in state.at(z)))]
    return [s for s in candidates if _allowed(world, state, power, unit, s)]


def _allowed(world: World, state: State, power: PowerId, unit: UnitId, space: SpaceId) -> bool:
    try:
        check_place(world, state, power, unit, 1, space)
    except Refusal:
        return False
    limit = unit_type(world, state, power, unit).limit
    if limit is not None and sum(n for p, n in state.at(space).items() if p.type == unit) >= limit:
        return False
    stacks = world.rules.pieces.get(unit)
    if stacks is None:
        return True
    used = [s for s, k in state.units.items() if any(p.power == power and p.type == unit for p in k)]
    return space in used or len(used) < stacks
