"""Do an edition's options fit together, in whatever combination they are chosen?

An option may count on what the edition has, on what it brings itself, and on what comes with options that it requires
or implies; those must stand above it where it names a place that they bring. Everything else may be missing in some
combination, so naming it is a problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.errors import DataError
from sandtable.world import changes
from sandtable.world.check_conditions import check_condition
from sandtable.world.conditions import Condition
from sandtable.world.edition import Edition
from sandtable.world.fields import join
from sandtable.world.model import (
    Added,
    Ban,
    BattleKind,
    Declaration,
    ListEdit,
    Objective,
    Option,
    Patch,
    Power,
    Rules,
    Seats,
    Space,
    Technology,
    Value,
    Victory,
)
from sandtable.world.options import FILE, SCENARIO, allowed, is_allowed, option_text, resolve, wrong_value
from sandtable.world.read_goals import CONDITIONS
from sandtable.world.read_options import RECORDS
from sandtable.world.sequence import anchors, names_put, wrong_anchor, wrong_form

if TYPE_CHECKING:
    from sandtable.world.check import Check


def check_options(check: Check) -> None:
    """Note all problems of the edition's options."""
    before = len(check.report.problems)
    options = _Options(check)
    for option in check.edition.options:
        options.option(option)
    if len(check.report.problems) == before:
        try:
            resolve(check.edition.options, {})
        except DataError as error:
            for problem in error.problems:
                check.report.add(FILE, "", f"the defaults do not fit together: {problem.removeprefix('options: ')}")


class _Options:
    def __init__(self, check: Check) -> None:
        self.check = check
        self.edition = check.edition
        self.report = check.report
        self.all = {option.key: option for option in self.edition.options}
        self.place = {option.key: index for index, option in enumerate(self.edition.options)}

    def option(self, option: Option) -> None:
        field = join("options", option.key)
        values = allowed(option)
        if option.key == SCENARIO:
            self.report.add(FILE, field, "stands for the scenario where options are named; choose another key")
        if not is_allowed(option.default, values):
            self.report.add(FILE, join(field, "default"), wrong_value(option.default, values))
        for text, patch in option.effects.items():
            where = join(field, "effects", text)
            self.check.known("value", text, [option_text(value) for value in values], FILE, where)
            self.ties(option, patch, where)
            sure = [patch, *self.companions(option.key, patch)]
            self.patch(patch, where, sure, self.above(option.key, patch))
            for index, beside in enumerate(patch.beside):
                here = join(where, "beside", index)
                for key, wanted in beside.values.items():
                    self.values(key, wanted, join(here, "with"), scenario=True)
                more = list(self.named(beside.values))
                above = [
                    *self.above(option.key, patch),
                    patch,
                    *(p for key, p in more if self.is_above(key, option.key)),
                ]
                self.patch(beside.patch, here, [beside.patch, *sure, *(p for _, p in more)], above)

    # -- what options say about each other

    def ties(self, option: Option, patch: Patch, field: str) -> None:
        for name in ("requires", "excludes"):
            for key, wanted in getattr(patch, name).items():
                self.values(key, wanted, join(field, name))
                if key == option.key:
                    self.report.add(FILE, join(field, name), f"{key} is this option itself")
        for name in ("implies", "options"):
            for key, value in getattr(patch, name).items():
                here = join(field, name, key)
                self.values(key, (value,), here)
                if name == "implies" and key == option.key:
                    self.report.add(FILE, here, f"{key} is this option itself")
                if name == "options" and self.place.get(key, 999) <= self.place[option.key]:
                    self.report.add(FILE, here, f"{key} must stand below {option.key} to get another default")
        for key in patch.idles:
            self.check.known("option", key, self.all, FILE, join(field, "idles"))

    def values(self, key: str, wanted: Iterable[Value], field: str, *, scenario: bool = False) -> None:
        if scenario and key == SCENARIO:
            for value in wanted:
                self.check.known("scenario", str(value), self.edition.scenarios, FILE, field)
        elif self.check.known("option", key, self.all, FILE, field):
            for value in wanted:
                if not is_allowed(value, allowed(self.all[key])):
                    self.report.add(FILE, field, wrong_value(value, allowed(self.all[key])))

    def named(self, values: Mapping[str, Sequence[Value]]) -> Iterator[tuple[str, Patch]]:
        """The patches that come with options which can have one value only."""
        for key, wanted in values.items():
            if key in self.all and len(wanted) == 1:
                patch = self.all[key].effects.get(option_text(wanted[0]))
                if patch is not None:
                    yield key, patch

    def companions(self, key: str, patch: Patch, above: str = "", seen: tuple[str, ...] = ()) -> Iterator[Patch]:
        """What is in force whenever this patch is; only from options above another one, if that is named."""
        sure = {**{k: (v,) for k, v in patch.implies.items()}, **patch.requires}
        for other, its in self.named(sure):
            if other not in (*seen, key):
                if not above or self.is_above(other, above):
                    yield its
                yield from self.companions(other, its, above, (*seen, key))

    def above(self, key: str, patch: Patch) -> list[Patch]:
        return list(self.companions(key, patch, above=key))

    def is_above(self, one: str, other: str) -> bool:
        return self.place[one] < self.place[other]

    # -- what an option changes

    def patch(self, patch: Patch, field: str, sure: Sequence[Patch], above: Sequence[Patch]) -> None:
        """`sure` are the patches in force with this one, itself included; `above` those that come before it."""
        check = self.scoped(sure)
        edition = check.edition
        self.changes(patch.rules, Rules, join(field, "rules"))
        self.changes(patch.seats, Seats, join(field, "seats"))
        check.unit_changes(patch.units, FILE, join(field, "units"))
        objectives, victory = {o.id for o in edition.objectives}, {v.id for v in edition.victory}
        sections: tuple[tuple[str, type[msgspec.Struct], str, Collection[str]], ...] = (
            ("spaces", Space, "space", edition.spaces),
            ("technologies", Technology, "technology", edition.technologies),
            ("powers", Power, "power", (*edition.powers, "*")),
            ("objectives", Objective, "objective", objectives),
            ("victory", Victory, "way to win", victory),
            ("declarations", Declaration, "declaration", {d.id for d in edition.declarations}),
            ("bans", Ban, "ban", {b.id for b in edition.bans}),
        )
        for name, record, what, known in sections:
            for key, fields in getattr(patch, name).items():
                if check.known(what, key, known, FILE, join(field, name, key)):
                    self.changes(fields, record, join(field, name, key), ("id", "kind") if record is Space else ("id",))
                    for place in fields.get("area", ()) if record is Power else ():
                        check.space(place, FILE, join(field, name, key, "area"))
                    for part in CONDITIONS:
                        if isinstance(fields.get(part), Condition):
                            check_condition(check, fields[part], FILE, join(field, name, key, part))
        for name, what, known in (
            ("remove_technologies", "technology", edition.technologies),
            ("remove_powers", "power", edition.powers),
            ("remove_objectives", "objective", objectives),
            ("remove_victory", "way to win", victory),
            ("remove_declarations", "declaration", {d.id for d in edition.declarations}),
            ("remove_bans", "ban", {b.id for b in edition.bans}),
        ):
            gone = getattr(patch, name)
            for key in () if gone == "all" else gone:
                check.known(what, key, known, FILE, join(field, name))
        for key, condition in patch.add_milestones.items():
            check_condition(check, condition, FILE, join(field, "add_milestones", key))
        self.added(check, patch, field, above)
        self.board(check, patch, field)
        self.pieces(check, patch, field)
        for key, edits, own in self.lists(patch):
            there = Counter(own)
            put = [name for p in above for name in self.put_by(p, key)]
            self.edits(edits, there, put, join(field, key))
        for index, edit in enumerate(patch.order):
            for power in names_put(edit):
                check.known("power", power, edition.powers, FILE, join(field, "order", index))
        fought = (*self.edition.battles, *(kind for p in (*above, patch) for kind in p.add_battles))
        for kind in patch.steps:
            check.known("kind of battle", kind, fought, FILE, join(field, "steps"))
        for kind, fields in patch.battles.items():
            if check.known("kind of battle", kind, fought, FILE, join(field, "battles")):
                self.changes(fields, BattleKind, join(field, "battles", kind), ("steps",))
        for kind in patch.add_battles:
            if kind in self.edition.battles:
                self.report.add(FILE, join(field, "add_battles", kind), "the edition has such a kind of battle already")
        check.citations(patch.citations, FILE, join(field, "citations"))
        for name in ("wars", "alliances"):
            check.pairs(getattr(patch, name) or (), FILE, join(field, name))
        for phase in patch.titles:
            check.known("phase", phase, edition.phases, FILE, join(field, "titles"))

    def changes(
        self, fields: Mapping[str, Any], kind: type[msgspec.Struct], field: str, fixed: Collection[str] = ()
    ) -> None:
        for name, what in changes.problems(kind, fields, fixed):
            self.report.add(FILE, join(field, name), what)

    def added(self, check: Check, patch: Patch, field: str, above: Sequence[Patch]) -> None:
        """New records, and the ones next to which they stand."""
        judges = {
            "units": check.unit,
            "technologies": check.technology,
            "marks": check.mark,
            "powers": check.power,
            "objectives": check.objective,
            "victory": check.victory,
            "declarations": check.declaration,
            "bans": check.ban,
        }
        for section in RECORDS:
            own = _ids(self.edition, section)
            put = [name for p in above for name in getattr(p, f"add_{section}")]
            for key, added in getattr(patch, f"add_{section}").items():
                here = join(field, f"add_{section}", key)
                gone = getattr(patch, f"remove_{section}", ())
                if key in own and gone != "all" and key not in gone:
                    self.report.add(FILE, here, f"the edition has {key} already")
                for anchor in (added.before, added.after):
                    problem = wrong_anchor(anchor, dict.fromkeys(own, 1), put) if anchor is not None else ""
                    if problem:
                        self.report.add(FILE, here, problem)
                put.append(key)
                judges[section](added.record, FILE, here)  # type: ignore[operator]

    def board(self, check: Check, patch: Patch, field: str) -> None:
        for key, pairs, there in (
            ("add_borders", patch.add_borders, False),
            ("remove_borders", patch.remove_borders, True),
        ):
            for a, b in pairs:
                where = join(field, key)
                if check.space(a, FILE, where) and check.space(b, FILE, where) and check.touch(a, b) != there:
                    self.report.add(FILE, where, f"{a} and {b} {'have no' if there else 'already have a'} border")
        for space, owner in patch.control.items():
            if check.space(space, FILE, join(field, "control", space), "land"):
                check.known("power", owner, check.edition.powers, FILE, join(field, "control", space))

    def pieces(self, check: Check, patch: Patch, field: str) -> None:
        """Where pieces may stand comes out when a game is made; here it is the names."""
        for power, money in patch.treasury.items():
            check.known("power", power, check.edition.powers, FILE, join(field, "treasury"))
            if money < 0:
                self.report.add(FILE, join(field, "treasury", power), "cannot be less than 0")
        for name in ("setup", "add_setup", "remove_setup"):
            for power, places in getattr(patch, name).items():
                check.known("power", power, check.edition.powers, FILE, join(field, name, power))
                for space, units in places.items():
                    here = join(field, name, power, space)
                    check.space(space, FILE, here)
                    for unit, number in {}.items() if units == "all" else units.items():
                        check.known("unit", unit, check.edition.units, FILE, join(here, unit))
                        if number < 1:
                            self.report.add(FILE, join(here, unit), f"expected a number from 1 on, got {number}")

    # -- lists with places

    def lists(self, patch: Patch) -> Iterator[tuple[str, Sequence[ListEdit], Sequence[str]]]:
        """Every list that the patch changes: its field, the changes, the edition's own entries."""
        yield "phases", patch.phases, self.edition.phases
        for kind, edits in patch.steps.items():
            if kind in self.edition.battles:
                yield join("steps", kind), edits, self.edition.battles[kind].steps
        for order in dict.fromkeys(scenario.order for scenario in self.edition.scenarios.values()):
            yield "order", patch.order, order

    @staticmethod
    def put_by(patch: Patch, key: str) -> Iterator[str]:
        """Entries that a patch brings into a list."""
        section, _, kind = key.partition(".")
        edits: Sequence[ListEdit] = patch.steps.get(kind, ()) if kind else getattr(patch, section)
        for edit in edits:
            yield from names_put(edit)
        if kind in patch.add_battles:
            yield from patch.add_battles[kind].steps

    def edits(self, edits: Sequence[ListEdit], own: Mapping[str, int], put: list[str], field: str) -> None:
        put = list(put)
        for index, edit in enumerate(edits):
            problem = wrong_form(edit)
            for anchor in () if problem else anchors(edit):
                problem = problem or wrong_anchor(anchor, dict(own), put)
            if problem:
                self.report.add(FILE, join(field, index), problem)
            put.extend(names_put(edit))

    def scoped(self, sure: Sequence[Patch]) -> Check:
        """The checks of an edition that has what these patches bring."""
        edition = self.edition
        fields: dict[str, Any] = {}
        for section in RECORDS:
            new: dict[str, Added] = {k: v for p in sure for k, v in getattr(p, f"add_{section}").items()}
            if new:
                there = getattr(edition, section)
                if isinstance(there, tuple):
                    fields[section] = (*there, *(added.record for added in new.values()))
                else:
                    fields[section] = {**there, **{k: added.record for k, added in new.items()}}
        sides = [p.sides for p in sure if p.sides is not None]
        if sides:
            fields["sides"] = sides[0]
        phases = [name for p in sure for name in self.put_by(p, "phases")]
        if phases:
            fields["phases"] = (*edition.phases, *phases)
        owners = {s: o for p in sure for s, o in p.control.items()}
        owners |= {s: f["owner"] for p in sure for s, f in p.spaces.items() if "owner" in f}
        if owners:
            fields["spaces"] = {
                s.id: msgspec.structs.replace(s, owner=owners.get(s.id, s.owner)) for s in edition.spaces.values()
            }
        milestones = {k: v for p in sure for k, v in p.add_milestones.items()}
        if milestones:
            fields["milestones"] = {**edition.milestones, **milestones}
        if not fields:
            return self.check
        scoped = copy(self.check)
        scoped.edition = msgspec.structs.replace(edition, **fields)
        return scoped


def _ids(edition: Edition, section: str) -> list[str]:
    there = getattr(edition, section)
    return [record.id for record in there] if isinstance(there, tuple) else list(there)
