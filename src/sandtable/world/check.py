"""Do an edition's files fit together? Every reference, border, canal, option and set-up is looked at."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any, get_args

import msgspec

from sandtable.errors import DataError
from sandtable.world import changes, check_specials
from sandtable.world.check_conditions import check_condition
from sandtable.world.check_options import check_options
from sandtable.world.conditions import KINDS_OF_UNITS
from sandtable.world.edition import Edition, Scenario
from sandtable.world.fields import Report, join, known_ones
from sandtable.world.model import (
    ActOfWar,
    Ban,
    Canal,
    Declaration,
    Domain,
    Mark,
    Modifier,
    Objective,
    Power,
    Technology,
    UnitType,
    Victory,
)
from sandtable.world.options import resolve
from sandtable.world.placement import check_setup
from sandtable.world.sequence import names_put

Pairs = Iterable[tuple[str, str]]
REASON = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RULE = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")

EACH = "each"  # in the place of an objective's power
ENOUGH = 50  # problems
MOST = {
    "attack": 100,
    "defense": 100,
    "move": 100,
    "hits": 20,
    "raid_dice": 20,
    "raid_bonus": 20,
    "anti_air": 100,
    "support": 100,
    "cost": 1000,
    "rocket_range": 100,
}
"""Numbers of a unit, and what no game needs more of: beyond it somebody wants to keep the computer busy."""
MOST_PLANES, MOST_CARGO = 6, 12  # on a deck, aboard a transport
MOST_DICE, MOST_AIDED = 20, 100  # of a unit, by a unit
MOST_RECORDS = 1500  # spaces, units, powers and so on, of each kind


def check_edition(edition: Edition, report: Report) -> None:
    """Note all problems between the records of an edition."""
    for section in (
        "spaces",
        "powers",
        "units",
        "technologies",
        "marks",
        "options",
        "objectives",
        "victory",
        "milestones",
    ):
        if len(getattr(edition, section)) > MOST_RECORDS:
            report.add(f"{section}", "", f"there are more than {MOST_RECORDS}")
            return
    check = Check(edition, report)
    check.number(edition.rules.dice_sides, 100, "edition.yaml", "rules.dice_sides", least=2)
    for phase in edition.titles:
        check.known("phase", phase, edition.phases, "edition.yaml", "titles")
    check.known("deck", edition.rules.event_deck, edition.decks, "edition.yaml", "rules.event_deck")
    check.charts()
    check.board()
    for power in edition.powers.values():
        check.power(power, "powers.yaml", join("powers", power.id))
    check.seats()
    for unit in edition.units.values():
        check.unit(unit, "units.yaml", join("units", unit.id))
    for technology in edition.technologies.values():
        check.technology(technology, "technologies.yaml", join("technologies", technology.id))
    for mark in edition.marks.values():
        check.mark(mark, "marks.yaml", join("marks", mark.id))
    check_options(check)
    for victory in edition.victory:
        check.victory(victory, "victory.yaml", join("victory", victory.id))
    check.citations(edition.citations, "citations.yaml", "reasons")
    for objective in edition.objectives:
        check.objective(objective, "objectives.yaml", join("objectives", objective.id))
    for declaration in edition.declarations:
        check.declaration(declaration, "declarations.yaml", join("declarations", declaration.id))
    for act in edition.acts:
        check.act(act, "acts.yaml", join("acts", act.id))
    for ban in edition.bans:
        check.ban(ban, "bans.yaml", join("bans", ban.id))
    for name, condition in edition.milestones.items():
        check_condition(check, condition, "milestones.yaml", join("milestones", name))
    if not edition.scenarios:
        report.add("scenario-*.yaml", "", "there is no scenario")
    for scenario in edition.scenarios.values():
        check.scenario(scenario)


class Check:
    def __init__(self, edition: Edition, report: Report) -> None:
        self.edition = edition
        self.report = report
        self.borders = {frozenset(pair) for pair in edition.borders}
        self.around: dict[str, set[str]] = {space: set() for space in edition.spaces}
        for a, b in edition.borders:
            if a != b and a in self.around and b in self.around:
                self.around[a].add(b)
                self.around[b].add(a)

    def known(self, what: str, name: str | None, known: Collection[str], file: str, field: str) -> bool:
        """Is it there? A blank stands for something that was complained about already."""
        if name is None or name == "":
            return False
        if name in known:
            return True
        many = len(self.report.problems) >= ENOUGH  # by then nobody needs a hint, and looking for one takes time
        self.report.add(file, field, f"unknown {what} {name!r}" if many else known_ones(what, name, known))
        return False

    def space(self, name: str | None, file: str, field: str, kind: str = "") -> bool:
        if name is None or not self.known("space", name, self.edition.spaces, file, field):
            return False
        if kind and self.edition.spaces[name].kind != kind:
            self.report.add(file, field, f"{name} is not a {'sea zone' if kind == 'sea' else 'land territory'}")
            return False
        return True

    def unit_of(self, domain: str, name: str, file: str, field: str) -> None:
        units = self.edition.units
        if self.known("unit", name, units, file, field) and units[name].domain != domain:
            self.report.add(file, field, f"{name} is not a {'plane' if domain == 'air' else 'land unit'}")

    def number(self, number: int | None, most: int, file: str, field: str, least: int = 0) -> None:
        if number is not None and number < least:
            self.report.add(file, field, f"cannot be less than {least}")
        elif number is not None and number > most:
            self.report.add(file, field, f"cannot be more than {most}")

    def charts(self) -> None:
        """The air-combat chart has whole rows, and pilots rise and fall by one level at a time."""
        chart, rungs, file = self.edition.rules.air_chart, self.edition.rules.training, "edition.yaml"
        for number, row in enumerate(chart):
            field = join("rules.air_chart", number)
            if not row or len(row) != len(chart[0]):
                self.report.add(file, field, f"the row has {len(row)} columns, and the first has {len(chart[0])}")
            elif min(min(cell) for cell in row) < 0:
                self.report.add(file, field, "fewer planes than none cannot be lost")
        for number, (low, high) in enumerate(pairwise(rungs), 1):
            if high.level != low.level + 1:
                field = join("rules.training", number)
                self.report.add(file, field, f"the level after {low.level} is {low.level + 1}, not {high.level}")

    # -- board

    def board(self) -> None:
        file, add = "board.yaml", self.report.add
        seen: set[frozenset[str]] = set()
        for a, b in self.edition.borders:
            field = join("borders", a)
            known = self.space(a, file, field) and self.space(b, file, field)
            if known and a == b:
                add(file, field, "a space does not border itself")
            elif frozenset((a, b)) in seen:
                add(file, field, f"the border with {b} stands there twice; name it once, under one of the two")
            seen.add(frozenset((a, b)))
        for field, pairs, wanted in (
            ("wraparound", self.edition.wraparound, True),
            ("not_adjacent", tuple(gap.between for gap in self.edition.gaps), False),
        ):
            for index, (a, b) in enumerate(pairs):
                where = join(field, index)
                if self.space(a, file, where) and self.space(b, file, where) and self.touch(a, b) != wanted:
                    add(file, where, f"{a} and {b} {'have no' if wanted else 'have a'} border")
        powers = self.edition.powers
        for space in self.edition.spaces.values():
            field = f"{space.kind}.{space.id}"
            if space.owner not in powers:
                self.known("power", space.owner, powers, file, join(field, "owner"))
            if not 0 <= space.ipc <= 1000:
                self.number(space.ipc, 1000, file, join(field, "ipc"))
            around = self.around[space.id]
            if not around and not space.impassable:
                add(file, field, "has no border")
            if space.island and any(self.edition.spaces[s].is_land for s in around):
                add(file, join(field, "island"), "an island borders sea zones only")
            if space.inland and any(self.edition.spaces[s].is_sea for s in around):
                add(file, join(field, "inland"), "an inland sea borders no other sea zone")
        for canal in self.edition.canals:
            self.canal(canal)

    def touch(self, a: str, b: str) -> bool:
        return frozenset((a, b)) in self.borders

    def canal(self, canal: Canal) -> None:
        file, field = "board.yaml", join("canals", canal.id)
        ends = [self.space(zone, file, join(field, "between"), "sea") for zone in canal.between]
        if all(ends) and not self.touch(*canal.between):
            self.report.add(file, join(field, "between"), f"{' and '.join(canal.between)} have no border")
        if not canal.banks:
            self.report.add(file, join(field, "banks"), "a canal needs a bank")
        for bank in canal.banks:
            known = self.space(bank, file, join(field, "banks"), "land")
            if known and all(ends) and not any(self.touch(bank, zone) for zone in canal.between):
                self.report.add(file, join(field, "banks"), f"{bank} touches neither end of the canal")
        for unit in canal.free_for:
            self.known("unit", unit, self.edition.units, file, join(field, "free_for"))

    # -- powers and units

    def power(self, power: Power, file: str, field: str) -> None:
        edition = self.edition
        check_specials.check_power(self, power, file, field)
        if power.played or power.side:
            self.known("side", power.side, edition.sides, file, join(field, "side"))
        for guard in power.guards:
            self.known("power", guard, edition.powers, file, join(field, "guards"))
        self.known("power", power.played_by, edition.powers, file, join(field, "played_by"))
        for place in () if power.support is None else power.support.spaces:
            self.space(place, file, join(field, "support"), "land")
        self.known("power", power.continues, self.edition.powers, file, join(field, "continues"))
        for place in power.exile:
            self.space(place, file, join(field, "exile"), "land")
        for place in power.area:
            self.space(place, file, join(field, "area"))
        if power.part is not None:
            if power.played_by is None:
                self.report.add(file, join(field, "part"), "only a power that another one plays has a part")
            for phase in (power.part.after, *power.part.phases):
                self.known("phase", phase, edition.phases, file, join(field, "part"))
        if power.reinforcement is not None:
            where = join(field, "reinforcement")
            self.known("unit", power.reinforcement.unit, edition.units, file, join(where, "unit"))
            if power.played_by is None:
                self.report.add(file, where, "only a power that another one plays is reinforced")
            for name in ("spaces_for_one", "room"):
                if getattr(power.reinforcement, name) < 1:
                    self.report.add(file, join(where, name), "cannot be less than 1")
        if self.space(power.capital, file, join(field, "capital"), "land"):
            assert power.capital is not None
            if edition.spaces[power.capital].owner != power.id:
                self.report.add(file, join(field, "capital"), f"{power.capital} does not belong to {power.id}")

    def seats(self) -> None:
        edition = self.edition
        for number, seats in edition.seats.presets.items():
            field = join("seats.presets", number)
            if len(seats) != number:
                self.report.add("edition.yaml", field, f"expected {number} seats, got {len(seats)}")
            dealt = [power for seat in seats for power in seat]
            for name in dealt:
                self.known("power", name, edition.powers, "edition.yaml", field)
            for power in edition.powers.values():
                takes_turns = any(power.id in s.order for s in edition.scenarios.values())
                if takes_turns and power.played_by is None and dealt.count(power.id) != 1:
                    self.report.add("edition.yaml", field, f"{power.id} must be in one seat")

    def unit(self, unit: UnitType, file: str, field: str) -> None:
        check_specials.check_unit(self, unit, file, field)
        for index, load in enumerate(unit.loads):
            for cargo in load:
                self.unit_of("land", cargo, file, join(field, "loads", index))
        for plane in unit.deck:
            self.unit_of("air", plane, file, join(field, "deck"))
        for index, modifier in enumerate(unit.modifiers):
            self.modifier(modifier, file, join(field, "modifiers", index))
        struck = (*self.edition.units, *get_args(Domain))
        for name in ("cannot_hit", "hits_only"):
            for other in getattr(unit, name):
                self.known("unit or domain", other, struck, file, join(field, name))
        for other in unit.hunts:
            self.known("unit", other, self.edition.units, file, join(field, "hunts"))
        for name, most in MOST.items():
            number = getattr(unit, name)
            if number is not None and not 0 <= number <= most:
                self.number(number, most, file, join(field, name))
        for plane, number in unit.deck.items():
            self.number(number, MOST_PLANES, file, join(field, "deck", plane), least=1)
        for load in unit.loads:
            self.number(sum(load.values()), MOST_CARGO, file, join(field, "loads"), least=1)

    def modifier(self, modifier: Modifier, file: str, field: str) -> None:
        for unit in modifier.units:
            self.known("unit", unit, self.edition.units, file, join(field, "units"))
        steps = {step for kind in self.edition.battles.values() for step in kind.steps}
        for option in self.edition.options:
            for patch in option.effects.values():
                for part in (patch, *(beside.patch for beside in patch.beside)):
                    steps |= {name for edits in part.steps.values() for edit in edits for name in names_put(edit)}
                    steps |= {step for kind in part.add_battles.values() for step in kind.steps}
        for step in modifier.during:
            self.known("step", step, steps, file, join(field, "during"))
        if modifier.enemies and not modifier.units:
            self.report.add(file, join(field, "enemies"), "says nothing without `units`")
        if modifier.number is not None:
            self.number(modifier.number, MOST_AIDED, file, join(field, "number"), least=1)
            if not modifier.units:
                self.report.add(file, join(field, "number"), "says nothing without `units`")
        self.number(modifier.dice or 0, MOST_DICE, file, join(field, "dice"))
        if not (modifier.amount or modifier.value is not None or modifier.dice is not None or modifier.picks):
            self.report.add(file, field, "changes nothing: it needs amount, value, dice or picks")

    def mark(self, mark: Mark, file: str, field: str) -> None:
        if mark.id in self.edition.technologies:
            self.report.add(file, field, "is a technology already, which can mark units by itself")
        self.unit_changes(mark.units, file, join(field, "units"))

    def unit_changes(self, units: Mapping[str, Mapping[str, Any]], file: str, field: str) -> None:
        for unit, fields in units.items():
            if unit == "*" or self.known("unit", unit, self.edition.units, file, join(field, unit)):
                for name, what in changes.problems(UnitType, fields):
                    self.report.add(file, join(field, unit, name), what)
                for name in fields:
                    if changes.split(name)[0] in changes.SHARED:
                        self.report.add(file, join(field, unit, name), "is the same for all units of a kind")
                for name in ("modifiers", "modifiers_add"):
                    for index, modifier in enumerate(_modifiers(fields.get(name))):
                        self.modifier(modifier, file, join(field, unit, name, index))

    def technology(self, technology: Technology, file: str, field: str) -> None:
        check_specials.check_technology(self, technology, file, field)
        rules = self.edition.rules
        if rules.developments == "rolled":
            if technology.roll is None:
                self.report.add(file, join(field, "roll"), "is missing: a die finds the development")
            if technology.chart is not None and rules.breakthroughs == "each":
                self.report.add(file, join(field, "chart"), "charts need `breakthroughs: one` in the edition's rules")
        self.unit_changes(technology.units, file, join(field, "units"))
        self.known("mark", technology.leader, self.edition.marks, file, join(field, "leader"))
        for name, ride in (("drops", technology.drops), ("takes_along", technology.takes_along)):
            for unit in () if ride is None else (ride.unit, ride.passenger):
                self.known("unit", unit, self.edition.units, file, join(field, name))

    # -- citations

    def citations(self, citations: Mapping[str, tuple[str, ...]], file: str, field: str) -> None:
        """Only what they look like: reasons are the engine's business, and rules stand in the rulebook."""
        for reason, rules in citations.items():
            if not REASON.fullmatch(reason):
                self.report.add(file, field, f"{reason!r} is no reason: it is written like no-such-ship")
            for rule in rules:
                if not RULE.fullmatch(rule):
                    self.report.add(file, join(field, reason), f"{rule!r} is no rule id: it is written like CL-TRP-01")

    # -- ends and bonuses

    def victory(self, victory: Victory, file: str, field: str) -> None:
        edition = self.edition
        winners = (*edition.sides, *edition.powers, "each-side", "each-power", "nobody")
        self.known("winner", victory.winner, winners, file, join(field, "winner"))
        check_condition(self, victory.when, file, join(field, "when"))
        if victory.then is not None:
            check_condition(self, victory.then, file, join(field, "then"))
            if not victory.held:
                self.report.add(file, join(field, "then"), "belongs to a condition that must be `held`")
        if victory.held and victory.checked != "turn":
            self.report.add(file, join(field, "held"), "what must be held is checked at the end of turns")

    def objective(self, objective: Objective, file: str, field: str) -> None:
        if objective.power != EACH:
            self.known("power", objective.power, self.edition.powers, file, join(field, "power"))
        check_condition(self, objective.when, file, join(field, "when"))
        if objective.per is not None:
            check_condition(self, objective.per, file, join(field, "per"))

    def declaration(self, declaration: Declaration, file: str, field: str) -> None:
        for part in ("by", "on", "draws_in"):
            for power in getattr(declaration, part):
                self.known("power", power, self.edition.powers, file, join(field, part))
        check_condition(self, declaration.when, file, join(field, "when"))

    def act(self, act: ActOfWar, file: str, field: str) -> None:
        for power in (*act.by, act.against):
            self.known("power", power, self.edition.powers, file, field)
        for space in (*act.places.spaces, *act.places.other_than):
            self.space(space, file, join(field, "places"))

    def ban(self, ban: Ban, file: str, field: str) -> None:
        for kind in ban.units:
            self.known("unit", kind, (*self.edition.units, *KINDS_OF_UNITS), file, join(field, "units"))
        for part in ("powers", "against"):
            for power in getattr(ban, part):
                self.known("power", power, self.edition.powers, file, join(field, part))
        for space in (*ban.places.spaces, *ban.places.other_than):
            self.space(space, file, join(field, "places"))
        check_condition(self, ban.when, file, join(field, "when"))

    # -- scenarios

    def pairs(self, pairs: Pairs, file: str, field: str) -> None:
        """Powers that are at war or allied with one another."""
        for one, other in pairs:
            self.known("power", one, self.edition.powers, file, field)
            self.known("power", other, self.edition.powers, file, field)
            if one == other:
                self.report.add(file, field, f"{one} stands there twice in one pair")

    def scenario(self, scenario: Scenario) -> None:
        file, edition = f"scenario-{scenario.id}.yaml", self.edition
        if scenario.options:
            try:
                resolve(edition.options, scenario.options)
            except DataError as error:
                for problem in error.problems:
                    self.report.add(file, "", problem)
        if scenario.like is not None:
            return  # the other one is checked
        self.pairs(scenario.wars, file, "wars")
        self.pairs(scenario.alliances, file, "alliances")
        for power in dict.fromkeys(scenario.order):
            self.known("power", power, edition.powers, file, "order")
            if scenario.order.count(power) > 1:
                self.report.add(file, "order", f"{power} has more than one turn")
            if power in edition.powers and power not in scenario.treasury:
                self.report.add(file, "treasury", f"nothing is said about {power}")
        for power, money in scenario.treasury.items():
            self.known("power", power, edition.powers, file, "treasury")
            if money < 0:
                self.report.add(file, join("treasury", power), "cannot be less than 0")
        owners = {space.id: space.owner for space in edition.spaces.values()}
        for space, owner in scenario.control.items():
            if self.space(space, file, join("control", space), "land"):
                self.known("power", owner, edition.powers, file, join("control", space))
                owners[space] = owner
        check_setup(scenario.setup, edition.spaces, owners, edition.powers, edition.units, self.report, file)


def _modifiers(raw: object) -> tuple[Modifier, ...]:
    """What a change sets or adds; what cannot be read has been complained about already."""
    try:
        return msgspec.convert(raw or (), tuple[Modifier, ...])
    except msgspec.ValidationError:
        return ()
