"""What the loader says about broken data files. It must find everything at once and say where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from sandtable.engine.game import Game, preset_seats
from sandtable.errors import DataError, Refusal, SandtableError
from sandtable.world.compile import compile_edition
from sandtable.world.files import DEEPEST, read_yaml
from sandtable.world.library import open_edition

Problems = Callable[..., list[str]]
BOARD, UNITS, POWERS, EDITION, OPTIONS = "board.yaml", "units.yaml", "powers.yaml", "edition.yaml", "options.yaml"
SCENARIO, VICTORY, TECHS = "scenario-classic-1942.yaml", "victory.yaml", "technologies.yaml"
CITATIONS = "citations.yaml"


def test_an_untouched_copy_loads(folder: Path) -> None:
    assert open_edition(folder).id == "classic"


def test_an_edition_without_citations_cites_nothing(folder: Path) -> None:
    (folder / CITATIONS).unlink()
    game = Game(compile_edition(open_edition(folder), "classic-1942"))
    with pytest.raises(Refusal) as caught:
        game.play("buy 99 bomber")
    assert (caught.value.reason, caught.value.rules) == ("not-enough-money", ())
    assert str(caught.value) == "99 bombers cost 1485, and U.S.S.R. has 24."
    with pytest.raises(SandtableError, match=r"not 9\.$"):
        preset_seats(game.world, 9)


@pytest.mark.parametrize(
    "text",
    [
        "- " * 100_000 + "x",
        "[" * 100_000,
        "[\n" * 10_000,
        "{a: " * 10_000,
        "".join(f"{' ' * i}a:\n" for i in range(500)),
    ],
)
def test_bottomless_files_are_refused(text: str) -> None:
    """They would end the process: the fast loader takes no care of its stack."""
    with pytest.raises(yaml.YAMLError, match="nested too deeply"):
        read_yaml(text)


def test_deep_files_are_read() -> None:
    assert read_yaml("[" * DEEPEST + "]" * DEEPEST) != []


def test_everything_is_listed_at_once(problems: Problems) -> None:
    found = problems(
        (UNITS, "cost: 3", "cost: cheap"),
        (UNITS, "blitz: true", "blitzes: true"),
        (BOARD, "owner: usa, ipc: 2, lat: 64.5", "owner: usaa, ipc: 2, lat: 64.5"),
        (SCENARIO, "caucasus: {infantry: 5}", "caucasus: {infantry: 5, submarine: 1}"),
        (POWERS, "capital: russia", "capital: karelia-sea"),
        (VICTORY, "holds_capitals: allies", "holds_capitals: alies"),
    )
    assert found == [
        "units.yaml: units.infantry.cost: expected int | nothing, got str",
        "units.yaml: units.armor.blitzes: unknown field 'blitzes' (did you mean 'blitz'?)",
        "board.yaml: land.alaska.owner: unknown power 'usaa' (did you mean 'usa'?)",
        "powers.yaml: powers.ussr.capital: karelia-sea is not a land territory",
        "victory.yaml: victory.axis-capitals.when.who: unknown power or side 'alies' (did you mean 'allies'?)",
        "scenario-classic-1942.yaml: setup.ussr.caucasus.submarine: submarines cannot stand on land",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        # citations
        (CITATIONS, "format: 1", "format: 2", "citations.yaml: format: expected 1, got 2"),
        (CITATIONS, "reasons:", "reason:", "citations.yaml: reason: unknown field 'reason' (did you mean 'reasons'?)"),
        (
            *(CITATIONS, "game-over: [CL-VIC-03, PC-VIC-01]", "game-over: CL-VIC-03"),
            "citations.yaml: reasons.game-over: expected array, got str",
        ),
        (
            *(CITATIONS, "game-over: [CL-VIC-03, PC-VIC-01]", "game-over: [CL-VIC-03, the end]"),
            "citations.yaml: reasons.game-over: 'the end' is no rule id: it is written like CL-TRP-01",
        ),
        (
            *(CITATIONS, "  game-over:", "  game_over:"),
            "citations.yaml: reasons: 'game_over' is no reason: it is written like no-such-ship",
        ),
        (CITATIONS, "never:", "never:\n  - game-over", "citations.yaml: never.game-over: stands under reasons already"),
        (
            *(OPTIONS, "units: {submarine: {submerges: []}}", "citations: {game-over: [CL]}"),
            "options.yaml: options.submerging_submarines.effects.false.citations.game-over: 'CL' is no rule id",
        ),
        # form
        (BOARD, "format: 1", "format: 2", "board.yaml: format: expected 1, got 2"),
        (EDITION, "format: 1\n", "", "edition.yaml: format: expected 1, got None"),
        (EDITION, "name: Classic\n", "", "edition.yaml: name: is missing"),
        (EDITION, "playable: true", "playable: 1", "edition.yaml: playable: expected bool, got int"),
        (EDITION, "neutral_fee: 3", "neutral_fe: 3", "edition.yaml: rules.neutral_fe: unknown field 'neutral_fe'"),
        (
            EDITION,
            "developments: rolled",
            "developments: bought",
            "edition.yaml: rules.developments: invalid enum value",
        ),
        (
            EDITION,
            "raid_damage: money",
            "raid_damage: mony",
            "edition.yaml: rules.raid_damage: invalid enum value 'mony'",
        ),
        (TECHS, "    roll: 1\n", "", "technologies.jet-power.roll: is missing: a die finds the development"),
        (TECHS, "    roll: 1\n", "    roll: 1\n    chart: 1\n", "chart: charts need `breakthroughs: one`"),
        (UNITS, "units:", "unit:", "units.yaml: unit: unknown field 'unit'"),
        (UNITS, "units:", "unit:", "units.yaml: units: is missing"),
        (UNITS, "domain: land", "domain: mud", "units.yaml: units.infantry.domain: invalid enum value 'mud'"),
        (UNITS, "{name: infantry", "{id: x, name: infantry", "units.yaml: units.infantry.id: unknown field"),
        (UNITS, "attack: 1", "attack: -1", "units.yaml: units.infantry.attack: cannot be less than 0"),
        (BOARD, "  afghanistan: {", "  12: {", "board.yaml: land: the key 12 is not a text"),
        (BOARD, "wraparound:\n", "wraparound: 5\nx:\n", "board.yaml: wraparound: expected array, got int"),
        # board
        (BOARD, "  alaska: [", "  alaska: [alaska, ", "borders.alaska: a space does not border itself"),
        (BOARD, "  alaska: [", "  alaska: [alaska-sea, ", "borders.alaska: the border with alaska-sea stands there"),
        (BOARD, "  germany: [", "  germany: [finland, ", "borders.germany: unknown space 'finland'"),
        (BOARD, "  germany: [", "  germany: [eastern-europe, ", "borders.germany: the border with eastern-europe"),
        (BOARD, "  - [mexico, panama]", "  - [mexico, peru]", "wraparound.2: mexico and peru have no border"),
        (
            BOARD,
            "between: [algeria, gibraltar]",
            "between: [algeria, libya]",
            "not_adjacent.2: algeria and libya have a",
        ),
        (BOARD, "  midway: [midway-sea]\n", "", "land.midway: has no border"),
        (BOARD, "owner: uk, ipc: 3, lat", "owner: uk, ipc: 3, island: true, lat", "an island borders sea zones only"),
        (BOARD, "name: Red Sea Zone", "name: Red Sea Zone, inland: true", "sea.red-sea.inland: an inland sea"),
        (BOARD, "name: Red Sea Zone", "name: Red Sea Zone, ipc: 3", "sea.red-sea.ipc: unknown field"),
        (
            BOARD,
            "between: [caribbean-sea, west-",
            "between: [peru, west-",
            "canals.panama-canal.between: peru is not a",
        ),
        (BOARD, "between: [caribbean-sea, west-", "between: [red-sea, west-", "red-sea and west-panama-sea have no"),
        (BOARD, "banks: [panama]", "banks: [spain]", "banks: spain touches neither end of the canal"),
        (BOARD, "banks: [panama]", "banks: []", "canals.panama-canal.banks: a canal needs a bank"),
        (BOARD, "banks: [panama]", "banks: [panama]\n    free_for: [sub]", "free_for: unknown unit 'sub'"),
        # powers and seats
        (POWERS, "side: axis", "side: centre", "powers.germany.side: unknown side 'centre'"),
        (POWERS, "capital: russia", "capital: germany", "powers.ussr.capital: germany does not belong to ussr"),
        (EDITION, "    3: [[ussr, uk, usa], [germany], ", "    3: [[ussr, uk], [germany], ", "usa must be in one seat"),
        (EDITION, "    3: [[ussr, uk, usa], ", "    3: [[ussr, uk, usa], [uk], ", "expected 3 seats, got 4"),
        # units
        (UNITS, "{armor: 1}", "{armour: 1}", "units.transport.loads.1: unknown unit 'armour'"),
        (UNITS, "{armor: 1}", "{bomber: 1}", "units.transport.loads.1: bomber is not a land unit"),
        (UNITS, "deck: {fighter: 2}", "deck: {armor: 2}", "units.carrier.deck: armor is not a plane"),
        # technologies
        (TECHS, "{fighter: {defense: 5}}", "{fightr: {defense: 5}}", "units.fightr: unknown unit 'fightr'"),
        (TECHS, "{defense: 5}", "{defence: 5}", "jet-power.units.fighter.defence: unknown field 'defence'"),
        (TECHS, "{cost_change: -1}", "{cost_change: less}", "cost_change: expected a number to add"),
        (TECHS, "{cost_change: -1}", "{loads_change: 1}", "loads_change: loads is not a number"),
        (
            TECHS,
            "{defense: 5}",
            "{hides_from_add: [air]}",
            "fighter.hides_from_add: is the same for all units of a kind",
        ),
        # options
        (OPTIONS, "default: false", "default: maybe", "options.second_edition.default: expected one of true, false"),
        (OPTIONS, '"true":', '"on":', "options.second_edition.effects.on: unknown value 'on' (known: true, false)"),
        (OPTIONS, "several_aa_guns: false", "several_aa_gun: false", "unknown option 'several_aa_gun'"),
        (OPTIONS, "joint_casualties: agreement", "joint_casualties: x", "expected one of owner, agreement, got x"),
        (OPTIONS, "{rules: {planes_retreat", "{rules: {plane_retreat", "unknown field 'plane_retreat_from_assault'"),
        (OPTIONS, "{rules: {planes_ret", "{rule: {planes_ret", "effects.false.rule: unknown field 'rule'"),
        (OPTIONS, "eastern-canada-sea, western-canada]", "eastern-canada, western-canada]", "already have a border"),
        (OPTIONS, "{submerges: []}", "{submerges: [never]}", "submerges[0]: invalid enum value 'never'"),
        (
            OPTIONS,
            '"true": {rules: {pieces: {carrier: 2}}}',
            '"true": {options: {second_edition: true}}',
            "second_edition must stand below piece_limits to get another default",
        ),
        (
            OPTIONS,
            '"true": {rules: {pieces: {carrier: 2}}}',
            '"true": {phases: [{remove: sleep}], steps: {air: [], land: [{remove: aa}]}}',
            "effects.true.phases.0: unknown anchor 'sleep'",
        ),
        (EDITION, "place: 1", "titles: {reserch: Science}\nplace: 1", "titles: unknown phase 'reserch'"),
        # ends
        (
            VICTORY,
            "{holds_capitals: allies",
            "{holds_capital: allies",
            "unknown predicate 'holds_capital' (did",
        ),
        (VICTORY, "at_least: 2", "at_least: 4", "allied-capitals.when.at_least: 4 of 3 capitals make no sense"),
        (
            VICTORY,
            "{production: axis",
            "{cities: axis",
            "economy.when.at_least: the board has 0 victory cities, not",
        ),
        (VICTORY, "winner: axis", "winner: axes", "victory.allied-capitals.winner: unknown winner 'axes'"),
        (VICTORY, "checked: turn", "checked: never", "victory.axis-capitals.checked: invalid enum value 'never'"),
        (VICTORY, "    when: {production: axis, at_least: 84}\n", "", "victory.economy.when: is missing"),
        # scenario
        (SCENARIO, "order: [ussr, ", "order: [ussr, ussr, ", "order: ussr has more than one turn"),
        (SCENARIO, "order: [ussr, ", "order: [udssr, ", "order: unknown power 'udssr'"),
        (SCENARIO, "{ussr: 24, ", "{", "treasury: nothing is said about ussr"),
        (SCENARIO, "{ussr: 24, ", "{ussr: -1, ", "treasury.ussr: cannot be less than 0"),
        (SCENARIO, "setup:\n", "control: {spain: franco}\nsetup:\n", "control.spain: unknown power 'franco'"),
        (SCENARIO, "setup:\n", "control: {red-sea: uk}\nsetup:\n", "control.red-sea: red-sea is not a land territory"),
        (SCENARIO, "  ussr:\n    cau", "  udssr:\n    cau", "setup.udssr: unknown power 'udssr'"),
        (SCENARIO, "caucasus: {infantry: 5}", "cauasus: {infantry: 5}", "did you mean 'caucasus'?"),
        (SCENARIO, "caucasus: {infantry: 5}", "caucasus: {infanty: 5}", "setup.ussr.caucasus.infanty: unknown unit"),
        (SCENARIO, "caucasus: {infantry: 5}", "caucasus: {infantry: 0}", "expected a number of pieces from 1 on"),
        (SCENARIO, "caucasus: {infantry: 5}", "turkey: {infantry: 5}", "setup.ussr.turkey: Turkey is neutral"),
        (SCENARIO, "caucasus: {infantry: 5}", "japan: {infantry: 5}", "japan: Japan belongs to an enemy, Japan"),
        (SCENARIO, "karelia-sea: {transport: 1", "karelia-sea: {infantry: 1", "no room on transports for all of 1 inf"),
        (SCENARIO, "karelia-sea: {transport: 1", "karelia-sea: {armor: 2, transport: 1", "all of 2 armor in Karelia"),
        (SCENARIO, "fighter: 1, carrier: 1", "fighter: 3, carrier: 1", "no deck for all of 3 fighters"),
    ],
)
def test_single_problems(problems: Problems, file: str, old: str, new: str, problem: str) -> None:
    found = problems((file, old, new))
    assert any(problem in line for line in found), found
    assert len(found) <= 8, found  # options that name a space tell of it, too


def test_objectives_are_checked(problems: Problems) -> None:
    found = problems(
        (
            "objectives.yaml",
            "objectives: {}",
            """objectives:
  mine:
    power: italy
    bonus: 5
    when:
      - {controls: axes, all: [russia, rusia]}
      - {at_war: uk, with_any: [germany, itly]}
""",
        )
    )
    assert found == [
        "objectives.yaml: objectives.mine.power: unknown power 'italy' (known: ussr, germany, uk, japan, usa)",
        "objectives.yaml: objectives.mine.when.0.who: unknown power or side 'axes' (did you mean 'axis'?)",
        "objectives.yaml: objectives.mine.when.0: unknown space 'rusia' (did you mean 'russia'?)",
        found[3],
    ]
    assert "when.1.with_any: unknown power or side 'itly'" in found[3]


def test_missing_files_and_bad_yaml(folder: Path) -> None:
    (folder / "units.yaml").unlink()
    (folder / "powers.yaml").write_text("format: 1\nsides: [allies\npowers: {}")
    (folder / "technologies.yaml").write_text("- 1\n- 2\n")
    with pytest.raises(DataError) as caught:
        open_edition(folder)
    found = caught.value.problems
    assert "units.yaml: the file is missing" in found
    assert "technologies.yaml: expected a mapping on top" in found
    assert any(line.startswith("powers.yaml: line 3: ") for line in found)


def test_optional_files_may_be_left_out(folder: Path) -> None:
    for name in ("technologies.yaml", "objectives.yaml", "options.yaml"):  # some options change technologies
        (folder / name).unlink()
    for name in ("scenario-pacific-theater.yaml", "scenario-world-domination.yaml"):  # they are made by options
        (folder / name).unlink()
    edition = open_edition(folder)
    assert edition.technologies == {}
    assert edition.objectives == ()


def test_a_key_twice(problems: Problems) -> None:
    found = problems((POWERS, "powers:\n", "powers:\n  usa: {name: Again}\n"))
    assert any("`usa` stands there twice" in line for line in found)


def test_no_code_in_data(problems: Problems) -> None:
    found = problems((POWERS, "name: U.S.S.R.", "name: !!python/object/apply:os.system [echo]"))
    assert found[0].startswith("powers.yaml: line ")
    assert "could not determine a constructor" in found[0]


def test_words_that_are_not_truth_values(folder: Path) -> None:
    text = (folder / POWERS).read_text().replace("colour: green", "colour: no")
    (folder / POWERS).write_text(text)
    assert open_edition(folder).powers["usa"].colour == "no"


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such folder"):
        open_edition(tmp_path / "nowhere")


def test_no_scenario(folder: Path) -> None:
    for file in folder.glob("scenario-*.yaml"):
        file.unlink()
    with pytest.raises(DataError, match="there is no scenario"):
        open_edition(folder)
