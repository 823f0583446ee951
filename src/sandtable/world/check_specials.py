"""Do the rights of single powers, and units of a special kind, name what there is?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sandtable.world.fields import join
from sandtable.world.model import Power, Technology, UnitType

if TYPE_CHECKING:
    from sandtable.world.check import Check


def check_power(check: Check, power: Power, file: str, field: str) -> None:
    special, field = power.special, join(field, "special")
    if special.transfer is not None:
        here = join(field, "transfer")
        _units(check, special.transfer.units, file, here)
        _powers(check, special.transfer.at_war_with, file, here)
        check.space(special.transfer.to, file, here, "land")
    if special.relocation is not None:
        here = join(field, "relocation")
        _powers(check, special.relocation.at_war_with, file, here)
        _units(check, (*special.relocation.upgrades, *special.relocation.upgrades.values()), file, here)
    if special.surprise is not None:
        here = join(field, "surprise")
        _powers(check, (special.surprise.before,), file, here)
        _lands(check, special.surprise.never, file, here)
    if special.industry is not None:
        here = join(field, "industry")
        _lands(check, special.industry.places, file, here)
        _units(check, (special.industry.unit, special.industry.becomes), file, here)
    for index, ban in enumerate(special.never_builds):
        here = join(field, "never_builds", index)
        _units(check, ban.units, file, here)
        _powers(check, (ban.original,), file, here)
    _lands(check, special.builds_all, file, join(field, "builds_all"))
    for index, line in enumerate(special.lines):
        here = join(field, "lines", index)
        _units(check, (line.unit,), file, here)
        _powers(check, (line.by,), file, here)
        _lands(check, (line.place, line.start, line.until), file, here)
    if special.liberation is not None:
        _lands(check, (special.liberation.place,), file, join(field, "liberation"))


def check_unit(check: Check, unit: UnitType, file: str, field: str) -> None:
    technologies, marks = check.edition.technologies, check.edition.marks
    check.known("technology", unit.needs, technologies, file, join(field, "needs"))
    _powers(check, unit.only_for, file, join(field, "only_for"))
    _units(check, unit.sharper, file, join(field, "sharper"))
    if unit.anti_tank is not None:
        _powers(check, unit.anti_tank.powers, file, join(field, "anti_tank"))
        check.known("mark", unit.anti_tank.mark, marks, file, join(field, "anti_tank"))
    if unit.raider is not None:
        check.unit_of("air", unit.raider.ranges_like, file, join(field, "raider"))
    if unit.payload is not None:
        check.unit_of("air", unit.payload.carrier, file, join(field, "payload"))
        check.known("technology", unit.payload.needs, technologies, file, join(field, "payload"))


def check_technology(check: Check, technology: Technology, file: str, field: str) -> None:
    drop = technology.airborne
    if drop is not None:
        _units(check, (drop.base,), file, join(field, "airborne"))
        check.unit_of("land", drop.unit, file, join(field, "airborne"))
    if any(spaces < 1 for spaces in technology.progress):
        check.report.add(file, join(field, "progress"), "a die moves a project by 1 at least")


def _units(check: Check, names: Iterable[str], file: str, field: str) -> None:
    for name in names:
        check.known("unit", name, check.edition.units, file, field)


def _powers(check: Check, names: Iterable[str], file: str, field: str) -> None:
    for name in names:
        check.known("power", name, check.edition.powers, file, field)


def _lands(check: Check, names: Iterable[str], file: str, field: str) -> None:
    for name in names:
        check.space(name, file, field, "land")
