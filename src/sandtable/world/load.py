"""Reading an edition's folder of data files and checking that everything in it fits together.

One file a topic: edition, board, powers, units, technologies, marks, options, objectives, victory, citations and
tables, all `.yaml`, and `scenario-<id>.yaml` for each scenario. A folder of one's own works like a built-in one; it is
data only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import msgspec
import yaml

from sandtable.errors import DataError
from sandtable.world import cards
from sandtable.world.bundle import Bundle
from sandtable.world.cards import Decks
from sandtable.world.check import check_edition
from sandtable.world.edition import Edition, Scenario
from sandtable.world.fields import Report, build, convert, join, known_ones, mapping
from sandtable.world.files import FORMAT, Folder, read_yaml, yaml_problem
from sandtable.world.goals import with_places
from sandtable.world.lines import located
from sandtable.world.model import (
    BattleKind,
    Canal,
    Gap,
    Mark,
    Option,
    Power,
    RuleId,
    Rules,
    Seats,
    Space,
    Technology,
    UnitType,
)
from sandtable.world.options import FILE as OPTIONS
from sandtable.world.read_goals import (
    read_act,
    read_ban,
    read_declaration,
    read_milestones,
    read_objective,
    read_victory,
)
from sandtable.world.read_options import read_option

SCENARIO = "scenario-"
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Pairs = tuple[tuple[str, str], ...]
T = TypeVar("T")


class ScenarioInfo(NamedTuple):
    """What a list of games to choose from shows."""

    id: str
    edition: str
    name: str
    playable: bool


def data_folder() -> Folder:
    """The folder of the built-in editions."""
    return files("sandtable") / "data"


@cache
def edition_of(scenario: str) -> str:
    """The built-in edition that a scenario belongs to, found by file name alone. Raises DataError."""
    found = {
        file.name.removeprefix(SCENARIO).removesuffix(".yaml"): folder.name
        for folder in _edition_folders()
        for file in folder.iterdir()
        if file.name.startswith(SCENARIO)
    }
    if scenario not in found:
        raise DataError([f"scenario: {known_ones('scenario', scenario, sorted(found))}"])
    return found[scenario]


def scenarios() -> list[ScenarioInfo]:
    """All built-in scenarios: the playable ones first, and editions as their `place` says."""
    found = []
    for folder in _edition_folders():
        head = read_yaml(folder.joinpath("edition.yaml").read_text("utf-8"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.startswith(SCENARIO):
                scenario = file.name.removeprefix(SCENARIO).removesuffix(".yaml")
                name = read_yaml(file.read_text("utf-8"))["name"]
                found.append((head["place"], ScenarioInfo(scenario, head["id"], name, head["playable"])))
    return [info for _, info in sorted(found, key=lambda item: (not item[1].playable, item[0], item[1].id))]


@cache
def load_builtin(edition: str) -> Edition:
    """A built-in edition by its id; read once."""
    return _load(data_folder() / edition)


def load_bundle(bundle: Bundle) -> Edition:
    """The edition in a bundle of data files.

    Raises DataError with all problems at once, each as `file: line: field: what is wrong`.
    """
    return _load(bundle)


def _load(folder: Folder | Bundle) -> Edition:
    report = Report()
    reader = _Reader(folder, report)
    edition = reader.edition()
    if edition is None or report.problems:
        raise DataError(located(report.problems, reader.texts))
    return edition


def _edition_folders() -> list[Folder]:
    folders = [f for f in data_folder().iterdir() if f.is_dir() and f.joinpath("edition.yaml").is_file()]
    return sorted(folders, key=lambda folder: folder.name)


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    """edition.yaml without its records."""

    id: str
    name: str
    board: str
    phases: tuple[str, ...]
    titles: dict[str, str] = {}
    playable: bool = False
    place: int = 99  # in lists of games
    traits: dict[str, Any] = {}


class _Reader:
    """Reads file after file into typed records; whatever is wrong goes to the report."""

    def __init__(self, folder: Folder | Bundle, report: Report) -> None:
        self.folder = folder
        self.report = report
        self.unread = False
        self.texts: dict[str, str] = {}  # of the files that were read, by name

    def edition(self) -> Edition | None:
        head_raw = self.read("edition.yaml")
        rules = build(Rules, head_raw.pop("rules", {}), "edition.yaml", "rules", self.report)
        seats = build(Seats, head_raw.pop("seats", None), "edition.yaml", "seats", self.report)
        battles = self.battles(head_raw.pop("battles", {}))
        head = build(_Head, head_raw, "edition.yaml", "", self.report)
        spaces, borders, wraparound, gaps, canals = self.board()
        sides, powers = self.powers()
        units = self.records("units", UnitType)
        technologies = self.records("technologies", Technology, required=False)
        marks = self.records("marks", Mark, required=False)
        options = self.options()
        objectives = self.goals("objectives", read_objective, required=False)
        victory = self.goals("victory", read_victory)
        decks = self.decks(units)
        raw_milestones = self.section("milestones", required=False)
        milestones = read_milestones(raw_milestones, "milestones.yaml", "milestones", self.report)
        declarations = self.goals("declarations", read_declaration, required=False)
        acts = self.goals("acts", read_act, required=False)
        bans = self.goals("bans", read_ban, required=False)
        tables = mapping(self.section("tables", required=False), "tables.yaml", "tables", self.report)
        citations = self.citations()
        scenarios = self.scenarios()
        if self.unread:
            return None  # references into a file that could not be read would only give noise
        edition = Edition(
            id=head.id,
            bundle=self.folder if isinstance(self.folder, Bundle) else None,
            name=head.name,
            board=head.board,
            playable=head.playable,
            phases=head.phases,
            titles=head.titles,
            battles=battles,
            rules=rules,
            seats=seats,
            spaces=spaces,
            borders=borders,
            wraparound=wraparound,
            gaps=gaps,
            canals=tuple(canals.values()),
            sides=sides,
            powers=powers,
            units=units,
            technologies=technologies,
            marks=marks,
            options=options,
            objectives=objectives,
            victory=victory,
            decks=decks,
            milestones=milestones,
            declarations=declarations,
            acts=acts,
            bans=bans,
            citations=citations,
            scenarios=scenarios,
            traits={**head.traits, **tables},
        )
        check_edition(edition, self.report)
        return edition if self.report.problems else with_places(edition)

    def read(
        self, name: str, must: tuple[str, ...] = (), may: tuple[str, ...] = (), required: bool = True
    ) -> dict[str, Any]:
        """A file's content without its format number.

        `must` and `may` name the sections that it has; without either, somebody else checks them.
        """
        file = self.folder.joinpath(name)
        if not file.is_file():
            return self.cannot_read(name, "the file is missing") if required else {}
        try:
            text = file.read_text("utf-8")
            content = read_yaml(text)
        except yaml.YAMLError as error:
            return self.cannot_read(name, yaml_problem(error))
        except UnicodeDecodeError:
            return self.cannot_read(name, "is not a text in UTF-8")
        if not isinstance(content, dict):
            return self.cannot_read(name, "expected a mapping on top")
        self.texts[name] = text
        raw = mapping(content, name, "", self.report)
        version = raw.pop("format", None)
        if version != FORMAT:
            self.report.add(name, "format", f"expected {FORMAT}, got {version!r}")
        if must or may:
            for key in raw:
                if key not in (*must, *may):
                    self.report.add(name, key, known_ones("field", key, (*must, *may)))
            for key in must:
                if key not in raw:
                    self.cannot_read(f"{name}: {key}", "is missing")
        return raw

    def cannot_read(self, where: str, why: str) -> dict[str, Any]:
        self.report.add(where, "", why)
        self.unread = True
        return {}

    def section(self, name: str, required: bool = True) -> Any:
        """The content of a file that has one section, named like the file."""
        must = (name,) if required else ()
        return self.read(f"{name}.yaml", must, (name,), required).get(name)

    def records(self, name: str, kind: type[Any], required: bool = True) -> dict[str, Any]:
        """A file with one mapping id -> record."""
        return self.mapped(self.section(name, required), f"{name}.yaml", name, kind)

    def goals(self, name: str, read: Callable[..., T], required: bool = True) -> tuple[T, ...]:
        """A file with one mapping id -> record with conditions."""
        file = f"{name}.yaml"
        section = mapping(self.section(name, required), file, name, self.report)
        return tuple(read(id_, entry, file, join(name, id_), self.report) for id_, entry in section.items())

    def decks(self, units: dict[str, UnitType]) -> Decks:
        """Event cards, if the edition has any."""
        raw = self.read(cards.FILE, (cards.SECTION,), (), required=False)
        return cards.read_decks(raw.get(cards.SECTION), units, self.report)

    def mapped(self, raw: object, file: str, field: str, kind: type[Any], /, **given: object) -> dict[str, Any]:
        found = {}
        for name, entry in mapping(raw, file, field, self.report).items():
            found[name] = build(kind, entry, file, join(field, name), self.report, id=name, **given)
        return found

    def battles(self, raw: object) -> dict[str, BattleKind]:
        found = {}
        for kind, entry in mapping(raw, "edition.yaml", "battles", self.report).items():
            found[kind] = build(BattleKind, entry, "edition.yaml", join("battles", kind), self.report)
        return found

    def board(self) -> tuple[dict[str, Space], Pairs, Pairs, tuple[Gap, ...], dict[str, Canal]]:
        name = "board.yaml"
        raw = self.read(name, ("land", "sea", "borders"), ("wraparound", "not_adjacent", "canals"))
        rest: dict[str, Any] = {"original": None, "capital_of": None}
        land = self.mapped(raw.get("land"), name, "land", Space, kind="land", inland=False, zone=None, **rest)
        sea = self.mapped(
            raw.get("sea"), name, "sea", Space, kind="sea", owner=None, ipc=0, island=False, impassable=False,
            victory_city=None, **rest,
        )  # fmt: skip
        for both in land.keys() & sea.keys():
            self.report.add(name, join("sea", both), "stands under land already")
        borders = []
        for space, others in mapping(raw.get("borders"), name, "borders", self.report).items():
            for other in convert(tuple[str, ...], others, name, join("borders", space), self.report) or ():
                borders.append((space, other))
        wraparound: Pairs = convert(Pairs, raw.get("wraparound", []), name, "wraparound", self.report) or ()
        gaps = convert(tuple[Gap, ...], raw.get("not_adjacent", []), name, "not_adjacent", self.report) or ()
        canals = self.mapped(raw.get("canals"), name, "canals", Canal)
        return {**land, **sea}, tuple(borders), wraparound, gaps, canals

    def powers(self) -> tuple[tuple[str, ...], dict[str, Power]]:
        name = "powers.yaml"
        raw = self.read(name, ("sides", "powers"))
        sides = convert(tuple[str, ...], raw.get("sides", []), name, "sides", self.report) or ()
        return sides, self.mapped(raw.get("powers"), name, "powers", Power, treasury=0)

    def options(self) -> tuple[Option, ...]:
        section = mapping(self.section("options", required=False), OPTIONS, "options", self.report)
        return tuple(
            read_option(key, entry, OPTIONS, join("options", key), self.report) for key, entry in section.items()
        )

    def citations(self) -> dict[str, tuple[RuleId, ...]]:
        """Reasons with their rules. `never` names those that the edition has no rule for, as they cannot come up."""
        name = "citations.yaml"
        raw = self.read(name, (), ("reasons", "never"), required=False)
        found = {}
        for reason, rules in mapping(raw.get("reasons"), name, "reasons", self.report).items():
            found[reason] = convert(tuple[str, ...], rules, name, join("reasons", reason), self.report) or ()
        for reason in convert(tuple[str, ...], raw.get("never", []), name, "never", self.report) or ():
            if reason in found:
                self.report.add(name, join("never", reason), "stands under reasons already")
        return found

    def scenarios(self) -> dict[str, Scenario]:
        found: dict[str, Mapping[str, Any]] = {}
        names: list[str] = sorted(file.name for file in self.folder.iterdir())
        for name in names:
            if name.startswith(SCENARIO) and name.endswith(".yaml"):
                id_ = name.removeprefix(SCENARIO).removesuffix(".yaml")
                if not ID.fullmatch(id_):
                    self.report.add(name, "", "a scenario's id has small letters, digits and hyphens")
                raw = self.read(name)
                if raw:
                    found[id_] = raw
        return {id_: self.scenario(id_, found) for id_ in found}

    def scenario(self, id_: str, all_of_them: Mapping[str, Mapping[str, Any]]) -> Scenario:
        """A scenario may be like another one, and say only what is different."""
        file, own = f"{SCENARIO}{id_}.yaml", dict(all_of_them[id_])
        model = own.get("like")
        if model is not None and "like" in all_of_them.get(str(model), {"like": ""}):
            self.report.add(file, "like", f"{model!r} is no scenario with a set-up of its own")
        elif model is not None:
            own = {**all_of_them[str(model)], **own}
        return build(Scenario, own, file, "", self.report, id=id_)
