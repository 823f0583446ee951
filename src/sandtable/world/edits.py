"""Changes to a scenario made before play: other unit values, another set-up, another end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from sandtable.errors import DataError
from sandtable.world.conditions import (
    Cities,
    Condition,
    Controls,
    FromRound,
    HoldsCapitals,
    Places,
    Production,
    leaves,
)
from sandtable.world.edition import Edition
from sandtable.world.fields import Report, explain, join, known_ones
from sandtable.world.limits import LAST_ROUND, MOST_EDITS, MOST_MONEY, crowd
from sandtable.world.model import Pieces, PowerId, SideId, SpaceId, UnitId, UnitType, Victory

ALL = "all"  # in place of a power: everybody
FILE = "edits"  # what problems give as their file
Number = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]  # that can at least be told what is wrong with it
RANGES = {"cost": (1, 99), "attack": (0, 6), "defense": (0, 6), "move": (0, 12)}


class UnitEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Other values for a kind of unit."""

    cost: Number | None = None
    attack: Number | None = None
    defense: Number | None = None
    move: Number | None = None

    def changes(self) -> dict[str, int]:
        return {name: value for name in RANGES if (value := getattr(self, name)) is not None}


class SetupEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Pieces added (`count` > 0) or taken away (< 0) in a `space`, or moved `from` one space `to` another."""

    power: PowerId
    unit: UnitId
    count: Number
    space: SpaceId | None = None
    source: SpaceId | None = msgspec.field(default=None, name="from")
    to: SpaceId | None = None


class VictoryEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What ends the game instead of the edition's conditions."""

    capitals: Mapping[SideId, tuple[Number, tuple[SpaceId, ...]]] = {}  # side -> number needed, of these
    economy: Mapping[SideId, Number] = {}  # side -> production level
    cities: Mapping[SideId, Number] = {}  # side -> victory cities needed
    rounds: Number | None = None  # the last round
    none: bool = False  # play on for ever


class Edits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """All changes to a scenario. An empty one changes nothing."""

    units: Mapping[str, Mapping[UnitId, UnitEdit]] = {}  # power or "all" -> unit -> other values
    setup: tuple[SetupEdit, ...] = ()
    victory: VictoryEdit | None = None


def parse_edits(raw: Mapping[str, Any]) -> Edits:
    """Edits from plain data. Raises DataError that names the field.

    Only the form is checked here; whether the edits fit a scenario comes out when it is compiled with them.
    """
    try:
        edits = msgspec.convert(raw, Edits)
    except msgspec.ValidationError as error:
        where, what = explain(error)
        raise DataError([f"{FILE}: {where.removeprefix('.') or 'all'}: {what}"]) from None
    if len(edits.setup) > MOST_EDITS:
        raise DataError([f"{FILE}: setup: {len(edits.setup):,} changes, where at most {MOST_EDITS:,} can be made"])
    return edits


def check_unit_edits(edits: Edits, edition: Edition, report: Report) -> None:
    """Note values out of range and units that have no such value."""
    for power, units in edits.units.items():
        field = join("units", power)
        if power != ALL and power not in edition.powers:
            report.add(FILE, field, known_ones("power", power, (ALL, *edition.powers)))
        for unit, edit in units.items():
            if unit not in edition.units:
                report.add(FILE, join(field, unit), known_ones("unit", unit, edition.units))
                continue
            for name, value in edit.changes().items():
                where, (low, high) = join(field, unit, name), RANGES[name]
                if edition.units[unit].domain == "facility" and name != "cost":
                    report.add(FILE, where, f"{edition.units[unit].plural} do not move or fight")
                elif name == "cost" and edition.units[unit].cost is None:
                    report.add(FILE, where, f"{edition.units[unit].plural} cannot be bought")
                elif not low <= value <= high:
                    report.add(FILE, where, f"expected {low} to {high}, got {value}")


def edited_units(
    units: Mapping[UnitId, UnitType], edits: Edits
) -> tuple[dict[UnitId, UnitType], dict[PowerId, dict[UnitId, UnitType]]]:
    """The unit types for everybody, and those that differ for one power."""
    common = dict(units)
    for unit, edit in edits.units.get(ALL, {}).items():
        common[unit] = msgspec.structs.replace(common[unit], **edit.changes())
    single = {
        power: {unit: msgspec.structs.replace(common[unit], **edit.changes()) for unit, edit in changed.items()}
        for power, changed in edits.units.items()
        if power != ALL and changed
    }
    return common, single


def edited_setup(setup: Pieces, edits: Edits, report: Report) -> dict[PowerId, dict[SpaceId, dict[UnitId, int]]]:
    """The set-up after all changes, made one after the other. Ids are not checked here."""
    pieces = {power: {space: dict(units) for space, units in places.items()} for power, places in setup.items()}

    def put(edit: SetupEdit, space: SpaceId, count: int, field: str) -> None:
        units = pieces.setdefault(edit.power, {}).setdefault(space, {})
        left = units.get(edit.unit, 0) + count
        if left < 0:
            report.add(FILE, field, f"{edit.power} has only {units.get(edit.unit, 0)} {edit.unit} in {space}")
        units[edit.unit] = left
        if left <= 0:
            del units[edit.unit]
        if not units:
            del pieces[edit.power][space]

    for index, edit in enumerate(edits.setup):
        field = join("setup", index)
        is_change = edit.space is not None and edit.source is None and edit.to is None
        if is_change and edit.count != 0:
            assert edit.space is not None
            put(edit, edit.space, edit.count, field)
        elif edit.space is None and edit.source is not None and edit.to is not None and edit.count > 0:
            put(edit, edit.source, -edit.count, field)
            put(edit, edit.to, edit.count, field)
        elif is_change:
            report.add(FILE, join(field, "count"), "a count of 0 changes nothing")
        else:
            report.add(FILE, field, "expected either `space`, or `from` and `to` with a count from 1 on")
    return pieces


def check_totals(pieces: Pieces, report: Report) -> bool:
    """Whether the set-up is of a size that can be looked at more closely; if not, that is noted."""
    by_space: dict[SpaceId, int] = {}
    for places in pieces.values():
        for space, units in places.items():
            by_space[space] = by_space.get(space, 0) + sum(units.values())
    problem = crowd(by_space)
    if problem is not None:
        report.add(FILE, "setup", problem)
    return problem is None


def edited_victory(edit: VictoryEdit, edition: Edition, report: Report) -> tuple[Victory, ...]:
    """The conditions that an edit sets. Spaces and sides are checked here."""
    found = []
    for side, (count, spaces) in edit.capitals.items():
        field = join("victory.capitals", side)
        for space in spaces:
            if space not in edition.spaces or edition.spaces[space].is_sea:
                report.add(FILE, field, known_ones("land territory", space, edition.spaces))
        if not 1 <= count <= len(spaces):
            report.add(FILE, field, f"{count} of {len(spaces)} capitals make no sense")
        if len(set(spaces)) != len(spaces):
            report.add(FILE, field, "a capital stands there twice")
        found.append(
            Victory(
                id=f"capitals-{side}",
                name=f"{count} of {len(spaces)} capitals",
                winner=side,
                when=Controls(who=side, places=Places(spaces=spaces), at_least=count),
                rules=_rules_of(edition, HoldsCapitals, Controls),
            )
        )
    for side, level in edit.economy.items():
        if not 1 <= level <= MOST_MONEY:
            report.add(FILE, join("victory.economy", side), f"expected a level from 1 to {MOST_MONEY:,}, got {level}")
        found.append(
            Victory(
                id=f"economy-{side}",
                name=f"Production of {level}",
                winner=side,
                when=Production(who=side, at_least=level),
                checked="round",
                rules=_rules_of(edition, Production),
            )
        )
    cities = sum(1 for space in edition.spaces.values() if space.victory_city)
    for side, count in edit.cities.items():
        if not 1 <= count <= cities:
            report.add(FILE, join("victory.cities", side), f"the board has {cities} victory cities, not {count}")
        found.append(
            Victory(
                id=f"cities-{side}",
                name=f"{count} victory cities",
                winner=side,
                when=Cities(who=side, at_least=count),
                checked="round",
                rules=_rules_of(edition, Cities),
            )
        )
    for part, sides in (("capitals", edit.capitals), ("economy", edit.economy), ("cities", edit.cities)):
        for side in sides:
            if side not in edition.sides:
                report.add(FILE, join("victory", part), known_ones("side", side, edition.sides))
    if edit.rounds is not None:
        if not 1 <= edit.rounds <= LAST_ROUND:
            report.add(FILE, "victory.rounds", f"expected a round from 1 to {LAST_ROUND:,}, got {edit.rounds}")
        end = FromRound(number=edit.rounds)
        name = f"End of round {edit.rounds}"
        found.append(Victory(id="rounds", name=name, winner="nobody", when=end, checked="round"))
    if edit.none and found:
        report.add(FILE, "victory.none", "an endless game has no conditions beside it")
    if not edit.none and not found:
        report.add(FILE, "victory", "names no condition; say `none: true` for an endless game")
    return tuple(found)


def _rules_of(edition: Edition, *kinds: type[Condition]) -> tuple[str, ...]:
    """The edition's own rules about such a condition, for messages."""
    such = (victory for victory in edition.victory if any(isinstance(part, kinds) for part in leaves(victory.when)))
    return tuple(dict.fromkeys(rule for victory in such for rule in victory.rules))
