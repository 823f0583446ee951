"""Where pieces may stand at the start of a game. Used for data files and for edited set-ups alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache

from sandtable.world.fields import Report, join, known_ones
from sandtable.world.limits import MOST_PIECES
from sandtable.world.model import Pieces, Power, PowerId, SideId, Space, SpaceId, UnitId, UnitType

Numbers = tuple[int, ...]


def check_setup(
    setup: Pieces,
    spaces: Mapping[SpaceId, Space],
    owners: Mapping[SpaceId, PowerId | None],
    powers: Mapping[PowerId, Power],
    units: Mapping[UnitId, UnitType],
    report: Report,
    file: str,
) -> None:
    """Note every piece that cannot stand where the set-up puts it. `owners`: who controls a land space."""
    at_sea: dict[tuple[SpaceId, SideId], Counter[UnitId]] = {}
    on_land: dict[SpaceId, Counter[UnitId]] = {}
    for power, places in setup.items():
        field = join("setup", power)
        if power not in powers:
            report.add(file, field, known_ones("power", power, powers))
            continue
        for space, counts in places.items():
            if space not in spaces:
                report.add(file, join(field, space), known_ones("space", space, spaces))
                continue
            good = _checked_counts(counts, spaces[space], units, report, file, join(field, space))
            if spaces[space].is_sea:
                at_sea.setdefault((space, powers[power].side), Counter()).update(good)
                continue
            on_land.setdefault(space, Counter()).update(good)
            _check_land(power, spaces[space], owners.get(space), powers, report, file, join(field, space))
    for space, total in on_land.items():
        for unit, number in total.items():
            limit = units[unit].limit
            if limit is not None and number > limit:
                what = f"{number} {units[unit].plural} in {spaces[space].name}, where there is room for {limit}"
                report.add(file, join("setup", space), what)
    for (space, _), total in at_sea.items():
        _check_sea(spaces[space], total, units, report, file)


def _checked_counts(
    counts: Mapping[UnitId, int],
    space: Space,
    units: Mapping[UnitId, UnitType],
    report: Report,
    file: str,
    field: str,
) -> dict[UnitId, int]:
    good = {}
    for unit, number in counts.items():
        if unit not in units:
            report.add(file, join(field, unit), known_ones("unit", unit, units))
        elif number < 1:
            report.add(file, join(field, unit), f"expected a number of pieces from 1 on, got {number}")
        elif number > MOST_PIECES:
            report.add(file, join(field, unit), f"expected at most {MOST_PIECES} pieces, got {number}")
        elif units[unit].domain == "sea" and space.is_land:
            report.add(file, join(field, unit), f"{units[unit].plural} cannot stand on land")
        elif units[unit].domain == "facility" and space.is_sea:
            report.add(file, join(field, unit), f"{units[unit].plural} cannot stand in a sea zone")
        else:
            good[unit] = number
    return good


def _check_land(
    power: PowerId,
    space: Space,
    owner: PowerId | None,
    powers: Mapping[PowerId, Power],
    report: Report,
    file: str,
    field: str,
) -> None:
    if space.impassable:
        report.add(file, field, f"nobody can enter {space.name}")
    elif owner is None:
        report.add(file, field, f"{space.name} is neutral")
    elif owner in powers and powers[owner].side != powers[power].side:
        report.add(file, field, f"{space.name} belongs to an enemy, {powers[owner].name}")


def _check_sea(
    space: Space, total: Counter[UnitId], units: Mapping[UnitId, UnitType], report: Report, file: str
) -> None:
    field = join("setup", space.id)
    planes = {u: n for u, n in total.items() if units[u].domain == "air"}
    decks = {u: n for u, n in total.items() if units[u].deck}
    homeless = [u for u in planes if not any(u in units[c].deck for c in units)]
    for unit in homeless:
        report.add(file, field, f"{units[unit].plural} cannot stand on a carrier, so not in {space.name}")
        del planes[unit]
    if planes and not fits_on_decks(planes, decks, units):
        report.add(file, field, f"no deck for all of {_listed(planes, units)} in {space.name}")
    cargo = {u: n for u, n in total.items() if units[u].domain == "land"}
    ships = {u: n for u, n in total.items() if units[u].loads}
    if cargo and not fits_aboard(cargo, ships, units):
        report.add(file, field, f"no room on transports for all of {_listed(cargo, units)} in {space.name}")


def fits_on_decks(
    planes: Mapping[UnitId, int], carriers: Mapping[UnitId, int], units: Mapping[UnitId, UnitType]
) -> bool:
    """Can all these planes stand on these carriers at once?

    A deck for two fighters is half full with one; the other half takes any other plane that needs no more.
    """

    def rests(ship: UnitId, names: Sequence[UnitId], left: Numbers) -> Iterable[Numbers]:
        return _after_landing(left, tuple(units[ship].deck.get(n, 0) for n in names))

    return _fits(planes, carriers, rests)


def fits_aboard(cargo: Mapping[UnitId, int], ships: Mapping[UnitId, int], units: Mapping[UnitId, UnitType]) -> bool:
    """Can these transports take all of `cargo` at once?"""

    def rests(ship: UnitId, names: Sequence[UnitId], left: Numbers) -> Iterable[Numbers]:
        for load in units[ship].loads:
            yield tuple(max(0, n - load.get(unit, 0)) for unit, n in zip(names, left, strict=True))

    return _fits(cargo, ships, rests)


def _fits(
    wanted: Mapping[UnitId, int],
    ships: Mapping[UnitId, int],
    rests: Callable[[UnitId, Sequence[UnitId], Numbers], Iterable[Numbers]],
) -> bool:
    """All find a place; `rests` tells what may be left when a ship has taken what it can."""
    names = sorted(wanted)
    fleet = tuple(ship for ship, number in sorted(ships.items()) for _ in range(number))

    @cache
    def fits(left: Numbers, index: int) -> bool:
        if not any(left):
            return True
        if index == len(fleet):
            return False
        return any(fits(rest, index + 1) for rest in rests(fleet[index], names, left))

    return fits(tuple(wanted[name] for name in names), 0)


def _after_landing(left: Numbers, room: Numbers) -> set[Numbers]:
    """The planes left when one carrier has taken all that it can, for every mix that it can take."""
    results = set()

    def land(rest: Numbers, free: Fraction) -> None:
        full = True
        for i, (number, places) in enumerate(zip(rest, room, strict=True)):
            if number and places and Fraction(1, places) <= free:
                full = False
                land((*rest[:i], number - 1, *rest[i + 1 :]), free - Fraction(1, places))
        if full:
            results.add(rest)

    land(left, Fraction(1))
    return results


def _listed(counts: Mapping[UnitId, int], units: Mapping[UnitId, UnitType]) -> str:
    return ", ".join(f"{n} {units[u].name if n == 1 else units[u].plural}" for u, n in counts.items())
