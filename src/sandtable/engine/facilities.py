"""Facilities: where they are built and how, and what becomes of them in new hands.

G40-PUR-05, G40-PUR-08 to G40-PUR-17, G40-CAP-06 to G40-CAP-10, G40-CAP-19, G40-CHN-07. Whether one works is told by
`bases.works`.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.damage import complex_in, hurt, most_damage
from sandtable.engine.events import BuildingChanged, Change, Dismantled, Downgraded, Mended, Rolled, Upgraded
from sandtable.engine.facts import all_such, free_money, name, type_of, unit_type, value, works
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.special import building
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import Facility, PowerId, SpaceId, UnitId, UnitType, World


def standing(world: World, state: State, space: SpaceId, kind: UnitType) -> UnitId | None:
    """The facility of this sort that is there: complexes are one sort, and each other kind is its own."""
    if kind.complex:
        return complex_in(world, state, space)
    return next((piece.type for piece in state.at(space) if piece.type == kind.id), None)


def check_site(world: World, state: State, power: PowerId, unit: UnitId, space: SpaceId) -> None:
    """Refuse a place for a new facility."""
    kind, where = unit_type(world, state, power, unit), world.spaces[space]
    rules = kind.facility or Facility()
    what, one = all_such(kind), kind.name
    if where.is_sea:
        raise Refusal("complex-at-sea", f"{what} are built on land.", (space,))
    if state.owners.get(space) != power or state.start_owners.get(space) != power:
        text = f"{what} can be built only where you have owned the land since the turn began, not in {where.name}."
        reason = "complex-site-not-held" if kind.complex else "facility-site-not-held"
        raise Refusal(reason, text, (space,))
    if standing(world, state, space, kind) is not None:
        text = f"{where.name} has one already: there is no room for another {one}."
        raise Refusal("complex-stands-already" if kind.complex else "facility-stands-already", text, (space,))
    _check_land(world, power, kind, rules, space)


def _check_land(world: World, power: PowerId, kind: UnitType, rules: Facility, space: SpaceId) -> None:
    where = world.spaces[space]
    what = all_such(kind)
    if where.ipc < max(rules.least_value, world.rules.complex_site if kind.complex else 0):
        text = f"{where.name} is worth {where.ipc}: too little for a {kind.name}."
        raise Refusal("complex-site-too-poor", text, (space,))
    if where.island and not rules.islands:
        raise Refusal("complex-on-an-island", f"{what} are not built on islands such as {where.name}.", (space,))
    if rules.original_land and where.original != power:
        text = f"{what} stand only in land that was {world.powers[power].adjective} from the beginning."
        raise Refusal("complex-in-foreign-land", text, (space,))
    if rules.coast and not world.sea[space]:
        raise Refusal("base-without-coast", f"{where.name} has no coast.", (space,))


def begin(run: Run, power: PowerId, unit: UnitId, space: SpaceId) -> None:
    """A facility that was placed is not finished yet (G40-PUR-08)."""
    rules = unit_type(run.world, run.state, power, unit).facility
    if rules is not None and rules.build_turns:
        run.emit(BuildingChanged(power, space, unit, rules.build_turns))


def build_on(run: Run) -> None:
    """One turn's work on everything that the power is building and that is not damaged (G40-PUR-09, G40-PUR-10)."""
    for space, chips in list(run.state.building.items()):
        if run.state.owners.get(space) == run.power:
            for unit, left in chips.items():
                if not run.state.damage.get(space, {}).get(unit):
                    run.emit(BuildingChanged(run.power, space, unit, left - 1))


def mend_ships(run: Run) -> None:
    """Damaged ships off a working base of a friend are as good as new, free of charge (G40-PUR-05)."""
    world, power = run.world, run.power
    if not world.menders:
        return
    for space, stack in list(run.state.units.items()):
        hurt_ships = [(p, n) for p, n in stack.items() if p.hits and p.power == power]
        if not hurt_ships or not world.spaces[space].is_sea:
            continue
        served = _mended_off(world, run.state, power, space)
        units = tuple((p, n) for p, n in hurt_ships if p.type in served)
        if units:
            whole = tuple((msgspec.structs.replace(p, hits=0), n) for p, n in units)
            run.emit(Mended(power, space, units, (Change(space, units, whole),)))


def _mended_off(world: World, state: State, power: PowerId, zone: SpaceId) -> set[UnitId]:
    """The ships that bases on the coast of the zone mend."""
    ours = friends(world, state, power)
    found: set[UnitId] = set()
    for land in world.land[zone]:
        if state.owners.get(land) in ours:
            for piece in state.at(land):
                kind = type_of(world, state, piece)
                if kind.facility is not None and kind.facility.repairs and works(state, land, kind):
                    found.update(kind.facility.repairs)
    return found


# ---------------------------------------------------------------- a better complex


def check_upgrade(world: World, state: State, power: PowerId, space: SpaceId) -> UnitId:
    """What the complex there would become; or why it cannot (G40-PUR-13, G40-PUR-14)."""
    where, have = name(world, space), complex_in(world, state, space)
    better = world.units.get(world.upgrades.get(have or "", ""))
    mine = state.owners.get(space) == power and state.start_owners.get(space) == power
    if have is None or better is None or not mine:
        raise Refusal("nothing-to-upgrade", f"You have no complex in {where} that can be made better.", (space,))
    if have in state.building.get(space, {}):
        raise Refusal("upgrade-of-unfinished", f"The complex in {where} is not finished yet.", (space,))
    if state.damage.get(space, {}).get(have):
        raise Refusal("upgrade-of-damaged", f"The complex in {where} has to be repaired first.", (space,))
    building.check(world, power, better.id, space)
    assert better.facility is not None
    if value(world, state, space) < better.facility.least_value:
        text = f"{where} is worth {value(world, state, space)}: too little for a {better.name}."
        raise Refusal("upgrade-in-poor-land", text, (space,))
    if better.facility.original_land and world.spaces[space].original != power:
        text = f"{where} was not {world.powers[power].adjective} from the beginning: no {better.name} stands there."
        raise Refusal("upgrade-in-foreign-land", text, (space,))
    return better.id


def upgrade(run: Run, space: SpaceId) -> None:
    world, state, power = run.world, run.state, run.power
    better = check_upgrade(world, state, power, space)
    rules = unit_type(world, state, power, better).facility
    assert rules is not None
    money = free_money(world, state, power)
    if rules.upgrade_cost > money:
        text = f"That costs {rules.upgrade_cost}, and {world.powers[power].name} has {money}."
        raise Refusal("not-enough-money", text, (space,))
    old = next(p for p in state.at(space) if p.type == rules.upgrade_of)
    run.pay(power, -rules.upgrade_cost, "units", space)
    new = msgspec.structs.replace(old, type=better)
    changes = (Change(space, ((old, 1),), ((new, 1),)),)
    run.emit(Upgraded(power, space, better, rules.upgrade_cost, changes))


# ---------------------------------------------------------------- new hands


def taken(run: Run, space: SpaceId, captor: PowerId) -> None:
    """What the fighting leaves of the facilities in land that changes hands (G40-CAP-06, G40-CAP-08, G40-CHN-07)."""
    world = run.world
    owner = run.state.owners[space]
    for unit in world.units.values():
        piece = next((p for p in run.state.at(space) if p.type == unit.id and unit.domain == "facility"), None)
        if piece is None:
            continue
        if unit.complex and not world.powers[owner].builds and world.spaces[space].original == owner:
            run.emit(Dismantled(owner, space, unit.id, (Change(space, minus=((piece, 1),)),)))
            continue
        if world.rules.capture_damage and most_damage(world, space, unit.id):
            faces = run.roll(1, lambda faces: Rolled("capture", captor, faces, space, hits=sum(faces)))
            hurt(run, captor, space, sum(faces), unit.id)
        if unit.facility is not None and unit.facility.captured_as is not None:
            less = unit.facility.captured_as
            damage = min(run.state.damage.get(space, {}).get(unit.id, 0), most_damage(world, space, less))
            new = msgspec.structs.replace(piece, type=less)
            changes = (Change(space, ((piece, 1),), ((new, 1),)),)
            run.emit(Downgraded(owner, space, unit.id, less, damage, changes))
