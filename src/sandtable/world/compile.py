"""From data files, options and edits to a World."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from sandtable.errors import DataError
from sandtable.world import changes
from sandtable.world.edition import Edition, Scenario
from sandtable.world.edits import (
    FILE,
    Edits,
    check_totals,
    check_unit_edits,
    edited_setup,
    edited_units,
    edited_victory,
)
from sandtable.world.fields import Report, known_ones
from sandtable.world.goals import changes_places, watched, with_places
from sandtable.world.library import edition_with, plain, qualified
from sandtable.world.model import (
    Canal,
    PowerId,
    RuleId,
    Setup,
    Space,
    SpaceId,
    UnitId,
    UnitType,
    World,
)
from sandtable.world.options import InForce, idle, patches, resolve
from sandtable.world.patching import patched
from sandtable.world.placement import check_setup

Neighbours = dict[SpaceId, tuple[SpaceId, ...]]


def compile_world(scenario: str, options: Mapping[str, Any] | None = None, edits: Edits | None = None) -> World:
    """The World of a scenario with some options chosen and edits made.

    The scenario is a built-in one, or one of an edition from outside that `library.open_edition` has met. The same
    arguments give the same object while it is in use.

    Raises DataError: unknown scenario or option, a value that an option cannot have, or edits that do not
    make a legal starting position.
    """
    values = resolve(edition_with(scenario).options_for(plain(scenario)), options or {})
    key = msgspec.json.encode(values, order="sorted")
    return _compiled(scenario, key, msgspec.json.encode(edits or Edits(), order="sorted"))


@lru_cache(maxsize=64)
def _compiled(scenario: str, options: bytes, edits: bytes) -> World:
    edition = edition_with(scenario)
    chosen, changed = msgspec.json.decode(options), msgspec.json.decode(edits, type=Edits)
    return compile_edition(edition, plain(scenario), chosen, changed)


def compile_edition(
    edition: Edition, scenario: str, options: Mapping[str, Any] | None = None, edits: Edits | None = None
) -> World:
    """The same for an edition at hand. Not cached."""
    if scenario not in edition.scenarios:
        raise DataError([f"scenario: {known_ones('scenario', scenario, edition.scenarios)}"])
    option_list = edition.options_for(scenario)
    values = resolve(option_list, options or {})
    edits = edits or Edits()
    report = Report()
    in_force = tuple(patches(option_list, values, scenario))
    edition, chosen, actors = patched(edition, edition.scenarios[scenario], in_force, report)
    if not report.problems:
        check_unit_edits(edits, edition, report)
    if report.problems:
        raise DataError(report.problems)
    units, single = edited_units(edition.units, edits)
    able = _variants(units, edition)
    owners = {space.id: chosen.control.get(space.id, space.owner) for space in edition.spaces.values()}
    setup = edited_setup(chosen.setup, edits, report)
    if not check_totals(setup, report):
        raise DataError(report.problems)
    check_setup(setup, edition.spaces, owners, edition.powers, units, report, _file(chosen, in_force, edits))
    victory = edition.victory
    if edits.victory is not None:
        victory = edited_victory(edits.victory, edition, report)
    if report.problems:
        raise DataError(report.problems)

    spaces = _spaces(edition, owners)
    neighbours = _neighbours(edition, in_force)
    powers = {
        power.id: msgspec.structs.replace(power, treasury=chosen.treasury.get(power.id, 0))
        for power in edition.powers.values()
    }
    edition = msgspec.structs.replace(edition, victory=victory)
    if edits.victory is not None or any(changes_places(patch) for _, patch in in_force):
        edition = with_places(edition)
    return World(
        edition=edition.id,
        edition_name=edition.name,
        scenario=qualified(edition, chosen.id),
        scenario_name=chosen.name,
        bundle=edition.bundle,
        playable=edition.playable,
        options=values,
        idle=idle(option_list, values),
        option_list=option_list,
        spaces=spaces,
        space_ranks={space: place for place, space in enumerate(spaces)},
        ground=frozenset(s.id for s in spaces.values() if s.kind == "land" and not s.impassable),
        neighbours=neighbours,
        land=_some(neighbours, (s for s in spaces.values() if s.is_land and not s.impassable)),
        sea=_some(neighbours, (s for s in spaces.values() if s.is_sea)),
        air=_some(neighbours, (s for s in spaces.values() if not s.impassable)),
        skies={
            p.id: _some(neighbours, (spaces[s] for s in p.area if not spaces[s].impassable))
            for p in edition.powers.values()
            if p.area
        },
        canals=_canals(edition.canals),
        convoys=tuple(s.id for s in sorted(spaces.values(), key=lambda s: s.zone or 0) if s.traits.get("convoy")),
        wraparound=edition.wraparound,
        gaps=edition.gaps,
        sides=edition.sides,
        powers=powers,
        power_ranks={power: place for place, power in enumerate(powers)},
        order=chosen.order,
        wars=chosen.wars,
        alliances=chosen.alliances,
        comrades={p: frozenset(o.id for o in powers.values() if o.side == powers[p].side) for p in powers},
        opponents={p: frozenset(o.id for o in powers.values() if o.side != powers[p].side) for p in powers},
        units=units,
        unit_ranks={unit: place for place, unit in enumerate(units)},
        planes=frozenset(unit.id for unit in units.values() if unit.domain == "air"),
        carriers=frozenset(unit.id for unit in able if unit.deck),
        carried=frozenset(plane for unit in able for plane in unit.deck),
        bombs=tuple(dict.fromkeys(unit.id for unit in able if unit.payload is not None)),
        joinable=_joinable(edition, spaces.values()),
        hiders=tuple(unit.id for unit in units.values() if unit.hides_from),
        ambushers=tuple(dict.fromkeys(unit.id for unit in able if unit.ambushes)),
        bulwarks=tuple(unit.id for unit in units.values() if unit.bulwark),
        bases={
            domain: tuple(dict.fromkeys(unit.id for unit in able if domain in unit.lifts))
            for domain in ("air", "sea")
            if any(domain in unit.lifts for unit in able)
        },
        upgrades={
            unit.facility.upgrade_of: unit.id
            for unit in reversed(units.values())
            if unit.facility is not None and unit.facility.upgrade_of is not None
        },
        menders=tuple(unit.id for unit in units.values() if unit.facility is not None and unit.facility.repairs),
        undergrounds=tuple(unit.id for unit in units.values() if unit.underground),
        lined=tuple(p.id for p in powers.values() if p.special.lines),
        industrial=tuple(p.id for p in powers.values() if p.special.industry is not None),
        edits=single,
        technologies=edition.technologies,
        marks=edition.marks,
        passing=frozenset(mark.id for mark in edition.marks.values() if mark.passes),
        objectives=edition.objectives,
        victory=edition.victory,
        cards=edition.decks.get(edition.rules.event_deck, ()) if edition.rules.event_cards else (),
        milestones=edition.milestones,
        declarations=edition.declarations,
        acts=edition.acts,
        bans=edition.bans,
        restraints=tuple(ban for ban in edition.bans if ban.against),
        watched=watched(edition),
        phases=edition.phases,
        titles=edition.titles,
        actors=actors,
        citations=_citations(edition.citations, in_force),
        battles=edition.battles,
        rules=edition.rules,
        seats=edition.seats,
        setup=Setup(units=setup),
        original_complexes=_original_complexes(setup, units),
        traits={**edition.traits, **chosen.traits},
    )


def _variants(units: Mapping[UnitId, UnitType], edition: Edition) -> list[UnitType]:
    """All that a unit of each kind may be: as it is, and as each technology or mark would make it."""
    changed = [t.units for t in edition.technologies.values()] + [mark.units for mark in edition.marks.values()]
    return [
        changes.apply(unit, fields)
        for unit in units.values()
        for fields in ({}, *(by[key] for by in changed for key in ("*", unit.id) if key in by))
    ]


def _file(scenario: Scenario, in_force: Iterable[InForce], edits: Edits) -> str:
    """Whose fault a piece in the wrong place is."""
    if edits.setup:
        return FILE
    fields = [field for field, patch in in_force if patch.setup or patch.add_setup or patch.remove_setup]
    return f"options.yaml: {' and '.join(fields)}" if fields else f"scenario-{scenario.id}.yaml"


def _citations(own: Mapping[str, tuple[RuleId, ...]], in_force: Iterable[InForce]) -> Mapping[str, tuple[RuleId, ...]]:
    """What options say about a reason comes before what the edition says: theirs is the rule in force."""
    citations = dict(own)
    for _, patch in in_force:
        for reason, rules in patch.citations.items():
            citations[reason] = tuple(dict.fromkeys((*rules, *citations.get(reason, ()))))
    return citations


def _joinable(edition: Edition, spaces: Iterable[Space]) -> bool:
    return (
        edition.rules.neutrals == "armies"
        or edition.rules.strict_neutrals_turn
        or any("leaning" in space.traits for space in spaces)
        or any(power.guards for power in edition.powers.values())
    )


def _spaces(edition: Edition, owners: Mapping[SpaceId, PowerId | None]) -> dict[SpaceId, Space]:
    capitals = {power.capital: power.id for power in edition.powers.values() if power.capital}
    return {
        space.id: msgspec.structs.replace(
            space, owner=owners[space.id], original=space.owner, capital_of=capitals.get(space.id)
        )
        for space in edition.spaces.values()
    }


def _neighbours(edition: Edition, in_force: Iterable[InForce]) -> Neighbours:
    around: dict[SpaceId, set[SpaceId]] = {space: set() for space in edition.spaces}
    for a, b in edition.borders:
        around[a].add(b)
        around[b].add(a)
    for _, patch in in_force:
        for a, b in patch.add_borders:
            around[a].add(b)
            around[b].add(a)
        for a, b in patch.remove_borders:
            around[a].discard(b)
            around[b].discard(a)
    place = {space: index for index, space in enumerate(edition.spaces)}
    return {space: tuple(sorted(others, key=place.__getitem__)) for space, others in around.items()}


def _some(neighbours: Neighbours, wanted: Iterable[Space]) -> Neighbours:
    ids = {space.id for space in wanted}
    return {space: tuple(other for other in others if other in ids) for space, others in neighbours.items()}


def _canals(canals: Iterable[Canal]) -> dict[tuple[SpaceId, SpaceId], Canal]:
    both = {}
    for canal in canals:
        a, b = canal.between
        both[a, b] = both[b, a] = canal
    return both


def _original_complexes(
    setup: Mapping[PowerId, Mapping[SpaceId, Mapping[UnitId, int]]], units: Mapping[UnitId, UnitType]
) -> dict[SpaceId, PowerId]:
    return {
        space: power
        for power, places in setup.items()
        for space, counts in places.items()
        if any(units[unit].complex for unit in counts)
    }
