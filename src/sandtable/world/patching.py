"""An edition with what the chosen options change in it.

All that options take out and bring in comes first, then all that they change: so a change reaches what another option
brings, in whatever order the two stand. What cannot be done is a problem that names the option, its value and the
field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Listed
from typing import Any, NamedTuple, TypeVar

import msgspec

from sandtable.world import changes
from sandtable.world.conditions import Condition, leaves, named_actors
from sandtable.world.edition import Edition, Scenario
from sandtable.world.fields import Report, join, known_ones
from sandtable.world.model import (
    Added,
    BattleKind,
    ListEdit,
    Pieces,
    Power,
    PowerId,
    Seats,
    SpaceId,
    Technology,
    UnitId,
    UnitType,
)
from sandtable.world.options import FILE, InForce
from sandtable.world.sequence import Sequence

T = TypeVar("T", bound=msgspec.Struct)

ALL = "all"


class Patched(NamedTuple):
    edition: Edition
    scenario: Scenario
    actors: tuple[PowerId | None, ...]  # for each phase the power whose part it is


def patched(edition: Edition, scenario: Scenario, in_force: Listed[InForce], report: Report) -> Patched:
    """The edition and the scenario as they are played; problems go to the report."""
    powers = _records("powers", edition.powers, in_force, report)
    gone = tuple(power for power in edition.powers if power not in powers)
    units = _records("units", edition.units, in_force, report)
    technologies = _records("technologies", edition.technologies, in_force, report)
    marks = _records("marks", edition.marks, in_force, report)
    objectives = _records("objectives", {o.id: o for o in edition.objectives}, in_force, report)
    victory = _records("victory", {v.id: v for v in edition.victory}, in_force, report)
    declarations = _records("declarations", {d.id: d for d in edition.declarations}, in_force, report)
    bans = _records("bans", {b.id: b for b in edition.bans}, in_force, report)
    spaces = edition.spaces
    rules, seats, sides = edition.rules, edition.seats, edition.sides
    titles, traits, milestones = edition.titles, edition.traits, edition.milestones
    for _, patch in in_force:
        rules = changes.apply(rules, patch.rules)
        seats = changes.apply(seats, patch.seats)
        sides = sides if patch.sides is None else patch.sides
        titles = {**titles, **patch.titles} if patch.titles else titles
        traits = {**traits, **patch.traits} if patch.traits else traits
        milestones = {**milestones, **patch.add_milestones} if patch.add_milestones else milestones
        if patch.spaces:
            spaces = {**spaces, **{s: changes.apply(spaces[s], fields) for s, fields in patch.spaces.items()}}
        _change(powers, patch.powers)
        _change(units, patch.units)
        _change(technologies, patch.technologies)
        _change(objectives, patch.objectives)
        _change(victory, patch.victory)
        _change(declarations, patch.declarations)
        _change(bans, patch.bans)
    if gone:
        spaces = {s.id: msgspec.structs.replace(s, owner=None) if s.owner in gone else s for s in spaces.values()}
        objectives = {o.id: o for o in objectives.values() if o.power not in gone}
        seats = _without(seats, gone)
    phases, actors = _phases(edition, powers, in_force, report)
    found = msgspec.structs.replace(
        edition,
        phases=phases,
        titles=titles,
        battles=_battles(edition, in_force, report),
        rules=rules,
        seats=seats,
        spaces=spaces,
        sides=sides,
        powers=powers,
        units=units,
        technologies=technologies,
        marks=marks,
        objectives=tuple(objectives.values()),
        victory=tuple(victory.values()),
        milestones=milestones,
        declarations=tuple(declarations.values()),
        bans=tuple(bans.values()),
        traits=traits,
    )
    played = _scenario(scenario, in_force, gone, report)
    _check(found, played, in_force, gone, report)
    return Patched(found, played, actors)


def _records(section: str, there: Mapping[str, T], in_force: Listed[InForce], report: Report) -> dict[str, T]:
    """The records of a section without those that options take out, and with those that they bring, in their places."""
    if not any(
        getattr(patch, f"add_{section}", ()) or getattr(patch, f"remove_{section}", ()) for _, patch in in_force
    ):
        return dict(there)
    found = dict(there)
    order = Sequence(there)
    for field, patch in in_force:
        removed = getattr(patch, f"remove_{section}", ())
        for name in tuple(found) if removed == ALL else removed:
            found.pop(name, None)
            order.drop(name)
        added: Mapping[str, Added] = getattr(patch, f"add_{section}", {})
        for name, entry in added.items():
            where = join(field, f"add_{section}", name)
            if name in found:
                report.add(FILE, where, f"there is a {name} already, from the edition or another option")
                continue
            found[name] = entry.record
            edit = ListEdit(put=name, before=entry.before, after=entry.after)
            problem = order.edit(edit if entry.before or entry.after else ListEdit(put=name, at="end"))
            if problem:
                report.add(FILE, where, problem)
    return {name: found[name] for name in dict.fromkeys(order.names()) if name in found}


def _change(records: dict[str, T], fields: Mapping[str, Mapping[str, Any]]) -> None:
    """What another option took out is not changed."""
    for name, change in fields.items():
        for each in tuple(records) if name == "*" else (name,):
            if each in records:
                records[each] = changes.apply(records[each], change)


def _without(seats: Seats, gone: tuple[PowerId, ...]) -> Seats:
    """The seats without powers that are out of play; a seat that is left empty is none."""
    presets: dict[int, tuple[tuple[PowerId, ...], ...]] = {}
    for dealt in seats.presets.values():
        left = tuple(kept for seat in dealt if (kept := tuple(p for p in seat if p not in gone)))
        presets.setdefault(len(left), left)
    return msgspec.structs.replace(seats, presets=presets, minimum=min(seats.minimum, *presets))


def _edited(names: Sequence, edits: Iterable[ListEdit], field: str, report: Report) -> None:
    for index, edit in enumerate(edits):
        problem = names.edit(edit)
        if problem:
            report.add(FILE, join(field, index), problem)


def _phases(
    edition: Edition, powers: Mapping[PowerId, Power], in_force: Listed[InForce], report: Report
) -> tuple[tuple[str, ...], tuple[PowerId | None, ...]]:
    """The phases of a turn, and whose part each is: those of a power without a turn stand inside another's."""
    turn = Sequence(edition.phases)
    for power in powers.values():
        if power.part is not None:
            turn.follow(power.part.after, power.part.phases, power.id)
    for field, patch in in_force:
        _edited(turn, patch.phases, join(field, "phases"), report)
    entries = turn.entries()
    for entry in dict.fromkeys(entries):
        if entries.count(entry) > 1:
            fields = [f"{field}.phases" for field, patch in in_force if patch.phases]
            report.add(FILE, " and ".join(fields), f"together they put {entry[0]} into a turn twice")
    return tuple(phase for phase, _ in entries), tuple(actor for _, actor in entries)


def _battles(edition: Edition, in_force: Listed[InForce], report: Report) -> Mapping[str, BattleKind]:
    if not any(patch.steps or patch.battles or patch.add_battles for _, patch in in_force):
        return edition.battles
    battles = dict(edition.battles)
    for field, patch in in_force:
        for kind, battle in patch.add_battles.items():
            if kind in battles:
                report.add(FILE, join(field, "add_battles", kind), "there is such a kind of battle already")
            else:
                battles[kind] = battle
    steps = {kind: Sequence(battle.steps) for kind, battle in battles.items()}
    for field, patch in in_force:
        _change(battles, patch.battles)
        for kind, edits in patch.steps.items():
            where = join(field, "steps", kind)
            if kind in battles:
                _edited(steps[kind], edits, where, report)
            else:
                report.add(FILE, where, known_ones("kind of battle", kind, battles))
    return {kind: msgspec.structs.replace(battle, steps=steps[kind].names()) for kind, battle in battles.items()}


# ---------------------------------------------------------------- the scenario


def _scenario(scenario: Scenario, in_force: Listed[InForce], gone: tuple[PowerId, ...], report: Report) -> Scenario:
    order, control, treasury, setup = scenario.order, scenario.control, scenario.treasury, scenario.setup
    if gone or any(patch.order for _, patch in in_force):
        turns = Sequence(order)
        for field, patch in in_force:
            _edited(turns, patch.order, join(field, "order"), report)
        for power in gone:
            turns.drop(power)
        order = turns.names()
    wars, alliances = scenario.wars, scenario.alliances
    for field, patch in in_force:
        wars = wars if patch.wars is None else patch.wars
        alliances = alliances if patch.alliances is None else patch.alliances
        control = {**control, **patch.control} if patch.control else control
        treasury = {**treasury, **patch.treasury} if patch.treasury else treasury
        if patch.setup or patch.add_setup or patch.remove_setup:
            setup = _set_up(setup, field, patch.setup, patch.add_setup, patch.remove_setup, gone, report)
    if gone:
        setup = {power: places for power, places in setup.items() if power not in gone}
        treasury = {power: money for power, money in treasury.items() if power not in gone}
        control = {space: None if power in gone else power for space, power in control.items()}
        wars = tuple(pair for pair in wars if not set(pair) & set(gone))
        alliances = tuple(pair for pair in alliances if not set(pair) & set(gone))
    return msgspec.structs.replace(
        scenario, order=order, wars=wars, alliances=alliances, control=control, treasury=treasury, setup=setup
    )


def _set_up(
    setup: Pieces,
    field: str,
    instead: Pieces,
    more: Pieces,
    less: Mapping[PowerId, Mapping[SpaceId, Any]],
    gone: tuple[PowerId, ...],
    report: Report,
) -> Pieces:
    pieces = {power: {space: dict(units) for space, units in places.items()} for power, places in setup.items()}

    def each(
        changed: Mapping[PowerId, Mapping[SpaceId, Any]], do: Callable[[dict[UnitId, int], Any, str], None]
    ) -> None:
        for power, places in changed.items():
            if power in gone:
                continue
            for space, units in places.items():
                here = pieces.setdefault(power, {}).setdefault(space, {})
                do(here, units, join(power, space))
                if not here:
                    del pieces[power][space]

    def replace(here: dict[UnitId, int], units: Mapping[UnitId, int], where: str) -> None:
        here.clear()
        here.update(units)

    def put(here: dict[UnitId, int], units: Mapping[UnitId, int], where: str) -> None:
        for unit, number in units.items():
            here[unit] = here.get(unit, 0) + number

    def take(here: dict[UnitId, int], units: Any, where: str) -> None:
        for unit, number in dict(here).items() if units == ALL else units.items():
            left = here.get(unit, 0) - number
            if left < 0:
                there = here.get(unit, 0)
                report.add(FILE, join(field, "remove_setup", where), f"{number} {unit} cannot be taken from {there}")
            here[unit] = left
            if left <= 0:
                del here[unit]

    each(instead, replace)
    each(less, take)
    each(more, put)
    return pieces


# ---------------------------------------------------------------- does it still fit together


def _check(
    edition: Edition, scenario: Scenario, in_force: Listed[InForce], gone: tuple[PowerId, ...], report: Report
) -> None:
    """References that only certain combinations of options can break."""
    if any(patch.units or patch.add_units or patch.technologies or patch.add_technologies for _, patch in in_force):
        for unit in edition.units.values():
            for name in named_by_unit(unit):
                if name not in edition.units:
                    report.add(
                        FILE, _where(in_force, "units", unit.id), f"names {name}, which these options do not have"
                    )
        for technology in edition.technologies.values():
            for name in named_by_technology(technology):
                if name != "*" and name not in edition.units:
                    where = _where(in_force, "technologies", technology.id)
                    report.add(FILE, where, f"names {name}, which these options do not have")
    if gone:
        _check_conditions(edition, gone, report)
    if gone or any(patch.sides or patch.powers or patch.add_powers for _, patch in in_force):
        for power in edition.powers.values():
            where = _where(in_force, "powers", power.id)
            if (power.played or power.side) and power.side not in edition.sides:
                report.add(FILE, join(where, "side"), known_ones("side", power.side, edition.sides))
            if power.played_by is not None and power.played_by not in edition.powers:
                report.add(FILE, join(where, "played_by"), f"{power.played_by} is out of play")
        for number, dealt in edition.seats.presets.items():
            taken = [power for seat in dealt for power in seat]
            for power in edition.powers.values():
                if power.id in scenario.order and power.played_by is None and taken.count(power.id) != 1:
                    where = _where(in_force, "powers", power.id)
                    report.add(
                        FILE, where, f"must be in one seat of {number} players; `seats` of the option says where"
                    )


def _check_conditions(edition: Edition, gone: tuple[PowerId, ...], report: Report) -> None:
    """Conditions that name a power which is out of play; the option that takes it out has to change them."""
    found: list[tuple[str, Condition | None]] = []
    for victory in edition.victory:
        found += [(join("victory", victory.id), victory.when), (join("victory", victory.id), victory.then)]
    for objective in edition.objectives:
        found += [(join("objectives", objective.id), objective.when), (join("objectives", objective.id), objective.per)]
    found += [(join("declarations", d.id), d.when) for d in edition.declarations]
    found += [(join("bans", b.id), b.when) for b in edition.bans]
    found.extend((join("milestones", name), condition) for name, condition in edition.milestones.items())
    for field, condition in found:
        for part in () if condition is None else leaves(condition):
            for _, who in named_actors(part):
                if who in gone:
                    report.add(FILE, field, f"names {who}, which is out of play")


def named_by_unit(unit: UnitType) -> list[UnitId]:
    """Other unit types that a unit type names."""
    aided = (other for modifier in unit.modifiers for other in modifier.units)
    return [*aided, *unit.hunts, *unit.deck, *(cargo for load in unit.loads for cargo in load)]


def named_by_technology(technology: Technology) -> list[UnitId]:
    rides = (ride for ride in (technology.drops, technology.takes_along) if ride is not None)
    return [*technology.units, *(unit for ride in rides for unit in (ride.unit, ride.passenger))]


def _where(in_force: Listed[InForce], section: str, name: str) -> str:
    """The fields of the options that changed or brought the record."""
    found = [
        join(field, key, name)
        for field, patch in in_force
        for key in (section, f"add_{section}")
        if name in getattr(patch, key) or "*" in getattr(patch, key)
    ]
    return " and ".join(found) or join(section, name)
